//===- MoveTest.cpp - Tests of what copies move ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/Move.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace inlay;

/// The move between two layouts as text: "axes moved/elements of a run".
static std::string find(llvm::StringRef from, llvm::StringRef to,
                        llvm::ArrayRef<int64_t> shape) {
  Layout a = llvm::cantFail(Layout::parse(from));
  Layout b = llvm::cantFail(Layout::parse(to));
  Move move = findMove(a.getOrder(), b.getOrder(), shape);
  return std::to_string(move.numMoved) + "/" + std::to_string(move.run);
}

TEST(MoveTest, NeighboursThatStayTogetherAreOneAxis) {
  EXPECT_EQ(find("NCHW", "NCHW as NHWC", {1, 64, 56, 56}), "1/1");
  EXPECT_EQ(find("NCHW as NHWC", "NCHW", {1, 64, 56, 56}), "1/1");
  EXPECT_EQ(find("NCHW", "NCHW as NHWC", {2, 64, 56, 56}), "1/1");
  EXPECT_EQ(find("NCHW", "NCHW as HWCN", {2, 64, 56, 56}), "2/1");
}

TEST(MoveTest, WhatStaysLastIsARun) {
  EXPECT_EQ(find("Tensor", "Tensor as (1,0,2)", {1024, 1024, 4}), "1/4");
  EXPECT_EQ(find("Tensor", "Tensor as (0,2,1,3)", {1, 128, 12, 64}), "1/64");
  EXPECT_EQ(find("Tensor", "Tensor as (1,0,2,3)", {5, 6, 7, 8}), "1/56");
  EXPECT_EQ(find("Tensor", "Tensor as (0,3,2,1)", {1, 128, 12, 64}), "2/1");
}

TEST(MoveTest, DimensionsOfOneElementDoNotCount) {
  EXPECT_EQ(find("Tensor", "Tensor as (1,0,2)", {1, 6, 7}), "0/42");
  EXPECT_EQ(find("Tensor", "Tensor as (2,1,0)", {5, 1, 7}), "1/1");
}

TEST(MoveTest, NothingMovesBetweenEqualOrders) {
  EXPECT_EQ(find("NCHW as NHWC", "NCHW as NHWC", {2, 3, 4, 5}), "0/120");
  EXPECT_EQ(find("Tensor", "Tensor", {}), "0/1");
}

/// Blocks cut a dimension: C1 stays, C0 moves behind H and W. Padding is moved.
TEST(MoveTest, BlocksAreCutOutOfDimensions) {
  EXPECT_EQ(find("NCHW", "NCHW as NC1HWC0 block 16", {1, 64, 7, 7}), "1/1");
  EXPECT_EQ(find("NCHW as NHWC", "NCHW as NC1HWC0 block 16", {1, 64, 7, 7}),
            "1/16");
  EXPECT_EQ(find("NCHW as NHWC", "NCHW as NC1HWC0 block 16", {1, 50, 7, 7}),
            "1/16");
  EXPECT_EQ(find("NCHW as NC1HWC0 block 16", "NCHW as NC1HWC0 block 32",
                 {1, 64, 7, 7}),
            "1/16");
}

TEST(MoveTest, CutsWithoutCommonPiecesMoveElementByElement) {
  EXPECT_EQ(find("Tensor as (0:1,1,0:0) split 0=2*3",
                 "Tensor as (0:1,1,0:0) split 0=3*2", {6, 5}),
            "2/1");
}

/// Counts elements instead of axes: a run ends where the next element of one
/// order is not the next of the other.
TEST(MoveTest, RunsAreThoseOfTheElements) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 200; ++i) {
    llvm::SmallVector<int64_t> shape;
    AtomSequence order;
    for (unsigned dim = 0; dim < 4; ++dim) {
      shape.push_back(1 + random() % 3);
      order.push_back({dim});
    }
    for (unsigned j = 4; j > 1; --j)
      std::swap(order[j - 1], order[random() % j]);
    // The place of each element of the result in row-major order.
    llvm::SmallVector<int64_t> places;
    for (int64_t n = 0, e = shape[0] * shape[1] * shape[2] * shape[3]; n < e;
         ++n) {
      int64_t rest = n, index[4];
      for (const Atom &atom : llvm::reverse(order)) {
        index[atom.dim] = rest % shape[atom.dim];
        rest /= shape[atom.dim];
      }
      places.push_back(
          ((index[0] * shape[1] + index[1]) * shape[2] + index[2]) * shape[3] +
          index[3]);
    }
    int64_t run = 1;
    while (run < int64_t(places.size()) && places[run] == places[run - 1] + 1)
      ++run;
    // Axes of two elements may make longer runs than the others have.
    int64_t shortest = run, current = 1;
    for (size_t n = 1; n <= places.size(); ++n) {
      if (n < places.size() && places[n] == places[n - 1] + 1) {
        ++current;
        continue;
      }
      shortest = std::min(shortest, current);
      current = 1;
    }
    EXPECT_EQ(findMove({}, order, shape).run, shortest) << i;
  }
}
