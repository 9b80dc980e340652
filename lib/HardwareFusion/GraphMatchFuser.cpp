//===- GraphMatchFuser.cpp - The greedy way to groups ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/GraphMatchFuser.h"
#include "GroupCounter.h"
#include "inlay/HardwareFusion/Fusion.h"
#include "inlay/IR/Origin.h"

using namespace inlay;
using Code = FusionReasonCode;

/// Places that a border may move back over.
static constexpr unsigned maxBorders = 16;
/// Groups beyond this size keep their border.
static constexpr size_t maxMovable = 1024;

GraphMatchFuser::GraphMatchFuser(const DFG &graph, const HDFG &pipeline)
    : graph(graph), pipeline(pipeline), limits(pipeline.getFlow().limits),
      plan(graph), counter(std::make_unique<GroupCounter>(graph)),
      carries(graph.size()), isVisited(graph.size()), isClosed(graph.size()),
      isAttributed(graph.getValues().size()), dependency(graph.size()) {}

GraphMatchFuser::~GraphMatchFuser() = default;

void GraphMatchFuser::note(std::string line) {
  plan.groups.back().trace.push_back(line);
  plan.trace.push_back(std::move(line));
}

//===----------------------------------------------------------------------===//
// What a group takes in on the way
//===----------------------------------------------------------------------===//

/// Whether collecting keeps the order: whoever needs the candidate and was
/// visited before is in the group. `accepted` descend.
bool GraphMatchFuser::mayCollect(unsigned candidate, unsigned node,
                                 llvm::ArrayRef<unsigned> accepted) const {
  bool isNeeded = false;
  for (unsigned user : graph[candidate].succ) {
    bool isAccepted =
        user == node || std::binary_search(accepted.begin(), accepted.end(),
                                           user, std::greater<>());
    isNeeded |= isAccepted;
    if (!isAccepted && isVisited.test(user) && !isInLatest(user))
      return false;
  }
  return isNeeded;
}

/// Walks up from the node until it meets operators of groups, operators that
/// stages take, or what has been decided upon.
GraphMatchFuser::Nodes GraphMatchFuser::findCollectable(unsigned node) {
  Nodes found;
  llvm::SmallDenseSet<unsigned, 8> seen;
  auto add = [&](unsigned below) {
    for (unsigned pred : graph[below].pred)
      if (graph[pred].role == DFG::Role::Collectable && !isClosed.test(pred) &&
          plan.groupOf[pred] == FusionPlan::none && seen.insert(pred).second)
        found.push_back(pred);
  };
  add(node);
  for (unsigned i = 0; i < found.size(); ++i)
    add(found[i]);
  return found;
}

GraphMatchFuser::Nodes GraphMatchFuser::collectInputs(unsigned node) {
  Nodes found = findCollectable(node);
  // Users first: whether one is taken in depends on them.
  llvm::sort(found, std::greater<>());
  Nodes accepted;
  for (unsigned candidate : found)
    if (mayCollect(candidate, node, accepted))
      accepted.push_back(candidate);
  std::reverse(accepted.begin(), accepted.end());
  return accepted;
}

/// Those of `collected` that what flows through the group flows through.
GraphMatchFuser::Nodes
GraphMatchFuser::findCarriers(llvm::ArrayRef<unsigned> collected) const {
  Nodes carriers;
  for (unsigned node : collected)
    if (getFlowing(node, carriers).any())
      carriers.push_back(node);
  return carriers;
}

