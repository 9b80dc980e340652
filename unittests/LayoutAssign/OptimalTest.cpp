//===- OptimalTest.cpp - Tests of the optimal solver ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/Optimal.h"
#include "RandomProblem.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

/// Values of equal size in two labels, 0 and 1.
class OptimalTest : public testing::Test {
protected:
  NetId addValue(VarId producer, llvm::ArrayRef<LabelId> labels,
                 uint64_t bytes = 8) {
    NetId net = problem.addNet({{bytes, 1}, {bytes, 1}});
    problem.setProducer(net, producer, labels);
    return net;
  }
  NetId addInput(LabelId label, uint64_t bytes = 8) {
    return addValue(problem.addVariable(1), {label}, bytes);
  }
  NetId addElementwise(llvm::ArrayRef<NetId> operands, uint64_t bytes = 8) {
    VarId var = problem.addVariable(2);
    for (NetId operand : operands)
      problem.addUse(operand, var, {0, 1});
    return addValue(var, {0, 1}, bytes);
  }
  NetId addTranspose(NetId operand, uint64_t bytes = 8) {
    VarId var = problem.addVariable(2);
    problem.addUse(operand, var, {0, 1});
    return addValue(var, {1, 0}, bytes);
  }
  NetId addKeyOp(NetId operand, LabelId label, uint64_t bytes = 8) {
    VarId var = problem.addVariable(1);
    problem.addUse(operand, var, {label});
    return addValue(var, {label}, bytes);
  }
  void addOutput(NetId net, LabelId label) {
    problem.addUse(net, problem.addVariable(1), {label});
  }
  OptimalResult solve(const SolverOptions &options = {}) {
    OptimalResult result = solveOptimal(problem, options);
    llvm::Error error = verify(problem, result.solution);
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
    return result;
  }

  LayoutProblem problem;
};

/// The copy may be made before an elementwise operator or behind it.
TEST_F(OptimalTest, AwkwardStatesDecideBetweenEqualCosts) {
  NetId net = addElementwise({addInput(0)});
  addOutput(net, 1);
  VarId var = problem.getProducer(net).var;
  EXPECT_EQ(solve().solution.states[var], 0);
  problem.setAwkward(var, 0);
  OptimalResult result = solve();
  EXPECT_EQ(result.solution.states[var], 1);
  EXPECT_EQ(result.certificate.best, (Cost{8, 1}));
  EXPECT_TRUE(result.certificate.isOptimal());
}

TEST_F(OptimalTest, AwkwardStatesCostNothing) {
  NetId net = addElementwise({addInput(0)});
  addOutput(net, 0);
  VarId var = problem.getProducer(net).var;
  problem.setAwkward(var, 0);
  OptimalResult result = solve();
  EXPECT_EQ(result.solution.states[var], 0);
  EXPECT_EQ(result.certificate.best, Cost());
  EXPECT_TRUE(result.certificate.isOptimal());
}

TEST_F(OptimalTest, AnEmptyProblemCostsNothing) {
  OptimalResult result = solve();
  EXPECT_TRUE(result.certificate.isOptimal());
  EXPECT_EQ(result.certificate.best, Cost());
}

TEST_F(OptimalTest, ChainOfKeyOpsNeedsOneCopyAtEachEnd) {
  NetId net = addInput(0);
  for (unsigned i = 0; i < 10; ++i)
    net = addElementwise({addKeyOp(net, 1)});
  addOutput(net, 0);
  Certificate certificate = solve().certificate;
  EXPECT_EQ(certificate.best, (Cost{16, 2}));
  EXPECT_TRUE(certificate.isOptimal());
}

TEST_F(OptimalTest, CopiesLieWhereTheValueIsSmallest) {
  NetId net = addKeyOp(addInput(1), 1, 100);
  net = addElementwise({net}, 3);
  net = addElementwise({net}, 100);
  addOutput(net, 0);
  OptimalResult result = solve();
  EXPECT_EQ(result.certificate.best, (Cost{3, 1}));
  ASSERT_EQ(result.solution.relayouts.size(), 1u);
  EXPECT_EQ(problem.getCopyCost(result.solution.relayouts[0].net, 1, 0).bytes,
            3u);
}

