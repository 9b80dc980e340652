//===- WindowTest.cpp - Tests of window arithmetic ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Window.h"
#include "TensorTesting.h"
#include <random>

using namespace inlay;
using namespace inlay::testing;

namespace {
int64_t count(int64_t input, int64_t kernel, int64_t stride, int64_t dilation,
              int64_t padBegin, int64_t padEnd, bool ceilMode = false) {
  return take(getWindowCount(input, kernel, stride, dilation, padBegin, padEnd,
                             ceilMode));
}

/// Counts windows one by one: all that fit, and in ceil mode one that does not
/// fit but starts before the end pad.
int64_t countByHand(int64_t input, int64_t kernel, int64_t stride,
                    int64_t dilation, int64_t padBegin, int64_t padEnd,
                    bool ceilMode) {
  int64_t extent = (kernel - 1) * dilation + 1;
  int64_t padded = input + padBegin + padEnd, windows = 0, start = 0;
  for (; start + extent <= padded; start += stride)
    ++windows;
  bool isCovered = start - stride + extent == padded;
  if (ceilMode && !isCovered && start < input + padBegin)
    ++windows;
  return windows;
}
} // namespace

TEST(Window, CountsWindowsThatFit) {
  EXPECT_EQ(count(224, 7, 2, 1, 3, 3), 112);
  EXPECT_EQ(count(5, 3, 1, 2, 0, 0), 1);
  EXPECT_EQ(count(5, 2, 2, 1, 0, 0), 2);
}

TEST(Window, CeilModeAddsWindowThatHangsOver) {
  EXPECT_EQ(count(5, 2, 2, 1, 0, 0, /*ceilMode=*/true), 3);
}

TEST(Window, CeilModeDropsWindowThatStartsInEndPad) {
  // Starts would be -1, 2 and 5; the input ends at 4.
  EXPECT_EQ(count(4, 1, 3, 1, 1, 1, /*ceilMode=*/true), 2);
}

TEST(Window, CountsAgreeWithCountingOneByOne) {
  std::mt19937 random(7);
  auto pick = [&](int low, int high) {
    return int64_t(low + random() % (high - low + 1));
  };
  for (int i = 0; i < 3000; ++i) {
    int64_t kernel = pick(1, 5), stride = pick(1, 5), dilation = pick(1, 3);
    int64_t extent = (kernel - 1) * dilation + 1;
    int64_t begin = pick(0, kernel - 1), end = pick(0, kernel - 1);
    int64_t input = pick(std::max<int64_t>(1, extent - begin - end), 20);
    if (input + begin + end < extent)
      continue;
    for (bool ceilMode : {false, true})
      EXPECT_EQ(
          count(input, kernel, stride, dilation, begin, end, ceilMode),
          countByHand(input, kernel, stride, dilation, begin, end, ceilMode))
          << "input " << input << " kernel " << kernel << " stride " << stride
          << " dilation " << dilation << " pads " << begin << " " << end
          << " ceil " << ceilMode;
  }
}

TEST(Window, RefusesWindowLargerThanInput) {
  EXPECT_EQ(takeMessage(getWindowCount(2, 5, 1, 1, 0, 0)),
            "window of extent 5 does not fit into a size of 2 with pads 0 and "
            "0");
}

TEST(Window, RefusesStridesThatAreNotPositive) {
  EXPECT_NE(takeMessage(getWindowCount(5, 1, 0, 1, 0, 0)), "");
  EXPECT_NE(takeMessage(getWindowCount(5, 1, -1, 1, 0, 0)), "");
  EXPECT_NE(takeMessage(getWindowCount(5, 0, 1, 1, 0, 0)), "");
  EXPECT_NE(takeMessage(getWindowCount(5, 1, 1, 0, 0, 0)), "");
  EXPECT_NE(takeMessage(getWindowCount(5, 1, 1, 1, -1, 0)), "");
}

