//===- PlacementTest.cpp - Pieces do not meet -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Placement.h"
#include "gtest/gtest.h"
#include <random>

using namespace inlay;

using Pieces = std::vector<LiveBytes>;

static void expectApart(const Pieces &pieces, const Placement &placement) {
  ASSERT_EQ(placement.offsets.size(), pieces.size());
  uint64_t end = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    uint64_t begin = placement.offsets[i], own = begin + pieces[i].size;
    end = std::max(end, own);
    for (size_t k = 0; k < i; ++k) {
      uint64_t other = placement.offsets[k];
      bool isApart = !pieces[i].overlaps(pieces[k]) || own <= other ||
                     other + pieces[k].size <= begin;
      EXPECT_TRUE(isApart) << i << " and " << k;
    }
  }
  EXPECT_EQ(placement.total, end);
}

TEST(Placement, ReusesWhatIsFree) {
  Pieces chain = {{64, 0, 1}, {128, 1, 2}, {64, 2, 3}, {128, 3, 4}};
  Placement placement = placePieces(chain);
  expectApart(chain, placement);
  EXPECT_EQ(placement.total, 192u);
  EXPECT_EQ(getMostLive(chain), 192u);
}

TEST(Placement, HasRoomForNothing) {
  EXPECT_EQ(placePieces({}).total, 0u);
  EXPECT_EQ(getMostLive({}), 0u);
  Pieces empty = {{0, 0, 5}, {64, 0, 5}, {0, 2, 2}};
  Placement placement = placePieces(empty);
  expectApart(empty, placement);
  EXPECT_EQ(placement.total, 64u);
}

TEST(Placement, KnowsTheFirstAndTheLastStep) {
  EXPECT_EQ(getMostLive(Pieces{{8, 0, 1}, {16, 2, 3}}), 16u);
  EXPECT_EQ(getMostLive(Pieces{{8, 0, 2}, {16, 2, 3}}), 24u);
  EXPECT_EQ(getMostLive(Pieces{{8, ~0u, ~0u}}), 8u);
}

// In the order of time the long one would lie in the middle.
TEST(Placement, LooksForMoreThanTheFirstFit) {
  Pieces pieces = {{64, 0, 1}, {64, 1, 5}, {128, 2, 3}};
  Placement placement = placePieces(pieces);
  expectApart(pieces, placement);
  EXPECT_EQ(placement.total, 192u);
}

TEST(Placement, KeepsRandomPiecesApart) {
  unsigned numLeast = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Pieces pieces(1 + random() % 60);
    for (LiveBytes &piece : pieces) {
      piece.first = random() % 40;
      piece.last = piece.first + random() % (random() % 4 == 0 ? 30 : 4);
      piece.size = 64 * (random() % 20);
    }
    Placement placement = placePieces(pieces);
    expectApart(pieces, placement);
    EXPECT_GE(placement.total, getMostLive(pieces));
    EXPECT_LE(placement.total, getMostLive(pieces) * 5 / 4);
    numLeast += placement.total == getMostLive(pieces);
  }
  EXPECT_GE(numLeast, 150u);
}

// More than are looked at pair by pair.
TEST(Placement, TakesManyPieces) {
  Pieces pieces;
  for (unsigned i = 0; i < 200'000; ++i)
    pieces.push_back({64 * uint64_t(1 + i % 7), i, i + 2});
  Placement placement = placePieces(pieces);
  EXPECT_LE(placement.total, 2 * getMostLive(pieces));
}
