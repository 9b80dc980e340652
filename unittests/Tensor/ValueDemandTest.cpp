//===- ValueDemandTest.cpp - Which values suit a tensor -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/ValueDemand.h"
#include "gtest/gtest.h"

using namespace inlay;

TEST(ValueDemand, MeetingIsTheCommonRange) {
  ValueDemand demand = ValueDemand::atLeast(2);
  demand.meet(ValueDemand::atMost(5));
  EXPECT_EQ(demand, ValueDemand::range(2, 5));
}

TEST(ValueDemand, OfTwoThatExcludeEachOtherTheFirstStays) {
  ValueDemand demand = ValueDemand::atLeast(2);
  demand.meet(ValueDemand::atMost(1));
  EXPECT_EQ(demand, ValueDemand::atLeast(2));
}

TEST(ValueDemand, MasksThatContradictAreEither) {
  ValueDemand demand = ValueDemand::masked(MaskKind::Either);
  demand.meet(ValueDemand::masked(MaskKind::OneCounts));
  EXPECT_EQ(demand.mask, MaskKind::OneCounts);
  demand.meet(ValueDemand::masked(MaskKind::ZeroCounts));
  EXPECT_EQ(demand.mask, MaskKind::Either);
}

TEST(ValueDemand, BeforeAddingIsShiftedByAllConstants) {
  EXPECT_EQ(ValueDemand::range(0, 10).beforeAdding(1, 2),
            ValueDemand::range(-1, 8));
  EXPECT_TRUE(ValueDemand::range(0, 1).beforeAdding(0, 5).isEmpty());
}

TEST(ValueDemand, BeforeScalingHoldsForAllFactors) {
  ValueDemand before = ValueDemand::range(1, 8).beforeScaling(2, 4);
  EXPECT_EQ(before, ValueDemand::range(0.5, 2));
  before = ValueDemand::range(-8, -1).beforeScaling(2, 4);
  EXPECT_EQ(before, ValueDemand::range(-2, -0.5));
  EXPECT_TRUE(ValueDemand::atLeast(1).beforeScaling(0, 1).isEmpty());
}

TEST(ValueDemand, BeforeNegationIsMirrored) {
  EXPECT_EQ(ValueDemand::atLeast(3).beforeNegation(), ValueDemand::atMost(-3));
}

TEST(ValueDemand, WholeRangesAreTakenWhole) {
  EXPECT_EQ(chooseRange(ValueDemand::index(1000), true), (DrawRange{0, 999}));
  EXPECT_EQ(chooseRange(ValueDemand(), true), (DrawRange{0, 7}));
  EXPECT_EQ(chooseRange(ValueDemand::atLeast(0.5), true), (DrawRange{1, 8}));
  EXPECT_EQ(chooseRange(ValueDemand::atMost(3), true), (DrawRange{0, 3}));
  EXPECT_EQ(chooseRange(ValueDemand::atMost(-3), true), (DrawRange{-10, -3}));
}

TEST(ValueDemand, FloatsStayNearZero) {
  EXPECT_EQ(chooseRange(ValueDemand(), false), (DrawRange{-1, 1}));
  EXPECT_EQ(chooseRange(ValueDemand::atLeast(0), false), (DrawRange{0, 1}));
  EXPECT_EQ(chooseRange(ValueDemand::atLeast(1), false), (DrawRange{1, 2}));
  EXPECT_EQ(chooseRange(ValueDemand::atMost(-1), false), (DrawRange{-2, -1}));
  EXPECT_EQ(chooseRange(ValueDemand::range(0.5, 0.6), false),
            (DrawRange{0.5, 0.6}));
}
