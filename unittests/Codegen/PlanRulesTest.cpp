//===- PlanRulesTest.cpp - Plans that keep no rule are found --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanRules.h"
#include <gtest/gtest.h>

using namespace inlay::testing;

static constexpr RuleMachine neon = {4, 32, true}, avx2 = {8, 16, false},
                             avx512 = {16, 32, false, true};

/// What is wrong with a plan of a product of matrices, or why it deviates.
static std::string judgeMatrices(int64_t rows, int64_t columns, int64_t terms,
                                 const std::string &plan,
                                 const RuleMachine &machine) {
  ModelProduct product;
  product.a = {rows, terms};
  product.b = {terms, columns};
  auto facts = PlanFacts::read("contraction", plan);
  if (!facts)
    return "no plan";
  Verdict verdict = judge(product, *facts, machine);
  std::string text = verdict.error;
  for (Deviation own : verdict.deviations)
    text += getName(own);
  return text;
}

TEST(PlanRules, PacksRowsOfManyColumns) {
  auto judgeOn = [](int64_t columns, int64_t terms, const char *tail) {
    std::string shape =
        "128x" + std::to_string(columns) + "x" + std::to_string(terms) + ": ";
    return judgeMatrices(128, columns, terms, shape + tail, neon);
  };
  EXPECT_EQ(judgeOn(96, 48, "12x8, rows packed"), "");
  EXPECT_EQ(judgeOn(96, 48, "5x16, rows in place"), "rows are not packed");
  EXPECT_EQ(judgeOn(95, 48, "12x8, rows packed"), "rows are packed");
  EXPECT_EQ(judgeOn(96, 47, "12x8, rows copied and packed"), "rows are packed");
  EXPECT_EQ(judgeOn(80, 48, "5x16, rows in place"), "");
  EXPECT_EQ(judgeOn(96, 4608, "8x8, rows copied and packed"), "long sums");
  EXPECT_EQ(judgeOn(96, 4608, "5x16, rows copied"), "rows are not packed");
  EXPECT_EQ(judgeOn(96, 5001, "5x16, rows copied"), "long sums");
}

TEST(PlanRules, CutsLongSums) {
  auto judgeOn = [](int64_t terms, const char *tail,
                    const RuleMachine &machine) {
    std::string shape = "27x48x" + std::to_string(terms) + ": ";
    return judgeMatrices(27, 48, terms, shape + tail, machine);
  };
  EXPECT_EQ(judgeOn(1025, "9x48, rows in place, sums in 2 parts", avx512), "");
  EXPECT_EQ(judgeOn(1024, "9x48, rows in place", avx512), "");
  EXPECT_EQ(judgeOn(1025, "9x48, rows in place", avx512),
            "expected sums in 2 parts");
  EXPECT_EQ(judgeOn(1024, "9x48, rows in place, sums in 2 parts", avx512),
            "expected sums in 1 parts");
  EXPECT_EQ(judgeOn(4096, "14x32, rows copied", avx512), "");
  EXPECT_EQ(
      judgeMatrices(1, 48, 4096, "1x48x4096: 1x48, rows in place", avx512), "");
  EXPECT_EQ(judgeOn(4096, "6x16, rows in place, sums in 4 parts", avx2),
            "expected sums in 1 parts");
}

TEST(PlanRules, BlocksAreOfOneSize) {
  EXPECT_EQ(judgeMatrices(49, 768, 64, "49x768x64: 10x8, rows packed", neon),
            "");
  EXPECT_EQ(judgeMatrices(49, 768, 64, "49x768x64: 12x8, rows packed", neon),
            "expected blocks of 10x8");
  EXPECT_EQ(judgeMatrices(196, 768, 64,
                          "196x768x64: 7x8, lines of 14, rows packed", neon),
            "lines");
  EXPECT_EQ(judgeMatrices(64, 64, 64, "64x64x64: 6x16, rows in place", avx2),
            "");
  EXPECT_EQ(judgeMatrices(64, 64, 64, "64x64x64: 4x16, rows in place", avx2),
            "expected blocks of 6x16");
  EXPECT_EQ(judgeMatrices(64, 96, 64, "64x96x64: 8x48, rows in place", avx512),
            "");
  EXPECT_EQ(judgeMatrices(64, 96, 64, "64x96x60: 8x48, rows in place", avx512),
            "that is another number of products");
  // Copied rows are loaded faster than columns.
  EXPECT_EQ(judgeMatrices(64, 96, 64, "64x96x64: 13x32, rows copied", avx512),
            "");
  // Nothing is left over: as many columns as tiles of four vectors have, and
  // 49 rows in seven blocks instead of six.
  EXPECT_EQ(judgeMatrices(64, 64, 64, "64x64x64: 6x64, rows in place", avx512),
            "width");
  EXPECT_EQ(judgeMatrices(49, 96, 64, "49x96x64: 7x48, rows in place", avx512),
            "width");
  EXPECT_EQ(judgeMatrices(49, 96, 64, "49x96x64: 9x48, rows in place", avx512),
            "");
}

