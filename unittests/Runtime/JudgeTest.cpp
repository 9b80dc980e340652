//===- JudgeTest.cpp - What is called equal and what is not ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/Judge.h"
#include "ModuleTesting.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Runtime/RoundedConstants.h"
#include <cmath>

using namespace inlay;

static constexpr float nan32 = std::numeric_limits<float>::quiet_NaN();

static HostTensor floats(llvm::ArrayRef<float> values) {
  return HostTensor::get<float>(ElementType::Float, {int64_t(values.size())},
                                values);
}

TEST(Blank, ShowsNothingWhereAllIsTheSame) {
  EXPECT_EQ(findBlank(floats({})), "empty");
  EXPECT_EQ(findBlank(floats({nan32})), "all NaN");
  EXPECT_EQ(findBlank(floats({nan32, nan32})), "all NaN");
  EXPECT_EQ(findBlank(floats({2, 2, 2})), "constant");
  EXPECT_EQ(findBlank(floats({2, nan32, 2})), "constant");
  EXPECT_EQ(findBlank(HostTensor(ElementType::Bool, {4})), "constant");
  EXPECT_EQ(findBlank(HostTensor(ElementType::Complex64, {2})), "constant");
  EXPECT_EQ(findBlank(HostTensor(ElementType::String, {2})), "constant");
}

TEST(Blank, ShowsSomethingElsewhere) {
  EXPECT_EQ(findBlank(floats({0})), "");
  EXPECT_EQ(findBlank(floats({1, 2})), "");
  EXPECT_EQ(findBlank(floats({nan32, 1, 2})), "");
  EXPECT_EQ(findBlank(HostTensor::getInts({3, 4})), "");
  EXPECT_EQ(findBlank(HostTensor(ElementType::String, {1})), "");
}

/// A graph of one input "x" of four floats; `body` computes %y, which the node
/// "last" calls "y".
static std::string getText(llvm::StringRef body) {
  return ("func.func @main(%x: tensor<4xf32> {inlay.name = \"x\"}) -> "
          "(tensor<4xf32> {inlay.name = \"y\"}) {\n" +
          body + "\nreturn %y : tensor<4xf32>\n}")
      .str();
}

static std::string node(llvm::StringRef name, llvm::StringRef type) {
  return ("loc(fused<#inlay.origin<\"" + name + "\", \"" + type + "\", [\"" +
          name + "\"]>>[unknown])")
      .str();
}

static Judgement judgeTexts(llvm::StringRef a, llvm::StringRef b,
                            const CompareOptions &options = {}) {
  ParsedModule moduleA(getText(a)), moduleB(getText(b));
  llvm::SmallVector<HostTensor> inputs = {floats({1, -2, 3, 0.7f})};
  auto outputsA = llvm::cantFail(execute(moduleA.get(), inputs));
  auto outputsB = llvm::cantFail(execute(moduleB.get(), inputs));
  return llvm::cantFail(judge({"a", moduleA.get(), inputs, nullptr}, outputsA,
                              {"b", moduleB.get(), inputs, nullptr}, outputsB,
                              options));
}

static const std::string unary = " : (tensor<4xf32>) -> tensor<4xf32> ";
static const std::string binary =
    " : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> ";

/// y = (x + 16384) - 16384, in two ways that round differently: (x + c) - c,
/// and (x - c) + c.
static std::string roundTrip(llvm::StringRef first, llvm::StringRef second) {
  return ("%c = inlay.constant dense<16384.0> : tensor<4xf32>\n%t = inlay." +
          first + " %x, %c" + binary + node("t" + first.str(), "Add") +
          "\n%y = inlay." + second + " %t, %c" + binary + node("y", "Sub"))
      .str();
}

TEST(Judge, TakesRoundingForRounding) {
  Judgement judgement =
      judgeTexts(roundTrip("add", "sub"), roundTrip("sub", "add"));
  EXPECT_TRUE(judgement.isEqual());
  EXPECT_TRUE(judgement.isWide);
  EXPECT_GT(judgement.narrowError, 1e-6);
  EXPECT_LT(judgement.getLargestError(), 1e-9);
}

/// y = x' * x' of a quantised x', quantised again: `product` computes %p.
static std::string quantised(llvm::StringRef product) {
  return ("%s = inlay.constant dense<0.1> : tensor<f32>\n"
          "%q = inlay.quantize_linear %x, %s : (tensor<4xf32>, tensor<f32>) -> "
          "tensor<4xui8> " +
          node("q", "QuantizeLinear") + "\n" + product + " " +
          node("p", "QuantizeLinear") +
          "\n%y = inlay.dequantize_linear %p, %s : (tensor<4xui8>, "
          "tensor<f32>) "
          "-> tensor<4xf32> " +
          node("y", "DequantizeLinear"))
      .str();
}

