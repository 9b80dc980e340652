//===- AxisOrderTest.cpp --------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/AxisOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace inlay;
using llvm::ArrayRef;
using llvm::SmallVector;

static AtomSequence orderOf(llvm::StringRef text) {
  Layout layout = llvm::cantFail(Layout::parse(text));
  return AtomSequence(layout.getOrder());
}

static std::string print(ArrayRef<Atom> order) {
  return llvm::cantFail(
             Layout::getUnnamed(LayoutClass::Tensor, AtomSequence(order)))
      .str();
}

/// One axis per dimension of `extents`.
static AxisMap mapOf(ArrayRef<int64_t> extents) {
  AxisMap map;
  for (int64_t extent : extents)
    map.addAxis(AxisKind::Parallel, extent);
  return map;
}

TEST(AxisOrder, FollowsATransposeSoThatBothAreStoredAlike) {
  AxisMap map = mapOf({2, 3, 5});
  TensorAxes from = {{0}, {1}, {2}}, to = {{2}, {0}, {1}};
  auto lifted = liftOrder(map, from, {});
  ASSERT_TRUE(lifted);
  auto projected = projectOrder(map, *lifted, to);
  ASSERT_TRUE(projected);
  EXPECT_EQ(print(*projected), "Tensor as (1,2,0)");
}

TEST(AxisOrder, FlattenAfterNhwcIsAReorderedMerge) {
  AxisMap map = mapOf({1, 64, 7, 7});
  TensorAxes from = {{0}, {1}, {2}, {3}}, to = {{0}, {1, 2, 3}};
  auto lifted = liftOrder(map, from, orderOf("NCHW as NHWC"));
  ASSERT_TRUE(lifted);
  auto projected = projectOrder(map, *lifted, to);
  ASSERT_TRUE(projected);
  EXPECT_EQ(print(*projected), "Tensor as (0,1:0,1:1) split 1=64*49");
}

TEST(AxisOrder, AReorderedMergeLiftsToTheAxesItConsistsOf) {
  AxisMap map = mapOf({1, 64, 7, 7});
  TensorAxes merged = {{0}, {1, 2, 3}}, apart = {{0}, {1}, {2}, {3}};
  auto lifted =
      liftOrder(map, merged, orderOf("Tensor as (0,1:0,1:1) split 1=64*49"));
  ASSERT_TRUE(lifted);
  auto projected = projectOrder(map, *lifted, apart);
  ASSERT_TRUE(projected);
  EXPECT_EQ(print(*projected), "Tensor as (0,2,3,1)");
}

TEST(AxisOrder, FactorsThatStraddleAxesCannotBeLifted) {
  AxisMap map = mapOf({4, 6});
  TensorAxes merged = {{0, 1}};
  EXPECT_FALSE(
      liftOrder(map, merged, orderOf("Tensor as (0:0,0:1) split 0=3*8")));
  EXPECT_TRUE(
      liftOrder(map, merged, orderOf("Tensor as (0:0,0:1) split 0=8*3")));
}

TEST(AxisOrder, AMergeOfUnknownExtentsHasNoOrderButItsOwn) {
  AxisMap map = mapOf({dynamicExtent, dynamicExtent});
  TensorAxes from = {{0}, {1}}, to = {{0, 1}};
  auto lifted = liftOrder(map, from, orderOf("Tensor as (1,0)"));
  ASSERT_TRUE(lifted);
  EXPECT_FALSE(projectOrder(map, *lifted, to));
  lifted = liftOrder(map, from, {});
  ASSERT_TRUE(lifted);
  EXPECT_EQ(projectOrder(map, *lifted, to), AtomSequence());
}

TEST(AxisOrder, BlocksFollowAnAxisWithWhatIsKnownOfTheirPadding) {
  AxisMap map = mapOf({1, 20, 7, 7});
  TensorAxes image = {{0}, {1}, {2}, {3}};
  for (llvm::StringRef padding : {"", " pad zero"}) {
    auto lifted = liftOrder(
        map, image, orderOf(("NCHW as NC1HWC0 block 16" + padding).str()));
    ASSERT_TRUE(lifted);
    auto transposed = projectOrder(map, *lifted, {{0}, {2}, {3}, {1}});
    ASSERT_TRUE(transposed);
    EXPECT_EQ(print(*transposed),
              ("Tensor as (0,3:1,1,2,3:0) block 16" + padding).str());
    auto merged = projectOrder(map, *lifted, {{0}, {1}, {2, 3}});
    ASSERT_TRUE(merged);
    EXPECT_EQ(print(*merged),
              ("Tensor as (0,1:1,2,1:0) block 16" + padding).str());
    auto vector = projectOrder(map, *lifted, {{1}, {}, {}});
    ASSERT_TRUE(vector);
    EXPECT_EQ(print(*vector),
              ("Tensor as (0:1,0:0,1,2) block 16" + padding).str());
  }
}

