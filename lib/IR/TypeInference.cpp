//===- TypeInference.cpp - Result types from operands ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/TypeInference.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Reading and making types
//===----------------------------------------------------------------------===//

Type inlay::getElementType(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor ? tensor.getElementType() : Type();
}

Type inlay::getElementType(Value value) {
  return getElementType(value.getType());
}

MaybeShape inlay::getShape(Value value) {
  auto ranked = dyn_cast<RankedTensorType>(value.getType());
  if (!ranked)
    return std::nullopt;
  return SmallVector<int64_t>(ranked.getShape());
}

std::optional<int64_t> inlay::getRank(Value value) {
  auto ranked = dyn_cast<RankedTensorType>(value.getType());
  return ranked ? std::optional<int64_t>(ranked.getRank()) : std::nullopt;
}

Type inlay::getTensorType(MLIRContext *context, Type element,
                          const MaybeShape &shape) {
  if (!element)
    return UnknownType::get(context);
  if (!shape)
    return UnrankedTensorType::get(element);
  return RankedTensorType::get(*shape, element);
}

std::optional<int64_t> inlay::normalizeAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

//===----------------------------------------------------------------------===//
// Meet and join
//===----------------------------------------------------------------------===//

static Type meetRanked(RankedTensorType a, RankedTensorType b) {
  if (a.getRank() != b.getRank())
    return {};
  SmallVector<int64_t> shape(a.getShape());
  for (auto [extent, other] : llvm::zip_equal(shape, b.getShape())) {
    if (ShapedType::isDynamic(extent))
      extent = other;
    else if (!ShapedType::isDynamic(other) && other != extent)
      return {};
  }
  return RankedTensorType::get(shape, a.getElementType(), a.getEncoding());
}

Type inlay::meetTypes(Type a, Type b) {
  if (a == b || isa<UnknownType>(b))
    return a;
  if (isa<UnknownType>(a))
    return b;
  auto tensorA = dyn_cast<TensorType>(a), tensorB = dyn_cast<TensorType>(b);
  if (!tensorA || !tensorB ||
      tensorA.getElementType() != tensorB.getElementType())
    return {};
  auto rankedA = dyn_cast<RankedTensorType>(a);
  auto rankedB = dyn_cast<RankedTensorType>(b);
  if (rankedA && rankedB)
    return meetRanked(rankedA, rankedB);
  return rankedA ? a : b;
}

static Type joinRanked(RankedTensorType a, RankedTensorType b) {
  if (a.getRank() != b.getRank())
    return UnrankedTensorType::get(a.getElementType());
  SmallVector<int64_t> shape(a.getShape());
  for (auto [extent, other] : llvm::zip_equal(shape, b.getShape()))
    if (extent != other)
      extent = ShapedType::kDynamic;
  return RankedTensorType::get(shape, a.getElementType());
}

Type inlay::joinTypes(Type a, Type b) {
  if (a == b)
    return a;
  auto tensorA = dyn_cast<TensorType>(a), tensorB = dyn_cast<TensorType>(b);
  if (!tensorA || !tensorB ||
      tensorA.getElementType() != tensorB.getElementType())
    return UnknownType::get(a.getContext());
  auto rankedA = dyn_cast<RankedTensorType>(a);
  auto rankedB = dyn_cast<RankedTensorType>(b);
  if (rankedA && rankedB)
    return joinRanked(rankedA, rankedB);
  return UnrankedTensorType::get(tensorA.getElementType());
}

//===----------------------------------------------------------------------===//
// TypeInference
//===----------------------------------------------------------------------===//

TypeInference::TypeInference(Operation *op, bool reportErrors)
    : op(op), reportErrors(reportErrors),
      types(op->getNumResults(), UnknownType::get(op->getContext())) {}

LogicalResult TypeInference::error(const llvm::Twine &message) {
  if (reportErrors)
    op->emitOpError(message);
  return failure();
}

void TypeInference::set(Value result, Type type) {
  types[cast<OpResult>(result).getResultNumber()] = type;
}

void TypeInference::set(Value result, Type element, const MaybeShape &shape) {
  set(result, getTensorType(op->getContext(), element, shape));
}

