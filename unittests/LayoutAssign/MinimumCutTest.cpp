//===- MinimumCutTest.cpp - Tests of the minimum cut ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MinimumCut.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

/// Variables of two states with costs of pairs.
class MinimumCutTest : public testing::Test {
protected:
  VarId addVariable(int costOfZero, int costOfOne) {
    VarId var = terms.addVariable(2);
    terms.addStateCost(var, 0, costOfZero);
    terms.addStateCost(var, 1, costOfOne);
    return var;
  }
  /// What a use in label `user` costs of a value written in label `producer`,
  /// where state 1 of the user means label 0 if it is a transpose.
  void connect(VarId producer, VarId user, int cost, bool transposed = false) {
    for (StateId label : {0, 1}) {
      StateMask needs = StateMask(1) << (label ^ StateId(transposed));
      llvm::SmallVector<TermUser> users = {{user, needs}};
      terms.addTerm(cost, producer, StateMask(1) << label, users);
    }
  }
  std::optional<std::vector<StateId>> solve() {
    terms.buildIndex();
    return solveMinimumCut(terms);
  }

  CostTerms terms;
};

using States = std::vector<StateId>;

TEST_F(MinimumCutTest, CutsWhereItIsCheapest) {
  VarId a = addVariable(0, 100), b = addVariable(0, 0), c = addVariable(100, 0);
  connect(a, b, 5);
  connect(b, c, 3);
  EXPECT_EQ(solve(), (States{0, 0, 1}));
}

TEST_F(MinimumCutTest, StatesDecideWhereTheyCostMore) {
  VarId a = addVariable(0, 2), b = addVariable(1, 0);
  connect(a, b, 5);
  EXPECT_EQ(solve(), (States{0, 0}));
}

TEST_F(MinimumCutTest, ATransposeExchangesStates) {
  VarId a = addVariable(0, 100), b = addVariable(0, 1);
  connect(a, b, 5, /*transposed=*/true);
  EXPECT_EQ(solve(), (States{0, 1}));
}

TEST_F(MinimumCutTest, TwoTransposesOnACycleCancel) {
  VarId a = addVariable(0, 100), b = addVariable(0, 1), c = addVariable(0, 1);
  connect(a, b, 5, /*transposed=*/true);
  connect(b, c, 5);
  connect(a, c, 5, /*transposed=*/true);
  EXPECT_EQ(solve(), (States{0, 1, 1}));
}

TEST_F(MinimumCutTest, ACycleWithOneTransposeIsNoCut) {
  VarId a = addVariable(0, 1), b = addVariable(0, 1), c = addVariable(0, 1);
  connect(a, b, 5, /*transposed=*/true);
  connect(b, c, 5);
  connect(a, c, 5);
  EXPECT_EQ(solve(), std::nullopt);
}

TEST_F(MinimumCutTest, ThreeStatesAreNoCut) {
  VarId a = addVariable(0, 1);
  VarId b = terms.addVariable(3);
  connect(a, b, 5);
  EXPECT_EQ(solve(), std::nullopt);
}

TEST_F(MinimumCutTest, ASharedCopyIsPaidOnce) {
  // Three users want label 1, each for 3; one copy costs 5.
  VarId producer = addVariable(0, 100);
  llvm::SmallVector<TermUser> users;
  for (unsigned i = 0; i < 3; ++i)
    users.push_back({addVariable(3, 0), 2});
  terms.addTerm(5, producer, 2, users);
  terms.buildIndex();
  EXPECT_EQ(solveMinimumCut(terms), std::nullopt);

  std::optional<States> states = solveMinimumCut(splitLargeTerms(terms, 2));
  ASSERT_TRUE(states);
  states->resize(terms.getNumVariables());
  EXPECT_EQ(*states, (States{0, 1, 1, 1}));
}

TEST_F(MinimumCutTest, ACopyThatCostsMoreThanItsUsersIsNotMade) {
  VarId producer = addVariable(0, 100);
  llvm::SmallVector<TermUser> users;
  for (unsigned i = 0; i < 3; ++i)
    users.push_back({addVariable(3, 0), 2});
  terms.addTerm(10, producer, 2, users);
  terms.buildIndex();
  std::optional<States> states = solveMinimumCut(splitLargeTerms(terms, 2));
  ASSERT_TRUE(states);
  states->resize(terms.getNumVariables());
  EXPECT_EQ(*states, (States{0, 0, 0, 0}));
}

} // namespace
} // namespace inlay