TEST(AxisOrder, BlocksThatLieInOrderStayBlocks) {
  AxisMap map = mapOf({2, 20});
  auto lifted =
      liftOrder(map, {{0}, {1}}, orderOf("Tensor as (0,1:1,1:0) block 16"));
  ASSERT_TRUE(lifted);
  auto same = projectOrder(map, *lifted, {{0}, {1}});
  ASSERT_TRUE(same);
  EXPECT_EQ(print(*same), "Tensor as (0,1:1,1:0) block 16");
}

TEST(AxisOrder, ADimensionOfSeveralAxesIsNotBlocked) {
  AxisMap map = mapOf({4, 5, 7});
  auto lifted = liftOrder(map, {{0}, {1}, {2}},
                          orderOf("Tensor as (0,1:1,2,1:0) block 2"));
  ASSERT_TRUE(lifted);
  EXPECT_FALSE(projectOrder(map, *lifted, {{0}, {1, 2}}));
  EXPECT_FALSE(
      liftOrder(map, {{0}, {1, 2}}, orderOf("Tensor as (1:1,0,1:0) block 2")));
}

TEST(AxisOrder, PaddingDistinguishesOrdersWhereThereIsSome) {
  AtomSequence any = orderOf("NCHW as NC1HWC0 block 16");
  AtomSequence zero = orderOf("NCHW as NC1HWC0 block 16 pad zero");
  EXPECT_FALSE(areStoredAlike(any, zero, {1, 20, 7, 7}));
  EXPECT_TRUE(areStoredAlike(any, zero, {1, 32, 7, 7}));
  EXPECT_TRUE(areStoredAlike(any, orderOf("NCHW as NC1HWC0 split C=2*16"),
                             {1, 32, 7, 7}));
  // One block that is full is the dimension itself.
  EXPECT_TRUE(areStoredAlike(any, orderOf("NCHW as NHWC"), {1, 16, 7, 7}));
  EXPECT_FALSE(areStoredAlike(any, orderOf("NCHW as NHWC"), {1, 15, 7, 7}));
  EXPECT_TRUE(areOneMoveApart(any, {}, 4));
  EXPECT_TRUE(areOneMoveApart(any, zero, 4));
  EXPECT_FALSE(areOneMoveApart(any, orderOf("NCHW as NC1HWC0 block 32"), 4));
}

TEST(AxisOrder, MissingAxesGoBehindTheirPredecessor) {
  AxisMap map;
  for (int i = 0; i < 3; ++i)
    map.addAxis(AxisKind::Parallel, 4);
  map.addOperand(TensorAxes{{0}, {1}, {2}});
  map.addResult(TensorAxes{{0}, {2}});
  AxisOrder order = {{2}, {0}};
  AxisOrder expected = {{2}, {0}, {1}};
  EXPECT_EQ(completeOrder(map, order), expected);
  EXPECT_EQ(enumerateCompletions(map, order).size(), 3u);
  // Several stay together.
  AxisOrder between = {{2}, {1}, {0}};
  EXPECT_TRUE(llvm::is_contained(enumerateCompletions(map, order), between));
  EXPECT_EQ(enumerateCompletions(map, AxisOrder{{2}}).size(), 2u);
  EXPECT_TRUE(enumerateCompletions(map, between).empty());
}

TEST(AxisOrder, UnitDimensionsStandWhereTheReferenceHasThem) {
  AxisMap map = mapOf({2, 3, 5, 7});
  TensorAxes full = {{0}, {1}, {2}, {3}}, channels = {{1}, {}, {}};
  auto lifted = liftOrder(map, full, orderOf("NCHW as NHWC"));
  ASSERT_TRUE(lifted);
  auto projected = projectOrder(map, *lifted, channels, &full);
  ASSERT_TRUE(projected);
  EXPECT_EQ(print(*projected), "Tensor as (1,2,0)");
}

TEST(StorageKey, IgnoresDimensionsOfOneElement) {
  EXPECT_EQ(getStorageKey(orderOf("NCHW as NHWC"), {1, 8, 1, 1}),
            getStorageKey({}, {1, 8, 1, 1}));
  EXPECT_NE(getStorageKey(orderOf("NCHW as NHWC"), {1, 8, 2, 1}),
            getStorageKey({}, {1, 8, 2, 1}));
}

TEST(StorageKey, JoinsFactorsThatOnlyUnitDimensionsPart) {
  EXPECT_EQ(
      getStorageKey(orderOf("Tensor as (1:1,0,1:0) split 1=3*5"), {1, 15}),
      getStorageKey({}, {1, 15}));
  EXPECT_NE(
      getStorageKey(orderOf("Tensor as (1:0,0,1:1) split 1=3*5"), {1, 15}),
      getStorageKey({}, {1, 15}));
  EXPECT_EQ(
      getStorageKey(orderOf("Tensor as (0:0,0:2,0:1) split 0=2*3*5"), {30}),
      getStorageKey(orderOf("Tensor as (0:0,0:1) split 0=6*5"), {30}));
}

