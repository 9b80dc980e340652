//===- ModelStatsTest.cpp - Numbers of small models -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModelStats.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;

static ModelStats measure(llvm::StringRef text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
  registerEvaluation(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "the test's module does not parse";
    return {};
  }
  return llvm::cantFail(computeModelStats(*module, [](mlir::Operation *op) {
    return op->getName().stripDialect().str();
  }));
}

TEST(ModelStats, CountsNodesAndConstantsApart) {
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %w = inlay.constant dense<1.0> : tensor<4xf32>
      %0 = inlay.add %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %1 = inlay.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    })");
  EXPECT_EQ(stats.numNodes, 2u);
  EXPECT_EQ(stats.nodesByKind,
            (std::map<std::string, uint64_t>{{"add", 1}, {"relu", 1}}));
  EXPECT_EQ(stats.numConstants, 1u);
  EXPECT_EQ(stats.numParameters, 4u);
  EXPECT_EQ(stats.weightBytes, 16u);
}

// What a group keeps to itself takes no memory outside of the chip.
TEST(ModelStats, CountsNodesOfGroupsButNotTheirInnerValues) {
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = inlay.group "opu" "group_0" stages ["", ""] : tensor<4xf32> {
        %0 = inlay.concat %x, %x {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
        %1 = inlay.slice %0 {starts = array<i64: 0>, ends = array<i64: 4>} : (tensor<8xf32>) -> tensor<4xf32>
        inlay.yield %1 : tensor<4xf32>
      }
      return %y : tensor<4xf32>
    })");
  EXPECT_EQ(stats.numNodes, 2u);
  EXPECT_EQ(stats.numGroups, 1u);
  EXPECT_EQ(stats.peakActivationBytes, 32u);
}

TEST(ModelStats, CountsNodesOfSubgraphs) {
  ModelStats stats = measure(R"(
    func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %y = inlay.if %c : (tensor<i1>) -> tensor<4xf32> {
        %0 = inlay.neg %x : (tensor<4xf32>) -> tensor<4xf32>
        inlay.yield %0 : tensor<4xf32>
      } else {
        inlay.yield %x : tensor<4xf32>
      }
      return %y : tensor<4xf32>
    })");
  EXPECT_EQ(stats.numNodes, 2u);
}

TEST(ModelStats, SumsTheBytesOfTransposes) {
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<2x3xf32>, %y: tensor<?x3xf16>) -> (tensor<3x2xf32>, tensor<3x?xf16>) {
      %0 = inlay.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %1 = inlay.transpose %y {perm = array<i64: 1, 0>} : (tensor<?x3xf16>) -> tensor<3x?xf16>
      return %0, %1 : tensor<3x2xf32>, tensor<3x?xf16>
    })");
  EXPECT_EQ(stats.numTransposes, 2u);
  EXPECT_EQ(stats.transposeBytes, 24u);
  EXPECT_EQ(stats.numUnsizedTransposes, 1u);
}

TEST(ModelStats, DescribesInputsAndOutputs) {
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<?x3x?xf32> {inlay.name = "x", inlay.dims = ["N", "", ""]},
                    %y: tensor<*xi64> {inlay.name = "y"}) -> (tensor<?x3x?xf32> {inlay.name = "z"}) {
      return %x : tensor<?x3x?xf32>
    })");
  ASSERT_EQ(stats.inputs.size(), 2u);
  EXPECT_EQ(stats.inputs[0].name, "x");
  EXPECT_EQ(stats.inputs[0].type, "float");
  EXPECT_EQ(stats.inputs[0].dims, (std::vector<std::string>{"N", "3", "?"}));
  EXPECT_EQ(stats.inputs[1].dims, std::nullopt);
  ASSERT_EQ(stats.outputs.size(), 1u);
  EXPECT_EQ(stats.outputs[0].name, "z");
}

TEST(ModelStats, NamesOpaqueNodes) {
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %0 = inlay.opaque "a::B"(%x) : (tensor<1xf32>) -> tensor<1xf32>
          loc(fused<#inlay.origin<"node", "B", ["y"]>>[unknown])
      return %0 : tensor<1xf32>
    })");
  ASSERT_EQ(stats.opaqueNodes.size(), 1u);
  EXPECT_EQ(stats.opaqueNodes[0].name, "node");
}

TEST(PeakActivationBytes, CountsWhatIsAliveAtOnce) {
  // x and a (8), then a and b (8), then b and c (8): never three at once.
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %a = inlay.neg %x : (tensor<1xf32>) -> tensor<1xf32>
      %b = inlay.neg %a : (tensor<1xf32>) -> tensor<1xf32>
      %c = inlay.neg %b : (tensor<1xf32>) -> tensor<1xf32>
      return %c : tensor<1xf32>
    })");
  EXPECT_EQ(stats.peakActivationBytes, 8u);
}

TEST(PeakActivationBytes, KeepsWhatIsUsedLater) {
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %a = inlay.neg %x : (tensor<1xf32>) -> tensor<1xf32>
      %b = inlay.neg %a : (tensor<1xf32>) -> tensor<1xf32>
      %c = inlay.add %x, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
      return %c : tensor<1xf32>
    })");
  EXPECT_EQ(stats.peakActivationBytes, 12u);
}

TEST(PeakActivationBytes, LeavesConstantsOut) {
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %w = inlay.constant dense<1.0> : tensor<1xf32>
      %a = inlay.add %x, %w : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
      return %a : tensor<1xf32>
    })");
  EXPECT_EQ(stats.peakActivationBytes, 8u);
}

TEST(PeakActivationBytes, AddsTheLargestBranch) {
  // c (1), x (4) and the result (4) around a branch that needs 8 at once.
  ModelStats stats = measure(R"(
    func.func @main(%c: tensor<i1>, %x: tensor<1xf32>) -> tensor<1xf32> {
      %y = inlay.if %c : (tensor<i1>) -> tensor<1xf32> {
        %0 = inlay.neg %x : (tensor<1xf32>) -> tensor<1xf32>
        %1 = inlay.neg %0 : (tensor<1xf32>) -> tensor<1xf32>
        inlay.yield %1 : tensor<1xf32>
      } else {
        inlay.yield %x : tensor<1xf32>
      }
      return %y : tensor<1xf32>
    })");
  EXPECT_EQ(stats.peakActivationBytes, 17u);
}

TEST(PeakActivationBytes, IsUnknownWithOpenShapes) {
  ModelStats stats = measure(R"(
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %a = inlay.neg %x : (tensor<?xf32>) -> tensor<?xf32>
      return %a : tensor<?xf32>
    })");
  EXPECT_EQ(stats.peakActivationBytes, std::nullopt);
}
