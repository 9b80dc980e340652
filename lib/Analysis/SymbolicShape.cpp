//===- SymbolicShape.cpp - Extents that are equal for certain -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/SymbolicShape.h"
#include "inlay/IR/Constants.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace inlay;
using namespace mlir;

using Number = SymbolicInts::Number;

/// Elements that a shape, a list of axes and the like may have at the most.
static constexpr int64_t maxElements = 64;

/// Whether elements of values of this type are followed.
static bool isFollowed(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || ranked.getRank() > 1 || !ranked.hasStaticShape() ||
      ranked.getNumElements() > maxElements)
    return false;
  Type element = ranked.getElementType();
  return element.isSignlessInteger(64) || element.isSignlessInteger(1);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<ArrayRef<Number>>
SymbolicShapes::lookupExtents(Value value) const {
  auto it = extents.find(value);
  if (it == extents.end())
    return std::nullopt;
  return ArrayRef<Number>(it->second);
}

std::optional<ArrayRef<Number>>
SymbolicShapes::lookupElements(Value value) const {
  auto it = elements.find(value);
  if (it == elements.end() ||
      !getElementTypeOrSelf(value.getType()).isSignlessInteger(64))
    return std::nullopt;
  return it->second.getData<int64_t>();
}

HostTensor SymbolicShapes::getElements(Value value) const {
  return elements.lookup(value);
}

void SymbolicShapes::addExtents(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || extents.contains(value))
    return;
  Numbers own;
  for (int64_t extent : type.getShape())
    own.push_back(ShapedType::isDynamic(extent)
                      ? ints.makeUnknown(/*isExtent=*/true)
                      : ints.getKnown(extent));
  extents[value] = std::move(own);
}

void SymbolicShapes::addElements(Value value) {
  if (!isFollowed(value.getType()) || elements.contains(value))
    return;
  auto type = cast<RankedTensorType>(value.getType());
  HostTensor own(ElementType::Int64, type.getShape());
  for (int64_t &number : own.getMutable<int64_t>())
    number = ints.makeUnknown(type.getElementType().isSignlessInteger(1));
  elements[value] = std::move(own);
}

//===----------------------------------------------------------------------===//
// Extents of results
//===----------------------------------------------------------------------===//

/// The extent of the operands' dimensions along `axes`, if it is one. Where two
/// operands might stretch to each other, it is neither.
Number SymbolicShapes::findExtent(Operation *op, const AxisMap &map,
                                  const DimAxes &axes) {
  bool isKept =
      axes.size() == 1 && map.getAxes()[axes[0]].kind == AxisKind::Parallel;
  std::optional<Number> found;
  for (auto [i, dims] : llvm::enumerate(map.getOperands())) {
    auto own = lookupExtents(op->getOperand(i));
    if (!dims || !own || !isKept)
      continue;
    for (auto [dim, extent] : llvm::zip(*dims, *own)) {
      if (dim != axes)
        continue;
      if (found && *found != extent)
        return ints.makeUnknown(/*isExtent=*/true);
      found = extent;
    }
  }
  return found ? *found : ints.makeUnknown(/*isExtent=*/true);
}

void SymbolicShapes::inferByAxes(Operation *op, const AxisMap &map) {
  if (map.isOpaque())
    return;
  for (auto [result, dims] : llvm::zip(op->getResults(), map.getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !dims || int64_t(dims->size()) != type.getRank())
      continue;
    Numbers own;
    for (auto [extent, axes] : llvm::zip(type.getShape(), *dims))
      own.push_back(ShapedType::isDynamic(extent) ? findExtent(op, map, axes)
                                                  : ints.getKnown(extent));
    extents[result] = std::move(own);
  }
}

