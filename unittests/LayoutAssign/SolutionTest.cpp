//===- SolutionTest.cpp - Tests of answers to layout problems -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/Solution.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

std::string getFault(const LayoutProblem &problem, const Solution &solution) {
  return llvm::toString(verify(problem, solution));
}

/// One value of three labels, written in label 0 or, in state 1, in all, and
/// read by three users that need labels 0, 1 and 1, or any.
class SolutionTest : public testing::Test {
protected:
  SolutionTest() {
    producer = problem.addVariable(2);
    net = problem.addNet({{10, 1}, {20, 1}, {40, 1}});
    problem.setProducer(net, producer, {0, anyLabel});
    for (LabelId label : {0, 1, 1}) {
      VarId user = problem.addVariable(2);
      uses.push_back(problem.addUse(net, user, {label, anyLabel}));
    }
  }

  LayoutProblem problem;
  VarId producer;
  NetId net;
  std::vector<UseId> uses;
  std::vector<StateId> zero = {0, 0, 0, 0};
};

TEST_F(SolutionTest, OneCopyServesAllUsersOfALabel) {
  std::vector<Relayout> relayouts = completeRelayouts(problem, zero);
  ASSERT_EQ(relayouts.size(), 1u);
  EXPECT_EQ(relayouts[0], (Relayout{net, 0, 1, {uses[1], uses[2]}}));
  Solution solution{zero, relayouts};
  EXPECT_EQ(computeCost(problem, solution), (Cost{20, 1}));
  EXPECT_EQ(getFault(problem, solution), "");
}

TEST_F(SolutionTest, NoCopyWhereTheProducerProvidesAll) {
  EXPECT_TRUE(completeRelayouts(problem, {1, 0, 0, 0}).empty());
}

TEST_F(SolutionTest, NoCopyForUsersThatTakeAny) {
  EXPECT_TRUE(completeRelayouts(problem, {0, 0, 1, 1}).empty());
}

TEST_F(SolutionTest, CopiesInAChainAndTwiceAreCountedAsListed) {
  Solution solution{
      zero,
      {{net, 0, 1, {uses[1]}}, {net, 0, 1, {uses[2]}}, {net, 1, 0, {uses[0]}}}};
  EXPECT_EQ(getFault(problem, solution), "");
  EXPECT_EQ(computeCost(problem, solution), (Cost{50, 3}));
}

TEST_F(SolutionTest, EachCopyCostsByWhatItIsMadeFrom) {
  Cost before = computeCost(problem, {zero, {{net, 0, 1, {}}}});
  problem.setCopyCost(net, 2, 1, {1000, 1});
  EXPECT_EQ(computeCost(problem, {zero, {{net, 0, 1, {}}}}), before);
  EXPECT_EQ(computeCost(problem, {zero, {{net, 2, 1, {}}}}), (Cost{1000, 1}));
}

TEST_F(SolutionTest, ACopyIsMadeFromAnotherWhereThatIsCheaper) {
  VarId last = problem.addVariable(1);
  UseId use = problem.addUse(net, last, {2});
  std::vector<StateId> states = {0, 0, 0, 0, 0};
  // Prices by label alone leave nothing to choose.
  EXPECT_EQ(completeFromCopies(problem, states),
            completeRelayouts(problem, states));
  problem.setCopyCost(net, 2, 1, {4, 1});
  Solution solution{states, completeFromCopies(problem, states)};
  ASSERT_EQ(solution.relayouts.size(), 2u);
  EXPECT_EQ(solution.relayouts[0], (Relayout{net, 0, 2, {use}}));
  EXPECT_EQ(solution.relayouts[1], (Relayout{net, 2, 1, {uses[1], uses[2]}}));
  EXPECT_EQ(computeCost(problem, solution), (Cost{44, 2}));
  EXPECT_EQ(getFault(problem, solution), "");
  // Each from the other would be cheapest, and one has to be the first.
  problem.setCopyCost(net, 1, 2, {1, 1});
  EXPECT_EQ(computeCost(problem, {states, completeFromCopies(problem, states)}),
            (Cost{21, 2}));
}

TEST_F(SolutionTest, StateCostsCount) {
  problem.setStateCost(producer, 1, {7, 0});
  EXPECT_EQ(computeCost(problem, {{1, 0, 0, 0}, {}}), (Cost{7, 0}));
  EXPECT_EQ(computeCost(problem, {{0, 1, 1, 1}, {}}), Cost());
}

TEST_F(SolutionTest, RefusesAMissingCopy) {
  EXPECT_EQ(getFault(problem, {zero, {}}),
            "use 1 of net 0 needs label 1 and reads label 0");
}

TEST_F(SolutionTest, RefusesACopyInAnotherLabel) {
  EXPECT_EQ(getFault(problem, {zero, {{net, 0, 2, {uses[1], uses[2]}}}}),
            "use 1 of net 0 needs label 1 and reads label 2");
}

TEST_F(SolutionTest, RefusesACopyOfWhatIsNotThere) {
  EXPECT_EQ(getFault(problem, {zero, {{net, 2, 1, {uses[1], uses[2]}}}}),
            "a relayout of net 0 starts from label 2, which the net does not "
            "have there");
}

TEST_F(SolutionTest, RefusesACopyOfALaterCopy) {
  Solution solution{zero, {{net, 2, 1, {uses[1], uses[2]}}, {net, 0, 2, {}}}};
  EXPECT_NE(getFault(problem, solution), "");
  std::swap(solution.relayouts[0], solution.relayouts[1]);
  EXPECT_EQ(getFault(problem, solution), "");
}

TEST_F(SolutionTest, RefusesStatesThatThereAreNot) {
  EXPECT_EQ(getFault(problem, {{0, 0, 2, 0}, {}}),
            "variable 2 of 2 states is in state 2");
  EXPECT_EQ(getFault(problem, {{0, 0}, {}}),
            "a solution of 4 variables has 2 states");
}

TEST_F(SolutionTest, RefusesUsesThatAreNoneOfTheNet) {
  EXPECT_EQ(getFault(problem, {zero, {{net, 0, 1, {7}}}}),
            "a relayout of net 0 serves use 7, which is none of that net");
  EXPECT_EQ(getFault(problem, {zero, {{net, 0, 1, {uses[1], uses[1]}}}}),
            "use 1 of net 0 reads two copies");
}

TEST_F(SolutionTest, RefusesNetsAndLabelsThatThereAreNot) {
  EXPECT_EQ(getFault(problem, {zero, {{3, 0, 1, {}}}}),
            "a relayout of net 3 of 1");
  EXPECT_EQ(getFault(problem, {zero, {{net, 0, 3, {}}}}),
            "a relayout of net 0 from label 0 to label 3 of 3");
}

TEST_F(SolutionTest, RefusesANetWithoutProducer) {
  problem.addNet({{1, 1}});
  EXPECT_EQ(getFault(problem, {{0, 1, 1, 1}, {}}), "net 1 has no producer");
}

} // namespace
} // namespace inlay
