//===- LayersTest.cpp - Which tensor is wrong first -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/Layers.h"
#include "ModuleTesting.h"

using namespace inlay;

/// A graph of one input of 2 x 2; `body` computes %y.
static std::string getText(llvm::StringRef body) {
  return ("!t = tensor<2x2xf32>\n"
          "func.func @main(%x: !t {inlay.name = \"x\"}) -> "
          "(!t {inlay.name = \"y\"}) {\n" +
          body + "\nreturn %y : !t\n}")
      .str();
}

static std::string node(llvm::StringRef name) {
  return (" loc(fused<#inlay.origin<\"" + name + "\", \"Op\", [\"" + name +
          "\"]>>[unknown])\n")
      .str();
}

namespace {
/// Two graphs, compared.
struct Compared {
  Compared(llvm::StringRef textA, llvm::StringRef textB,
           const CompareOptions &options = {})
      : a(getText(textA)), b(getText(textB)) {
    llvm::SmallVector<HostTensor> inputs = {
        HostTensor::get<float>(ElementType::Float, {2, 2}, {1, -2, 3, 0.7f})};
    layers =
        llvm::cantFail(compareLayers({"a", a.get(), inputs, nullptr},
                                     {"b", b.get(), inputs, nullptr}, options));
  }

  std::string getFirst() const {
    return layers.first ? layers.layers[*layers.first].name : "";
  }

  ParsedModule a, b;
  LayerComparison layers;
};
} // namespace

static std::string turn(llvm::StringRef perm) {
  return ("%t = inlay.transpose %x {perm = array<i64: " + perm +
          ">} : (!t) -> !t" + node("t"))
      .str();
}
static std::string unary(llvm::StringRef result, llvm::StringRef op,
                         llvm::StringRef operand) {
  return ("%" + result + " = inlay." + op + " %" + operand + " : (!t) -> !t" +
          node(result))
      .str();
}
static std::string scale(llvm::StringRef result, llvm::StringRef operand,
                         llvm::StringRef factors) {
  return ("%w = inlay.constant dense<" + factors + "> : !t\n%" + result +
          " = inlay.mul %" + operand + ", %w : (!t, !t) -> !t" + node(result))
      .str();
}

static const std::string factors = "[[1.0, 2.0], [3.0, 4.0]]";

TEST(Layers, FindsNothingInEqualGraphs) {
  std::string text =
      turn("1, 0") + scale("m", "t", factors) + unary("y", "tanh", "m");
  Compared compared(text, text);
  EXPECT_EQ(compared.getFirst(), "");
  EXPECT_EQ(compared.layers.layers.size(), 3u);
  EXPECT_EQ(compared.layers.count(LayerVerdict::Equal), 3u);
  EXPECT_EQ(compared.layers.numUnshared, 0u);
}

TEST(Layers, FindsTheNodeAndWhatItReads) {
  Compared compared(unary("r", "relu", "x") + scale("m", "r", factors) +
                        unary("y", "tanh", "m"),
                    unary("r", "relu", "x") +
                        scale("m", "r", "[[1.0, 2.0], [3.0, 4.1]]") +
                        unary("y", "tanh", "m"));
  EXPECT_EQ(compared.getFirst(), "m");
  Stretch stretch = findStretch(compared.layers);
  EXPECT_EQ(stretch.ops.size(), 1u);
  ASSERT_EQ(stretch.borders.size(), 1u);
  EXPECT_EQ(stretch.borders.front(), compared.layers.layers.front().a);
}

TEST(Layers, BlamesTheOrderThatNobodyKnowsOf) {
  // The product is right and reads what is turned the wrong way.
  Compared compared(
      turn("1, 0") + unary("r", "tanh", "t") + scale("y", "r", factors),
      turn("0, 1") + unary("r", "tanh", "t") + scale("y", "r", factors));
  EXPECT_EQ(compared.getFirst(), "t");
}

