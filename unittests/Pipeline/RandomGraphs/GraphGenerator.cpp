//===- GraphGenerator.cpp - Random modules of typed operators -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphGenerator.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/Origin.h"
#include "mlir/IR/Verifier.h"
#include <cmath>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

/// Tensors are small, so that a graph takes milliseconds.
static constexpr int64_t maxElements = 3000;
/// Integers up to here are exact in f32, and so are their sums.
static constexpr double maxExact = 1 << 24;
static constexpr double maxInteger = 1 << 20;
/// Larger numbers would hide errors of smaller ones.
static constexpr double maxSmooth = 1000;

//===----------------------------------------------------------------------===//
// Chance
//===----------------------------------------------------------------------===//

GraphGenerator::GraphGenerator(MLIRContext &context, uint64_t seed)
    : context(context), builder(&context), random(seed),
      module(ModuleOp::create(builder.getUnknownLoc())) {
  isExact = !chance(30);
  floatType = isExact && chance(70) ? ElementType::Float : ElementType::Double;
  unsigned kind = draw(100);
  if (kind < 45)
    extents.assign(4, choose<int64_t>({2, 3, 4, 6}));
  else if (kind < 90)
    extents = {2, 3, 5, 7, 11};
  else
    extents = {2, 4, 6, 8, 9};
  unitPercent = chance(50) ? 5 : 20;
  zeroPercent = chance(10) ? 5 : 0;
  dynamicPercent = chance(30) ? 40 : 0;
  hasDimNames = chance(60);
  hasDigests = chance(50);
  (*module)->setAttr(attrs::opsets,
                     builder.getDictionaryAttr(builder.getNamedAttr(
                         "ai.onnx", builder.getI64IntegerAttr(21))));
}

Shape GraphGenerator::drawPermutation(int64_t rank) {
  Shape perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (int64_t i = rank - 1; i > 0; --i)
    std::swap(perm[i], perm[draw(0, i)]);
  return perm;
}

Shape GraphGenerator::drawAxes(int64_t rank, unsigned percent) {
  Shape axes;
  for (int64_t axis : drawPermutation(rank))
    if (chance(percent))
      axes.push_back(chance(25) ? axis - rank : axis);
  return axes;
}

