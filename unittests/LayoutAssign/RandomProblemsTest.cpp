//===- RandomProblemsTest.cpp - Against exhaustive search -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random problems as its argument.
//
//===----------------------------------------------------------------------===//

#include "../RandomMain.h"
#include "RandomProblem.h"
#include "inlay/LayoutAssign/Optimal.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

uint64_t numProblems = 500;

/// Solves and checks what must hold of any result.
OptimalResult solveAndCheck(const LayoutProblem &problem,
                            const SolverOptions &options) {
  OptimalResult result = solveOptimal(problem, options);
  llvm::Error error = verify(problem, result.solution);
  EXPECT_FALSE(error) << llvm::toString(std::move(error));
  EXPECT_EQ(result.certificate.best, computeCost(problem, result.solution));
  EXPECT_EQ(result.certificate.best,
            computeCostOfStates(problem, result.solution.states));
  return result;
}

void expectOptimal(const LayoutProblem &problem, const SolverOptions &options,
                   const Cost &least) {
  OptimalResult result = solveAndCheck(problem, options);
  EXPECT_EQ(result.certificate.best, least);
  EXPECT_EQ(result.certificate.bound, least);
  EXPECT_TRUE(result.certificate.isOptimal());
  EXPECT_EQ(result.certificate.getGap(), Cost());
  EXPECT_EQ(result.certificate.numLocalSearch, 0u);
}

class RandomProblems : public testing::Test {
protected:
  /// Calls fn(problem, least cost, seed) for each, and stops at a failure.
  template <typename Fn> void forEachProblem(Fn &&fn) {
    for (uint64_t seed = 1; seed <= numProblems; ++seed) {
      LayoutProblem problem = makeRandomProblem(seed);
      fn(problem, findLeastCost(problem), seed);
      ASSERT_FALSE(HasFailure()) << "with seed " << seed;
    }
  }
};

TEST_F(RandomProblems, EveryWayToSolveFindsTheLeastCost) {
  forEachProblem(
      [](const LayoutProblem &problem, const Cost &least, uint64_t seed) {
        for (unsigned ways = 0; ways < 8; ++ways) {
          SolverOptions options;
          options.presolve = ways & 1;
          options.elimination = ways & 2;
          options.minimumCut = ways & 4;
          options.maxSearchNodes = UINT64_MAX;
          SCOPED_TRACE(ways);
          expectOptimal(problem, options, least);
        }
      });
}

TEST_F(RandomProblems, EveryMethodIsNeeded) {
  Certificate total;
  for (uint64_t seed = 1; seed <= numProblems; ++seed) {
    SolverOptions options;
    options.presolve = false;
    options.elimination = seed % 2;
    Certificate one =
        solveOptimal(makeRandomProblem(seed), options).certificate;
    total.numMinimumCut += one.numMinimumCut;
    total.numElimination += one.numElimination;
    total.numBranchAndBound += one.numBranchAndBound;
  }
  EXPECT_GT(total.numMinimumCut, numProblems / 10);
  EXPECT_GT(total.numElimination, numProblems / 10);
  EXPECT_GT(total.numBranchAndBound, numProblems / 10);
}

TEST_F(RandomProblems, TightLimitsStillBoundTheLeastCost) {
  forEachProblem([](const LayoutProblem &problem, const Cost &least,
                    uint64_t seed) {
    SolverOptions options;
    options.presolve = seed % 2;
    options.minimumCut = false;
    options.maxTableEntries = 4;
    options.maxBoundEntries = 16;
    options.maxTotalEntries = 0;
    options.maxSearchNodes = seed % 7;
    options.localSearchRounds = seed % 3;
    OptimalResult result = solveAndCheck(problem, options);
    const Certificate &certificate = result.certificate;
    EXPECT_FALSE(isCheaper(certificate.best, least, problem.getObjective()));
    EXPECT_FALSE(isCheaper(least, certificate.bound, problem.getObjective()));
    EXPECT_EQ(certificate.isOptimal(), certificate.best == certificate.bound);
    EXPECT_EQ(certificate.isOptimal(), certificate.getGap() == Cost());
    // Local search may find the least cost without the proof, not the reverse.
    EXPECT_TRUE(certificate.isOptimal() || certificate.numLocalSearch > 0);
  });
}

