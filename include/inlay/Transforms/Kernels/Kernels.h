//===- Kernels.h - Kernels out of operators ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_KERNELS_KERNELS_H
#define INLAY_TRANSFORMS_KERNELS_KERNELS_H

#include "inlay/KernelFusion/KernelResult.h"
#include "inlay/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// Collects the operators of the function that may become kernels together in
/// groups that are clusters.
void aggregateKernels(mlir::func::FuncOp func, const Target &target);

struct KernelOptions {
  KernelStrategy strategy = KernelStrategy::Greedy;
  /// Whether kernels and edges are listed in the result.
  bool describe = true;
};

/// Chooses which operators of the function are one kernel, and says so in it.
llvm::Expected<KernelResult> chooseKernels(mlir::func::FuncOp func,
                                           const Target &target,
                                           const KernelOptions &options);

/// Makes the kernels that were chosen.
llvm::Error makePlannedKernels(mlir::func::FuncOp func, const Target &target);

} // namespace inlay

#endif // INLAY_TRANSFORMS_KERNELS_KERNELS_H