/// An entry is the extent of the result where it cannot be zero or copies the
/// extent that it is equal to anyway; where `allowzero` is set, always.
void SymbolicShapes::inferReshape(ReshapeOp op) {
  auto entries = op.getShapeOperand() ? lookupElements(op.getShapeOperand())
                                      : std::nullopt;
  auto from = lookupExtents(op.getInput());
  auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!entries || !from || !type || type.getRank() != int64_t(entries->size()))
    return;
  Numbers own;
  for (auto [i, entry] : llvm::enumerate(*entries)) {
    bool copies = i < from->size() && (*from)[i] == entry;
    bool isExtent = ints.isNotNegative(entry) && !ints.lookup(entry);
    if (!type.isDynamicDim(i))
      own.push_back(ints.getKnown(type.getDimSize(i)));
    else if (copies || (isExtent && op.getAllowzero() != 0))
      own.push_back(entry);
    else
      own.push_back(ints.makeUnknown(/*isExtent=*/true));
  }
  extents[op.getResult()] = std::move(own);
}

/// A dimension of one stretches to its entry; one that is equal to it stays.
void SymbolicShapes::inferExpand(ExpandOp op) {
  auto entries = op.getShapeOperand() ? lookupElements(op.getShapeOperand())
                                      : std::nullopt;
  auto from = lookupExtents(op.getInput());
  auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!entries || !from || !type)
    return;
  size_t rank = type.getRank();
  if (entries->size() > rank || from->size() > rank)
    return;
  Number one = ints.getKnown(1);
  Numbers own;
  for (size_t i = 0; i < rank; ++i) {
    auto at = [&](ArrayRef<Number> list) {
      size_t shift = rank - list.size();
      return i < shift ? one : list[i - shift];
    };
    Number extent = at(*from), entry = at(*entries);
    if (!type.isDynamicDim(i))
      own.push_back(ints.getKnown(type.getDimSize(i)));
    else if (entry == one || entry == extent)
      own.push_back(extent);
    else if (extent == one && ints.isNotNegative(entry))
      own.push_back(entry);
    else
      own.push_back(ints.makeUnknown(/*isExtent=*/true));
  }
  extents[op.getResult()] = std::move(own);
}

void SymbolicShapes::inferFilled(ConstantOfShapeOp op) {
  auto entries = op.getShapeOperand() ? lookupElements(op.getShapeOperand())
                                      : std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (entries && type && type.getRank() == int64_t(entries->size()))
    extents[op.getResult()] = Numbers(*entries);
}

void SymbolicShapes::inferExtents(Operation *op) {
  bool isDynamic = llvm::any_of(op->getResultTypes(), [](Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return ranked && !ranked.hasStaticShape();
  });
  if (auto mapped = dyn_cast<AxisMapOpInterface>(op);
      isDynamic && mapped && op->getNumRegions() == 0)
    inferByAxes(op, mapped.getAxisMap());
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    inferReshape(reshape);
  else if (auto expand = dyn_cast<ExpandOp>(op))
    inferExpand(expand);
  else if (auto filled = dyn_cast<ConstantOfShapeOp>(op))
    inferFilled(filled);
  for (Value result : op->getResults())
    addExtents(result);
}

//===----------------------------------------------------------------------===//
// Elements of results
//===----------------------------------------------------------------------===//

/// The tensor itself where all its elements are known.
std::optional<HostTensor> SymbolicShapes::getKnownTensor(Value value) const {
  HostTensor own = getElements(value);
  if (!own)
    return std::nullopt;
  SmallVector<int64_t> known;
  for (Number number : own.getData<int64_t>()) {
    std::optional<int64_t> element = ints.lookup(number);
    if (!element)
      return std::nullopt;
    known.push_back(*element);
  }
  return HostTensor::getInts(known).reshaped(own.getShape());
}

/// What only moves elements moves their numbers just so.
HostTensor SymbolicShapes::followMove(Operation *op) {
  auto evaluable = dyn_cast<EvaluateOpInterface>(op);
  auto classified = dyn_cast<FusionOpInterface>(op);
  if (!evaluable || !classified)
    return {};
  FusionClass own = classified.getFusionClass();
  if (own != FusionClass::Transform && own != FusionClass::View &&
      own != FusionClass::Broadcast && !isa<GatherOp>(op))
    return {};
  SmallVector<HostTensor> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isData = operand.getOperandNumber() == 0 || isa<ConcatOp>(op);
    if (isData)
      operands.push_back(getElements(operand.get()));
    else if (auto known = getKnownTensor(operand.get()))
      operands.push_back(std::move(*known));
    else
      return {};
    if (!operands.back())
      return {};
  }
  Evaluation evaluation(op, operands);
  if (llvm::Error error = evaluable.evaluate(evaluation)) {
    llvm::consumeError(std::move(error));
    return {};
  }
  return evaluation.getResults()[0];
}

