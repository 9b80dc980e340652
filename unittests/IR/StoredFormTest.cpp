//===- StoredFormTest.cpp - Every operator in every storage order ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredFormCases.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <set>

using namespace inlay;
using namespace inlay::testing;

/// Every form of every case computes what the operator does, and there are
/// some besides row-major ones.
static void expectForms(const std::vector<FormCase> &cases) {
  for (const FormCase &formCase : cases) {
    FormCounts counts = checkForms(formCase);
    EXPECT_GT(counts.built, 0u) << formCase.op << " " << formCase.text
                                << " has no form that is not row-major";
    if (::testing::Test::HasFailure())
      return;
  }
}

TEST(StoredFormTest, ElementwiseOperatorsComputeTheSame) {
  expectForms(getElementwiseCases());
}

TEST(StoredFormTest, OperatorsWithScalesComputeTheSame) {
  expectForms(getQuantizeCases());
}

TEST(StoredFormTest, ViewsComputeTheSame) { expectForms(getViewCases()); }

TEST(StoredFormTest, OperatorsThatMoveElementsComputeTheSame) {
  expectForms(getMovementCases());
}

TEST(StoredFormTest, OperatorsThatSelectComputeTheSame) {
  expectForms(getIndexingCases());
}

TEST(StoredFormTest, ReductionsComputeTheSame) {
  expectForms(getReduceCases());
}

TEST(StoredFormTest, NormalizationsComputeTheSame) {
  expectForms(getNormalizationCases());
}

TEST(StoredFormTest, ContractionsComputeTheSame) {
  expectForms(getContractionCases());
}

TEST(StoredFormTest, OperatorsWithWindowsComputeTheSame) {
  expectForms(getWindowCases());
}

TEST(StoredFormTest, ContributedOperatorsComputeTheSame) {
  expectForms(getContributedCases());
}

TEST(StoredFormTest, ParametersThatAreComputedFollowTheOrder) {
  expectForms(getComputedCases());
}

TEST(StoredFormTest, OperatorsWhoseParametersSayTooLittleKeepTheOrder) {
  for (const FormCase &formCase : getRefusedCases()) {
    FormCounts counts = checkForms(formCase);
    EXPECT_EQ(counts.built, 0u)
        << formCase.op << " " << formCase.text << " is built permuted";
  }
}

TEST(StoredFormTest, ViewsAndProductsTakeDimensionsInParts) {
  auto countFactored = [](const std::vector<FormCase> &cases,
                          llvm::StringRef op) {
    unsigned factored = 0;
    for (const FormCase &formCase : cases)
      if (formCase.op == op && factored == 0)
        factored += checkForms(formCase).factored;
    return factored;
  };
  EXPECT_GT(countFactored(getViewCases(), "flatten"), 0u);
  EXPECT_GT(countFactored(getViewCases(), "reshape"), 0u);
  EXPECT_GT(countFactored(getContractionCases(), "gemm"), 0u);
  EXPECT_GT(countFactored(getContractionCases(), "matmul"), 0u);
  EXPECT_GT(countFactored(getWindowCases(), "conv"), 0u);
  EXPECT_GT(countFactored(getWindowCases(), "max_pool"), 0u);
  EXPECT_GT(countFactored(getWindowCases(), "batch_normalization"), 0u);
  EXPECT_EQ(countFactored(getContractionCases(), "einsum"), 0u);
}

TEST(StoredFormTest, EveryOperatorWithFormsIsTested) {
  std::set<std::string> tested;
  for (const auto &cases :
       {getElementwiseCases(), getQuantizeCases(), getViewCases(),
        getMovementCases(), getIndexingCases(), getReduceCases(),
        getNormalizationCases(), getContractionCases(), getWindowCases(),
        getContributedCases()})
    for (const FormCase &formCase : cases)
      tested.insert("inlay." + formCase.op);
  mlir::MLIRContext context;
  context.loadDialect<InlayDialect>();
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<StorageOpInterface>())
      EXPECT_TRUE(tested.count(name.getStringRef().str()))
          << name.getStringRef().str();
}

TEST(StoredFormTest, OperatorsWithFixedPositionsHaveNoForms) {
  mlir::MLIRContext context;
  context.loadDialect<InlayDialect>();
  for (llvm::StringRef name :
       {"inlay.non_zero", "inlay.gather_nd", "inlay.eye_like",
        "inlay.depth_to_space", "inlay.group_normalization"}) {
    auto registered = mlir::RegisteredOperationName::lookup(name, &context);
    ASSERT_TRUE(registered) << name.str();
    EXPECT_FALSE(registered->hasInterface<StorageOpInterface>()) << name.str();
  }
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

TEST(StoredFormTest, OneUnknownExtentIsComputed) {
  int64_t n = mlir::ShapedType::kDynamic;
  EXPECT_TRUE(canView({n, 4}, {n, 2, 2}));
  EXPECT_TRUE(canView({n, 4}, {2, 2, n}));
  EXPECT_TRUE(canView({n, n, 4}, {n, n, 2, 2}));
  EXPECT_TRUE(canView({n, 1, n, n}, {n, n, n, 1}));
  EXPECT_TRUE(canView({3, n, n}, {3, n}));
}

TEST(StoredFormTest, TwoUnknownExtentsThatChangeAreNotComputed) {
  int64_t n = mlir::ShapedType::kDynamic;
  EXPECT_FALSE(canView({4, n, n}, {n, n}));
  EXPECT_FALSE(canView({2, n, 3, n}, {n, 6, n}));
  // The first may be copied or not.
  EXPECT_FALSE(canView({n, 4, n}, {n, n}));
}
