//===- Fitting.h - Parts of the pipeline, for any target --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_FITTING_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_FITTING_H

#include "inlay/HardwareFusion/FusionResult.h"
#include "inlay/KernelFusion/KernelResult.h"
#include "inlay/Pipeline/Fusion.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Transforms/Layout/Preset.h"

namespace inlay::testing {

/// Names axes and chooses storage orders: encodings of types and relayouts.
llvm::Expected<PresetResult> chooseLayouts(mlir::ModuleOp module,
                                           const Target &target,
                                           const LayoutOptions &options);

/// Makes the storage orders that were chosen the shapes of the tensors.
llvm::Error materializeLayouts(mlir::ModuleOp module, const Target &target);

/// Both, in one round.
llvm::Expected<PresetResult> assignLayouts(mlir::ModuleOp module,
                                           const Target &target,
                                           const LayoutOptions &options);

/// Both, in rounds, and simplified after each.
llvm::Expected<PresetResult> settleLayouts(mlir::ModuleOp module,
                                           const Target &target,
                                           const LayoutOptions &options,
                                           unsigned maxRounds);

llvm::Expected<FusionResult> fuseOperators(mlir::ModuleOp module,
                                           const Target &target,
                                           FusionStrategy strategy);

/// Expands composite operators, collects basic ones and makes kernels of them.
llvm::Expected<KernelResult>
fuseKernels(mlir::ModuleOp module, const Target &target,
            KernelStrategy strategy = KernelStrategy::Greedy);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_FITTING_H
