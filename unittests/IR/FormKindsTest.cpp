//===- FormKindsTest.cpp - Tests of what forms differ in ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/FormKinds.h"
#include "inlay/IR/OpTypes.h"
#include <gtest/gtest.h>

using namespace inlay;

/// "combines, multiplies", "nothing".
static std::string describe(llvm::StringRef op) {
  FormKinds kinds = getFormKinds(op);
  std::string words;
  auto add = [&](bool is, const char *word) {
    if (is)
      words += (words.empty() ? "" : ", ") + std::string(word);
  };
  add(kinds.combines, "combines");
  add(kinds.multiplies, "multiplies");
  add(kinds.repeats, "repeats");
  return words.empty() ? "nothing" : words;
}

TEST(FormKindsTest, FollowTheFamilyOfTheOperator) {
  for (const char *op : {"Softmax", "ReduceMean", "LayerNormalization",
                         "MaxPool", "Conv", "CumSum", "ArgMax"})
    EXPECT_EQ(describe(op), "combines") << op;
  for (const char *op : {"MatMul", "Gemm", "QLinearMatMul", "Einsum"})
    EXPECT_EQ(describe(op), "combines, multiplies") << op;
  for (const char *op :
       {"Add", "Where", "PRelu", "BatchNormalization", "QuantizeLinear"})
    EXPECT_EQ(describe(op), "repeats") << op;
  for (const char *op :
       {"Relu", "Cast", "Transpose", "Reshape", "Gather", "TopK"})
    EXPECT_EQ(describe(op), "nothing") << op;
}

TEST(FormKindsTest, AnOperatorFromOutsideMayBeAnything) {
  EXPECT_EQ(describe("com.acme::Swirl"), "combines, multiplies, repeats");
}