static std::string inFloats() {
  return quantised(
      "%r = inlay.dequantize_linear %q, %s : (tensor<4xui8>, tensor<f32>) -> "
      "tensor<4xf32>\n%n = inlay.mul %r, %r" +
      binary +
      "\n%p = inlay.quantize_linear %n, %s : (tensor<4xf32>, tensor<f32>) -> "
      "tensor<4xui8>");
}

static std::string inIntegers(llvm::StringRef scale) {
  return quantised(("%t = inlay.constant dense<" + scale +
                    "> : tensor<f32>\n%p = inlay.qlinear_mul %q scale %s, %q "
                    "scale %s, to scale %t : (tensor<4xui8>, tensor<f32>, "
                    "tensor<4xui8>, tensor<f32>, tensor<f32>) -> tensor<4xui8>")
                       .str());
}

TEST(Judge, LetsIntegerOperatorsBeOneStepOff) {
  Judgement judgement = judgeTexts(inFloats(), inIntegers("0.101"));
  EXPECT_TRUE(judgement.isEqual());
  EXPECT_TRUE(judgement.isWide);
  EXPECT_EQ(judgement.numOneStepOff, 1u);
  EXPECT_GT(judgement.narrowError, 1e-3);
  EXPECT_EQ(judgeTexts(inFloats(), inIntegers("0.1")).numOneStepOff, 0u);
}

TEST(Judge, LetsIntegerOperatorsBeNoFurtherOff) {
  Judgement judgement = judgeTexts(inFloats(), inIntegers("0.103"));
  EXPECT_FALSE(judgement.isEqual());
  ASSERT_TRUE(judgement.first.has_value());
  EXPECT_EQ(judgement.first->node, "p");
}

TEST(Judge, LetsNothingElseBeOneStepOff) {
  std::string other = inFloats();
  size_t mul = other.find("inlay.mul %r, %r");
  other.replace(mul, 16, "inlay.mul %r, %o");
  other = "%o = inlay.constant dense<[1.0, -2.0, 2.97, 0.7]> : "
          "tensor<4xf32>\n" +
          other;
  EXPECT_FALSE(judgeTexts(inFloats(), other).isEqual());
}

TEST(Judge, LetsAnExplicitToleranceDecide) {
  Judgement judgement = judgeTexts(roundTrip("add", "sub"),
                                   roundTrip("sub", "add"), {1e-6, true});
  EXPECT_FALSE(judgement.isEqual());
  EXPECT_FALSE(judgement.isWide);
}

/// y = round(1000 * (x + c - c)).
static std::string rounded(llvm::StringRef first, llvm::StringRef second,
                           llvm::StringRef factor) {
  return ("%c = inlay.constant dense<16384.0> : tensor<4xf32>\n"
          "%k = inlay.constant dense<" +
          factor + "> : tensor<4xf32>\n%t = inlay." + first + " %x, %c" +
          binary + node("t" + first.str(), "Add") + "\n%u = inlay." + second +
          " %t, %c" + binary + node("u", "Sub") + "\n%v = inlay.mul %u, %k" +
          binary + node("v", "Mul") + "\n%y = inlay.round %v" + unary +
          node("y", "Round"))
      .str();
}

TEST(Judge, RoundsTheSameNumbersOnBothSides) {
  // In f32 the two sides round 100.6 or so, which differs in the last digit.
  Judgement judgement = judgeTexts(rounded("add", "sub", "5000.0"),
                                   rounded("sub", "add", "5000.0"));
  EXPECT_TRUE(judgement.isEqual());
  // Another factor in front of it is another model.
  Judgement other = judgeTexts(rounded("add", "sub", "5000.0"),
                               rounded("sub", "add", "5001.0"));
  EXPECT_FALSE(other.isEqual());
  ASSERT_TRUE(other.first);
  EXPECT_EQ(other.first->node, "v");
}

/// y = sqrt(-1 - (x * w)^2), NaN everywhere.
static std::string nowhere(llvm::StringRef weight, llvm::StringRef names = "") {
  return ("%w = inlay.constant dense<" + weight +
          "> : tensor<4xf32>\n%c = inlay.constant dense<-1.0> : "
          "tensor<4xf32>\n%p = inlay.mul %x, %w" +
          binary + node(names.str() + "p", "Mul") + "\n%q = inlay.mul %p, %p" +
          binary + node(names.str() + "q", "Mul") + "\n%r = inlay.sub %c, %q" +
          binary + node(names.str() + "r", "Sub") + "\n%y = inlay.sqrt %r" +
          unary + node("y", "Sqrt"))
      .str();
}

