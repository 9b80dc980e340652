//===- LayoutProblemTest.cpp - Tests of layout problems -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/LayoutProblem.h"
#include "inlay/LayoutAssign/Optimal.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

TEST(CostTest, ObjectiveSaysWhichPartComesFirst) {
  Cost few{100, 1}, small{10, 5};
  EXPECT_TRUE(isCheaper(small, few, Objective::Bytes));
  EXPECT_FALSE(isCheaper(few, small, Objective::Bytes));
  EXPECT_TRUE(isCheaper(few, small, Objective::Count));
  EXPECT_FALSE(isCheaper(small, few, Objective::Count));
}

TEST(CostTest, OtherPartBreaksTies) {
  EXPECT_TRUE(isCheaper({10, 1}, {10, 2}, Objective::Bytes));
  EXPECT_TRUE(isCheaper({10, 2}, {11, 2}, Objective::Count));
  EXPECT_FALSE(isCheaper({10, 2}, {10, 2}, Objective::Bytes));
}

TEST(CostTest, ADifferenceIsNeverTooMuch) {
  EXPECT_EQ(getDifference({9, 3}, {5, 1}, Objective::Bytes), (Cost{4, 2}));
  EXPECT_EQ(getDifference({9, 1}, {5, 3}, Objective::Bytes), (Cost{3, 0}));
  EXPECT_EQ(getDifference({5, 3}, {9, 1}, Objective::Count), (Cost{0, 1}));
  EXPECT_EQ(getDifference({5, 3}, {5, 3}, Objective::Count), Cost());
}

TEST(CostTest, SumsSaturate) {
  Cost huge{UINT64_MAX - 1, 1};
  EXPECT_EQ(huge + huge, (Cost{UINT64_MAX, 2}));
}

TEST(LayoutProblemTest, KeepsUsesInTheOrderTheyWereAddedIn) {
  LayoutProblem problem;
  VarId var = problem.addVariable(2);
  NetId first = problem.addNet({{1, 1}, {2, 1}});
  NetId second = problem.addNet({{3, 1}});
  problem.setProducer(first, var, {0, 1});
  problem.setProducer(second, var, {0, anyLabel});
  UseId a = problem.addUse(first, var, {1, 0});
  UseId b = problem.addUse(second, var, {0, 0});
  UseId c = problem.addUse(first, var, {anyLabel, 1});

  std::vector<UseId> uses;
  problem.forEachUse(first, [&](UseId use) { uses.push_back(use); });
  EXPECT_EQ(uses, (std::vector<UseId>{a, c}));
  EXPECT_EQ(problem.getNetOfUse(b), second);
  EXPECT_EQ(problem.getUse(c).labelOfState[0], anyLabel);
  EXPECT_EQ(problem.getUse(c).labelOfState[1], 1);
  EXPECT_EQ(problem.getProducer(first).var, var);
  EXPECT_EQ(problem.getCopyCost(first, 0, 1), (Cost{2, 1}));
  EXPECT_EQ(problem.getNumLabels(second), 1u);
}

TEST(LayoutProblemTest, StatesCostNothingUnlessSaid) {
  LayoutProblem problem;
  VarId a = problem.addVariable(2), b = problem.addVariable(3);
  VarId c = problem.addVariable(1);
  problem.setStateCost(b, 1, {5, 0});
  EXPECT_EQ(problem.getStateCost(a, 1), Cost());
  EXPECT_EQ(problem.getStateCost(b, 0), Cost());
  EXPECT_EQ(problem.getStateCost(b, 1), (Cost{5, 0}));
  EXPECT_EQ(problem.getStateCost(b, 2), Cost());
  EXPECT_EQ(problem.getStateCost(c, 0), Cost());
}

TEST(LayoutProblemTest, OneOfSeveralCopiesIsMadeFromTheProducersLabel) {
  LayoutProblem problem;
  VarId fixed = problem.addVariable(1);
  NetId net = problem.addNet({{80, 1}, {80, 1}, {80, 1}});
  problem.setProducer(net, fixed, {0});
  for (LabelId label : {1, 2})
    problem.addUse(net, fixed, {label});
  problem.setCopyCost(net, 1, 2, {10, 1});
  problem.setCopyCost(net, 2, 1, {10, 1});
  SolverOptions options;
  options.copiesOfCopies = true;
  Certificate certificate = solveOptimal(problem, options).certificate;
  EXPECT_EQ(certificate.best, (Cost{90, 2}));
  EXPECT_TRUE(certificate.isOptimal());
  EXPECT_EQ(solveOptimal(problem).certificate.best, (Cost{160, 2}));
}

TEST(LayoutProblemTest, KnowsWhichNetHasNoProducer) {
  LayoutProblem problem;
  VarId var = problem.addVariable(1);
  NetId with = problem.addNet({{1, 1}}), without = problem.addNet({{1, 1}});
  problem.setProducer(with, var, {0});
  EXPECT_TRUE(problem.hasProducer(with));
  EXPECT_FALSE(problem.hasProducer(without));
}

} // namespace
} // namespace inlay
