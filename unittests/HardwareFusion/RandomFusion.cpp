//===- RandomFusion.cpp - Random graphs, and all groups -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomFusion.h"
#include <functional>
#include <random>

using namespace inlay;

//===----------------------------------------------------------------------===//
// Random graphs and pipelines
//===----------------------------------------------------------------------===//

namespace {
class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  std::unique_ptr<DataFlow> makeFlow();
  DFG makeGraph(const DataFlow &flow, unsigned numNodes);

private:
  unsigned draw(unsigned bound) { return random() % bound; }
  bool chance(unsigned percent) { return draw(100) < percent; }
  void setRole(DFG &graph, unsigned node, const DataFlow &flow);
  StageForm makeForm(const DFG::Node &node, const DataFlow &flow);

  std::mt19937_64 random;
};
} // namespace

std::unique_ptr<DataFlow> Generator::makeFlow() {
  auto flow = std::make_unique<DataFlow>();
  unsigned size = 2 + draw(4);
  flow->links.resize(size);
  for (unsigned i = 0; i < size; ++i) {
    Stage stage;
    stage.name = "s" + std::to_string(i);
    stage.bypass = !chance(10);
    if (chance(30))
      stage.max = 1 + draw(2);
    flow->stages.push_back(std::move(stage));
    for (unsigned to = 0; to < size; ++to)
      if (to == i + 1 || chance(to > i ? 25 : 15))
        flow->links[i].push_back(to);
  }
  flow->roots.push_back(0);
  if (chance(20))
    flow->roots.push_back(size - 1);
  if (chance(25))
    flow->limits.inputs = 1 + draw(3);
  if (chance(25))
    flow->limits.outputs = 1 + draw(2);
  if (chance(25))
    flow->limits.ops = 2 + draw(3);
  if (chance(25))
    flow->limits.onChipBytes = 4 + draw(24);
  return flow;
}

StageForm Generator::makeForm(const DFG::Node &node, const DataFlow &flow) {
  StageForm form;
  form.stages.push_back(draw(flow.stages.size()));
  if (chance(20) && !flow.links[form.stages[0]].empty())
    form.stages.push_back(flow.links[form.stages[0]].front());
  for (unsigned operand = 0; operand < node.operands.size(); ++operand)
    if (operand == 0 || chance(50))
      form.data.push_back(operand);
  return form;
}

void Generator::setRole(DFG &graph, unsigned node, const DataFlow &flow) {
  unsigned kind = draw(10);
  if (kind == 0)
    return graph.setOutside(node, {FusionReasonCode::Predicate, "refused"});
  if (kind <= 2)
    return graph.setCollectable(node, {FusionReasonCode::Unmapped, "unmapped"});
  std::vector<StageForm> forms = {makeForm(graph[node], flow)};
  if (chance(30))
    forms.push_back(makeForm(graph[node], flow));
  graph.setForms(node, std::move(forms));
}

DFG Generator::makeGraph(const DataFlow &flow, unsigned numNodes) {
  DFG graph;
  std::vector<unsigned> values;
  for (unsigned i = 0; i < 2; ++i)
    values.push_back(graph.addValue(1 + draw(9)));
  unsigned constant = graph.addValue(100, /*isConstant=*/true);
  for (unsigned i = 0; i < numNodes; ++i) {
    llvm::SmallVector<unsigned> operands;
    unsigned numOperands = 1 + draw(3);
    for (unsigned k = 0; k < numOperands; ++k) {
      // Mostly what was computed last, as in real graphs.
      unsigned back =
          std::min<unsigned>(draw(chance(70) ? 3 : 12), values.size() - 1);
      operands.push_back(chance(10) ? constant
                                    : values[values.size() - 1 - back]);
    }
    llvm::SmallVector<uint64_t> results;
    for (unsigned k = chance(15) ? 2 : 1; k > 0; --k)
      results.push_back(1 + draw(16));
    unsigned node = graph.addNode("Op", operands, results);
    setRole(graph, node, flow);
    for (unsigned result : graph[node].results)
      values.push_back(result);
    if (i + 1 == numNodes || chance(10))
      graph.setEscapes(values.back());
  }
  return graph;
}

RandomFusion inlay::makeRandomFusion(uint64_t seed, unsigned numNodes) {
  Generator generator(seed);
  RandomFusion fusion;
  fusion.flow = generator.makeFlow();
  fusion.graph = generator.makeGraph(*fusion.flow, numNodes);
  return fusion;
}

//===----------------------------------------------------------------------===//
// All groups
//===----------------------------------------------------------------------===//

namespace {
/// Tries all partitions; shares nothing with what finds groups but the graph.
class Exhaustive {
public:
  explicit Exhaustive(const RandomFusion &fusion)
      : graph(fusion.graph), flow(*fusion.flow), size(graph.size()) {}

  uint64_t run();

private:
  using Set = uint32_t;

  bool isGroup(Set set) const;
  bool passes(const std::vector<unsigned> &mapped, unsigned next, Set set,
              int last, std::vector<unsigned> uses) const;
  bool step(int from, unsigned to) const;
  bool carries(unsigned node, Set set) const;
  bool isWithinLimits(Set set) const;
  bool isAcyclic() const;
  uint64_t getBytes() const;
  void visit(unsigned node);

  const DFG &graph;
  const DataFlow &flow;
  unsigned size;
  std::vector<bool> legal;
  std::vector<unsigned> units;
  unsigned numUnits = 0;
  uint64_t least = UINT64_MAX;
};
} // namespace

