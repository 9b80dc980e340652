//===- BroadcastTest.cpp - Tests of broadcasting --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Broadcast.h"
#include "TensorTesting.h"

using namespace inlay;
using namespace inlay::testing;
using Dims = llvm::SmallVector<int64_t, 4>;

TEST(Broadcast, StretchesOnesAndMissingDimensions) {
  EXPECT_EQ(take(broadcastShapes({2, 1, 4}, {3, 1})), (Dims{2, 3, 4}));
  EXPECT_EQ(take(broadcastShapes({}, {5})), (Dims{5}));
  EXPECT_EQ(take(broadcastShapes({1}, {0})), (Dims{0}));
}

TEST(Broadcast, NamesBothShapesThatDoNotFit) {
  EXPECT_EQ(takeMessage(broadcastShapes({2, 3}, {4})),
            "shapes must broadcast, but 2x3 and 4 do not");
  EXPECT_NE(takeMessage(broadcastShapes({0}, {2})), "");
}

TEST(Broadcast, JoinsManyShapes) {
  EXPECT_EQ(take(broadcastShapes({{2, 1}, {3}, {4, 1, 1}})), (Dims{4, 2, 3}));
  EXPECT_NE(takeMessage(broadcastShapes({{2}, {3}, {1}})), "");
}

TEST(Broadcast, TellsOneDirectionFromTheOther) {
  EXPECT_TRUE(isBroadcastableTo({3, 1}, {2, 3, 4}));
  EXPECT_FALSE(isBroadcastableTo({2, 3, 4}, {3, 1}));
}

TEST(Broadcast, GivesStretchedDimensionsNoStride) {
  EXPECT_EQ(getBroadcastStrides({3, 1, 4}, {2, 3, 5, 4}), (Dims{0, 4, 0, 1}));
}

/// The offsets of an operand for every element of the result.
static std::vector<int64_t> walk(llvm::ArrayRef<int64_t> result,
                                 llvm::ArrayRef<int64_t> operand) {
  BroadcastLoop loop(result, {operand});
  std::vector<int64_t> offsets;
  loop.forEachRow([&](int64_t at, llvm::ArrayRef<int64_t> from) {
    EXPECT_EQ(at, int64_t(offsets.size()));
    for (int64_t i = 0; i < loop.getRowLength(); ++i)
      offsets.push_back(from[0] + i * loop.getStep(0));
  });
  return offsets;
}

TEST(BroadcastLoop, VisitsOperandsInTheOrderOfTheResult) {
  using Offsets = std::vector<int64_t>;
  EXPECT_EQ(walk({2, 3}, {3}), (Offsets{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(walk({2, 3}, {2, 1}), (Offsets{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(walk({2, 2, 2}, {2, 1, 2}), (Offsets{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(walk({}, {}), (Offsets{0}));
  EXPECT_EQ(walk({1, 1}, {1}), (Offsets{0}));
}

TEST(BroadcastLoop, MergesDimensionsThatAllWalkAlike) {
  BroadcastLoop loop({2, 3, 4, 5}, {{2, 3, 4, 5}, {3, 1, 1}});
  EXPECT_EQ(loop.getNumRows(), 6);
  EXPECT_EQ(loop.getRowLength(), 20);
  EXPECT_EQ(BroadcastLoop({2, 3, 4}, {{2, 3, 4}, {}}).getNumRows(), 1);
}

TEST(BroadcastLoop, VisitsNothingOfAnEmptyResult) {
  EXPECT_TRUE(walk({int64_t(1) << 40, 0}, {1}).empty());
  EXPECT_TRUE(walk({0, 3}, {3}).empty());
}
