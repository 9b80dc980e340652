//===- VerifyGroups.cpp - What must hold of groups ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/VerifyGroups.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/DenseSet.h"

using namespace inlay;

static llvm::Error fault(const llvm::Twine &text) {
  return makeError(ExitCode::Internal, text);
}

namespace {
class GroupVerifier {
public:
  GroupVerifier(const DFG &graph, const DataFlow &flow, const FusionPlan &plan)
      : graph(graph), flow(flow), plan(plan) {}

  llvm::Error run();

private:
  llvm::Error checkMembers();
  llvm::Error checkStages(unsigned group);
  llvm::Error checkForm(unsigned group, unsigned node);
  llvm::Error checkCollected(unsigned group, unsigned node);
  llvm::Error checkLimits(unsigned group);
  llvm::Error checkOrder();
  llvm::Error checkEdges();

  bool leadsTo(std::optional<unsigned> from, unsigned to) const;
  bool isFlowing(unsigned group, unsigned operand) const;
  llvm::Error fail(unsigned group, const llvm::Twine &text) const {
    return fault("group_" + llvm::Twine(group) + " " + text);
  }
  std::string quote(unsigned node) const {
    return "'" + graph.getName(node) + "'";
  }

  const DFG &graph;
  const DataFlow &flow;
  const FusionPlan &plan;
  // Of the group that is checked.
  std::optional<unsigned> last;
  std::vector<unsigned> uses;
  llvm::DenseSet<unsigned> carriers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

llvm::Error GroupVerifier::checkMembers() {
  std::vector<unsigned> found(graph.size(), FusionPlan::none);
  for (auto [group, planned] : llvm::enumerate(plan.groups)) {
    if (!llvm::is_sorted(planned.nodes))
      return fail(group, "has its operators out of order");
    for (unsigned node : planned.nodes) {
      if (found[node] != FusionPlan::none)
        return fail(group, "shares " + quote(node) + " with group_" +
                               llvm::Twine(found[node]));
      found[node] = group;
    }
  }
  for (unsigned node = 0; node < graph.size(); ++node) {
    if (found[node] != plan.groupOf[node])
      return fault("the group of " + quote(node) +
                   " does not list it, or another does");
    auto reason = plan.ungrouped.find(node);
    bool hasReason =
        reason != plan.ungrouped.end() && !reason->second.text.empty();
    if (hasReason != (found[node] == FusionPlan::none))
      return fault(quote(node) + (hasReason ? " is in a group and has a "
                                              "reason to be in none"
                                            : " is in no group and has no "
                                              "reason"));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Follows links past stages that may be skipped.
bool GroupVerifier::leadsTo(std::optional<unsigned> from, unsigned to) const {
  llvm::SmallVector<unsigned> work(
      from ? llvm::ArrayRef<unsigned>(flow.links[*from])
           : llvm::ArrayRef<unsigned>(flow.roots));
  llvm::DenseSet<unsigned> seen;
  while (!work.empty()) {
    unsigned stage = work.pop_back_val();
    if (stage == to)
      return true;
    if (seen.insert(stage).second && flow.stages[stage].bypass)
      llvm::append_range(work, flow.links[stage]);
  }
  return false;
}

bool GroupVerifier::isFlowing(unsigned group, unsigned operand) const {
  const DFG::Value &value = graph.getValue(operand);
  return value.isComputed() && plan.groupOf[value.producer] == group &&
         carriers.contains(value.producer);
}

llvm::Error GroupVerifier::checkForm(unsigned group, unsigned node) {
  const DFG::Node &op = graph[node];
  if (op.role != DFG::Role::Mapped || plan.formOf[node] >= op.forms.size())
    return fail(group, "has no stage for " + quote(node));
  const StageForm &form = op.forms[plan.formOf[node]];
  bool flows = llvm::any_of(form.data, [&](unsigned operand) {
    return isFlowing(group, op.operands[operand]);
  });
  if (last && !flows)
    return fail(group, "passes nothing to " + quote(node));
  for (unsigned stage : form.stages) {
    const std::string &name = flow.stages[stage].name;
    if (!leadsTo(last, stage))
      return fail(group,
                  "has no way to stage '" + name + "' for " + quote(node));
    if (++uses[stage] > flow.stages[stage].max)
      return fail(group, "uses stage '" + name + "' more often than " +
                             llvm::Twine(flow.stages[stage].max) + " times");
    last = stage;
  }
  carriers.insert(node);
  return llvm::Error::success();
}

llvm::Error GroupVerifier::checkCollected(unsigned group, unsigned node) {
  const DFG::Node &op = graph[node];
  if (op.role != DFG::Role::Collectable)
    return fail(group, "must not collect " + quote(node));
  if (llvm::none_of(op.succ,
                    [&](unsigned user) { return plan.groupOf[user] == group; }))
    return fail(group, "has no need of " + quote(node));
  if (llvm::any_of(op.operands,
                   [&](unsigned operand) { return isFlowing(group, operand); }))
    carriers.insert(node);
  return llvm::Error::success();
}

llvm::Error GroupVerifier::checkStages(unsigned group) {
  last.reset();
  uses.assign(flow.stages.size(), 0);
  carriers.clear();
  for (unsigned node : plan.groups[group].nodes)
    if (llvm::Error error = plan.formOf[node] == FusionPlan::none
                                ? checkCollected(group, node)
                                : checkForm(group, node))
      return error;
  if (!last)
    return fail(group, "uses no stage");
  return llvm::Error::success();
}

llvm::Error GroupVerifier::checkLimits(unsigned group) {
  const std::vector<unsigned> &nodes = plan.groups[group].nodes;
  if (flow.limits == GroupLimits())
    return llvm::Error::success();
  if (std::optional<FusionReason> broken = findBrokenLimit(
          flow.limits, measureGroup(graph, nodes), nodes.size()))
    return fail(group, "is beyond a limit: " + broken->text);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The graph of groups
//===----------------------------------------------------------------------===//

/// Runs groups and single operators as soon as they can; what is left waits for
/// itself. Groups must also be able to run one after the other.
llvm::Error GroupVerifier::checkOrder() {
  unsigned numGroups = plan.groups.size();
  auto unitOf = [&](unsigned node) {
    return plan.groupOf[node] == FusionPlan::none ? numGroups + node
                                                  : plan.groupOf[node];
  };
  std::vector<unsigned> waitsFor(numGroups + graph.size());
  for (unsigned node = 0; node < graph.size(); ++node)
    for (unsigned pred : graph[node].pred)
      waitsFor[unitOf(node)] += unitOf(pred) != unitOf(node);
  std::vector<unsigned> work;
  // Single operators run as early as possible, groups in their order.
  for (unsigned node = graph.size(); node-- > 0;)
    if (plan.groupOf[node] == FusionPlan::none &&
        waitsFor[numGroups + node] == 0)
      work.push_back(numGroups + node);
  auto leave = [&](unsigned node) {
    for (unsigned user : graph[node].succ) {
      unsigned unit = unitOf(user);
      if (unit != unitOf(node) && --waitsFor[unit] == 0 && unit >= numGroups)
        work.push_back(unit);
    }
  };
  for (unsigned group = 0; group <= numGroups; ++group) {
    while (!work.empty()) {
      unsigned unit = work.back();
      work.pop_back();
      leave(unit - numGroups);
    }
    if (group == numGroups)
      break;
    if (waitsFor[group] != 0)
      return fail(group, "waits for itself or for a group behind it");
    for (unsigned node : plan.groups[group].nodes)
      leave(node);
  }
  return llvm::Error::success();
}

llvm::Error GroupVerifier::checkEdges() {
  size_t next = 0;
  for (unsigned node = 0; node < graph.size(); ++node)
    for (unsigned result : graph[node].results)
      for (unsigned user : graph.getValue(result).users) {
        if (plan.areTogether(node, user))
          continue;
        if (next == plan.edges.size() || plan.edges[next].from != node ||
            plan.edges[next].to != user || plan.edges[next].value != result ||
            plan.edges[next].reason.text.empty())
          return fault("the edge from " + quote(node) + " to " + quote(user) +
                       " crosses a border for no reason");
        ++next;
      }
  if (next != plan.edges.size())
    return fault("there are reasons for edges that cross no border");
  return llvm::Error::success();
}

llvm::Error GroupVerifier::run() {
  if (llvm::Error error = checkMembers())
    return error;
  for (unsigned group = 0; group < plan.groups.size(); ++group) {
    if (llvm::Error error = checkStages(group))
      return error;
    if (llvm::Error error = checkLimits(group))
      return error;
  }
  if (llvm::Error error = checkOrder())
    return error;
  return plan.hasEdges ? checkEdges() : llvm::Error::success();
}

llvm::Error inlay::verifyGroups(const DFG &graph, const DataFlow &flow,
                                const FusionPlan &plan) {
  return GroupVerifier(graph, flow, plan).run();
}
