//===- Fusion.cpp - From a block to groups --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/Fusion.h"
#include "inlay/HardwareFusion/VerifyGroups.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "llvm/ADT/StringSwitch.h"

using namespace inlay;

llvm::StringRef inlay::getName(FusionStrategy strategy) {
  return strategy == FusionStrategy::Greedy ? "greedy" : "optimal";
}

std::optional<FusionStrategy> inlay::parseFusionStrategy(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<FusionStrategy>>(name)
      .Case("greedy", FusionStrategy::Greedy)
      .Case("optimal", FusionStrategy::Optimal)
      .Default(std::nullopt);
}

llvm::Expected<FusionPlan> inlay::planFusion(const DFG &graph,
                                             const HDFG &pipeline,
                                             FusionStrategy strategy,
                                             bool explains) {
  FusionPlan plan = strategy == FusionStrategy::Greedy
                        ? planGreedy(graph, pipeline)
                        : planOptimal(graph, pipeline);
  if (explains)
    explainEdges(graph, pipeline, plan);
  if (llvm::Error error = verifyGroups(graph, pipeline.getFlow(), plan))
    return error;
  return plan;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static std::string getGroupName(const FusionPlan &plan, unsigned node) {
  unsigned group = plan.groupOf[node];
  return group == FusionPlan::none ? "" : "group_" + std::to_string(group);
}

/// The name of an input of the graph or of a constant.
static std::string getAttributedName(mlir::Value value) {
  if (!value)
    return "";
  if (mlir::Operation *op = value.getDefiningOp())
    return getNodeName(op);
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  if (auto graph = llvm::dyn_cast<mlir::func::FuncOp>(
          argument.getOwner()->getParentOp()))
    return getInputName(graph, argument.getArgNumber()).str();
  return "";
}

static FusedGroup describeGroup(const DFG &graph, const HDFG &pipeline,
                                const FusionPlan &plan, unsigned index) {
  const PlannedGroup &planned = plan.groups[index];
  FusedGroup group;
  group.name = "group_" + std::to_string(index);
  for (unsigned node : planned.nodes) {
    const DFG::Node &op = graph[node];
    unsigned form = plan.formOf[node];
    group.ops.push_back({op.ref, graph.getName(node), op.opType,
                         form == FusionPlan::none
                             ? ""
                             : pipeline.getStageNames(op.forms[form])});
  }
  GroupMeasure measure = measureGroup(graph, planned.nodes);
  group.numInputs = measure.inputs.size();
  group.numOutputs = measure.outputs.size();
  group.bytesIn = measure.bytesIn;
  group.bytesOut = measure.bytesOut;
  group.onChipPeak = measure.onChipPeak;
  for (unsigned value : planned.attributed)
    group.attributed.push_back(getAttributedName(graph.getValue(value).ref));
  group.trace = planned.trace;
  return group;
}

FusionResult inlay::describePlan(const DFG &graph, const HDFG &pipeline,
                                 const FusionPlan &plan) {
  FusionResult result;
  for (unsigned group = 0; group < plan.groups.size(); ++group)
    result.groups.push_back(describeGroup(graph, pipeline, plan, group));
  for (const auto &[node, reason] : plan.ungrouped)
    result.ungrouped.push_back(
        {graph[node].ref, graph.getName(node), graph[node].opType, reason});
  for (const PlannedEdge &edge : plan.edges) {
    const DFG::Value &value = graph.getValue(edge.value);
    result.edges.push_back({graph.getName(edge.from), graph.getName(edge.to),
                            getGroupName(plan, edge.from),
                            getGroupName(plan, edge.to),
                            value.ref ? getValueName(value.ref).str() : "",
                            value.bytes, edge.reason});
  }
  result.trace = plan.trace;
  result.bytesBefore = computeBytes(graph, FusionPlan(graph));
  result.bytesAfter = computeBytes(graph, plan);
  result.bound = plan.bound;
  return result;
}
