//===- MergeTreeTest.cpp - Tests of joining few at a time -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Hardware/MergeTree.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace inlay;

using Bytes = std::vector<uint64_t>;

static CopyCost planCost(const Bytes &bytes, unsigned maxChildren) {
  MergeTree tree = planMerges(bytes, maxChildren);
  EXPECT_TRUE(tree.isValid(maxChildren));
  return tree.getCost(bytes);
}

/// How many of `n` leaves of one size are copied again.
static int64_t countEqual(unsigned n, unsigned maxChildren) {
  return planCost(Bytes(n, 4), maxChildren).count;
}

/// The numbers of children, in the order of the nodes.
static std::vector<size_t> getWidths(const MergeTree &tree) {
  std::vector<size_t> widths;
  for (const MergeTree::Node &node : tree.nodes)
    widths.push_back(node.size());
  return widths;
}

//===----------------------------------------------------------------------===//
// One size
//===----------------------------------------------------------------------===//

TEST(MergeTreeTest, WhatFitsIsCopiedOnce) {
  EXPECT_EQ(countEqual(1, 63), 0);
  EXPECT_EQ(countEqual(2, 63), 0);
  EXPECT_EQ(countEqual(63, 63), 0);
  EXPECT_EQ(getWidths(planMerges(Bytes(63, 4), 63)), (std::vector<size_t>{63}));
}

TEST(MergeTreeTest, TheRemainderIsCopiedAgain) {
  EXPECT_EQ(countEqual(64, 63), 2);
  EXPECT_EQ(countEqual(100, 63), 38);
  EXPECT_EQ(countEqual(125, 63), 63);
  EXPECT_EQ(countEqual(126, 63), 65);
  EXPECT_EQ(getWidths(planMerges(Bytes(100, 4), 63)),
            (std::vector<size_t>{38, 63}));
}

TEST(MergeTreeTest, RunsStandToTheLeft) {
  MergeTree tree = planMerges(Bytes(5, 4), 4);
  ASSERT_EQ(tree.nodes.size(), 2u);
  EXPECT_EQ(tree.nodes[0], (MergeTree::Node{0, 1}));
  EXPECT_EQ(tree.nodes[1], (MergeTree::Node{5, 2, 3, 4}));
}

/// All leaves are at one depth or the next: those at the higher one are nodes
/// that were made room for.
static int64_t countHuffman(int64_t n, int64_t k) {
  int64_t full = 1, depth = 0;
  while (full * k < n)
    full *= k, ++depth;
  if (full >= n)
    return 0;
  int64_t numMore = (n - full + k - 2) / (k - 1);
  int64_t deeper = n - full + numMore;
  return depth * n + deeper - n;
}

TEST(MergeTreeTest, EqualLeavesAreOptimalInAnyNumber) {
  for (unsigned k : {2u, 3u, 5u, 63u})
    for (unsigned n = k + 1; n < 300; ++n)
      EXPECT_EQ(countEqual(n, k), countHuffman(n, k)) << n << " by " << k;
  for (unsigned n : {3969u, 3970u, 5000u, 20000u, 250047u})
    EXPECT_EQ(countEqual(n, 63), countHuffman(n, 63)) << n;
}

TEST(MergeTreeTest, AThirdLevelComesWithTheLeaf3970) {
  EXPECT_EQ(countEqual(3969, 63), 3969);
  EXPECT_EQ(countEqual(3970, 63), 3972);
  EXPECT_EQ(planMerges(Bytes(3969, 4), 63).nodes.size(), 64u);
  EXPECT_EQ(planMerges(Bytes(3970, 4), 63).nodes.size(), 65u);
}

//===----------------------------------------------------------------------===//
// Any sizes
//===----------------------------------------------------------------------===//

namespace {
/// Every tree there is, over the leaves first .. last.
class Exhaustive {
public:
  Exhaustive(const Bytes &bytes, unsigned maxChildren)
      : bytes(bytes), maxChildren(maxChildren) {}

