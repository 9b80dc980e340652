//===- Fuse.h - Groups of operators in the IR -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_HARDWARE_FUSE_H
#define INLAY_TRANSFORMS_HARDWARE_FUSE_H

#include "inlay/HardwareFusion/Fusion.h"
#include "inlay/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace inlay {

struct FuseOptions {
  FusionStrategy strategy = FusionStrategy::Greedy;
  /// Whether the result is filled in; it takes memory for every operator.
  bool describe = true;
  /// Whether it lists the edges between groups, each with its reason.
  bool explains = true;
};

/// Turns operators of the function's body that run as one on the target's
/// pipeline into inlay.group. A target without a pipeline changes nothing.
llvm::Expected<FusionResult> fuseHardware(mlir::func::FuncOp func,
                                          const Target &target,
                                          const FuseOptions &options);

/// Counts bytes again in the function as it is written: tensors are stored, and
/// what lay between them may be gone. Where there are more or fewer than were
/// planned with, no bound holds any longer.
void measureGroups(mlir::func::FuncOp func, const Target &target,
                   FusionResult &result);

/// Puts the operators of every group back in place of the group.
void inlineGroups(mlir::func::FuncOp func);

} // namespace inlay

#endif // INLAY_TRANSFORMS_HARDWARE_FUSE_H
