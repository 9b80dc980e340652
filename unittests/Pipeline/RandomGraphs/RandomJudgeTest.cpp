//===- RandomJudgeTest.cpp - Damaged graphs are found out -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random graphs and the seed of the first one as its
// arguments. One element of one constant of a graph is changed, and what the
// judge says is held against both executions, operation by operation.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "GraphGenerator.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Runtime/Judge.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 200, firstSeed = 1;
static constexpr unsigned graphSize = 12;

/// Damaged graphs of which something differed, and of which the outputs did.
static uint64_t numDamaged = 0, numHidden = 0;

static ModuleOp getModule(const RandomGraph &graph) {
  return graph.module.get();
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

static bool canBeDamaged(ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  return type && isa<FloatType>(type.getElementType()) &&
         type.getElementTypeBitWidth() >= 16 && type.hasStaticShape() &&
         type.getNumElements() != 0 && !op.use_empty();
}

/// Changes one element of one constant; false where there is none.
static bool damage(ModuleOp module, uint64_t seed) {
  SmallVector<ConstantOp> constants;
  module.walk([&](ConstantOp op) {
    if (canBeDamaged(op))
      constants.push_back(op);
  });
  if (constants.empty())
    return false;
  ConstantOp op = constants[seed % constants.size()];
  HostTensor old = llvm::cantFail(getHostTensor(op.getValue()));
  HostTensor tensor(old.getType(), old.getShape());
  for (int64_t i = 0, e = old.getNumElements(); i != e; ++i) {
    double value = old.getDouble(i);
    bool isChosen = i == int64_t(seed / 7 % uint64_t(e));
    tensor.setDouble(i, isChosen ? value * 1.25 + 0.5 : value);
  }
  op.setValueAttr(getConstantAttr(op.getContext(), tensor));
  return true;
}

/// Adds NaN to every output of floats: nothing is to be seen of them then.
static void hideOutputs(ModuleOp module) {
  func::FuncOp graph = llvm::cantFail(getGraph(module));
  Operation *end = graph.getBody().front().getTerminator();
  OpBuilder builder(end);
  for (OpOperand &output : end->getOpOperands()) {
    Value value = output.get();
    auto element = dyn_cast<FloatType>(getElementType(value));
    if (!element || element.getWidth() < 16 || getConstantValue(value))
      continue;
    HostTensor nan(*getOnnxElementType(element), {});
    nan.setDouble(0, std::numeric_limits<double>::quiet_NaN());
    TypedAttr attr = getConstantAttr(module.getContext(), nan);
    Location loc = builder.getUnknownLoc();
    auto constant = builder.create<ConstantOp>(loc, attr.getType(), attr);
    output.set(builder.create<AddOp>(loc, value.getType(), value, constant));
  }
}

//===----------------------------------------------------------------------===//
// What is so
//===----------------------------------------------------------------------===//

/// Every result of the graph's own operations, in order, with f32 in f64.
using Trace = std::vector<std::pair<Value, HostTensor>>;

static Trace trace(ModuleOp module, ArrayRef<HostTensor> inputs) {
  Trace results;
  ExecuteOptions options;
  options.isWide = true;
  options.visit = [&](Value value, HostTensor &tensor) {
    results.emplace_back(value, tensor);
  };
  llvm::consumeError(execute(module, inputs, options).takeError());
  return results;
}

/// The largest relative error of each result of the first graph.
static std::vector<double> compareTraces(const Trace &a, const Trace &b) {
  std::vector<double> errors;
  for (auto [left, right] : llvm::zip(a, b)) {
    TensorComparison comparison =
        compareTensors("", left.second, right.second, {wideTolerance, false});
    errors.push_back(comparison.isEqual ? 0 : comparison.relativeError);
  }
  return errors;
}

/// The node that computed the first result that differs.
static std::string findFirst(const Trace &trace, ArrayRef<double> errors) {
  for (double tolerance : {CompareOptions().tolerance, wideTolerance})
    for (auto [entry, error] : llvm::zip(trace, errors))
      if (error > tolerance)
        return getNodeName(entry.first.getDefiningOp());
  return "";
}

//===----------------------------------------------------------------------===//
// What the judge says
//===----------------------------------------------------------------------===//

namespace {
struct Case {
  ModuleOp a, b;
  ArrayRef<HostTensor> inputs;
  SmallVector<HostTensor> outputsA, outputsB;

  /// False where one of the two cannot be executed: indices may be damaged.
  bool run() {
    auto before = execute(a, inputs), after = execute(b, inputs);
    if (!before || !after) {
      llvm::consumeError(before.takeError());
      llvm::consumeError(after.takeError());
      return false;
    }
    outputsA = std::move(*before);
    outputsB = std::move(*after);
    return true;
  }
  Judgement judge() const {
    return llvm::cantFail(inlay::judge({"a", a, inputs, nullptr}, outputsA,
                                       {"b", b, inputs, nullptr}, outputsB,
                                       {}));
  }
  bool differs() const {
    return llvm::any_of(llvm::zip(outputsA, outputsB), [](auto pair) {
      auto [before, after] = pair;
      return !compareTensors("", before, after).isEqual;
    });
  }
};
} // namespace

static std::string checkDamaged(Case &damaged) {
  Trace traceA = trace(damaged.a, damaged.inputs);
  Trace traceB = trace(damaged.b, damaged.inputs);
  std::vector<double> errors = compareTraces(traceA, traceB);
  Judgement judgement = damaged.judge();
  if (judgement.isEqual() && damaged.differs() && !judgement.isWide)
    return "a difference of outputs is overlooked";
  if (judgement.isEqual())
    return "";
  std::string first = findFirst(traceA, errors);
  if (!judgement.first)
    return first.empty() ? "" : "no node is named, expected " + first;
  if (judgement.first->node != first)
    return "the first node is said to be " + judgement.first->node +
           ", expected " + first;
  ++numDamaged;
  return "";
}

/// What differs in the outputs still does when they are made NaN.
static std::string checkHidden(Case &damaged) {
  OwningOpRef<ModuleOp> a = damaged.a.clone(), b = damaged.b.clone();
  hideOutputs(*a);
  hideOutputs(*b);
  Case hidden{*a, *b, damaged.inputs, {}, {}};
  if (!hidden.run())
    return "";
  Judgement judgement = hidden.judge();
  if (judgement.isEqual() && judgement.countCompared() != 0 &&
      !judgement.isWide)
    return "a difference behind NaN is overlooked";
  ++numHidden;
  return "";
}

static std::string check(const RandomGraph &graph, uint64_t seed) {
  ModuleOp original = getModule(graph);
  OwningOpRef<ModuleOp> copy = original.clone();
  Case same{original, *copy, graph.inputs, {}, {}};
  if (!same.run())
    return "cannot be run";
  if (!same.judge().isEqual())
    return "a copy is said to differ";
  if (!damage(*copy, seed))
    return "";
  Case damaged{original, *copy, graph.inputs, {}, {}};
  if (!damaged.run())
    return "";
  std::string message = checkDamaged(damaged);
  if (!message.empty() || !damaged.differs() || damaged.judge().isEqual())
    return message;
  return checkHidden(damaged);
}

TEST(RandomJudge, FindsDamageAndItsPlace) {
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    std::string message = check(graph, seed);
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message;
    getModule(graph)->print(llvm::errs());
    if (HasFailure())
      return;
  }
  EXPECT_GE(numDamaged, numGraphs / 10) << "some graphs can be damaged";
  EXPECT_GE(numHidden, numGraphs / 20) << "some damage can be hidden";
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
