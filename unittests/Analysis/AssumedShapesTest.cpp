//===- AssumedShapesTest.cpp - Sizes of what is not known -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/AssumedShapes.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace mlir;

// A transpose of a captured value has as many elements as that.
TEST(AssumedShapes, AgreeInsideAndOutsideOfSubgraphs) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<InlayDialect, func::FuncDialect>();
  registerEvaluation(context);
  auto module = parseSourceString<ModuleOp>(
      R"(
    func.func @main(%x: tensor<?x3xf32>, %c: tensor<i1>, %o: tensor<3x?xf32>) -> tensor<3x?xf32> {
      %a = inlay.concat %x, %x {axis = 0 : i64} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
      %y = inlay.if %c : (tensor<i1>) -> tensor<3x?xf32> {
        %t = inlay.transpose %a {perm = array<i64: 1, 0>} : (tensor<?x3xf32>) -> tensor<3x?xf32>
        inlay.yield %t : tensor<3x?xf32>
      } else {
        inlay.yield %o : tensor<3x?xf32>
      }
      return %y : tensor<3x?xf32>
    })",
      &context);
  ASSERT_TRUE(module);
  func::FuncOp graph = llvm::cantFail(getGraph(*module));
  Target target;
  target.defaultDim = 5;
  AssumedShapes shapes(graph, target);
  unsigned numChecked = 0;
  graph.walk([&](TransposeOp op) {
    EXPECT_EQ(shapes.getBytes(op.getInput()), 10 * 3 * 4u);
    EXPECT_EQ(shapes.getBytes(op.getResult()), 10 * 3 * 4u);
    ++numChecked;
  });
  EXPECT_EQ(numChecked, 1u);
}
