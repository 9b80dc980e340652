//===- VerifyKernelsTest.cpp - What the verifier refuses ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule of docs/RationaleKernels.md is kept once and broken once, by graphs
// that differ in one thing.
//
//===----------------------------------------------------------------------===//

#include "inlay/KernelFusion/VerifyKernels.h"
#include <gtest/gtest.h>
#include <numeric>

namespace inlay {
namespace {

using Operand = KernelGraph::Operand;

/// Matrices of 4 x 8, lists of their 4 rows, transposed matrices, and matrices
/// in a row of 32.
enum Shape : unsigned { Matrix, Rows, Transposed, Flat };
constexpr uint64_t alongRows = 0b10, alongColumns = 0b01;

class VerifyKernelsTest : public testing::Test {
protected:
  /// Adds an operator with one result; returns the result.
  unsigned add(FusionClass kind, llvm::ArrayRef<Operand> operands,
               Shape shape = Matrix) {
    unsigned node = graph.addNode(kind, operands);
    return graph.addResult(node, shape, getBytes(shape));
  }
  unsigned input(Shape shape = Matrix, bool isConstant = false) {
    return graph.addValue(shape, getBytes(shape), isConstant);
  }
  unsigned map(llvm::ArrayRef<unsigned> values, Shape shape = Matrix) {
    llvm::SmallVector<Operand> operands;
    for (unsigned value : values)
      operands.push_back({value, ElementLink::Same});
    return add(FusionClass::Elementwise, operands, shape);
  }
  unsigned multiply(unsigned a, unsigned b) {
    return add(FusionClass::Contraction,
               {{a, ElementLink::Many}, {b, ElementLink::Many}});
  }
  unsigned reduce(unsigned value, uint64_t dims = alongRows,
                  uint64_t rowLength = 8) {
    unsigned result =
        add(FusionClass::Reduce, {{value, ElementLink::Many}}, Rows);
    graph.setReduced(graph.size() - 1, dims, rowLength);
    return result;
  }
  /// Uses a list of rows in every element of `value`'s.
  unsigned spread(unsigned value, unsigned rows, uint64_t dims = alongRows) {
    return add(
        FusionClass::Elementwise,
        {{value, ElementLink::Same}, {rows, ElementLink::Broadcast, dims}});
  }
  unsigned transpose(unsigned value, Shape shape = Transposed) {
    return add(FusionClass::Transform, {{value, ElementLink::Moved}}, shape);
  }
  unsigned slice(unsigned value) {
    return add(FusionClass::Transform, {{value, ElementLink::Part}}, Flat);
  }
  void returns(llvm::ArrayRef<unsigned> values) {
    for (unsigned value : values)
      graph.setEscapes(value);
  }
  static uint64_t getBytes(Shape shape) { return shape == Rows ? 16 : 128; }

  /// All operators as one kernel.
  std::string check() const {
    std::vector<unsigned> nodes(graph.size());
    std::iota(nodes.begin(), nodes.end(), 0);
    return llvm::toString(verifyKernel(graph, target, nodes));
  }
  void expectKernel() const { EXPECT_EQ(check(), ""); }
  void expectFault(llvm::StringRef text) const {
    EXPECT_NE(check().find(text), std::string::npos) << check();
  }

  std::string checkPlan(const KernelPlan &plan) const {
    return llvm::toString(verifyKernels(graph, target, plan));
  }
  void expectFault(const KernelPlan &plan, llvm::StringRef text) const {
    EXPECT_NE(checkPlan(plan).find(text), std::string::npos) << checkPlan(plan);
  }
  void switchOff(KernelRule rule) { target.rules &= ~(1u << unsigned(rule)); }

