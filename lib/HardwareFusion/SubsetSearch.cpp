//===- SubsetSearch.cpp - The best groups among a few nodes ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SubsetSearch.h"
#include "inlay/Support/Cancellation.h"

using namespace inlay;

SubsetSearch::SubsetSearch(const DFG &graph, const HDFG &pipeline,
                           llvm::ArrayRef<unsigned> nodes,
                           std::vector<Mask> paths, size_t maxPlaces)
    : graph(graph), pipeline(pipeline), nodes(nodes), paths(std::move(paths)),
      maxPlaces(maxPlaces) {
  assert(nodes.size() <= maxSize && "too many nodes");
  indexValues();
}

void SubsetSearch::indexValues() {
  llvm::DenseMap<unsigned, unsigned> ids;
  auto getId = [&](unsigned value, unsigned maker) {
    auto [it, isNew] = ids.try_emplace(value, values.size());
    if (isNew) {
      values.push_back(value);
      makers.push_back(maker);
    }
    return it->second;
  };
  reads.resize(nodes.size());
  makes.resize(nodes.size());
  least.assign(nodes.size() + 1, 0);
  llvm::SmallVector<unsigned> leaving;
  for (auto [place, node] : llvm::enumerate(nodes)) {
    for (unsigned operand : graph[node].operands) {
      const DFG::Value &value = graph.getValue(operand);
      if (value.isConstant)
        continue;
      size_t known = values.size();
      unsigned id = getId(operand, maxSize);
      // Whoever is first to read a value from outside pays for it.
      if (values.size() > known)
        least[place] += value.bytes;
      if (!llvm::is_contained(reads[place], id))
        reads[place].push_back(id);
    }
    for (unsigned result : graph[node].results) {
      const DFG::Value &value = graph.getValue(result);
      unsigned id = getId(result, place);
      makes[place].push_back(id);
      bool isUsedOutside = llvm::any_of(
          value.users, [&](unsigned user) { return !hasNode(nodes, user); });
      if (!value.escapes && !isUsedOutside)
        continue;
      leaving.push_back(id);
      least[place] += value.bytes;
    }
  }
  leaves.resize(values.size());
  for (unsigned id : leaving)
    leaves.set(id);
  for (unsigned place = nodes.size(); place-- > 0;)
    least[place] += least[place + 1];
}

//===----------------------------------------------------------------------===//
// A node joins a unit
//===----------------------------------------------------------------------===//

/// Lets the data of the unit pass the stages of the node, in every way.
bool SubsetSearch::enter(Unit &unit, unsigned place) const {
  const DFG::Node &node = graph[nodes[place]];
  llvm::SmallBitVector flowing(node.operands.size());
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    const DFG::Value &value = graph.getValue(operand);
    if (!value.isComputed())
      continue;
    std::optional<unsigned> from = findPlace(nodes, value.producer);
    if (from && (unit.carriers >> *from & 1))
      flowing.set(i);
  }
  if (node.role != DFG::Role::Mapped) {
    if (flowing.any())
      unit.carriers |= Mask(1) << place;
    return true;
  }
  llvm::SmallVector<PipelinePlace, 1> before = std::move(unit.places);
  unit.places.clear();
  if (!unit.isMapped)
    before = {pipeline.getStart()};
  for (const PipelinePlace &from : before)
    for (const StageForm &form : node.forms) {
      bool flows =
          !unit.isMapped || llvm::any_of(form.data, [&](unsigned operand) {
            return flowing.test(operand);
          });
      PipelinePlace next = from;
      if (!flows || !pipeline.enter(form, next))
        continue;
      if (llvm::is_contained(unit.places, next))
        continue;
      if (unit.places.size() < maxPlaces)
        unit.places.push_back(std::move(next));
      else
        hasDropped = true;
    }
  unit.isMapped = true;
  unit.carriers |= Mask(1) << place;
  return !unit.places.empty();
}

