//===- ShrinkGraph.cpp - The least part of a graph that fails -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShrinkGraph.h"
#include "inlay/IR/Graph.h"
#include "inlay/Runtime/Executor.h"

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static RandomGraph clone(const RandomGraph &graph) {
  ModuleOp module = *graph.module;
  return {module.clone(), graph.inputs, graph.isExact};
}

static func::FuncOp getFunction(const RandomGraph &graph) {
  return llvm::cantFail(getGraph(*graph.module));
}

static void setOutputs(func::FuncOp function, ArrayRef<Value> outputs) {
  function.getBody().front().getTerminator()->setOperands(outputs);
  function.removeResAttrsAttr();
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             function.getArgumentTypes(),
                                             TypeRange(ValueRange(outputs))));
}

/// Removes operations and inputs that nothing needs.
static void removeDead(RandomGraph &graph) {
  func::FuncOp function = getFunction(graph);
  Block &block = function.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
  for (unsigned i = function.getNumArguments(); i-- > 0;)
    if (function.getArgument(i).use_empty()) {
      function.eraseArgument(i);
      graph.inputs.erase(graph.inputs.begin() + i);
    }
}

/// Without output `index`; false where there is no such output.
static bool dropOutput(RandomGraph &graph, unsigned index) {
  func::FuncOp function = getFunction(graph);
  Operation *end = function.getBody().front().getTerminator();
  if (end->getNumOperands() < 2 || index >= end->getNumOperands())
    return false;
  SmallVector<Value> outputs(end->getOperands());
  outputs.erase(outputs.begin() + index);
  setOutputs(function, outputs);
  removeDead(graph);
  return true;
}

/// With inputs for the results of operation `index`; false where there is none
/// or it could not be run.
static bool cutAt(RandomGraph &graph, unsigned index) {
  func::FuncOp function = getFunction(graph);
  Block &block = function.getBody().front();
  if (index + 1 >= block.getOperations().size())
    return false;
  Operation *op = &*std::next(block.begin(), index);
  if (isa<ConstantOp>(op))
    return false;
  SmallVector<Value> outputs(block.getTerminator()->getOperands());
  setOutputs(function, SmallVector<Value>(op->getResults()));
  auto tensors = execute(*graph.module, graph.inputs);
  if (!tensors) {
    llvm::consumeError(tensors.takeError());
    return false;
  }
  setOutputs(function, outputs);
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), *tensors)) {
    unsigned number = function.getNumArguments();
    function.insertArgument(number, result.getType(), {}, op->getLoc());
    result.replaceAllUsesWith(function.getArgument(number));
    graph.inputs.push_back(tensor);
  }
  setOutputs(function,
             SmallVector<Value>(block.getTerminator()->getOperands()));
  removeDead(graph);
  return true;
}

RandomGraph inlay::testing::shrinkGraph(
    RandomGraph graph, llvm::function_ref<bool(const RandomGraph &)> fails) {
  auto attempt = [&](auto &&change, unsigned index) {
    RandomGraph smaller = clone(graph);
    if (!change(smaller, index) || !fails(smaller))
      return false;
    graph = std::move(smaller);
    return true;
  };
  auto countOutputs = [&] { return getFunction(graph).getNumResults(); };
  auto countOps = [&] {
    return getFunction(graph).getBody().front().getOperations().size();
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = countOutputs(); i-- > 0;)
      changed |= attempt(dropOutput, i);
    // The last ones first: what stands before them is then dead.
    for (unsigned i = countOps(); i-- > 0;)
      changed |= attempt(cutAt, i);
  }
  return graph;
}
