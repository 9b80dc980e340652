//===- PresolveTest.cpp - Tests of presolve -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Components.h"
#include <gtest/gtest.h>

namespace inlay {
namespace {

/// Problems whose variables are fixed, or elementwise: in state s everything
/// has label s.
class PresolveTest : public testing::Test {
protected:
  NetId produceFixed(LabelId label, uint64_t bytes = 8) {
    NetId net = problem.addNet({{bytes, 1}, {bytes, 1}, {bytes, 1}});
    problem.setProducer(net, problem.addVariable(1), {label});
    return net;
  }
  NetId produce(VarId var, uint64_t bytes = 8) {
    NetId net = problem.addNet({{bytes, 1}, {bytes, 1}, {bytes, 1}});
    problem.setProducer(net, var, getLabels(var));
    return net;
  }
  void useFixed(NetId net, LabelId label) {
    problem.addUse(net, problem.addVariable(1), {label});
  }
  void use(NetId net, VarId var) { problem.addUse(net, var, getLabels(var)); }
  llvm::ArrayRef<LabelId> getLabels(VarId var) const {
    static constexpr LabelId all[] = {0, 1, 2};
    return llvm::ArrayRef(all).take_front(problem.getNumStates(var));
  }
  StateMask getAlive(VarId var) {
    return presolve(buildCostTerms(problem)).alive[var];
  }

  LayoutProblem problem;
};

TEST_F(PresolveTest, RemovesStatesThatNoNeighbourHas) {
  VarId var = problem.addVariable(3);
  use(produceFixed(0), var);
  NetId out = produce(var);
  useFixed(out, 1);
  // Label 2 needs two copies, label 0 or 1 one.
  EXPECT_EQ(getAlive(var) & 4, 0u);
}

TEST_F(PresolveTest, DecidesAVariableAfterItsNeighbour) {
  VarId a = problem.addVariable(3), b = problem.addVariable(3);
  use(produceFixed(0, 8), a);
  use(produceFixed(1, 8), b);
  NetId net = produce(a, 4);
  use(net, b);
  useFixed(produce(b, 16), 1);
  EXPECT_EQ(getAlive(b), 2u);
  EXPECT_EQ(getAlive(a), 1u);
}

TEST_F(PresolveTest, FixesAVariableWithOneBestState) {
  VarId var = problem.addVariable(2);
  use(produceFixed(1), var);
  useFixed(produce(var), 1);
  EXPECT_EQ(getAlive(var), 2u);
}

TEST_F(PresolveTest, OfEqualStatesTheFirstStays) {
  VarId var = problem.addVariable(2);
  use(produceFixed(0), var);
  useFixed(produce(var), 1);
  EXPECT_EQ(getAlive(var), 1u);
}

TEST_F(PresolveTest, StateCostsCount) {
  VarId var = problem.addVariable(2);
  problem.setStateCost(var, 0, {1, 0});
  EXPECT_EQ(getAlive(var), 2u);
}

TEST_F(PresolveTest, ACopyThatIsMadeAnywayIsFree) {
  VarId var = problem.addVariable(2);
  NetId in = produceFixed(0);
  useFixed(in, 1);
  use(in, var);
  useFixed(produce(var), 1);
  EXPECT_EQ(getAlive(var), 2u);
}

TEST_F(PresolveTest, ConstantsProvideEveryLabel) {
  VarId var = problem.addVariable(2);
  NetId constant = problem.addNet({{100, 1}, {100, 1}});
  problem.setProducer(constant, problem.addVariable(1), {anyLabel});
  use(constant, var);
  useFixed(produce(var, 1), 1);
  EXPECT_EQ(getAlive(var), 2u);
}

TEST_F(PresolveTest, DecisionsSpreadAlongAChain) {
  NetId net = produceFixed(1);
  std::vector<VarId> vars;
  for (unsigned i = 0; i < 100; ++i) {
    vars.push_back(problem.addVariable(2));
    use(net, vars.back());

    net = produce(vars.back(), 1);
  }
  Presolved result = presolve(buildCostTerms(problem));
  for (VarId var : vars)
    EXPECT_EQ(result.alive[var], 2u) << var;
}

TEST_F(PresolveTest, KeepsBothStatesWhereTheOtherEndDecides) {
  VarId a = problem.addVariable(2), b = problem.addVariable(2);
  NetId net = produce(a, 8);
  use(net, b);
  use(produceFixed(0, 4), a);
  use(produceFixed(1, 4), b);
  Presolved result = presolve(buildCostTerms(problem));
  EXPECT_EQ(result.alive[a], 3u);
  EXPECT_EQ(result.alive[b], 3u);
}

TEST_F(PresolveTest, ComponentsAreWhatIsStillConnected) {
  std::vector<VarId> vars;
  for (unsigned i = 0; i < 3; ++i) {
    VarId a = problem.addVariable(2), b = problem.addVariable(2);
    use(produce(a, 8), b);
    use(produceFixed(0, 4), a);
    use(produceFixed(1, 4), b);
    vars.insert(vars.end(), {a, b});
  }
  CostTerms terms = buildCostTerms(problem);
  Presolved result = presolve(terms);
  Components components(terms, result, /*keepDecided=*/false);
  ASSERT_EQ(components.size(), 3u);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(components.extract(i).vars,
              (std::vector<VarId>{vars[2 * i], vars[2 * i + 1]}));
}

TEST_F(PresolveTest, NoComponentsWhereAllIsDecided) {
  VarId var = problem.addVariable(2);
  use(produceFixed(1), var);
  CostTerms terms = buildCostTerms(problem);
  Presolved result = presolve(terms);
  EXPECT_EQ(Components(terms, result, /*keepDecided=*/false).size(), 0u);
  EXPECT_GT(Components(terms, result, /*keepDecided=*/true).size(), 0u);
}

} // namespace
} // namespace inlay
