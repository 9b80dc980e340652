//===- InputShapesTest.cpp - Extents for unknown dimensions ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/InputShapes.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;

using Shape = llvm::SmallVector<int64_t>;

/// The shapes that `func.func @main(<inputs>) { <body> }` gets.
static InputShapes choose(const std::string &inputs, const std::string &body,
                          std::vector<MaybeShape> given = {}) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
  registerEvaluation(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @main(" + inputs + ") {" + body + "\nreturn }", &context);
  if (!module) {
    ADD_FAILURE() << "the test's module does not parse";
    return {std::vector<MaybeShape>(4), {}};
  }
  auto graph = llvm::cantFail(getGraph(*module));
  given.resize(graph.getNumArguments());
  return chooseInputShapes(graph, given);
}

/// Convolutions of stride 2, then a layer that wants `features` of them.
static std::string stridedNetwork(int64_t features) {
  std::string count = std::to_string(features);
  return R"(
    %w = inlay.constant dense<1.0> : tensor<3x3x3x3xf32>
    %v = inlay.constant dense<1.0> : tensor<)" +
         count + R"(x5xf32>
    %a = inlay.conv %x, %w {strides = array<i64: 4, 4>}
        : (tensor<?x3x?x?xf32>, tensor<3x3x3x3xf32>) -> tensor<?x3x?x?xf32>
    %b = inlay.conv %a, %w {strides = array<i64: 4, 4>}
        : (tensor<?x3x?x?xf32>, tensor<3x3x3x3xf32>) -> tensor<?x3x?x?xf32>
    %c = inlay.flatten %b : (tensor<?x3x?x?xf32>) -> tensor<?x?xf32>
    %d = inlay.matmul %c, %v
        : (tensor<?x?xf32>, tensor<)" +
         count + R"(x5xf32>) -> tensor<?x5xf32>
  )";
}

static const char image[] =
    R"(%x: tensor<?x3x?x?xf32> {inlay.name = "x", inlay.dims = ["n", "", "h", "w"]})";

TEST(InputShapes, ImagesSurviveStrides) {
  // 64 -> 16 -> 4.
  InputShapes shapes = choose(image, stridedNetwork(48));
  EXPECT_EQ(shapes.shapes[0], Shape({1, 3, 64, 64}));
  EXPECT_EQ(describeExtents(shapes.assumed),
            "n was taken as 1, h and w were taken as 64: set --dim");
}

TEST(InputShapes, ImagesAreWhatLaterLayersNeed) {
  // 224 -> 56 -> 14.
  InputShapes shapes = choose(image, stridedNetwork(588));
  EXPECT_EQ(shapes.shapes[0], Shape({1, 3, 224, 224}));
}

TEST(InputShapes, WhatIsGivenStays) {
  InputShapes shapes =
      choose(image, stridedNetwork(588), {Shape({2, 3, 224, 224})});
  EXPECT_EQ(shapes.shapes[0], Shape({2, 3, 224, 224}));
  EXPECT_TRUE(shapes.assumed.empty());
  EXPECT_EQ(describeExtents(shapes.assumed), "");
}

TEST(InputShapes, ASymbolHasOneExtent) {
  InputShapes shapes = choose(R"(
      %a: tensor<?x?xi64> {inlay.name = "a", inlay.dims = ["batch", "length"]},
      %b: tensor<?x?xi64> {inlay.name = "b", inlay.dims = ["batch", "length"]})",
                              "", {Shape({3, 5}), std::nullopt});
  EXPECT_EQ(shapes.shapes[1], Shape({3, 5}));
  EXPECT_TRUE(shapes.assumed.empty());
}

TEST(InputShapes, NamesMaySayThatTheyAreSums) {
  InputShapes shapes = choose(R"(
      %a: tensor<?x?xf32> {inlay.name = "a", inlay.dims = ["batch", "past"]},
      %b: tensor<?x?xf32> {inlay.name = "b", inlay.dims = ["batch", "past + 1"]},
      %c: tensor<?x?xf32> {inlay.name = "c", inlay.dims = ["batch", "past + new"]},
      %d: tensor<?x?xf32> {inlay.name = "d", inlay.dims = ["batch", "new"]})",
                              "", {Shape({1, 4}), {}, {}, {}});
  EXPECT_EQ(shapes.shapes[1], Shape({1, 5}));
  EXPECT_EQ(shapes.shapes[2], Shape({1, 12}));
}

TEST(InputShapes, LengthsAddUpWhereTheGraphAddsThem) {
  InputShapes shapes = choose(R"(
      %past: tensor<1x?x4xf32> {inlay.name = "past", inlay.dims = ["", "p", ""]},
      %x: tensor<1x?x4xf32> {inlay.name = "x", inlay.dims = ["", "s", ""]},
      %m: tensor<1x?x4xf32> {inlay.name = "m", inlay.dims = ["", "t", ""]})",
                              R"(
    %a = inlay.concat %past, %x {axis = 1 : i64}
        : (tensor<1x?x4xf32>, tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
    %b = inlay.add %a, %m : (tensor<1x?x4xf32>, tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
  )");
  int64_t past = (*shapes.shapes[0])[1], now = (*shapes.shapes[1])[1];
  EXPECT_EQ((*shapes.shapes[2])[1], past + now);
}

TEST(InputShapes, UnknownRanksStayUnknown) {
  InputShapes shapes = choose(R"(%a: tensor<*xf32> {inlay.name = "a"})", "");
  EXPECT_FALSE(shapes.shapes[0]);
}

TEST(InputShapes, DimensionsWithoutANameAreNamedByTheirPlace) {
  InputShapes shapes = choose(R"(
      %a: tensor<2x?xf32> {inlay.name = "a"},
      %b: tensor<?x?xf32> {inlay.name = "b", inlay.dims = ["n", ""]})",
                              "");
  EXPECT_EQ(describeExtents(shapes.assumed),
            "dimension 1 of input 'a' and dimension 1 of input 'b' were taken "
            "as 8, n was taken as 1: set --dim and --shape");
}
