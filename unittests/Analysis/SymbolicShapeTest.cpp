//===- SymbolicShapeTest.cpp - Extents that are equal for certain ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/SymbolicShape.h"
#include "inlay/Evaluation/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace mlir;

TEST(SymbolicInts, NumbersWhatIsEqualAlike) {
  SymbolicInts ints;
  auto a = ints.makeUnknown(true), b = ints.makeUnknown(true);
  auto two = ints.getKnown(2);
  EXPECT_EQ(two, ints.getKnown(2));
  EXPECT_NE(a, b);
  EXPECT_EQ(ints.multiply(a, b), ints.multiply(b, a));
  EXPECT_EQ(ints.add(a, two), ints.add(two, a));
  EXPECT_NE(ints.subtract(a, b), ints.subtract(b, a));
  EXPECT_EQ(ints.multiply(a, ints.getKnown(1)), a);
  EXPECT_EQ(ints.add(ints.getKnown(0), a), a);
  EXPECT_EQ(ints.lookup(ints.subtract(a, a)), 0);
  EXPECT_EQ(ints.divide(ints.multiply(two, a), two), a);
  EXPECT_NE(ints.multiply(ints.divide(a, two), two), a);
  EXPECT_EQ(ints.lookup(ints.divide(ints.getKnown(-7), two)), -3);
}

TEST(SymbolicInts, DoesNotWrap) {
  SymbolicInts ints;
  auto large = ints.getKnown(INT64_MAX), least = ints.getKnown(INT64_MIN);
  EXPECT_EQ(ints.lookup(ints.add(large, large)), std::nullopt);
  EXPECT_EQ(ints.lookup(ints.multiply(large, large)), std::nullopt);
  EXPECT_EQ(ints.lookup(ints.subtract(large, least)), std::nullopt);
  EXPECT_EQ(ints.lookup(ints.divide(least, ints.getKnown(-1))), std::nullopt);
  EXPECT_EQ(ints.lookup(ints.divide(large, ints.getKnown(0))), std::nullopt);
}

TEST(SymbolicInts, KnowsWhatIsNotNegative) {
  SymbolicInts ints;
  auto extent = ints.makeUnknown(true), any = ints.makeUnknown(false);
  auto free = ints.getKnown(-1);
  EXPECT_TRUE(ints.isNotNegative(ints.multiply(extent, extent)));
  EXPECT_FALSE(ints.isNotNegative(ints.subtract(extent, any)));
  EXPECT_EQ(ints.lookup(ints.equals(extent, free)), 0);
  EXPECT_EQ(ints.lookup(ints.equals(any, free)), std::nullopt);
  EXPECT_EQ(ints.lookup(ints.equals(any, any)), 1);
}

namespace {
/// The extents of each value that the function returns.
class ReturnedShapes : public ::testing::Test {
protected:
  SmallVector<SmallVector<int64_t>> find(StringRef text) {
    context.loadDialect<InlayDialect, func::FuncDialect>();
    registerEvaluation(context);
    module = parseSourceString<ModuleOp>(text, &context);
    auto function = *module->getOps<func::FuncOp>().begin();
    SymbolicShapes shapes(function.getBody());
    SmallVector<SmallVector<int64_t>> found;
    for (Value value :
         function.getBody().front().getTerminator()->getOperands())
      found.emplace_back(*shapes.lookupExtents(value));
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(ReturnedShapes, GoThroughOperators) {
  auto shapes = find(R"(
func.func @f(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %t = inlay.transpose %x {perm = array<i64: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = inlay.relu %t : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = inlay.add %x, %z : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = inlay.add %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %x, %r, %s, %d : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
})");
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[1][0], shapes[0][1]);
  EXPECT_EQ(shapes[1][1], shapes[0][0]);
  EXPECT_NE(shapes[2], shapes[0]) << "either may be stretched";
  EXPECT_EQ(shapes[3], shapes[0]);
}

/// An entry of zero is a zero or a copy, as `allowzero` says.
TEST_F(ReturnedShapes, AreEntriesThatCannotBeCopies) {
  auto shapes = find(R"(
func.func @f(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %order = inlay.constant dense<[1, 0]> : tensor<2xi64>
  %s = inlay.shape %x : (tensor<?x?xf32>) -> tensor<2xi64>
  %t = inlay.gather %s, %order : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %a = inlay.reshape %x, shape %s : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %b = inlay.reshape %x, shape %t : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %c = inlay.reshape %x, shape %t {allowzero = 1 : i64} : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %x, %a, %b, %c : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
})");
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[1], shapes[0]);
  EXPECT_NE(shapes[2][0], shapes[0][1]);
  EXPECT_EQ(shapes[3][0], shapes[0][1]);
  EXPECT_EQ(shapes[3][1], shapes[0][0]);
}