bool Exhaustive::step(int from, unsigned to) const {
  std::vector<bool> seen(flow.stages.size());
  std::function<bool(unsigned)> reach = [&](unsigned stage) {
    if (stage == to)
      return true;
    if (seen[stage] || !flow.stages[stage].bypass)
      return false;
    seen[stage] = true;
    for (unsigned next : flow.links[stage])
      if (reach(next))
        return true;
    return false;
  };
  if (from < 0)
    return llvm::any_of(flow.roots, reach);
  return llvm::any_of(flow.links[from], reach);
}

/// Whether data of mapped members flows out of a member.
bool Exhaustive::carries(unsigned node, Set set) const {
  if (!(set >> node & 1))
    return false;
  if (graph[node].role == DFG::Role::Mapped)
    return true;
  return llvm::any_of(graph[node].pred,
                      [&](unsigned pred) { return carries(pred, set); });
}

bool Exhaustive::passes(const std::vector<unsigned> &mapped, unsigned next,
                        Set set, int last, std::vector<unsigned> uses) const {
  if (next == mapped.size())
    return true;
  const DFG::Node &node = graph[mapped[next]];
  for (const StageForm &form : node.forms) {
    bool flows = next == 0 || llvm::any_of(form.data, [&](unsigned operand) {
                   const DFG::Value &value =
                       graph.getValue(node.operands[operand]);
                   return value.isComputed() && carries(value.producer, set);
                 });
    if (!flows)
      continue;
    int place = last;
    std::vector<unsigned> used = uses;
    bool fits = true;
    for (unsigned stage : form.stages) {
      fits &= step(place, stage) && ++used[stage] <= flow.stages[stage].max;
      place = stage;
    }
    if (fits && passes(mapped, next + 1, set, place, used))
      return true;
  }
  return false;
}

bool Exhaustive::isWithinLimits(Set set) const {
  auto has = [&](unsigned node) { return bool(set >> node & 1); };
  unsigned inputs = 0, outputs = 0, ops = llvm::popcount(set);
  std::vector<uint64_t> alive(size);
  for (const DFG::Value &value : graph.getValues()) {
    bool isRead = llvm::any_of(value.users, has);
    bool isOwn = value.isComputed() && has(value.producer);
    if (!isOwn) {
      inputs += isRead && !value.isConstant;
      continue;
    }
    if (value.escapes || !llvm::all_of(value.users, has)) {
      ++outputs;
      continue;
    }
    for (unsigned node = value.producer;
         !value.users.empty() && node <= value.users.back(); ++node)
      if (has(node))
        alive[node] += value.bytes;
  }
  const GroupLimits &limits = flow.limits;
  return inputs <= limits.inputs.value_or(~0u) &&
         outputs <= limits.outputs.value_or(~0u) &&
         ops <= limits.ops.value_or(~0u) &&
         *llvm::max_element(alive) <= limits.onChipBytes.value_or(UINT64_MAX);
}

bool Exhaustive::isGroup(Set set) const {
  std::vector<unsigned> mapped;
  for (unsigned node = 0; node < size; ++node) {
    if (!(set >> node & 1))
      continue;
    if (graph[node].role == DFG::Role::Outside)
      return false;
    if (graph[node].role == DFG::Role::Mapped)
      mapped.push_back(node);
    else if (llvm::none_of(graph[node].succ,
                           [&](unsigned user) { return set >> user & 1; }))
      return false;
  }
  return !mapped.empty() && isWithinLimits(set) &&
         passes(mapped, 0, set, -1, std::vector<unsigned>(flow.stages.size()));
}

bool Exhaustive::isAcyclic() const {
  std::vector<Set> after(numUnits);
  for (unsigned node = 0; node < size; ++node)
    for (unsigned pred : graph[node].pred)
      if (units[pred] != units[node])
        after[units[pred]] |= Set(1) << units[node];
  for (unsigned k = 0; k < numUnits; ++k)
    for (unsigned i = 0; i < numUnits; ++i)
      if (after[i] >> k & 1)
        after[i] |= after[k];
  for (unsigned i = 0; i < numUnits; ++i)
    if (after[i] >> i & 1)
      return false;
  return true;
}

uint64_t Exhaustive::getBytes() const {
  uint64_t bytes = 0;
  for (const DFG::Value &value : graph.getValues()) {
    if (value.isConstant)
      continue;
    bool isResult = value.isComputed();
    Set readers = 0;
    for (unsigned user : value.users)
      readers |= Set(1) << units[user];
    if (isResult)
      readers &= ~(Set(1) << units[value.producer]);
    bool isWritten = isResult && (readers != 0 || value.escapes);
    bytes += value.bytes * (llvm::popcount(readers) + isWritten);
  }
  return bytes;
}

void Exhaustive::visit(unsigned node) {
  if (node == size) {
    std::vector<Set> sets(numUnits);
    for (unsigned i = 0; i < size; ++i)
      sets[units[i]] |= Set(1) << i;
    if (llvm::all_of(
            sets,
            [&](Set set) { return llvm::popcount(set) == 1 || legal[set]; }) &&
        isAcyclic())
      least = std::min(least, getBytes());
    return;
  }
  for (unsigned unit = 0; unit <= numUnits; ++unit) {
    bool isNew = unit == numUnits;
    numUnits += isNew;
    units.push_back(unit);
    visit(node + 1);
    units.pop_back();
    numUnits -= isNew;
  }
}

uint64_t Exhaustive::run() {
  legal.resize(size_t(1) << size);
  for (Set set = 1; set < legal.size(); ++set)
    legal[set] = isGroup(set);
  visit(0);
  return least;
}

uint64_t inlay::findLeastBytes(const RandomFusion &fusion) {
  return Exhaustive(fusion).run();
}
