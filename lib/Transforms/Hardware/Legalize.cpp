//===- Legalize.cpp - Operators within the limits of instructions ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find the operators beyond a limit.
// 2. Plan the steps: a tree that copies the least again for what joins or cuts,
//    a chain for what combines element by element, so that the order of
//    additions stays as it was.
// 3. Build the steps in front of the operator. What joins or combines is then
//    its own last step; what cuts is replaced.
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Hardware/Legalize.h"
#include "inlay/Analysis/AssumedShapes.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/DerivedNames.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/IR/Steps.h"

using namespace inlay;
using namespace mlir;

namespace {
class Legalizer {
public:
  Legalizer(func::FuncOp function, const Target &target)
      : function(function), target(target), builder(function.getContext()) {}

  LegalizeResult run();

private:
  void legalize(Operation *op, const OpLimit &limit);
  void join(Operation *op, unsigned maxInputs);
  void fold(Operation *op, unsigned maxInputs);
  void average(Operation *op);
  void cut(SplitOp op, unsigned maxOutputs);
  void refuse(Operation *op, const OpLimit &limit);

  Operation *buildStep(Operation *op, ValueRange operands);
  SplitOp buildCut(SplitOp op, Value input, ArrayRef<int64_t> extents,
                   ArrayRef<StringRef> names, bool isFirst);
  Location getStepLoc(Operation *op, ArrayRef<StringRef> outputs,
                      bool isNamed = false);
  std::vector<uint64_t> getBytes(ValueRange values);

