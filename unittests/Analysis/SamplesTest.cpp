//===- SamplesTest.cpp - Graphs that compute one sample like the next -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Samples.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace mlir;

namespace {
class SampleGraphs : public ::testing::Test {
protected:
  SampleGraphs() {
    context.loadDialect<InlayDialect, func::FuncDialect>();
    registerEvaluation(context);
  }

  func::FuncOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return *module->getOps<func::FuncOp>().begin();
  }
  Samples find(StringRef text) {
    auto found = findSamples(parse(text));
    if (!found) {
      ADD_FAILURE() << llvm::toString(found.takeError());
      return {};
    }
    EXPECT_TRUE(found->has_value());
    return found->value_or(Samples());
  }
  std::string refusal(StringRef text) {
    auto found = findSamples(parse(text));
    return found ? "none" : llvm::toString(found.takeError());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using Numbers = SmallVector<int64_t>;

/// The function around a body of operations that computes `%y` of `%x`.
std::string around(StringRef input, StringRef body, StringRef output) {
  return ("func.func @f(%x: " + input + ") -> (" + output + ") {\n" + body +
          "\n  return %y : " + output + "\n}")
      .str();
}
} // namespace

TEST_F(SampleGraphs, ComputeLineByLine) {
  Samples samples = find(R"(
func.func @f(%x: tensor<?x8xf32> {inlay.dims = ["batch", ""]}, %w: tensor<8x4xf32>) -> (tensor<?x4xf32>, tensor<8x4xf32>) {
  %a = inlay.matmul %x, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %y = inlay.relu %a : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %z = inlay.relu %w : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y, %z : tensor<?x4xf32>, tensor<8x4xf32>
})");
  EXPECT_EQ(samples.symbol, "batch");
  EXPECT_EQ(samples.inputs, Numbers({1, 0}));
  EXPECT_EQ(samples.outputs, Numbers({1, 0}));
}

TEST_F(SampleGraphs, BecomeThatOfOne) {
  func::FuncOp graph = parse(around(
      "tensor<?x8xf32>",
      "  %y = inlay.reshape %x {shape = array<i64: -1, 2>} : (tensor<?x8xf32>) "
      "-> tensor<?x2xf32>",
      "tensor<?x2xf32>"));
  auto samples = findSamples(graph);
  ASSERT_TRUE(bool(samples)) << llvm::toString(samples.takeError());
  ASSERT_TRUE(samples->has_value());
  EXPECT_EQ((*samples)->outputs, Numbers({4}));
  OwningOpRef<func::FuncOp> one = getSampleGraph(graph, **samples);
  std::string text;
  llvm::raw_string_ostream(text) << one->getFunctionType();
  EXPECT_EQ(text, "(tensor<1x8xf32>) -> tensor<4x2xf32>");
}

TEST_F(SampleGraphs, AreThoseWithAnOpenInput) {
  auto found = findSamples(parse(
      around("tensor<2x8xf32>",
             "  %y = inlay.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>",
             "tensor<2x8xf32>")));
  ASSERT_TRUE(bool(found));
  EXPECT_FALSE(found->has_value());
}

/// As attention exported for batches that come second does.
TEST_F(SampleGraphs, MayHaveSamplesInOtherDimensionsInside) {
  Samples samples = find(around("tensor<?x6x8xf32>",
                                R"(
  %t = inlay.transpose %x {perm = array<i64: 1, 0, 2>} : (tensor<?x6x8xf32>) -> tensor<6x?x8xf32>
  %h = inlay.reshape %t {shape = array<i64: 6, -1, 4>} : (tensor<6x?x8xf32>) -> tensor<6x?x4xf32>
  %b = inlay.transpose %h {perm = array<i64: 1, 0, 2>} : (tensor<6x?x4xf32>) -> tensor<?x6x4xf32>
  %k = inlay.transpose %b {perm = array<i64: 0, 2, 1>} : (tensor<?x6x4xf32>) -> tensor<?x4x6xf32>
  %s = inlay.matmul %b, %k : (tensor<?x6x4xf32>, tensor<?x4x6xf32>) -> tensor<?x6x6xf32>
  %y = inlay.softmax %s {axis = 2 : i64} : (tensor<?x6x6xf32>) -> tensor<?x6x6xf32>)",
                                "tensor<?x6x6xf32>"));
  EXPECT_EQ(samples.outputs, Numbers({2}));
}

TEST_F(SampleGraphs, MayRepeatWhatIsShared) {
  StringRef body = R"(
  %token = inlay.constant dense<1.0> : tensor<1x1x8xf32>
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %rest = inlay.constant dense<[1, 8]> : tensor<2xi64>
  %s = inlay.shape %x : (tensor<?x6x8xf32>) -> tensor<3xi64>
  %n = inlay.gather %s, %NUMBER : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %shape = inlay.concat %n, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %e = inlay.expand %token, shape %shape : (tensor<1x1x8xf32>, tensor<3xi64>) -> tensor<?x1x8xf32>
  %y = inlay.concat %e, %x {axis = 1 : i64} : (tensor<?x1x8xf32>, tensor<?x6x8xf32>) -> tensor<?x7x8xf32>)";
  std::string text = around("tensor<?x6x8xf32>", body, "tensor<?x7x8xf32>");
  size_t at = text.find("%NUMBER");
  Samples samples = find(StringRef(text).take_front(at).str() + "%zero" +
                         text.substr(at + 7));
  EXPECT_EQ(samples.outputs, Numbers({1}));
  // Something else than the number of samples.
  std::string refused = refusal(
      R"(
func.func @f(%x: tensor<?x6x8xf32>, %n: tensor<3xi64>) -> tensor<?x7x8xf32> {
  %token = inlay.constant dense<1.0> : tensor<1x1x8xf32>
  %e = inlay.expand %token, shape %n : (tensor<1x1x8xf32>, tensor<3xi64>) -> tensor<?x1x8xf32>
  %y = inlay.concat %e, %x {axis = 1 : i64} : (tensor<?x1x8xf32>, tensor<?x6x8xf32>) -> tensor<?x7x8xf32>
  return %y : tensor<?x7x8xf32>
})");
  EXPECT_NE(refused.find("inlay.concat"), std::string::npos) << refused;
}

