//===- ExplainEdges.cpp - Why edges cross borders -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/FusionPlan.h"
#include "llvm/ADT/DenseSet.h"

using namespace inlay;
using Code = FusionReasonCode;

/// Groups beyond this size are not measured again, and no longer way around
/// them is searched, for the sake of a reason.
static constexpr size_t maxExplained = 256;

namespace {
class EdgeExplainer {
public:
  EdgeExplainer(const DFG &graph, const HDFG &pipeline, FusionPlan &plan)
      : graph(graph), pipeline(pipeline), plan(plan) {}

  void run();

private:
  FusionReason explain(unsigned from, unsigned to);
  FusionReason explainGroups(unsigned from, unsigned to);
  std::optional<unsigned> findDetour(unsigned group, unsigned to) const;
  const PipelinePlace &getEnd(unsigned group);

  const DFG &graph;
  const HDFG &pipeline;
  FusionPlan &plan;
  /// Where the data of the group that was last asked for leaves the pipeline.
  unsigned endGroup = FusionPlan::none;
  PipelinePlace end;
};
} // namespace

const PipelinePlace &EdgeExplainer::getEnd(unsigned group) {
  if (group == endGroup)
    return end;
  endGroup = group;
  end = pipeline.getStart();
  for (unsigned node : plan.groups[group].nodes)
    if (plan.formOf[node] != FusionPlan::none)
      pipeline.enter(graph[node].forms[plan.formOf[node]], end);
  return end;
}

/// An operator outside of the group that depends on it and that `to` needs,
/// where operators of other groups wait for all that their group waits for.
std::optional<unsigned> EdgeExplainer::findDetour(unsigned group,
                                                  unsigned to) const {
  llvm::SmallVector<unsigned> work = {to};
  llvm::DenseSet<unsigned> seen = {to}, seenGroups;
  auto add = [&](unsigned node) {
    if (seen.insert(node).second)
      work.push_back(node);
  };
  for (unsigned i = 0; i < work.size() && i < maxExplained; ++i) {
    unsigned node = work[i], own = plan.groupOf[node];
    for (unsigned pred : graph[node].pred) {
      if (plan.groupOf[pred] != group)
        add(pred);
      else if (node != to)
        return node;
    }
    if (own != FusionPlan::none && own != plan.groupOf[to] &&
        seenGroups.insert(own).second)
      llvm::for_each(plan.groups[own].nodes, add);
  }
  return std::nullopt;
}

FusionReason EdgeExplainer::explainGroups(unsigned from, unsigned to) {
  unsigned group = plan.groupOf[from];
  std::string other = "group_" + std::to_string(plan.groupOf[to]);
  if (plan.formOf[to] == FusionPlan::none)
    return {Code::OtherGroup, "it is collected by " + other};
  if (auto it = plan.refused.find(to);
      it != plan.refused.end() && it->second.group == group)
    return it->second.reason;
  llvm::SmallBitVector flowing(graph[to].operands.size());
  for (auto [i, operand] : llvm::enumerate(graph[to].operands)) {
    const DFG::Value &value = graph.getValue(operand);
    if (value.isComputed() && plan.groupOf[value.producer] == group)
      flowing.set(i);
  }
  PipelinePlace place = getEnd(group);
  FusionReason reason;
  if (!pipeline.findMatch(graph[to], place, &flowing, &reason))
    return reason;
  const std::vector<unsigned> &nodes = plan.groups[group].nodes;
  if (nodes.size() <= maxExplained) {
    std::vector<unsigned> all = nodes;
    all.insert(llvm::lower_bound(all, to), to);
    if (std::optional<FusionReason> broken = findBrokenLimit(
            pipeline.getFlow().limits, measureGroup(graph, all), all.size()))
      return *broken;
  }
  if (std::optional<unsigned> detour = findDetour(group, to))
    return {Code::Cycle, "'" + graph.getName(*detour) +
                             "' needs a result of group_" +
                             std::to_string(group) + " and must run before '" +
                             graph.getName(to) + "'"};
  return {Code::OtherGroup, "it runs in " + other};
}

FusionReason EdgeExplainer::explain(unsigned from, unsigned to) {
  for (unsigned node : {to, from}) {
    if (plan.groupOf[node] != FusionPlan::none)
      continue;
    FusionReason reason = plan.ungrouped[node];
    reason.text =
        "'" + graph.getName(node) + "' is in no group: " + reason.text;
    return reason;
  }
  return explainGroups(from, to);
}

void EdgeExplainer::run() {
  plan.edges.clear();
  plan.hasEdges = true;
  for (unsigned node = 0; node < graph.size(); ++node)
    for (unsigned result : graph[node].results)
      for (unsigned user : graph.getValue(result).users)
        if (!plan.areTogether(node, user))
          plan.edges.push_back({node, user, result, explain(node, user)});
}

void inlay::explainEdges(const DFG &graph, const HDFG &pipeline,
                         FusionPlan &plan) {
  EdgeExplainer(graph, pipeline, plan).run();
}
