//===- ContributedOps.cpp - Operators of com.microsoft --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContributedOps.h"
#include "Extents.h"
#include "Inference.h"
#include "Parameters.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Windows.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/ContributedOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Scales and zero points
//===----------------------------------------------------------------------===//

/// The element type of what is quantised with `zeroPoint`: that of `like` where
/// it is absent.
static Type getQuantizedType(Value zeroPoint, Value like) {
  return getElementType(zeroPoint ? zeroPoint : like);
}

/// Reports scales and zero points of more than one element.
static LogicalResult
checkSingle(TypeInference &inference,
            ArrayRef<std::pair<StringRef, Value>> parameters) {
  for (auto [name, value] : parameters)
    if (failed(checkOneElement(inference, name, value)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// QLinearAdd and QLinearMul
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult inferBinary(OpT op, TypeInference &inference) {
  auto shape = inference.broadcast({op.getA(), op.getB()});
  if (failed(shape))
    return failure();
  inference.set(op.getResult(), getQuantizedType(op.getYZeroPoint(), op.getA()),
                *shape);
  return checkSingle(inference, {{"a_scale", op.getAScale()},
                                 {"a_zero_point", op.getAZeroPoint()},
                                 {"b_scale", op.getBScale()},
                                 {"b_zero_point", op.getBZeroPoint()},
                                 {"y_scale", op.getYScale()},
                                 {"y_zero_point", op.getYZeroPoint()}});
}

LogicalResult QLinearAddOp::inferTypes(TypeInference &inference) {
  return inferBinary(*this, inference);
}

AxisMap QLinearAddOp::getAxisMap() { return getElementwiseAxisMap(*this); }

FusionClass QLinearAddOp::getFusionClass() { return FusionClass::Elementwise; }

LogicalResult QLinearMulOp::inferTypes(TypeInference &inference) {
  return inferBinary(*this, inference);
}

AxisMap QLinearMulOp::getAxisMap() { return getElementwiseAxisMap(*this); }

FusionClass QLinearMulOp::getFusionClass() { return FusionClass::Elementwise; }

//===----------------------------------------------------------------------===//
// One quantised operand
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult inferUnary(OpT op, TypeInference &inference,
                                const MaybeShape &shape) {
  inference.set(op.getResult(),
                getQuantizedType(op.getYZeroPoint(), op.getInput()), shape);
  return checkSingle(inference, {{"x_scale", op.getXScale()},
                                 {"x_zero_point", op.getXZeroPoint()},
                                 {"y_scale", op.getYScale()},
                                 {"y_zero_point", op.getYZeroPoint()}});
}

LogicalResult QLinearSigmoidOp::inferTypes(TypeInference &inference) {
  return inferUnary(*this, inference, getShape(getInput()));
}

AxisMap QLinearSigmoidOp::getAxisMap() { return getWindowAxisMap(*this, {}); }

FusionClass QLinearSigmoidOp::getFusionClass() {
  return FusionClass::Elementwise;
}

LogicalResult QLinearLeakyReluOp::inferTypes(TypeInference &inference) {
  return inferUnary(*this, inference, getShape(getInput()));
}

AxisMap QLinearLeakyReluOp::getAxisMap() { return getWindowAxisMap(*this, {}); }

FusionClass QLinearLeakyReluOp::getFusionClass() {
  return FusionClass::Elementwise;
}

LogicalResult QLinearSoftmaxOp::inferTypes(TypeInference &inference) {
  MaybeShape shape = getShape(getInput());
  if (shape && failed(inference.getAxis(getAxis(), shape->size())))
    return failure();
  return inferUnary(*this, inference, shape);
}

AxisMap QLinearSoftmaxOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank) : std::nullopt;
  if (!axis)
    return AxisMap::opaque();
  int64_t end = getOpset() < 13 ? *rank : *axis + 1;
  return getWindowAxisMap(*this, llvm::to_vector(llvm::seq(*axis, end)));
}

FusionClass QLinearSoftmaxOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// Quantised pools
//===----------------------------------------------------------------------===//

SmallVector<int64_t> inlay::getPooledDims(int64_t rank, bool channelsLast) {
  SmallVector<int64_t> dims = getSpatialDims(rank);
  if (channelsLast)
    for (int64_t &dim : dims)
      --dim;
  return dims;
}

LogicalResult QLinearAveragePoolOp::inferTypes(TypeInference &inference) {
  size_t numSpatial = getKernelShape().size();
  SmallVector<int64_t> shape =
      getShape(getInput())
          .value_or(SmallVector<int64_t>(numSpatial + 2, ShapedType::kDynamic));
  if (shape.size() != numSpatial + 2 || numSpatial == 0)
    return inference.error("kernel has " + Twine(numSpatial) +
                           " spatial dimensions, input has rank " +
                           Twine(shape.size()));
  auto spatial =
      MutableArrayRef(shape).slice(getChannelsLast() != 0 ? 1 : 2, numSpatial);
  auto sizes = report(
      inference, inferWindowSizes(getWindowAttributes(*this, getKernelShape()),
                                  spatial, getCeilMode() != 0));
  if (failed(sizes))
    return failure();
  llvm::copy(*sizes, spatial.begin());
  return inferUnary(*this, inference, shape);
}

AxisMap QLinearAveragePoolOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  return rank ? getWindowAxisMap(*this,
                                 getPooledDims(*rank, getChannelsLast() != 0))
              : AxisMap::opaque();
}

