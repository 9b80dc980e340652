//===- AxisMapTest.cpp ----------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/AxisMap.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace inlay;
using Extents = llvm::SmallVector<int64_t, 6>;

static std::string print(const AxisMap &map) {
  std::string text;
  llvm::raw_string_ostream os(text);
  map.print(os);
  return text;
}

//===----------------------------------------------------------------------===//
// AxisMap
//===----------------------------------------------------------------------===//

/// matmul: [m, k], [k, n] -> [m, n]
static AxisMap getMatmul() {
  AxisMap map;
  unsigned m = map.addAxis(AxisKind::Parallel, 2);
  unsigned n = map.addAxis(AxisKind::Parallel);
  unsigned k = map.addAxis(AxisKind::Contracted, 8);
  map.addOperand(TensorAxes{{m}, {k}});
  map.addOperand(TensorAxes{{k}, {n}});
  map.addResult(TensorAxes{{m}, {n}});
  return map;
}

TEST(AxisMap, PrintsAxesThenTensors) {
  EXPECT_EQ(print(getMatmul()), "parallel d0=2, parallel d1, contracted d2=8 : "
                                "[d0, d2], [d2, d1] -> [d0, d1]");
}

TEST(AxisMap, PrintsEveryKind) {
  AxisMap map;
  for (AxisKind kind :
       {AxisKind::Window, AxisKind::Reduced, AxisKind::Concatenated,
        AxisKind::Indexed, AxisKind::Created})
    map.addAxis(kind);
  EXPECT_EQ(print(map), "window d0, reduced d1, concatenated d2, indexed d3, "
                        "created d4 :  -> ");
}

TEST(AxisMap, PrintsMergesUnitsAndTensorsWithoutAxes) {
  AxisMap map;
  unsigned a = map.addAxis(AxisKind::Parallel);
  unsigned b = map.addAxis(AxisKind::Parallel);
  map.addOperand(TensorAxes{{a, b}, {}});
  map.addOperand(std::nullopt);
  map.addResult(TensorAxes{});
  EXPECT_EQ(print(map), "parallel d0, parallel d1 : [(d0 d1), ()], _ -> []");
}

TEST(AxisMap, AnOpaqueMapSaysSo) {
  EXPECT_TRUE(AxisMap::opaque().isOpaque());
  EXPECT_EQ(print(AxisMap::opaque()), "opaque");
  EXPECT_FALSE(AxisMap().isOpaque());
}

TEST(AxisMap, IsValidWhenEachTensorUsesAnAxisOnce) {
  EXPECT_TRUE(getMatmul().isValid());
  EXPECT_TRUE(AxisMap().isValid());
  EXPECT_TRUE(AxisMap::opaque().isValid());
}

TEST(AxisMap, IsInvalidWhenATensorUsesAnAxisTwice) {
  AxisMap diagonal = getMatmul();
  diagonal.addOperand(TensorAxes{{0}, {0}});
  EXPECT_FALSE(diagonal.isValid());
  AxisMap merged = getMatmul();
  merged.addResult(TensorAxes{{1, 1}});
  EXPECT_FALSE(merged.isValid());
}

TEST(AxisMap, IsInvalidWhenAnAxisDoesNotExist) {
  AxisMap map = getMatmul();
  map.addResult(TensorAxes{{3}});
  EXPECT_FALSE(map.isValid());
}

//===----------------------------------------------------------------------===//
// factorShapes
//===----------------------------------------------------------------------===//

TEST(FactorShapes, SplitsAndMergesShareFactors) {
  auto common = factorShapes({2, 12}, {6, 4});
  ASSERT_TRUE(common);
  EXPECT_EQ(common->factors, Extents({2, 3, 4}));
  EXPECT_EQ(common->from, TensorAxes({{0}, {1, 2}}));
  EXPECT_EQ(common->to, TensorAxes({{0, 1}, {2}}));
}

TEST(FactorShapes, UnitDimensionsHaveNoFactor) {
  auto common = factorShapes({4, 1, 4}, {1, 4, 4, 1});
  ASSERT_TRUE(common);
  EXPECT_EQ(common->factors, Extents({4, 4}));
  EXPECT_EQ(common->from, TensorAxes({{0}, {}, {1}}));
  EXPECT_EQ(common->to, TensorAxes({{}, {0}, {1}, {}}));
}

