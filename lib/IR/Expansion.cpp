//===- Expansion.cpp - Composite operators as basic ones ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Expansion.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/DerivedNames.h"
#include "inlay/IR/Origin.h"
#include "inlay/IR/ScaledConstants.h"

using namespace inlay;
using namespace mlir;

/// Elements of a constant that an expansion computes itself: numbers per
/// channel, not weights.
static constexpr int64_t maxComputed = 1 << 14;

Expansion::Expansion(Operation *op, bool isRequested)
    : op(op), requested(isRequested), builder(op),
      results(op->getNumResults()) {}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static std::optional<HostTensor> readExactly(Value value) {
  Attribute constant = getConstantValue(value);
  if (!constant)
    return std::nullopt;
  auto tensor = getExactTensor(constant);
  if (tensor)
    return *tensor;
  llvm::consumeError(tensor.takeError());
  return std::nullopt;
}

/// The value of an operation over constants in f32 that f32 does not hold: in
/// f64, so that it is rounded once, where the operator itself would have
/// rounded it. Null for others; simplification computes them if it likes.
static TypedAttr computeExactly(Operation *op) {
  auto evaluable = dyn_cast<EvaluateOpInterface>(op);
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  // An Identity is there to bear a name.
  if (!evaluable || isa<IdentityOp>(op) || !type || !type.hasStaticShape() ||
      !type.getElementType().isF32() || type.getNumElements() > maxComputed)
    return {};
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    std::optional<HostTensor> tensor = readExactly(operand);
    if (!tensor)
      return {};
    operands.push_back(std::move(*tensor));
  }
  Evaluation evaluation(op, operands);
  if (llvm::Error error = evaluable.evaluate(evaluation)) {
    llvm::consumeError(std::move(error));
    return {};
  }
  const HostTensor &result = evaluation.getResults().front();
  if (result.getType() != ElementType::Double)
    return {};
  TypedAttr value =
      getRoundedAttr(op->getContext(), result, type.getElementType());
  return isExpression(value) ? value : TypedAttr();
}

Value Expansion::add(Operation *operation) {
  isValid &= succeeded(refineResultTypes(operation));
  assert(isValid && "an expansion of a valid operator is valid");
  if (TypedAttr value = computeExactly(operation)) {
    operation->erase();
    return createConstant(value);
  }
  created.push_back(operation);
  return operation->getResult(0);
}

Value Expansion::createConstant(const HostTensor &tensor) {
  return createConstant(getConstantAttr(op->getContext(), tensor));
}

Value Expansion::createConstant(TypedAttr value) {
  for (Operation *other : created)
    if (auto constant = dyn_cast<ConstantOp>(other);
        constant && constant.getValue() == value)
      return constant;
  auto constant = builder.create<ConstantOp>(builder.getUnknownLoc(),
                                             value.getType(), value);
  created.push_back(constant);
  return constant;
}

Value Expansion::createScalar(Type element, double value) {
  std::optional<ElementType> type = getOnnxElementType(element);
  assert(type && "of a tensor");
  // Narrower floats than 16 bits cannot know what they were rounded from.
  if (isFloat(*type) && getBitWidth(*type) >= 16)
    return createConstant(getRoundedAttr(
        op->getContext(),
        HostTensor::get<double>(ElementType::Double, {}, value), element));
  HostTensor tensor(*type, {});
  if (isFloat(*type))
    tensor.setDouble(0, value);
  else
    tensor.setInt(0, int64_t(value));
  return createConstant(tensor);
}

Value Expansion::createScalarLike(Value like, double value) {
  return createScalar(inlay::getElementType(like), value);
}

Value Expansion::createInts(ArrayRef<int64_t> values) {
  return createConstant(HostTensor::getInts(values));
}

Value Expansion::createCast(Value value, Type element) {
  if (inlay::getElementType(value) == element)
    return value;
  std::optional<ElementType> type = getOnnxElementType(element);
  assert(type && "of a tensor");
  return create<CastOp>(value, getI64(int64_t(*type)), IntegerAttr(),
                        StringAttr());
}

