//===- Optimal.cpp - Groups that the fewest bytes cross -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SubsetSearch.h"
#include "inlay/HardwareFusion/Fusion.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace inlay;

/// Nodes that are looked at together where there are too many; what is found
/// with few makes the search among more of them short. The next ones are a
/// third of this behind.
static constexpr unsigned windowSizes[] = {12, 18, 24};
/// Nodes that may be visited to find the paths around a few.
static constexpr unsigned maxPathVisits = 20'000;

//===----------------------------------------------------------------------===//
// Which edges can be inside of a group at all
//===----------------------------------------------------------------------===//

namespace {
/// Classes of nodes so that no group has nodes of two.
class Neighborhoods {
public:
  Neighborhoods(const DFG &graph, const HDFG &pipeline)
      : graph(graph), pipeline(pipeline), wanted(graph.size()) {
    findWanted();
  }

  /// Classes of at least two nodes, each ascending, by their first.
  std::vector<std::vector<unsigned>> find() const;

  /// Whether some group might have both ends of an edge.
  bool mayJoin(unsigned from, unsigned to) const;

private:
  void findWanted();

  const DFG &graph;
  const HDFG &pipeline;
  /// Stages at which a node is entered, or those that a collectable one leads
  /// to.
  std::vector<llvm::SmallVector<unsigned, 4>> wanted;
};
} // namespace

void Neighborhoods::findWanted() {
  for (unsigned node = graph.size(); node-- > 0;) {
    llvm::SmallVector<unsigned, 4> &stages = wanted[node];
    if (graph[node].role == DFG::Role::Mapped)
      for (const StageForm &form : graph[node].forms)
        stages.push_back(form.stages.front());
    else if (graph[node].role == DFG::Role::Collectable)
      for (unsigned user : graph[node].succ)
        llvm::append_range(stages, wanted[user]);
    llvm::sort(stages);
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
  }
}

bool Neighborhoods::mayJoin(unsigned from, unsigned to) const {
  if (wanted[from].empty() || wanted[to].empty())
    return false;
  if (graph[from].role == DFG::Role::Collectable)
    return true;
  return llvm::any_of(graph[from].forms, [&](const StageForm &form) {
    return llvm::any_of(wanted[to], [&](unsigned stage) {
      return pipeline.leadsTo(form.stages.back(), stage);
    });
  });
}

std::vector<std::vector<unsigned>> Neighborhoods::find() const {
  llvm::IntEqClasses classes(graph.size());
  for (unsigned node = 0; node < graph.size(); ++node)
    for (unsigned user : graph[node].succ)
      if (mayJoin(node, user))
        classes.join(node, user);
  classes.compress();
  std::vector<std::vector<unsigned>> lists(classes.getNumClasses());
  for (unsigned node = 0; node < graph.size(); ++node)
    lists[classes[node]].push_back(node);
  llvm::erase_if(lists, [](const auto &list) { return list.size() < 2; });
  return lists;
}

//===----------------------------------------------------------------------===//
// Improving a plan
//===----------------------------------------------------------------------===//

namespace {
class Optimizer {
public:
  Optimizer(const DFG &graph, const HDFG &pipeline, const FusionEffort &effort)
      : graph(graph), pipeline(pipeline), effort(effort),
        stepsLeft(effort.maxTotalSteps), neighborhoods(graph, pipeline),
        plan(planGreedy(graph, pipeline)), unitOf(graph.size()),
        members(graph.size()), ends(graph.size()) {}

  FusionPlan run();

private:
  using Nodes = llvm::ArrayRef<unsigned>;
  using Mask = SubsetSearch::Mask;

  void readPlan();
  /// Bytes that can be saved at the most beyond what was saved.
  uint64_t improve(Nodes nodes);
  uint64_t improveWhole(Nodes nodes);
  void improveWindows(Nodes nodes, unsigned size);
  uint64_t computeSlack(Nodes nodes) const;
  bool improveInPlace(Nodes nodes, bool *isExact = nullptr);
  std::optional<std::vector<Mask>> findPaths(Nodes nodes, bool inPlace) const;
  void noteEnd(unsigned unit);
  unsigned getHorizon(unsigned node) const;
  SubsetSearch::Units getUnits(Nodes nodes) const;
  void setUnits(Nodes nodes, const SubsetSearch::Units &units);
  uint64_t getMaxSteps() const { return std::min(effort.maxSteps, stepsLeft); }
  void pay(const SubsetSearch &search) {
    stepsLeft -= std::min(stepsLeft, search.getNumSteps());
  }
  FusionPlan writePlan();
  void attributeValues(FusionPlan &result) const;

