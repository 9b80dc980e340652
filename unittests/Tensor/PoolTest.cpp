//===- PoolTest.cpp - Tests of pooling ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Pool.h"
#include "TensorTesting.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

namespace {
/// Parameters that keep what they point to.
struct Params {
  std::vector<int64_t> kernel, strides = {}, dilations = {}, pads = {};
  bool ceilMode = false;
  operator PoolParams() const {
    return {kernel, strides, dilations, pads, ceilMode};
  }
};
} // namespace

TEST(Pool, MaxReportsWhereItWas) {
  HostTensor x = floats({1, 2, 2, 3}, {1, 9, 3, 4, 5, 6, 0, 0, 0, 0, 0, 7});
  MaxPoolResult rows = take(maxPool(x, Params{{2, 2}}));
  EXPECT_EQ(shapeOf(rows.values), (std::vector<int64_t>{1, 2, 1, 2}));
  expectValues(rows.values, {9, 9, 0, 7});
  // The first of equals wins; indices count through all channels.
  expectValues(rows.indices, {1, 1, 6, 11});
  MaxPoolResult columns = take(maxPool(x, Params{{2, 2}}, true));
  expectValues(columns.indices, {2, 2, 6, 11});
}

TEST(Pool, MaxIgnoresPadsAndTakesIntegers) {
  HostTensor x = makeTensor(ElementType::Int8, {1, 1, 3}, {-5, -7, -128});
  Params params{{2}, {2}, {}, {1, 0}};
  expectValues(take(maxPool(x, params)).values, {-5, -7});
}

TEST(Pool, MaxOfDilatedWindows) {
  HostTensor x = floats({1, 1, 5}, {1, 9, 2, 8, 3});
  expectValues(take(maxPool(x, Params{{2}, {}, {2}})).values, {2, 9, 3});
}

TEST(Pool, MaxKeepsNaN) {
  HostTensor x = floats({1, 1, 4}, {1, NAN, 2, 3});
  expectValues(take(maxPool(x, Params{{2}})).values, {NAN, NAN, 3});
  expectValues(take(globalMaxPool(x)), {NAN});
}

TEST(Pool, CeilModeHasAWindowMore) {
  HostTensor x = floats({1, 1, 5}, {1, 2, 3, 4, 5});
  Params params{{2}, {2}};
  expectValues(take(averagePool(x, params, false)), {1.5, 3.5});
  params.ceilMode = true;
  expectValues(take(averagePool(x, params, false)), {1.5, 3.5, 5});
  // What hangs over is no pad and does not count.
  expectValues(take(averagePool(x, params, true)), {1.5, 3.5, 5});
}

TEST(Pool, AverageCountsPadsIfTold) {
  HostTensor x = floats({1, 1, 3}, {3, 6, 9});
  Params params{{3}, {}, {}, {1, 1}};
  expectValues(take(averagePool(x, params, false)), {4.5, 6, 7.5});
  expectValues(take(averagePool(x, params, true)), {3, 6, 5});
}

TEST(Pool, LpIsTheNormOfEachWindow) {
  HostTensor x = floats({1, 1, 3}, {3, -4, 0});
  expectValues(take(lpPool(x, Params{{2}}, 2)), {5, 4});
  expectValues(take(lpPool(x, Params{{2}}, 1)), {7, 4});
  expectValues(take(lpPool(x, Params{{2}}, 3)), {std::cbrt(91.0), 4}, 1e-6);
  EXPECT_NE(takeMessage(lpPool(x, Params{{2}}, 0)), "");
}

TEST(Pool, GlobalReducesAllSpatialAxes) {
  HostTensor x = floats({1, 2, 1, 2}, {1, 3, -2, -4});
  HostTensor average = take(globalAveragePool(x));
  EXPECT_EQ(shapeOf(average), (std::vector<int64_t>{1, 2, 1, 1}));
  expectValues(average, {2, -3});
  expectValues(take(globalMaxPool(x)), {3, -2});
  expectValues(take(globalLpPool(x, 1)), {4, 6});
}

TEST(Pool, RefusesShapesThatDoNotFit) {
  HostTensor x = floats({1, 1, 3}, {1, 2, 3});
  EXPECT_NE(takeMessage(averagePool(x, Params{{2, 2}}, false)), "");
  EXPECT_NE(takeMessage(averagePool(x, Params{{5}}, false)), "");
  EXPECT_NE(takeMessage(averagePool(x, Params{{2}, {0}}, false)), "");
  EXPECT_NE(takeMessage(averagePool(floats({1, 1}, {1}), Params{{}}, false)),
            "");
  EXPECT_NE(takeMessage(maxPool(HostTensor(ElementType::String, {1, 1, 1}),
                                Params{{1}})),
            "");
}

TEST(Pool, EmptyBatchesGiveEmptyResults) {
  HostTensor x(ElementType::Float, {0, 3, 4});
  EXPECT_EQ(shapeOf(take(maxPool(x, Params{{2}})).values),
            (std::vector<int64_t>{0, 3, 3}));
  EXPECT_EQ(shapeOf(take(globalAveragePool(x))),
            (std::vector<int64_t>{0, 3, 1}));
}
