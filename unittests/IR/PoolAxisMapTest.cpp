//===- PoolAxisMapTest.cpp - Axis maps of pooling -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpectedAxisMap.h"
#include "ParsedOperation.h"

using namespace inlay::testing;

TEST(PoolAxisMap, WindowsSlideInSpaceOnly) {
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<2x3x4x5xf32>",
      "inlay.lp_pool %x {kernel_shape = array<i64: 2, 3>, strides = array<i64: "
      "2, 2>} : (tensor<2x3x4x5xf32>) -> tensor<2x3x2x2xf32>"));
  expectAxisMap("%x: tensor<2x3x4x5xf32>",
                "inlay.average_pool %x {kernel_shape = array<i64: 2, 3>} : "
                "(tensor<2x3x4x5xf32>) -> tensor<2x3x3x3xf32>",
                "parallel d0=2, parallel d1=3, window d2=4, window d3=5 : [d0, "
                "d1, d2, d3] -> [d0, d1, d2, d3]");
  EXPECT_EQ(
      printAxisMap("%x: tensor<2x3x4x5xf32>",
                   "%y:2 = inlay.max_pool %x {kernel_shape = array<i64: 3, 3>, "
                   "auto_pad = \"SAME_UPPER\"} : (tensor<2x3x4x5xf32>) -> "
                   "(tensor<2x3x4x5xf32>, tensor<2x3x4x5xi64>)"),
      "parallel d0=2, parallel d1=3, window d2=4, window d3=5 : [d0, d1, d2, "
      "d3] -> [d0, d1, d2, d3], [d0, d1, d2, d3]");
}

TEST(PoolAxisMap, IndicesInUseForbidAnyMap) {
  ParsedOperation parsed(
      "%x: tensor<1x2x4xf32>",
      "%y:2 = inlay.max_pool %x {kernel_shape = array<i64: 2>}"
      " : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xi64>)\n"
      "%z = inlay.transpose %y#1 : (tensor<1x2x3xi64>) -> tensor<3x2x1xi64>");
  ASSERT_TRUE(parsed.get());
  auto pool = llvm::cast<inlay::MaxPoolOp>(parsed.get()->getPrevNode());
  EXPECT_TRUE(pool.getAxisMap().isOpaque());
}

TEST(PoolAxisMap, GlobalPoolingReducesSpace) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4x5xf32>",
                           "inlay.global_average_pool %x : "
                           "(tensor<2x3x4x5xf32>) -> tensor<2x3x1x1xf32>"));
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4x5xf32>",
                           "inlay.global_lp_pool %x : (tensor<2x3x4x5xf32>) -> "
                           "tensor<2x3x1x1xf32>"));
  expectAxisMap(
      "%x: tensor<2x3x4x5xf32>",
      "inlay.global_max_pool %x : (tensor<2x3x4x5xf32>) -> tensor<2x3x1x1xf32>",
      "parallel d0=2, parallel d1=3, reduced d2=4, reduced d3=5 : [d0, d1, d2, "
      "d3] -> [d0, d1, (), ()]");
}