FusionClass QLinearAveragePoolOp::getFusionClass() {
  return FusionClass::Window;
}

LogicalResult QLinearGlobalAveragePoolOp::inferTypes(TypeInference &inference) {
  MaybeShape shape = getShape(getInput());
  if (failed(checkMinRank(inference, "input", getInput(), 3)))
    return failure();
  if (shape)
    for (int64_t dim : getPooledDims(shape->size(), getChannelsLast() != 0))
      (*shape)[dim] = 1;
  return inferUnary(*this, inference, shape);
}

AxisMap QLinearGlobalAveragePoolOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank || *rank < 3)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes from = map.axesOf(getInput()), to = from;
  for (int64_t dim : getPooledDims(*rank, getChannelsLast() != 0)) {
    map.setKind(from[dim].front(), AxisKind::Reduced);
    to[dim].clear();
  }
  map.bind(getInput(), from);
  map.bind(getResult(), to);
  return map.build();
}

FusionClass QLinearGlobalAveragePoolOp::getFusionClass() {
  return FusionClass::Reduce;
}

//===----------------------------------------------------------------------===//
// QLinearConcat
//===----------------------------------------------------------------------===//

SmallVector<unsigned> QLinearConcatOp::getJoined() {
  SmallVector<unsigned> joined;
  for (unsigned i = 2; i < getNumOperands(); i += 3)
    joined.push_back(i);
  return joined;
}

/// The shape of what is joined, as far as it is known.
static FailureOr<MaybeShape> inferJoinedShape(QLinearConcatOp op,
                                              TypeInference &inference) {
  MaybeShape joined;
  for (unsigned i : op.getJoined()) {
    MaybeShape shape = getShape(op->getOperand(i));
    if (!shape)
      return MaybeShape();
    FailureOr<int64_t> axis = inference.getAxis(op.getAxis(), shape->size());
    if (failed(axis))
      return failure();
    if (!joined) {
      joined = shape;
      continue;
    }
    if (shape->size() != joined->size())
      return inference.error("cannot join ranks " + Twine(joined->size()) +
                             " and " + Twine(shape->size()));
    for (auto [dim, extent] : llvm::enumerate(*shape)) {
      int64_t &own = (*joined)[dim];
      if (int64_t(dim) == *axis)
        own = addExtents(own, extent);
      else if (!areCompatibleExtents(own, extent))
        return inference.error("cannot join extents " + Twine(own) + " and " +
                               Twine(extent) + " of dimension " + Twine(dim));
      else
        own = meetExtents(own, extent);
    }
  }
  return joined;
}

