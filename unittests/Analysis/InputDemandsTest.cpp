//===- InputDemandsTest.cpp - Which values suit the inputs ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/InputDemands.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;

/// What is asked of the inputs of `func.func @main(<inputs>) { <body> }`.
static std::vector<ValueDemand> find(const std::string &inputs,
                                     const std::string &body) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
  registerEvaluation(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @main(" + inputs + ") {" + body + "\nreturn }", &context);
  if (!module) {
    ADD_FAILURE() << "the test's module does not parse";
    return std::vector<ValueDemand>(4);
  }
  return findInputDemands(llvm::cantFail(getGraph(*module)));
}

static ValueDemand whole(double low, double high) {
  ValueDemand demand = ValueDemand::range(low, high);
  demand.isWhole = true;
  return demand;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

TEST(InputDemands, IndicesAreFollowedThroughCastsAndArithmetic) {
  auto demands = find("%x: tensor<2x4xi32>, %t: tensor<50x3xf32>", R"(
    %two = inlay.constant dense<2> : tensor<i64>
    %a = inlay.cast %x {to = 7 : i64} : (tensor<2x4xi32>) -> tensor<2x4xi64>
    %b = inlay.add %a, %two : (tensor<2x4xi64>, tensor<i64>) -> tensor<2x4xi64>
    %c = inlay.reshape %b {shape = array<i64: 8>} : (tensor<2x4xi64>) -> tensor<8xi64>
    %d = inlay.gather %t, %c : (tensor<50x3xf32>, tensor<8xi64>) -> tensor<8x3xf32>
  )");
  EXPECT_EQ(demands[0], whole(-2, 47));
  EXPECT_TRUE(demands[1].isEmpty());
}

TEST(InputDemands, ATableOfUnknownExtentAsksNothing) {
  auto demands = find("%x: tensor<4xi64>, %t: tensor<?x3xf32>", R"(
    %d = inlay.gather %t, %x : (tensor<?x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  )");
  EXPECT_TRUE(demands[0].isEmpty());
}

TEST(InputDemands, TheSmallestOfSeveralTablesCounts) {
  auto demands =
      find("%x: tensor<4xi64>, %t: tensor<50xf32>, %u: tensor<7xf32>", R"(
    %a = inlay.gather %t, %x : (tensor<50xf32>, tensor<4xi64>) -> tensor<4xf32>
    %b = inlay.gather_elements %u, %x : (tensor<7xf32>, tensor<4xi64>) -> tensor<4xf32>
  )");
  EXPECT_EQ(demands[0], whole(0, 6));
}

TEST(InputDemands, TuplesStayInsideEveryDimension) {
  auto demands = find("%x: tensor<4x2xi64>, %t: tensor<9x5x3xf32>", R"(
    %a = inlay.gather_nd %t, %x : (tensor<9x5x3xf32>, tensor<4x2xi64>) -> tensor<4x3xf32>
  )");
  EXPECT_EQ(demands[0], whole(0, 4));
}

TEST(InputDemands, PositionsThatAreCountedComeFromAMask) {
  auto demands = find("%m: tensor<1x8xi64>, %t: tensor<50x3xf32>", R"(
    %one = inlay.constant dense<1> : tensor<i64>
    %a = inlay.cumsum %m {axis = 1 : i64} : (tensor<1x8xi64>) -> tensor<1x8xi64>
    %b = inlay.sub %a, %one : (tensor<1x8xi64>, tensor<i64>) -> tensor<1x8xi64>
    %c = inlay.gather %t, %b : (tensor<50x3xf32>, tensor<1x8xi64>) -> tensor<1x8x3xf32>
  )");
  // 50 / 8, from 1 / 8.
  EXPECT_EQ(demands[0], whole(0, 6.25));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

static const char penalize[] = R"(
    %one = inlay.constant dense<1.0> : tensor<f32>
    %low = inlay.constant dense<-1.0e4> : tensor<f32>
    %a = inlay.cast %m {to = 1 : i64} : (tensor<1x8xi64>) -> tensor<1x8xf32>
    %b = inlay.sub %one, %a : (tensor<f32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    %c = inlay.unsqueeze %b {axes = array<i64: 1>} : (tensor<1x8xf32>) -> tensor<1x1x8xf32>
)";

TEST(InputDemands, WhatIsPenalizedIsAMask) {
  auto demands = find("%m: tensor<1x8xi64>", std::string(penalize) + R"(
    %d = inlay.mul %c, %low : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<1x1x8xf32>
  )");
  EXPECT_EQ(demands[0].mask, MaskKind::OneCounts);
}

TEST(InputDemands, WhatIsScaledIsNone) {
  auto demands = find("%m: tensor<1x8xi64>", std::string(penalize) + R"(
    %d = inlay.mul %c, %one : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<1x1x8xf32>
  )");
  EXPECT_TRUE(demands[0].isEmpty());
}

TEST(InputDemands, MasksAreFollowedThroughTruthValues) {
  auto demands =
      find("%m: tensor<1x8xi64>, %k: tensor<1x8xi1>, %s: tensor<1x8xf32>", R"(
    %zero = inlay.constant dense<0> : tensor<i64>
    %low = inlay.constant dense<-3.4e38> : tensor<f32>
    %a = inlay.equal %m, %zero : (tensor<1x8xi64>, tensor<i64>) -> tensor<1x8xi1>
    %b = inlay.not %a : (tensor<1x8xi1>) -> tensor<1x8xi1>
    %c = inlay.and %b, %k : (tensor<1x8xi1>, tensor<1x8xi1>) -> tensor<1x8xi1>
    %d = inlay.where %c, %s, %low : (tensor<1x8xi1>, tensor<1x8xf32>, tensor<f32>) -> tensor<1x8xf32>
  )");
  EXPECT_EQ(demands[0].mask, MaskKind::OneCounts);
  EXPECT_EQ(demands[1].mask, MaskKind::OneCounts);
  EXPECT_TRUE(demands[2].isEmpty());
}

TEST(InputDemands, AConditionThatReplacesByAPenaltyCountsWhereItIsFalse) {
  auto demands = find("%k: tensor<8xi1>, %s: tensor<8xf32>", R"(
    %low = inlay.constant dense<-1.0e9> : tensor<f32>
    %d = inlay.where %k, %low, %s : (tensor<8xi1>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  )");
  EXPECT_EQ(demands[0].mask, MaskKind::ZeroCounts);
}

TEST(InputDemands, NoLengthIsZero) {
  auto demands = find("%n: tensor<2x1xi64>, %s: tensor<2x8xf32>", R"(
    %low = inlay.constant dense<-1.0e9> : tensor<f32>
    %i = inlay.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64>
    %k = inlay.less %i, %n : (tensor<8xi64>, tensor<2x1xi64>) -> tensor<2x8xi1>
    %d = inlay.where %k, %s, %low : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  )");
  EXPECT_EQ(demands[0], ValueDemand::atLeast(1));
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

TEST(InputDemands, RootsAndLogarithmsAskForPositiveNumbers) {
  auto demands =
      find("%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>", R"(
    %half = inlay.constant dense<0.5> : tensor<f32>
    %a = inlay.sqrt %x : (tensor<4xf32>) -> tensor<4xf32>
    %b = inlay.mul %y, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %c = inlay.log %b : (tensor<4xf32>) -> tensor<4xf32>
    %d = inlay.pow %z, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  )");
  EXPECT_EQ(demands[0], ValueDemand::atLeast(0));
  EXPECT_EQ(demands[1], ValueDemand::atLeast(0.125));
  EXPECT_EQ(demands[2], ValueDemand::atLeast(0));
}

TEST(InputDemands, TheRootOfASquareAsksNothing) {
  auto demands =
      find("%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>", R"(
    %two = inlay.constant dense<2.0> : tensor<f32>
    %eps = inlay.constant dense<1.0e-5> : tensor<f32>
    %a = inlay.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %b = inlay.sqrt %a : (tensor<4xf32>) -> tensor<4xf32>
    %c = inlay.pow %y, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %d = inlay.reduce_mean %c {axes = array<i64: 0>} : (tensor<4xf32>) -> tensor<1xf32>
    %e = inlay.add %d, %eps : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    %f = inlay.sqrt %e : (tensor<1xf32>) -> tensor<1xf32>
    %g = inlay.clip %z min %eps : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %h = inlay.sqrt %g : (tensor<4xf32>) -> tensor<4xf32>
  )");
  EXPECT_TRUE(demands[0].isEmpty());
  EXPECT_TRUE(demands[1].isEmpty());
  EXPECT_TRUE(demands[2].isEmpty());
}

TEST(InputDemands, WhatNothingSatisfiesAsksNothing) {
  auto demands = find("%x: tensor<4xf32>", R"(
    %one = inlay.constant dense<-1.0> : tensor<f32>
    %a = inlay.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %b = inlay.sub %one, %a : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
    %c = inlay.sqrt %b : (tensor<4xf32>) -> tensor<4xf32>
  )");
  EXPECT_TRUE(demands[0].isEmpty());
}

TEST(InputDemands, BothPartsOfASumHaveTheirShare) {
  auto demands = find("%x: tensor<4xf32>, %y: tensor<4xf32>", R"(
    %a = inlay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %b = inlay.acosh %a : (tensor<4xf32>) -> tensor<4xf32>
  )");
  EXPECT_EQ(demands[0], ValueDemand::atLeast(0.5));
  EXPECT_EQ(demands[1], ValueDemand::atLeast(0.5));
}

TEST(InputDemands, DivisorsAreNotZero) {
  auto demands = find("%x: tensor<4xi64>, %y: tensor<4xi64>", R"(
    %a = inlay.div %x, %y : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  )");
  EXPECT_TRUE(demands[0].isEmpty());
  EXPECT_EQ(demands[1], ValueDemand::atLeast(1));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

TEST(InputDemands, ShapesAreWhatFits) {
  auto demands = find("%s: tensor<2xi64>, %t: tensor<1xi64>, %u: "
                      "tensor<2xi64>, %x: tensor<4x6xf32>",
                      R"(
    %a = inlay.reshape %x, shape %s : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %b = inlay.reshape %x, shape %t : (tensor<4x6xf32>, tensor<1xi64>) -> tensor<?xf32>
    %c = inlay.expand %x, shape %u : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  )");
  EXPECT_EQ(demands[0].exact, std::vector<int64_t>({0, 0}));
  EXPECT_EQ(demands[1].exact, std::vector<int64_t>({-1}));
  EXPECT_EQ(demands[2].exact, std::vector<int64_t>({4, 6}));
}

TEST(InputDemands, ShapesOfManyElementsAreNotLookedAt) {
  auto demands =
      find("%s: tensor<36028797018963968xi64>, %x: tensor<4x6xf32>", R"(
    %a = inlay.reshape %x, shape %s : (tensor<4x6xf32>, tensor<36028797018963968xi64>) -> tensor<*xf32>
  )");
  EXPECT_TRUE(demands[0].exact.empty());
}

TEST(InputDemands, ConcatPassesOnItsParts) {
  auto demands = find("%s: tensor<1xi64>, %x: tensor<4x6xf32>", R"(
    %four = inlay.constant dense<4> : tensor<1xi64>
    %c = inlay.concat %four, %s {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %a = inlay.reshape %x, shape %c : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  )");
  EXPECT_EQ(demands[0].exact, std::vector<int64_t>({6}));
}

//===----------------------------------------------------------------------===//
// Subgraphs
//===----------------------------------------------------------------------===//

TEST(InputDemands, SubgraphsAreSeenThrough) {
  auto demands = find(
      "%c: tensor<i1>, %x: tensor<4xf32>, %n: tensor<i64>, %t: tensor<9xf32>",
      R"(
    %y = inlay.if %c : (tensor<i1>) -> tensor<4xf32> {
      %a = inlay.log %x : (tensor<4xf32>) -> tensor<4xf32>
      inlay.yield %a : tensor<4xf32>
    } else {
      inlay.yield %x : tensor<4xf32>
    }
    %r = inlay.if %c : (tensor<i1>) -> tensor<i64> {
      inlay.yield %n : tensor<i64>
    } else {
      inlay.yield %n : tensor<i64>
    }
    %g = inlay.gather %t, %r : (tensor<9xf32>, tensor<i64>) -> tensor<f32>
  )");
  EXPECT_EQ(demands[1], ValueDemand::atLeast(1.0 / 16));
  EXPECT_EQ(demands[2], whole(0, 8));
}

TEST(InputDemands, LoopsRunAFewTimes) {
  auto demands = find("%n: tensor<i64>, %k: tensor<i1>, %x: tensor<4xf32>", R"(
    %y = inlay.loop(trip %n while %k carry %x) : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<4xf32>):
      %a = inlay.sqrt %v : (tensor<4xf32>) -> tensor<4xf32>
      inlay.yield %go, %a : tensor<i1>, tensor<4xf32>
    }
  )");
  EXPECT_EQ(demands[0], whole(2, 3));
  EXPECT_EQ(demands[1].mask, MaskKind::OneCounts);
  EXPECT_EQ(demands[2], ValueDemand::atLeast(0));
}
