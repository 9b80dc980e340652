//===- GridSampling.cpp - Elements between those of a tensor --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridSampling.h"
#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace inlay;
using namespace mlir;

std::optional<GridSampling> GridSampling::get(GridSampleOp op) {
  auto mode = parseGridSampleMode(op.getMode());
  auto padding = parseGridSamplePadding(op.getPaddingMode());
  Value x = op.getX(), grid = op.getGrid();
  if (!mode || !padding || !hasCodeType(x) || !hasCodeType(grid) ||
      !isa<FloatType>(getElementTypeOrSelf(x.getType())) ||
      !isa<FloatType>(getElementTypeOrSelf(grid.getType())))
    return std::nullopt;
  ArrayRef<int64_t> sizes = getExtents(x).drop_front(2);
  bool isKnown = sizes.size() == 2 ||
                 (sizes.size() == 3 && *mode != GridSampleMode::Cubic);
  if (!isKnown || llvm::is_contained(getExtents(x), 0) ||
      getExtents(grid).back() != int64_t(sizes.size()))
    return std::nullopt;
  GridSampling sampling;
  sampling.sizes.assign(sizes.begin(), sizes.end());
  sampling.mode = *mode;
  sampling.padding = *padding;
  sampling.alignCorners = op.getAlignCorners() != 0;
  return sampling;
}

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

/// Code for one dimension of the tensor.
class GridSampling::Axis {
public:
  Axis(KernelBuilder &builder, const GridSampling &all, int64_t size)
      : b(builder), all(all), size(size), low(all.alignCorners ? 0 : -0.5),
        high(double(size) - (all.alignCorners ? 1 : 0.5)) {}

  SmallVector<Tap> getTaps(Value coordinate);

private:
  Value number(double value) {
    return b.constant(b.getBuilder().getF64Type(), value);
  }
  Value add(Value x, Value y) { return b.create<arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return b.create<arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) { return b.create<arith::MulFOp>(x, y); }
  Value select(Value condition, Value x, Value y) {
    return b.create<arith::SelectOp>(condition, x, y);
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return b.create<arith::CmpFOp>(predicate, x, y);
  }
  Value clamp(Value x, double least, double most);

  Value denormalize(Value coordinate);
  Value reflect(Value at);
  Value confine(Value at);
  Value reflectPlace(Value place);
  Tap getTap(Value place, Value weight);
  Value getCubicWeight(Value distance, bool isNear);

  KernelBuilder &b;
  const GridSampling &all;
  int64_t size;
  /// The bounds of the tensor: centres or edges of its outer elements.
  double low, high;
};

/// From [-1, 1] to elements.
Value GridSampling::Axis::denormalize(Value coordinate) {
  Type single = b.getBuilder().getF32Type(), wide = b.getBuilder().getF64Type();
  if (coordinate.getType() == wide)
    coordinate = b.create<arith::TruncFOp>(single, coordinate);
  auto constant = [&](double value) { return b.constant(single, value); };
  Value moved = add(coordinate, constant(1)), two = constant(2), at;
  // The size itself is rounded to f32, and so is one less.
  float extent = size;
  if (all.alignCorners)
    at = mul(b.create<arith::DivFOp>(moved, two), constant(extent - 1));
  else
    at = b.create<arith::DivFOp>(sub(mul(moved, constant(extent)), constant(1)),
                                 two);
  return b.create<arith::ExtFOp>(wide, at);
}

/// `x` is a number.
Value GridSampling::Axis::clamp(Value x, double least, double most) {
  Value raised = select(compare(arith::CmpFPredicate::OLT, x, number(least)),
                        number(least), x);
  return select(compare(arith::CmpFPredicate::OGT, raised, number(most)),
                number(most), raised);
}

/// Mirrored at the bounds until it is between them; what is not finite is at
/// the lower one.
Value GridSampling::Axis::reflect(Value at) {
  double range = high - low;
  if (range <= 0)
    return number(low);
  Value distance = b.create<math::AbsFOp>(sub(at, number(low)));
  Value folded = b.create<arith::RemFOp>(distance, number(2 * range));
  Value other = sub(number(2 * range), folded);
  Value nearer =
      select(compare(arith::CmpFPredicate::OLT, other, folded), other, folded);
  Value isFinite =
      compare(arith::CmpFPredicate::OLT, b.create<math::AbsFOp>(at),
              number(std::numeric_limits<double>::infinity()));
  return select(isFinite, add(number(low), nearer), number(low));
}

