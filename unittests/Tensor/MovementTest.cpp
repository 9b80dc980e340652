//===- MovementTest.cpp - Tests of data movement --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Movement.h"
#include "TensorTesting.h"
#include "inlay/Tensor/Slices.h"
#include "inlay/Tensor/Strides.h"

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

namespace {
HostTensor strings(llvm::ArrayRef<int64_t> shape,
                   std::vector<std::string> values) {
  HostTensor tensor(ElementType::String, shape);
  std::move(values.begin(), values.end(), tensor.getMutableStrings().begin());
  return tensor;
}
std::vector<std::string> stringsOf(const HostTensor &tensor) {
  return tensor.getStrings().vec();
}
/// 0, 1, 2, ...
HostTensor iota(llvm::ArrayRef<int64_t> shape,
                ElementType type = ElementType::Int32) {
  HostTensor tensor(type, shape);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setInt(i, i);
  return tensor;
}
} // namespace

TEST(Strides, CounterVisitsIndicesInRowMajorOrder) {
  std::vector<int64_t> offsets;
  for (IndexCounter i({2, 3}); !i.atEnd(); i.next())
    offsets.push_back(i.getOffset({10, 1}));
  EXPECT_EQ(offsets, (std::vector<int64_t>{0, 1, 2, 10, 11, 12}));
}

TEST(Strides, CounterVisitsScalarOnceAndEmptyNever) {
  int scalars = 0, empties = 0;
  for (IndexCounter i({}); !i.atEnd(); i.next())
    ++scalars;
  for (IndexCounter i({3, 0}); !i.atEnd(); i.next())
    ++empties;
  EXPECT_EQ(scalars, 1);
  EXPECT_EQ(empties, 0);
}

TEST(Movement, TransposePermutesAxes) {
  HostTensor y = take(transpose(iota({2, 3, 2}), {1, 2, 0}));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{3, 2, 2}));
  expectValues(y, {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
}

TEST(Movement, TransposeWithoutPermutationReverses) {
  expectValues(take(transpose(iota({2, 2}), {})), {0, 2, 1, 3});
}

TEST(Movement, TransposeMovesEveryWidthAndStrings) {
  for (ElementType type : {ElementType::Int4, ElementType::Float16,
                           ElementType::Float, ElementType::Double})
    expectValues(take(transpose(iota({2, 2}, type), {1, 0})), {0, 2, 1, 3});
  EXPECT_EQ(stringsOf(take(transpose(strings({1, 2}, {"a", "b"}), {1, 0}))),
            (std::vector<std::string>{"a", "b"}));
}

TEST(Movement, TransposeRefusesWhatIsNoPermutation) {
  EXPECT_NE(takeMessage(transpose(iota({2, 2}), {0, 0})), "");
  EXPECT_NE(takeMessage(transpose(iota({2, 2}), {0, 2})), "");
  EXPECT_NE(takeMessage(transpose(iota({2, 2}), {0})), "");
}

TEST(Movement, ConcatJoinsAlongAnyAxis) {
  HostTensor y = take(concat({iota({2, 1}), iota({2, 2}), iota({2, 0})}, 1));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 3}));
  expectValues(y, {0, 0, 1, 1, 2, 3});
}

TEST(Movement, ConcatRefusesOtherShapesAndTypes) {
  EXPECT_NE(takeMessage(concat({iota({2, 1}), iota({3, 1})}, 1)), "");
  EXPECT_NE(takeMessage(concat({iota({2}), iota({2, 1})}, 0)), "");
  EXPECT_NE(takeMessage(concat({iota({2}), iota({2}, ElementType::Float)}, 0)),
            "");
  EXPECT_NE(takeMessage(concat({}, 0)), "");
}

TEST(Movement, SplitCutsIntoSizes) {
  auto parts = take(split(iota({2, 3}), 1, {1, 0, 2}));
  ASSERT_EQ(parts.size(), 3u);
  expectValues(parts[0], {0, 3});
  EXPECT_EQ(shapeOf(parts[1]), (std::vector<int64_t>{2, 0}));
  expectValues(parts[2], {1, 2, 4, 5});
}

