//===- CreationOps.cpp - Shapes as values, values from shapes -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "Parameters.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

/// A result whose dimensions all come from the operation itself.
static AxisMap getCreatedAxisMap(Operation *op) {
  Value result = op->getResult(0);
  if (!getRank(result))
    return AxisMap::opaque();
  AxisMapBuilder map(op);
  map.bind(result, map.axesOf(result, AxisKind::Created));
  return map.build();
}

//===----------------------------------------------------------------------===//
// ShapeOp
//===----------------------------------------------------------------------===//

/// The dimensions from `start` to `end`, both clamped to the rank.
std::pair<int64_t, int64_t> ShapeOp::getRange(int64_t rank) {
  auto clamp = [&](int64_t position) {
    return std::clamp<int64_t>(position < 0 ? position + rank : position, 0,
                               rank);
  };
  int64_t start = clamp(getStart());
  int64_t end = clamp(getEnd().value_or(rank));
  return {start, std::max(start, end)};
}

std::pair<int64_t, int64_t> ShapeOp::getRange() {
  return getRange(*getRank(getInput()));
}

LogicalResult ShapeOp::inferTypes(TypeInference &inference) {
  int64_t length = ShapedType::kDynamic;
  if (std::optional<int64_t> rank = getRank(getInput())) {
    auto [start, end] = getRange(*rank);
    length = end - start;
  }
  inference.set(getResult(), IntegerType::get(getContext(), 64),
                Extents{length});
  return success();
}

/// The extents come in the order of the dimensions: none may move.
AxisMap ShapeOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass ShapeOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// SizeOp
//===----------------------------------------------------------------------===//

LogicalResult SizeOp::inferTypes(TypeInference &inference) {
  inference.set(getResult(), IntegerType::get(getContext(), 64), Extents());
  return success();
}

AxisMap SizeOp::getAxisMap() {
  if (!getRank(getInput()))
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  map.bind(getInput(), map.axesOf(getInput(), AxisKind::Reduced));
  map.bind(getResult(), {});
  return map.build();
}

FusionClass SizeOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// RangeOp
//===----------------------------------------------------------------------===//

/// The only element of an integer tensor, if it is known.
static std::optional<int64_t> getKnownInt(Value value) {
  MaybeInts ints = getKnownInts(value);
  if (!ints || ints->size() != 1 || isUnknown(ints->front()))
    return std::nullopt;
  return ints->front();
}

/// The number of steps from `start` to below `limit`; unknown if it overflows.
static int64_t countSteps(int64_t start, int64_t limit, int64_t delta) {
  // Differences of 64-bit numbers need 65 bits.
  using Wide = __int128;
  Wide span = delta > 0 ? Wide(limit) - start : Wide(start) - limit;
  Wide step = delta > 0 ? Wide(delta) : -Wide(delta);
  Wide count = span > 0 ? (span + step - 1) / step : 0;
  return count <= std::numeric_limits<int64_t>::max() ? int64_t(count)
                                                      : ShapedType::kDynamic;
}

LogicalResult RangeOp::inferTypes(TypeInference &inference) {
  auto element = inference.getSameElementType(getOperands());
  if (failed(element) ||
      failed(checkOneElement(inference, "start", getStart())) ||
      failed(checkOneElement(inference, "limit", getLimit())) ||
      failed(checkOneElement(inference, "delta", getDelta())))
    return failure();
  auto start = getKnownInt(getStart()), limit = getKnownInt(getLimit()),
       delta = getKnownInt(getDelta());
  if (delta == 0)
    return inference.error("'delta' must not be 0");
  int64_t length = start && limit && delta ? countSteps(*start, *limit, *delta)
                                           : ShapedType::kDynamic;
  inference.set(getResult(), *element, Extents{length});
  return success();
}

AxisMap RangeOp::getAxisMap() { return getCreatedAxisMap(*this); }

FusionClass RangeOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// ConstantOfShapeOp
//===----------------------------------------------------------------------===//

LogicalResult ConstantOfShapeOp::inferTypes(TypeInference &inference) {
  if (failed(checkRequired(inference, "shape", getShape().has_value(),
                           getShapeOperand())))
    return failure();
  Type element = Float32Type::get(getContext());
  if (std::optional<TypedAttr> value = getValue()) {
    auto type = dyn_cast<RankedTensorType>(value->getType());
    if (!type || !type.hasStaticShape() || type.getNumElements() != 1)
      return inference.error("'value' must be a tensor of one element");
    element = type.getElementType();
  }
  MaybeInts shape = getEntries(inference, getShape(), getShapeOperand());
  if (shape && failed(checkNotNegative(inference, "shape", *shape)))
    return failure();
  inference.set(getResult(), element, shape);
  return success();
}

AxisMap ConstantOfShapeOp::getAxisMap() { return getCreatedAxisMap(*this); }

FusionClass ConstantOfShapeOp::getFusionClass() {
  return FusionClass::Broadcast;
}

//===----------------------------------------------------------------------===//
// EyeLikeOp
//===----------------------------------------------------------------------===//

LogicalResult EyeLikeOp::inferTypes(TypeInference &inference) {
  if (failed(checkRank(inference, "input", getInput(), 2)))
    return failure();
  Type element = inlay::getElementType(getInput());
  if (getDtype()) {
    auto type = checkElementType(inference, "dtype", *getDtype());
    if (failed(type))
      return failure();
    element = getMlirElementType(getContext(), *type);
  }
  inference.set(
      getResult(), element,
      getShape(getInput()).value_or(Extents(2, ShapedType::kDynamic)));
  return success();
}

/// Which diagonal is meant depends on the order of the dimensions.
AxisMap EyeLikeOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass EyeLikeOp::getFusionClass() { return FusionClass::Opaque; }