  const DFG &graph;
  const HDFG &pipeline;
  const FusionEffort &effort;
  uint64_t stepsLeft;
  Neighborhoods neighborhoods;
  FusionPlan plan;
  /// Of each node, the first node of its unit, and the nodes of each unit at
  /// its first.
  std::vector<unsigned> unitOf;
  std::vector<std::vector<unsigned>> members;
  /// Of each node, the last node of all units that it is in the middle of: they
  /// begin before it and end behind it. It may be more than that, never less.
  std::vector<unsigned> ends;
};
} // namespace

void Optimizer::readPlan() {
  for (unsigned node = 0; node < graph.size(); ++node) {
    unsigned group = plan.groupOf[node];
    unitOf[node] =
        group == FusionPlan::none ? node : plan.groups[group].nodes.front();
    members[unitOf[node]].push_back(node);
    ends[node] = node;
  }
  for (unsigned node = 0; node < graph.size(); ++node)
    noteEnd(node);
}

void Optimizer::noteEnd(unsigned unit) {
  if (members[unit].empty())
    return;
  unsigned last = members[unit].back();
  for (unsigned node = unit; node < last; ++node)
    ends[node] = std::max(ends[node], last);
}

/// A node so far behind that no path from anything after it leads back to
/// `node` or before it. Paths go from one node of a unit to any other of it, so
/// that the units around a node, and those around their ends, are followed.
unsigned Optimizer::getHorizon(unsigned node) const {
  while (ends[node] > node)
    node = ends[node];
  return node;
}

SubsetSearch::Units Optimizer::getUnits(Nodes nodes) const {
  SubsetSearch::Units units;
  llvm::DenseMap<unsigned, unsigned> ids;
  for (unsigned node : nodes)
    units.push_back(ids.try_emplace(unitOf[node], ids.size()).first->second);
  return units;
}

void Optimizer::setUnits(Nodes nodes, const SubsetSearch::Units &units) {
  std::vector<unsigned> firsts(nodes.size(), FusionPlan::none);
  for (unsigned node : nodes)
    members[node].clear();
  for (auto [node, unit] : llvm::zip_equal(nodes, units)) {
    if (firsts[unit] == FusionPlan::none)
      firsts[unit] = node;
    unitOf[node] = firsts[unit];
    members[firsts[unit]].push_back(node);
  }
  for (unsigned node : nodes)
    noteEnd(node);
}

/// Which of the nodes paths lead to from each, past nodes that are not among
/// them; `inPlace` means that those are in their units. Nothing when that is
/// too far.
std::optional<std::vector<Optimizer::Mask>>
Optimizer::findPaths(Nodes nodes, bool inPlace) const {
  unsigned visitsLeft = maxPathVisits;
  unsigned horizon = inPlace ? getHorizon(nodes.back()) : nodes.back();
  auto getUnit = [&](unsigned node) { return inPlace ? unitOf[node] : node; };
  auto getMembers = [&](const unsigned &unit) {
    return inPlace ? Nodes(members[unit]) : Nodes(unit);
  };
  auto isBefore = [&](unsigned unit) { return unit < horizon; };
  std::vector<Mask> paths;
  for (unsigned place = 0; place < nodes.size(); ++place) {
    auto reached = findPathsAround(graph, nodes, place, getUnit, getMembers,
                                   isBefore, visitsLeft);
    if (!reached)
      return std::nullopt;
    paths.push_back(*reached);
  }
  return paths;
}

/// Finds the best units of the nodes where everything else stays as it is.
bool Optimizer::improveInPlace(Nodes nodes, bool *isExact) {
  auto paths = findPaths(nodes, /*inPlace=*/true);
  if (!paths)
    return false;
  SubsetSearch search(graph, pipeline, nodes, std::move(*paths),
                      effort.maxPlaces);
  SubsetSearch::Units units = getUnits(nodes);
  uint64_t before = search.computeCost(units), cost = before;
  bool ended = search.run(units, cost, getMaxSteps());
  pay(search);
  if (isExact)
    *isExact = ended;
  if (cost < before)
    setUnits(nodes, units);
  return cost < before;
}

/// The nodes as if nothing around them were in groups give a bound; where that
/// also holds with what is around them, it is the best.
uint64_t Optimizer::improveWhole(Nodes nodes) {
  auto paths = findPaths(nodes, /*inPlace=*/false);
  if (!paths)
    paths.emplace(nodes.size(), 0);
  SubsetSearch search(graph, pipeline, nodes, std::move(*paths),
                      effort.maxPlaces);
  SubsetSearch::Units units = getUnits(nodes);
  uint64_t before = search.computeCost(units), least = before;
  bool ended = search.run(units, least, getMaxSteps());
  pay(search);
  uint64_t bound = ended ? least : search.getLeast();
  if (least == before)
    return before - bound;
  auto around = findPaths(nodes, /*inPlace=*/true);
  if (!around)
    return before - bound;
  SubsetSearch inPlace(graph, pipeline, nodes, std::move(*around),
                       effort.maxPlaces);
  if (inPlace.isLegal(units)) {
    setUnits(nodes, units);
    return least - bound;
  }
  improveInPlace(nodes);
  return inPlace.computeCost(getUnits(nodes)) - bound;
}

