//===- EliminationTest.cpp - Tests of variable elimination ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elimination.h"
#include "BranchAndBound.h"
#include "EliminationPlan.h"
#include "LocalSearch.h"
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace inlay {
namespace {

/// Adds what it costs that two variables are in different states.
void connect(CostTerms &terms, VarId a, VarId b, Weight cost) {
  for (StateId state = 0; state < terms.getNumStates(a); ++state) {
    llvm::SmallVector<TermUser> users = {{b, StateMask(1) << state}};
    terms.addTerm(cost, a, StateMask(1) << state, users);
  }
}

/// As costs lie in weights, above what decides between equal ones.
constexpr Weight oneUnit = Weight(1) << costShift;

/// Variables in a grid whose neighbours want to be equal, with random costs.
CostTerms makeGrid(unsigned height, unsigned width, unsigned numStates,
                   unsigned seed = 1) {
  std::mt19937 random(seed);
  CostTerms terms;
  for (unsigned i = 0; i < height * width; ++i) {
    VarId var = terms.addVariable(numStates);
    for (StateId state = 0; state < numStates; ++state)
      terms.addStateCost(var, state, oneUnit * (random() % 8));
  }
  for (unsigned row = 0; row < height; ++row)
    for (unsigned column = 0; column < width; ++column) {
      VarId var = row * width + column;
      if (column + 1 < width)
        connect(terms, var, var + 1, oneUnit * (1 + random() % 4));
      if (row + 1 < height)
        connect(terms, var, var + width, oneUnit * (1 + random() % 4));
    }
  terms.buildIndex();
  return terms;
}

Weight findLeast(const CostTerms &terms) {
  std::vector<StateId> states(terms.getNumVariables());
  Weight least = terms.evaluate(states);
  while (true) {
    VarId var = 0;
    while (var < states.size() && ++states[var] == terms.getNumStates(var))
      states[var++] = 0;
    if (var == states.size())
      return least;
    least = std::min(least, terms.evaluate(states));
  }
}

TEST(EliminationTest, AChainHasTreewidthOne) {
  EliminationPlan plan = planElimination(makeGrid(1, 1000, 3), 3);
  EXPECT_EQ(plan.order.size(), 1000u);
  EXPECT_TRUE(plan.kept.empty());
  EXPECT_EQ(plan.width, 1u);
}

TEST(EliminationTest, ALadderHasTreewidthTwo) {
  EliminationPlan plan = planElimination(makeGrid(2, 500, 2), 4);
  EXPECT_TRUE(plan.kept.empty());
  EXPECT_EQ(plan.width, 2u);
}

TEST(EliminationTest, KeepsWhatWouldNeedTooLargeATable) {
  CostTerms terms = makeGrid(8, 8, 2);
  EXPECT_FALSE(planElimination(terms, 16).kept.empty());
  EXPECT_TRUE(planElimination(terms, 1 << 12).kept.empty());
}

TEST(EliminationTest, KeepingSomeLetsTheOthersGo) {
  CostTerms terms = makeGrid(8, 8, 2);
  std::vector<VarId> all(64);
  std::iota(all.begin(), all.end(), 0);
  EliminationPlan plan = planElimination(terms, 16, all);
  EXPECT_FALSE(plan.kept.empty());
  EXPECT_EQ(plan.order.size() + plan.kept.size(), 64u);
  EXPECT_GT(plan.order.size(), 40u);
}

TEST(EliminationTest, AHubWithManyNeighboursGoesLast) {
  CostTerms terms;
  terms.addVariable(4);
  for (unsigned i = 1; i <= 2000; ++i)
    connect(terms, 0, terms.addVariable(4), 1);
  terms.buildIndex();
  EliminationPlan plan = planElimination(terms, 4);
  EXPECT_TRUE(plan.kept.empty());
  EXPECT_EQ(plan.width, 1u);
}

TEST(EliminationTest, FindsTheLeastCostOfGrids) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CostTerms terms = makeGrid(3, 3, 3, seed);
    EliminationPlan plan = planElimination(terms, 1 << 12);
    std::vector<StateId> states = eliminate(terms, plan.order);
    EXPECT_TRUE(terms.evaluate(states) == findLeast(terms)) << seed;
  }
}

TEST(EliminationTest, OfEqualStatesTheFirstIsTaken) {
  CostTerms terms;
  for (unsigned i = 0; i < 5; ++i)
    terms.addVariable(3);
  for (VarId var = 0; var + 1 < 5; ++var)
    connect(terms, var, var + 1, 2);
  terms.buildIndex();
  EXPECT_EQ(eliminate(terms, planElimination(terms, 16).order),
            std::vector<StateId>(5));
}

TEST(EliminationTest, ALargeTermIsSplitWithoutChangingTheLeastCost) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 50; ++round) {
    CostTerms terms;
    llvm::SmallVector<TermUser> users;
    VarId producer = terms.addVariable(3);
    for (unsigned i = 0; i < 6; ++i)
      users.push_back({terms.addVariable(3), StateMask(1 + random() % 6)});
    for (VarId var = 0; var < terms.getNumVariables(); ++var)
      for (StateId state = 0; state < 3; ++state)
        terms.addStateCost(var, state, random() % 4);
    terms.addTerm(5, producer, 1 + random() % 6, users);
    terms.buildIndex();
    EXPECT_TRUE(hasLargeTerms(terms, 3));
    CostTerms split = splitLargeTerms(terms, 3);
    EXPECT_FALSE(hasLargeTerms(split, 3));
    EXPECT_TRUE(findLeast(split) == findLeast(terms));
  }
}

TEST(BranchAndBoundTest, FindsAndProvesTheLeastCost) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CostTerms terms = makeGrid(3, 3, 3, seed);
    std::vector<VarId> order(9);
    std::iota(order.begin(), order.end(), 0);
    SearchResult result =
        branchAndBound(terms, order, std::vector<StateId>(9), {3, UINT64_MAX});
    EXPECT_TRUE(result.cost == findLeast(terms)) << seed;
    EXPECT_TRUE(result.bound == result.cost);
    EXPECT_TRUE(terms.evaluate(result.states) == result.cost);
  }
}

TEST(BranchAndBoundTest, StopsAtItsLimitWithABound) {
  CostTerms terms = makeGrid(12, 12, 3);
  std::vector<VarId> order(144);
  std::iota(order.begin(), order.end(), 0);
  SearchResult result =
      branchAndBound(terms, order, std::vector<StateId>(144), {9, 1000});
  EXPECT_TRUE(result.bound < result.cost);
  EXPECT_TRUE(terms.evaluate(result.states) == result.cost);
}

TEST(LocalSearchTest, SolvesPartsUntilTheWholeIsGood) {
  CostTerms terms = makeGrid(4, 4, 2);
  std::vector<StateId> states(16);
  improveOneByOne(terms, states);
  Weight oneByOne = terms.evaluate(states);
  improveByElimination(terms, states, {4, 1 << 20, 32});
  EXPECT_TRUE(terms.evaluate(states) <= oneByOne);
  EXPECT_TRUE(terms.evaluate(states) == findLeast(terms));
}

} // namespace
} // namespace inlay
