//===- ModelCostsTest.cpp - What nodes of small models cost ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModelCosts.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;

namespace {
/// A parsed module, which costs are of.
class Costs {
public:
  explicit Costs(llvm::StringRef text, uint64_t onChip = 0)
      : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (module)
      costs = getModelCosts(llvm::cantFail(getGraph(*module)), onChip);
    else
      ADD_FAILURE() << "the test's module does not parse";
  }

  const NodeCost &operator[](size_t i) const { return costs.nodes.at(i); }
  const ModelCosts *operator->() const { return &costs; }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModelCosts costs;
};
} // namespace

/// The operations of the only operator of a body.
static std::optional<uint64_t> getFlops(llvm::StringRef arguments,
                                        llvm::StringRef op,
                                        llvm::StringRef result) {
  Costs costs(("func.func @main(" + arguments + ") -> " + result + " {\n" + op +
               "\nreturn %y : " + result + "\n}")
                  .str());
  EXPECT_EQ(costs->nodes.size(), 1u);
  return costs[0].flops;
}

TEST(ModelCosts, CountsProductsOfConvolutions) {
  EXPECT_EQ(getFlops("%x: tensor<2x6x5x7xf32>, %w: tensor<8x3x3x3xf32>",
                     "%y = inlay.conv %x, %w {group = 2 : i64, pads = "
                     "array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 1>} : "
                     "(tensor<2x6x5x7xf32>, tensor<8x3x3x3xf32>) -> "
                     "tensor<2x8x3x7xf32>",
                     "tensor<2x8x3x7xf32>"),
            2u * (2 * 8 * 3 * 7) * (3 * 3 * 3));
  EXPECT_EQ(getFlops("%x: tensor<1x4x5x5xf32>, %w: tensor<4x2x3x3xf32>",
                     "%y = inlay.conv_transpose %x, %w {strides = array<i64: "
                     "2, 2>} : (tensor<1x4x5x5xf32>, tensor<4x2x3x3xf32>) -> "
                     "tensor<1x2x11x11xf32>",
                     "tensor<1x2x11x11xf32>"),
            2u * (4 * 5 * 5) * (2 * 3 * 3));
}

TEST(ModelCosts, CountsProductsOfMatrices) {
  EXPECT_EQ(getFlops("%a: tensor<3x4x5xf32>, %b: tensor<5x7xf32>",
                     "%y = inlay.matmul %a, %b : (tensor<3x4x5xf32>, "
                     "tensor<5x7xf32>) -> tensor<3x4x7xf32>",
                     "tensor<3x4x7xf32>"),
            2u * 3 * 4 * 7 * 5);
  EXPECT_EQ(getFlops("%a: tensor<5x4xf32>, %b: tensor<5x7xf32>",
                     "%y = inlay.gemm %a, %b {transA = 1 : i64} : "
                     "(tensor<5x4xf32>, tensor<5x7xf32>) -> tensor<4x7xf32>",
                     "tensor<4x7xf32>"),
            2u * 4 * 7 * 5);
  EXPECT_EQ(getFlops("%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>",
                     "%y = inlay.einsum \"bij,bjk->bik\"(%a, %b) : "
                     "(tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> "
                     "tensor<2x3x5xf32>",
                     "tensor<2x3x5xf32>"),
            2u * 2 * 3 * 4 * 5);
}

TEST(ModelCosts, KnowsNoWorkOfUnknownExtents) {
  EXPECT_EQ(getFlops("%a: tensor<?x5xf32>, %b: tensor<5x7xf32>",
                     "%y = inlay.matmul %a, %b : (tensor<?x5xf32>, "
                     "tensor<5x7xf32>) -> tensor<?x7xf32>",
                     "tensor<?x7xf32>"),
            std::nullopt);
}

static constexpr llvm::StringLiteral chain = R"(
  func.func @main(%x: tensor<8x4xf32>) -> tensor<2x4xf32> {
    %w = inlay.constant dense<1.0> : tensor<4x4xf32>
    %0 = inlay.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %1 = inlay.relu %0 : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = inlay.slice %1 {axes = array<i64: 0>, ends = array<i64: 2>, starts = array<i64: 0>} : (tensor<8x4xf32>) -> tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  })";

// A slice reads what it takes.
TEST(ModelCosts, CountsBytes) {
  Costs costs(chain);
  EXPECT_EQ(costs[0].flops, 2u * 8 * 4 * 4);
  EXPECT_EQ(costs[0].weightBytes, 64u);
  EXPECT_EQ(costs[0].activationBytes, 256u);
  EXPECT_EQ(costs[0].liveBytes, 256u);
  EXPECT_EQ(costs[1].flops, 0u);
  EXPECT_EQ(costs[1].activationBytes, 256u);
  EXPECT_EQ(costs[2].activationBytes, 64u);
  EXPECT_EQ(costs->sum(&NodeCost::activationBytes), 256u + 256 + 64);
}

TEST(ModelCosts, EstimatesTime) {
  Costs costs(chain);
  MachineRates rates{256.0, 320.0, 0};
  std::optional<TimeEstimate> product = estimateTime(costs[0], rates);
  ASSERT_TRUE(product.has_value());
  EXPECT_DOUBLE_EQ(product->seconds, 1.0);
  EXPECT_EQ(product->bound, Bound::Memory);
  rates.bandwidth = 640;
  EXPECT_EQ(estimateTime(costs[0], rates)->bound, Bound::Compute);
  rates.flops.reset();
  EXPECT_FALSE(estimateTime(costs[0], rates).has_value());
}

// Weights come from memory wherever activations are.
TEST(ModelCosts, KeepsSmallTensorsOnTheChip) {
  Costs costs(chain, /*onChip=*/128);
  EXPECT_EQ(costs[0].activationBytes, 256u);
  EXPECT_EQ(costs[0].offChipBytes, 0u);
  MachineRates rates{1e12, 64.0, 128};
  EXPECT_DOUBLE_EQ(estimateTime(costs[0], rates)->seconds, 1.0);
}
