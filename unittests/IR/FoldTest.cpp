//===- FoldTest.cpp - Operators that change nothing -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParsedOperation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;

/// Whether the operation's first result folds to its first operand.
static bool foldsToOperand(llvm::StringRef arguments, llvm::StringRef text) {
  ParsedOperation parsed(arguments, text);
  mlir::Operation *op = parsed.get();
  llvm::SmallVector<mlir::OpFoldResult> results;
  if (!op || mlir::failed(op->fold(results)) || results.empty())
    return false;
  return llvm::dyn_cast<mlir::Value>(results[0]) == op->getOperand(0);
}

TEST(Fold, IdentityIsItsOperand) {
  EXPECT_TRUE(
      foldsToOperand("%x: tensor<4xf32>",
                     "inlay.identity %x : (tensor<4xf32>) -> tensor<4xf32>"));
}

TEST(Fold, IdentityThatChangesTheTypeStays) {
  EXPECT_FALSE(
      foldsToOperand("%x: tensor<?xf32>",
                     "inlay.identity %x : (tensor<?xf32>) -> tensor<4xf32>"));
}

TEST(Fold, CastToTheSameTypeIsItsOperand) {
  EXPECT_TRUE(foldsToOperand("%x: tensor<4xf32>",
                             "inlay.cast %x {to = 1 : i64} : (tensor<4xf32>)"
                             " -> tensor<4xf32>"));
}

TEST(Fold, CastToAnotherTypeStays) {
  EXPECT_FALSE(foldsToOperand("%x: tensor<4xf32>",
                              "inlay.cast %x {to = 10 : i64} : (tensor<4xf32>)"
                              " -> tensor<4xf16>"));
}

TEST(Fold, CastOfAnUndeclaredTypeStays) {
  EXPECT_FALSE(foldsToOperand("%x: !inlay.unknown",
                              "inlay.cast %x {to = 1 : i64}"
                              " : (!inlay.unknown) -> !inlay.unknown"));
}

TEST(Fold, DropoutWithoutMaskIsItsOperand) {
  EXPECT_TRUE(foldsToOperand("%x: tensor<?xf32>",
                             "%y:2 = inlay.dropout %x : (tensor<?xf32>)"
                             " -> (tensor<?xf32>, tensor<?xi1>)"));
}

TEST(Fold, RandomDropoutStays) {
  const char *text = "%y:2 = inlay.dropout %x {training_mode = 1 : i64}"
                     " : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)";
  EXPECT_FALSE(foldsToOperand("%x: tensor<4xf32>", text));
  ParsedOperation parsed("%x: tensor<4xf32>", text);
  ASSERT_TRUE(parsed.get());
  EXPECT_FALSE(mlir::isMemoryEffectFree(parsed.get()));
}

TEST(Fold, DropoutOfRatioZeroIsNotRandom) {
  const char *text = "%y:2 = inlay.dropout %x {training_mode = 1 : i64,"
                     " ratio = 0.0 : f32} : (tensor<4xf32>)"
                     " -> (tensor<4xf32>, tensor<4xi1>)";
  EXPECT_TRUE(foldsToOperand("%x: tensor<4xf32>", text));
  ParsedOperation parsed("%x: tensor<4xf32>", text);
  ASSERT_TRUE(parsed.get());
  EXPECT_TRUE(mlir::isMemoryEffectFree(parsed.get()));
}
