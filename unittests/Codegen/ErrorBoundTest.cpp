//===- ErrorBoundTest.cpp -------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/ErrorBound.h"
#include "../Runtime/ModuleTesting.h"
#include "inlay/Codegen/ElementInterface.h"
#include <cmath>

using namespace inlay;

/// What the step that a function returns may lose, when its arguments are
/// these.
static ElementErrors getBound(llvm::StringRef text,
                              llvm::ArrayRef<HostTensor> inputs,
                              int64_t outputsOfTile = 0) {
  ParsedModule module(text.str());
  registerElementCode(*module.get().getContext());
  mlir::Block &block = module.getGraph().getBody().front();
  mlir::Operation *step = block.getTerminator()->getOperand(0).getDefiningOp();
  llvm::SmallVector<mlir::Value> reads(block.getArguments().begin(),
                                       block.getArguments().end());
  auto errors = llvm::cantFail(boundErrors(step, reads, inputs, outputsOfTile));
  EXPECT_TRUE(errors.has_value());
  return errors->front();
}

static HostTensor makeTensor(llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<float> elements) {
  return HostTensor::get<float>(ElementType::Float, shape, elements);
}

static constexpr llvm::StringLiteral product =
    "func.func @main(%a: tensor<1x4xf32>, %b: tensor<4x1xf32>) -> "
    "tensor<1x1xf32> {\n"
    "%y = inlay.matmul %a, %b : (tensor<1x4xf32>, tensor<4x1xf32>) -> "
    "tensor<1x1xf32>\n"
    "return %y : tensor<1x1xf32>\n}";

// The terms cancel out, what was rounded does not.
TEST(ErrorBound, SumsMagnitudes) {
  ElementErrors errors =
      getBound(product, {makeTensor({1, 4}, {100, -100, 3, -3}),
                         makeTensor({4, 1}, {1, 1, 1, 1})});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_DOUBLE_EQ(errors.front(), 4 * std::sqrt(4.0) * 0x1p-24 * 206);
}

TEST(ErrorBound, AddsWhatOthersRound) {
  ElementErrors errors =
      getBound("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
               "%y = inlay.exp %a : (tensor<2xf32>) -> tensor<2xf32>\n"
               "return %y : tensor<2xf32>\n}",
               {makeTensor({2}, {0, -100})});
  EXPECT_EQ(errors, ElementErrors(2, 8 * 0x1p-24));
}

TEST(ErrorBound, LetsMovesBeExact) {
  ElementErrors errors =
      getBound("func.func @main(%a: tensor<2x1xf32>) -> tensor<1x2xf32> {\n"
               "%y = inlay.transpose %a {perm = array<i64: 1, 0>} : "
               "(tensor<2x1xf32>) -> "
               "tensor<1x2xf32>\n"
               "return %y : tensor<1x2xf32>\n}",
               {makeTensor({2, 1}, {5, 6})});
  EXPECT_EQ(errors, ElementErrors(2, 0));
}

static constexpr llvm::StringLiteral quantisedProduct =
    "func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>) -> "
    "tensor<2x1xi8> {\n"
    "%s = inlay.constant dense<1.0> : tensor<f32>\n"
    "%z = inlay.constant dense<0> : tensor<i8>\n"
    "%y = inlay.group \"cpu\" \"k\" cluster : tensor<2x1xi8> {\n"
    "%0 = inlay.matmul %a, %b : (tensor<2x2xf32>, tensor<2x1xf32>) -> "
    "tensor<2x1xf32>\n"
    "%1 = inlay.quantize_linear %0, %s, %z : (tensor<2x1xf32>, tensor<f32>, "
    "tensor<i8>) -> tensor<2x1xi8>\n"
    "inlay.yield %1 : tensor<2x1xi8>\n}\n"
    "return %y : tensor<2x1xi8>\n}";

// Only a sum next to a half may end on its other side.
TEST(ErrorBound, AllowsAStepNextToATie) {
  ElementErrors errors =
      getBound(quantisedProduct, {makeTensor({2, 2}, {2.25, 1.25, 2, 1.25}),
                                  makeTensor({2, 1}, {1, 1})});
  EXPECT_EQ(errors, (ElementErrors{1, 0}));
}

// The terms of tiles are others than those of a sum over taps, and larger; a
// bound for one is none for the other.
TEST(ErrorBound, KnowsTiles) {
  constexpr llvm::StringLiteral text =
      "func.func @main(%a: tensor<1x1x3x3xf32>, %b: tensor<2x1x3x3xf32>) -> "
      "tensor<1x2x1x1xf32> {\n"
      "%y = inlay.conv %a, %b : (tensor<1x1x3x3xf32>, tensor<2x1x3x3xf32>) -> "
      "tensor<1x2x1x1xf32>\n"
      "return %y : tensor<1x2x1x1xf32>\n}";
  llvm::SmallVector<float> data(9, 1.0f), weights(18, 1.0f);
  llvm::SmallVector<HostTensor> inputs = {makeTensor({1, 1, 3, 3}, data),
                                          makeTensor({2, 1, 3, 3}, weights)};
  ElementErrors direct = getBound(text, inputs);
  double rounding = 8 * 0x1p-24 * 9;
  EXPECT_DOUBLE_EQ(direct[0], rounding + 4 * std::sqrt(9.0) * 0x1p-24 * 9);
  // The first of two outputs along a dimension: its points are 0, 1 and -1,
  // where weights of magnitude one are 1, 1.5 and 1.5 and data two; the fourth
  // input, which is outside, is not among them.
  ElementErrors two = getBound(text, inputs, 2);
  double sum = 1 * 2 + 1.5 * 2 + 1.5 * 2;
  EXPECT_DOUBLE_EQ(two[0],
                   rounding + 4 * std::sqrt(25.0) * 0x1p-24 * sum * sum);
  EXPECT_GT(getBound(text, inputs, 4)[0], two[0]);
}
