//===- KernelMarks.h - Kernels that are planned -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `inlay-plan-kernels` tells `inlay-reconstruct`, in the IR:
//
//   inlay.planned_kernels  of the function: [["kernel_0", "elementwise"], ...],
//                          in an order in which they can run; with
//                          array<i64: 1, 0> for operators that are to be in
//                          another order than that of the block
//   inlay.in_kernel        of an operator: the number of its kernel, all of
//                          whose operators are in one body
//   inlay.whole            of an inlay.expanded: its composite operator stays
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_KERNELS_KERNELMARKS_H
#define INLAY_LIB_TRANSFORMS_KERNELS_KERNELMARKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace inlay {

inline constexpr llvm::StringLiteral wholeAttr = "inlay.whole";

/// A kernel to be made of operators of a function.
struct PlannedKernel {
  std::string name;
  /// The name of its class.
  std::string kind;
  llvm::SmallVector<mlir::Operation *> ops;
};

class KernelMarks {
public:
  void add(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef name,
           llvm::StringRef kind);
  /// Marks the function and the operators.
  void write(mlir::func::FuncOp func) const;

  /// Takes the marks off; an error (model) for marks that fit together in no
  /// way.
  static llvm::Expected<std::vector<PlannedKernel>>
  take(mlir::func::FuncOp func);

private:
  std::vector<PlannedKernel> kernels;
};

/// Takes off what an earlier plan has left, if any.
void forgetKernelMarks(mlir::func::FuncOp func);

/// Whether kernels were planned for the function and not yet made.
bool hasKernelMarks(mlir::func::FuncOp func);

} // namespace inlay

#endif // INLAY_LIB_TRANSFORMS_KERNELS_KERNELMARKS_H
