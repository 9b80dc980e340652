//===- VerifyTest.cpp - What verification refuses and what it does not ----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Verify.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Rewriting.h"
#include "inlay/Target/Target.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"
#include <random>

using namespace inlay;
using namespace mlir;

namespace {
/// Convolutions with normalisations behind them whose means are large: f32
/// keeps few digits of what is left, in the model as in its folded form.
class VerifyTest : public ::testing::Test {
protected:
  VerifyTest() : context(createContext()) {
    OpBuilder builder(context.get());
    Location loc = builder.getUnknownLoc();
    before = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(before->getBody());
    auto type =
        RankedTensorType::get({1, channels, 6, 6}, builder.getF32Type());
    auto function = builder.create<func::FuncOp>(
        loc, "main", builder.getFunctionType(type, type));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    Value x = function.getArgument(0);
    for (unsigned i = 0; i < numLayers; ++i)
      x = addLayer(builder, x);
    builder.create<func::ReturnOp>(loc, x);
    after = before->clone();
    RewriteResult result =
        llvm::cantFail(rewriteGraph(*after, Target(), RewriteOptions::all()));
    EXPECT_EQ(result.getTotal(), numLayers);
  }

  Value addLayer(OpBuilder &builder, Value x) {
    Location loc = builder.getUnknownLoc();
    auto constant = [&](HostTensor::Shape shape, double low, double high) {
      HostTensor tensor(ElementType::Float, shape);
      std::uniform_real_distribution<double> numbers(low, high);
      for (int64_t i = 0; i < tensor.getNumElements(); ++i)
        tensor.setDouble(i, numbers(random));
      TypedAttr value = getConstantAttr(context.get(), tensor);
      return builder.create<ConstantOp>(loc, value.getType(), value)
          .getResult();
    };
    Value conv = builder.create<ConvOp>(
        loc, x.getType(),
        ValueRange{x, constant({channels, channels, 1, 1}, -0.5, 0.5),
                   constant({channels}, 999, 1001)},
        ArrayRef<NamedAttribute>());
    Value scale = constant({channels}, 0.5, 2);
    Value bias = constant({channels}, -1, 1);
    Value mean = constant({channels}, 999, 1001);
    Value variance = constant({channels}, 0.5, 2);
    Type vector = scale.getType();
    return builder
        .create<BatchNormalizationOp>(
            loc, TypeRange{x.getType(), vector, vector},
            ValueRange{conv, scale, bias, mean, variance},
            ArrayRef<NamedAttribute>())
        .getResult();
  }

  Verification verify() {
    Verification result = llvm::cantFail(
        verifyEqual(*before, *after, /*roundsAgain=*/true, nullptr));
    EXPECT_EQ(result.obstacle, "");
    return result;
  }

  /// Changes one element of a constant of what was compiled.
  void damage(ConstantOp op, double factor) {
    HostTensor old = llvm::cantFail(getHostTensor(op.getValue()));
    HostTensor tensor(old.getType(), old.getShape());
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setDouble(i, old.getDouble(i) * (i == 3 ? factor : 1));
    op.setValueAttr(getConstantAttr(context.get(), tensor));
  }

  static constexpr int64_t channels = 8;
  static constexpr unsigned numLayers = 6;
  std::mt19937 random{1};
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> before, after;
};
} // namespace

TEST_F(VerifyTest, TakesFoldedWeightsForWhatTheyAre) {
  Verification result = verify();
  EXPECT_EQ(result.difference, "");
  EXPECT_TRUE(result.judgement.isWide);
  EXPECT_GT(result.judgement.narrowError, 1e-5);
  EXPECT_LT(result.judgement.getLargestError(), 1e-9);
}

TEST_F(VerifyTest, RefusesADamagedWeight) {
  SmallVector<ConstantOp> weights;
  after->walk([&](ConvOp op) {
    weights.push_back(op->getOperand(1).getDefiningOp<ConstantOp>());
  });
  ASSERT_EQ(weights.size(), numLayers);
  for (ConstantOp weight : weights) {
    TypedAttr whole = weight.getValue();
    damage(weight, 1 + 1e-4);
    EXPECT_NE(verify().difference, "");
    weight.setValueAttr(whole);
  }
  EXPECT_EQ(verify().difference, "");
}

TEST_F(VerifyTest, RefusesADamagedBias) {
  SmallVector<ConstantOp> biases;
  after->walk([&](ConvOp op) {
    biases.push_back(op->getOperand(2).getDefiningOp<ConstantOp>());
  });
  for (ConstantOp bias : biases) {
    TypedAttr whole = bias.getValue();
    damage(bias, 1 + 1e-6);
    EXPECT_NE(verify().difference, "");
    bias.setValueAttr(whole);
  }
}

TEST_F(VerifyTest, RefusesAnotherEpsilon) {
  BatchNormalizationOp last;
  before->walk([&](BatchNormalizationOp op) { last = op; });
  last.setEpsilonAttr(Builder(context.get()).getF32FloatAttr(1.01e-5f));
  EXPECT_NE(verify().difference, "");
}
