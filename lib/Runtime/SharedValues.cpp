//===- SharedValues.cpp - What two graphs call by one name ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedValues.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/Origin.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;
using namespace mlir;

using NamedValues = llvm::MapVector<StringRef, Value>;

/// Whether a group passes on what an operation inside computes: it was not
/// called, or what it gives is called as it is inside.
static bool isPassedOn(OpResult result) {
  auto group = dyn_cast<GroupOp>(result.getOwner());
  if (!group)
    return false;
  Value inside = group.getYielded()[result.getResultNumber()];
  return !wasCalled(group) || getValueName(inside) == getValueName(result);
}

/// Results of an operation that are called by their names; null for a name that
/// was there before.
static void addResults(Operation *op, NamedValues &values) {
  if (isa<ConstantOp>(op))
    return;
  for (OpResult result : op->getResults()) {
    StringRef name = getValueName(result);
    if (name.empty() || result.use_empty() || isPassedOn(result))
      continue;
    auto [it, isNew] = values.try_emplace(name, result);
    if (!isNew)
      it->second = Value();
  }
}

static NamedValues collectNames(func::FuncOp graph) {
  NamedValues values;
  graph.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    addResults(op, values);
    bool runsAgain = op->getNumRegions() != 0 && !isa<GroupOp>(op);
    return runsAgain ? WalkResult::skip() : WalkResult::advance();
  });
  return values;
}

static llvm::StringMap<Value> collectOutputs(func::FuncOp graph) {
  llvm::StringMap<Value> outputs;
  Operation *terminator = graph.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
    outputs[getOutputName(graph, i)] = value;
  return outputs;
}

/// The value that an operation computes, not a group that passes it on.
static Value getInside(Value value) {
  for (auto result = dyn_cast<OpResult>(value); result && isPassedOn(result);
       result = dyn_cast<OpResult>(value))
    value =
        cast<GroupOp>(result.getOwner()).getYielded()[result.getResultNumber()];
  return value;
}

static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !isa<ConstantOp>(op);
}

std::vector<SharedValue> inlay::findSharedValues(func::FuncOp a,
                                                 func::FuncOp b) {
  NamedValues namesA = collectNames(a), namesB = collectNames(b);
  llvm::MapVector<Value, Value> outputs;
  llvm::StringMap<Value> outputsB = collectOutputs(b);
  for (auto &entry : collectOutputs(a))
    if (Value other = outputsB.lookup(entry.getKey()))
      outputs[getInside(entry.getValue())] = getInside(other);
  std::vector<SharedValue> shared;
  for (auto [name, value] : namesA) {
    if (!value)
      continue;
    Value other = outputs.lookup(value);
    if (!other)
      other = namesB.lookup(name);
    if (other && isComputed(value) && isComputed(other))
      shared.push_back({name.str(), value, other});
  }
  return shared;
}
