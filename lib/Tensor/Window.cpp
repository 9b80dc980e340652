//===- Window.cpp - Sizes and pads of sliding windows ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Window.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringSwitch.h"

using namespace inlay;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {
// Products of two 63-bit sizes fit, and so does what is added to them here.
using Wide = __int128;

/// No window or pad of a real model is larger. Loops may step over a tensor in
/// strides and dilations without their sums overflowing.
constexpr int64_t maxStep = std::numeric_limits<int32_t>::max();

/// One axis of a window.
struct Axis {
  int64_t kernel;
  int64_t stride;
  int64_t dilation;

  /// From the window's first tap to its last, both included.
  Wide getExtent() const { return Wide(kernel - 1) * dilation + 1; }
};
} // namespace

std::optional<AutoPad> inlay::parseAutoPad(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<AutoPad>>(name)
      .Case("NOTSET", AutoPad::NotSet)
      .Case("VALID", AutoPad::Valid)
      .Case("SAME_UPPER", AutoPad::SameUpper)
      .Case("SAME_LOWER", AutoPad::SameLower)
      .Default(std::nullopt);
}

static Wide floorDivide(Wide numerator, Wide denominator) {
  Wide quotient = numerator / denominator;
  return quotient - (numerator % denominator < 0 ? 1 : 0);
}

static Expected<int64_t> narrow(Wide value, const char *what) {
  if (value < 0 || value > std::numeric_limits<int64_t>::max())
    return modelError(Twine(what) + " is negative or overflows");
  return int64_t(value);
}

static Error checkCount(const char *what, size_t found, size_t wanted) {
  if (found == wanted)
    return Error::success();
  return modelError(Twine(what) + " must have " + Twine(wanted) +
                    " entries, found " + Twine(found));
}

static Error checkPositive(const char *what, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value != unknownDim && (value <= 0 || value > maxStep))
      return modelError(Twine(what) +
                        " must be positive and below 2^31, found " +
                        Twine(value));
  return Error::success();
}

static Error checkPads(const char *what, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value != unknownDim && (value < 0 || value > maxStep))
      return modelError(Twine(what) +
                        " must not be negative and be below 2^31, found " +
                        Twine(value));
  return Error::success();
}

static Error checkSizes(ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value < 0 && value != unknownDim)
      return modelError("size must not be negative, found " + Twine(value));
  return Error::success();
}

static Error checkWindow(const WindowShape &window, size_t rank) {
  if (Error error = checkCount("kernel", window.kernel.size(), rank))
    return error;
  if (!window.strides.empty())
    if (Error error = checkCount("strides", window.strides.size(), rank))
      return error;
  if (!window.dilations.empty())
    if (Error error = checkCount("dilations", window.dilations.size(), rank))
      return error;
  if (Error error = checkPositive("kernel", window.kernel))
    return error;
  if (Error error = checkPositive("stride", window.strides))
    return error;
  return checkPositive("dilation", window.dilations);
}

static Axis getAxis(const WindowShape &window, size_t i) {
  return {window.kernel[i], window.strides.empty() ? 1 : window.strides[i],
          window.dilations.empty() ? 1 : window.dilations[i]};
}

static Expected<Pads> checkExplicitPads(ArrayRef<int64_t> pads, size_t rank) {
  if (pads.empty())
    return Pads(2 * rank, 0);
  if (Error error = checkCount("pads", pads.size(), 2 * rank))
    return std::move(error);
  if (Error error = checkPads("pad", pads))
    return std::move(error);
  return Pads(pads.begin(), pads.end());
}

/// Halves `total`; an odd one is larger at the end for SAME_UPPER, at the begin
/// otherwise.
static void distribute(AutoPad autoPad, int64_t total, int64_t &begin,
                       int64_t &end) {
  int64_t smaller = total / 2;
  begin = autoPad == AutoPad::SameUpper ? smaller : total - smaller;
  end = total - begin;
}

//===----------------------------------------------------------------------===//
// Convolution and pooling
//===----------------------------------------------------------------------===//

