//===- KnownInts.cpp - Shapes computed by the graph -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include <algorithm>

using namespace inlay;
using namespace mlir;

/// Elements that a shape, a list of axes and the like may have at the most.
static constexpr int64_t maxElements = 256;

namespace {
/// Follows the computation of small integer tensors. `budget` bounds the
/// operations looked at, whatever the shape of the graph.
class IntegerFollower {
public:
  /// The value as a tensor of int64 (or of its own type, when nothing in it is
  /// unknown), unknown elements being kDynamic; empty when it cannot be
  /// followed.
  HostTensor follow(Value value, unsigned depth);

private:
  HostTensor followShape(ShapeOp op);
  HostTensor followSize(SizeOp op);
  HostTensor followOperation(Operation *op, unsigned index, unsigned depth);

  unsigned budget = 512;
};
} // namespace

static bool hasUnknown(const HostTensor &tensor) {
  return tensor.getType() == ElementType::Int64 &&
         llvm::is_contained(tensor.getData<int64_t>(), ShapedType::kDynamic);
}

/// A tensor of the type's shape of which no element is known.
static HostTensor getUnknownTensor(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.hasStaticShape() ||
      ranked.getNumElements() > maxElements ||
      !ranked.getElementType().isSignlessInteger(64))
    return {};
  HostTensor tensor(ElementType::Int64, ranked.getShape());
  std::ranges::fill(tensor.getMutable<int64_t>(), ShapedType::kDynamic);
  return tensor;
}

HostTensor IntegerFollower::followShape(ShapeOp op) {
  MaybeShape shape = getShape(op.getInput());
  if (!shape)
    return {};
  int64_t rank = shape->size();
  auto clamp = [&](int64_t position) {
    return std::clamp<int64_t>(position < 0 ? position + rank : position, 0,
                               rank);
  };
  int64_t start = clamp(op.getStart());
  int64_t end = op.getEnd() ? clamp(*op.getEnd()) : rank;
  if (end <= start)
    return HostTensor::getInts({});
  return HostTensor::getInts(ArrayRef(*shape).slice(start, end - start));
}

HostTensor IntegerFollower::followSize(SizeOp op) {
  MaybeShape shape = getShape(op.getInput());
  if (!shape || llvm::is_contained(*shape, ShapedType::kDynamic))
    return getUnknownTensor(op.getResult().getType());
  int64_t size = 1;
  for (int64_t extent : *shape)
    size *= extent;
  return HostTensor::getInts({size}).reshaped({});
}

HostTensor IntegerFollower::followOperation(Operation *op, unsigned index,
                                            unsigned depth) {
  auto evaluable = dyn_cast<EvaluateOpInterface>(op);
  auto classified = dyn_cast<FusionOpInterface>(op);
  if (!evaluable || !classified || op->getNumRegions() != 0)
    return {};
  SmallVector<HostTensor> operands;
  bool isDataUnknown = false, isParameterUnknown = false;
  for (OpOperand &operand : op->getOpOperands()) {
    operands.push_back(follow(operand.get(), depth + 1));
    if (!operands.back())
      return getUnknownTensor(op->getResult(index).getType());
    bool isData = operand.getOperandNumber() == 0 || isa<ConcatOp>(op);
    (isData ? isDataUnknown : isParameterUnknown) |=
        hasUnknown(operands.back());
  }
  // What only moves elements moves unknown ones too, if it knows where.
  FusionClass own = classified.getFusionClass();
  bool moves = own == FusionClass::Transform || own == FusionClass::View ||
               isa<GatherOp>(op);
  if (isParameterUnknown || (isDataUnknown && !moves))
    return getUnknownTensor(op->getResult(index).getType());
  Evaluation evaluation(op, operands);
  if (llvm::Error error = evaluable.evaluate(evaluation)) {
    llvm::consumeError(std::move(error));
    return {};
  }
  HostTensor result = evaluation.getResults()[index];
  return result && result.getNumElements() <= maxElements ? result
                                                          : HostTensor();
}

HostTensor IntegerFollower::follow(Value value, unsigned depth) {
  if (depth > 24 || budget == 0)
    return {};
  --budget;
  if (Attribute constant = getConstantValue(value)) {
    if (getByteSize(constant) > maxElements * 8)
      return {};
    auto tensor = getHostTensor(constant);
    if (!tensor) {
      llvm::consumeError(tensor.takeError());
      return {};
    }
    return *tensor;
  }
  Operation *op = value.getDefiningOp();
  if (auto shape = dyn_cast_or_null<ShapeOp>(op))
    return followShape(shape);
  if (auto size = dyn_cast_or_null<SizeOp>(op))
    return followSize(size);
  // Only small integer results are worth a look at what computes them.
  auto type = dyn_cast<TensorType>(value.getType());
  if (!op || !type || !type.getElementType().isInteger())
    return getUnknownTensor(value.getType());
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    if (ranked.getRank() > 2 ||
        (ranked.hasStaticShape() && ranked.getNumElements() > maxElements))
      return {};
  return followOperation(op, cast<OpResult>(value).getResultNumber(), depth);
}

MaybeInts inlay::getKnownInts(Value value) {
  HostTensor tensor = IntegerFollower().follow(value, 0);
  if (!tensor || !isInteger(tensor.getType()))
    return std::nullopt;
  return tensor.getInts();
}