/// Moves a coordinate to where taps around it are integers.
Value GridSampling::Axis::confine(Value at) {
  // No kernel reaches further than two elements.
  constexpr double farAway = 4;
  Value isNan = compare(arith::CmpFPredicate::UNO, at, at);
  Value near = select(isNan, number(-farAway),
                      clamp(at, -farAway, double(size) + farAway));
  Value isInside = b.create<arith::AndIOp>(
      compare(arith::CmpFPredicate::OGE, at, number(low)),
      compare(arith::CmpFPredicate::OLE, at, number(high)));
  if (all.padding == GridSamplePadding::Reflection)
    return select(isInside, near, reflect(at));
  // A cubic's taps may reach inside from outside.
  if (all.padding == GridSamplePadding::Zeros ||
      all.mode == GridSampleMode::Cubic)
    return near;
  Value border = select(isNan, number(0), clamp(at, 0, double(size - 1)));
  return select(isInside, near, border);
}

/// The same as `reflect`, in integers: twice of everything, so that there are
/// no halves.
Value GridSampling::Axis::reflectPlace(Value place) {
  int64_t first = all.alignCorners ? 0 : -1;
  int64_t period = 4 * (all.alignCorners ? size - 1 : size);
  if (period == 0)
    return b.number(0);
  Value twice = b.sub(b.mul(place, 2), b.number(first));
  Value distance = b.max(twice, b.sub(b.number(0), twice));
  Value folded = b.create<arith::RemUIOp>(distance, b.number(period));
  Value nearer = b.min(folded, b.sub(b.number(period), folded));
  return b.create<arith::ShRSIOp>(b.add(nearer, b.number(first)), b.number(1));
}

GridSampling::Tap GridSampling::Axis::getTap(Value place, Value weight) {
  Value border = b.min(b.max(place, b.number(0)), b.number(size - 1));
  if (all.padding == GridSamplePadding::Border)
    return {border, weight, {}};
  Value isInside =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, place, b.number(size));
  if (all.padding == GridSamplePadding::Zeros)
    return {border, weight, isInside};
  Value other =
      b.min(b.max(reflectPlace(place), b.number(0)), b.number(size - 1));
  return {select(isInside, place, other), weight, {}};
}

/// Of elements that are up to one away, or farther.
Value GridSampling::Axis::getCubicWeight(Value distance, bool isNear) {
  constexpr double a = -0.75;
  Value d = b.create<math::AbsFOp>(distance);
  if (isNear) {
    Value inner = sub(mul(number(a + 2), d), number(a + 3));
    return add(mul(mul(inner, d), d), number(1));
  }
  Value inner =
      add(mul(sub(mul(number(a), d), number(5 * a)), d), number(8 * a));
  return sub(mul(inner, d), number(4 * a));
}

SmallVector<GridSampling::Tap> GridSampling::Axis::getTaps(Value coordinate) {
  Value at = denormalize(coordinate);
  if (all.mode == GridSampleMode::Nearest)
    at = b.create<math::RoundEvenOp>(at);
  at = confine(at);
  Type places = b.getBuilder().getI64Type();
  if (all.mode == GridSampleMode::Nearest)
    return {getTap(b.create<arith::FPToSIOp>(places, at), number(1))};
  Value left = b.create<math::FloorOp>(at);
  Value place = b.create<arith::FPToSIOp>(places, left);
  Value next = b.add(place, b.number(1));
  if (all.mode == GridSampleMode::Linear)
    return {getTap(place, sub(add(left, number(1)), at)),
            getTap(next, sub(at, left))};
  SmallVector<Tap> taps;
  for (int i = -1; i <= 2; ++i) {
    Value distance = sub(sub(at, left), number(i));
    taps.push_back(getTap(b.add(place, b.number(i)),
                          getCubicWeight(distance, i == 0 || i == 1)));
  }
  return taps;
}

//===----------------------------------------------------------------------===//
// All dimensions
//===----------------------------------------------------------------------===//

Value GridSampling::emit(KernelBuilder &b, ArrayRef<Value> coordinates,
                         llvm::function_ref<Value(Value)> load) const {
  Type wide = b.getBuilder().getF64Type();
  SmallVector<Tap> taps = {{b.number(0), b.constant(wide, 1), {}}};
  for (auto [size, coordinate] :
       llvm::zip_equal(sizes, llvm::reverse(coordinates))) {
    SmallVector<Tap> along = Axis(b, *this, size).getTaps(coordinate), next;
    for (const Tap &outer : taps)
      for (const Tap &inner : along) {
        Value exists = outer.exists && inner.exists
                           ? b.create<arith::AndIOp>(outer.exists, inner.exists)
                           : inner.exists;
        next.push_back({b.add(b.mul(outer.place, size), inner.place),
                        b.create<arith::MulFOp>(outer.weight, inner.weight),
                        exists});
      }
    taps = std::move(next);
  }
  Value sum = b.constant(wide, 0);
  for (const Tap &tap : taps) {
    Value element = load(tap.place);
    if (element.getType() != wide)
      element = b.create<arith::ExtFOp>(wide, element);
    Value more = b.create<arith::AddFOp>(
        sum, b.create<arith::MulFOp>(tap.weight, element));
    sum = tap.exists ? b.create<arith::SelectOp>(tap.exists, more, sum) : more;
  }
  return sum;
}