Type Expansion::getComputeType(ValueRange values) const {
  Type widest = Float32Type::get(op->getContext());
  for (Value value : values) {
    Type element = inlay::getElementType(value);
    if (!element)
      continue;
    if (!isa<FloatType>(element))
      return element;
    if (element.getIntOrFloatBitWidth() > widest.getIntOrFloatBitWidth())
      widest = element;
  }
  return widest;
}

Value Expansion::widen(Value value) {
  return createCast(value, getComputeType(value));
}

void Expansion::set(Value result, Value value) {
  isValid &= bool(value);
  if (!value || result.use_empty())
    return;
  if (Type element = inlay::getElementType(result))
    value = createCast(value, element);
  // A node's name needs an operation of its own.
  bool isOwn = llvm::is_contained(created, value.getDefiningOp()) &&
               !value.getDefiningOp<ConstantOp>() &&
               !llvm::is_contained(results, value);
  if (!isOwn)
    value = create<IdentityOp>(value);
  assert(meetTypes(result.getType(), value.getType()) && "another type");
  // Users were made for the type that the result had.
  value.setType(result.getType());
  results[cast<OpResult>(result).getResultNumber()] = value;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Whether the operation is the node's own operator, and not one of several
/// that became of it: "hard_swish" is "HardSwish".
static bool isNodeItself(Operation *op, StringRef opType) {
  std::string mnemonic = op->getName().stripDialect().str();
  llvm::erase(mnemonic, '_');
  return opType.equals_insensitive(mnemonic);
}

Location Expansion::getStepLoc(Operation *step, StringRef output) {
  OriginAttr origin = getFirstOrigin(op->getLoc());
  if (!origin)
    return op->getLoc();
  std::string name = origin.getName().str();
  if (!name.empty()) {
    name = shortenName(name).str();
    // Several operators may bear the name of one node.
    if (!isNodeItself(op, origin.getOpType()))
      name += "/" + op->getName().stripDialect().str();
    name += "/" + step->getName().stripDialect().str();
    if (unsigned before = names[name]++)
      name += "_" + std::to_string(before + 1);
  }
  auto own = OriginAttr::get(
      op->getContext(), builder.getStringAttr(name), origin.getOpType(),
      builder.getStrArrayAttr({output}), DictionaryAttr());
  return mergeLocs(op->getContext(), {getOriginLoc(own), op->getLoc()});
}

void Expansion::setLocations() {
  llvm::SmallDenseMap<Operation *, OpResult> made;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    if (value)
      made[value.getDefiningOp()] = result;
  for (Operation *step : created) {
    // Constants are of no node; they may become one with others.
    if (isa<ConstantOp>(step))
      continue;
    OpResult result = made.lookup(step);
    bool isFirst = result && result.getResultNumber() == 0;
    step->setLoc(isFirst
                     ? op->getLoc()
                     : getStepLoc(step, result ? getValueName(result) : ""));
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void Expansion::discard() {
  for (Operation *step : llvm::reverse(created))
    step->erase();
  created.clear();
  results.assign(results.size(), Value());
}

bool Expansion::isComplete() const {
  return isValid && llvm::all_of(op->getResults(), [&](OpResult result) {
           return result.use_empty() || results[result.getResultNumber()];
         });
}

bool inlay::isComposite(Operation *op) { return isa<ExpandOpInterface>(op); }

LogicalResult inlay::expand(Expansion &expansion) {
  auto composite = dyn_cast<ExpandOpInterface>(expansion.getOperation());
  auto hasElements = [](Value value) {
    return value.use_empty() || inlay::getElementType(value);
  };
  if (!composite || !llvm::all_of(composite->getOperands(), hasElements) ||
      !llvm::all_of(composite->getResults(), hasElements))
    return failure();
  if (failed(composite.expand(expansion)) || !expansion.isComplete()) {
    expansion.discard();
    return failure();
  }
  expansion.setLocations();
  return success();
}

void inlay::replaceByExpansion(Expansion &expansion) {
  Operation *op = expansion.getOperation();
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), expansion.getResults()))
    if (value)
      result.replaceAllUsesWith(value);
  op->erase();
}
