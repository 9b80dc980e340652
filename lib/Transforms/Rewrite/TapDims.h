//===- TapDims.h - Which elements taps of windows see -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_TAPDIMS_H
#define INLAY_LIB_TRANSFORMS_REWRITE_TAPDIMS_H

#include "inlay/IR/InlayOps.h"

namespace inlay::rewrites {

/// One spatial dimension of a convolution.
struct TapDim {
  int64_t input, result, kernel, stride, dilation, begin, end;

  /// Where a tap of a window lies in the input.
  int64_t getPlace(int64_t window, int64_t tap) const {
    return window * stride - begin + tap * dilation;
  }
  bool isSeen(int64_t window, int64_t tap) const {
    int64_t place = getPlace(window, tap);
    return place >= 0 && place < input;
  }
};

/// Nothing where an extent or a padding is unknown.
std::optional<llvm::SmallVector<TapDim>> getTapDims(ConvOp conv);

/// Whether a tensor is constant and has finite elements: infinity times zero is
/// no zero.
bool isFiniteConstant(mlir::Value weight);

/// The part from `from` to `to` of each spatial dimension.
mlir::Value buildSpatialSlice(mlir::Value tensor, llvm::ArrayRef<int64_t> from,
                              llvm::ArrayRef<int64_t> to, mlir::Location loc,
                              mlir::OpBuilder &builder);

} // namespace inlay::rewrites

#endif // INLAY_LIB_TRANSFORMS_REWRITE_TAPDIMS_H
