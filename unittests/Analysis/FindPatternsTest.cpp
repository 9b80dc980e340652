//===- FindPatternsTest.cpp - Tests of what runtimes fuse -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Patterns/FindPatterns.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace mlir;

namespace {
struct FindPatternsTest : testing::Test {
  FindPatternsTest() { context.loadDialect<InlayDialect, func::FuncDialect>(); }

  /// "gelu: mul add erf div" for each pattern that is found in the body of a
  /// function of %x and %w.
  std::string find(StringRef body,
                   ArrayRef<PatternKind> kinds = getPatternKinds()) {
    std::string text = (types + "func.func @f(%x: !x, %w: !w) -> !x {\n" +
                        constants + body + "}\n")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "no module";
    std::string found;
    for (const OpPattern &pattern :
         findPatterns(*module->getOps<func::FuncOp>().begin(), kinds)) {
      found += (getName(pattern.kind) + ":").str();
      for (Operation *op : pattern.ops)
        found += (" " + op->getName().stripDialect()).str();
      found += "\n";
    }
    return found;
  }

  static constexpr llvm::StringLiteral types = "!x = tensor<2x3x4x4xf32>\n"
                                               "!m = tensor<2x3x4x1xf32>\n"
                                               "!w = tensor<3x3x1x1xf32>\n"
                                               "!p = tensor<4xf32>\n"
                                               "!s = tensor<f32>\n";
  static constexpr llvm::StringLiteral constants =
      "%half = inlay.constant dense<0.5> : !s\n"
      "%one = inlay.constant dense<1.0> : !s\n"
      "%two = inlay.constant dense<2.0> : !s\n"
      "%root = inlay.constant dense<1.41421356> : !s\n"
      "%p = inlay.constant dense<[1.0, 2.0, 3.0, 4.0]> : !p\n";

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static constexpr llvm::StringLiteral layerNorm =
    "%mean = inlay.reduce_mean %x {axes = array<i64: 3>} : (!x) -> !m\n"
    "%d = inlay.sub %x, %mean : (!x, !m) -> !x\n"
    "%q = inlay.pow %d, %two : (!x, !s) -> !x\n"
    "%v = inlay.reduce_mean %q {axes = array<i64: 3>} : (!x) -> !m\n"
    "%e = inlay.add %v, %half : (!m, !s) -> !m\n"
    "%r = inlay.sqrt %e : (!m) -> !m\n"
    "%n = inlay.div %d, %r : (!x, !m) -> !x\n";

TEST_F(FindPatternsTest, ANormalisationHasItsParameters) {
  EXPECT_EQ(find((layerNorm + "%y = inlay.mul %n, %p : (!x, !p) -> !x\n"
                              "%z = inlay.add %y, %p : (!x, !p) -> !x\n"
                              "%u = inlay.relu %z : (!x) -> !x\n"
                              "return %u : !x\n")
                     .str()),
            "layer-norm: add mul div sub sqrt reduce_mean add reduce_mean "
            "pow\n");
  EXPECT_EQ(find((layerNorm + "%y = inlay.add %n, %x : (!x, !x) -> !x\n"
                              "return %y : !x\n")
                     .str()),
            "layer-norm: div sub sqrt reduce_mean add reduce_mean pow\n");
}

TEST_F(FindPatternsTest, WhatIsUsedElsewhereIsNoPattern) {
  EXPECT_EQ(find((layerNorm + "%y = inlay.add %n, %r : (!x, !m) -> !x\n"
                              "return %y : !x\n")
                     .str()),
            "");
}

TEST_F(FindPatternsTest, GeluIsOne) {
  StringRef gelu = "%a = inlay.div %x, %root : (!x, !s) -> !x\n"
                   "%e = inlay.erf %a : (!x) -> !x\n"
                   "%o = inlay.add %e, %one : (!x, !s) -> !x\n"
                   "%y = inlay.mul %x, %o : (!x, !x) -> !x\n"
                   "%z = inlay.mul %y, %half : (!x, !s) -> !x\n"
                   "return %z : !x\n";
  EXPECT_EQ(find(gelu), "gelu: mul mul add erf div\n");
  EXPECT_EQ(find(gelu, PatternKind::LayerNorm), "");
  std::string other = gelu.str();
  other.replace(other.find("erf"), 3, "tanh");
  EXPECT_EQ(find(other), "");
}

TEST_F(FindPatternsTest, ProductsGoWithTheSoftmaxBetweenThem) {
  StringRef attention = "%a = inlay.matmul %x, %x : (!x, !x) -> !x\n"
                        "%b = inlay.mul %a, %half : (!x, !s) -> !x\n"
                        "%c = inlay.softmax %b : (!x) -> !x\n"
                        "%y = inlay.matmul %c, %x : (!x, !x) -> !x\n"
                        "return %y : !x\n";
  EXPECT_EQ(find(attention), "attention: matmul softmax mul matmul\n");
  std::string other = attention.str();
  other.replace(other.find("%b :"), 4, "%b {axis = 2 : i64} :");
  EXPECT_EQ(find(other), "");
}

/// What defines the ends of the only pattern: operators, or where an argument
/// is one.
static std::string nameEnds(ModuleOp module) {
  func::FuncOp func = *module.getOps<func::FuncOp>().begin();
  OpPattern pattern = findPatterns(func, getPatternKinds()).front();
  std::string names;
  for (Value end : pattern.ends)
    names += end.getDefiningOp()
                 ? (" " + end.getDefiningOp()->getName().stripDialect()).str()
                 : " argument";
  return names;
}

TEST_F(FindPatternsTest, AttentionBeginsWhereHeadsAreMovedFrom) {
  StringRef attention =
      "%q = inlay.relu %x : (!x) -> !x\n"
      "%qt = inlay.transpose %q {perm = array<i64: 0, 1, 3, 2>} : (!x) -> !x\n"
      "%k = inlay.transpose %x {perm = array<i64: 0, 1, 3, 2>} : (!x) -> !x\n"
      "%ks = inlay.mul %k, %half : (!x, !s) -> !x\n"
      "%a = inlay.matmul %qt, %ks : (!x, !x) -> !x\n"
      "%c = inlay.softmax %a : (!x) -> !x\n"
      "%v = inlay.sigmoid %x : (!x) -> !x\n"
      "%y = inlay.matmul %c, %v : (!x, !x) -> !x\n";
  find((attention + "%z = inlay.transpose %y {perm = array<i64: 0, 1, 3, 2>} "
                    ": (!x) -> !x\nreturn %z : !x\n")
           .str());
  EXPECT_EQ(nameEnds(*module), " relu argument sigmoid transpose");
  find((attention + "%z = inlay.neg %y : (!x) -> !x\nreturn %z : !x\n").str());
  EXPECT_EQ(nameEnds(*module), " relu argument sigmoid");
}

TEST_F(FindPatternsTest, AConvGoesWithItsOnlyUser) {
  std::string conv = "%a = inlay.conv %x, %w : (!x, !w) -> !x\n";
  EXPECT_EQ(find(conv + "%y = inlay.relu %a : (!x) -> !x\nreturn %y : !x\n"),
            "conv-activation: relu conv\n");
  EXPECT_EQ(find(conv + "%y = inlay.relu %a : (!x) -> !x\n"
                        "%z = inlay.add %y, %a : (!x, !x) -> !x\n"
                        "return %z : !x\n"),
            "");
  EXPECT_EQ(
      find(conv + "%y = inlay.mul %a, %two : (!x, !s) -> !x\nreturn %y : !x\n"),
      "");
}

TEST_F(FindPatternsTest, NamesOfAxesMakeNoDifference) {
  EXPECT_EQ(find("%a = inlay.conv %x, %w : (!x, !w) -> "
                 "tensor<2x3x4x4xf32, #inlay.layout<NCHW>>\n"
                 "%y = inlay.relu %a : "
                 "(tensor<2x3x4x4xf32, #inlay.layout<NCHW>>) -> !x\n"
                 "return %y : !x\n"),
            "conv-activation: relu conv\n");
}