// What a block takes: its sums, a row of columns, and what is loaded of rows.
TEST(PlanRules, CountsRegisters) {
  auto count = [](const char *plan, const RuleMachine &machine) {
    return countRegisters(*PlanFacts::read("contraction", plan), machine);
  };
  EXPECT_EQ(count("64x64x64: 5x16, rows in place", neon), 29);
  EXPECT_EQ(count("64x64x64: 10x8, rows in place", neon), 32);
  EXPECT_EQ(count("64x64x64: 12x8, rows packed", neon), 29);
  EXPECT_EQ(count("64x64x64: 12x8, rows in place", neon), 38);
  EXPECT_EQ(count("64x64x64: 6x16, rows in place", avx2), 16);
  EXPECT_EQ(count("64x64x64: 14x8, rows in place", avx2), 17);
  EXPECT_EQ(count("64x64x64: 14x32, rows in place", avx512), 32);
}

static std::string judgeConv(int64_t extent, int64_t group,
                             const char *templateName, const char *plan) {
  ModelProduct product;
  product.isConv = true;
  product.a = {1, 64, extent, extent};
  product.b = {64, 64 / group, 3, 3};
  product.pads = {1, 1, 1, 1};
  product.strides = product.dilations = {1, 1};
  product.group = group;
  Verdict verdict = judge(product, *PlanFacts::read(templateName, plan), neon);
  std::string text = verdict.error;
  for (Deviation own : verdict.deviations)
    text += getName(own);
  return text;
}

TEST(PlanRules, ChoosesTiles) {
  const char *plan = "49 tiles, 25 at once: 5x16, data kept";
  EXPECT_EQ(judgeConv(28, 1, "winograd 4x4", plan), "");
  EXPECT_EQ(judgeConv(28, 1, "winograd 2x2", plan), "other tiles");
  EXPECT_EQ(judgeConv(5, 1, "winograd 2x2", plan), "");
  EXPECT_EQ(
      judgeConv(28, 1, "winograd 4x4", "49 tiles, 25 at once: 4x16, data kept"),
      "expected blocks of 5x16");
  EXPECT_EQ(judgeConv(28, 1, "contraction", "784x64x576: 5x16, rows copied"),
            "taps");
  EXPECT_EQ(judgeConv(28, 64, "winograd 4x4", plan),
            "tiles do not compute that");
}

TEST(PlanRules, WindowsHaveNeighbours) {
  EXPECT_EQ(judgeConv(28, 64, "windows", "3x3 taps: 4x16"), "");
  EXPECT_EQ(judgeConv(28, 64, "windows", "3x3 taps: 1x16"),
            "expected 4 neighbours");
  EXPECT_EQ(judgeConv(28, 64, "windows", "3x3 taps: 4x8"),
            "expected 16 channels");
  EXPECT_EQ(judgeConv(5, 64, "windows", "3x3 taps: 1x16"), "narrow pictures");
  // 64 channels of 9 taps have little more than 2 KB of weights.
  EXPECT_EQ(
      judgeConv(28, 64, "windows", "3x3 taps: 4x16, 32 channels at a time"),
      "expected channels whose weights stay near");
  EXPECT_FALSE(PlanFacts::read("windows", "64x64x64: 5x16, rows in place"));
  EXPECT_FALSE(PlanFacts::read("elements", ""));
}
