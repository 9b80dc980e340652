//===- PoolOps.cpp - Pooling ----------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "Parameters.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Windows.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/PoolOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Pooling over windows
//===----------------------------------------------------------------------===//

/// The shape of the pooled input: unknown extents where the input is not
/// ranked.
template <typename OpT>
static FailureOr<SmallVector<int64_t>>
inferPoolShape(OpT op, TypeInference &inference) {
  size_t numSpatial = op.getKernelShape().size();
  SmallVector<int64_t> shape =
      getShape(op.getInput())
          .value_or(SmallVector<int64_t>(numSpatial + 2, ShapedType::kDynamic));
  if (shape.size() != numSpatial + 2 || numSpatial == 0)
    return inference.error("kernel has " + Twine(numSpatial) +
                           " spatial dimensions, input has rank " +
                           Twine(shape.size()));
  auto sizes = report(
      inference,
      inferWindowSizes(getWindowAttributes(op, op.getKernelShape()),
                       ArrayRef(shape).drop_front(2), op.getCeilMode() != 0));
  if (failed(sizes))
    return failure();
  llvm::copy(*sizes, shape.begin() + 2);
  return shape;
}

/// The first result of a pooling: of the input's element type.
template <typename OpT>
static LogicalResult inferPoolType(OpT op, TypeInference &inference) {
  auto shape = inferPoolShape(op, inference);
  if (failed(shape))
    return failure();
  inference.set(op.getResult(), getElementType(op.getInput()), *shape);
  return success();
}

static AxisMap getPoolAxisMap(Operation *op) {
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  return rank ? getWindowAxisMap(op, getSpatialDims(*rank)) : AxisMap::opaque();
}

//===----------------------------------------------------------------------===//
// MaxPoolOp
//===----------------------------------------------------------------------===//

LogicalResult MaxPoolOp::inferTypes(TypeInference &inference) {
  auto shape = inferPoolShape(*this, inference);
  if (failed(shape))
    return failure();
  inference.set(getResult(), inlay::getElementType(getInput()), *shape);
  inference.set(getIndices(), IntegerType::get(getContext(), 64), *shape);
  return success();
}

AxisMap MaxPoolOp::getAxisMap() {
  // The indices count through the input in its own order: no dimension may
  // move.
  if (!getIndices().use_empty())
    return AxisMap::opaque();
  return getPoolAxisMap(*this);
}

FusionClass MaxPoolOp::getFusionClass() { return FusionClass::Window; }

//===----------------------------------------------------------------------===//
// AveragePoolOp
//===----------------------------------------------------------------------===//

LogicalResult AveragePoolOp::inferTypes(TypeInference &inference) {
  return inferPoolType(*this, inference);
}

AxisMap AveragePoolOp::getAxisMap() { return getPoolAxisMap(*this); }

FusionClass AveragePoolOp::getFusionClass() { return FusionClass::Window; }

//===----------------------------------------------------------------------===//
// LpPoolOp
//===----------------------------------------------------------------------===//

static LogicalResult checkNorm(TypeInference &inference, int64_t p) {
  if (p < 1)
    return inference.error("'p' must be positive, found " + Twine(p));
  return success();
}

LogicalResult LpPoolOp::inferTypes(TypeInference &inference) {
  if (failed(checkNorm(inference, getP())))
    return failure();
  return inferPoolType(*this, inference);
}

AxisMap LpPoolOp::getAxisMap() { return getPoolAxisMap(*this); }

FusionClass LpPoolOp::getFusionClass() { return FusionClass::Window; }

//===----------------------------------------------------------------------===//
// Pooling over everything
//===----------------------------------------------------------------------===//

static LogicalResult inferGlobalPoolType(Operation *op,
                                         TypeInference &inference) {
  Value input = op->getOperand(0);
  if (failed(checkMinRank(inference, "input", input, 2)))
    return failure();
  MaybeShape shape = getShape(input);
  if (shape)
    std::fill(shape->begin() + 2, shape->end(), 1);
  inference.set(op->getResult(0), getElementType(input), shape);
  return success();
}

static AxisMap getGlobalPoolAxisMap(Operation *op) {
  Value input = op->getOperand(0), result = op->getResult(0);
  std::optional<int64_t> rank = getRank(input);
  if (!rank || *rank < 2)
    return AxisMap::opaque();
  AxisMapBuilder map(op);
  TensorAxes from = map.axesOf(input), to = from;
  for (int64_t dim : getSpatialDims(*rank)) {
    map.setKind(from[dim].front(), AxisKind::Reduced);
    to[dim].clear();
  }
  map.bind(input, from);
  map.bind(result, to);
  return map.build();
}

LogicalResult GlobalMaxPoolOp::inferTypes(TypeInference &inference) {
  return inferGlobalPoolType(*this, inference);
}

AxisMap GlobalMaxPoolOp::getAxisMap() { return getGlobalPoolAxisMap(*this); }

FusionClass GlobalMaxPoolOp::getFusionClass() { return FusionClass::Reduce; }

LogicalResult GlobalAveragePoolOp::inferTypes(TypeInference &inference) {
  return inferGlobalPoolType(*this, inference);
}

AxisMap GlobalAveragePoolOp::getAxisMap() {
  return getGlobalPoolAxisMap(*this);
}

FusionClass GlobalAveragePoolOp::getFusionClass() {
  return FusionClass::Reduce;
}

LogicalResult GlobalLpPoolOp::inferTypes(TypeInference &inference) {
  if (failed(checkNorm(inference, getP())))
    return failure();
  return inferGlobalPoolType(*this, inference);
}

AxisMap GlobalLpPoolOp::getAxisMap() { return getGlobalPoolAxisMap(*this); }

FusionClass GlobalLpPoolOp::getFusionClass() { return FusionClass::Reduce; }