TEST_F(OptimalTest, ATransposeIsAbsorbed) {
  NetId net = addKeyOp(addTranspose(addInput(0)), 1);
  addOutput(addTranspose(net), 0);
  EXPECT_EQ(solve().certificate.best, Cost());
}

TEST_F(OptimalTest, AValueAndItsTransposeAddedNeedOneCopy) {
  // x + T(x) with x of our choice: an odd cycle.
  NetId x = addElementwise({addInput(0), addInput(1)});
  addOutput(addElementwise({x, addTranspose(x)}), 0);
  for (bool elimination : {false, true}) {
    SolverOptions options;
    options.presolve = false;
    options.elimination = elimination;
    Certificate certificate = solve(options).certificate;
    EXPECT_EQ(certificate.best, (Cost{16, 2}));
    EXPECT_TRUE(certificate.isOptimal());
    EXPECT_EQ(certificate.numBranchAndBound, elimination ? 0u : 1u);
  }
}

TEST_F(OptimalTest, ACopyIsSharedByAThousandUsers) {
  NetId net = addInput(0, 50);
  for (unsigned i = 0; i < 1000; ++i)
    addKeyOp(addElementwise({net}), 1);
  Certificate certificate = solve().certificate;
  EXPECT_EQ(certificate.best, (Cost{50, 1}));
  EXPECT_TRUE(certificate.isOptimal());
}

TEST_F(OptimalTest, AThousandUsersAreCheaperThanTheirCopy) {
  NetId net = addInput(0, 50000);
  for (unsigned i = 0; i < 1000; ++i)
    addKeyOp(addElementwise({net}), 1);
  for (bool elimination : {false, true}) {
    SolverOptions options;
    options.elimination = elimination;
    Certificate certificate = solve(options).certificate;
    EXPECT_EQ(certificate.best, (Cost{8000, 1000}));
    EXPECT_TRUE(certificate.isOptimal());
    EXPECT_LE(certificate.largestTreewidth, 2u);
  }
}

TEST_F(OptimalTest, TheObjectiveDecidesBetweenFewAndSmall) {
  for (Objective objective : {Objective::Bytes, Objective::Count}) {
    problem = LayoutProblem(objective);
    NetId net = addInput(0, 20);
    NetId wide = addElementwise({net}, 100);
    addKeyOp(wide, 1);
    addOutput(addElementwise({addInput(1, 7), addInput(1, 7), wide}), 1);
    OptimalResult result = solve();
    EXPECT_TRUE(result.certificate.isOptimal());
    EXPECT_EQ(result.certificate.best, findLeastCost(problem));
  }
}

TEST_F(OptimalTest, ConstantsTakePartForNothing) {
  NetId constant = addValue(problem.addVariable(1), {anyLabel}, 1000);
  addOutput(addElementwise({constant, addInput(1)}), 1);
  EXPECT_EQ(solve().certificate.best, Cost());
}

TEST_F(OptimalTest, OfEqualAnswersTheLowestStatesAreTaken) {
  NetId net = addInput(0);
  for (unsigned i = 0; i < 5; ++i)
    net = addElementwise({net});
  addOutput(net, 1);
  EXPECT_EQ(solve().solution.states,
            std::vector<StateId>(problem.getNumVariables()));
}

TEST_F(OptimalTest, SumsOfHugeCostsDoNotOverflow) {
  uint64_t bytes = uint64_t(1) << 43;
  for (unsigned i = 0; i < 100000; ++i)
    addOutput(addElementwise({addInput(0, bytes)}, bytes), 1);
  Certificate certificate = solve().certificate;
  EXPECT_EQ(certificate.best, (Cost{100000 * bytes, 100000}));
  EXPECT_TRUE(certificate.isOptimal());
}