  func::FuncOp function;
  const Target &target;
  OpBuilder builder;
  /// Computed when something is to be split.
  std::optional<AssumedShapes> shapes;
  LegalizeResult result;
  /// Steps of the operator at hand so far.
  unsigned numSteps = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A step bears the origin of its node behind one of its own, which names what
/// it makes. The node's name stays with one operation, so that it is unique.
Location Legalizer::getStepLoc(Operation *op, ArrayRef<StringRef> outputs,
                               bool isNamed) {
  OriginAttr origin = getFirstOrigin(op->getLoc());
  if (!origin)
    return op->getLoc();
  std::string name = origin.getName().str();
  if (!name.empty() && !isNamed)
    name = deriveName(name, "step_" + std::to_string(numSteps));
  auto own = OriginAttr::get(
      op->getContext(), builder.getStringAttr(name), origin.getOpType(),
      builder.getStrArrayAttr(outputs), DictionaryAttr());
  return mergeLocs(op->getContext(), {getOriginLoc(own), op->getLoc()});
}

Operation *Legalizer::buildStep(Operation *op, ValueRange operands) {
  ++numSteps;
  OperationState state(getStepLoc(op, {""}), op->getName());
  state.addOperands(operands);
  state.addAttributes(op->getAttrs());
  state.addTypes(getTensorType(
      op->getContext(), inlay::getElementType(op->getResult(0)), std::nullopt));
  Operation *step = builder.create(state);
  [[maybe_unused]] LogicalResult refined = refineResultTypes(step);
  assert(succeeded(refined) && "operands that fit together fit in part");
  return step;
}

std::vector<uint64_t> Legalizer::getBytes(ValueRange values) {
  if (!shapes)
    shapes.emplace(function, target);
  std::vector<uint64_t> bytes;
  for (Value value : values)
    bytes.push_back(shapes->getBytes(value));
  return bytes;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void Legalizer::join(Operation *op, unsigned maxInputs) {
  std::vector<uint64_t> bytes = getBytes(op->getOperands());
  MergeTree tree = planMerges(bytes, maxInputs);
  result.copies = result.copies + tree.getCost(bytes);
  SmallVector<Value> values(op->getOperands());
  auto getChildren = [&](const MergeTree::Node &node) {
    return llvm::map_to_vector(node,
                               [&](unsigned child) { return values[child]; });
  };
  for (const MergeTree::Node &node : ArrayRef(tree.nodes).drop_back())
    values.push_back(buildStep(op, getChildren(node))->getResult(0));
  op->setOperands(getChildren(tree.nodes.back()));
}

/// The first step takes what does not fill the others: a result that grows by
/// broadcasting is then as small as it can be.
void Legalizer::fold(Operation *op, unsigned maxInputs) {
  SmallVector<Value> rest(op->getOperands());
  unsigned numMore = llvm::divideCeil(rest.size() - maxInputs, maxInputs - 1);
  unsigned length = rest.size() - numMore * (maxInputs - 1);
  for (unsigned i = 0; i != numMore; ++i) {
    ArrayRef<Value> taken = ArrayRef(rest).take_front(length);
    Value value = buildStep(op, taken)->getResult(0);
    rest.erase(rest.begin(), rest.begin() + length);
    rest.insert(rest.begin(), value);
    length = maxInputs;
  }
  op->setOperands(rest);
}

/// mean(a, b, ...) is sum(a, b, ...) / number.
void Legalizer::average(Operation *op) {
  Type element = inlay::getElementType(op->getResult(0));
  ++numSteps;
  auto sum = builder.create<SumOp>(
      getStepLoc(op, {""}), op->getResult(0).getType(), op->getOperands());
  auto type = RankedTensorType::get({}, element);
  auto number = DenseElementsAttr::get(
      type, builder.getFloatAttr(element, op->getNumOperands()));
  auto divisor =
      builder.create<ConstantOp>(builder.getUnknownLoc(), type, number);
  auto mean = builder.create<DivOp>(op->getLoc(), op->getResult(0).getType(),
                                    sum, divisor);
  op->replaceAllUsesWith(mean);
  op->erase();
  const OpLimit *limit = target.findLimit(getOnnxOpType(sum));
  if (!limit || !limit->maxInputs || sum.getNumOperands() <= *limit->maxInputs)
    return;
  builder.setInsertionPoint(sum);
  fold(sum, *limit->maxInputs);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {
/// Results that are cut out together: one, or a run of those without uses.
struct Part {
  SmallVector<unsigned, 1> results;
  int64_t extent = 0;
  uint64_t bytes = 0;
};
} // namespace

static std::vector<Part> getParts(SplitOp op, ArrayRef<uint64_t> bytes) {
  int64_t axis = *normalizeAxis(op.getAxis(), *getRank(op.getInput()));
  std::vector<Part> parts;
  bool wasUnused = false;
  for (OpResult result : op->getResults()) {
    bool isUnused = result.use_empty();
    if (!isUnused || !wasUnused)
      parts.emplace_back();
    Part &part = parts.back();
    part.results.push_back(result.getResultNumber());
    part.extent += (*getShape(result))[axis];
    part.bytes += bytes[result.getResultNumber()];
    wasUnused = isUnused;
  }
  return parts;
}

SplitOp Legalizer::buildCut(SplitOp op, Value input, ArrayRef<int64_t> extents,
                            ArrayRef<StringRef> names, bool isFirst) {
  ++numSteps;
  auto element = inlay::getElementType(input);
  SmallVector<Type> types(
      extents.size(), getTensorType(op->getContext(), element, std::nullopt));
  auto step = builder.create<SplitOp>(
      getStepLoc(op, names, isFirst), types, input, Value(),
      builder.getI64IntegerAttr(op.getAxis()),
      builder.getDenseI64ArrayAttr(extents), IntegerAttr());
  [[maybe_unused]] LogicalResult refined = refineResultTypes(step);
  assert(succeeded(refined) && "the extents are those of the results");
  return step;
}

void Legalizer::cut(SplitOp op, unsigned maxOutputs) {
  std::vector<Part> parts = getParts(op, getBytes(op->getResults()));
  std::vector<uint64_t> bytes;
  std::vector<int64_t> extents;
  for (const Part &part : parts) {
    bytes.push_back(part.bytes);
    extents.push_back(part.extent);
  }
  MergeTree tree = planMerges(bytes, maxOutputs);
  result.copies = result.copies + tree.getCost(bytes);
  for (const MergeTree::Node &node : tree.nodes) {
    int64_t extent = 0;
    for (unsigned child : node)
      extent += extents[child];
    extents.push_back(extent);
  }
  // Parents come behind their children, and are cut first.
  std::vector<Value> inputs(tree.nodes.size());
  inputs.back() = op.getInput();
  for (size_t i = tree.nodes.size(); i-- != 0;) {
    const MergeTree::Node &node = tree.nodes[i];
    SmallVector<int64_t> sizes;
    SmallVector<StringRef> names;
    for (unsigned child : node) {
      sizes.push_back(extents[child]);
      bool isResult =
          child < tree.numLeaves && parts[child].results.size() == 1;
      names.push_back(
          isResult ? getValueName(op->getResult(parts[child].results.front()))
                   : StringRef());
    }
    SplitOp step = buildCut(op, inputs[i], sizes, names,
                            /*isFirst=*/i + 1 == tree.nodes.size());
    for (auto [child, value] : llvm::zip_equal(node, step.getOutputs())) {
      if (child >= tree.numLeaves)
        inputs[child - tree.numLeaves] = value;
      else if (parts[child].results.size() == 1)
        op->getResult(parts[child].results.front()).replaceAllUsesWith(value);
    }
  }
  op->erase();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static bool isBeyond(Operation *op, const OpLimit &limit) {
  return (limit.maxInputs && op->getNumOperands() > *limit.maxInputs) ||
         (limit.maxOutputs && op->getNumResults() > *limit.maxOutputs);
}

void Legalizer::refuse(Operation *op, const OpLimit &limit) {
  bool isInputs = limit.maxInputs && op->getNumOperands() > *limit.maxInputs;
  unsigned count = isInputs ? op->getNumOperands() : op->getNumResults();
  unsigned most = isInputs ? *limit.maxInputs : *limit.maxOutputs;
  std::string reason = isa<SplitOp>(op)
                           ? "the extents of its outputs are not known"
                           : "it cannot be computed in steps";
  result.refusals.push_back({op, "at most " + std::to_string(most) +
                                     (isInputs ? " inputs" : " outputs") +
                                     " are taken, found " +
                                     std::to_string(count) + "; " + reason});
}

void Legalizer::legalize(Operation *op, const OpLimit &limit) {
  builder.setInsertionPoint(op);
  numSteps = 0;
  Steps steps = getSteps(op);
  if (steps == Steps::Join && limit.maxInputs)
    join(op, *limit.maxInputs);
  else if (steps == Steps::Fold && limit.maxInputs)
    fold(op, *limit.maxInputs);
  else if (steps == Steps::Average && limit.maxInputs)
    average(op);
  else if (steps == Steps::Cut && limit.maxOutputs)
    cut(cast<SplitOp>(op), *limit.maxOutputs);
  else
    return refuse(op, limit);
  ++result.numOps;
  // The operator itself is the last step of its operands.
  result.numSteps += numSteps + (steps != Steps::Cut);
}

LegalizeResult Legalizer::run() {
  std::vector<std::pair<Operation *, const OpLimit *>> beyond;
  if (!target.limits.empty())
    function.walk([&](Operation *op) {
      if (op->getNumOperands() < 3 && op->getNumResults() < 3)
        return;
      const OpLimit *limit = target.findLimit(getOnnxOpType(op));
      if (limit && isBeyond(op, *limit))
        beyond.emplace_back(op, limit);
    });
  for (auto [op, limit] : beyond)
    legalize(op, *limit);
  return std::move(result);
}

LegalizeResult inlay::legalizeLimits(func::FuncOp function,
                                     const Target &target) {
  return Legalizer(function, target).run();
}