TEST(Window, RefusesNumbersThatWouldOverflow) {
  int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_NE(takeMessage(getWindowCount(5, huge, 1, huge, 0, 0)), "");
  EXPECT_NE(takeMessage(getWindowCount(huge, 1, 1, 1, huge, huge)), "");
}

TEST(Window, UnknownSizesStayUnknown) {
  EXPECT_EQ(count(unknownDim, 3, 1, 1, 1, 1), unknownDim);
  Sizes sizes = take(
      inferWindowSizes({unknownDim, 8}, {{3, 3}, {2, 2}, {}}, {1, 1, 1, 1}));
  EXPECT_EQ(sizes, (Sizes{unknownDim, 4}));
}

TEST(Window, SamePadsKeepCeilOfInputByStride) {
  std::vector<int64_t> kernel{3}, strides{2};
  WindowShape window{kernel, strides, {}};
  EXPECT_EQ(take(resolvePads(AutoPad::SameUpper, 6, window, {})), (Pads{0, 1}));
  EXPECT_EQ(take(resolvePads(AutoPad::SameLower, 6, window, {})), (Pads{1, 0}));
  EXPECT_EQ(take(resolvePads(AutoPad::SameUpper, unknownDim, window, {})),
            (Pads{unknownDim, unknownDim}));
}

TEST(Window, ValidAndMissingPadsAreNone) {
  std::vector<int64_t> kernel{3, 3};
  WindowShape window{kernel, {}, {}};
  EXPECT_EQ(take(resolvePads(AutoPad::Valid, {5, 5}, window, {1, 1, 1, 1})),
            (Pads{0, 0, 0, 0}));
  EXPECT_EQ(take(resolvePads(AutoPad::NotSet, {5, 5}, window, {})),
            (Pads{0, 0, 0, 0}));
  EXPECT_NE(takeMessage(resolvePads(AutoPad::NotSet, {5, 5}, window, {1, 1})),
            "");
}

TEST(Window, TransposedSizesInvertTheConvolution) {
  EXPECT_EQ(take(inferTransposeSizes({3, unknownDim}, {{3, 3}, {2, 2}, {}},
                                     {1, 1, 1, 1}, {1, 1})),
            (Sizes{6, unknownDim}));
}

TEST(Window, WantedOutputShapeIsMetByPadsOrOutputPadding) {
  std::vector<int64_t> kernel{3, 3}, strides{3, 2};
  WindowShape window{kernel, strides, {}};
  // The windows cover 9 and 7; 8 of 9 needs a pad, 8 of 7 more output.
  TransposePads pads = take(
      resolveTransposePads(AutoPad::NotSet, {3, 3}, window, {}, {}, {8, 8}));
  EXPECT_EQ(pads.pads, (Pads{1, 0, 0, 0}));
  EXPECT_EQ(pads.outputPadding, (Sizes{0, 1}));
  EXPECT_EQ(
      take(inferTransposeSizes({3, 3}, window, pads.pads, pads.outputPadding)),
      (Sizes{8, 8}));
}

TEST(Window, SameTransposedWindowsDoNotFillGapsBehindTheLast) {
  std::vector<int64_t> kernel{3, 2}, strides{2, 3};
  WindowShape window{kernel, strides, {}};
  TransposePads pads = take(
      resolveTransposePads(AutoPad::SameUpper, {4, 4}, window, {}, {}, {}));
  EXPECT_EQ(pads.pads, (Pads{0, 0, 1, 0}));
  // Twice four, but not three times four.
  EXPECT_EQ(
      take(inferTransposeSizes({4, 4}, window, pads.pads, pads.outputPadding)),
      (Sizes{8, 11}));
}

TEST(Window, ParsesAutoPad) {
  EXPECT_EQ(parseAutoPad("SAME_LOWER"), AutoPad::SameLower);
  EXPECT_EQ(parseAutoPad("same_lower"), std::nullopt);
}