HostTensor
SymbolicShapes::compute(Operation *op,
                        llvm::function_ref<Number(Number, Number)> combine) {
  HostTensor a = getElements(op->getOperand(0)),
             b = getElements(op->getOperand(1));
  if (!a || !b)
    return {};
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  HostTensor result(ElementType::Int64, type.getShape());
  auto at = [](const HostTensor &list, int64_t i) {
    ArrayRef<int64_t> data = list.getData<int64_t>();
    return data[data.size() == 1 ? 0 : i];
  };
  for (auto [i, number] : llvm::enumerate(result.getMutable<int64_t>()))
    number = combine(at(a, i), at(b, i));
  return result;
}

HostTensor SymbolicShapes::select(WhereOp op) {
  std::optional<HostTensor> condition = getKnownTensor(op->getOperand(0));
  HostTensor a = getElements(op->getOperand(1)),
             b = getElements(op->getOperand(2));
  if (!condition || !a || !b)
    return {};
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  HostTensor result(ElementType::Int64, type.getShape());
  auto at = [](const HostTensor &list, int64_t i) {
    ArrayRef<int64_t> data = list.getData<int64_t>();
    return data[data.size() == 1 ? 0 : i];
  };
  for (auto [i, number] : llvm::enumerate(result.getMutable<int64_t>()))
    number = at(*condition, i) != 0 ? at(a, i) : at(b, i);
  return result;
}

/// The numbers of the elements of the only result, as far as they can be told.
HostTensor SymbolicShapes::followElements(Operation *op) {
  if (auto shape = dyn_cast<ShapeOp>(op)) {
    auto own = lookupExtents(shape.getInput());
    if (!own)
      return {};
    auto [start, end] = shape.getRange();
    return HostTensor::getInts(end <= start ? ArrayRef<int64_t>()
                                            : own->slice(start, end - start));
  }
  if (Attribute value = getConstantValue(op->getResult(0))) {
    auto tensor = getHostTensor(value);
    if (!tensor) {
      llvm::consumeError(tensor.takeError());
      return {};
    }
    HostTensor numbers(ElementType::Int64, tensor->getShape());
    for (auto [i, number] : llvm::enumerate(numbers.getMutable<int64_t>()))
      number = ints.getKnown(tensor->getInt(i));
    return numbers;
  }
  if (isa<AddOp>(op))
    return compute(op, [&](Number a, Number b) { return ints.add(a, b); });
  if (isa<SubOp>(op))
    return compute(op, [&](Number a, Number b) { return ints.subtract(a, b); });
  if (isa<MulOp>(op))
    return compute(op, [&](Number a, Number b) { return ints.multiply(a, b); });
  if (isa<DivOp>(op))
    return compute(op, [&](Number a, Number b) { return ints.divide(a, b); });
  if (isa<EqualOp>(op))
    return compute(op, [&](Number a, Number b) { return ints.equals(a, b); });
  if (auto where = dyn_cast<WhereOp>(op))
    return select(where);
  return followMove(op);
}

void SymbolicShapes::visit(Operation *op) {
  inferExtents(op);
  if (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
      isFollowed(op->getResult(0).getType()))
    if (HostTensor own = followElements(op);
        own && own.getShape() ==
                   cast<ShapedType>(op->getResult(0).getType()).getShape())
      elements[op->getResult(0)] = std::move(own);
  for (Value result : op->getResults())
    addElements(result);
}

SymbolicShapes::SymbolicShapes(Region &region) {
  auto addArguments = [&](Region &nested) {
    for (Block &block : nested)
      for (BlockArgument argument : block.getArguments()) {
        addExtents(argument);
        addElements(argument);
      }
  };
  addArguments(region);
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    visit(op);
    for (Region &nested : op->getRegions())
      addArguments(nested);
  });
}