TEST(FactorShapes, ScalarsAndUnitsHaveNoFactors) {
  auto common = factorShapes({}, {1, 1});
  ASSERT_TRUE(common);
  EXPECT_TRUE(common->factors.empty());
  EXPECT_EQ(common->to, TensorAxes({{}, {}}));
}

TEST(FactorShapes, EqualExtentsAreMatchedInOrder) {
  auto common = factorShapes({1, 20, 20, 20}, {1, 20, 400});
  ASSERT_TRUE(common);
  EXPECT_EQ(common->to, TensorAxes({{}, {0}, {1, 2}}));
}

TEST(FactorShapes, EqualExtentsDoNotHideASplitOfTheLast) {
  auto common = factorShapes({1, 20, 20, 20}, {1, 800, 10});
  ASSERT_TRUE(common);
  EXPECT_EQ(common->factors, Extents({20, 20, 2, 10}));
  EXPECT_EQ(common->from, TensorAxes({{}, {0}, {1}, {2, 3}}));
  EXPECT_EQ(common->to, TensorAxes({{}, {0, 1, 2}, {3}}));
}

TEST(FactorShapes, StraddlingDimensionsHaveNone) {
  EXPECT_FALSE(factorShapes({2, 3}, {3, 2}));
  EXPECT_FALSE(factorShapes({4, 6}, {6, 4}));
}

TEST(FactorShapes, UnequalSizesHaveNone) {
  EXPECT_FALSE(factorShapes({2, 3}, {2}));
  EXPECT_FALSE(factorShapes({2}, {2, 3}));
  EXPECT_FALSE(factorShapes({}, {2}));
}

TEST(FactorShapes, AnUnknownExtentIsMatchedWhole) {
  int64_t unknown = dynamicExtent;
  auto common = factorShapes({unknown, 6}, {unknown, 2, 3});
  ASSERT_TRUE(common);
  EXPECT_EQ(common->factors, Extents({unknown, 2, 3}));
  EXPECT_EQ(common->from, TensorAxes({{0}, {1, 2}}));
}

TEST(FactorShapes, UnknownExtentsThatMayMeanAnythingHaveNone) {
  int64_t unknown = dynamicExtent;
  EXPECT_FALSE(factorShapes({unknown, unknown}, {unknown, unknown}));
  EXPECT_FALSE(factorShapes({unknown}, {2, 3}));
  EXPECT_FALSE(factorShapes({2, unknown}, {unknown, 2}));
}

TEST(FactorShapes, EmptyTensorsAreMatchedDimensionByDimension) {
  auto common = factorShapes({2, 0}, {2, 0});
  ASSERT_TRUE(common);
  EXPECT_EQ(common->factors, Extents({2, 0}));
  EXPECT_FALSE(factorShapes({0, 2}, {2, 0}));
}

/// Row-major strides of the factors and of the dimensions agree, which is what
/// makes a reshape the identity on factors.
TEST(FactorShapes, FactorsOfRandomMergesMultiplyToTheDimensions) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int trial = 0; trial != 1000; ++trial) {
    Extents fine(pick(0, 6));
    for (int64_t &extent : fine)
      extent = pick(1, 4);
    auto merge = [&] {
      Extents shape;
      for (int64_t extent : fine)
        if (!shape.empty() && pick(0, 1))
          shape.back() *= extent;
        else
          shape.push_back(extent);
      return shape;
    };
    Extents from = merge(), to = merge();
    auto common = factorShapes(from, to);
    if (!common)
      continue;
    auto check = [&](const TensorAxes &dims, const Extents &shape) {
      unsigned next = 0;
      ASSERT_EQ(dims.size(), shape.size());
      for (size_t dim = 0; dim != dims.size(); ++dim) {
        int64_t product = 1;
        for (unsigned axis : dims[dim]) {
          EXPECT_EQ(axis, next++);
          product *= common->factors[axis];
        }
        EXPECT_EQ(product, shape[dim]);
      }
      EXPECT_EQ(next, common->factors.size());
    };
    check(common->from, from);
    check(common->to, to);
  }
}
