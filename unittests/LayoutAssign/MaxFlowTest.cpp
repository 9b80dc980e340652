//===- MaxFlowTest.cpp - Tests of maximum flow ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaxFlow.h"
#include <gtest/gtest.h>
#include <random>

namespace inlay {
namespace {

TEST(MaxFlowTest, FlowIsWhatTheNarrowestPlaceLetsThrough) {
  FlowNetwork network(4);
  network.addArc(0, 1, 5);
  network.addArc(1, 2, 3);
  network.addArc(2, 3, 4);
  EXPECT_EQ(int(network.maximize(0, 3)), 3);
  EXPECT_EQ(network.getSinkSide(3),
            (std::vector<bool>{false, false, true, true}));
}

TEST(MaxFlowTest, TakesFlowBackWhereThatHelps) {
  // The shortest path first uses the arc in the middle.
  FlowNetwork network(4);
  network.addArc(0, 1, 1);
  network.addArc(0, 2, 1);
  network.addArc(1, 2, 1);
  network.addArc(1, 3, 1);
  network.addArc(2, 3, 1);
  EXPECT_EQ(int(network.maximize(0, 3)), 2);
}

TEST(MaxFlowTest, NothingFlowsWithoutAPath) {
  FlowNetwork network(3);
  network.addArc(1, 0, 5);
  network.addArc(1, 2, 5);
  EXPECT_EQ(int(network.maximize(0, 2)), 0);
  EXPECT_EQ(network.getSinkSide(2), (std::vector<bool>{false, true, true}));
}

TEST(MaxFlowTest, CapacitiesMayPassSixtyFourBits) {
  Weight large = Weight(1) << 100;
  FlowNetwork network(3);
  network.addArc(0, 1, large + 1);
  network.addArc(1, 2, large);
  EXPECT_TRUE(network.maximize(0, 2) == large);
}

TEST(MaxFlowTest, FlowEqualsTheLeastCutOfRandomGraphs) {
  std::mt19937 random(7);
  constexpr unsigned numNodes = 8;
  for (unsigned round = 0; round < 200; ++round) {
    int capacity[numNodes][numNodes] = {};
    FlowNetwork network(numNodes);
    for (unsigned i = 0; i < 20; ++i) {
      unsigned from = random() % numNodes, to = random() % numNodes;
      int amount = random() % 10;
      capacity[from][to] += from == to ? 0 : amount;
      if (from != to)
        network.addArc(from, to, amount);
    }
    int least = INT32_MAX;
    for (unsigned side = 0; side < 1u << numNodes; ++side) {
      if (!(side & 1) || side >> (numNodes - 1) & 1)
        continue;
      int cut = 0;
      for (unsigned a = 0; a < numNodes; ++a)
        for (unsigned b = 0; b < numNodes; ++b)
          if ((side >> a & 1) && !(side >> b & 1))
            cut += capacity[a][b];
      least = std::min(least, cut);
    }
    ASSERT_EQ(int(network.maximize(0, numNodes - 1)), least);
  }
}

} // namespace
} // namespace inlay