  KernelGraph graph;
  KernelTarget target;
};

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

TEST_F(VerifyKernelsTest, WhatBodiesReadCountsThere) {
  unsigned x = map({input()}), y = input();
  auto capture = [](unsigned value) {
    return Operand{value, ElementLink::Many, 0, /*isCaptured=*/true};
  };
  // One operand is captured, too; one value is captured under two shapes.
  returns({add(FusionClass::Opaque, {{x, ElementLink::Many},
                                     capture(x),
                                     capture(y),
                                     capture(graph.addView(y, Flat))})});
  EXPECT_EQ(measureCaptures(graph), getBytes(Matrix));
  KernelPlan plan = KernelPlan::create(graph, {0, 1});
  EXPECT_EQ(plan.traffic.read, 3 * getBytes(Matrix));
}

TEST_F(VerifyKernelsTest, WhatAGroupReadsIsItsOwn) {
  returns({add(FusionClass::Opaque, {{input(), ElementLink::Many}})});
  EXPECT_EQ(measureCaptures(graph), 0u);
}

//===----------------------------------------------------------------------===//
// Classes and rules
//===----------------------------------------------------------------------===//

TEST_F(VerifyKernelsTest, NoRuleKnowsAnOpaqueOperator) {
  unsigned x = map({input()});
  expectKernel();
  returns({add(FusionClass::Opaque, {{x, ElementLink::Many}})});
  expectFault("operator 1, one computes what no rule knows");
}

TEST_F(VerifyKernelsTest, OneOperatorAloneIsAlwaysAKernel) {
  returns({add(FusionClass::Opaque, {{input(), ElementLink::Many}})});
  expectKernel();
}

TEST_F(VerifyKernelsTest, OneContractionOrWindow) {
  unsigned x = map({multiply(input(), input())});
  expectKernel();
  returns({add(FusionClass::Window, {{x, ElementLink::Many}})});
  expectFault("operator 2, one has a second contraction or window");
}

TEST_F(VerifyKernelsTest, NoReductionBesideAContraction) {
  unsigned x = multiply(input(), input());
  returns({reduce(x)});
  expectFault("operator 1, one reduces beside a contraction");
}

TEST_F(VerifyKernelsTest, RulesThatAreSwitchedOff) {
  unsigned x = input();
  unsigned repeated = add(FusionClass::Broadcast,
                          {{input(Rows), ElementLink::Broadcast, alongRows}});
  unsigned moved = transpose(input(Transposed), Matrix);
  returns({spread(map({x, repeated, moved}), reduce(x))});
  expectKernel();
  for (auto [rule, name] : {std::pair(KernelRule::Broadcast, "'broadcast'"),
                            std::pair(KernelRule::Transform, "'transform'"),
                            std::pair(KernelRule::Reduce, "'reduce'"),
                            std::pair(KernelRule::Reuse, "'reuse'")}) {
    target = {};
    switchOff(rule);
    expectFault(name);
  }
}

TEST_F(VerifyKernelsTest, FrontAndBackThatAreSwitchedOff) {
  returns({map({multiply(map({input()}), input())})});
  expectKernel();
  switchOff(KernelRule::Prologue);
  expectFault("operator 0, one needs the rule 'prologue'");
  target = {};
  switchOff(KernelRule::Epilogue);
  expectFault("operator 2, one needs the rule 'epilogue'");
}

TEST_F(VerifyKernelsTest, ParametersAreKnownBefore) {
  unsigned x = input(), extent = map({input()});
  returns({add(FusionClass::Elementwise,
               {{x, ElementLink::Same}, {extent, ElementLink::Same}})});
  expectKernel();
  returns({add(FusionClass::Broadcast, {{x, ElementLink::Broadcast, alongRows},
                                        {extent, ElementLink::Parameter}})});
  expectFault("operator 2, one computes a parameter");
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

TEST_F(VerifyKernelsTest, WhatIsInFrontStaysInside) {
  unsigned x = slice(map({input()}));
  returns({multiply(x, input())});
  expectKernel();
  returns({x});
  expectFault("operator 1, one is left by what a contraction or window reads");
}

TEST_F(VerifyKernelsTest, WhatIsBehindWorksElementByElement) {
  unsigned x = multiply(input(), input());
  returns({x, transpose(map({x, input()}))});
  expectKernel();
  returns({spread(input(), x)});
  expectFault("operator 3, one needs elements of other places");
}

TEST_F(VerifyKernelsTest, WhatIsBehindMovesAsAWhole) {
  returns({slice(multiply(input(), input()))});
  expectFault("operator 1, one moves a part");
}

TEST_F(VerifyKernelsTest, WhatIsMovedDoesNotMeetWhatIsNot) {
  unsigned x = multiply(input(), input());
  returns({map({x, map({x})})});
  expectKernel();
  returns({map({x, transpose(x, Matrix)})});
  expectFault("operator 4, one combines elements of different places");
}

TEST_F(VerifyKernelsTest, AViewHasCoordinatesOfItsOwn) {
  unsigned x = multiply(input(), input());
  unsigned flat = graph.addView(x, Flat);
  returns({map({flat, map({flat}, Flat)}, Flat)});
  expectKernel();
  unsigned other = graph.addView(x, Flat);
  returns({map({flat, other}, Flat)});
  expectFault("operator 3, one combines elements of different places");
}

TEST_F(VerifyKernelsTest, WhatStandsBesideIsInTheSpaceOfTheResult) {
  unsigned bias = map({input()});
  returns({bias, map({multiply(input(), input()), bias})});
  expectKernel();
  returns({map({input()})});
  expectFault("operator 3, one has results of two spaces");
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

TEST_F(VerifyKernelsTest, RowsAreUsedAgainInTheirElements) {
  unsigned x = map({input()});
  unsigned centred = spread(x, reduce(x));
  returns({spread(centred, map({reduce(centred)}, Rows))});
  expectKernel();
  target.limits.row = 7;
  expectFault("has 8 elements in a row, at most 7 are allowed");
}

/// By chance a list of rows fits along columns, too, in a square.
TEST_F(VerifyKernelsTest, RowsAreNotSpreadAlongColumns) {
  unsigned x = map({input()});
  returns({spread(x, reduce(x), alongColumns)});
  expectFault("operator 2, one needs elements of other places");
}

TEST_F(VerifyKernelsTest, ReductionsCombineTheSameDimensions) {
  unsigned x = input();
  returns({reduce(x), reduce(x)});
  expectKernel();
  returns({reduce(x, alongColumns)});
  expectFault("operator 2, one reduces other dimensions");
}

TEST_F(VerifyKernelsTest, ReductionsCombineOneSpace) {
  unsigned x = input(), y = input();
  returns({reduce(x), reduce(map({y}))});
  expectFault("operator 2, one reduces another space");
}

/// Their sum makes two tensors one space, before and after it.
TEST_F(VerifyKernelsTest, SpacesThatMeetAreOne) {
  unsigned x = input(), y = input();
  unsigned rows = reduce(x);
  returns({reduce(y), spread(y, rows)});
  expectKernel();
}

TEST_F(VerifyKernelsTest, ReductionsReadWhatIsInPlace) {
  unsigned x = map({input()});
  unsigned centred = spread(x, reduce(x));
  returns({reduce(transpose(centred, Matrix))});
  expectFault("operator 4, one reduces elements of other places");
}

TEST_F(VerifyKernelsTest, RowsOfAViewStayRows) {
  unsigned x = input();
  unsigned column = graph.addView(reduce(x), Flat);
  returns({spread(x, column)});
  expectKernel();
  returns({spread(x, transpose(column, Rows))});
  expectFault("operator 3, one needs elements of other places");
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

TEST_F(VerifyKernelsTest, ResultsHaveOneSpace) {
  unsigned x = input();
  unsigned a = map({x}), b = transpose(x), c = map({graph.addView(x, Flat)});
  returns({a, b, c});
  expectKernel();
  returns({map({input()})});
  expectFault("operator 3, one has results of two spaces");
}

TEST_F(VerifyKernelsTest, PartsOfOneShapeAreComputedTogether) {
  unsigned a = map({input(Flat)}, Flat), b = map({input(Flat)}, Flat);
  unsigned joined = add(FusionClass::Transform,
                        {{a, ElementLink::Part}, {b, ElementLink::Part}});
  returns({a, b});
  expectKernel();
  returns({joined});
  expectFault("operator 2, one has results of two spaces");
}

TEST_F(VerifyKernelsTest, ResultsOfOneShapeAreComputedTogether) {
  unsigned split = graph.addNode(FusionClass::Transform,
                                 {{map({input()}), ElementLink::Part}});
  unsigned a = graph.addResult(split, Rows, 16);
  unsigned b = graph.addResult(split, Flat, 128);
  unsigned c = graph.addResult(split, Flat, 128);
  returns({b, c});
  expectKernel();
  returns({a});
  expectFault("operator 1, one has results of two spaces");
}

TEST_F(VerifyKernelsTest, ASharedConstantJoinsNothing) {
  unsigned constant = input(Matrix, /*isConstant=*/true);
  returns({map({input(), constant}), map({input(), constant})});
  expectFault("operator 1, one has results of two spaces");
}

//===----------------------------------------------------------------------===//
// Limits and plans
//===----------------------------------------------------------------------===//

TEST_F(VerifyKernelsTest, Limits) {
  unsigned x = input();
  unsigned a = map({x, input(Matrix, /*isConstant=*/true)});
  returns({a, map({a, input(), x})});
  expectKernel();
  target.limits.inputs = 1;
  expectFault("has 2 inputs, at most 1 are allowed");
  target.limits = {};
  target.limits.outputs = 1;
  expectFault("has 2 outputs, at most 1 are allowed");
  target.limits = {};
  target.limits.ops = 1;
  expectFault("has 2 operators, at most 1 are allowed");
}

TEST_F(VerifyKernelsTest, EveryOperatorIsInOneKernel) {
  unsigned a = map({input()});
  returns({map({map({a})})});
  KernelPlan whole = KernelPlan::create(graph, {0, 0, 1});
  EXPECT_EQ(checkPlan(whole), "");
  KernelPlan plan = whole;
  plan.kernels[0].pop_back();
  expectFault(plan, "an operator is in none");
  plan = whole;
  plan.kernels[1].push_back(1);
  expectFault(plan, "out of order");
  plan = whole;
  plan.kernels[0].push_back(2);
  expectFault(plan, "in another one than it says");
  plan = whole;
  plan.kernelOf.pop_back();
  expectFault(plan, "not every operator has one");
  plan = whole;
  plan.kernels.emplace_back();
  expectFault(plan, "one is empty");
  plan = whole;
  std::swap(plan.kernels[0], plan.kernels[1]);
  expectFault(plan, "in another one than it says");
}

TEST_F(VerifyKernelsTest, AKernelOfAPlanIsJudged) {
  returns({map({input()}), map({input()})});
  EXPECT_EQ(checkPlan(KernelPlan::create(graph, {0, 1})), "");
  expectFault(KernelPlan::create(graph, {0, 0}), "has results of two spaces");
}

TEST_F(VerifyKernelsTest, KernelsThatWaitForEachOther) {
  unsigned a = map({input()});
  unsigned b = add(FusionClass::Opaque, {{a, ElementLink::Many}});
  returns({map({a, b})});
  EXPECT_EQ(checkPlan(KernelPlan::create(graph, {0, 1, 2})), "");
  expectFault(KernelPlan::create(graph, {0, 1, 0}), "wait for each other");
}

/// A value is written once and read once by each kernel, whoever and whatever
/// view of it uses it there.
TEST_F(VerifyKernelsTest, BytesAreCountedAgain) {
  unsigned x = input();
  unsigned a = map({x});
  unsigned flat = graph.addView(a, Flat);
  returns({map({a, x}), map({flat, flat}, Flat)});
  KernelPlan plan = KernelPlan::create(graph, {0, 1, 1});
  EXPECT_EQ(plan.traffic, (KernelTraffic{128 + 128 + 128, 128 + 2 * 128}));
  EXPECT_EQ(checkPlan(plan), "");
  plan.bound = plan.traffic.getTotal();
  EXPECT_EQ(checkPlan(plan), "");
  ++*plan.bound;
  expectFault(plan, "less than the least");
  plan.bound.reset();
  ++plan.traffic.read;
  expectFault(plan, "they read 384 and write 384 bytes, not 385 and 384");
}

/// What takes parts of a value reads these; several of one kernel at most the
/// whole value, and with somebody who reads all of it just that.
TEST_F(VerifyKernelsTest, PartsAreReadAsFarAsTheyAreTaken) {
  unsigned x = input();
  auto take = [&](uint64_t bytes) {
    return add(FusionClass::Transform,
               {{.value = x, .link = ElementLink::Part, .bytes = bytes}}, Flat);
  };
  returns({take(16), take(100), take(20), map({x})});
  auto read = [&](llvm::ArrayRef<unsigned> kernelOf) {
    KernelPlan plan = KernelPlan::create(graph, kernelOf);
    EXPECT_EQ(countTraffic(graph, kernelOf), plan.traffic);
    return plan.traffic.read;
  };
  EXPECT_EQ(read({0, 1, 2, 3}), 16u + 100 + 20 + 128);
  EXPECT_EQ(read({0, 0, 1, 2}), 116u + 20 + 128);
  EXPECT_EQ(read({0, 0, 0, 1}), 128u + 128);
  EXPECT_EQ(read({0, 1, 2, 0}), 128u + 100 + 20);
}

} // namespace
} // namespace inlay