LogicalResult QLinearConcatOp::inferTypes(TypeInference &inference) {
  if (getInputs().empty() || getInputs().size() % 3 != 0)
    return inference.error("expected tensors with their scales and zero "
                           "points, found " +
                           Twine(getInputs().size()) + " operands");
  auto shape = inferJoinedShape(*this, inference);
  if (failed(shape))
    return failure();
  inference.set(getResult(), inlay::getElementType(getYZeroPoint()), *shape);
  for (auto [i, value] : llvm::enumerate(getInputs()))
    if (i % 3 != 0 &&
        failed(checkOneElement(inference, i % 3 == 1 ? "scale" : "zero point",
                               value)))
      return failure();
  return checkSingle(
      inference, {{"y_scale", getYScale()}, {"y_zero_point", getYZeroPoint()}});
}

AxisMap QLinearConcatOp::getAxisMap() {
  MaybeShape shape = getShape(getResult());
  std::optional<int64_t> axis =
      shape ? normalizeAxis(getAxis(), shape->size()) : std::nullopt;
  if (!axis)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes dims = map.axesOf(getResult());
  map.setKind(dims[*axis].front(), AxisKind::Concatenated);
  for (unsigned i : getJoined())
    map.bind(getOperand(i), dims);
  map.bind(getResult(), dims);
  return map.build();
}

FusionClass QLinearConcatOp::getFusionClass() { return FusionClass::Transform; }

//===----------------------------------------------------------------------===//
// QGemm
//===----------------------------------------------------------------------===//

namespace {
/// The extents of a product m x k times k x n.
struct ProductExtents {
  int64_t m = ShapedType::kDynamic, k = ShapedType::kDynamic;
  int64_t inner = ShapedType::kDynamic, n = ShapedType::kDynamic;

  explicit ProductExtents(QGemmOp op) {
    if (MaybeShape a = getShape(op.getA()); a && a->size() == 2)
      std::tie(m, k) = op.getTransA() ? std::pair((*a)[1], (*a)[0])
                                      : std::pair((*a)[0], (*a)[1]);
    if (MaybeShape b = getShape(op.getB()); b && b->size() == 2)
      std::tie(inner, n) = op.getTransB() ? std::pair((*b)[1], (*b)[0])
                                          : std::pair((*b)[0], (*b)[1]);
  }
};
} // namespace

/// Reports a parameter that has neither one element nor one per column.
static LogicalResult checkPerColumn(TypeInference &inference, StringRef name,
                                    Value value, int64_t columns) {
  MaybeShape shape = getShape(value);
  return shape && shape->size() == 1 && shape->front() != 1
             ? checkShape(inference, name, value, {columns})
             : checkOneElement(inference, name, value);
}

LogicalResult QGemmOp::inferTypes(TypeInference &inference) {
  if (failed(checkRank(inference, "a", getA(), 2)) ||
      failed(checkRank(inference, "b", getB(), 2)))
    return failure();
  ProductExtents extents(*this);
  if (!areCompatibleExtents(extents.k, extents.inner))
    return inference.error("a has " + Twine(extents.k) + " columns, b has " +
                           Twine(extents.inner) + " rows");
  if (failed(checkPerColumn(inference, "b_scale", getBScale(), extents.n)) ||
      failed(checkPerColumn(inference, "b_zero_point", getBZeroPoint(),
                            extents.n)))
    return failure();
  Type element = getYScale() ? getQuantizedType(getYZeroPoint(), getA())
                             : Float32Type::get(getContext());
  inference.set(getResult(), element,
                SmallVector<int64_t>{extents.m, extents.n});
  return checkSingle(inference, {{"a_scale", getAScale()},
                                 {"a_zero_point", getAZeroPoint()},
                                 {"y_scale", getYScale()},
                                 {"y_zero_point", getYZeroPoint()}});
}

