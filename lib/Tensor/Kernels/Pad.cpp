//===- Pad.cpp - Reference Pad --------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each axis is first cropped by its negative pads, then padded. A constant pad
// copies what is left into a tensor of the constant; the other modes take, axis
// by axis, the element each index stands for.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include "inlay/Tensor/Strides.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {
struct AxisPad {
  int64_t begin = 0;
  int64_t end = 0;
  /// What cropping leaves of the axis: [first, first + kept).
  int64_t first = 0;
  int64_t kept = 0;
  int64_t size = 0;
};
} // namespace

static Expected<AxisPad> getAxisPad(int64_t dim, int64_t begin, int64_t end,
                                    PadMode mode) {
  AxisPad pad{begin, end};
  if (begin < -dim || end < -dim || llvm::AddOverflow(dim, begin, pad.size) ||
      llvm::AddOverflow(pad.size, end, pad.size) || pad.size < 0)
    return modelError("pads " + Twine(begin) + " and " + Twine(end) +
                      " do not fit a size of " + Twine(dim));
  pad.first = begin < 0 ? -begin : 0;
  pad.kept = dim - pad.first + std::min<int64_t>(end, 0);
  if (pad.kept < 0)
    return modelError("pads " + Twine(begin) + " and " + Twine(end) +
                      " crop more than a size of " + Twine(dim));
  if (mode != PadMode::Constant && pad.kept == 0 && pad.size > 0)
    return modelError("only a constant can pad an empty axis");
  return pad;
}

static Expected<llvm::SmallVector<AxisPad>> getAxisPads(const HostTensor &x,
                                                        ArrayRef<int64_t> pads,
                                                        ArrayRef<int64_t> axes,
                                                        PadMode mode) {
  size_t count = axes.empty() ? x.getRank() : axes.size();
  if (pads.size() != 2 * count)
    return modelError("pad needs " + Twine(2 * count) + " pads, found " +
                      Twine(pads.size()));
  llvm::SmallVector<int64_t, 8> begins(x.getRank(), 0), ends(x.getRank(), 0);
  llvm::SmallVector<bool, 8> seen(x.getRank(), false);
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = axes.empty() ? int64_t(i) : axes[i];
    if (Error error = checkAxis(axis, x.getRank()))
      return std::move(error);
    if (std::exchange(seen[axis], true))
      return modelError("pad names axis " + Twine(axis) + " twice");
    begins[axis] = pads[i];
    ends[axis] = pads[count + i];
  }
  llvm::SmallVector<AxisPad> result;
  for (int64_t i = 0; i < x.getRank(); ++i) {
    Expected<AxisPad> pad = getAxisPad(x.getDim(i), begins[i], ends[i], mode);
    if (!pad)
      return pad.takeError();
    result.push_back(*pad);
  }
  return result;
}

static Error padConstant(const HostTensor &x, ArrayRef<AxisPad> pads,
                         const HostTensor *value, HostTensor &result) {
  if (value) {
    if (value->getType() != x.getType() || value->getNumElements() != 1)
      return modelError("pad value must be one " + getName(x.getType()) +
                        ", found " + getName(value->getType()) + " of shape " +
                        formatShape(value->getShape()));
    fillWith(result, *value, 0);
  }
  llvm::SmallVector<int64_t, 6> kept;
  Strides from = getRowMajorStrides(x.getShape());
  Strides to = getRowMajorStrides(result.getShape());
  int64_t fromOffset = 0, toOffset = 0;
  for (auto [i, pad] : llvm::enumerate(pads)) {
    if (pad.kept == 0)
      return Error::success();
    kept.push_back(pad.kept);
    fromOffset += pad.first * from[i];
    toOffset += std::max<int64_t>(pad.begin, 0) * to[i];
  }
  copyStrided(kept, x, {fromOffset, from}, result, {toOffset, to});
  return Error::success();
}

static int64_t floorModulo(int64_t value, int64_t modulus) {
  int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

/// The index in [0, kept) that `i`, counted from there, stands for.
static int64_t mapIndex(int64_t i, int64_t kept, PadMode mode) {
  if (mode == PadMode::Edge)
    return std::clamp<int64_t>(i, 0, kept - 1);
  if (mode == PadMode::Wrap)
    return floorModulo(i, kept);
  if (kept == 1)
    return 0;
  int64_t folded = floorModulo(i, 2 * (kept - 1));
  return std::min(folded, 2 * (kept - 1) - folded);
}

Expected<HostTensor> kernels::pad(const HostTensor &x, ArrayRef<int64_t> pads,
                                  ArrayRef<int64_t> axes, PadMode mode,
                                  const HostTensor *value) {
  Expected<llvm::SmallVector<AxisPad>> axisPads =
      getAxisPads(x, pads, axes, mode);
  if (!axisPads)
    return axisPads.takeError();
  HostTensor::Shape shape;
  for (const AxisPad &pad : *axisPads)
    shape.push_back(pad.size);
  Expected<HostTensor> result = HostTensor::allocate(x.getType(), shape);
  if (!result || result->getNumElements() == 0)
    return result;
  if (mode == PadMode::Constant) {
    if (Error error = padConstant(x, *axisPads, value, *result))
      return std::move(error);
    return result;
  }

  HostTensor padded = x;
  for (auto [axis, pad] : llvm::enumerate(*axisPads)) {
    if (pad.begin == 0 && pad.end == 0)
      continue;
    std::vector<int64_t> indices(pad.size);
    for (int64_t i = 0; i < pad.size; ++i)
      indices[i] = pad.first + mapIndex(i - std::max<int64_t>(pad.begin, 0),
                                        pad.kept, mode);
    Expected<HostTensor> next = takeAlongAxis(padded, axis, indices);
    if (!next)
      return next.takeError();
    padded = std::move(*next);
  }
  return padded;
}