  CopyCost getBest() { return getForest(0, bytes.size(), maxChildren); }

private:
  /// At most `trees` trees over the leaves from `begin` to `end`, not included.
  CopyCost getForest(size_t begin, size_t end, unsigned trees) {
    if (begin == end)
      return {};
    if (trees == 0)
      return {INT64_MAX / 4, 0};
    auto [known, isNew] = forests.try_emplace({begin, end, trees});
    if (!isNew)
      return known->second;
    CopyCost best{INT64_MAX / 2, 0};
    for (size_t cut = begin + 1; cut <= end; ++cut) {
      // All of them in one tree is the whole again.
      if (cut == end && begin == 0 && end == bytes.size() && end > 1)
        continue;
      best =
          std::min(best, getTree(begin, cut) + getForest(cut, end, trees - 1));
    }
    return forests[{begin, end, trees}] = best;
  }

  CopyCost getTree(size_t begin, size_t end) {
    if (end - begin == 1)
      return {};
    CopyCost size;
    for (size_t leaf = begin; leaf != end; ++leaf)
      size = size + CopyCost{int64_t(bytes[leaf]), 1};
    CopyCost best{INT64_MAX / 2, 0};
    for (size_t cut = begin + 1; cut != end; ++cut)
      best = std::min(best, getTree(begin, cut) +
                                getForest(cut, end, maxChildren - 1));
    return size + best;
  }

  const Bytes &bytes;
  unsigned maxChildren;
  std::map<std::tuple<size_t, size_t, unsigned>, CopyCost> forests;
};
} // namespace

TEST(MergeTreeTest, FewLeavesAreOptimal) {
  std::mt19937 random(3);
  for (int run = 0; run != 2000; ++run) {
    unsigned k = 2 + random() % 5;
    Bytes bytes(1 + random() % 11);
    unsigned range = random() % 3 == 0 ? 3 : 1000;
    for (uint64_t &each : bytes)
      each = random() % range;
    EXPECT_EQ(planCost(bytes, k), Exhaustive(bytes, k).getBest())
        << "run " << run;
  }
}

TEST(MergeTreeTest, SmallLeavesAreCopiedInsteadOfLargeOnes) {
  Bytes bytes(64, 1000);
  bytes[40] = 1;
  bytes[41] = 2;
  EXPECT_EQ(planCost(bytes, 63), (CopyCost{3, 2}));
}

TEST(MergeTreeTest, FewBytesCountMoreThanFewLeaves) {
  // Three leaves without bytes rather than two with some.
  EXPECT_EQ(planCost({9, 9, 0, 0, 0, 9}, 4), (CopyCost{0, 3}));
  EXPECT_EQ(planCost({9, 1, 1, 9, 9}, 4), (CopyCost{2, 2}));
}

/// The least cost of a tree of two levels, by trying every last run.
static CopyCost getBestOfTwoLevels(const Bytes &bytes, unsigned maxChildren) {
  size_t n = bytes.size();
  std::vector<CopyCost> best(n + 1, {INT64_MAX / 2, 0});
  best[0] = {};
  for (unsigned child = 0; child != maxChildren; ++child) {
    std::vector<CopyCost> next(n + 1, {INT64_MAX / 2, 0});
    for (size_t begin = 0; begin != n; ++begin) {
      CopyCost run = best[begin];
      next[begin + 1] = std::min(next[begin + 1], run);
      for (size_t end = begin; end != n && end != begin + maxChildren; ++end) {
        run = run + CopyCost{int64_t(bytes[end]), 1};
        next[end + 1] = std::min(next[end + 1], run);
      }
    }
    best = std::move(next);
  }
  return best[n];
}

TEST(MergeTreeTest, OneLevelOfManyLeavesIsOptimal) {
  std::mt19937 random(5);
  for (int run = 0; run != 50; ++run) {
    Bytes bytes(maxExactLeaves + 1 + random() % 90);
    for (uint64_t &each : bytes)
      each = random() % 1000;
    EXPECT_EQ(planCost(bytes, 15), getBestOfTwoLevels(bytes, 15));
  }
}

TEST(MergeTreeTest, ManyLeavesArePlannedInLinearTime) {
  std::mt19937 random(7);
  Bytes bytes(200000);
  for (uint64_t &each : bytes)
    each = random() % 4096;
  MergeTree tree = planMerges(bytes, 63);
  EXPECT_TRUE(tree.isValid(63));
  EXPECT_LE(tree.getCost(bytes).count, countHuffman(200000, 63) * 11 / 10);
}

TEST(MergeTreeTest, AbsurdSizesDoNotOverflow) {
  Bytes bytes(100, UINT64_MAX / 2);
  bytes[7] = UINT64_MAX / 3;
  EXPECT_TRUE(planMerges(bytes, 3).isValid(3));
}
