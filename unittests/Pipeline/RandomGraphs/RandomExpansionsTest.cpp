//===- RandomExpansionsTest.cpp - Expansions compute the same -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   inlay-random-expansions [COUNT [SEED]]
//
// The composite operators of random graphs, each alone with the values that it
// has there: what a graph makes of rounding is no fault of an expansion.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "GraphGenerator.h"
#include "inlay/IR/Expansion.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Kernels/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 200;
static uint64_t firstSeed = 1;
static constexpr unsigned graphSize = 25;

/// Every step of an expansion is rounded.
static double getTolerance(ElementType type) {
  return type == ElementType::Double ? 1e-12 : 1e-6;
}

/// Whether an operator is defined on these values: nothing has no mean.
static bool isDefined(ArrayRef<HostTensor> inputs) {
  return llvm::all_of(inputs, [](const HostTensor &input) {
    return input.getNumElements() != 0;
  });
}

//===----------------------------------------------------------------------===//
// Operators alone
//===----------------------------------------------------------------------===//

namespace {
/// One operator as a model, with values for its inputs.
struct LoneOperator {
  OwningOpRef<ModuleOp> module;
  SmallVector<HostTensor> inputs;
};
} // namespace

using Values = llvm::MapVector<Value, HostTensor>;

/// What the operands of operators are when the graph runs.
static llvm::Expected<Values> findOperands(const RandomGraph &graph,
                                           ArrayRef<Operation *> ops) {
  Values values;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!operand.getDefiningOp<ConstantOp>())
        values[operand];
  IRMapping mapping;
  OwningOpRef<ModuleOp> module =
      cast<ModuleOp>((*graph.module)->clone(mapping));
  func::FuncOp function = llvm::cantFail(getGraph(*module));
  SmallVector<Value> exposed;
  for (auto &entry : values)
    exposed.push_back(mapping.lookup(entry.first));
  function.getBody().front().getTerminator()->setOperands(exposed);
  function.setFunctionType(FunctionType::get(module->getContext(),
                                             function.getArgumentTypes(),
                                             ValueRange(exposed).getTypes()));
  function.removeResAttrsAttr();
  auto outputs = execute(*module, graph.inputs);
  if (!outputs)
    return outputs.takeError();
  for (auto [entry, output] : llvm::zip_equal(values, *outputs))
    entry.second = output;
  return values;
}

static LoneOperator isolate(Operation *op, Values &values) {
  LoneOperator lone;
  SmallVector<Value> operands, results;
  for (Value operand : op->getOperands())
    if (values.contains(operand) && !llvm::is_contained(operands, operand)) {
      operands.push_back(operand);
      lone.inputs.push_back(values[operand]);
    }
  for (Value result : op->getResults())
    if (!result.use_empty())
      results.push_back(result);
  OpBuilder builder(op->getContext());
  Location loc = builder.getUnknownLoc();
  lone.module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(lone.module->getBody());
  auto function = builder.create<func::FuncOp>(
      loc, "main",
      builder.getFunctionType(ValueRange(operands).getTypes(),
                              ValueRange(results).getTypes()));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  IRMapping mapping;
  mapping.map(operands, block->getArguments());
  for (Value operand : op->getOperands())
    if (Operation *constant = operand.getDefiningOp<ConstantOp>())
      if (!mapping.contains(operand))
        builder.clone(*constant, mapping);
  builder.clone(*op, mapping);
  SmallVector<Value> returned;
  for (Value result : results)
    returned.push_back(mapping.lookup(result));
  builder.create<func::ReturnOp>(loc, returned);
  return lone;
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

static double getRange(ArrayRef<HostTensor> tensors) {
  double range = 0;
  for (const HostTensor &tensor : tensors)
    for (int64_t i = 0; i != tensor.getNumElements(); ++i)
      if (double size = std::fabs(tensor.getDouble(i)); std::isfinite(size))
        range = std::max(range, size);
  return range;
}

/// The error of a result is one of what it is computed from, too: little may be
/// left of that.
static std::string compareAll(ArrayRef<HostTensor> inputs,
                              ArrayRef<HostTensor> a, ArrayRef<HostTensor> b) {
  for (auto [i, before, after] : llvm::enumerate(a, b)) {
    ElementType type = before.getType();
    double tolerance = getTolerance(type);
    TensorComparison result =
        compareTensors("", before, after, {tolerance, false});
    double limit = tolerance * getRange(inputs);
    bool isNear = isFloat(type) && result.maxAbsError <= limit;
    if (!result.isEqual && !isNear)
      return llvm::formatv("result {0} differs by {1:e}{2}", i,
                           result.maxAbsError, result.reason);
  }
  return "";
}

/// What is wrong with an expanded operator; empty if nothing is.
static std::string check(LoneOperator &lone, bool replace) {
  static const std::string also[] = {"Sigmoid", "Tanh"};
  auto expected = execute(*lone.module, lone.inputs);
  if (!expected)
    return "cannot be run: " + llvm::toString(expected.takeError());
  OwningOpRef<ModuleOp> module = cast<ModuleOp>((*lone.module)->clone());
  OriginSet origins = collectOrigins(*module);
  ExpandCompositesOptions options;
  options.all = true;
  options.also = also;
  options.replace = replace;
  PassManager passes(module->getContext());
  passes.addNestedPass<func::FuncOp>(createExpandComposites(options));
  if (failed(passes.run(*module)) || failed(verify(*module)))
    return "cannot be expanded";
  if (size_t lost = findLostOrigins(origins, *module).size())
    return std::to_string(lost) + " origins lost";
  auto outputs = execute(*module, lone.inputs);
  if (!outputs)
    return "cannot be run any more: " + llvm::toString(outputs.takeError());
  return compareAll(lone.inputs, *expected, *outputs);
}

/// Composite operators of the graph itself that have an expansion.
static SmallVector<Operation *> findComposites(const RandomGraph &graph) {
  func::FuncOp function = llvm::cantFail(getGraph(*graph.module));
  SmallVector<Operation *> candidates, composites;
  for (Operation &op : function.getBody().front())
    if (isComposite(&op) && !op.use_empty())
      candidates.push_back(&op);
  for (Operation *op : candidates) {
    Expansion expansion(op, /*isRequested=*/true);
    if (failed(expand(expansion)))
      continue;
    expansion.discard();
    composites.push_back(op);
  }
  return composites;
}

TEST(RandomExpansions, ComputeTheSame) {
  llvm::StringSet<> names;
  unsigned numFailed = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    SmallVector<Operation *> composites = findComposites(graph);
    auto values = findOperands(graph, composites);
    ASSERT_TRUE(bool(values)) << llvm::toString(values.takeError());
    for (Operation *op : composites) {
      names.insert(op->getName().stripDialect());
      LoneOperator lone = isolate(op, *values);
      if (!isDefined(lone.inputs))
        continue;
      std::string message = check(lone, /*replace=*/seed % 2 == 0);
      if (message.empty())
        continue;
      ADD_FAILURE() << "seed " << seed << ": " << message;
      op->print(llvm::errs());
      llvm::errs() << "\n";
      if (++numFailed == 5)
        return;
    }
  }
  // Or the graphs show nothing.
  if (numGraphs >= 200)
    EXPECT_GE(names.size(), 50u) << "few composite operators";
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
