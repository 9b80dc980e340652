//===- RandomProblem.cpp - Random layout problems -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>
#include <optional>

namespace inlay {
namespace {

using Labels = std::vector<LabelId>;

class Generator {
public:
  Generator(uint64_t seed, const RandomGraphOptions &options)
      : random(seed), options(options),
        problem(pick(2) ? Objective::Bytes : Objective::Count),
        numLabels(2 + pick(options.maxLabels - 1)) {}

  LayoutProblem run();

private:
  unsigned pick(unsigned count) { return random() % count; }
  NetId pickNet() {
    // The latest values more often, so that graphs grow long.
    unsigned numNets = problem.getNumNets();
    return pick(2) ? pick(numNets) : numNets - 1 - pick(std::min(3u, numNets));
  }

  VarId addVariable(unsigned numStates);
  NetId addNet(VarId producer, const Labels &labels);
  Labels pickPermutation();
  void addInput();
  void addConstant();
  void addElementwise(unsigned numOperands);
  void addTranspose();
  void addKeyOp();
  void addReshape();
  void addSplit();
  void addLoop();
  void addChoiceWithCosts();
  void addOp();
  void addOutputs();

  std::mt19937_64 random;
  RandomGraphOptions options;
  LayoutProblem problem;
  unsigned numLabels;
  uint64_t numAssignments = 1;
};

/// One state where more would be too many assignments.
VarId Generator::addVariable(unsigned numStates) {
  if (numAssignments * numStates > options.maxAssignments)
    numStates = 1;
  numAssignments *= numStates;
  VarId var = problem.addVariable(numStates);
  if (pick(3) == 0)
    problem.setAwkward(var, pick(numStates));
  return var;
}

NetId Generator::addNet(VarId producer, const Labels &labels) {
  static constexpr uint64_t sizes[] = {1, 2, 2, 3, 4, 4, 4, 7};
  uint64_t bytes = 64 * sizes[pick(8)];
  std::vector<Cost> costs(numLabels, Cost{bytes, 1});
  // A target may price orders apart; where unit dimensions move it is free.
  if (pick(4) == 0)
    for (Cost &cost : costs)
      cost.bytes = 64 * sizes[pick(8)];
  if (pick(8) == 0)
    costs[pick(numLabels)] = Cost();
  NetId net = problem.addNet(costs);
  // Or price what a copy is made from, long runs or short ones.
  if (pick(3) == 0)
    for (unsigned pair = 0; pair < numLabels * numLabels; ++pair)
      if (pick(3))
        problem.setCopyCost(net, pair / numLabels, pair % numLabels,
                            {bytes * (1 + pick(8)) / 2, 1});
  Labels used(labels.begin(), labels.begin() + problem.getNumStates(producer));
  problem.setProducer(net, producer, used);
  return net;
}

Labels Generator::pickPermutation() {
  Labels labels(numLabels);
  std::iota(labels.begin(), labels.end(), 0);
  for (unsigned i = numLabels; i > 1; --i)
    std::swap(labels[i - 1], labels[pick(i)]);
  return labels;
}

static Labels getIdentity(unsigned numLabels) {
  Labels labels(numLabels);
  std::iota(labels.begin(), labels.end(), 0);
  return labels;
}

static Labels truncate(Labels labels, unsigned size) {
  labels.resize(size);
  return labels;
}

void Generator::addInput() {
  addNet(addVariable(1), {LabelId(pick(numLabels))});
}

void Generator::addConstant() { addNet(addVariable(1), {anyLabel}); }

void Generator::addElementwise(unsigned numOperands) {
  VarId var = addVariable(numLabels);
  unsigned numStates = problem.getNumStates(var);
  for (unsigned i = 0; i < numOperands; ++i) {
    Labels labels = getIdentity(numLabels);
    // An operand that is broadcast has fewer orders, or takes any.
    if (i > 0 && pick(4) == 0)
      for (LabelId &label : labels)
        label = pick(3) == 0 ? anyLabel : label % 2;
    problem.addUse(pickNet(), var, truncate(labels, numStates));
  }
  addNet(var, getIdentity(numLabels));
}

void Generator::addTranspose() {
  VarId var = addVariable(numLabels);
  problem.addUse(pickNet(), var,
                 truncate(getIdentity(numLabels), problem.getNumStates(var)));
  addNet(var, pickPermutation());
}

void Generator::addKeyOp() {
  VarId var = addVariable(1);
  LabelId label = pick(numLabels);
  problem.addUse(pickNet(), var, {label});
  if (pick(2))
    problem.addUse(pickNet(), var, {LabelId(pick(numLabels))});
  addNet(var, {pick(4) ? label : LabelId(pick(numLabels))});
}

void Generator::addReshape() {
  VarId var = addVariable(2);
  problem.addUse(pickNet(), var,
                 truncate(pickPermutation(), problem.getNumStates(var)));
  addNet(var, pickPermutation());
}

void Generator::addSplit() {
  VarId var = addVariable(numLabels);
  problem.addUse(pickNet(), var,
                 truncate(getIdentity(numLabels), problem.getNumStates(var)));
  addNet(var, getIdentity(numLabels));
  addNet(var, pickPermutation());
}

/// A body whose result, transposed or not, is also its argument.
void Generator::addLoop() {
  VarId var = addVariable(numLabels);
  unsigned numStates = problem.getNumStates(var);
  problem.addUse(pickNet(), var, truncate(getIdentity(numLabels), numStates));
  NetId body = addNet(var, getIdentity(numLabels));
  problem.addUse(body, var, truncate(pickPermutation(), numStates));
}

void Generator::addChoiceWithCosts() {
  VarId var = addVariable(numLabels);
  unsigned numStates = problem.getNumStates(var);
  for (unsigned state = 0; state < numStates; ++state)
    problem.setStateCost(var, state, {64 * uint64_t(pick(3)), pick(2)});
  problem.addUse(pickNet(), var, truncate(pickPermutation(), numStates));
  addNet(var, getIdentity(numLabels));
}

void Generator::addOp() {
  switch (pick(10)) {
  case 0:
    return addElementwise(1);
  case 1:
  case 2:
    return addElementwise(2);
  case 3:
    return addElementwise(3);
  case 4:
  case 5:
    return addTranspose();
  case 6:
    return addKeyOp();
  case 7:
    return addReshape();
  case 8:
    return pick(2) ? addSplit() : addLoop();
  default:
    return addChoiceWithCosts();
  }
}

void Generator::addOutputs() {
  unsigned numOutputs = 1 + pick(3);
  for (unsigned i = 0; i < numOutputs; ++i)
    problem.addUse(pickNet(), addVariable(1), {LabelId(pick(numLabels))});
}

LayoutProblem Generator::run() {
  addInput();
  if (pick(2))
    addInput();
  if (pick(2))
    addConstant();
  unsigned numOps = 1 + pick(options.maxOps);
  for (unsigned i = 0; i < numOps; ++i)
    addOp();
  addOutputs();
  return std::move(problem);
}

} // namespace

LayoutProblem makeRandomProblem(uint64_t seed,
                                const RandomGraphOptions &options) {
  return Generator(seed, options).run();
}

Cost computeCostOfStates(const LayoutProblem &problem,
                         const std::vector<StateId> &states) {
  Cost total;
  for (VarId var = 0; var < problem.getNumVariables(); ++var)
    total += problem.getStateCost(var, states[var]);
  for (NetId net = 0; net < problem.getNumNets(); ++net) {
    LayoutPort producer = problem.getProducer(net);
    LabelId have = producer.labelOfState[states[producer.var]];
    if (have == anyLabel)
      continue;
    uint64_t paid = uint64_t(1) << have;
    problem.forEachUse(net, [&](UseId use) {
      LayoutPort port = problem.getUse(use);
      LabelId need = port.labelOfState[states[port.var]];
      if (need == anyLabel || (paid >> need & 1))
        return;
      paid |= uint64_t(1) << need;
      total += problem.getCopyCost(net, have, need);
    });
  }
  return total;
}

/// The least that labels cost to make which `needed` has, from `have` on: sets
/// of labels only grow.
static Cost makeLabels(const LayoutProblem &problem, NetId net, unsigned have,
                       unsigned needed) {
  unsigned numLabels = problem.getNumLabels(net);
  std::vector<std::optional<Cost>> costs(size_t(1) << numLabels);
  costs[1u << have] = Cost();
  std::optional<Cost> least;
  for (unsigned set = 0; set < costs.size(); ++set) {
    if (!costs[set])
      continue;
    if ((set & needed) == needed &&
        (!least || isCheaper(*costs[set], *least, problem.getObjective())))
      least = costs[set];
    for (unsigned pair = 0; pair < numLabels * numLabels; ++pair) {
      unsigned from = pair / numLabels, to = pair % numLabels;
      if (!(set >> from & 1) || (set >> to & 1))
        continue;
      Cost cost = *costs[set] + problem.getCopyCost(net, from, to);
      std::optional<Cost> &larger = costs[set | 1u << to];
      if (!larger || isCheaper(cost, *larger, problem.getObjective()))
        larger = cost;
    }
  }
  return *least;
}

/// The least that exactly the labels of `needed` cost to make: each has one
/// that it is made from, and all come from `have` at last.
static Cost chooseSources(const LayoutProblem &problem, NetId net,
                          unsigned have, unsigned needed) {
  std::vector<unsigned> labels;
  for (unsigned label = 0; label < problem.getNumLabels(net); ++label)
    if (label != have && (needed >> label & 1))
      labels.push_back(label);
  // In every order, each from the cheapest of those before.
  std::optional<Cost> least;
  do {
    Cost total;
    for (auto [i, to] : llvm::enumerate(labels)) {
      Cost cost = problem.getCopyCost(net, have, to);
      for (unsigned from : llvm::ArrayRef(labels).take_front(i))
        if (Cost other = problem.getCopyCost(net, from, to);
            isCheaper(other, cost, problem.getObjective()))
          cost = other;
      total += cost;
    }
    if (!least || isCheaper(total, *least, problem.getObjective()))
      least = total;
  } while (std::next_permutation(labels.begin(), labels.end()));
  return *least;
}

using CostOfLabels = Cost(const LayoutProblem &, NetId, unsigned, unsigned);

static Cost sumOverNets(const LayoutProblem &problem,
                        const std::vector<StateId> &states,
                        CostOfLabels &computeCost) {
  Cost total;
  for (VarId var = 0; var < problem.getNumVariables(); ++var)
    total += problem.getStateCost(var, states[var]);
  for (NetId net = 0; net < problem.getNumNets(); ++net) {
    LayoutPort producer = problem.getProducer(net);
    LabelId have = producer.labelOfState[states[producer.var]];
    unsigned needed = 0;
    problem.forEachUse(net, [&](UseId use) {
      LayoutPort port = problem.getUse(use);
      LabelId need = port.labelOfState[states[port.var]];
      needed |= need == anyLabel ? 0 : 1u << need;
    });
    if (have != anyLabel)
      total += computeCost(problem, net, have, needed);
  }
  return total;
}

Cost computeCostWithChains(const LayoutProblem &problem,
                           const std::vector<StateId> &states) {
  return sumOverNets(problem, states, makeLabels);
}

Cost computeCostFromCopies(const LayoutProblem &problem,
                           const std::vector<StateId> &states) {
  return sumOverNets(problem, states, chooseSources);
}

/// Calls fn(states) for each assignment.
template <typename Fn>
static void forEachAssignment(const LayoutProblem &problem, Fn &&fn) {
  std::vector<StateId> states(problem.getNumVariables());
  while (true) {
    fn(states);
    VarId var = 0;
    while (var < states.size() && ++states[var] == problem.getNumStates(var))
      states[var++] = 0;
    if (var == states.size())
      return;
  }
}

Cost findLeastCost(const LayoutProblem &problem, CostOfStates &computeCost) {
  std::optional<Cost> least;
  forEachAssignment(problem, [&](const std::vector<StateId> &states) {
    Cost cost = computeCost(problem, states);
    if (!least || isCheaper(cost, *least, problem.getObjective()))
      least = cost;
  });
  return *least;
}

unsigned countAwkward(const LayoutProblem &problem,
                      const std::vector<StateId> &states) {
  unsigned count = 0;
  for (VarId var = 0; var < problem.getNumVariables(); ++var)
    count += problem.isAwkward(var, states[var]);
  return count;
}

unsigned findLeastAwkward(const LayoutProblem &problem) {
  Cost least = findLeastCost(problem);
  unsigned fewest = problem.getNumVariables();
  forEachAssignment(problem, [&](const std::vector<StateId> &states) {
    if (computeCostOfStates(problem, states) == least)
      fewest = std::min(fewest, countAwkward(problem, states));
  });
  return fewest;
}

std::vector<StateId> makeRandomStates(const LayoutProblem &problem,
                                      uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<StateId> states(problem.getNumVariables());
  for (VarId var = 0; var < states.size(); ++var)
    states[var] = random() % problem.getNumStates(var);
  return states;
}

} // namespace inlay
