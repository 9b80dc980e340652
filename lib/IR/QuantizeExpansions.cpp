//===- QuantizeExpansions.cpp - Quantisation ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Term.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

namespace {
/// Brings a tensor and its scales together.
class Granularity {
public:
  /// Nothing where it depends on extents that are unknown.
  template <typename OpT>
  static std::optional<Granularity> get(OpT op, Expansion &expansion);

  /// The tensor in the shape that scales broadcast to.
  Value split(Value input) const {
    return blocked.empty() ? input : createReshape(*expansion, input, blocked);
  }
  /// The reverse.
  Value join(Value value) const {
    return blocked.empty() ? value : createReshape(*expansion, value, whole);
  }
  /// Scales or zero points as they broadcast.
  Value align(Value scales) const;

private:
  enum class Kind : uint8_t { Tensor, Axis, Block };

  Expansion *expansion = nullptr;
  Kind kind = Kind::Tensor;
  int64_t axis = 0;
  int64_t rank = 0;
  /// With blocks: the shape, and that with the axis in blocks.
  SmallVector<int64_t> whole, blocked;
};
} // namespace

template <typename OpT>
std::optional<Granularity> Granularity::get(OpT op, Expansion &expansion) {
  MaybeShape scale = getStaticShape(op.getScale());
  if (!scale)
    return std::nullopt;
  Granularity result;
  result.expansion = &expansion;
  int64_t blockSize = op.getBlockSize();
  if (blockSize == 0 &&
      llvm::all_of(*scale, [](int64_t extent) { return extent == 1; }))
    return result;
  MaybeShape shape = getShape(op.getInput());
  std::optional<int64_t> axis =
      shape ? normalizeAxis(op.getAxis(), shape->size()) : std::nullopt;
  if (!axis)
    return std::nullopt;
  result.axis = *axis;
  result.rank = shape->size();
  result.kind = blockSize == 0 ? Kind::Axis : Kind::Block;
  if (blockSize == 0)
    return result;
  // A last block that is shorter is none of a shape.
  if (!getStaticShape(op.getInput()) || llvm::is_contained(*shape, 0) ||
      (*shape)[*axis] % blockSize != 0)
    return std::nullopt;
  result.whole = *shape;
  result.blocked = *shape;
  result.blocked[*axis] = blockSize;
  result.blocked.insert(result.blocked.begin() + *axis,
                        (*shape)[*axis] / blockSize);
  return result;
}

Value Granularity::align(Value scales) const {
  switch (kind) {
  case Kind::Tensor:
    return getRank(scales) == 0 ? scales
                                : createReshape(*expansion, scales, {});
  case Kind::Axis:
    return alignToAxis(*expansion, scales, axis, rank);
  case Kind::Block:
    return createUnsqueeze(*expansion, scales, {axis + 1});
  }
  return {};
}

//===----------------------------------------------------------------------===//
// QuantizeLinear
//===----------------------------------------------------------------------===//

/// The type of the division: `precision`, or that of the scale.
static Type getDivisionType(QuantizeLinearOp op) {
  std::optional<ElementType> named =
      inlay::getElementType(int64_t(op.getPrecision()));
  bool isNamed = named && *named != ElementType::Undefined;
  return isNamed ? getMlirElementType(op.getContext(), *named)
                 : inlay::getElementType(op.getScale());
}

/// The values of an integer type, as floats.
static std::pair<double, double> getLimits(ElementType type) {
  int bits = getBitWidth(type);
  if (isSignedInteger(type))
    return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
  return {0.0, std::ldexp(1.0, bits) - 1};
}

// saturate(round(x / scale) + zero point)
static LogicalResult expandQuantizeLinear(QuantizeLinearOp op,
                                          Expansion &expansion) {
  auto granularity = Granularity::get(op, expansion);
  std::optional<ElementType> type =
      getOnnxElementType(inlay::getElementType(op.getResult()));
  if (!granularity || !type)
    return failure();
  Type division = getDivisionType(op);
  auto cast = [&](Value value, Type element) {
    return Term(expansion, expansion.createCast(value, element));
  };
  // Runtimes reshape fewer types than they convert: types come first.
  auto align = [&](Value scales, Type element) {
    return Term(expansion, granularity->align(cast(scales, element)));
  };
  Term x = cast(op.getInput(), division);
  Term quotient =
      Term(expansion, granularity->split(x)) / align(op.getScale(), division);
  // Sixteen bits are exact in no half precision.
  Type wide = expansion.getComputeType(Value(quotient));
  Term y = cast(quotient, wide);
  if (isInteger(*type))
    y = round(y);
  if (op.getZeroPoint())
    y = y + align(op.getZeroPoint(), wide);
  if (isInteger(*type)) {
    auto [low, high] = getLimits(*type);
    y = min(max(y, low), high);
  }
  Value result = expansion.create<CastOp>(granularity->join(y),
                                          expansion.getI64(int64_t(*type)),
                                          op.getSaturateAttr(), StringAttr());
  expansion.set(op.getResult(), result);
  return success();
}

//===----------------------------------------------------------------------===//
// DequantizeLinear
//===----------------------------------------------------------------------===//

// (x - zero point) * scale
static LogicalResult expandDequantizeLinear(DequantizeLinearOp op,
                                            Expansion &expansion) {
  auto granularity = Granularity::get(op, expansion);
  if (!granularity)
    return failure();
  Type wide = expansion.getComputeType(op.getScale());
  auto align = [&](Value scales) {
    return Term(expansion,
                granularity->align(expansion.createCast(scales, wide)));
  };
  Term x(expansion,
         granularity->split(expansion.createCast(op.getInput(), wide)));
  if (op.getZeroPoint())
    x = x - align(op.getZeroPoint());
  Term y = x * align(op.getScale());
  expansion.set(op.getResult(), granularity->join(y));
  return success();
}

//===----------------------------------------------------------------------===//
// DynamicQuantizeLinear
//===----------------------------------------------------------------------===//

// The range of x and 0 in 255 steps.
static LogicalResult expandDynamicQuantizeLinear(DynamicQuantizeLinearOp op,
                                                 Expansion &expansion) {
  if (!inlay::getElementType(op.getInput()).isF32())
    return failure();
  Value x = op.getInput();
  Term low(expansion, reduceAll<ReduceMinOp>(expansion, x));
  Term high(expansion, reduceAll<ReduceMaxOp>(expansion, x));
  low = min(low, 0.0);
  high = max(high, 0.0);
  Term scale = select(high == low, high.getNumber(1), (high - low) / 255.0);
  Term zero = max(min(round(-low / scale), 255.0), 0.0);
  Type byte = getMlirElementType(op.getContext(), ElementType::UInt8);
  Value zeroPoint = expansion.createCast(zero, byte);
  expansion.set(op.getResult(), expansion.create<QuantizeLinearOp>(
                                    x, scale, zeroPoint, IntegerAttr()));
  expansion.set(op.getScale(), scale);
  expansion.set(op.getZeroPoint(), zeroPoint);
  return success();
}

void inlay::registerQuantizeExpansions(MLIRContext &context) {
  attachExpansion<QuantizeLinearOp, expandQuantizeLinear>(context);
  attachExpansion<DequantizeLinearOp, expandDequantizeLinear>(context);
  attachExpansion<DynamicQuantizeLinearOp, expandDynamicQuantizeLinear,
                  FusionClass::Reduce>(context);
}