TEST(Movement, SplitRefusesSizesThatDoNotAddUp) {
  EXPECT_NE(takeMessage(split(iota({3}), 0, {1, 1})), "");
  EXPECT_NE(takeMessage(split(iota({3}), 0, {4, -1})), "");
}

TEST(Movement, SplitSizesLeaveTheLastSmaller) {
  EXPECT_EQ(take(getSplitSizes(7, 3)), (llvm::SmallVector<int64_t>{3, 3, 1}));
  EXPECT_NE(takeMessage(getSplitSizes(7, 0)), "");
}

TEST(Movement, SliceClampsAndCountsFromTheEnd) {
  int64_t max = std::numeric_limits<int64_t>::max();
  int64_t min = std::numeric_limits<int64_t>::min();
  expectValues(take(slice(iota({5}), {-3}, {max}, {}, {})), {2, 3, 4});
  expectValues(take(slice(iota({5}), {max}, {min}, {0}, {-2})), {4, 2, 0});
  expectValues(take(slice(iota({5}), {3}, {1}, {0}, {1})), {});
  expectValues(take(slice(iota({5}), {1}, {4}, {0}, {max})), {1});
  expectValues(take(slice(iota({5}), {-1}, {min}, {0}, {min})), {4});
  expectValues(take(slice(iota({2, 3}), {0, 1}, {2, 3}, {0, 1}, {1, 1})),
               {1, 2, 4, 5});
}

TEST(Movement, SliceClampsByTheDirectionOfItsStep) {
  // Backward, a start clamps to an element and an end to before the first.
  SliceRange range = clampSlice(2, INT32_MIN, -3, -1);
  EXPECT_EQ(range.start, 0);
  EXPECT_EQ(range.count, 1);
  EXPECT_EQ(clampSlice(2, INT32_MAX, INT32_MIN, -1).count, 2);
  EXPECT_EQ(clampSlice(2, 1, INT32_MAX, -1).count, 0);
  EXPECT_EQ(clampSlice(0, 0, INT32_MIN, -1).count, 0);
  // Forward, a start may lie behind the last element.
  EXPECT_EQ(clampSlice(2, 5, INT32_MAX, 1).count, 0);
  EXPECT_EQ(clampSlice(2, INT32_MIN, INT32_MAX, 1).count, 2);
}

TEST(Movement, SliceRefusesStepZeroAndBadAxes) {
  EXPECT_NE(takeMessage(slice(iota({5}), {0}, {1}, {0}, {0})), "");
  EXPECT_NE(takeMessage(slice(iota({5}), {0}, {1}, {1}, {1})), "");
  EXPECT_NE(takeMessage(slice(iota({5}), {0, 0}, {1, 1}, {0, 0}, {})), "");
  EXPECT_NE(takeMessage(slice(iota({5}), {0}, {}, {}, {})), "");
}

TEST(Movement, ExpandBroadcastsBothWays) {
  HostTensor y = take(expand(iota({2, 1}), {3}));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 3}));
  expectValues(y, {0, 0, 0, 1, 1, 1});
  expectValues(take(expand(iota({2}), {1})), {0, 1});
  EXPECT_NE(takeMessage(expand(iota({2}), {3})), "");
  EXPECT_NE(takeMessage(expand(iota({2, 1}), {2, -1})), "");
}

TEST(Movement, TileRepeats) {
  expectValues(take(tile(iota({2, 2}), {1, 2})), {0, 1, 0, 1, 2, 3, 2, 3});
  expectValues(take(tile(iota({2}), {2})), {0, 1, 0, 1});
  EXPECT_EQ(shapeOf(take(tile(iota({2}), {0}))), (std::vector<int64_t>{0}));
  EXPECT_NE(takeMessage(tile(iota({2}), {-1})), "");
  EXPECT_NE(takeMessage(tile(iota({2}), {int64_t(1) << 62})), "");
}

TEST(Movement, PadFillsWithConstantAndCrops) {
  HostTensor seven = makeTensor(ElementType::Int32, {}, {7});
  expectValues(take(pad(iota({3}), {1, 2}, {}, PadMode::Constant, &seven)),
               {7, 0, 1, 2, 7, 7});
  expectValues(take(pad(iota({3}), {-1, 1}, {}, PadMode::Constant, nullptr)),
               {1, 2, 0});
  expectValues(take(pad(iota({2, 2}), {0, 1}, {1}, PadMode::Constant, nullptr)),
               {0, 1, 0, 2, 3, 0});
}