/// y = softmax(w x + mask), where the mask takes one element out.
static std::string masked(llvm::StringRef weight) {
  return ("%w = inlay.constant dense<" + weight +
          "> : tensor<4xf32>\n%m = inlay.constant "
          "dense<[0.0, -3.4028235e38, 0.0, 0.0]> : tensor<4xf32>\n"
          "%s = inlay.mul %x, %w" +
          binary + node("s" + weight.str(), "Mul") + "\n%t = inlay.add %s, %m" +
          binary + node("t", "Add") + "\n%y = inlay.softmax %t" + unary +
          node("y", "Softmax"))
      .str();
}

TEST(Judge, SeesWhatIsSmallBesideAMask) {
  EXPECT_TRUE(judgeTexts(masked("1.0"), masked("1.0")).isEqual());
  EXPECT_FALSE(judgeTexts(masked("1.0"), masked("1.25")).isEqual());
}

TEST(Judge, LooksInFrontOfWhatShowsNothing) {
  Judgement same = judgeTexts(nowhere("2.0"), nowhere("2.0"));
  EXPECT_TRUE(same.isEqual());
  EXPECT_EQ(same.countCompared(), 1u);
  EXPECT_EQ(same.outputs[0].blank, "all NaN");
  EXPECT_EQ(same.outputs[0].inFront[0].name, "r");

  Judgement damaged = judgeTexts(nowhere("2.0"), nowhere("2.001"));
  EXPECT_FALSE(damaged.isEqual());
  ASSERT_TRUE(damaged.first);
  EXPECT_EQ(damaged.first->node, "p");
  EXPECT_EQ(damaged.first->opType, "Mul");
  ASSERT_EQ(damaged.first->operands.size(), 2u);
  EXPECT_EQ(damaged.first->operands[0].name, "x");
  EXPECT_EQ(damaged.first->operands[0].min, -2);
  EXPECT_EQ(damaged.first->operands[0].max, 3);
}

TEST(Judge, ComparesNothingWhereNothingIsShared) {
  Judgement judgement = judgeTexts(nowhere("2.0"), nowhere("2.001", "other_"));
  EXPECT_EQ(judgement.countCompared(), 0u);
}

TEST(Judge, FindsTheFirstDifferenceInOrder) {
  auto chain = [](llvm::StringRef second) {
    return "%a = inlay.neg %x" + unary + node("a", "Neg") + "\n%b = inlay." +
           second.str() + " %a" + unary + node("b", "Exp") +
           "\n%y = inlay.add %b, %a" + binary + node("y", "Add");
  };
  EXPECT_TRUE(judgeTexts(chain("exp"), chain("exp")).isEqual());
  Judgement judgement = judgeTexts(chain("exp"), chain("tanh"));
  ASSERT_TRUE(judgement.first);
  EXPECT_EQ(judgement.first->node, "b");
  EXPECT_EQ(describe(*judgement.first).substr(0, 20), "node 'b' (Exp): 'b' ");
}

TEST(RoundedConstants, MayBeOneUnitOff) {
  HostTensor exact =
      HostTensor::get<double>(ElementType::Double, {2}, {0.1, 1.0});
  float tenth = 0.1f, next = std::nextafter(1.0f, 2.0f);
  EXPECT_EQ(findRoundingError(exact, floats({tenth, 1})), "");
  EXPECT_EQ(findRoundingError(exact, floats({tenth, next})), "");
  EXPECT_EQ(
      findRoundingError(exact, floats({tenth, std::nextafter(next, 2.0f)})),
      "[1] is 1.00000024, f64 gives 1");
  EXPECT_EQ(findRoundingError(exact, floats({nan32, 1})),
            "[0] is nan, f64 gives 0.10000000000000001");
}

TEST(RoundedConstants, AreWhatTheirExpressionsMean) {
  ParsedModule module(R"(
    func.func @main() -> tensor<3x2xf32> {
      %c = inlay.constant #inlay.stored<#inlay.scaled<
          dense<[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]> : tensor<2x3xf64>,
          dense<[[0.3], [0.7]]> : tensor<2x1xf64>> : tensor<2x3xf32>,
          <Tensor as (1,0)>> : tensor<3x2xf32>
      return %c : tensor<3x2xf32>
    })");
  EXPECT_EQ(llvm::cantFail(checkComputedConstants(module.get())), "");
}
