//===- WindowDims.h - Windows along dimensions ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_WINDOWDIMS_H
#define INLAY_LIB_CODEGEN_WINDOWDIMS_H

#include "inlay/IR/InlayOps.h"

namespace inlay {

/// The window along one spatial dimension.
struct WindowDim {
  int64_t input, kernel, stride, dilation, begin, end;

  /// How far the last tap is from the first.
  int64_t getReach() const { return (kernel - 1) * dilation; }
};

/// Those of a convolution or pool, by spatial dimension; nothing where the
/// operator is none, or does not say what they are.
std::optional<llvm::SmallVector<WindowDim>> getWindowDims(mlir::Operation *op);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_WINDOWDIMS_H
