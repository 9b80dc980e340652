//===- Windows.h - Windows of operations ------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes that describe the sliding windows of a convolution or pooling,
// resolved with Window.h.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_WINDOWS_H
#define INLAY_IR_WINDOWS_H

#include "inlay/IR/TypeInference.h"
#include "inlay/Tensor/Window.h"

namespace inlay {

class ConvTransposeOp;

/// The attributes as given; absent ones are empty. The kernel is the one the
/// operation works with, which may come from a weight.
struct WindowAttributes {
  llvm::StringRef autoPad;
  llvm::ArrayRef<int64_t> kernel;
  llvm::ArrayRef<int64_t> strides;
  llvm::ArrayRef<int64_t> dilations;
  llvm::ArrayRef<int64_t> pads;

  WindowShape getShape() const { return {kernel, strides, dilations}; }
};

/// The attributes of `op`, which has them by ONNX's names, but for the kernel.
template <typename OpT>
WindowAttributes getWindowAttributes(OpT op, llvm::ArrayRef<int64_t> kernel) {
  constexpr llvm::ArrayRef<int64_t> absent;
  return {op.getAutoPad(), kernel, op.getStrides().value_or(absent),
          op.getDilations().value_or(absent), op.getPads().value_or(absent)};
}

/// `auto_pad`, or an error that names the value found.
llvm::Expected<AutoPad> getAutoPad(llvm::StringRef name);

/// The pads over spatial dimensions of the given sizes.
llvm::Expected<Pads> resolvePads(const WindowAttributes &window,
                                 llvm::ArrayRef<int64_t> spatial);

/// The spatial sizes of the result.
llvm::Expected<Sizes> inferWindowSizes(const WindowAttributes &window,
                                       llvm::ArrayRef<int64_t> spatial,
                                       bool ceilMode = false);

/// The spatial entries of `output_shape`, which may list all dimensions; none
/// where it is not given.
llvm::ArrayRef<int64_t> getOutputSpatial(ConvTransposeOp op, size_t rank);

/// The pads that a transposed convolution ends up with.
llvm::Expected<TransposePads> resolveOutputPads(ConvTransposeOp op,
                                                llvm::ArrayRef<int64_t> spatial,
                                                llvm::ArrayRef<int64_t> kernel);

/// The spatial dimensions of N x C x spatial of the given rank: 2, 3, ...
llvm::SmallVector<int64_t> getSpatialDims(int64_t rank);

} // namespace inlay

#endif // INLAY_IR_WINDOWS_H
