//===- LetterOrderTest.cpp - Tests of orders by letters -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/LetterOrder.h"
#include "gtest/gtest.h"

using namespace inlay;

TEST(LetterOrderTest, AxesHaveOnnxOrder) {
  EXPECT_EQ(getDataAxes(2), "NC");
  EXPECT_EQ(getDataAxes(3), "NCW");
  EXPECT_EQ(getDataAxes(4), "NCHW");
  EXPECT_EQ(getDataAxes(6), "NCTDHW");
  EXPECT_EQ(getWeightAxes(5), "OIDHW");
}

TEST(LetterOrderTest, AxesEndWhereLettersDo) {
  EXPECT_EQ(getDataAxes(1), std::nullopt);
  EXPECT_EQ(getDataAxes(7), std::nullopt);
  EXPECT_EQ(getWeightAxes(0), std::nullopt);
  EXPECT_EQ(getSpatialLetters(5), std::nullopt);
}

TEST(LetterOrderTest, OrdersCarryOverToOtherRanks) {
  EXPECT_EQ(expandForRank("NHWC", 2), "NC");
  EXPECT_EQ(expandForRank("NHWC", 3), "NWC");
  EXPECT_EQ(expandForRank("NHWC", 4), "NHWC");
  EXPECT_EQ(expandForRank("NHWC", 5), "NDHWC");
  EXPECT_EQ(expandForRank("NHWC", 6), "NTDHWC");
  EXPECT_EQ(expandForRank("HWOI", 3), "WOI");
  EXPECT_EQ(expandForRank("HWOI", 5), "DHWOI");
  EXPECT_EQ(expandForRank("NWC", 5), "NDHWC");
  EXPECT_EQ(expandForRank("NDHWC", 3), "NWC");
  EXPECT_EQ(expandForRank("CHWN", 3), "CWN");
}

TEST(LetterOrderTest, OrdersDoNotCarryOverToRanksWithoutLetters) {
  EXPECT_EQ(expandForRank("NHWC", 1), std::nullopt);
  EXPECT_EQ(expandForRank("NHWC", 7), std::nullopt);
}

TEST(LetterOrderTest, ScatteredSpatialAxesKeepTheirRank) {
  EXPECT_EQ(expandForRank("NHCW", 4), "NHCW");
  EXPECT_EQ(expandForRank("NHCW", 5), std::nullopt);
  EXPECT_EQ(expandForRank("NWHC", 3), std::nullopt);
}

TEST(LetterOrderTest, LayoutsGoByLetterNotByPosition) {
  std::optional<Layout> conv = getOrderLayout("OIHW", "HWOI");
  std::optional<Layout> transposed = getOrderLayout("IOHW", "HWOI");
  ASSERT_TRUE(conv && transposed);
  EXPECT_EQ(conv->str(), "OIHW as HWOI");
  EXPECT_EQ(transposed->str(), "IOHW as HWOI");
  EXPECT_EQ(*conv->getPermutation(4),
            (llvm::SmallVector<unsigned>{2, 3, 0, 1}));
  EXPECT_EQ(*transposed->getPermutation(4),
            (llvm::SmallVector<unsigned>{2, 3, 1, 0}));
  EXPECT_EQ(getOrderLayout("NCDHW", "NHWC")->str(), "NCDHW as NDHWC");
}

TEST(LetterOrderTest, LayoutsNeedTheSameLetters) {
  EXPECT_EQ(getOrderLayout("OIHW", "NHWC"), std::nullopt);
  EXPECT_EQ(getOrderLayout("", "NHWC"), std::nullopt);
}

TEST(LetterOrderTest, OrdersOfBothRolesAreGood) {
  for (llvm::StringRef order :
       {"NHWC", "NCHW", "CHWN", "NWC", "NDHWC", "NTDHWC", "NHCW", "WHCN"})
    EXPECT_EQ(checkOrder(order, OrderRole::Data), "") << order.str();
  for (llvm::StringRef order : {"HWOI", "OIHW", "WOI", "DHWIO"})
    EXPECT_EQ(checkOrder(order, OrderRole::Weight), "") << order.str();
}

TEST(LetterOrderTest, ImpossibleOrdersHaveAReason) {
  auto check = [](llvm::StringRef order) {
    return checkOrder(order, OrderRole::Data);
  };
  EXPECT_EQ(check(""), "it has no axes");
  EXPECT_EQ(check("NHHC"), "axis 'H' occurs more than once");
  EXPECT_EQ(check("HWOI"), "'O' is an axis of a weight, not of data");
  EXPECT_EQ(check("NHWX"), "'X' is no axis of data, which has N, C and the "
                           "spatial W, HW, DHW or TDHW");
  EXPECT_EQ(check("NHW"), "axis 'C' is missing");
  EXPECT_EQ(check("NC"),
            "a spatial axis is missing, expected W, HW, DHW or TDHW");
  EXPECT_EQ(check("NHC"), "the spatial axes of 3 dimensions are W, found H");
  EXPECT_EQ(checkOrder("NHWC", OrderRole::Weight),
            "'N' is an axis of data, not of a weight");
}
