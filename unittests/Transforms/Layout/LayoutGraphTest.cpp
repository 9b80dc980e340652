//===- LayoutGraphTest.cpp - Limits on what comes into question -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/LayoutGraph.h"
#include "StoredModule.h"
#include "inlay/IR/OpTypes.h"

using namespace inlay;

/// The product and the output each lead to an order of the input; only both
/// together to the one that serves them.
static constexpr llvm::StringLiteral twoDemands = R"mlir(
  func.func @main(%x: tensor<4x2x3xf32>, %b: tensor<4x5xf32>) -> (tensor<f32>, tensor<3x2xf32>) {
    %0 = inlay.transpose %x {perm = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
    %1 = inlay.matmul %0, %b : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
    %2 = inlay.reduce_sum %1 {keepdims = 0 : i64} : (tensor<2x3x5xf32>) -> tensor<f32>
    %3 = inlay.reduce_max %0 {axes = array<i64: 2>, keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3xf32>
    %4 = inlay.transpose %3 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %2, %4 : tensor<f32>, tensor<3x2xf32>
  }
)mlir";

/// The most orders that a tensor has, and whether one may miss some.
static std::pair<size_t, bool> look(const LayoutGraphOptions &options) {
  StoredModule module(twoDemands);
  LayoutGraph graph(module.getGraph(), Target(), getOnnxOpType, options);
  size_t most = 0;
  for (const LayoutTensor &tensor : graph.getTensors())
    most = std::max(most, tensor.orders.size());
  return {most, graph.getOpenNets().any()};
}

TEST(LayoutGraph, KnowsWhichOrdersOfTwoDemandsItLeftOut) {
  auto [most, isOpen] = look({});
  EXPECT_FALSE(isOpen);
  ASSERT_GT(most, 2u);
  LayoutGraphOptions narrow;
  narrow.maxOrders = most - 1;
  EXPECT_EQ(look(narrow), std::pair(most - 1, true));
  narrow.maxExtraWork = 1000;
  EXPECT_EQ(look(narrow), std::pair(most, false));
}
