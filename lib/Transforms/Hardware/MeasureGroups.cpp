//===- MeasureGroups.cpp - What groups read and write in the end ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/AssumedShapes.h"
#include "inlay/HardwareFusion/OpFacts.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Transforms/Hardware/Fuse.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace inlay;
using namespace mlir;

/// What an operator reads and writes when it stands alone.
static uint64_t measureAlone(Operation *op, ValueSizer sizer) {
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      (op->getNumResults() == 1 && isConstantValue(op->getResult(0))))
    return 0;
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  if (op->getNumRegions() != 0)
    getUsedValuesDefinedAbove(op->getRegions(), values);
  uint64_t bytes = 0;
  for (Value value : values)
    if (!isConstantValue(value))
      bytes += sizer(value);
  for (Value result : op->getResults())
    if (!result.use_empty())
      bytes += sizer(result);
  return bytes;
}

static uint64_t measureApart(Block &block, ValueSizer sizer) {
  uint64_t bytes = 0;
  for (Operation &op : block) {
    auto group = dyn_cast<GroupOp>(op);
    if (!group) {
      bytes += measureAlone(&op, sizer);
      continue;
    }
    for (Operation &inner : group.getBody().front())
      bytes += measureAlone(&inner, sizer);
  }
  return bytes;
}

/// What the copies read and write that give an input of the graph, or one value
/// a second time, the name of an output.
static uint64_t measureCopies(func::FuncOp func, ValueSizer sizer) {
  llvm::DenseMap<Value, StringRef> nameOf;
  llvm::StringSet<> given;
  for (BlockArgument argument : func.getArguments())
    nameOf[argument] = getInputName(func, argument.getArgNumber());
  uint64_t bytes = 0;
  Operation *end = func.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    StringRef name = getOutputName(func, i);
    bool isNamed = nameOf.try_emplace(value, name).first->second == name;
    if (!given.insert(name).second || isNamed)
      continue;
    bytes += sizer(value) * (isConstantValue(value) ? 1 : 2);
  }
  return bytes;
}

void inlay::measureGroups(func::FuncOp func, const Target &target,
                          FusionResult &result) {
  AssumedShapes shapes(func, target);
  auto sizer = [&](Value value) { return shapes.getBytes(value); };
  Block &block = func.getBody().front();
  DFG graph = DFG::Creator(block, getOnnxOpType, sizer).create();
  llvm::StringMap<GroupMeasure> measures;
  for (unsigned node = 0; node < graph.size(); ++node)
    if (auto group = dyn_cast<GroupOp>(graph[node].ref))
      measures[group.getName()] = measureGroup(graph, {node});
  for (FusedGroup &group : result.groups) {
    const GroupMeasure &measure = measures[group.name];
    group.numInputs = measure.inputs.size();
    group.numOutputs = measure.outputs.size();
    group.bytesIn = measure.bytesIn;
    group.bytesOut = measure.bytesOut;
  }
  uint64_t copies = measureCopies(func, sizer);
  uint64_t planned = result.bytesAfter + copies;
  result.bytesBefore = measureApart(block, sizer) + copies;
  result.bytesAfter = computeBytes(graph, FusionPlan(graph)) + copies;
  if (!result.bound)
    return;
  // Copies are there whatever groups there are.
  *result.bound += copies;
  if (result.bytesAfter == planned)
    return;
  result.bound.reset();
  result.plannedBytes = planned;
}