int64_t GraphGenerator::drawExtent() {
  if (chance(unitPercent))
    return 1;
  return chance(zeroPercent) ? 0 : extents[draw(extents.size())];
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<KnownValue> GraphGenerator::pick(const Predicate &test) {
  SmallVector<const KnownValue *> found;
  for (const KnownValue &value : pool)
    if (test(value))
      found.push_back(&value);
  if (found.empty())
    return std::nullopt;
  if (chance(60) && found.size() > 3)
    return *found[found.size() - 1 - draw(3)];
  return *found[draw(found.size())];
}

std::optional<KnownValue> GraphGenerator::pickFloats(int64_t rank,
                                                     int64_t maxRank) {
  return pick([&](const KnownValue &value) {
    return value.getType() == floatType && value.getRank() >= rank &&
           value.getRank() <= maxRank;
  });
}

HostTensor GraphGenerator::drawTensor(ElementType type, ArrayRef<int64_t> shape,
                                      int64_t low, int64_t high) {
  HostTensor tensor(type, shape);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setInt(i, draw(low, high));
  return tensor;
}

void GraphGenerator::addVisible(const KnownValue &value) {
  tensors[value.value] = value.tensor;
  pool.push_back(value);
}

KnownValue GraphGenerator::addConstant(const HostTensor &tensor) {
  TypedAttr value = getConstantAttr(&context, tensor);
  auto op =
      builder.create<ConstantOp>(getLoc("constant", 1), value.getType(), value);
  KnownValue known{op.getResult(), tensor};
  tensors[known.value] = tensor;
  if (chance(20))
    pool.push_back(known);
  return known;
}

KnownValue GraphGenerator::addConstant(ElementType type,
                                       ArrayRef<int64_t> shape, int64_t low,
                                       int64_t high) {
  return addConstant(drawTensor(type, shape, low, high));
}

KnownValue GraphGenerator::addInput(ElementType type, ArrayRef<int64_t> shape,
                                    int64_t low, int64_t high) {
  SmallVector<int64_t> known(shape);
  SmallVector<Attribute> dims(shape.size(), builder.getStringAttr(""));
  for (auto [i, extent] : llvm::enumerate(known))
    if (chance(dynamicPercent)) {
      // Equal names are equal extents.
      if (hasDimNames)
        dims[i] = builder.getStringAttr("d" + std::to_string(extent));
      extent = ShapedType::kDynamic;
    }
  auto tensorType =
      RankedTensorType::get(known, getMlirElementType(&context, type));
  unsigned index = function.getNumArguments();
  SmallVector<NamedAttribute> attributes = {
      getString(attrs::name, "x" + std::to_string(index)),
      getAttr(attrs::dims, builder.getArrayAttr(dims))};
  function.insertArgument(index, tensorType,
                          builder.getDictionaryAttr(attributes),
                          builder.getUnknownLoc());
  KnownValue value{function.getArgument(index),
                   drawTensor(type, shape, low, high)};
  inputs.push_back(value.tensor);
  tensors[value.value] = value.tensor;
  return value;
}

KnownValue GraphGenerator::getOperand(ElementType type, ArrayRef<int64_t> shape,
                                      int64_t low, int64_t high) {
  if (chance(40))
    if (auto found = pick([&](const KnownValue &value) {
          return value.getType() == type && value.getShape() == shape;
        }))
      return *found;
  return chance(75) ? addConstant(type, shape, low, high)
                    : addInput(type, shape, low, high);
}

void GraphGenerator::addInputs() {
  unsigned count = draw(2, 4);
  for (unsigned i = 0; i < count; ++i) {
    Shape shape;
    Shape order = drawPermutation(extents.size());
    int64_t rank = i == 0 ? draw(3, 5) : draw(1, 5);
    for (int64_t dim = 0; dim < rank; ++dim) {
      shape.push_back(extents[order[dim % extents.size()]]);
      if (chance(unitPercent))
        shape.back() = 1;
      else if (chance(zeroPercent))
        shape.back() = 0;
    }
    if (*getNumElements(shape) > maxElements)
      shape.back() = 1;
    pool.push_back(addInput(floatType, shape, -4, 4));
  }
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

HostTensor GraphGenerator::lookup(Value value) {
  if (Attribute constant = getConstantValue(value))
    return llvm::cantFail(getHostTensor(constant));
  return tensors.lookup(value);
}

llvm::Error GraphGenerator::runBlock(Block &block,
                                     ArrayRef<HostTensor> arguments,
                                     SmallVectorImpl<HostTensor> &results) {
  for (auto [argument, tensor] :
       llvm::zip_equal(block.getArguments(), arguments))
    tensors[argument] = tensor;
  for (Operation &op : block) {
    SmallVector<HostTensor> found;
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (Value operand : op.getOperands())
        results.push_back(lookup(operand));
      continue;
    }
    if (!isa<ConstantOp>(op) && !evaluate(&op, found))
      return llvm::createStringError("cannot be evaluated");
    for (auto [result, tensor] : llvm::zip(op.getResults(), found))
      tensors[result] = tensor;
  }
  return llvm::Error::success();
}

static HostTensor getAbsolute(const HostTensor &tensor) {
  if (!isFloat(tensor.getType()))
    return tensor;
  HostTensor result(tensor.getType(), tensor.getShape());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    result.setDouble(i, std::abs(tensor.getDouble(i)));
  return result;
}

bool GraphGenerator::evaluate(Operation *op,
                              SmallVectorImpl<HostTensor> &results,
                              bool absolute) {
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands())
    operands.push_back(absolute ? getAbsolute(lookup(operand))
                                : lookup(operand));
  auto runner = [this](Region &region, ArrayRef<HostTensor> arguments,
                       SmallVectorImpl<HostTensor> &yielded) {
    yielded.clear();
    return runBlock(region.front(), arguments, yielded);
  };
  Evaluation evaluation(op, operands, runner);
  if (llvm::Error error = cast<EvaluateOpInterface>(op).evaluate(evaluation)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  results.assign(evaluation.getResults().begin(),
                 evaluation.getResults().end());
  return true;
}

bool GraphGenerator::isAcceptable(const HostTensor &tensor) const {
  if (!tensor || tensor.getNumElements() > maxElements || tensor.getRank() > 6)
    return false;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    if (!(std::abs(tensor.getDouble(i)) <=
          (isExact || !isFloat(tensor.getType()) ? maxInteger : maxSmooth)))
      return false;
  return true;
}

/// Its sums do not depend on their order, unless they get too large.
static bool hasIntegersOnly(const HostTensor &tensor) {
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    if (tensor.getDouble(i) != std::rint(tensor.getDouble(i)))
      return false;
  return true;
}

static bool isBelow(ArrayRef<HostTensor> tensors, double limit) {
  for (const HostTensor &tensor : tensors)
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      if (!(std::abs(tensor.getDouble(i)) < limit))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Location GraphGenerator::getLoc(StringRef name, unsigned numResults) {
  std::string node = "n" + std::to_string(numOps++);
  SmallVector<Attribute> outputs;
  for (unsigned i = 0; i < numResults; ++i)
    outputs.push_back(builder.getStringAttr(node + "_" + std::to_string(i)));
  return getOriginLoc(OriginAttr::get(&context, builder.getStringAttr(node),
                                      builder.getStringAttr(name),
                                      builder.getArrayAttr(outputs), {}));
}

bool GraphGenerator::settle(Operation *op, ArrayRef<KnownValue> operands,
                            unsigned numerics) {
  bool exactIn = llvm::all_of(
      operands, [](const KnownValue &value) { return value.isExact; });
  bool integersIn = llvm::all_of(operands, [](const KnownValue &value) {
    return hasIntegersOnly(value.tensor);
  });
  // Only results that have uses are computed.
  auto use = builder.create<YieldOp>(builder.getUnknownLoc(), op->getResults());
  SmallVector<HostTensor> results, bounds;
  bool isValid = succeeded(verify(op)) && evaluate(op, results) &&
                 llvm::all_of(results, [&](const HostTensor &tensor) {
                   return isAcceptable(tensor);
                 });
  bool exactOut = exactIn && !(numerics & Inexact);
  if (isValid && (numerics & Sums))
    exactOut &= integersIn && evaluate(op, bounds, /*absolute=*/true) &&
                isBelow(bounds, maxExact);
  use.erase();
  isValid &= exactIn || !(numerics & Jumps);
  isValid &= exactOut || !isExact;
  isValid &= loopDepth == 0 || !(numerics & (Sums | Inexact));
  if (!isValid) {
    op->erase();
    return false;
  }
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results))
    addVisible({result, tensor, exactOut || !isFloat(tensor.getType())});
  return true;
}