TEST_F(OptimalTest, WhatACopyIsMadeFromDecides) {
  // Into label 1 it is cheap from label 0, into label 0 dear from label 1.
  NetId value = addElementwise({addInput(0, 20), addInput(1, 20)});
  problem.setCopyCost(value, 0, 1, {2, 1});
  problem.setCopyCost(value, 1, 0, {90, 1});
  addOutput(value, 0);
  addOutput(value, 1);
  OptimalResult result = solve();
  EXPECT_EQ(result.certificate.best, (Cost{22, 2}));
  EXPECT_TRUE(result.certificate.isOptimal());
  ASSERT_EQ(result.solution.relayouts.size(), 2u);
  EXPECT_EQ(result.solution.relayouts[1].from, 0u);
}

/// Many users share the copy, whatever it is made from.
TEST_F(OptimalTest, ADearCopyOfAThousandUsersIsOneVariable) {
  VarId producer = problem.addVariable(3);
  NetId net = problem.addNet({{50, 1}, {50, 1}, {50, 1}});
  problem.setProducer(net, producer, {0, 1, 2});
  problem.setCopyCost(net, 0, 2, {400, 1});
  problem.setCopyCost(net, 1, 2, {100, 1});
  for (StateId state : {1, 2})
    problem.setStateCost(producer, state, {state * 500u, 0});
  for (unsigned i = 0; i < 1000; ++i) {
    VarId user = problem.addVariable(2);
    problem.addUse(net, user, {0, 2});
    problem.setStateCost(user, 0, {1, 0});
  }
  SolverOptions options;
  options.presolve = false;
  for (bool elimination : {false, true}) {
    options.elimination = elimination;
    Certificate certificate = solve(options).certificate;
    EXPECT_EQ(certificate.best, (Cost{400, 1}));
    EXPECT_TRUE(certificate.isOptimal());
    EXPECT_LE(certificate.largestTreewidth, 2u);
  }
}

/// A cycle of three variables. Producers have labels 0 and 1, users 2 and 3:
/// copies say whether equal states are cheaper.
class PairCostsTest : public OptimalTest {
protected:
  void addCycle(bool wantsEqual) {
    VarId vars[] = {problem.addVariable(2), problem.addVariable(2),
                    problem.addVariable(2)};
    for (auto [i, var] : llvm::enumerate(vars)) {
      problem.setStateCost(var, i % 2, {1 + i, 0});
      NetId net = problem.addNet({{5, 1}, {5, 1}, {5, 1}, {5, 1}});
      problem.setProducer(net, var, {0, 1});
      problem.addUse(net, vars[(i + 1) % 3], {2, 3});
      for (LabelId label : {0, 1}) {
        LabelId dear = 2 + (wantsEqual ? 1 - label : label);
        problem.setCopyCost(net, label, dear, {9, 1});
      }
    }
  }
  Certificate solveByCut() {
    SolverOptions options;
    options.presolve = false;
    options.elimination = false;
    return solve(options).certificate;
  }
};

TEST_F(PairCostsTest, AreAMinimumCutWhereEqualStatesAreCheaper) {
  addCycle(/*wantsEqual=*/true);
  Certificate certificate = solveByCut();
  EXPECT_EQ(certificate.numMinimumCut, 1u);
  EXPECT_EQ(certificate.best, findLeastCost(problem));
}

TEST_F(PairCostsTest, AreNoneWhereNoFlipMakesThemSubmodular) {
  addCycle(/*wantsEqual=*/false);
  Certificate certificate = solveByCut();
  EXPECT_EQ(certificate.numMinimumCut, 0u);
  EXPECT_EQ(certificate.numBranchAndBound, 1u);
  EXPECT_EQ(certificate.best, findLeastCost(problem));
  EXPECT_TRUE(certificate.isOptimal());
}

/// A grid of binary operators, each of which also has an operand of a fixed
/// label: much too wide for small tables.
class GridTest : public OptimalTest {
protected:
  void addGrid(unsigned size, bool withOddCycles) {
    std::vector<NetId> row(size);
    for (unsigned i = 0; i < size; ++i)
      row[i] = addInput(i % 2, 3);
    for (unsigned j = 0; j < size; ++j) {
      NetId left = addInput(j % 2, 2);
      for (unsigned i = 0; i < size; ++i) {
        NetId extra = addInput((i * 5 + j * 3) % 7 % 2, 1 + (i + j) % 4);
        if (withOddCycles && (i + j) % 3 == 0)
          left = addTranspose(left, 2);
        left = row[i] = addElementwise({row[i], left, extra}, 1 + i * j % 3);
      }
    }
  }
  SolverOptions getSmallLimits() {
    SolverOptions options;
    options.maxTableEntries = 16;
    options.maxTotalEntries = 1 << 16;
    options.maxBoundEntries = 16;
    options.maxSearchNodes = 1000;
    return options;
  }
};

