//===- CostsTest.cpp - Tests of costs of forms and copies -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Target.h"
#include "gtest/gtest.h"

using namespace inlay;

/// Relu has no forms that costs could tell apart; Softmax combines elements.
static OpForms getForms(llvm::StringRef op) {
  return {op == "Softmax" || op == "MatMul", op == "MatMul", op == "Add"};
}

static TargetResult read(llvm::StringRef body) {
  return readTarget(("schema: inlay.target/1\nname: test\n" + body).str(), {},
                    getForms);
}

static TargetCosts readCosts(llvm::StringRef entries) {
  TargetResult result = read(("costs: {relayout: 0, " + entries + "}\n").str());
  EXPECT_TRUE(result.faults.empty()) << result.faults.front().message;
  return result.target.costs;
}

/// "line:column: message" of each.
static std::string getFaults(llvm::StringRef body) {
  std::string faults;
  for (const TargetFault &fault : read(body).faults)
    faults += std::to_string(fault.line) + ":" + std::to_string(fault.column) +
              ": " + fault.message + "\n";
  return faults;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

TEST(FactorTest, ScalesInWholeNumbers) {
  EXPECT_EQ(CostFactor().scale(12345), 12345u);
  EXPECT_EQ(CostFactor(2400).scale(1000), 2400u);
  EXPECT_EQ(CostFactor(1001).scale(999), 999u);
  EXPECT_EQ(CostFactor(CostFactor::most).scale(UINT64_MAX), UINT64_MAX);
}

/// (2.4 - 1) * (bytes read and written) / 2.
TEST(FactorTest, AFormCostsWhatItTakesLonger) {
  EXPECT_EQ(CostFactor(2400).getFormCost(2000), 1400u);
  EXPECT_EQ(CostFactor().getFormCost(2000), 0u);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

namespace {
class FormFactorTest : public testing::Test {
protected:
  FormFactorTest() {
    facts.op = "Softmax";
    facts.opClass = OpClass::Normalization;
    facts.type = "f32";
    facts.bytes = 4096;
    facts.inner = 64;
  }
  uint32_t get(llvm::StringRef entries) {
    return readCosts(("forms: [" + entries + "]").str())
        .getFactor(facts)
        .getThousandths();
  }

  FormFacts facts;
};
} // namespace

TEST_F(FormFactorTest, HoldsForTheOperatorOrTheClass) {
  EXPECT_EQ(get("{op: Softmax, reduced: not-last, factor: 2.4}"), 2400u);
  EXPECT_EQ(get("{class: normalization, reduced: not-last, factor: 3}"), 3000u);
  EXPECT_EQ(get("{op: MatMul, reduced: not-last, factor: 2.4}"), 1000u);
  EXPECT_EQ(get("{class: reduction, reduced: not-last, factor: 3}"), 1000u);
}

TEST_F(FormFactorTest, HoldsWhereTheAxisLies) {
  EXPECT_EQ(get("{op: Softmax, reduced: last, factor: 2}"), 1000u);
  facts.inner = 1;
  EXPECT_EQ(get("{op: Softmax, reduced: last, factor: 2}"), 2000u);
  EXPECT_EQ(get("{op: Softmax, reduced: not-last, factor: 2}"), 1000u);
  facts.inner = std::nullopt;
  EXPECT_EQ(get("{op: Softmax, reduced: last, factor: 2}"), 1000u);
}

TEST_F(FormFactorTest, HoldsForSizesAndTypes) {
  const char *tail = "factor: 2}";
  auto getOf = [&](const std::string &words) {
    return get("{op: Softmax, reduced: not-last, " + words + ", " + tail);
  };
  EXPECT_EQ(getOf("inner: [2, 64]"), 2000u);
  EXPECT_EQ(getOf("inner: [65, inf]"), 1000u);
  EXPECT_EQ(getOf("bytes: [4096, inf]"), 2000u);
  EXPECT_EQ(getOf("bytes: [0, 4095]"), 1000u);
  EXPECT_EQ(getOf("types: [f16, f32]"), 2000u);
  EXPECT_EQ(getOf("types: f16"), 1000u);
}

TEST_F(FormFactorTest, TheFirstThatHoldsCounts) {
  EXPECT_EQ(get("{op: Softmax, reduced: not-last, bytes: [0, 8], factor: 9}, "
                "{op: Softmax, reduced: not-last, factor: 1}, "
                "{class: normalization, reduced: not-last, factor: 4}"),
            1000u);
}

TEST_F(FormFactorTest, HoldsForTransposedOperands) {
  facts.op = "MatMul";
  EXPECT_EQ(get("{op: MatMul, transposed: none, factor: 2}"), 1000u);
  facts.transposed = TransposedOperands{true, false};
  EXPECT_EQ(get("{op: MatMul, transposed: A, factor: 1.2}"), 1200u);
  EXPECT_EQ(get("{op: MatMul, transposed: B, factor: 1.2}"), 1000u);
  EXPECT_EQ(get("{op: MatMul, transposed: both, factor: 1.2}"), 1000u);
  EXPECT_EQ(get("{op: MatMul, exchanged: true, factor: 1.2}"), 1000u);
  facts.isExchanged = true;
  EXPECT_EQ(get("{op: MatMul, exchanged: true, factor: 1.2}"), 1200u);
  EXPECT_EQ(get("{op: MatMul, exchanged: false, factor: 1.2}"), 1000u);
}

TEST_F(FormFactorTest, HoldsForRepeatedOperands) {
  facts.op = "Add";
  EXPECT_EQ(get("{op: Add, broadcast: not-last, factor: 2.1}"), 1000u);
  facts.repeatsInnermost = false;
  EXPECT_EQ(get("{op: Add, broadcast: not-last, factor: 2.1}"), 2100u);
  EXPECT_EQ(get("{op: Add, broadcast: last, factor: 2.1}"), 1000u);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TEST(CopyFactorTest, HoldsForRunsAndAxes) {
  TargetCosts costs = readCosts("copies: [{run: [1, 16], axes: many, factor: "
                                "8}, {run: [1, 16], axes: one, factor: 1.5}]");
  CopyFacts facts{"f32", 4096, 16, 2};
  EXPECT_EQ(costs.getFactor(facts).getThousandths(), 8000u);
  facts.numMoved = 1;
  EXPECT_EQ(costs.getFactor(facts).getThousandths(), 1500u);
  facts.run = 17;
  EXPECT_EQ(costs.getFactor(facts).getThousandths(), 1000u);
}

TEST(CopyFactorTest, HoldsForSizesAndTypes) {
  TargetCosts costs =
      readCosts("copies: [{bytes: [1, 100], types: [i8], factor: 2}]");
  EXPECT_EQ(costs.getFactor(CopyFacts{"i8", 100}).getThousandths(), 2000u);
  EXPECT_EQ(costs.getFactor(CopyFacts{"i8", 101}).getThousandths(), 1000u);
  EXPECT_EQ(costs.getFactor(CopyFacts{"f32", 100}).getThousandths(), 1000u);
}

//===----------------------------------------------------------------------===//
// Orders of rules
//===----------------------------------------------------------------------===//

TEST(ChoiceFactorTest, GoesWithAnOrderOfData) {
  TargetResult result =
      read("layouts: [{op: Conv, data: [NHWC, {order: NCHW, factor: 1.7}]}]\n"
           "costs: {relayout: 0}\n");
  ASSERT_TRUE(result.faults.empty());
  const std::vector<LayoutChoice> &choices = result.target.layouts[0].choices;
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].factor, CostFactor());
  EXPECT_EQ(choices[1].factor, CostFactor(1700));
  EXPECT_EQ(choices[1].data, "NCHW");
  EXPECT_EQ(choices[1].result, "NCHW");
}

TEST(ChoiceFactorTest, MakesNoOtherOrder) {
  EXPECT_EQ(getFaults("layouts:\n"
                      "  - {op: Conv, data: [NHWC, {order: NHWC, factor: 2}]}\n"
                      "costs: {relayout: 0}\n"),
            "4:37: order 'NHWC' is listed twice\n");
}

TEST(ChoiceFactorTest, GoesWithNothingElse) {
  EXPECT_EQ(getFaults("layouts:\n"
                      "  - {op: Conv, data: [NHWC, NCHW],"
                      " result: [NHWC, {order: NCHW, factor: 2}]}\n"
                      "  - {op: MaxPool, data: {order: NHWC}}\n"
                      "  - {op: Add, data: [{order: NHWC, factor: 0.9}]}\n"
                      "costs: {relayout: 0}\n"),
            "4:51: 'result' must be a text, found a mapping\n"
            "5:25: an order of 'data' must have 'factor', found none\n"
            "6:44: 'factor' must be a number of 1 to 1000 with at most three "
            "digits behind the point, found '0.9'\n");
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

TEST(CostFaultsTest, FactorsBelowOneAreRefused) {
  EXPECT_EQ(getFaults("costs:\n"
                      "  relayout: 0\n"
                      "  forms:\n"
                      "    - {op: Softmax, reduced: last, factor: 0.999}\n"
                      "    - {op: Softmax, reduced: last, factor: 1.0001}\n"
                      "    - {op: Softmax, reduced: last, factor: nan}\n"
                      "  copies: [{factor: 1001}, {run: 4}]\n"),
            "6:44: 'factor' must be a number of 1 to 1000 with at most three "
            "digits behind the point, found '0.999'\n"
            "7:44: 'factor' must be a number of 1 to 1000 with at most three "
            "digits behind the point, found '1.0001'\n"
            "8:44: 'factor' must be a number of 1 to 1000 with at most three "
            "digits behind the point, found 'nan'\n"
            "9:21: 'factor' must be a number of 1 to 1000 with at most three "
            "digits behind the point, found '1001'\n"
            "9:28: a copy must have 'factor', found none\n");
}

TEST(CostFaultsTest, FormsThatTheOperatorCannotHaveAreRefused) {
  EXPECT_EQ(
      getFaults("costs:\n"
                "  relayout: 0\n"
                "  forms:\n"
                "    - {op: Relu, reduced: not-last, factor: 2}\n"
                "    - {op: Softmax, transposed: A, factor: 2}\n"
                "    - {op: Softmax, broadcast: last, factor: 2}\n"
                "    - {class: elementwise, reduced: last, factor: 2}\n"
                "    - {class: reduction, transposed: B, factor: 2}\n"),
      "6:27: 'reduced' can never hold: operator Relu combines no elements "
      "along an axis\n"
      "7:33: 'transposed' can never hold: operator Softmax is no product of "
      "matrices\n"
      "8:32: 'broadcast' can never hold: operator Softmax repeats no operand\n"
      "9:37: 'reduced' can never hold: class elementwise combines no elements "
      "along an axis\n"
      "10:38: 'transposed' can never hold: class reduction is no product of "
      "matrices\n");
}

TEST(CostFaultsTest, EntriesThatSayTooLittleAreRefused) {
  EXPECT_EQ(
      getFaults("costs:\n"
                "  relayout: 0\n"
                "  forms:\n"
                "    - {op: Softmax, factor: 2}\n"
                "    - {reduced: last, factor: 2}\n"
                "    - {op: Softmax, class: reduction, reduced: last, factor: "
                "2}\n"
                "    - {op: Softmax, reduced: last, inner: [2, 4], factor: 2}\n"
                "  copies: {factor: 2}\n"),
      "6:7: a form must have 'reduced', 'broadcast', 'transposed' or "
      "'exchanged': what all forms cost can never matter\n"
      "7:7: a form must have 'op' or 'class', found neither\n"
      "8:7: a form must have 'op' or 'class', found both\n"
      "9:43: 'inner' must go with 'reduced: not-last': nothing lies inside of "
      "the last axis\n"
      "10:11: 'copies' must be a list, found a mapping\n");
}

TEST(CostFaultsTest, WordsAndBoundsAreChecked) {
  EXPECT_EQ(getFaults("costs:\n"
                      "  relayout: 0\n"
                      "  forms: [{op: Softmax, reduced: first, factor: 2}]\n"
                      "  copies:\n"
                      "    - {run: [16, 1], factor: 2}\n"
                      "    - {run: [1, 2, 3], factor: 2}\n"
                      "    - {axes: two, factor: 2}\n"
                      "    - {types: f31, factor: 2}\n"
                      "    - {length: 3, factor: 2}\n"),
            "5:34: 'reduced' must be last or not-last, found 'first'\n"
            "7:13: 'run' can never hold: [16, 1] does not begin with the "
            "smaller number\n"
            "8:13: 'run' must be a number or a list of the least and the "
            "greatest, such as [1, 16]\n"
            "9:14: 'axes' must be one or many, found 'two'\n"
            "10:15: unknown element type 'f31', did you mean 'f32'?\n"
            "11:8: unknown key 'length' of a copy\n");
}

/// Files of before say the same.
TEST(CostFaultsTest, WithoutFormsAndCopiesNothingIsPriced) {
  TargetCosts costs = read("costs: {relayout: 7}\n").target.costs;
  EXPECT_EQ(costs.relayout, 7u);
  EXPECT_TRUE(costs.forms.empty());
  EXPECT_TRUE(costs.copies.empty());
}
