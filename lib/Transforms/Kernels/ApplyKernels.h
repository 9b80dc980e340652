//===- ApplyKernels.h - From a plan to kernels ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_KERNELS_APPLYKERNELS_H
#define INLAY_LIB_TRANSFORMS_KERNELS_APPLYKERNELS_H

#include "inlay/IR/GroupKind.h"
#include "llvm/ADT/SetVector.h"

namespace inlay {

/// Puts operations of a block into kernels.
class KernelBuilder {
public:
  KernelBuilder(mlir::Block &block, llvm::StringRef target)
      : block(block), target(target) {}

  /// `ops` are in an order in which they can run. The views that they read are
  /// copied into the group, which is a cluster or a kernel.
  void build(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef name,
             GroupKind kind);

  /// Erases views that were copied and that nobody needs, and brings the block
  /// into an order in which every operation follows what it needs.
  void finish();

private:
  void copyViews(mlir::Operation *op, mlir::IRMapping &copies);

  mlir::Block &block;
  llvm::StringRef target;
  llvm::SmallVector<GroupOp> groups;
  llvm::SetVector<mlir::Operation *> copied;
};

} // namespace inlay

#endif // INLAY_LIB_TRANSFORMS_KERNELS_APPLYKERNELS_H