TEST_F(GridTest, IsAMinimumCutWhereLabelsCanBeFlipped) {
  addGrid(9, /*withOddCycles=*/false);
  Certificate exact = solve().certificate;
  Certificate cut = solve(getSmallLimits()).certificate;
  EXPECT_TRUE(cut.isOptimal());
  EXPECT_EQ(cut.numMinimumCut, cut.numComponents);
  EXPECT_EQ(cut.best, exact.best);
}

TEST_F(GridTest, IsSearchedWithABoundWhereTheyCannot) {
  addGrid(9, /*withOddCycles=*/true);
  SolverOptions exactly;
  exactly.maxTotalEntries = 1 << 28;
  Certificate exact = solve(exactly).certificate;
  ASSERT_TRUE(exact.isOptimal());
  EXPECT_EQ(exact.numElimination, exact.numComponents);
  Certificate searched = solve(getSmallLimits()).certificate;
  EXPECT_GT(searched.numLocalSearch + searched.numBranchAndBound, 0u);
  EXPECT_FALSE(isCheaper(searched.best, exact.best, Objective::Bytes));
  EXPECT_FALSE(isCheaper(exact.best, searched.bound, Objective::Bytes));
  EXPECT_GT(searched.bound.bytes, 0u);
}

TEST_F(GridTest, AnAnswerKnownBeforeIsKeptWhereNoneIsBetter) {
  addGrid(9, /*withOddCycles=*/true);
  SolverOptions options = getSmallLimits();
  options.initial.push_back(solve().solution.states);
  Cost known = computeCostOfStates(problem, options.initial[0]);
  options.maxSearchNodes = 0;
  options.localSearchRounds = 0;
  EXPECT_FALSE(
      isCheaper(known, solve(options).certificate.best, Objective::Bytes));
}

/// What is not known of a net may make it free: only the other one is proved.
TEST_F(OptimalTest, OpenNetsCountNothingInTheBound) {
  NetId known = addInput(0, 16), open = addInput(0, 8);
  addOutput(known, 1);
  addOutput(open, 1);
  SolverOptions options;
  options.openNets.resize(problem.getNumNets());
  EXPECT_TRUE(solve(options).certificate.isOptimal());
  options.openNets.set(open);
  OptimalResult result = solve(options);
  EXPECT_EQ(result.certificate.best, (Cost{24, 2}));
  EXPECT_EQ(result.certificate.bound, (Cost{16, 1}));
  EXPECT_EQ(result.certificate.numOpenNets, 1u);
  EXPECT_FALSE(result.certificate.isOptimal());
}

/// Nor do the states of a variable that may have cheaper ones.
TEST_F(OptimalTest, OpenVariablesCostNothingInTheBound) {
  VarId var = problem.addVariable(2), other = problem.addVariable(1);
  problem.setStateCost(var, 0, {7, 0});
  problem.setStateCost(var, 1, {9, 0});
  problem.setStateCost(other, 0, {5, 0});
  SolverOptions options;
  EXPECT_TRUE(solve(options).certificate.isOptimal());
  options.openVariables.resize(problem.getNumVariables());
  options.openVariables.set(var);
  Certificate certificate = solve(options).certificate;
  EXPECT_EQ(certificate.best, (Cost{12, 0}));
  EXPECT_EQ(certificate.bound, (Cost{5, 0}));
}

/// Nothing is cheaper than nothing.
TEST_F(OptimalTest, WhatCostsNothingIsProvedWhateverIsOpen) {
  NetId open = addInput(1);
  addOutput(open, 1);
  SolverOptions options;
  options.openNets.resize(problem.getNumNets(), true);
  EXPECT_TRUE(solve(options).certificate.isOptimal());
}

} // namespace
} // namespace inlay
