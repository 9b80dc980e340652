//===- KernelsTest.cpp ----------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Kernels.h"
#include "ParsedOperation.h"
#include "inlay/IR/Expansion.h"
#include "inlay/IR/FusionFacts.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The value
//===----------------------------------------------------------------------===//

static KernelNest makeNest() {
  KernelNest nest;
  nest.kind = FusionClass::Contraction;
  nest.anchor = 1;
  nest.space = {4, dynamicExtent, 8};
  nest.reduced = {2};
  nest.reads = {KernelRead::Prologue | KernelRead::Epilogue,
                KernelRead::Anchor};
  return nest;
}

TEST(KernelNest, PrintsWhatItKnows) {
  EXPECT_EQ(makeNest().str(),
            "contraction, anchor = 1, space = [4, ?, 8], reduced = [2], reads "
            "= [prologue|epilogue, anchor]");
  EXPECT_EQ(KernelNest().str(), "elementwise");
  KernelNest scalar;
  scalar.space.emplace();
  EXPECT_EQ(scalar.str(), "elementwise, space = []");
}

TEST(KernelNest, DiffersInEachPart) {
  KernelNest nest = makeNest();
  EXPECT_EQ(nest, makeNest());
  EXPECT_EQ(hash_value(nest), hash_value(makeNest()));
  auto differs = [&](auto change) {
    KernelNest other = makeNest();
    change(other);
    return other != nest && hash_value(other) != hash_value(nest);
  };
  EXPECT_TRUE(differs([](auto &n) { n.kind = FusionClass::Window; }));
  EXPECT_TRUE(differs([](auto &n) { n.anchor = 0; }));
  EXPECT_TRUE(differs([](auto &n) { n.anchor.reset(); }));
  EXPECT_TRUE(differs([](auto &n) { (*n.space)[0] = 5; }));
  EXPECT_TRUE(differs([](auto &n) { n.space.reset(); }));
  EXPECT_TRUE(differs([](auto &n) { n.reduced = {1}; }));
  EXPECT_TRUE(differs([](auto &n) { n.reads[1] = KernelRead::Epilogue; }));
}

TEST(KernelNest, ReadsWordsOfItsText) {
  for (llvm::StringRef word :
       {"same", "other", "prologue", "anchor", "epilogue"}) {
    ASSERT_TRUE(parseRead(word)) << word.str();
    EXPECT_EQ(formatRead(*parseRead(word)), word.str());
  }
  EXPECT_FALSE(parseRead("behind"));
  EXPECT_FALSE(parseRead(""));
}

//===----------------------------------------------------------------------===//
// What follows from operators
//===----------------------------------------------------------------------===//

/// What a group is as a kernel: `body` yields %y of type `type`.
static std::string describe(llvm::StringRef arguments, llvm::StringRef type,
                            llvm::StringRef body) {
  ParsedOperation op(arguments,
                     ("%g = inlay.group \"none\" \"k\" cluster : " + type +
                      " {\n" + body + "\ninlay.yield %y : " + type + "\n}")
                         .str());
  EXPECT_TRUE(op.get()) << body.str();
  return op.get() ? describeKernel(cast<GroupOp>(op.get())).str() : "";
}

TEST(Kernels, OfElementsSayWhatIsReadWhereItIsWritten) {
  EXPECT_EQ(
      describe("%a: tensor<4x8xf32>, %b: tensor<8xf32>", "tensor<4x8xf32>",
               "%r = inlay.relu %a : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
               "%y = inlay.add %r, %b : (tensor<4x8xf32>, tensor<8xf32>) -> "
               "tensor<4x8xf32>"),
      "elementwise, space = [4, 8], reads = [same, other]");
  // What is made of it is moved.
  EXPECT_EQ(
      describe("%a: tensor<4x4xf32>", "tensor<4x4xf32>",
               "%r = inlay.relu %a : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
               "%t = inlay.transpose %r {perm = array<i64: 1, 0>} : "
               "(tensor<4x4xf32>) -> tensor<4x4xf32>\n"
               "%y = inlay.add %r, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> "
               "tensor<4x4xf32>"),
      "elementwise, space = [4, 4], reads = [other]");
  // An unknown extent may be one.
  EXPECT_EQ(describe("%a: tensor<?xf32>", "tensor<?xf32>",
                     "%y = inlay.relu %a : (tensor<?xf32>) -> tensor<?xf32>"),
            "elementwise, space = [?], reads = [other]");
}

TEST(Kernels, OfMovesAreTransforms) {
  EXPECT_EQ(describe("%a: tensor<2x3xf32>", "tensor<3x2xf32>",
                     "%y = inlay.transpose %a {perm = array<i64: 1, 0>} : "
                     "(tensor<2x3xf32>) -> tensor<3x2xf32>"),
            "transform, space = [3, 2], reads = [other]");
}

