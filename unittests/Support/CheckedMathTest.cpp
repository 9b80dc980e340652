//===- CheckedMathTest.cpp ------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/CheckedMath.h"
#include "gtest/gtest.h"
#include <cstdint>

using namespace inlay;

TEST(CheckedMath, GivesResultsThatFit) {
  EXPECT_EQ(checkedAdd<int64_t>(INT64_MAX - 1, 1), INT64_MAX);
  EXPECT_EQ(checkedMul<int64_t>(-3, 4), -12);
}

TEST(CheckedMath, ReportsOverflow) {
  EXPECT_FALSE(checkedAdd<int64_t>(INT64_MAX, 1));
  EXPECT_FALSE(checkedMul<uint64_t>(uint64_t(1) << 32, uint64_t(1) << 32));
}

TEST(CheckedMath, RangeWithinDoesNotOverflow) {
  EXPECT_TRUE(isRangeWithin<uint64_t>(4, 6, 10));
  EXPECT_TRUE(isRangeWithin<uint64_t>(10, 0, 10));
  EXPECT_FALSE(isRangeWithin<uint64_t>(4, 7, 10));
  EXPECT_FALSE(isRangeWithin<uint64_t>(UINT64_MAX, 2, 10));
}