/// What one sample gets must not depend on others, on its number or on theirs.
TEST_F(SampleGraphs, AreNotThoseWhereSamplesMeet) {
  struct Case {
    const char *body, *output;
  };
  const Case cases[] = {
      {"%y = inlay.reduce_mean %x {axes = array<i64: 0>} : (tensor<?x6xf32>) "
       "-> "
       "tensor<1x6xf32>",
       "tensor<1x6xf32>"},
      {"%y = inlay.softmax %x {axis = 0 : i64} : (tensor<?x6xf32>) -> "
       "tensor<?x6xf32>",
       "tensor<?x6xf32>"},
      {"%c = inlay.constant dense<1.0> : tensor<1x6xf32>\n"
       "%y = inlay.concat %x, %c {axis = 0 : i64} : (tensor<?x6xf32>, "
       "tensor<1x6xf32>) -> tensor<?x6xf32>",
       "tensor<?x6xf32>"},
      {"%t = inlay.transpose %x {perm = array<i64: 1, 0>} : (tensor<?x6xf32>) "
       "-> "
       "tensor<6x?xf32>\n"
       "%y = inlay.matmul %x, %t : (tensor<?x6xf32>, tensor<6x?xf32>) -> "
       "tensor<?x?xf32>",
       "tensor<?x?xf32>"},
      {"%y = inlay.reshape %x {shape = array<i64: 3, -1>} : (tensor<?x6xf32>) "
       "-> "
       "tensor<3x?xf32>",
       "tensor<3x?xf32>"},
      {"%s = inlay.shape %x : (tensor<?x6xf32>) -> tensor<2xi64>\n"
       "%y = inlay.cast %s {to = 1 : i64} : (tensor<2xi64>) -> tensor<2xf32>",
       "tensor<2xf32>"},
  };
  for (const Case &own : cases) {
    std::string refused =
        refusal(around("tensor<?x6xf32>", own.body, own.output));
    EXPECT_NE(refused.find("does not compute one sample of it like the next"),
              std::string::npos)
        << own.body << refused;
  }
}

/// A stretched dimension of one would be that of one sample, too.
TEST_F(SampleGraphs, AreNotThoseThatFitForOneSampleOnly) {
  std::string refused = refusal(R"(
func.func @f(%x: tensor<?x6xf32> {inlay.dims = ["n", ""]}, %z: tensor<?xf32> {inlay.dims = ["n"]}) -> tensor<?x6xf32> {
  %y = inlay.add %x, %z : (tensor<?x6xf32>, tensor<?xf32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
})");
  EXPECT_NE(refused.find("inlay.add"), std::string::npos) << refused;
  refused = refusal(around(
      "tensor<?x6xf32>",
      "  %z = inlay.reshape %x {shape = array<i64: -1, 3>} : (tensor<?x6xf32>) "
      "-> tensor<?x3xf32>\n"
      "  %u = inlay.reshape %x {shape = array<i64: -1, 1>} : (tensor<?x6xf32>) "
      "-> tensor<?x1xf32>\n"
      "  %y = inlay.add %z, %u : (tensor<?x3xf32>, tensor<?x1xf32>) -> "
      "tensor<?x3xf32>",
      "tensor<?x3xf32>"));
  EXPECT_NE(refused.find("inlay.add"), std::string::npos) << refused;
}

TEST_F(SampleGraphs, AreNotThoseWithSamplesElsewhereInAnOutput) {
  EXPECT_EQ(
      refusal(around("tensor<?x6xf32>",
                     "  %y = inlay.transpose %x {perm = array<i64: 1, 0>} : "
                     "(tensor<?x6xf32>) -> tensor<6x?xf32>",
                     "tensor<6x?xf32>"))
          .find("has the samples of the inputs in dimension 1"),
      std::string("output '' ").size());
}

TEST_F(SampleGraphs, AreNotThoseWithOtherOpenDimensions) {
  std::string text = around(
      "tensor<?x?xf32> {inlay.name = \"x\", inlay.dims = [\"n\", \"width\"]}",
      "  %y = inlay.relu %x : (tensor<?x?xf32>) -> tensor<?x?xf32>",
      "tensor<?x?xf32>");
  EXPECT_EQ(refusal(text).find("'width' of input 'x' is open"), 0u);
  StringRef two = R"(
func.func @f(%a: tensor<?xf32> {inlay.name = "a", inlay.dims = ["n"]}, %b: tensor<?xf32> {inlay.name = "b", inlay.dims = ["SECOND"]}) -> tensor<?xf32> {
  %y = inlay.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
})";
  auto [front, back] = two.split("SECOND");
  EXPECT_EQ(
      refusal((front + "m" + back).str()).find("'m' of input 'b' is open"), 0u);
  EXPECT_EQ(
      refusal((front + back).str()).find("dimension 0 of input 'b' is open"),
      0u);
  EXPECT_EQ(find((front + "n" + back).str()).inputs, Numbers({1, 1}));
}