// %b is read through a view by the product, %c before it and behind.
TEST(Kernels, OfContractionsSayOnWhichSideTheyRead) {
  EXPECT_EQ(
      describe("%a: tensor<?x8xf32>, %b: tensor<32xf32>, %c: tensor<f32>, "
               "%d: tensor<4xf32>",
               "tensor<?x4xf32>",
               "%p = inlay.mul %a, %c : (tensor<?x8xf32>, tensor<f32>) -> "
               "tensor<?x8xf32>\n"
               "%w = inlay.reshape %b {shape = array<i64: 8, 4>} : "
               "(tensor<32xf32>) -> tensor<8x4xf32>\n"
               "%m = inlay.matmul %p, %w : (tensor<?x8xf32>, tensor<8x4xf32>) "
               "-> tensor<?x4xf32>\n"
               "%s = inlay.add %m, %d : (tensor<?x4xf32>, tensor<4xf32>) -> "
               "tensor<?x4xf32>\n"
               "%y = inlay.mul %s, %c : (tensor<?x4xf32>, tensor<f32>) -> "
               "tensor<?x4xf32>"),
      "contraction, anchor = 2, space = [?, 4, 8], reduced = [2], reads = "
      "[prologue, prologue|epilogue, anchor, epilogue]");
}

TEST(Kernels, OfConvolutionsSumOverChannelsAndTaps) {
  EXPECT_EQ(
      describe("%a: tensor<1x3x9x9xf32>, %b: tensor<8x3x3x3xf32>",
               "tensor<1x8x7x7xf32>",
               "%y = inlay.conv %a, %b : (tensor<1x3x9x9xf32>, "
               "tensor<8x3x3x3xf32>) -> tensor<1x8x7x7xf32>"),
      "contraction, anchor = 0, space = [1, 8, 7, 7, 3, 3, 3], reduced = [4, "
      "5, 6], reads = [anchor, anchor]");
}

TEST(Kernels, OfWindowsGoOverTheWindow) {
  EXPECT_EQ(describe("%a: tensor<1x3x9x9xf32>", "tensor<1x3x8x7xf32>",
                     "%r = inlay.relu %a : (tensor<1x3x9x9xf32>) -> "
                     "tensor<1x3x9x9xf32>\n"
                     "%y, %i = inlay.max_pool %r {kernel_shape = array<i64: 2, "
                     "3>} : (tensor<1x3x9x9xf32>) -> (tensor<1x3x8x7xf32>, "
                     "tensor<1x3x8x7xi64>)"),
            "window, anchor = 1, space = [1, 3, 8, 7, 2, 3], reduced = [4, 5], "
            "reads = [prologue]");
}

TEST(Kernels, OfReductionsGoOverWhatTheyReduce) {
  EXPECT_EQ(
      describe("%a: tensor<4x8xf32>", "tensor<4x8xf32>",
               "%m = inlay.reduce_max %a {axes = array<i64: 1>} : "
               "(tensor<4x8xf32>) -> tensor<4x1xf32>\n"
               "%y = inlay.sub %a, %m : (tensor<4x8xf32>, tensor<4x1xf32>) -> "
               "tensor<4x8xf32>"),
      "reduce, anchor = 0, space = [4, 8], reduced = [1], reads = "
      "[anchor|epilogue]");
}

// A composite operator is what it consists of.
TEST(Kernels, OfCompositeOperatorsGoOverRows) {
  EXPECT_EQ(describe("%a: tensor<2x4x8xf32>", "tensor<2x4x8xf32>",
                     "%e = inlay.neg %a : (tensor<2x4x8xf32>) -> "
                     "tensor<2x4x8xf32>\n"
                     "%y = inlay.softmax %e {axis = 1 : i64} : "
                     "(tensor<2x4x8xf32>) -> tensor<2x4x8xf32>"),
            "reduce, anchor = 1, space = [2, 4, 8], reduced = [1], reads = "
            "[prologue]");
}

TEST(Kernels, OfWhatNobodyKnowsAreOpaque) {
  EXPECT_EQ(describe("%a: tensor<4xf32>, %b: tensor<2xi64>", "tensor<2xf32>",
                     "%g0 = inlay.gather %a, %b : (tensor<4xf32>, "
                     "tensor<2xi64>) -> tensor<2xf32>\n"
                     "%y = inlay.relu %g0 : (tensor<2xf32>) -> tensor<2xf32>"),
            "opaque, space = [2], reads = [other, other]");
}

TEST(Kernels, OfUnknownRankHaveNoSpace) {
  EXPECT_EQ(describe("%a: tensor<*xf32>", "tensor<*xf32>",
                     "%y = inlay.relu %a : (tensor<*xf32>) -> tensor<*xf32>"),
            "elementwise, reads = [other]");
}

