//===- RandomKernelsTest.cpp - Kernels against exhaustive search ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random graphs and the seed of the first one as its
// arguments.
//
//===----------------------------------------------------------------------===//

#include "RandomKernels.h"
#include "../RandomMain.h"
#include "inlay/KernelFusion/VerifyKernels.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

uint64_t numGraphs = 250, firstSeed = 1;

/// Plans, and expects what must hold of every plan.
KernelPlan planAndCheck(const RandomKernels &random, KernelStrategy strategy,
                        const KernelEffort &effort = {}) {
  KernelPlan plan = planKernels(random.graph, random.target,
                                findClusters(random.graph), strategy, effort);
  llvm::Error error = verifyKernels(random.graph, random.target, plan);
  EXPECT_FALSE(error) << llvm::toString(std::move(error));
  return plan;
}

uint64_t getTrafficAlone(const KernelGraph &graph) {
  KernelTraffic traffic;
  for (unsigned node = 0; node < graph.size(); ++node)
    traffic += measureTraffic(graph, {node});
  return traffic.getTotal();
}

/// Whether the planner's rules take a set of operators as one kernel exactly
/// when the verifier does, who shares nothing with them.
TEST(RandomKernels, RulesAndVerifierAgreeOnEverySet) {
  unsigned numKernels = 0, numOthers = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    RandomKernels random = makeRandomKernels(seed, 1 + seed % 9);
    KernelRules rules(random.graph, random.target);
    for (unsigned set = 1; set < 1u << random.graph.size(); ++set) {
      std::vector<unsigned> nodes;
      for (unsigned node = 0; node < random.graph.size(); ++node)
        if (set >> node & 1)
          nodes.push_back(node);
      auto reason = rules.check(nodes);
      llvm::Error error = verifyKernel(random.graph, random.target, nodes);
      std::string found = llvm::toString(std::move(error));
      EXPECT_EQ(found.empty(), !reason)
          << (reason ? getName(reason->code).str() : found);
      ASSERT_FALSE(testing::Test::HasFailure())
          << "with seed " << seed << " and nodes "
          << testing::PrintToString(nodes);
      ++(reason ? numOthers : numKernels);
    }
  }
  // Both are asked for.
  EXPECT_GT(numKernels, numGraphs);
  EXPECT_GT(numOthers, numGraphs);
}

TEST(RandomKernels, OptimalFindsTheLeastTraffic) {
  unsigned numBetter = 0, numFused = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    RandomKernels random = makeRandomKernels(seed, 1 + seed % 9);
    uint64_t least = findLeastTraffic(random);
    KernelPlan greedy = planAndCheck(random, KernelStrategy::Greedy);
    KernelPlan optimal = planAndCheck(random, KernelStrategy::Optimal);
    EXPECT_EQ(optimal.traffic.getTotal(), least);
    EXPECT_EQ(optimal.bound, least);
    EXPECT_LE(optimal.traffic.getTotal(), greedy.traffic.getTotal());
    numBetter += optimal.traffic.getTotal() < greedy.traffic.getTotal();
    numFused += least < getTrafficAlone(random.graph);
    ASSERT_FALSE(testing::Test::HasFailure()) << "with seed " << seed;
  }
  // The graphs are worth the search.
  EXPECT_GT(numBetter, numGraphs / 100);
  EXPECT_GT(numFused, numGraphs / 3);
}

/// Whatever is not looked at, nothing is below the bound. Returns whether the
/// plan is proved the least.
bool checkLittleEffort(uint64_t seed) {
  RandomKernels random = makeRandomKernels(seed, 1 + seed % 9);
  uint64_t least = findLeastTraffic(random);
  KernelEffort effort;
  effort.maxNodes = seed % 8;
  effort.maxVisits = seed % 3;
  effort.maxSteps = seed % 5 == 0 ? seed % 40 : 1'000'000;
  KernelPlan plan = planAndCheck(random, KernelStrategy::Optimal, effort);
  EXPECT_GE(plan.traffic.getTotal(), least);
  EXPECT_LE(*plan.bound, least);
  return plan.bound == plan.traffic.getTotal();
}

TEST(RandomKernels, LittleEffortStillBoundsTheLeastTraffic) {
  unsigned numProved = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    numProved += checkLittleEffort(seed);
    ASSERT_FALSE(testing::Test::HasFailure()) << "with seed " << seed;
  }
  // Both occur.
  EXPECT_GT(numProved, numGraphs / 20);
  EXPECT_GT(numGraphs - numProved, numGraphs / 20);
}

/// Two clusters, one of them proved, in one kernel of as many bytes.
TEST(RandomKernels, ProvedClusterIsCountedBeforeItIsMixed) {
  checkLittleEffort(2334);
}

TEST(RandomKernels, BoundsOfLargeGraphsHold) {
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs / 10; ++seed) {
    RandomKernels random = makeRandomKernels(seed, 40);
    KernelPlan greedy = planAndCheck(random, KernelStrategy::Greedy);
    KernelPlan optimal = planAndCheck(random, KernelStrategy::Optimal);
    EXPECT_LE(optimal.traffic.getTotal(), greedy.traffic.getTotal());
    EXPECT_LE(*optimal.bound, optimal.traffic.getTotal());
    ASSERT_FALSE(testing::Test::HasFailure()) << "with seed " << seed;
  }
}

TEST(RandomKernels, VerifierFindsWhatIsTakenOut) {
  unsigned numFound = 0, numTried = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + 100; ++seed) {
    RandomKernels random = makeRandomKernels(seed, 9);
    KernelPlan plan = planAndCheck(random, KernelStrategy::Greedy);
    // A node of a kernel goes: the verifier must see that it is in none.
    for (std::vector<unsigned> &kernel : plan.kernels) {
      if (kernel.size() < 2)
        continue;
      KernelPlan broken = plan;
      broken.kernels[plan.kernelOf[kernel.front()]].pop_back();
      ++numTried;
      llvm::Error error = verifyKernels(random.graph, random.target, broken);
      numFound += bool(error);
      llvm::consumeError(std::move(error));
    }
  }
  EXPECT_GT(numTried, 50u);
  EXPECT_EQ(numFound, numTried);
}

} // namespace
} // namespace inlay

int main(int argc, char **argv) {
  return inlay::runRandomTests(argc, argv, inlay::numGraphs, &inlay::firstSeed);
}