AxisMap QGemmOp::getAxisMap() {
  if (getRank(getA()) != 2 || getRank(getB()) != 2 || getRank(getResult()) != 2)
    return AxisMap::opaque();
  ProductExtents extents(*this);
  AxisMapBuilder map(*this);
  DimAxes m{map.axis(AxisKind::Parallel, extents.m)};
  DimAxes n{map.axis(AxisKind::Parallel, extents.n)};
  DimAxes k{map.axis(AxisKind::Contracted, extents.k)};
  map.bind(getA(), getTransA() ? TensorAxes{k, m} : TensorAxes{m, k});
  map.bind(getB(), getTransB() ? TensorAxes{n, k} : TensorAxes{k, n});
  TensorAxes product{m, n};
  for (Value perColumn : {getBScale(), getBZeroPoint(), getC()})
    if (perColumn)
      map.bind(perColumn, map.broadcastTo(perColumn, getResult(), product));
  map.bind(getResult(), product);
  return map.build();
}

FusionClass QGemmOp::getFusionClass() { return FusionClass::Contraction; }

//===----------------------------------------------------------------------===//
// FastGelu and BiasGelu
//===----------------------------------------------------------------------===//

/// Reports a vector that does not have one element per index of the last
/// dimension of `input`.
static LogicalResult checkLast(TypeInference &inference, StringRef name,
                               Value vector, Value input) {
  MaybeShape shape = getShape(input);
  if (!vector || !shape)
    return success();
  if (shape->empty())
    return inference.error("a scalar has no last dimension");
  return checkShape(inference, name, vector, {shape->back()});
}

LogicalResult FastGeluOp::inferTypes(TypeInference &inference) {
  if (failed(checkLast(inference, "bias", getBias(), getInput())))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap FastGeluOp::getAxisMap() { return getElementwiseAxisMap(*this); }

FusionClass FastGeluOp::getFusionClass() { return FusionClass::Elementwise; }

LogicalResult BiasGeluOp::inferTypes(TypeInference &inference) {
  if (failed(checkLast(inference, "bias", getBias(), getInput())))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap BiasGeluOp::getAxisMap() { return getElementwiseAxisMap(*this); }

FusionClass BiasGeluOp::getFusionClass() { return FusionClass::Elementwise; }

//===----------------------------------------------------------------------===//
// SkipLayerNormalization
//===----------------------------------------------------------------------===//

LogicalResult SkipLayerNormalizationOp::inferTypes(TypeInference &inference) {
  if (failed(checkBroadcastsTo(inference, "skip", getSkip(), getInput())))
    return failure();
  for (auto [name, vector] : {std::pair<StringRef, Value>("gamma", getGamma()),
                              {"beta", getBeta()},
                              {"bias", getBias()}})
    if (failed(checkLast(inference, name, vector, getInput())))
      return failure();
  MaybeShape outer = getShape(getInput());
  if (outer && (outer->size() < 2 || outer->size() > 3))
    return inference.error("input has rank " + Twine(outer->size()) +
                           ", expected 2 or 3");
  Type element = inlay::getElementType(getInput());
  inference.set(getSum(), element, outer);
  if (outer)
    outer->back() = 1;
  Type statistic = Float32Type::get(getContext());
  inference.set(getMean(), statistic, outer);
  inference.set(getInvStdVar(), statistic, outer);
  return inferSameType(*this, inference);
}

AxisMap SkipLayerNormalizationOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank || *rank < 2)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes dims = map.axesOf(getInput()), outer = dims;
  outer.back().clear();
  map.setKind(dims.back().front(), AxisKind::Window);
  map.bind(getInput(), dims);
  for (Value operand : llvm::drop_begin(getOperands()))
    map.bind(operand, map.broadcastTo(operand, getInput(), dims));
  map.bind(getResult(), dims);
  map.bind(getMean(), outer);
  map.bind(getInvStdVar(), outer);
  map.bind(getSum(), dims);
  return map.build();
}

FusionClass SkipLayerNormalizationOp::getFusionClass() {
  return FusionClass::Opaque;
}