//===----------------------------------------------------------------------===//
// Against a brute-force index map
//===----------------------------------------------------------------------===//

namespace {
/// A tensor whose dimensions are merges of axes.
struct Tensor {
  TensorAxes dims;
  SmallVector<int64_t> shape;
};
} // namespace

/// Cuts `axes` into dimensions at random, with unit dimensions in between.
static Tensor mergeAtRandom(ArrayRef<unsigned> axes, ArrayRef<int64_t> extents,
                            std::mt19937 &random) {
  Tensor tensor;
  for (unsigned axis : axes) {
    if (tensor.dims.empty() || random() % 3 != 0) {
      if (random() % 6 == 0) {
        tensor.dims.emplace_back();
        tensor.shape.push_back(1);
      }
      tensor.dims.emplace_back();
      tensor.shape.push_back(1);
    }
    tensor.dims.back().push_back(axis);
    tensor.shape.back() *= extents[axis];
  }
  return tensor;
}

/// Where the element at `index` of the axes lies in memory.
static int64_t locate(const Tensor &tensor, ArrayRef<Atom> order,
                      ArrayRef<int64_t> extents, ArrayRef<int64_t> index) {
  SmallVector<int64_t> logical;
  for (const DimAxes &dim : tensor.dims) {
    int64_t position = 0;
    for (unsigned axis : dim)
      position = position * extents[axis] + index[axis];
    logical.push_back(position);
  }
  Layout layout = llvm::cantFail(
      Layout::getUnnamed(LayoutClass::Tensor, AtomSequence(order)));
  SmallVector<int64_t> physical = *layout.getPhysicalIndex(logical);
  SmallVector<int64_t> shape = layout.getPhysicalShape(tensor.shape);
  int64_t place = 0;
  for (auto [extent, position] : llvm::zip_equal(shape, physical))
    place = place * extent + position;
  return place;
}

TEST(AxisOrder, ProjectionsStoreElementsWhereTheSourceDoes) {
  std::mt19937 random(7);
  unsigned numChecked = 0;
  for (int round = 0; round < 3000; ++round) {
    SmallVector<int64_t> extents;
    for (int i = 0, count = 2 + random() % 4; i < count; ++i)
      extents.push_back(1 + random() % 4);
    AxisMap map = mapOf(extents);
    SmallVector<unsigned> axes(extents.size());
    std::iota(axes.begin(), axes.end(), 0);
    Tensor from = mergeAtRandom(axes, extents, random);
    std::shuffle(axes.begin(), axes.end(), random);
    Tensor middle = mergeAtRandom(axes, extents, random);
    std::shuffle(axes.begin(), axes.end(), random);
    Tensor to = mergeAtRandom(axes, extents, random);
    // An order of `from` by way of a random order of the axes.
    AxisOrder start;
    std::shuffle(axes.begin(), axes.end(), random);
    for (unsigned axis : axes)
      start.push_back({axis});
    auto first = projectOrder(map, start, from.dims);
    ASSERT_TRUE(first);
    auto lifted = liftOrder(map, from.dims, *first);
    if (!lifted)
      continue; // Factors of equal extent may be matched only one way.
    auto second = projectOrder(map, *lifted, middle.dims);
    ASSERT_TRUE(second);
    auto third = projectOrder(map, *lifted, to.dims, &from.dims);
    ASSERT_TRUE(third);
    ++numChecked;
    int64_t total = 1;
    for (int64_t extent : extents)
      total *= extent;
    for (int64_t flat = 0; flat < total; ++flat) {
      SmallVector<int64_t> index(extents.size());
      int64_t rest = flat;
      for (size_t i = extents.size(); i > 0; --i) {
        index[i - 1] = rest % extents[i - 1];
        rest /= extents[i - 1];
      }
      int64_t place = locate(from, *first, extents, index);
      ASSERT_EQ(place, locate(middle, *second, extents, index));
      ASSERT_EQ(place, locate(to, *third, extents, index));
    }
  }
  EXPECT_GT(numChecked, 2500u);
}

TEST(AxisOrder, OneMoveLeadsBetweenOrdersWithCommonPieces) {
  auto isOne = [](llvm::StringRef a, llvm::StringRef b) {
    return areOneMoveApart(orderOf(a), orderOf(b), 2);
  };
  EXPECT_TRUE(isOne("Tensor", "Tensor as (1,0)"));
  EXPECT_TRUE(isOne("Tensor as (1,0)", "Tensor as (1:0,0,1:1) split 1=2*3"));
  EXPECT_TRUE(isOne("Tensor as (1:0,0,1:1) split 1=2*12",
                    "Tensor as (1:0,0,1:1) split 1=6*4"));
}

TEST(AxisOrder, NoOneMoveLeadsBetweenOrdersWithoutCommonPieces) {
  EXPECT_FALSE(areOneMoveApart(orderOf("Tensor as (1:0,0,1:1) split 1=2*3"),
                               orderOf("Tensor as (1:0,0,1:1) split 1=3*2"),
                               2));
}