Expected<Pads> inlay::resolvePads(AutoPad autoPad,
                                  ArrayRef<int64_t> inputSpatial,
                                  const WindowShape &window,
                                  ArrayRef<int64_t> explicitPads) {
  size_t rank = inputSpatial.size();
  if (Error error = checkWindow(window, rank))
    return std::move(error);
  if (autoPad == AutoPad::NotSet)
    return checkExplicitPads(explicitPads, rank);

  Pads pads(2 * rank, 0);
  if (autoPad == AutoPad::Valid)
    return pads;
  for (size_t i = 0; i < rank; ++i) {
    Axis axis = getAxis(window, i);
    int64_t input = inputSpatial[i];
    if (input == unknownDim || axis.kernel == unknownDim) {
      pads[i] = pads[rank + i] = unknownDim;
      continue;
    }
    if (input < 0)
      return modelError("size must not be negative, found " + Twine(input));
    Wide count = floorDivide(Wide(input) + axis.stride - 1, axis.stride);
    Wide wanted = (count - 1) * axis.stride + axis.getExtent() - input;
    Expected<int64_t> total =
        narrow(count == 0 || wanted < 0 ? 0 : wanted, "padding");
    if (!total)
      return total.takeError();
    distribute(autoPad, *total, pads[i], pads[rank + i]);
  }
  return pads;
}

Expected<int64_t> inlay::getWindowCount(int64_t input, int64_t kernel,
                                        int64_t stride, int64_t dilation,
                                        int64_t padBegin, int64_t padEnd,
                                        bool ceilMode) {
  if (Error error = checkWindow({kernel, stride, dilation}, 1))
    return std::move(error);
  if (Error error = checkPads("pad", {padBegin, padEnd}))
    return std::move(error);
  if (Error error = checkSizes(input))
    return std::move(error);
  if (llvm::is_contained({input, kernel, padBegin, padEnd}, unknownDim))
    return unknownDim;

  Wide extent = Axis{kernel, stride, dilation}.getExtent();
  Wide room = Wide(input) + padBegin + padEnd - extent;
  if (room <= -Wide(stride))
    return modelError("window of extent " +
                      Twine(int64_t(std::min<Wide>(
                          extent, std::numeric_limits<int64_t>::max()))) +
                      " does not fit into a size of " + Twine(input) +
                      " with pads " + Twine(padBegin) + " and " +
                      Twine(padEnd));
  Wide count = floorDivide(room + (ceilMode ? stride - 1 : 0), stride) + 1;
  if (ceilMode && count > 0 && (count - 1) * stride >= Wide(input) + padBegin)
    --count;
  return narrow(count, "number of windows");
}