TEST(Movement, PadReflectsRepeatsAndWraps) {
  expectValues(take(pad(iota({3}), {3, 1}, {}, PadMode::Reflect, nullptr)),
               {1, 2, 1, 0, 1, 2, 1});
  expectValues(take(pad(iota({3}), {2, 1}, {}, PadMode::Edge, nullptr)),
               {0, 0, 0, 1, 2, 2});
  expectValues(take(pad(iota({3}), {4, 1}, {}, PadMode::Wrap, nullptr)),
               {2, 0, 1, 2, 0, 1, 2, 0});
  // Cropped first, so that the edge is 1.
  expectValues(take(pad(iota({3}), {-1, 1}, {}, PadMode::Edge, nullptr)),
               {1, 2, 2});
}

TEST(Movement, PadRefusesWhatIsNotThere) {
  EXPECT_NE(
      takeMessage(pad(iota({3}), {-2, -2}, {}, PadMode::Constant, nullptr)),
      "");
  EXPECT_NE(takeMessage(pad(iota({3}), {-4, 4}, {}, PadMode::Edge, nullptr)),
            "");
  EXPECT_NE(takeMessage(pad(iota({0}), {1, 1}, {}, PadMode::Edge, nullptr)),
            "");
  EXPECT_NE(takeMessage(pad(iota({3}), {1}, {}, PadMode::Edge, nullptr)), "");
  EXPECT_NE(takeMessage(pad(iota({3}),
                            {std::numeric_limits<int64_t>::min(),
                             std::numeric_limits<int64_t>::max()},
                            {}, PadMode::Constant, nullptr)),
            "");
  HostTensor wrong = makeTensor(ElementType::Float, {}, {7});
  EXPECT_NE(takeMessage(pad(iota({3}), {1, 1}, {}, PadMode::Constant, &wrong)),
            "");
}

TEST(Movement, DepthToSpaceAndBackIsTheIdentity) {
  HostTensor x = iota({1, 8, 1, 2});
  HostTensor dcr = take(depthToSpace(x, 2, DepthToSpaceMode::DCR));
  EXPECT_EQ(shapeOf(dcr), (std::vector<int64_t>{1, 2, 2, 4}));
  expectValues(dcr, {0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15});
  expectValues(take(depthToSpace(x, 2, DepthToSpaceMode::CRD)),
               {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15});
  HostTensor back = take(spaceToDepth(dcr, 2));
  EXPECT_EQ(shapeOf(back), shapeOf(x));
  EXPECT_EQ(back.getBytes(), x.getBytes());
}

TEST(Movement, BlocksMustDivide) {
  EXPECT_NE(
      takeMessage(depthToSpace(iota({1, 3, 1, 1}), 2, DepthToSpaceMode::DCR)),
      "");
  EXPECT_NE(takeMessage(spaceToDepth(iota({1, 1, 3, 2}), 2)), "");
  EXPECT_NE(takeMessage(spaceToDepth(iota({1, 1, 2, 2}), 0)), "");
  EXPECT_NE(takeMessage(spaceToDepth(iota({1, 1, 0, 2}), int64_t(1) << 40)),
            "");
}

TEST(Movement, TriluKeepsOneTriangle) {
  HostTensor x = makeTensor(ElementType::Int32, {2, 3}, {1, 2, 3, 4, 5, 6});
  expectValues(take(trilu(x, true, 0)), {1, 2, 3, 0, 5, 6});
  expectValues(take(trilu(x, false, 0)), {1, 0, 0, 4, 5, 0});
  expectValues(take(trilu(x, true, 1)), {0, 2, 3, 0, 0, 6});
  expectValues(take(trilu(x, false, -5)), {0, 0, 0, 0, 0, 0});
  expectValues(take(trilu(x, false, std::numeric_limits<int64_t>::max())),
               {1, 2, 3, 4, 5, 6});
  EXPECT_NE(takeMessage(trilu(iota({3}), true, 0)), "");
}
