//===- FusionPlan.cpp - Which operators run together ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/FusionPlan.h"
#include "inlay/Analysis/GraphUnits.h"
#include <set>

using namespace inlay;

//===----------------------------------------------------------------------===//
// What a group reads, writes and keeps
//===----------------------------------------------------------------------===//

/// Sums up over the nodes what is alive while each runs.
static uint64_t
findPeak(llvm::ArrayRef<std::tuple<unsigned, unsigned, uint64_t>> lifetimes,
         size_t numNodes) {
  std::vector<uint64_t> begins(numNodes + 1), ends(numNodes + 1);
  for (auto [begin, end, bytes] : lifetimes) {
    begins[begin] += bytes;
    ends[end] += bytes;
  }
  uint64_t peak = 0, alive = 0;
  for (size_t i = 0; i < numNodes; ++i) {
    alive += begins[i];
    peak = std::max(peak, alive);
    alive -= ends[i];
  }
  return peak;
}

GroupMeasure inlay::measureGroup(const DFG &graph,
                                 llvm::ArrayRef<unsigned> nodes) {
  GroupMeasure measure;
  auto position = [&](unsigned node) {
    return unsigned(llvm::lower_bound(nodes, node) - nodes.begin());
  };
  std::vector<std::tuple<unsigned, unsigned, uint64_t>> lifetimes;
  auto read = [&](unsigned id) {
    const DFG::Value &value = graph.getValue(id);
    if (value.isConstant)
      return;
    measure.inputs.push_back(id);
    measure.bytesIn += value.bytes;
  };
  auto made = [&](unsigned id, bool leaves) {
    const DFG::Value &value = graph.getValue(id);
    if (leaves) {
      measure.outputs.push_back(id);
      measure.bytesOut += value.bytes;
    } else if (!value.users.empty()) {
      lifetimes.emplace_back(position(value.producer),
                             position(value.users.back()), value.bytes);
    }
  };
  visitBorder(graph, nodes, read, made);
  measure.onChipPeak = findPeak(lifetimes, nodes.size());
  return measure;
}

static FusionReason exceed(FusionReasonCode code, llvm::StringRef what,
                           uint64_t limit, uint64_t found) {
  return {code, ("a group has at most " + llvm::Twine(limit) + " " + what +
                 ", found " + llvm::Twine(found))
                    .str()};
}

std::optional<FusionReason> inlay::findBrokenLimit(const GroupLimits &limits,
                                                   const GroupMeasure &measure,
                                                   size_t numOps) {
  using Code = FusionReasonCode;
  if (limits.inputs && measure.inputs.size() > *limits.inputs)
    return exceed(Code::Inputs, "inputs", *limits.inputs,
                  measure.inputs.size());
  if (limits.outputs && measure.outputs.size() > *limits.outputs)
    return exceed(Code::Outputs, "outputs", *limits.outputs,
                  measure.outputs.size());
  if (limits.ops && numOps > *limits.ops)
    return exceed(Code::Ops, "operators", *limits.ops, numOps);
  if (limits.onChipBytes && measure.onChipPeak > *limits.onChipBytes)
    return exceed(Code::OnChipBytes, "bytes on chip", *limits.onChipBytes,
                  measure.onChipPeak);
  return std::nullopt;
}

