//===- WinogradMemory.h - Weights that have room ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Winograd's products need weights of 16 or 36 numbers where sums over taps
// have 9. Of the convolutions of a model those get that memory that save most
// time for it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_WINOGRADMEMORY_H
#define INLAY_LIB_CODEGEN_WINOGRADMEMORY_H

#include "inlay/Codegen/KernelCode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// What a step does instead of what is fastest.
struct WinogradLimit {
  WinogradUse use;
  /// What it would have been, and what is missing.
  std::string reason;
};

/// The steps that cannot have what is fastest where the weights of all may take
/// `bytes` more than the constants do.
llvm::DenseMap<mlir::Operation *, WinogradLimit>
limitWinograd(mlir::func::FuncOp graph, const CodeTarget &target,
              uint64_t bytes);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_WINOGRADMEMORY_H
