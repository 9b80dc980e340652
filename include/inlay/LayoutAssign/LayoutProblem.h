//===- LayoutProblem.h - Choosing storage orders, abstractly ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout problem without tensors: *variables* with a few *states* each (the
// admissible tuples of storage orders of an operator, or of a group of tied
// ones) and *nets* (tensor values) with a few *labels* each (their storage
// orders). A net has one producer and any number of uses. Producer and uses
// are ports: each belongs to a variable and says which label of the net every
// state of the variable means. By example, with NHWC for key operators:
//
//   x -> [Transpose] -> y -> [Conv]        labels of x, y: 0 NCHW, 1 NHWC
//
//   input      1 state;   produces x in 0
//   transpose  2 states;  uses x in {0, 1} and produces y in {1, 0}, since
//                         an order that leaves the data in place costs nothing
//   conv       1 state;   uses y in {1}
//
// An assignment gives each variable a state. Each label that uses of a net
// need, other than the label of its producer, is one copy, shared by these
// uses, and costs what the net says for that label, or for the two of them. It
// is made of what the producer has written; see completeFromCopies for more.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUTASSIGN_LAYOUTPROBLEM_H
#define INLAY_LAYOUTASSIGN_LAYOUTPROBLEM_H

#include "inlay/LayoutAssign/Cost.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace inlay {

using VarId = uint32_t;
using NetId = uint32_t;
using UseId = uint32_t;
using StateId = uint8_t;
using LabelId = uint8_t;

/// Of a use: takes every label. Of a producer: provides every label, free.
inline constexpr LabelId anyLabel = 255;

/// No variable has more states and no net more labels.
inline constexpr unsigned maxStates = 64;
inline constexpr unsigned maxLabels = 64;

/// Where a variable touches a net.
struct LayoutPort {
  VarId var = 0;
  /// A label, or anyLabel, for each state of the variable.
  llvm::ArrayRef<LabelId> labelOfState;
};

/// Variables, nets and what they cost. Storage is flat: a million of each take
/// about a hundred bytes apiece.
class LayoutProblem {
public:
  explicit LayoutProblem(Objective objective = Objective::Bytes)
      : objective(objective) {}

  Objective getObjective() const { return objective; }

  /// States are numbered from 0; among equally cheap ones the lowest wins.
  VarId addVariable(unsigned numStates);
  /// States cost nothing unless this says so.
  void setStateCost(VarId var, StateId state, Cost cost);

  /// Of plans that cost the same, one with the fewest awkward states is taken,
  /// as far as it is found without searching.
  void setAwkward(VarId var, StateId state);

  /// A net of copyCosts.size() labels; copyCosts[l] is what a copy of its value
  /// in label l costs. It needs a producer before the problem is used.
  NetId addNet(llvm::ArrayRef<Cost> copyCosts);
  /// What a copy in label `to` costs where it is made from label `from`,
  /// instead of what addNet says for every label.
  void setCopyCost(NetId net, LabelId from, LabelId to, Cost cost);
  void setProducer(NetId net, VarId var, llvm::ArrayRef<LabelId> labelOfState);
  UseId addUse(NetId net, VarId var, llvm::ArrayRef<LabelId> labelOfState);

  unsigned getNumVariables() const { return firstState.size() - 1; }
  unsigned getNumNets() const { return producers.size(); }
  unsigned getNumUses() const { return uses.size(); }

  unsigned getNumStates(VarId var) const {
    return firstState[var + 1] - firstState[var];
  }
  Cost getStateCost(VarId var, StateId state) const;
  bool isAwkward(VarId var, StateId state) const {
    size_t index = size_t(firstState[var]) + state;
    return index < awkwardStates.size() && awkwardStates[index];
  }

  unsigned getNumLabels(NetId net) const {
    return firstLabel[net + 1] - firstLabel[net];
  }
  /// Whether it matters what copies, or those of `net`, are made from.
  bool hasPairCosts() const { return !pairCosts.empty(); }
  bool hasPairCosts(NetId net) const { return pairCosts.contains(net); }
  Cost getCopyCost(NetId net, LabelId from, LabelId to) const {
    auto pairs = pairCosts.find(net);
    return pairs == pairCosts.end()
               ? copyCosts[firstLabel[net] + to]
               : pairs->second[from * getNumLabels(net) + to];
  }
  bool hasProducer(NetId net) const { return producers[net].var != noId; }
  LayoutPort getProducer(NetId net) const { return getPort(producers[net]); }

  NetId getNetOfUse(UseId use) const { return uses[use].net; }
  LayoutPort getUse(UseId use) const { return getPort(uses[use].port); }
  /// Calls fn(UseId) for each use of `net`, in the order they were added in.
  template <typename Fn> void forEachUse(NetId net, Fn &&fn) const {
    for (UseId use = firstUse[net]; use != noId; use = uses[use].next)
      fn(use);
  }

  static constexpr uint32_t noId = ~0u;

  /// The same variables and all nets but `nets`, where the states of `vars`
  /// cost nothing and copies no more than they do when they are made from other
  /// copies: no answer to this problem, with such copies or without, is cheaper
  /// than the cheapest to that one. Empty: none.
  LayoutProblem relax(const llvm::BitVector &nets,
                      const llvm::BitVector &vars) const;

private:
  struct Port {
    VarId var = noId;
    uint32_t labels = 0;
  };
  struct Use {
    NetId net;
    UseId next;
    Port port;
  };

  llvm::SmallVector<Cost> getLeastCopyCosts(NetId net) const;
  std::vector<Cost> getPathCosts(NetId net) const;
  bool hasSeveralUses(NetId net) const;
  Cost getLeastEntry(NetId net, LabelId from,
                     llvm::ArrayRef<Cost> leastCosts) const;
  NetId addRelaxed(const LayoutProblem &problem, NetId net);
  void addEntries(const LayoutProblem &problem, NetId net);
  void addEntry(const LayoutProblem &problem, NetId net, LabelId from,
                Cost cost);
  Port makePort(NetId net, VarId var, llvm::ArrayRef<LabelId> labelOfState);
  LayoutPort getPort(const Port &port) const {
    return {port.var,
            {portLabels.data() + port.labels, getNumStates(port.var)}};
  }

  Objective objective;
  /// Of variable v: where its states are numbered from over all variables.
  std::vector<uint32_t> firstState = {0};
  /// By number of the state; empty or shorter where the rest is zero.
  std::vector<Cost> stateCosts;
  /// The same.
  std::vector<bool> awkwardStates;
  std::vector<uint32_t> firstLabel = {0};
  std::vector<Cost> copyCosts;
  /// Of nets whose copies are priced by pairs, by number of the pair.
  llvm::DenseMap<NetId, std::vector<Cost>> pairCosts;
  std::vector<Port> producers;
  std::vector<UseId> firstUse;
  std::vector<UseId> lastUse;
  std::vector<Use> uses;
  std::vector<LabelId> portLabels;
};

} // namespace inlay

#endif // INLAY_LAYOUTASSIGN_LAYOUTPROBLEM_H
