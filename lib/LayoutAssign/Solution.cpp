//===- Solution.cpp - An answer to a layout problem -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/Solution.h"
#include "inlay/Support/Error.h"

namespace inlay {

static LabelId labelOf(const LayoutPort &port, llvm::ArrayRef<StateId> states) {
  return port.labelOfState[states[port.var]];
}

//===----------------------------------------------------------------------===//
// The cheapest relayouts
//===----------------------------------------------------------------------===//

static void completeNet(const LayoutProblem &problem, NetId net,
                        llvm::ArrayRef<StateId> states,
                        std::vector<Relayout> &relayouts) {
  LabelId have = labelOf(problem.getProducer(net), states);
  if (have == anyLabel)
    return;
  uint64_t needed = 0;
  problem.forEachUse(net, [&](UseId use) {
    LabelId need = labelOf(problem.getUse(use), states);
    if (need != anyLabel && need != have)
      needed |= uint64_t(1) << need;
  });
  if (!needed)
    return;
  size_t indexOfLabel[maxLabels];
  for (unsigned label = 0; label < problem.getNumLabels(net); ++label) {
    if (!(needed >> label & 1))
      continue;
    indexOfLabel[label] = relayouts.size();
    relayouts.push_back({net, have, static_cast<LabelId>(label), {}});
  }
  problem.forEachUse(net, [&](UseId use) {
    LabelId need = labelOf(problem.getUse(use), states);
    if (need != anyLabel && need != have)
      relayouts[indexOfLabel[need]].uses.push_back(use);
  });
}

std::vector<Relayout> completeRelayouts(const LayoutProblem &problem,
                                        llvm::ArrayRef<StateId> states) {
  std::vector<Relayout> relayouts;
  for (NetId net = 0; net < problem.getNumNets(); ++net)
    completeNet(problem, net, states, relayouts);
  return relayouts;
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

Cost computeCost(const LayoutProblem &problem, const Solution &solution) {
  Cost total;
  for (const Relayout &relayout : solution.relayouts)
    total += problem.getCopyCost(relayout.net, relayout.from, relayout.to);
  for (VarId var = 0; var < problem.getNumVariables(); ++var)
    total += problem.getStateCost(var, solution.states[var]);
  return total;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static llvm::Error fault(const llvm::Twine &message) {
  return makeError(ExitCode::Internal, message);
}

static llvm::Error verifyStates(const LayoutProblem &problem,
                                llvm::ArrayRef<StateId> states) {
  if (states.size() != problem.getNumVariables())
    return fault("a solution of " + llvm::Twine(problem.getNumVariables()) +
                 " variables has " + llvm::Twine(states.size()) + " states");
  for (VarId var = 0; var < states.size(); ++var)
    if (states[var] >= problem.getNumStates(var))
      return fault("variable " + llvm::Twine(var) + " of " +
                   llvm::Twine(problem.getNumStates(var)) +
                   " states is in state " + llvm::Twine(unsigned(states[var])));
  return llvm::Error::success();
}

/// Checks where `relayout` takes its value from; `available` are the labels
/// that the net has so far, and gains the new one.
static llvm::Error verifyRelayout(const LayoutProblem &problem,
                                  const Relayout &relayout,
                                  std::vector<uint64_t> &available) {
  if (relayout.net >= problem.getNumNets())
    return fault("a relayout of net " + llvm::Twine(relayout.net) + " of " +
                 llvm::Twine(problem.getNumNets()));
  unsigned numLabels = problem.getNumLabels(relayout.net);
  if (relayout.from >= numLabels || relayout.to >= numLabels)
    return fault("a relayout of net " + llvm::Twine(relayout.net) +
                 " from label " + llvm::Twine(unsigned(relayout.from)) +
                 " to label " + llvm::Twine(unsigned(relayout.to)) + " of " +
                 llvm::Twine(numLabels));
  uint64_t &labels = available[relayout.net];
  if (!(labels >> relayout.from & 1))
    return fault("a relayout of net " + llvm::Twine(relayout.net) +
                 " starts from label " + llvm::Twine(unsigned(relayout.from)) +
                 ", which the net does not have there");
  labels |= uint64_t(1) << relayout.to;
  return llvm::Error::success();
}

/// Notes in `copyOfUse` which label each use reads a copy of.
static llvm::Error assignUses(const LayoutProblem &problem,
                              const Relayout &relayout,
                              std::vector<LabelId> &copyOfUse) {
  for (UseId use : relayout.uses) {
    if (use >= copyOfUse.size() || problem.getNetOfUse(use) != relayout.net)
      return fault("a relayout of net " + llvm::Twine(relayout.net) +
                   " serves use " + llvm::Twine(use) +
                   ", which is none of that net");
    if (copyOfUse[use] != anyLabel)
      return fault("use " + llvm::Twine(use) + " of net " +
                   llvm::Twine(relayout.net) + " reads two copies");
    copyOfUse[use] = relayout.to;
  }
  return llvm::Error::success();
}

static llvm::Error verifyUses(const LayoutProblem &problem,
                              llvm::ArrayRef<StateId> states,
                              llvm::ArrayRef<LabelId> copyOfUse) {
  for (UseId use = 0; use < problem.getNumUses(); ++use) {
    LabelId need = labelOf(problem.getUse(use), states);
    LabelId have = copyOfUse[use];
    if (have == anyLabel)
      have = labelOf(problem.getProducer(problem.getNetOfUse(use)), states);
    if (need != anyLabel && have != anyLabel && need != have)
      return fault("use " + llvm::Twine(use) + " of net " +
                   llvm::Twine(problem.getNetOfUse(use)) + " needs label " +
                   llvm::Twine(unsigned(need)) + " and reads label " +
                   llvm::Twine(unsigned(have)));
  }
  return llvm::Error::success();
}

llvm::Error verify(const LayoutProblem &problem, const Solution &solution) {
  if (llvm::Error error = verifyStates(problem, solution.states))
    return error;
  std::vector<uint64_t> available(problem.getNumNets());
  for (NetId net = 0; net < problem.getNumNets(); ++net) {
    if (!problem.hasProducer(net))
      return fault("net " + llvm::Twine(net) + " has no producer");
    LabelId have = labelOf(problem.getProducer(net), solution.states);
    available[net] = have == anyLabel ? ~uint64_t(0) : uint64_t(1) << have;
  }
  std::vector<LabelId> copyOfUse(problem.getNumUses(), anyLabel);
  for (const Relayout &relayout : solution.relayouts) {
    if (llvm::Error error = verifyRelayout(problem, relayout, available))
      return error;
    if (llvm::Error error = assignUses(problem, relayout, copyOfUse))
      return error;
  }
  return verifyUses(problem, solution.states, copyOfUse);
}

} // namespace inlay
