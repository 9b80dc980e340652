//===- Window.h - Sizes and pads of sliding windows -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic of convolution and pooling windows, on sizes alone. Sizes may be
// `unknownDim`, and then so is what depends on them. Everything else is
// checked: strides, dilations and kernels must be positive, nothing may
// overflow.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_WINDOW_H
#define INLAY_TENSOR_WINDOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <limits>
#include <optional>

namespace inlay {

/// A size not known before the run; the value MLIR uses for a dynamic one.
constexpr int64_t unknownDim = std::numeric_limits<int64_t>::min();

/// ONNX's `auto_pad`.
enum class AutoPad : uint8_t { NotSet, Valid, SameUpper, SameLower };

/// "NOTSET", "VALID", "SAME_UPPER" or "SAME_LOWER".
std::optional<AutoPad> parseAutoPad(llvm::StringRef name);

/// Pads as ONNX orders them: all begins, then all ends.
using Pads = llvm::SmallVector<int64_t, 8>;
using Sizes = llvm::SmallVector<int64_t, 4>;

/// How a window moves along the spatial axes. Empty `strides` and `dilations`
/// mean 1 everywhere. It refers to numbers that somebody else keeps.
struct WindowShape {
  llvm::ArrayRef<int64_t> kernel;
  llvm::ArrayRef<int64_t> strides;
  llvm::ArrayRef<int64_t> dilations;
};

/// The pads that a convolution or pooling ends up with. `explicitPads` count
/// for AutoPad::NotSet only, where empty means none. With SAME_*, an unknown
/// input size gives unknown pads on that axis.
llvm::Expected<Pads> resolvePads(AutoPad autoPad,
                                 llvm::ArrayRef<int64_t> inputSpatial,
                                 const WindowShape &window,
                                 llvm::ArrayRef<int64_t> explicitPads);

/// The number of windows along one axis. With `ceilMode` a last window may hang
/// over the end pad, but it must start inside the input or its begin pad.
/// `padBegin` and `padEnd` may be unknown (the pads of SAME_*).
llvm::Expected<int64_t> getWindowCount(int64_t input, int64_t kernel,
                                       int64_t stride, int64_t dilation,
                                       int64_t padBegin, int64_t padEnd,
                                       bool ceilMode = false);

/// The spatial sizes of a convolution's or pooling's result. Sizes are known
/// for SAME_* whenever the input's are.
llvm::Expected<Sizes> inferWindowSizes(llvm::ArrayRef<int64_t> inputSpatial,
                                       const WindowShape &window,
                                       llvm::ArrayRef<int64_t> pads,
                                       bool ceilMode = false);

/// What a transposed convolution ends up with. A result size that the windows
/// do not reach is made up by more output padding.
struct TransposePads {
  Pads pads;
  Sizes outputPadding;
};

/// `outputShape` holds the wanted spatial sizes, or is empty; `outputPadding`
/// may be empty.
llvm::Expected<TransposePads> resolveTransposePads(
    AutoPad autoPad, llvm::ArrayRef<int64_t> inputSpatial,
    const WindowShape &window, llvm::ArrayRef<int64_t> outputPadding,
    llvm::ArrayRef<int64_t> explicitPads, llvm::ArrayRef<int64_t> outputShape);

/// The spatial sizes of a transposed convolution's result:
/// stride * (input - 1) + outputPadding + dilated kernel - pads.
llvm::Expected<Sizes>
inferTransposeSizes(llvm::ArrayRef<int64_t> inputSpatial,
                    const WindowShape &window, llvm::ArrayRef<int64_t> pads,
                    llvm::ArrayRef<int64_t> outputPadding);

} // namespace inlay

#endif // INLAY_TENSOR_WINDOW_H
