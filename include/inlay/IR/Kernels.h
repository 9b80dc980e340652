//===- Kernels.h - What kernels say of themselves ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_KERNELS_H
#define INLAY_IR_KERNELS_H

#include "inlay/IR/InlayOps.h"

namespace inlay {

/// The class of a kernel of these operators: that of its contraction, window or
/// reduction, else "elementwise", "broadcast" or "transform". Views and
/// constants do not count, and one that is opaque makes it opaque.
FusionClass getKernelClass(llvm::ArrayRef<mlir::Operation *> ops);

/// The loops that the operators of a group are as one kernel. The verifier
/// refuses a kernel that says anything else of itself.
KernelNest describeKernel(GroupOp group);

/// Makes the group a kernel, whatever it was.
void setKernel(GroupOp group);

/// Lets the kernels in `root` say what they are now. For whoever changes
/// operators, types or inputs of groups.
void updateKernels(mlir::Operation *root);

} // namespace inlay

#endif // INLAY_IR_KERNELS_H
