//===- MinimumCut.cpp - Exact by minimum cut ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The terms become costs f(x, y) of pairs of variables.
// 2. A pair with f(0,1) + f(1,0) > f(0,0) + f(1,1) wants its variables equal,
//    one with < wants them different. Where the variables fall into two colours
//    such that equal pairs lie within and different ones across, exchanging the
//    states of one colour makes every pair submodular. A cycle with an odd
//    number of different pairs, as in x + transpose(x), has no such colours.
// 3. Every submodular pair is an arc, what is left of it costs per state:
//
//      f(x,y) = f(0,0) + x (f(1,0) - f(0,0)) + y (f(1,1) - f(1,0))
//             + (1-x) y (f(0,1) + f(1,0) - f(0,0) - f(1,1))
//
//    The source's side of the cut are the variables in state 0.
//
//===----------------------------------------------------------------------===//

#include "MinimumCut.h"
#include "MaxFlow.h"
#include "Tables.h"
#include "llvm/ADT/STLExtras.h"

namespace inlay {
namespace {

/// What two variables cost together: costs[x + 2 * y].
struct Pair {
  VarId x, y;
  Weight costs[4];

  /// Above zero where equal states are cheaper.
  Weight getCoupling() const {
    return costs[1] + costs[2] - costs[0] - costs[3];
  }
};

class CutSolver {
public:
  explicit CutSolver(const CostTerms &terms) : terms(terms) {}

  std::optional<std::vector<StateId>> run() {
    for (VarId var = 0; var < terms.getNumVariables(); ++var)
      if (terms.getNumStates(var) > 2)
        return std::nullopt;
    if (!collectPairs() || !chooseFlips())
      return std::nullopt;
    return cut();
  }

private:
  bool collectPairs();
  void addPair(const CostTable &table);
  bool chooseFlips();
  std::vector<StateId> cut();

  const CostTerms &terms;
  std::vector<Pair> pairs;
  std::vector<bool> isFlipped;
};

/// Adds a table of two variables, the smaller one first, as a pair. A single
/// state stands for both.
void CutSolver::addPair(const CostTable &table) {
  Pair pair{table.scope[0], table.scope[1], {}};
  unsigned numX = terms.getNumStates(pair.x), numY = terms.getNumStates(pair.y);
  for (unsigned y = 0; y < 2; ++y)
    for (unsigned x = 0; x < 2; ++x)
      pair.costs[x + 2 * y] =
          table.entries[std::min(x, numX - 1) + numX * std::min(y, numY - 1)];
  if (pair.x > pair.y) {
    std::swap(pair.x, pair.y);
    std::swap(pair.costs[1], pair.costs[2]);
  }
  pairs.push_back(pair);
}

bool CutSolver::collectPairs() {
  TableMinimizer tables(terms);
  for (unsigned index = 0; index < terms.getNumTerms(); ++index) {
    CostTable table = tables.getTable(terms.getTerm(index));
    if (table.scope.size() != 2)
      return false;
    addPair(table);
  }
  auto isBefore = [](const Pair &a, const Pair &b) {
    return std::pair(a.x, a.y) < std::pair(b.x, b.y);
  };
  llvm::sort(pairs, isBefore);
  size_t last = 0;
  for (size_t i = 1; i < pairs.size(); ++i) {
    if (isBefore(pairs[last], pairs[i])) {
      pairs[++last] = pairs[i];
      continue;
    }
    for (unsigned j = 0; j < 4; ++j)
      pairs[last].costs[j] += pairs[i].costs[j];
  }
  pairs.resize(pairs.empty() ? 0 : last + 1);
  return true;
}

/// Two-colours the variables; false where a cycle forbids it.
bool CutSolver::chooseFlips() {
  unsigned numVars = terms.getNumVariables();
  std::vector<llvm::SmallVector<uint32_t, 4>> pairsOf(numVars);
  for (uint32_t index = 0; index < pairs.size(); ++index) {
    if (pairs[index].getCoupling() == 0)
      continue;
    pairsOf[pairs[index].x].push_back(index);
    pairsOf[pairs[index].y].push_back(index);
  }
  isFlipped.assign(numVars, false);
  std::vector<bool> isColoured(numVars);
  std::vector<VarId> stack;
  for (VarId start = 0; start < numVars; ++start) {
    if (isColoured[start])
      continue;
    isColoured[start] = true;
    stack.push_back(start);
    while (!stack.empty()) {
      VarId var = stack.back();
      stack.pop_back();
      for (uint32_t index : pairsOf[var]) {
        const Pair &pair = pairs[index];
        VarId other = pair.x == var ? pair.y : pair.x;
        bool wanted = isFlipped[var] != (pair.getCoupling() < 0);
        if (isColoured[other] && isFlipped[other] != wanted)
          return false;
        if (isColoured[other])
          continue;
        isColoured[other] = true;
        isFlipped[other] = wanted;
        stack.push_back(other);
      }
    }
  }
  return true;
}

std::vector<StateId> CutSolver::cut() {
  unsigned numVars = terms.getNumVariables();
  FlowNetwork::Node source = numVars, sink = numVars + 1;
  FlowNetwork network(numVars + 2);
  // What state 1, after flips, costs more than state 0.
  std::vector<Weight> excess(numVars);
  for (VarId var = 0; var < numVars; ++var)
    if (terms.getNumStates(var) == 2) {
      excess[var] = terms.getStateCost(var, 1) - terms.getStateCost(var, 0);
      if (isFlipped[var])
        excess[var] = -excess[var];
    }
  for (Pair &pair : pairs) {
    if (isFlipped[pair.x]) {
      std::swap(pair.costs[0], pair.costs[1]);
      std::swap(pair.costs[2], pair.costs[3]);
    }
    if (isFlipped[pair.y]) {
      std::swap(pair.costs[0], pair.costs[2]);
      std::swap(pair.costs[1], pair.costs[3]);
    }
    excess[pair.x] += pair.costs[1] - pair.costs[0];
    excess[pair.y] += pair.costs[3] - pair.costs[1];
    if (Weight coupling = pair.getCoupling())
      network.addArc(pair.x, pair.y, coupling);
  }
  for (VarId var = 0; var < numVars; ++var) {
    if (excess[var] > 0)
      network.addArc(source, var, excess[var]);
    else if (excess[var] < 0)
      network.addArc(var, sink, -excess[var]);
  }
  network.maximize(source, sink);
  std::vector<bool> isOne = network.getSinkSide(sink);
  std::vector<StateId> states(numVars);
  for (VarId var = 0; var < numVars; ++var)
    if (terms.getNumStates(var) == 2)
      states[var] = isOne[var] != isFlipped[var];
  return states;
}

} // namespace

std::optional<std::vector<StateId>> solveMinimumCut(const CostTerms &terms) {
  return CutSolver(terms).run();
}

} // namespace inlay