//===----------------------------------------------------------------------===//
// Composite operators
//===----------------------------------------------------------------------===//

/// The type aliases of tests cannot stand in a function.
static std::string spell(llvm::StringRef text) {
  std::string spelled = text.str();
  for (auto [alias, type] :
       {std::pair("!x", "tensor<2x4x6x6xf32>"),
        std::pair("!c", "tensor<4xf32>"), std::pair("!r", "tensor<6xf32>"),
        std::pair("!m", "tensor<2x4x6x1xf32>"),
        std::pair("!i", "tensor<2x6x6xi64>"),
        std::pair("!k", "tensor<2x6x3xf32>"), std::pair("!s", "tensor<f32>"),
        std::pair("!q", "tensor<2x4x6x6xui8>"), std::pair("!z", "tensor<ui8>")})
    for (size_t at = spelled.find(alias); at != std::string::npos;
         at = spelled.find(alias))
      spelled.replace(at, 2, type);
  return spelled;
}

/// An operator that gives %y, is opaque, and consists of others.
static FusionClass getExpandedClass(llvm::StringRef text,
                                    llvm::StringRef type) {
  ParsedOperation parsed(
      spell("%x: !x, %c: !c, %r: !r, %i: !i, %k: !k, %v: tensor<2xf32>"),
      spell((text + "\ninlay.opaque \"::Use\"(%y) : (" + type + ") -> ()")
                .str()));
  if (!parsed.get()) {
    ADD_FAILURE() << text.str();
    return FusionClass::View;
  }
  Operation *op = parsed.get()->getOperand(0).getDefiningOp();
  EXPECT_EQ(getFusionClass(op), FusionClass::Opaque) << text.str();
  FusionClass said = getNestClass(op);
  Expansion expansion(op);
  if (failed(expand(expansion))) {
    ADD_FAILURE() << text.str();
    return FusionClass::View;
  }
  EXPECT_EQ(getName(getKernelClass(expansion.getOperations())).str(),
            getName(said).str())
      << text.str();
  return said;
}

TEST(Kernels, KnowWhatCompositeOperatorsConsistOf) {
  for (llvm::StringRef text :
       {"%y = inlay.softmax %x : (!x) -> !x",
        "%y = inlay.log_softmax %x : (!x) -> !x",
        "%y = inlay.hardmax %x : (!x) -> !x",
        "%y, %m, %d = inlay.layer_normalization %x, %r : (!x, !r) -> (!x, !m, "
        "!m)",
        "%y = inlay.rms_normalization %x, %r : (!x, !r) -> !x",
        "%y = inlay.lp_normalization %x : (!x) -> !x",
        "%y = inlay.mean_variance_normalization %x : (!x) -> !x",
        "%y = inlay.instance_normalization %x, %c, %c : (!x, !c, !c) -> !x",
        "%y = inlay.group_normalization %x, %c, %c {num_groups = 2 : i64} : "
        "(!x, !c, !c) -> !x"})
    EXPECT_EQ(getName(getExpandedClass(text, "!x")).str(), "reduce")
        << text.str();
  EXPECT_EQ(getName(getExpandedClass("%y, %s, %z = "
                                     "inlay.dynamic_quantize_linear %x : (!x) "
                                     "-> (!q, !s, !z)",
                                     "!q"))
                .str(),
            "reduce");
}

TEST(Kernels, KnowWhatOtherCompositeOperatorsConsistOf) {
  EXPECT_EQ(
      getName(getExpandedClass(
                  "%y = inlay.lrn %x {size = 3 : i64} : (!x) -> !x", "!x"))
          .str(),
      "window");
  EXPECT_EQ(getName(getExpandedClass(
                        "%y = inlay.rotary_embedding %x, %k, %k : (!x, !k, !k) "
                        "-> !x",
                        "!x"))
                .str(),
            "elementwise");
  EXPECT_EQ(getName(getExpandedClass(
                        "%d = inlay.constant dense<5> : tensor<i64>\n"
                        "%y = inlay.one_hot %i, %d, %v : (!i, tensor<i64>, "
                        "tensor<2xf32>) -> tensor<2x6x6x5xf32>",
                        "tensor<2x6x6x5xf32>"))
                .str(),
            "elementwise");
}

// What consists of operators that are in no kernel together stays opaque.
TEST(Kernels, DoNotTakeOtherCompositeOperatorsApart) {
  EXPECT_EQ(
      getName(getExpandedClass("%y = inlay.negative_log_likelihood_loss %x, %i "
                               "{reduction = \"none\"} : (!x, !i) -> "
                               "tensor<2x6x6xf32>",
                               "tensor<2x6x6xf32>"))
          .str(),
      "opaque");
}
