//===- ResizeExpansion.cpp - Resize ---------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One dimension after another: the places that are read and what each counts
// are small tensors, computed of scales that need not be known.
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Term.h"
#include "inlay/IR/ResizeParameters.h"
#include "inlay/Tensor/ResizeGeometry.h"

using namespace inlay;
using namespace mlir;

namespace {
/// A dimension that changes. Coordinates are f32, as in the executor.
struct ResizedAxis {
  int64_t axis, input, output;
  Term scale, width;
};
} // namespace

/// Where the elements of the result are in the input.
static std::optional<Term> getCoordinates(const ResizedAxis &axis,
                                          CoordinateTransformation how,
                                          bool isScaleKnown) {
  using enum CoordinateTransformation;
  Expansion &expansion = axis.scale.getExpansion();
  Type single = inlay::getElementType(Value(axis.scale));
  Term x(expansion,
         expansion.createCast(createCount(expansion, axis.output), single));
  Term halfPixel = (x + 0.5) / axis.scale - 0.5, zero = x * 0.0;
  switch (how) {
  case HalfPixel:
    return halfPixel;
  case PytorchHalfPixel:
    return axis.output > 1 ? halfPixel : zero;
  case Asymmetric:
    return x / axis.scale;
  case AlignCorners:
    return select(axis.width == 1.0, zero,
                  x * double(axis.input - 1) / (axis.width - 1.0));
  case TfHalfPixelForNN:
    // A scale of one copies, which this does not.
    return isScaleKnown ? std::optional((x + 0.5) / axis.scale) : std::nullopt;
  default:
    return std::nullopt;
  }
}

static Term ceil(Term x) { return x.apply<CeilOp>(); }
static Term floor(Term x) { return x.apply<FloorOp>(); }

static Term clampPlace(Term x, const ResizedAxis &axis) {
  return min(max(x, 0.0), double(axis.input - 1));
}

static Value toPlaces(Term x) {
  Expansion &expansion = x.getExpansion();
  return expansion.createCast(
      x, IntegerType::get(expansion.getOperation()->getContext(), 64));
}

/// `at` is f64.
static Term takeNearest(Term input, const ResizedAxis &axis, Term at,
                        NearestMode mode) {
  // How far a tie may have moved in single precision.
  static constexpr double tie = 1e-6;
  Term place = mode == NearestMode::RoundPreferFloor ? ceil(at - 0.5 - tie)
               : mode == NearestMode::RoundPreferCeil
                   ? floor(at + 0.5 + tie)
                   : (mode == NearestMode::Floor ? floor(at) : ceil(at));
  Expansion &expansion = at.getExpansion();
  return {expansion,
          expansion.create<GatherOp>(input, toPlaces(clampPlace(place, axis)),
                                     expansion.getI64(axis.axis))};
}

/// What an element at a distance counts.
static Term getWeights(const ResizeParams &params, Term distance) {
  Term d = abs(distance);
  if (params.mode == ResizeMode::Linear)
    return max(1.0 - d, 0.0);
  double a = params.cubicCoeffA;
  Term near = ((a + 2) * d - (a + 3)) * d * d + 1.0;
  Term far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  return select(d > 1.0, select(d < 2.0, far, d.getNumber(0)), near);
}

/// Sums of the elements around, which are a dimension of their own behind the
/// axis. What counts nothing is not looked at.
static Term interpolate(Term input, const ResizedAxis &axis, Term at,
                        const ResizeParams &params) {
  Expansion &expansion = at.getExpansion();
  bool isCubic = params.mode == ResizeMode::Cubic;
  Type wide = inlay::getElementType(Value(at));
  Term taps(expansion, expansion.createCast(
                           createCount(expansion, isCubic ? 4 : 2), wide));
  Term center(expansion, createUnsqueeze(expansion, at, {1}));
  Term place = floor(center) + (isCubic ? taps - 1.0 : taps);
  Term weight = getWeights(params, place - center);
  if (params.excludeOutside) {
    Term zero = weight.getNumber(0);
    weight = select(place < 0.0, zero,
                    select(place > double(axis.input - 1), zero, weight));
    weight = weight / weight.reduce<ReduceSumOp>({1});
  }
  Term picked(expansion, expansion.create<GatherOp>(
                             input, toPlaces(clampPlace(place, axis)),
                             expansion.getI64(axis.axis)));
  int64_t rank = *getRank(input);
  weight =
      Term(expansion,
           expansion.createCast(weight, inlay::getElementType(Value(input))));
  weight = Term(expansion, createUnsqueeze(expansion, weight,
                                           getRange(2, rank + 1 - axis.axis)));
  Term product = select(weight == 0.0, picked.getNumber(0), picked * weight);
  return {expansion, reduce<ReduceSumOp>(expansion, product, {axis.axis + 1},
                                         /*keepDims=*/false)};
}

/// The dimensions that change, or may; nothing where more than scales is
/// unknown.
static std::optional<SmallVector<ResizedAxis>>
getAxes(ResizeOp op, Expansion &expansion, const ResizeParams &params) {
  MaybeShape from = getStaticShape(op.getInput()),
             to = getStaticShape(op.getResult());
  MaybeInts entries = getEntryDims(op);
  if (!from || !to || !entries || llvm::is_contained(*to, 0) ||
      params.aspectRatio != AspectRatioPolicy::Stretch)
    return std::nullopt;
  Type single = Float32Type::get(op.getContext());
  SmallVector<ResizedAxis> axes;
  for (auto [i, dim] : llvm::enumerate(*entries)) {
    int64_t input = (*from)[dim], output = (*to)[dim];
    auto number = [&](float value) {
      return Term(expansion, expansion.createScalar(single, value));
    };
    if (Value scales = op.getScalesOperand()) {
      Value own = createSlice(expansion, scales, 0, i, i + 1);
      Term scale(expansion, createReshape(expansion, own, {}));
      axes.push_back({dim, input, output, scale, scale * double(input)});
      continue;
    }
    bool hasScale = op.getScales().has_value();
    float scale =
        hasScale ? (*op.getScales())[i] : float(double(output) / input);
    if (input != output || scale != 1)
      axes.push_back({dim, input, output, number(scale),
                      number(hasScale ? float(input) * scale : float(output))});
  }
  return axes;
}

static LogicalResult expandResize(ResizeOp op, Expansion &expansion) {
  auto params = getResizeModes(op);
  if (!params) {
    llvm::consumeError(params.takeError());
    return failure();
  }
  bool isNearest = params->mode == ResizeMode::Nearest;
  if (!expansion.isRequested() || params->antialias ||
      (!isNearest && !isFloatTensor(op.getInput())))
    return failure();
  auto axes = getAxes(op, expansion, *params);
  if (!axes)
    return failure();
  Term value(expansion,
             isNearest ? Value(op.getInput()) : expansion.widen(op.getInput()));
  for (const ResizedAxis &axis : *axes) {
    std::optional<Term> at =
        getCoordinates(axis, params->coordinates, !op.getScalesOperand());
    if (!at)
      return failure();
    Term wide(expansion,
              expansion.createCast(*at, Float64Type::get(op.getContext())));
    value = isNearest ? takeNearest(value, axis, wide, params->nearest)
                      : interpolate(value, axis, wide, *params);
  }
  expansion.set(op.getResult(), value);
  return success();
}

void inlay::registerResizeExpansion(MLIRContext &context) {
  attachExpansion<ResizeOp, expandResize>(context);
}