/// What is searched for stops at the least cost, however awkward it is.
TEST_F(RandomProblems, OfEqualCostsTheLeastAwkwardIsTaken) {
  RandomGraphOptions small;
  small.maxAssignments = 1000;
  uint64_t numTies = 0;
  for (uint64_t seed = 1; seed <= numProblems; ++seed) {
    LayoutProblem problem = makeRandomProblem(seed, small);
    unsigned fewest = findLeastAwkward(problem);
    for (unsigned ways = 0; ways < 8; ++ways) {
      SolverOptions options;
      options.presolve = ways & 1;
      options.elimination = ways & 2;
      options.minimumCut = ways & 4;
      OptimalResult result = solveOptimal(problem, options);
      if (result.certificate.numBranchAndBound != 0)
        continue;
      ASSERT_EQ(countAwkward(problem, result.solution.states), fewest)
          << "with seed " << seed << " in way " << ways;
    }
    LayoutProblem plain = problem.relax({}, {});
    numTies +=
        !plain.hasPairCosts() &&
        countAwkward(problem, solveOptimal(plain).solution.states) > fewest;
  }
  EXPECT_GT(numTies, numProblems / 100);
}

/// What is proved is the least of all plans with copies of copies, also such
/// that nobody else needs.
TEST_F(RandomProblems, CopiesAreMadeFromCopies) {
  RandomGraphOptions small;
  small.maxAssignments = 1000;
  small.maxLabels = 5;
  uint64_t numCheaper = 0, numProved = 0;
  for (uint64_t seed = 1; seed <= numProblems; ++seed) {
    SCOPED_TRACE(seed);
    LayoutProblem problem = makeRandomProblem(seed, small);
    SolverOptions options;
    options.copiesOfCopies = true;
    auto [solution, certificate] = solveOptimal(problem, options);
    llvm::Error error = verify(problem, solution);
    ASSERT_FALSE(error) << llvm::toString(std::move(error));
    ASSERT_EQ(certificate.best, computeCost(problem, solution));
    ASSERT_EQ(certificate.best,
              computeCostFromCopies(problem, solution.states));
    Cost least = findLeastCost(problem, computeCostWithChains);
    Objective objective = problem.getObjective();
    ASSERT_FALSE(isCheaper(least, certificate.bound, objective));
    ASSERT_FALSE(isCheaper(certificate.best, least, objective));
    Cost direct = solveOptimal(problem).certificate.best;
    ASSERT_FALSE(isCheaper(direct, certificate.best, objective));
    if (isCheaper(certificate.best, direct, objective)) {
      ++numCheaper;
      numProved += certificate.isOptimal();
    }
  }
  EXPECT_GT(numCheaper, numProblems / 100);
  EXPECT_GT(numProved, 0u);
}

TEST_F(RandomProblems, NeverWorseThanWhatWasKnown) {
  forEachProblem([](const LayoutProblem &problem, const Cost &least,
                    uint64_t seed) {
    SolverOptions options;
    options.presolve = seed % 2;
    options.elimination = false;
    options.minimumCut = false;
    options.maxSearchNodes = 0;
    options.localSearchRounds = 0;
    for (unsigned i = 0; i < 3; ++i)
      options.initial.push_back(makeRandomStates(problem, seed + i));
    OptimalResult result = solveAndCheck(problem, options);
    for (const std::vector<StateId> &initial : options.initial)
      EXPECT_FALSE(isCheaper(computeCostOfStates(problem, initial),
                             result.certificate.best, problem.getObjective()));
  });
}

TEST_F(RandomProblems, SolvedTwiceIsTheSame) {
  for (uint64_t seed = 1; seed <= numProblems; ++seed) {
    LayoutProblem problem = makeRandomProblem(seed);
    EXPECT_EQ(solveOptimal(problem).solution, solveOptimal(problem).solution);
  }
}

} // namespace
} // namespace inlay

int main(int argc, char **argv) {
  return inlay::runRandomTests(argc, argv, inlay::numProblems);
}