Expected<Sizes> inlay::inferWindowSizes(ArrayRef<int64_t> inputSpatial,
                                        const WindowShape &window,
                                        ArrayRef<int64_t> pads, bool ceilMode) {
  size_t rank = inputSpatial.size();
  if (Error error = checkWindow(window, rank))
    return std::move(error);
  Expected<Pads> allPads = checkExplicitPads(pads, rank);
  if (!allPads)
    return allPads.takeError();
  Sizes sizes;
  for (size_t i = 0; i < rank; ++i) {
    Axis axis = getAxis(window, i);
    Expected<int64_t> count =
        getWindowCount(inputSpatial[i], axis.kernel, axis.stride, axis.dilation,
                       (*allPads)[i], (*allPads)[rank + i], ceilMode);
    if (!count)
      return count.takeError();
    sizes.push_back(*count);
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

/// What the windows of one axis cover before pads are cut off.
static Wide getCovered(int64_t input, const Axis &axis, int64_t outputPadding) {
  return Wide(axis.stride) * (Wide(input) - 1) + outputPadding +
         axis.getExtent();
}

static Expected<Sizes> checkOutputPadding(ArrayRef<int64_t> outputPadding,
                                          size_t rank) {
  if (outputPadding.empty())
    return Sizes(rank, 0);
  if (Error error = checkCount("output padding", outputPadding.size(), rank))
    return std::move(error);
  if (Error error = checkPads("output padding", outputPadding))
    return std::move(error);
  return Sizes(outputPadding.begin(), outputPadding.end());
}

/// Chooses the pads of axis `i` such that the result has size `given`, or
/// without that one of the input times the stride. Windows that leave gaps do
/// not reach the latter: the result is as long as they are, as ONNX's shape
/// inference has it.
static Error resolveTransposeAxis(AutoPad autoPad, int64_t input,
                                  const Axis &axis,
                                  std::optional<int64_t> given, size_t i,
                                  TransposePads &result) {
  size_t rank = result.outputPadding.size();
  int64_t &begin = result.pads[i], &end = result.pads[rank + i];
  int64_t &extra = result.outputPadding[i];
  if (input == unknownDim || axis.kernel == unknownDim) {
    begin = end = unknownDim;
    return Error::success();
  }
  Wide wanted = given ? Wide(*given) : Wide(input) * axis.stride;
  Wide total = getCovered(input, axis, extra) - wanted;
  Expected<int64_t> missing =
      narrow(given && total < 0 ? extra - total : extra, "output padding");
  Expected<int64_t> cut = narrow(total < 0 ? 0 : total, "padding");
  if (!missing || !cut)
    return llvm::joinErrors(missing.takeError(), cut.takeError());
  extra = *missing;
  distribute(autoPad, *cut, begin, end);
  return Error::success();
}

Expected<TransposePads> inlay::resolveTransposePads(
    AutoPad autoPad, ArrayRef<int64_t> inputSpatial, const WindowShape &window,
    ArrayRef<int64_t> outputPadding, ArrayRef<int64_t> explicitPads,
    ArrayRef<int64_t> outputShape) {
  size_t rank = inputSpatial.size();
  if (Error error = checkWindow(window, rank))
    return std::move(error);
  if (Error error = checkSizes(inputSpatial))
    return std::move(error);
  Expected<Sizes> extra = checkOutputPadding(outputPadding, rank);
  if (!extra)
    return extra.takeError();
  TransposePads result{Pads(2 * rank, 0), std::move(*extra)};

  if (!outputShape.empty()) {
    if (Error error = checkCount("output shape", outputShape.size(), rank))
      return std::move(error);
    if (Error error = checkSizes(outputShape))
      return std::move(error);
  } else if (autoPad == AutoPad::NotSet) {
    Expected<Pads> pads = checkExplicitPads(explicitPads, rank);
    if (!pads)
      return pads.takeError();
    result.pads = std::move(*pads);
    return result;
  } else if (autoPad == AutoPad::Valid) {
    return result;
  }
  for (size_t i = 0; i < rank; ++i) {
    std::optional<int64_t> given;
    if (!outputShape.empty())
      given = outputShape[i];
    if (Error error = resolveTransposeAxis(
            autoPad, inputSpatial[i], getAxis(window, i), given, i, result))
      return std::move(error);
  }
  return result;
}

Expected<Sizes> inlay::inferTransposeSizes(ArrayRef<int64_t> inputSpatial,
                                           const WindowShape &window,
                                           ArrayRef<int64_t> pads,
                                           ArrayRef<int64_t> outputPadding) {
  size_t rank = inputSpatial.size();
  if (Error error = checkWindow(window, rank))
    return std::move(error);
  if (Error error = checkSizes(inputSpatial))
    return std::move(error);
  Expected<Pads> allPads = checkExplicitPads(pads, rank);
  if (!allPads)
    return allPads.takeError();
  Expected<Sizes> extra = checkOutputPadding(outputPadding, rank);
  if (!extra)
    return extra.takeError();
  Sizes sizes;
  for (size_t i = 0; i < rank; ++i) {
    int64_t begin = (*allPads)[i], end = (*allPads)[rank + i];
    Axis axis = getAxis(window, i);
    if (llvm::is_contained({inputSpatial[i], axis.kernel, begin, end},
                           unknownDim)) {
      sizes.push_back(unknownDim);
      continue;
    }
    // No input at all gives no windows, whatever the formula says.
    Wide covered = inputSpatial[i] == 0
                       ? Wide((*extra)[i])
                       : getCovered(inputSpatial[i], axis, (*extra)[i]);
    Expected<int64_t> size =
        narrow(covered - begin - end, "size of a transposed convolution");
    if (!size)
      return size.takeError();
    sizes.push_back(*size);
  }
  return sizes;
}