uint64_t inlay::computeBytes(const DFG &graph, const FusionPlan &plan) {
  uint64_t bytes = 0;
  llvm::SmallVector<unsigned> groups;
  for (const DFG::Value &value : graph.getValues()) {
    if (value.isConstant)
      continue;
    bool isResult = value.isComputed();
    bool leaves = isResult && value.escapes;
    groups.clear();
    uint64_t reads = 0;
    for (unsigned user : value.users) {
      if (isResult && plan.areTogether(value.producer, user))
        continue;
      leaves |= isResult;
      if (unsigned group = plan.groupOf[user]; group == FusionPlan::none)
        ++reads;
      else
        groups.push_back(group);
    }
    llvm::sort(groups);
    reads += std::unique(groups.begin(), groups.end()) - groups.begin();
    bytes += value.bytes * (reads + leaves);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Whether nodes run as one group
//===----------------------------------------------------------------------===//

namespace {
/// Finds forms by depth-first search over the few that each node has.
class FormSearch {
public:
  FormSearch(const DFG &graph, const HDFG &pipeline,
             llvm::ArrayRef<unsigned> nodes)
      : graph(graph), pipeline(pipeline), nodes(nodes),
        forms(nodes.size(), FusionPlan::none), carries(nodes.size()) {}

  std::optional<std::vector<unsigned>> run(FusionReason *reason);

private:
  bool prepare(FusionReason *reason);
  bool search(FusionReason *reason);

  const DFG &graph;
  const HDFG &pipeline;
  llvm::ArrayRef<unsigned> nodes;
  std::vector<unsigned> forms;
  /// Mapped nodes, as places in `nodes`, with the operands that data of the
  /// group flows in through.
  std::vector<std::pair<unsigned, llvm::SmallBitVector>> mapped;
  llvm::BitVector carries;
};
} // namespace

bool FormSearch::prepare(FusionReason *reason) {
  for (auto [at, index] : llvm::enumerate(nodes)) {
    const DFG::Node &node = graph[index];
    llvm::SmallBitVector flowing(node.operands.size());
    for (auto [i, operand] : llvm::enumerate(node.operands)) {
      const DFG::Value &value = graph.getValue(operand);
      if (!value.isComputed())
        continue;
      if (std::optional<unsigned> from = findPlace(nodes, value.producer))
        if (carries.test(*from))
          flowing.set(i);
    }
    if (node.role == DFG::Role::Mapped) {
      mapped.emplace_back(at, flowing);
      carries.set(at);
      continue;
    }
    bool isNeeded = llvm::any_of(
        node.succ, [&](unsigned user) { return hasNode(nodes, user); });
    if (node.role == DFG::Role::Outside || !isNeeded) {
      if (reason)
        *reason = *graph.getReason(index);
      return false;
    }
    if (flowing.any())
      carries.set(at);
  }
  return !mapped.empty();
}

bool FormSearch::search(FusionReason *reason) {
  struct Frame {
    PipelinePlace before;
    unsigned next = 0;
  };
  std::vector<Frame> stack = {{pipeline.getStart()}};
  // What was tried from a place and failed fails again.
  std::set<std::pair<unsigned, PipelinePlace>> tried;
  while (!stack.empty()) {
    unsigned depth = stack.size() - 1;
    if (depth == mapped.size())
      return true;
    auto &[at, flowing] = mapped[depth];
    const DFG::Node &node = graph[nodes[at]];
    Frame &frame = stack.back();
    bool entered = false;
    while (frame.next < node.forms.size() && !entered) {
      unsigned index = frame.next++;
      const StageForm &form = node.forms[index];
      bool flows = depth == 0 || llvm::any_of(form.data, [&](unsigned operand) {
                     return flowing.test(operand);
                   });
      PipelinePlace place = frame.before;
      if (!flows || !pipeline.enter(form, place) ||
          !tried.insert({depth, place}).second)
        continue;
      forms[at] = index;
      entered = true;
      stack.push_back({std::move(place)});
    }
    if (entered)
      continue;
    if (reason && reason->text.empty())
      pipeline.findMatch(node, frame.before, depth == 0 ? nullptr : &flowing,
                         reason);
    stack.pop_back();
  }
  return false;
}

std::optional<std::vector<unsigned>> FormSearch::run(FusionReason *reason) {
  if (!prepare(reason))
    return std::nullopt;
  if (!search(reason))
    return std::nullopt;
  return std::move(forms);
}

std::optional<std::vector<unsigned>>
inlay::findForms(const DFG &graph, const HDFG &pipeline,
                 llvm::ArrayRef<unsigned> nodes, FusionReason *reason) {
  if (reason)
    *reason = {};
  auto forms = FormSearch(graph, pipeline, nodes).run(reason);
  if (!forms)
    return std::nullopt;
  const GroupLimits &limits = pipeline.getFlow().limits;
  std::optional<FusionReason> broken =
      findBrokenLimit(limits, measureGroup(graph, nodes), nodes.size());
  if (!broken)
    return forms;
  if (reason)
    *reason = *broken;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The order of groups
//===----------------------------------------------------------------------===//

void inlay::sortGroups(const DFG &graph, FusionPlan &plan) {
  // A unit, a group or a single node, is called by its first node.
  auto getUnit = [&](unsigned node) {
    unsigned group = plan.groupOf[node];
    return group == FusionPlan::none ? node : plan.groups[group].nodes.front();
  };
  auto getMembers = [&](const unsigned &unit) {
    unsigned group = plan.groupOf[unit];
    return group == FusionPlan::none
               ? llvm::ArrayRef<unsigned>(unit)
               : llvm::ArrayRef<unsigned>(plan.groups[group].nodes);
  };
  std::vector<unsigned> order;
  for (unsigned unit : sortUnits(graph, graph.size(), getUnit, getMembers))
    if (plan.groupOf[unit] != FusionPlan::none)
      order.push_back(plan.groupOf[unit]);
  assert(order.size() == plan.groups.size() && "groups wait for each other");
  std::vector<PlannedGroup> sorted;
  for (unsigned group : order) {
    for (unsigned node : plan.groups[group].nodes)
      plan.groupOf[node] = sorted.size();
    sorted.push_back(std::move(plan.groups[group]));
  }
  plan.groups = std::move(sorted);
}