TEST(Layers, TakesAnOrderThatIsKnownOf) {
  // As layouts do it: stored the other way, and weights as well.
  Compared compared(turn("1, 0") + unary("r", "tanh", "t") +
                        scale("y", "r", factors),
                    turn("0, 1") + unary("r", "tanh", "t") +
                        scale("u", "r", "[[1.0, 3.0], [2.0, 4.0]]") +
                        "%y = inlay.transpose %u {perm = array<i64: 1, 0>} : "
                        "(!t) -> !t" +
                        node("y"));
  EXPECT_EQ(compared.getFirst(), "");
  EXPECT_TRUE(compared.layers.layers.front().isReordered);
}

TEST(Layers, BlamesAWeightInAnOrderThatIsKnownOf) {
  Compared compared(turn("1, 0") + unary("r", "tanh", "t") +
                        scale("m", "r", factors) + unary("y", "relu", "m"),
                    turn("0, 1") + unary("r", "tanh", "t") +
                        scale("m", "r", "[[1.0, 3.0], [2.0, 4.5]]") +
                        "%y = inlay.transpose %m {perm = array<i64: 1, 0>} : "
                        "(!t) -> !t" +
                        node("y"));
  EXPECT_EQ(compared.getFirst(), "m");
  // What it reads is right, in whichever order.
  EXPECT_TRUE(compared.layers.isProven);
  Stretch stretch = findStretch(compared.layers);
  EXPECT_EQ(stretch.ops.size(), 1u);
  ASSERT_EQ(stretch.borders.size(), 1u);
  EXPECT_EQ(stretch.borders.front(), compared.layers.layers[1].a);
}

TEST(Layers, TriesNodesThatOnlyOneHas) {
  // The same with a node between, which the other graph calls otherwise.
  Compared compared(
      turn("1, 0") + unary("r", "tanh", "t") + unary("n", "neg", "r") +
          scale("m", "n", factors) + unary("y", "relu", "m"),
      turn("0, 1") + unary("r", "tanh", "t") + unary("other", "neg", "r") +
          scale("m", "other", "[[1.0, 3.0], [2.0, 4.5]]") +
          "%y = inlay.transpose %m {perm = array<i64: 1, 0>} : (!t) -> !t" +
          node("y"));
  EXPECT_EQ(compared.getFirst(), "m");
  EXPECT_TRUE(compared.layers.isProven);
  EXPECT_EQ(findStretch(compared.layers).ops.size(), 2u);
}

TEST(Layers, DoesNotTrustAnOrderThatWasNotTried) {
  // What comes before may be turned the wrong way: nothing says so.
  Compared compared(turn("1, 0") + unary("y", "tanh", "t"),
                    turn("0, 1") + unary("y", "tanh", "t"));
  EXPECT_EQ(compared.getFirst(), "t");
  EXPECT_FALSE(compared.layers.isProven);
}

TEST(Layers, AnOutputHasItsOrder) {
  std::string turned = turn("1, 0") + unary("y", "tanh", "t");
  Compared compared(turned, turn("0, 1") + unary("y", "tanh", "t"));
  EXPECT_EQ(compared.getFirst(), "t");
}

TEST(Layers, IsCloseWithinTheTolerance) {
  std::string a = scale("m", "x", factors) + unary("y", "tanh", "m");
  std::string b = scale("m", "x", "[[1.0, 2.0], [3.0, 4.0000005]]") +
                  unary("y", "tanh", "m");
  Compared compared(a, b);
  EXPECT_EQ(compared.getFirst(), "");
  EXPECT_EQ(compared.layers.count(LayerVerdict::Close), 2u);
  CompareOptions strict;
  strict.tolerance = 1e-8;
  EXPECT_EQ(Compared(a, b, strict).getFirst(), "m");
}

TEST(Layers, CountsWhatOnlyOneHas) {
  Compared compared(unary("r", "relu", "x") + unary("y", "tanh", "r"),
                    unary("other", "relu", "x") + unary("y", "tanh", "other"));
  EXPECT_EQ(compared.layers.layers.size(), 1u);
  EXPECT_EQ(compared.layers.numUnshared, 1u);
  EXPECT_EQ(compared.getFirst(), "");
}
