//===- CreationTest.cpp - Tests of operators that make tensors ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Creation.h"
#include "TensorTesting.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

namespace {
HostTensor ints(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<double> values) {
  return makeTensor(ElementType::Int64, shape, values);
}
} // namespace

TEST(Creation, EyeLikePutsOnesOnADiagonal) {
  expectValues(take(eyeLike({2, 3}, ElementType::Float16, 1)),
               {0, 1, 0, 0, 0, 1});
  expectValues(take(eyeLike({2, 2}, ElementType::Int8, -1)), {0, 0, 1, 0});
  expectValues(take(eyeLike({2, 2}, ElementType::Bool,
                            std::numeric_limits<int64_t>::min())),
               {0, 0, 0, 0});
  EXPECT_NE(takeMessage(eyeLike({2}, ElementType::Float, 0)), "");
  EXPECT_NE(takeMessage(eyeLike({2, 2}, ElementType::String, 0)), "");
}

TEST(Creation, RangeStopsBeforeTheLimit) {
  expectValues(take(range(ints({}, {3}), ints({}, {9}), ints({}, {3}))),
               {3, 6});
  expectValues(take(range(ints({}, {10}), ints({}, {4}), ints({}, {-2}))),
               {10, 8, 6});
  expectValues(take(range(ints({}, {4}), ints({}, {4}), ints({}, {1}))), {});
  expectValues(
      take(range(floats({}, {0}), floats({}, {1}), floats({}, {0.25}))),
      {0, 0.25, 0.5, 0.75});
}

TEST(Creation, RangeRefusesDeltaZeroAndMixedTypes) {
  EXPECT_NE(takeMessage(range(ints({}, {0}), ints({}, {1}), ints({}, {0}))),
            "");
  EXPECT_NE(takeMessage(range(ints({}, {0}), floats({}, {1}), ints({}, {1}))),
            "");
  EXPECT_NE(takeMessage(range(floats({}, {0}), floats({}, {INFINITY}),
                              floats({}, {1}))),
            "");
}

TEST(Creation, ConstantOfShapeRepeatsOneElement) {
  expectValues(take(constantOfShape({2, 1}, ints({1}, {5}))), {5, 5});
  EXPECT_EQ(shapeOf(take(constantOfShape({0}, ints({1}, {5})))),
            (std::vector<int64_t>{0}));
  EXPECT_NE(takeMessage(constantOfShape({2}, ints({2}, {5, 6}))), "");
  EXPECT_NE(takeMessage(constantOfShape({-1}, ints({1}, {5}))), "");
}

TEST(Creation, NonZeroListsIndicesPerAxis) {
  HostTensor y = take(nonZero(floats({2, 2}, {1, -0.0, 0, NAN})));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 2}));
  expectValues(y, {0, 1, 0, 1});
  EXPECT_EQ(shapeOf(take(nonZero(floats({2}, {0, 0})))),
            (std::vector<int64_t>{1, 0}));
  EXPECT_NE(takeMessage(nonZero(HostTensor(ElementType::String, {1}))), "");
}

TEST(Creation, OneHotAddsAnAxis) {
  HostTensor values = floats({2}, {2, 5});
  HostTensor last = take(oneHot(ints({2}, {0, -1}), 3, values, 1));
  EXPECT_EQ(shapeOf(last), (std::vector<int64_t>{2, 3}));
  expectValues(last, {5, 2, 2, 2, 2, 5});
  HostTensor first = take(oneHot(ints({2}, {0, -1}), 3, values, 0));
  EXPECT_EQ(shapeOf(first), (std::vector<int64_t>{3, 2}));
  expectValues(first, {5, 2, 2, 2, 2, 5});
}

TEST(Creation, OneHotLeavesIndicesOutsideOff) {
  HostTensor values = floats({2}, {0, 1});
  expectValues(take(oneHot(ints({2}, {3, -4}), 3, values, 1)),
               {0, 0, 0, 0, 0, 0});
  EXPECT_NE(takeMessage(oneHot(ints({1}, {0}), 0, values, 1)), "");
  EXPECT_NE(takeMessage(oneHot(ints({1}, {0}), 3, floats({1}, {0}), 1)), "");
  EXPECT_NE(takeMessage(oneHot(ints({1}, {0}), 3, values, 2)), "");
}