MaybeInts TypeInference::getInts(std::optional<ArrayRef<int64_t>> attribute,
                                 Value operand) const {
  if (attribute)
    return SmallVector<int64_t>(*attribute);
  return operand ? getKnownInts(operand) : std::nullopt;
}

FailureOr<int64_t> TypeInference::getAxis(int64_t axis, int64_t rank) {
  if (std::optional<int64_t> normal = normalizeAxis(axis, rank))
    return *normal;
  return error("axis " + Twine(axis) + " is out of range for rank " +
               Twine(rank));
}

FailureOr<SmallVector<int64_t>> TypeInference::getAxes(ArrayRef<int64_t> axes,
                                                       int64_t rank) {
  SmallVector<int64_t> normal;
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : axes) {
    FailureOr<int64_t> one = getAxis(axis, rank);
    if (failed(one))
      return failure();
    if (seen.test(*one))
      return error("axis " + Twine(axis) + " is given twice");
    seen.set(*one);
    normal.push_back(*one);
  }
  return normal;
}

/// Broadcasts `extent` into `into`; false when they do not fit.
static bool broadcastExtent(int64_t &into, int64_t extent) {
  if (into == extent || extent == 1)
    return true;
  if (into == 1) {
    into = extent;
    return true;
  }
  // An unknown extent against a known one that is not 1 must equal it or be 1.
  if (ShapedType::isDynamic(into)) {
    into = extent;
    return true;
  }
  return ShapedType::isDynamic(extent);
}

FailureOr<MaybeShape> TypeInference::broadcast(ArrayRef<MaybeShape> shapes) {
  SmallVector<int64_t> result;
  bool isKnown = true;
  for (const MaybeShape &shape : shapes) {
    if (!shape) {
      isKnown = false;
      continue;
    }
    SmallVector<int64_t> before = result;
    if (shape->size() > result.size())
      result.insert(result.begin(), shape->size() - result.size(), 1);
    size_t shift = result.size() - shape->size();
    for (auto [i, extent] : llvm::enumerate(*shape))
      if (!broadcastExtent(result[shift + i], extent))
        return error("shapes " + formatShape(before) + " and " +
                     formatShape(*shape) + " do not broadcast");
  }
  return isKnown ? MaybeShape(result) : MaybeShape();
}

FailureOr<MaybeShape> TypeInference::broadcast(ValueRange values) {
  SmallVector<MaybeShape> shapes;
  for (Value value : values)
    shapes.push_back(getShape(value));
  return broadcast(shapes);
}

FailureOr<Type> TypeInference::getSameElementType(ValueRange values) {
  Type element;
  for (Value value : values) {
    Type each = getElementType(value);
    if (!each || each == element)
      continue;
    if (element) {
      std::string message;
      llvm::raw_string_ostream(message)
          << "operands have different element types, " << element << " and "
          << each;
      return error(message);
    }
    element = each;
  }
  return element;
}

//===----------------------------------------------------------------------===//
// Refining and verifying
//===----------------------------------------------------------------------===//

LogicalResult inlay::refineResultTypes(Operation *op, TypeRange declared) {
  auto inferable = dyn_cast<TypeInferenceOpInterface>(op);
  TypeInference inference(op, /*reportErrors=*/true);
  if (inferable && failed(inferable.inferTypes(inference)))
    return failure();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Type known = i < declared.size() ? declared[i] : result.getType();
    // The known type first: inference says nothing about encodings.
    Type type = meetTypes(known, inference.getTypes()[i]);
    if (!type)
      type = joinTypes(inference.getTypes()[i], known);
    if (type != result.getType())
      result.setType(type);
  }
  return success();
}

LogicalResult inlay::verifyInferredTypes(Operation *op) {
  TypeInference inference(op, /*reportErrors=*/true);
  if (failed(cast<TypeInferenceOpInterface>(op).inferTypes(inference)))
    return failure();
  for (auto [result, type] :
       llvm::zip_equal(op->getResults(), inference.getTypes()))
    if (!meetTypes(result.getType(), type))
      return op->emitOpError()
             << "result #" << result.getResultNumber() << " has type "
             << result.getType() << ", inferred " << type;
  return success();
}
