//===- Sampling.cpp - Where a resized tensor is read ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"
#include "KernelBuilder.h"
#include "inlay/IR/ResizeParameters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

static bool hasCode(const ResizeParams &params) {
  using enum CoordinateTransformation;
  bool isKnown = params.coordinates != HalfPixelSymmetric &&
                 params.coordinates != TfCropAndResize;
  return isKnown && params.mode != ResizeMode::Cubic && !params.antialias &&
         !params.excludeOutside;
}

std::optional<SmallVector<ResampledDim>> inlay::getResampledDims(ResizeOp op) {
  if (op.getScalesOperand())
    return std::nullopt;
  auto params = getResizeModes(op);
  if (!params) {
    llvm::consumeError(params.takeError());
    return std::nullopt;
  }
  MaybeInts axes = getEntryDims(op);
  if (!axes || !hasCode(*params))
    return std::nullopt;
  params->axes = *axes;
  params->scales = op.getScales().value_or(ArrayRef<float>());
  params->sizes = op.getSizes().value_or(ArrayRef<int64_t>());
  // The result says what they must be.
  SmallVector<int64_t> sizes;
  if (op.getSizesOperand()) {
    if (params->aspectRatio != AspectRatioPolicy::Stretch)
      return std::nullopt;
    for (int64_t axis : *axes)
      sizes.push_back(getExtents(op.getResult())[axis]);
    params->sizes = sizes;
  }
  ArrayRef<int64_t> shape = getExtents(op.getInput());
  auto geometry = inferResize(shape, *params);
  if (!geometry) {
    llvm::consumeError(geometry.takeError());
    return std::nullopt;
  }
  SmallVector<ResampledDim> dims;
  for (int64_t axis : *axes) {
    int64_t input = shape[axis], output = geometry->shape[axis];
    float scale = geometry->scales[axis];
    if (input == output && scale == 1)
      continue;
    float width = params->sizes.empty() ? float(input) * scale : float(output);
    dims.push_back(
        {axis,
         {input, output, scale, width, params->coordinates, params->nearest}});
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Value Sampling::emitCoordinate(KernelBuilder &b, Value index) const {
  Type type = b.getBuilder().getF32Type();
  auto number = [&](float value) { return b.constant(type, value); };
  auto add = [&](Value x, float y) {
    return b.create<arith::AddFOp>(x, number(y));
  };
  auto divide = [&](Value x, float y) {
    return b.create<arith::DivFOp>(x, number(y));
  };
  Value x = b.create<arith::SIToFPOp>(type, index);
  switch (coordinates) {
  case CoordinateTransformation::Asymmetric:
    return divide(x, scale);
  case CoordinateTransformation::AlignCorners:
    if (width == 1)
      return number(0);
    return divide(b.create<arith::MulFOp>(x, number(float(input - 1))),
                  width - 1);
  case CoordinateTransformation::TfHalfPixelForNN:
    return divide(add(x, 0.5f), scale);
  case CoordinateTransformation::PytorchHalfPixel:
    if (output <= 1)
      return number(0);
    [[fallthrough]];
  default:
    return add(divide(add(x, 0.5f), scale), -0.5f);
  }
}

/// As far as ties may have moved in single precision.
Value Sampling::emitNearest(KernelBuilder &b, Value at) const {
  Type type = b.getBuilder().getF64Type();
  Value wide = b.create<arith::ExtFOp>(type, at);
  auto move = [&](double by) {
    return b.create<arith::AddFOp>(wide, b.constant(type, by));
  };
  switch (nearest) {
  case NearestMode::RoundPreferFloor:
    return b.create<math::CeilOp>(
        b.create<arith::SubFOp>(move(-0.5), b.constant(type, 1e-6)));
  case NearestMode::RoundPreferCeil:
    return b.create<math::FloorOp>(
        b.create<arith::AddFOp>(move(0.5), b.constant(type, 1e-6)));
  case NearestMode::Floor:
    return b.create<math::FloorOp>(wide);
  default:
    return b.create<math::CeilOp>(wide);
  }
}

Value Sampling::emitLower(KernelBuilder &b, Value index) const {
  return b.create<arith::FPToSIOp>(
      b.getBuilder().getI64Type(),
      b.create<math::FloorOp>(emitCoordinate(b, index)));
}

Value Sampling::emitPlace(KernelBuilder &b, Value index) const {
  Value at = emitCoordinate(b, index);
  Value place =
      pick == Pick::Nearest ? emitNearest(b, at) : b.create<math::FloorOp>(at);
  place = b.create<arith::FPToSIOp>(b.getBuilder().getI64Type(), place);
  if (pick == Pick::Upper)
    place = b.add(place, b.number(1));
  return b.min(b.max(place, b.number(0)), b.number(input - 1));
}

Value Sampling::emitShare(KernelBuilder &b, Value index) const {
  Value at = emitCoordinate(b, index);
  return b.create<arith::SubFOp>(at, b.create<math::FloorOp>(at));
}

static Value emitTap(KernelBuilder &b, Value element, Value weight) {
  Value none = b.constant(weight.getType(), 0);
  Value isNone =
      b.create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, weight, none);
  return b.create<arith::SelectOp>(isNone, none,
                                   b.create<arith::MulFOp>(element, weight));
}

SmallVector<Value> inlay::emitBetween(KernelBuilder &b, ArrayRef<Value> pairs,
                                      Value share) {
  Value rest = b.create<arith::SubFOp>(b.constant(share.getType(), 1), share);
  SmallVector<Value> sums;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    sums.push_back(b.create<arith::AddFOp>(emitTap(b, pairs[i], rest),
                                           emitTap(b, pairs[i + 1], share)));
  return sums;
}
