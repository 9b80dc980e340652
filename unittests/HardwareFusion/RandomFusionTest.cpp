//===- RandomFusionTest.cpp - Groups against exhaustive search ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random graphs as its argument.
//
//===----------------------------------------------------------------------===//

#include "RandomFusion.h"
#include "../RandomMain.h"
#include "inlay/HardwareFusion/VerifyGroups.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

uint64_t numGraphs = 250;

/// Plans, and expects what must hold of every plan.
FusionPlan planAndCheck(const RandomFusion &fusion, FusionStrategy strategy,
                        const FusionEffort &effort = {}) {
  HDFG pipeline = HDFG::create(*fusion.flow);
  FusionPlan plan = strategy == FusionStrategy::Greedy
                        ? planGreedy(fusion.graph, pipeline)
                        : planOptimal(fusion.graph, pipeline, effort);
  explainEdges(fusion.graph, pipeline, plan);
  llvm::Error error = verifyGroups(fusion.graph, *fusion.flow, plan);
  EXPECT_FALSE(error) << llvm::toString(std::move(error));
  return plan;
}

TEST(RandomFusion, OptimalFindsTheFewestBytes) {
  unsigned numBetter = 0, numFused = 0;
  for (uint64_t seed = 1; seed <= numGraphs; ++seed) {
    RandomFusion fusion = makeRandomFusion(seed, 1 + seed % 9);
    uint64_t least = findLeastBytes(fusion);
    FusionPlan greedy = planAndCheck(fusion, FusionStrategy::Greedy);
    FusionPlan optimal = planAndCheck(fusion, FusionStrategy::Optimal);
    uint64_t bytes = computeBytes(fusion.graph, optimal);
    uint64_t greedyBytes = computeBytes(fusion.graph, greedy);
    EXPECT_EQ(bytes, least);
    EXPECT_EQ(optimal.bound, least);
    EXPECT_LE(bytes, greedyBytes);
    numBetter += bytes < greedyBytes;
    numFused += bytes < computeBytes(fusion.graph, FusionPlan(fusion.graph));
    ASSERT_FALSE(testing::Test::HasFailure()) << "with seed " << seed;
  }
  // The graphs are worth the search.
  EXPECT_GT(numBetter, numGraphs / 20);
  EXPECT_GT(numFused, numGraphs / 3);
}

TEST(RandomFusion, LittleEffortStillBoundsTheFewestBytes) {
  for (uint64_t seed = 1; seed <= numGraphs; ++seed) {
    RandomFusion fusion = makeRandomFusion(seed, 1 + seed % 8);
    uint64_t least = findLeastBytes(fusion);
    FusionEffort effort;
    effort.maxNodes = seed % 5;
    effort.maxSteps = seed % 40;
    effort.maxTotalSteps = seed % 200;
    effort.maxPlaces = seed % 7;
    FusionPlan plan = planAndCheck(fusion, FusionStrategy::Optimal, effort);
    uint64_t bytes = computeBytes(fusion.graph, plan);
    EXPECT_GE(bytes, least);
    EXPECT_LE(*plan.bound, least);
    EXPECT_LE(bytes,
              computeBytes(fusion.graph,
                           planAndCheck(fusion, FusionStrategy::Greedy)));
    ASSERT_FALSE(testing::Test::HasFailure()) << "with seed " << seed;
  }
}

TEST(RandomFusion, LargeGraphsAreLegal) {
  for (uint64_t seed = 1; seed <= numGraphs; seed += 5) {
    RandomFusion fusion = makeRandomFusion(seed, 40 + seed % 60);
    FusionPlan greedy = planAndCheck(fusion, FusionStrategy::Greedy);
    FusionEffort effort;
    effort.maxTotalSteps = 20'000;
    FusionPlan optimal = planAndCheck(fusion, FusionStrategy::Optimal, effort);
    uint64_t bytes = computeBytes(fusion.graph, optimal);
    EXPECT_LE(bytes, computeBytes(fusion.graph, greedy));
    EXPECT_LE(*optimal.bound, bytes);
    ASSERT_FALSE(testing::Test::HasFailure()) << "with seed " << seed;
  }
}

} // namespace
} // namespace inlay

int main(int argc, char **argv) {
  return inlay::runRandomTests(argc, argv, inlay::numGraphs);
}