bool GraphGenerator::add(StringRef name, ArrayRef<KnownValue> operands,
                         ArrayRef<NamedAttribute> attributes,
                         ArrayRef<ElementType> results, unsigned numerics) {
  OperationState state(getLoc(name, results.size()), "inlay." + name.str());
  for (const KnownValue &operand : operands)
    state.addOperands(operand.value);
  state.addAttributes(attributes);
  for (ElementType type : results)
    state.addTypes(UnrankedTensorType::get(getMlirElementType(&context, type)));
  Operation *op = builder.create(state);
  if (failed(refineResultTypes(op))) {
    op->erase();
    return false;
  }
  return settle(op, operands, numerics);
}

KnownValues
GraphGenerator::fillBlock(Block &block,
                          const std::function<KnownValues()> &fill) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  std::vector<KnownValue> outside = pool;
  ++depth;
  KnownValues values = fill();
  --depth;
  pool = std::move(outside);
  SmallVector<Value> yielded;
  for (const KnownValue &value : values)
    yielded.push_back(value.value);
  builder.create<YieldOp>(builder.getUnknownLoc(), yielded);
  return values;
}

bool GraphGenerator::addAny() {
  static const std::vector<OpFamily> families = [] {
    std::vector<OpFamily> all;
    for (ArrayRef<OpFamily> each :
         {getElementwiseFamilies(), getMovementFamilies(),
          getIndexingFamilies(), getReduceFamilies(), getContractionFamilies(),
          getFeatureFamilies(), getQuantizeFamilies(),
          getControlFlowFamilies()})
      all.insert(all.end(), each.begin(), each.end());
    return all;
  }();
  unsigned total = 0;
  for (const OpFamily &family : families)
    total += family.weight;
  unsigned place = draw(total);
  for (const OpFamily &family : families) {
    if (place < family.weight)
      return family.add(*this);
    place -= family.weight;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Sums up what nothing uses yet, each element with a weight of its own, so
/// that none can change its place unseen.
void GraphGenerator::addDigests() {
  std::vector<KnownValue> values = pool;
  for (KnownValue value : values) {
    if (!value.value.use_empty() || getConstantValue(value.value) || chance(20))
      continue;
    if (value.getType() != floatType) {
      if (!add("cast", {value}, {getInt("to", int64_t(floatType))},
               {floatType}))
        continue;
      value = getLast();
    }
    KnownValue weights = addConstant(floatType, value.getShape(), -3, 3);
    if (add("mul", {value, weights}))
      add("reduce_sum", {getLast()}, {getInt("keepdims", 0)}, Sums);
  }
}

RandomGraph GraphGenerator::finish() {
  Operation *end = function.getBody().front().getTerminator();
  SmallVector<Value> outputs;
  for (const KnownValue &value : pool)
    if (chance(5) ||
        (value.value.use_empty() && !getConstantValue(value.value)))
      outputs.push_back(value.value);
  end->setOperands(outputs);
  // Constants of operators that were taken back.
  function.walk([](ConstantOp op) {
    if (op->use_empty())
      op->erase();
  });
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), TypeRange(ValueRange(outputs))));
  for (unsigned i = 0; i < outputs.size(); ++i)
    function.setResultAttr(i, attrs::name,
                           builder.getStringAttr("y" + std::to_string(i)));
  return {std::move(module), std::move(inputs), isExact};
}

RandomGraph GraphGenerator::run(unsigned size) {
  // What is tried and does not fit is not worth a message.
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  builder.setInsertionPointToEnd(module->getBody());
  function = builder.create<func::FuncOp>(builder.getUnknownLoc(), "main",
                                          builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  auto end = builder.create<func::ReturnOp>(builder.getUnknownLoc());
  builder.setInsertionPoint(end);
  addInputs();
  unsigned added = 0;
  for (unsigned tries = 0; added < size && tries < 40 * size; ++tries)
    added += addAny();
  if (hasDigests)
    addDigests();
  return finish();
}

RandomGraph inlay::testing::makeRandomGraph(MLIRContext &context, uint64_t seed,
                                            unsigned numOps) {
  return GraphGenerator(context, seed).run(numOps);
}