llvm::SmallBitVector
GraphMatchFuser::getFlowing(unsigned node,
                            llvm::ArrayRef<unsigned> carriers) const {
  llvm::SmallBitVector flowing(graph[node].operands.size());
  for (auto [i, operand] : llvm::enumerate(graph[node].operands)) {
    const DFG::Value &value = graph.getValue(operand);
    if (!value.isComputed())
      continue;
    if ((isInLatest(value.producer) && carries.test(value.producer)) ||
        std::binary_search(carriers.begin(), carriers.end(), value.producer))
      flowing.set(i);
  }
  return flowing;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// An operator outside that depends on the latest group and that `node` or what
/// is collected with it depends on.
std::optional<unsigned>
GraphMatchFuser::findDetour(unsigned node,
                            llvm::ArrayRef<unsigned> collected) const {
  auto find = [&](unsigned added) -> std::optional<unsigned> {
    for (unsigned pred : graph[added].pred)
      if (plan.groupOf[pred] == FusionPlan::none &&
          !std::binary_search(collected.begin(), collected.end(), pred) &&
          dependency[pred] == getLatest() + 1)
        return pred;
    return std::nullopt;
  };
  for (unsigned added : collected)
    if (std::optional<unsigned> detour = find(added))
      return detour;
  return find(node);
}

std::optional<FusionReason>
GraphMatchFuser::findLimit(unsigned node, llvm::ArrayRef<unsigned> collected) {
  if (limits == GroupLimits())
    return std::nullopt;
  llvm::ArrayRef<unsigned> nodes = plan.groups.back().nodes;
  size_t numOps = nodes.size() + collected.size() + 1;
  GroupMeasure measure;
  for (unsigned added : collected)
    counter->add(added);
  counter->add(node);
  measure.inputs.resize(counter->getNumInputs());
  measure.outputs.resize(counter->getNumOutputs());
  std::optional<FusionReason> broken = findBrokenLimit(limits, measure, numOps);
  if (!broken && limits.onChipBytes) {
    std::vector<unsigned> all(nodes.begin(), nodes.end());
    llvm::append_range(all, collected);
    all.push_back(node);
    llvm::sort(all);
    measure = measureGroup(graph, all);
    broken = findBrokenLimit(limits, measure, numOps);
  }
  if (broken)
    counter->reset(nodes);
  return broken;
}

/// Nodes outside know the latest group that they depend on.
void GraphMatchFuser::setDependency(unsigned node) {
  unsigned latest = 0;
  for (unsigned pred : graph[node].pred)
    latest = std::max(latest, plan.groupOf[pred] == FusionPlan::none
                                  ? dependency[pred]
                                  : plan.groupOf[pred] + 1);
  dependency[node] = latest;
}

//===----------------------------------------------------------------------===//
// Adding
//===----------------------------------------------------------------------===//

void GraphMatchFuser::attribute(unsigned node) {
  for (unsigned operand : graph[node].operands) {
    const DFG::Value &value = graph.getValue(operand);
    if (value.isComputed() || isAttributed.test(operand))
      continue;
    isAttributed.set(operand);
    plan.groups.back().attributed.push_back(operand);
    note(std::string("## ") + (value.isConstant ? "const" : "var") +
         " added to group " + std::to_string(getLatest()) +
         " via CollectInputs()");
  }
}

void GraphMatchFuser::addToGroup(unsigned node, unsigned form,
                                 llvm::ArrayRef<unsigned> collected) {
  PlannedGroup &group = plan.groups.back();
  std::string name = " added to group " + std::to_string(getLatest());
  for (unsigned carrier : findCarriers(collected))
    carries.set(carrier);
  carries.set(node);
  note("## " + std::to_string(node) + ": " + graph[node].opType + name);
  // From the node up, the order in which `CollectInputs` of
  // docs/Requirements.md walks.
  attribute(node);
  for (unsigned added : llvm::reverse(collected)) {
    note("## " + std::to_string(added) + ": " + graph[added].opType + name +
         " via CollectInputs()");
    attribute(added);
  }
  for (unsigned added : collected) {
    plan.groupOf[added] = getLatest();
    plan.ungrouped.erase(added);
    group.nodes.push_back(added);
  }
  group.nodes.push_back(node);
  plan.groupOf[node] = getLatest();
  plan.formOf[node] = form;
  closeInputs(node);
}

void GraphMatchFuser::closeInputs(unsigned node) {
  for (unsigned left : findCollectable(node)) {
    isClosed.set(left);
    auto other = llvm::find_if(graph[left].succ, [&](unsigned user) {
      return isVisited.test(user) && !isInLatest(user);
    });
    std::string group = "group_" + std::to_string(getLatest());
    if (other != graph[left].succ.end())
      plan.ungrouped[left] = {Code::UsedBefore, "'" + graph.getName(*other) +
                                                    "' needs it before " +
                                                    group};
    else if (notCollected)
      plan.ungrouped[left] = {notCollected->code,
                              group +
                                  " cannot collect it: " + notCollected->text};
    else
      plan.ungrouped[left] = {Code::UsedBefore,
                              "what needs it runs before " + group};
  }
}

bool GraphMatchFuser::tryAdd(unsigned node, llvm::ArrayRef<unsigned> collected,
                             FusionReason &reason) {
  bool isFirst = plan.groups.back().nodes.empty();
  PipelinePlace next = isFirst ? pipeline.getStart() : place;
  llvm::SmallBitVector flowing = getFlowing(node, findCarriers(collected));
  std::optional<unsigned> form = pipeline.findMatch(
      graph[node], next, isFirst ? nullptr : &flowing, &reason);
  if (!form)
    return false;
  if (std::optional<unsigned> detour = findDetour(node, collected)) {
    reason = {Code::Cycle,
              "'" + graph.getName(*detour) + "' needs a result of group_" +
                  std::to_string(getLatest()) + " and must run before '" +
                  graph.getName(node) + "'"};
    return false;
  }
  if (std::optional<FusionReason> limit = findLimit(node, collected)) {
    reason = *limit;
    return false;
  }
  place = std::move(next);
  addToGroup(node, *form, collected);
  return true;
}

bool GraphMatchFuser::joinLatest(unsigned node, FusionReason &reason) {
  Nodes collected = collectInputs(node);
  notCollected.reset();
  if (tryAdd(node, collected, reason))
    return true;
  notCollected = reason;
  return !collected.empty() && tryAdd(node, {}, reason);
}

bool GraphMatchFuser::openGroup(unsigned node, FusionReason &reason) {
  plan.groups.emplace_back();
  counter->reset({});
  if (joinLatest(node, reason))
    return true;
  plan.groups.pop_back();
  if (!plan.groups.empty())
    counter->reset(plan.groups.back().nodes);
  return false;
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

struct GraphMatchFuser::Border {
  /// The nodes of the group that stay, and those that go with the new node.
  std::vector<unsigned> kept, moved;
  /// Of `moved`.
  std::vector<unsigned> forms;
  uint64_t bytes = 0;
};

/// Parts `nodes`, ascending: an operator from `first` on is moved, and a
/// collected one with the operators that need it.
static std::pair<std::vector<unsigned>, std::vector<unsigned>>
splitGroup(const DFG &graph, llvm::ArrayRef<unsigned> nodes, unsigned first) {
  llvm::DenseSet<unsigned> moved;
  for (unsigned node : llvm::reverse(nodes)) {
    bool isMapped = graph[node].role == DFG::Role::Mapped;
    bool needsMove =
        isMapped
            ? node >= first
            : llvm::all_of(graph[node].succ, [&](unsigned user) {
                return moved.contains(user) ||
                       !std::binary_search(nodes.begin(), nodes.end(), user);
              });
    if (needsMove)
      moved.insert(node);
  }
  std::pair<std::vector<unsigned>, std::vector<unsigned>> parts;
  for (unsigned node : nodes)
    (moved.contains(node) ? parts.second : parts.first).push_back(node);
  return parts;
}

std::optional<GraphMatchFuser::Border>
GraphMatchFuser::findBorder(unsigned node, llvm::ArrayRef<unsigned> collected) {
  std::vector<unsigned> nodes = plan.groups.back().nodes;
  llvm::sort(nodes);
  std::vector<unsigned> alone(collected.begin(), collected.end());
  alone.push_back(node);
  std::optional<Border> best;
  // A group of its own comes first, so that a border moves only for a gain.
  if (findForms(graph, pipeline, alone))
    best = Border{nodes,
                  {},
                  {},
                  measureGroup(graph, nodes).getBytes() +
                      measureGroup(graph, alone).getBytes()};
  unsigned numTried = 0;
  for (unsigned first : llvm::reverse(nodes)) {
    if (graph[first].role != DFG::Role::Mapped || numTried++ == maxBorders)
      continue;
    Border border;
    std::tie(border.kept, border.moved) = splitGroup(graph, nodes, first);
    llvm::append_range(border.moved, alone);
    llvm::sort(border.moved);
    if (border.kept.empty() || !findForms(graph, pipeline, border.kept))
      continue;
    auto forms = findForms(graph, pipeline, border.moved);
    if (!forms)
      continue;
    border.forms = std::move(*forms);
    border.bytes = measureGroup(graph, border.kept).getBytes() +
                   measureGroup(graph, border.moved).getBytes();
    if (!best || border.bytes < best->bytes)
      best = std::move(border);
  }
  return best;
}

bool GraphMatchFuser::moveBorder(unsigned node) {
  if (plan.groups.back().nodes.size() > maxMovable)
    return false;
  Nodes collected = collectInputs(node);
  std::optional<Border> border = findBorder(node, collected);
  if (!border || border->moved.empty())
    return false;
  plan.groups.back().nodes = border->kept;
  plan.groups.emplace_back();
  std::string to = " moved to group " + std::to_string(getLatest()) +
                   ", where fewer bytes cross the border";
  place = pipeline.getStart();
  for (auto [added, form] : llvm::zip_equal(border->moved, border->forms)) {
    if (added == node || llvm::is_contained(collected, added)) {
      attribute(added);
      note("## " + std::to_string(added) + ": " + graph[added].opType +
           " added to group " + std::to_string(getLatest()));
    } else {
      note("## " + std::to_string(added) + ": " + graph[added].opType + to);
    }
    plan.groupOf[added] = getLatest();
    plan.formOf[added] = form;
    plan.ungrouped.erase(added);
    if (form != FusionPlan::none)
      pipeline.enter(graph[added].forms[form], place);
  }
  plan.groups.back().nodes = border->moved;
  // Which nodes carry depends on the group: those that are moved start over.
  for (unsigned added : border->moved)
    carries.reset(added);
  for (unsigned added : border->moved)
    if (graph[added].role == DFG::Role::Mapped || getFlowing(added, {}).any())
      carries.set(added);
  for (unsigned other = border->moved.front() + 1; other < node; ++other)
    if (plan.groupOf[other] == FusionPlan::none)
      setDependency(other);
  counter->reset(border->moved);
  return true;
}

//===----------------------------------------------------------------------===//
// The visit
//===----------------------------------------------------------------------===//

static bool isLimit(Code code) {
  return code == Code::Inputs || code == Code::Outputs || code == Code::Ops ||
         code == Code::OnChipBytes;
}

void GraphMatchFuser::visit(unsigned node) {
  if (graph[node].role != DFG::Role::Mapped) {
    plan.ungrouped[node] = *graph.getReason(node);
    setDependency(node);
    return;
  }
  FusionReason reason;
  if (!plan.groups.empty()) {
    if (joinLatest(node, reason))
      return;
    unsigned group = getLatest();
    if (isLimit(reason.code) && moveBorder(node)) {
      plan.refused[plan.groups.back().nodes.front()] = {group, reason};
      return;
    }
    plan.refused[node] = {group, reason};
  }
  if (openGroup(node, reason))
    return;
  plan.ungrouped[node] = reason;
  setDependency(node);
}

FusionPlan GraphMatchFuser::partition() {
  for (unsigned node = 0; node < graph.size(); ++node) {
    visit(node);
    isVisited.set(node);
  }
  for (PlannedGroup &group : plan.groups)
    llvm::sort(group.nodes);
  return std::move(plan);
}

FusionPlan inlay::planGreedy(const DFG &graph, const HDFG &pipeline) {
  return GraphMatchFuser(graph, pipeline).partition();
}
