//===- TargetFactsTest.cpp - What descriptions of hardware may ask --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParsedOperation.h"
#include "inlay/IR/FactInterfaces.h"
#include "inlay/IR/OpWords.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;

/// "1 1", "NOTSET", "none" when there is no such attribute, "?" when it is
/// computed at run time.
static std::string describe(const AttributeFact &fact) {
  if (fact.isUnknown)
    return "?";
  if (!fact.isPresent)
    return "none";
  std::string text = fact.text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      fact.numbers, os, [&](double each) { os << llvm::format("%g", each); },
      " ");
  return text;
}

static std::string ask(llvm::StringRef name, llvm::StringRef arguments,
                       llvm::StringRef text) {
  ParsedOperation parsed(arguments, text);
  auto facts = llvm::dyn_cast_or_null<TargetFactsOpInterface>(parsed.get());
  return facts ? describe(facts.getFact(name)) : "does not parse";
}

static std::string askConv(llvm::StringRef name, llvm::StringRef attributes) {
  return ask(name, "%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>",
             ("%y = inlay.conv %x, %w " + attributes +
              " : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> "
              "tensor<1x4x?x?xf32>")
                 .str());
}

static std::string askUnary(llvm::StringRef op, llvm::StringRef name) {
  return ask(name, "%x: tensor<1x4x4x4xf32>",
             ("%y = inlay." + op +
              " %x : (tensor<1x4x4x4xf32>) -> tensor<1x4x?x?xf32>")
                 .str());
}

TEST(TargetFacts, DefaultsAreThoseOfTheDefinition) {
  EXPECT_EQ(askConv("group", ""), "1");
  EXPECT_EQ(askConv("auto_pad", ""), "NOTSET");
  EXPECT_EQ(askUnary("leaky_relu", "alpha"), "0.01");
  EXPECT_EQ(askUnary("hard_sigmoid", "alpha"), "0.2");
  EXPECT_EQ(askUnary("hard_sigmoid", "beta"), "0.5");
  EXPECT_EQ(askUnary("global_lp_pool", "p"), "2");
  EXPECT_EQ(askUnary("gelu", "approximate"), "none");
  EXPECT_EQ(askUnary("softmax", "axis"), "-1");
}

TEST(TargetFacts, AttributesThatAreGivenWin) {
  EXPECT_EQ(askConv("auto_pad", "{auto_pad = \"VALID\"}"), "VALID");
}

TEST(TargetFacts, OperatorsLackTheAttributesOfOthers) {
  EXPECT_EQ(askUnary("relu", "alpha"), "none");
  EXPECT_EQ(askUnary("relu", "kernel"), "none");
  EXPECT_EQ(askUnary("relu", "slope"), "none");
}

TEST(TargetFacts, WindowsHaveAKernelAndItsPads) {
  EXPECT_EQ(askConv("kernel", ""), "3 3");
  EXPECT_EQ(askConv("stride", ""), "1 1");
  EXPECT_EQ(askConv("dilation", "{dilations = array<i64: 2, 1>}"), "2 1");
  EXPECT_EQ(askConv("pads", ""), "0 0 0 0");
  EXPECT_EQ(askConv("pads", "{auto_pad = \"SAME_UPPER\"}"), "1 1 1 1");
}

TEST(TargetFacts, APoolOverEverythingHasNoPads) {
  EXPECT_EQ(askUnary("global_max_pool", "kernel"), "4 4");
  EXPECT_EQ(askUnary("global_max_pool", "pads"), "none");
}

TEST(TargetFacts, AnUnknownKernelIsUnknown) {
  EXPECT_EQ(ask("kernel", "%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x?x3xf32>",
                "%y = inlay.conv %x, %w : (tensor<1x3x8x8xf32>, "
                "tensor<4x3x?x3xf32>) -> tensor<1x4x?x?xf32>"),
            "?");
}

//===----------------------------------------------------------------------===//
// Without an operation
//===----------------------------------------------------------------------===//

/// What is said of an operator matters where there is something to ask.
TEST(TargetFacts, OperatorsHaveTheWordsThatTheyAnswerTo) {
  for (llvm::StringRef word :
       {"kernel", "stride", "dilation", "pads", "slope", "scale", "group",
        "alpha", "beta", "p", "axis", "mode", "ceil_mode"}) {
    EXPECT_EQ(hasWord("Conv", word), askConv(word, "") != "none") << word.str();
    for (auto [type, op] : {std::pair("Relu", "relu"),
                            {"LeakyRelu", "leaky_relu"},
                            {"HardSigmoid", "hard_sigmoid"},
                            {"GlobalLpPool", "global_lp_pool"},
                            {"Gelu", "gelu"},
                            {"Softmax", "softmax"}})
      EXPECT_EQ(hasWord(type, word), askUnary(op, word) != "none")
          << type << ' ' << word.str();
  }
}

TEST(TargetFacts, WeightsAndSideOperandsAreThoseOfTheDefinition) {
  for (llvm::StringRef type :
       {"Conv", "ConvTranspose", "ConvInteger", "QLinearConv"})
    EXPECT_TRUE(hasWord(type, "weight")) << type.str();
  for (llvm::StringRef type : {"MaxPool", "Gemm", "BatchNormalization"})
    EXPECT_FALSE(hasWord(type, "weight")) << type.str();
  EXPECT_TRUE(hasWord("Add", "operand"));
  EXPECT_TRUE(hasWord("Clip", "operand"));
  EXPECT_FALSE(hasWord("Relu", "operand"));
}

TEST(TargetFacts, AttributesAreWordsThatTheOperatorKnows) {
  EXPECT_TRUE(mayBe("Pad", "mode", "wrap"));
  EXPECT_FALSE(mayBe("Pad", "mode", "wrapp"));
  EXPECT_FALSE(mayBe("DepthToSpace", "mode", "wrap"));
  EXPECT_TRUE(mayBe("Resize", "coordinate_transformation_mode", "asymmetric"));
  EXPECT_FALSE(mayBe("Resize", "coordinate_transformation_mode", "symmetric"));
  EXPECT_FALSE(mayBe("Gelu", "approximate", "erf"));
}

TEST(TargetFacts, OfUnknownOperatorsAnythingMayBeSaid) {
  EXPECT_TRUE(hasWord("com.acme::Swirl", "kernel"));
  EXPECT_TRUE(mayBe("com.acme::Swirl", "mode", "wrapp"));
}