/// Notes who waits for whom, and returns whether the unit then waits for
/// itself.
bool SubsetSearch::closeCycle(State &state, unsigned place,
                              unsigned unit) const {
  auto waits = [&](unsigned from, unsigned to) {
    state.waiting[from] |= Mask(1) << to;
  };
  for (unsigned other = 0; other < place; ++other) {
    unsigned otherUnit = state.assigned[other];
    if (otherUnit != unit &&
        llvm::is_contained(graph[nodes[place]].pred, nodes[other]))
      waits(otherUnit, unit);
    if (paths[other] >> place & 1)
      waits(otherUnit, unit);
    if (paths[place] >> other & 1)
      waits(unit, otherUnit);
  }
  Mask reached = state.waiting[unit];
  for (Mask before = 0; before != reached;) {
    before = reached;
    for (unsigned other = 0; other < state.units.size(); ++other)
      if (reached >> other & 1)
        reached |= state.waiting[other];
  }
  return reached >> unit & 1;
}

void SubsetSearch::charge(State &state, unsigned place, unsigned unit) const {
  Unit &own = state.units[unit];
  for (unsigned id : reads[place]) {
    unsigned maker = makers[id];
    if (maker != maxSize && state.assigned[maker] == unit)
      continue;
    uint64_t bytes = graph.getValue(values[id]).bytes;
    if (!own.read.test(id))
      state.cost += bytes;
    own.read.set(id);
    if (maker == maxSize || state.written.test(id))
      continue;
    state.written.set(id);
    state.cost += bytes;
  }
  for (unsigned id : makes[place])
    if (leaves.test(id)) {
      state.written.set(id);
      state.cost += graph.getValue(values[id]).bytes;
    }
}

bool SubsetSearch::join(State &state, unsigned place, unsigned unit) const {
  if (unit == state.units.size()) {
    state.units.emplace_back();
    state.units.back().read.resize(values.size());
    state.waiting.push_back(0);
  }
  state.units[unit].members |= Mask(1) << place;
  state.assigned.push_back(unit);
  charge(state, place, unit);
  // A node alone need not be a group.
  Unit &own = state.units[unit];
  bool isAlone = llvm::popcount(own.members) == 1;
  bool entered = enter(own, place);
  if (!entered && !isAlone)
    return false;
  if (!isAlone && graph[nodes[place]].role == DFG::Role::Outside)
    return false;
  const GroupLimits &limits = pipeline.getFlow().limits;
  if (!isAlone && limits.ops && llvm::popcount(own.members) > int(*limits.ops))
    return false;
  return !closeCycle(state, place, unit);
}

bool SubsetSearch::isComplete(const State &state) const {
  return llvm::all_of(state.units, [&](const Unit &unit) {
    return llvm::popcount(unit.members) == 1 ||
           findForms(graph, pipeline, getNodesAt(nodes, unit.members));
  });
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// At most as deep as there are nodes.
void SubsetSearch::search(State &state, unsigned place) {
  if (isCancelled())
    numSteps = maxSteps;
  if (state.cost + least[place] >= bestCost || numSteps >= maxSteps)
    return;
  if (place == nodes.size()) {
    if (!isComplete(state))
      return;
    bestCost = state.cost;
    *best = state.assigned;
    return;
  }
  // The latest units first: neighbours are likely to run together.
  for (unsigned i = 0; i <= state.units.size(); ++i) {
    unsigned unit = i == state.units.size() ? i : state.units.size() - 1 - i;
    if (numSteps >= maxSteps)
      return;
    ++numSteps;
    State next = state;
    if (join(next, place, unit))
      search(next, place + 1);
  }
}

bool SubsetSearch::run(Units &found, uint64_t &cost, uint64_t limit) {
  best = &found;
  bestCost = cost;
  numSteps = 0;
  maxSteps = limit;
  hasDropped = false;
  State state;
  state.written.resize(values.size());
  search(state, 0);
  cost = bestCost;
  return numSteps < maxSteps && !hasDropped;
}

uint64_t SubsetSearch::computeCost(const Units &units) const {
  State state;
  state.written.resize(values.size());
  for (unsigned place = 0; place < nodes.size(); ++place) {
    while (units[place] >= state.units.size()) {
      state.units.emplace_back();
      state.units.back().read.resize(values.size());
    }
    state.assigned.push_back(units[place]);
    charge(state, place, units[place]);
  }
  return state.cost;
}

bool SubsetSearch::isLegal(const Units &units) const {
  State state;
  state.written.resize(values.size());
  for (unsigned place = 0; place < nodes.size(); ++place)
    if (!join(state, place, units[place]))
      return false;
  return isComplete(state);
}
