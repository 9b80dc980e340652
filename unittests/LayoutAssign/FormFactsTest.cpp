//===- FormFactsTest.cpp - Tests of what costs ask of forms ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormFacts.h"
#include "ParsedOperation.h"
#include "inlay/IR/OpTypes.h"
#include <gtest/gtest.h>

using namespace inlay;

/// The facts of an operation whose operands and results are stored in `orders`,
/// permutations of their dimensions; "" is row-major.
static FormFacts findFacts(llvm::StringRef arguments, llvm::StringRef operation,
                           llvm::ArrayRef<llvm::StringRef> orders) {
  inlay::testing::ParsedOperation parsed(arguments, operation);
  mlir::Operation *op = parsed.get();
  EXPECT_TRUE(op);
  std::vector<AtomSequence> atoms;
  for (llvm::StringRef order : orders) {
    atoms.emplace_back();
    for (char dim : order)
      atoms.back().push_back({unsigned(dim - '0')});
  }
  std::vector<llvm::ArrayRef<Atom>> refs(atoms.begin(), atoms.end());
  return findFormFacts(op, getOnnxOpType(op), refs, /*assumedExtent=*/7);
}

static std::optional<uint64_t> findInner(llvm::StringRef shape,
                                         llvm::StringRef order) {
  std::string type = ("tensor<" + shape + "xf32>").str();
  return findFacts("%x: " + type,
                   "inlay.softmax %x {axis = 1 : i64} : (" + type + ") -> " +
                       type,
                   {order, order})
      .inner;
}

TEST(FormFactsTest, CountsWhatLiesInsideOfTheReducedAxis) {
  EXPECT_EQ(findInner("2x3x5x4", ""), 20u);
  EXPECT_EQ(findInner("2x3x5x4", "0231"), 1u);
  EXPECT_EQ(findInner("2x3x5x4", "1023"), 40u);
  EXPECT_EQ(findInner("2x3x1x1", ""), 1u);
  EXPECT_EQ(findInner("2x1x5x4", ""), 1u);
  EXPECT_EQ(findInner("2x3x?x4", ""), 28u);
}

TEST(FormFactsTest, NamesTheClass) {
  auto getClass = [](llvm::StringRef text) {
    return findFacts("%x: tensor<2x3x4x4xf32>", text, {"", "", ""}).opClass;
  };
  llvm::StringRef types = " : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>";
  EXPECT_EQ(getClass(("inlay.softmax %x {axis = 1 : i64}" + types).str()),
            OpClass::Normalization);
  EXPECT_EQ(getClass(("inlay.relu %x" + types).str()), OpClass::Elementwise);
  EXPECT_EQ(
      getClass(
          ("inlay.transpose %x {perm = array<i64: 0, 1, 3, 2>}" + types).str()),
      std::nullopt);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// "none", "A", "B" or "both".
static std::string findTransposed(llvm::StringRef flags,
                                  llvm::ArrayRef<llvm::StringRef> orders) {
  FormFacts facts =
      findFacts("%a: tensor<4x4xf32>, %b: tensor<4x4xf32>",
                ("inlay.gemm %a, %b " + flags +
                 " : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>")
                    .str(),
                orders);
  if (!facts.transposed)
    return "unknown";
  if (facts.transposed->first)
    return facts.transposed->second ? "both" : "A";
  return facts.transposed->second ? "B" : "none";
}

TEST(FormFactsTest, AProductIsTransposedAsItLies) {
  EXPECT_EQ(findTransposed("", {"", "", ""}), "none");
  EXPECT_EQ(findTransposed("{transA = 1 : i64}", {"", "", ""}), "A");
  EXPECT_EQ(findTransposed("{transB = 1 : i64}", {"", "", ""}), "B");
  EXPECT_EQ(findTransposed("", {"10", "", ""}), "A");
  EXPECT_EQ(findTransposed("", {"10", "10", ""}), "both");
  EXPECT_EQ(findTransposed("{transB = 1 : i64}", {"", "10", ""}), "none");
}

/// The product of the exchanged operands is the transposed result.
TEST(FormFactsTest, ExchangedOperandsAreNotTransposed) {
  EXPECT_EQ(findTransposed("", {"10", "10", "10"}), "none");
  EXPECT_EQ(findTransposed("", {"", "10", "10"}), "B");
  EXPECT_EQ(findTransposed("", {"10", "", "10"}), "A");
}

TEST(FormFactsTest, AVectorIsNotTransposed) {
  FormFacts facts =
      findFacts("%a: tensor<4x5xf32>, %b: tensor<5xf32>",
                "inlay.matmul %a, %b : (tensor<4x5xf32>, tensor<5xf32>)"
                " -> tensor<4xf32>",
                {"", "", ""});
  ASSERT_TRUE(facts.transposed);
  EXPECT_FALSE(facts.transposed->first);
}

//===----------------------------------------------------------------------===//
// Repeated operands
//===----------------------------------------------------------------------===//

static std::optional<bool> findRepeats(llvm::StringRef side,
                                       llvm::ArrayRef<llvm::StringRef> orders) {
  std::string type = ("tensor<" + side + "xf32>").str();
  return findFacts("%x: tensor<1x8x4x4xf32>, %y: " + type,
                   "inlay.add %x, %y : (tensor<1x8x4x4xf32>, " + type +
                       ") -> tensor<1x8x4x4xf32>",
                   orders)
      .repeatsInnermost;
}

TEST(FormFactsTest, AnOperandIsRepeatedAlongTheAxesThatItLacks) {
  EXPECT_EQ(findRepeats("1x8x4x4", {"", "", ""}), std::nullopt);
  EXPECT_EQ(findRepeats("8x1x1", {"", "", ""}), true);
  EXPECT_EQ(findRepeats("8x1x1", {"0231", "120", "0231"}), false);
  EXPECT_EQ(findRepeats("4", {"", "", ""}), false);
  EXPECT_EQ(findRepeats("1", {"", "", ""}), true);
}