/// Looks at a few neighbours at a time, again and again until nothing changes.
/// Units that lie across the border of a window stay.
void Optimizer::improveWindows(Nodes nodes, unsigned size) {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned first = 0; first < nodes.size(); first += size / 3) {
      Nodes window = nodes.slice(first).take_front(size);
      std::vector<unsigned> whole = findWholeUnits(
          window, [&](unsigned node) { return Nodes(members[unitOf[node]]); });
      if (whole.size() >= 2 && stepsLeft > 0)
        changed |= improveInPlace(whole);
    }
  }
}

/// The bytes that other groups could save at the very most: all that cross
/// borders now, less what is read and written whatever groups there are.
uint64_t Optimizer::computeSlack(Nodes nodes) const {
  llvm::DenseSet<unsigned> seen;
  uint64_t slack = 0;
  auto count = [&](unsigned id) {
    const DFG::Value &value = graph.getValue(id);
    if (value.isConstant || !seen.insert(id).second)
      return;
    bool isOwn = value.isComputed() && hasNode(nodes, value.producer);
    // Whether it must be written, and whether one of the nodes must read it.
    bool isWritten = value.escapes, isRead = !isOwn;
    llvm::SmallDenseSet<unsigned> readers;
    for (unsigned user : value.users) {
      if (!hasNode(nodes, user)) {
        isWritten = true;
        continue;
      }
      if (isOwn && !neighborhoods.mayJoin(value.producer, user))
        isWritten = isRead = true;
      if (!isOwn || unitOf[user] != unitOf[value.producer])
        readers.insert(unitOf[user]);
    }
    uint64_t times = readers.size() + (isOwn && !readers.empty() && !isWritten);
    slack += (times - (isRead && !readers.empty())) * value.bytes;
  };
  for (unsigned node : nodes) {
    for (unsigned operand : graph[node].operands)
      count(operand);
    for (unsigned result : graph[node].results)
      count(result);
  }
  return slack;
}

uint64_t Optimizer::improve(Nodes nodes) {
  if (nodes.size() <= std::min(effort.maxNodes, SubsetSearch::maxSize))
    return improveWhole(nodes);
  for (unsigned size : windowSizes)
    improveWindows(nodes, size);
  return computeSlack(nodes);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

void Optimizer::attributeValues(FusionPlan &result) const {
  llvm::BitVector isKnown(graph.getValues().size());
  for (PlannedGroup &group : result.groups)
    for (unsigned node : group.nodes)
      for (unsigned operand : graph[node].operands) {
        if (graph.getValue(operand).isComputed() || isKnown.test(operand))
          continue;
        isKnown.set(operand);
        group.attributed.push_back(operand);
      }
}

FusionPlan Optimizer::writePlan() {
  FusionPlan result(graph);
  for (unsigned first = 0; first < graph.size(); ++first) {
    const std::vector<unsigned> &nodes = members[first];
    if (nodes.empty())
      continue;
    FusionReason reason;
    auto forms = findForms(graph, pipeline, nodes, &reason);
    if (!forms) {
      assert(nodes.size() == 1 && "a unit must be a group");
      const FusionReason *own = graph.getReason(first);
      result.ungrouped[first] = own ? *own : reason;
      continue;
    }
    for (auto [node, form] : llvm::zip_equal(nodes, *forms)) {
      result.groupOf[node] = result.groups.size();
      result.formOf[node] = form;
    }
    result.groups.emplace_back().nodes = nodes;
  }
  sortGroups(graph, result);
  attributeValues(result);
  return result;
}

FusionPlan Optimizer::run() {
  readPlan();
  std::vector<std::vector<unsigned>> classes = neighborhoods.find();
  uint64_t gap = 0;
  std::vector<unsigned> all;
  for (const std::vector<unsigned> &nodes : classes) {
    gap += improve(nodes);
    llvm::append_range(all, nodes);
  }
  // Classes that stand in each other's way may do better together.
  if (gap != 0 &&
      all.size() <= std::min(effort.maxNodes, SubsetSearch::maxSize)) {
    llvm::sort(all);
    bool isExact = false;
    improveInPlace(all, &isExact);
    if (isExact)
      gap = 0;
  }
  FusionPlan result = writePlan();
  result.bound = computeBytes(graph, result) - gap;
  return result;
}

FusionPlan inlay::planOptimal(const DFG &graph, const HDFG &pipeline,
                              const FusionEffort &effort) {
  return Optimizer(graph, pipeline, effort).run();
}
