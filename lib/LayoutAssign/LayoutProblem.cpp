//===- LayoutProblem.cpp - Choosing storage orders, abstractly ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/LayoutProblem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cassert>
#include <optional>

namespace inlay {

VarId LayoutProblem::addVariable(unsigned numStates) {
  assert(numStates >= 1 && numStates <= maxStates && "unusable variable");
  firstState.push_back(firstState.back() + numStates);
  return getNumVariables() - 1;
}

void LayoutProblem::setStateCost(VarId var, StateId state, Cost cost) {
  assert(state < getNumStates(var) && "no such state");
  size_t index = size_t(firstState[var]) + state;
  if (index >= stateCosts.size())
    stateCosts.resize(index + 1);
  stateCosts[index] = cost;
}

void LayoutProblem::setAwkward(VarId var, StateId state) {
  assert(state < getNumStates(var) && "no such state");
  size_t index = size_t(firstState[var]) + state;
  if (index >= awkwardStates.size())
    awkwardStates.resize(index + 1);
  awkwardStates[index] = true;
}

Cost LayoutProblem::getStateCost(VarId var, StateId state) const {
  size_t index = size_t(firstState[var]) + state;
  return index < stateCosts.size() ? stateCosts[index] : Cost();
}

NetId LayoutProblem::addNet(llvm::ArrayRef<Cost> costs) {
  assert(!costs.empty() && costs.size() <= maxLabels && "unusable net");
  copyCosts.insert(copyCosts.end(), costs.begin(), costs.end());
  firstLabel.push_back(copyCosts.size());
  producers.emplace_back();
  firstUse.push_back(noId);
  lastUse.push_back(noId);
  return getNumNets() - 1;
}

void LayoutProblem::setCopyCost(NetId net, LabelId from, LabelId to,
                                Cost cost) {
  unsigned numLabels = getNumLabels(net);
  assert(from < numLabels && to < numLabels && "no such label");
  std::vector<Cost> &pairs = pairCosts[net];
  for (unsigned i = pairs.size(); i < numLabels * numLabels; ++i)
    pairs.push_back(copyCosts[firstLabel[net] + i % numLabels]);
  pairs[from * numLabels + to] = cost;
}

LayoutProblem::Port
LayoutProblem::makePort(NetId net, VarId var,
                        llvm::ArrayRef<LabelId> labelOfState) {
  assert(labelOfState.size() == getNumStates(var) && "a label for each state");
  assert(llvm::all_of(labelOfState,
                      [&](LabelId label) {
                        return label == anyLabel || label < getNumLabels(net);
                      }) &&
         "no such label");
  Port port{var, static_cast<uint32_t>(portLabels.size())};
  portLabels.insert(portLabels.end(), labelOfState.begin(), labelOfState.end());
  return port;
}

void LayoutProblem::setProducer(NetId net, VarId var,
                                llvm::ArrayRef<LabelId> labelOfState) {
  assert(!hasProducer(net) && "a net has one producer");
  producers[net] = makePort(net, var, labelOfState);
}

UseId LayoutProblem::addUse(NetId net, VarId var,
                            llvm::ArrayRef<LabelId> labelOfState) {
  UseId use = uses.size();
  uses.push_back({net, noId, makePort(net, var, labelOfState)});
  if (lastUse[net] == noId)
    firstUse[net] = use;
  else
    uses[lastUse[net]].next = use;
  lastUse[net] = use;
  return use;
}

/// What a copy in each label costs from the label that it is cheapest from.
llvm::SmallVector<Cost> LayoutProblem::getLeastCopyCosts(NetId net) const {
  llvm::SmallVector<Cost> costs(
      llvm::ArrayRef(copyCosts).slice(firstLabel[net], getNumLabels(net)));
  if (!hasPairCosts(net) || costs.size() < 2)
    return costs;
  for (unsigned to = 0; to < costs.size(); ++to) {
    costs[to] = getCopyCost(net, to == 0 ? 1 : 0, to);
    for (unsigned from = 0; from < costs.size(); ++from)
      if (Cost cost = getCopyCost(net, from, to);
          from != to && isCheaper(cost, costs[to], objective))
        costs[to] = cost;
  }
  return costs;
}

/// By pairs, what copies one of the other cost from one label to another.
std::vector<Cost> LayoutProblem::getPathCosts(NetId net) const {
  unsigned count = getNumLabels(net);
  std::vector<Cost> costs(size_t(count) * count);
  for (unsigned i = 0; i < costs.size(); ++i)
    if (i / count != i % count)
      costs[i] = getCopyCost(net, i / count, i % count);
  for (unsigned over = 0; over < count; ++over)
    for (unsigned i = 0; i < costs.size(); ++i) {
      Cost path =
          costs[i / count * count + over] + costs[over * count + i % count];
      if (isCheaper(path, costs[i], objective))
        costs[i] = path;
    }
  return costs;
}

bool LayoutProblem::hasSeveralUses(NetId net) const {
  UseId first = firstUse[net];
  return first != noId && uses[first].next != noId;
}

/// Adds `net` of `problem` without its ports. Where it has one use, at most one
/// label besides the producer's is wanted, and what leads there is a path.
/// Where it has several, they may share: a copy costs what it costs from the
/// nearest label. Copies of transposes that are made separately do share, but
/// these are uses of one net, which could have them as well.
NetId LayoutProblem::addRelaxed(const LayoutProblem &problem, NetId net) {
  if (!problem.hasPairCosts(net) || problem.hasSeveralUses(net))
    return addNet(problem.getLeastCopyCosts(net));
  unsigned count = problem.getNumLabels(net);
  NetId copy = addNet(
      llvm::ArrayRef(problem.copyCosts).slice(problem.firstLabel[net], count));
  for (auto [i, cost] : llvm::enumerate(problem.getPathCosts(net)))
    if (i / count != i % count)
      setCopyCost(copy, i / count, i % count, cost);
  return copy;
}

/// By how much the cheapest copy from label `from` costs more than it would
/// from the label that it is cheapest from.
Cost LayoutProblem::getLeastEntry(NetId net, LabelId from,
                                  llvm::ArrayRef<Cost> leastCosts) const {
  std::optional<Cost> least;
  for (auto [to, cost] : llvm::enumerate(leastCosts)) {
    if (to == from)
      continue;
    Cost more = getDifference(getCopyCost(net, from, to), cost, objective);
    if (!least || isCheaper(more, *least, objective))
      least = more;
  }
  return least.value_or(Cost());
}

/// A net that costs `cost` once where the producer of `net` writes label `from`
/// and somebody needs another.
void LayoutProblem::addEntry(const LayoutProblem &problem, NetId net,
                             LabelId from, Cost cost) {
  NetId entry = addNet({Cost(), cost});
  auto mapLabels = [&](const LayoutPort &port, LabelId own, LabelId other) {
    return llvm::map_to_vector(port.labelOfState, [&](LabelId label) {
      return label == anyLabel ? anyLabel : label == from ? own : other;
    });
  };
  LayoutPort producer = problem.getProducer(net);
  setProducer(entry, producer.var, mapLabels(producer, 0, anyLabel));
  problem.forEachUse(net, [&](UseId use) {
    LayoutPort port = problem.getUse(use);
    addUse(entry, port.var, mapLabels(port, 0, 1));
  });
}

/// Where copies may be made from other copies, the first of a net is not: it
/// costs what it costs from the label that the producer writes.
void LayoutProblem::addEntries(const LayoutProblem &problem, NetId net) {
  llvm::SmallVector<Cost> least = problem.getLeastCopyCosts(net);
  for (unsigned from = 0; from < least.size(); ++from)
    if (Cost cost = problem.getLeastEntry(net, from, least); cost != Cost())
      addEntry(problem, net, from, cost);
}

LayoutProblem LayoutProblem::relax(const llvm::BitVector &nets,
                                   const llvm::BitVector &vars) const {
  LayoutProblem kept(objective);
  kept.firstState = firstState;
  kept.stateCosts = stateCosts;
  for (VarId var : vars.set_bits())
    for (size_t i = firstState[var];
         i < std::min<size_t>(firstState[var + 1], stateCosts.size()); ++i)
      kept.stateCosts[i] = Cost();
  for (NetId net = 0; net < getNumNets(); ++net) {
    if (!nets.empty() && nets.test(net))
      continue;
    NetId copy = kept.addRelaxed(*this, net);
    LayoutPort producer = getProducer(net);
    kept.setProducer(copy, producer.var, producer.labelOfState);
    forEachUse(net, [&](UseId use) {
      kept.addUse(copy, getUse(use).var, getUse(use).labelOfState);
    });
    if (hasPairCosts(net) && hasSeveralUses(net))
      kept.addEntries(*this, net);
  }
  return kept;
}

} // namespace inlay
