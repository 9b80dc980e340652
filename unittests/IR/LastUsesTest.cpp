//===- LastUsesTest.cpp - Where values die --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/LastUses.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;

TEST(LastUses, CountsUsesInRegionsForTheOperationAround) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
  registerEvaluation(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @main(%c: tensor<i1>, %x: tensor<1xf32>, %unused: tensor<1xf32>) -> tensor<1xf32> {
      %0 = inlay.neg %x : (tensor<1xf32>) -> tensor<1xf32>
      %dead = inlay.neg %x : (tensor<1xf32>) -> tensor<1xf32>
      %y = inlay.if %c : (tensor<i1>) -> tensor<1xf32> {
        inlay.yield %0 : tensor<1xf32>
      } else {
        inlay.yield %x : tensor<1xf32>
      }
      return %y : tensor<1xf32>
    })",
                                                        &context);
  ASSERT_TRUE(module);
  mlir::Block &block = llvm::cantFail(getGraph(*module)).getBody().front();
  LastUses uses(block);
  auto arguments = block.getArguments();
  auto op = block.begin();
  mlir::Value first = (op++)->getResult(0), dead = (op++)->getResult(0),
              result = (op++)->getResult(0);
  EXPECT_EQ(uses.getDying(0), llvm::ArrayRef<mlir::Value>({arguments[2]}));
  EXPECT_EQ(uses.getDying(1), llvm::ArrayRef<mlir::Value>({dead}));
  EXPECT_EQ(uses.getDying(2),
            llvm::ArrayRef<mlir::Value>({arguments[0], arguments[1], first}));
  EXPECT_EQ(uses.getDying(3), llvm::ArrayRef<mlir::Value>({result}));
}
