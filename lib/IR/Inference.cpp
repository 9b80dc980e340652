//===- Inference.cpp - Type inference shared by operators -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/Evaluation.h"

using namespace mlir;

namespace inlay {

LogicalResult inferSameType(Operation *op, TypeInference &inference) {
  Value operand = op->getOperand(0);
  inference.set(op->getResult(0), getElementType(operand), getShape(operand));
  return success();
}

LogicalResult inferSameShape(Operation *op, TypeInference &inference,
                             ElementType element) {
  inference.set(op->getResult(0), getMlirElementType(op->getContext(), element),
                getShape(op->getOperand(0)));
  return success();
}

static LogicalResult inferBroadcastType(Operation *op, TypeInference &inference,
                                        std::optional<ElementType> element) {
  FailureOr<Type> common = inference.getSameElementType(op->getOperands());
  if (failed(common))
    return failure();
  FailureOr<MaybeShape> shape = inference.broadcast(op->getOperands());
  if (failed(shape))
    return failure();
  if (element)
    common = getMlirElementType(op->getContext(), *element);
  inference.set(op->getResult(0), *common, *shape);
  return success();
}

LogicalResult inferBroadcastType(Operation *op, TypeInference &inference) {
  return inferBroadcastType(op, inference, std::optional<ElementType>());
}

LogicalResult inferBroadcastType(Operation *op, TypeInference &inference,
                                 ElementType element) {
  return inferBroadcastType(op, inference, std::optional(element));
}

LogicalResult checkGivenOnce(TypeInference &inference, StringRef parameter,
                             bool attribute, Value operand) {
  if (attribute && operand)
    return inference.error("'" + parameter +
                           "' is given both as an attribute and as an operand");
  return success();
}

LogicalResult checkRequired(TypeInference &inference, StringRef parameter,
                            bool attribute, Value operand) {
  if (!attribute && !operand)
    return inference.error("'" + parameter +
                           "' must be given as an attribute or as an operand");
  return checkGivenOnce(inference, parameter, attribute, operand);
}

LogicalResult checkRank(TypeInference &inference, StringRef name, Value value,
                        int64_t rank) {
  std::optional<int64_t> actual = value ? getRank(value) : std::nullopt;
  if (!actual || *actual == rank)
    return success();
  return inference.error(name + " must have rank " + Twine(rank) +
                         " but has rank " + Twine(*actual));
}

LogicalResult checkMinRank(TypeInference &inference, StringRef name,
                           Value value, int64_t rank) {
  std::optional<int64_t> actual = value ? getRank(value) : std::nullopt;
  if (!actual || *actual >= rank)
    return success();
  return inference.error(name + " must have at least rank " + Twine(rank) +
                         " but has rank " + Twine(*actual));
}

LogicalResult checkShape(TypeInference &inference, StringRef name, Value value,
                         ArrayRef<int64_t> shape) {
  MaybeShape actual = value ? getShape(value) : std::nullopt;
  if (!actual)
    return success();
  if (actual->size() == shape.size() &&
      llvm::all_of_zip(*actual, shape, areCompatibleExtents))
    return success();
  return inference.error(name + " must have shape " + formatExtents(shape) +
                         " but has shape " + formatExtents(*actual));
}

LogicalResult checkOneElement(TypeInference &inference, StringRef name,
                              Value value) {
  MaybeShape shape = value ? getShape(value) : std::nullopt;
  if (!shape || llvm::all_of(*shape, [](int64_t extent) {
        return areCompatibleExtents(extent, 1);
      }))
    return success();
  return inference.error(name + " must have one element but has shape " +
                         formatExtents(*shape));
}

LogicalResult checkBroadcastsTo(TypeInference &inference, StringRef name,
                                Value value, Value target) {
  MaybeShape from = value ? getShape(value) : std::nullopt;
  MaybeShape to = getShape(target);
  if (!from || !to || mayBroadcastTo(*from, *to))
    return success();
  return inference.error(name + " of shape " + formatExtents(*from) +
                         " does not broadcast to shape " + formatExtents(*to));
}

FailureOr<ElementType> checkElementType(TypeInference &inference,
                                        StringRef attribute, int64_t code) {
  std::optional<ElementType> type = getElementType(code);
  if (type && *type != ElementType::Undefined)
    return *type;
  return inference.error("'" + attribute +
                         "' must be the number of an element type but is " +
                         Twine(code));
}

bool mayBroadcastTo(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (from.size() > to.size())
    return false;
  return llvm::all_of_zip(from, to.take_back(from.size()),
                          [](int64_t a, int64_t b) {
                            return a == 1 || areCompatibleExtents(a, b);
                          });
}

std::string formatExtents(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << '?';
        else
          os << extent;
      },
      "x");
  return text;
}

} // namespace inlay
