//===- ReduceTest.cpp - Tests of the kernels along axes -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Reduce.h"
#include "TensorTesting.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;
using Dims = std::vector<int64_t>;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static const double nan_ = std::nan("");

static HostTensor sample() {
  return floats({3, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
}

TEST(Reduce, SumsOverOneAxisInAnyPosition) {
  expectValues(take(reduce(ReduceFunction::Sum, sample(), {0}, false)),
               {15, 18, 21, 24});
  expectValues(take(reduce(ReduceFunction::Sum, sample(), {1}, false)),
               {4, 6, 12, 14, 20, 22});
  expectValues(take(reduce(ReduceFunction::Sum, sample(), {2}, false)),
               {3, 7, 11, 15, 19, 23});
}

TEST(Reduce, SumsOverSeveralAxes) {
  expectValues(take(reduce(ReduceFunction::Sum, sample(), {2, 0}, false)),
               {33, 45});
  expectValues(take(reduce(ReduceFunction::Sum, sample(), {0, 1, 2}, false)),
               {78});
}

TEST(Reduce, KeepsDimensionsWhenAsked) {
  EXPECT_EQ(shapeOf(take(reduce(ReduceFunction::Sum, sample(), {1}, true))),
            (Dims{3, 1, 2}));
  EXPECT_EQ(shapeOf(take(reduce(ReduceFunction::Sum, sample(), {1}, false))),
            (Dims{3, 2}));
}

TEST(Reduce, ComputesEveryFunction) {
  HostTensor x = floats({4}, {1, -2, 3, -4});
  auto all = [&](ReduceFunction f) { return take(reduce(f, x, {0}, false)); };
  expectValues(all(ReduceFunction::Sum), {-2});
  expectValues(all(ReduceFunction::Mean), {-0.5});
  expectValues(all(ReduceFunction::Max), {3});
  expectValues(all(ReduceFunction::Min), {-4});
  expectValues(all(ReduceFunction::Prod), {24});
  expectValues(all(ReduceFunction::L1), {10});
  expectValues(all(ReduceFunction::L2), {std::sqrt(30.0)}, 1e-6);
  expectValues(all(ReduceFunction::SumSquare), {30});
  expectValues(all(ReduceFunction::LogSum), {nan_});
  expectValues(all(ReduceFunction::LogSumExp), {3.1336434}, 1e-6);
}

TEST(Reduce, LogSumExpDoesNotOverflow) {
  expectValues(take(reduce(ReduceFunction::LogSumExp, floats({2}, {1e4, 1e4}),
                           {0}, false)),
               {1e4 + std::log(2.0)}, 1e-3);
  expectValues(take(reduce(ReduceFunction::LogSumExp,
                           floats({2}, {-infinity, -infinity}), {0}, false)),
               {-infinity});
}

TEST(Reduce, GivesNeutralElementsForNothing) {
  HostTensor x(ElementType::Float, {2, 0});
  auto none = [&](ReduceFunction f) { return take(reduce(f, x, {1}, false)); };
  expectValues(none(ReduceFunction::Sum), {0, 0});
  expectValues(none(ReduceFunction::Prod), {1, 1});
  expectValues(none(ReduceFunction::Max), {-infinity, -infinity});
  expectValues(none(ReduceFunction::Min), {infinity, infinity});
  expectValues(none(ReduceFunction::LogSum), {-infinity, -infinity});
  expectValues(none(ReduceFunction::LogSumExp), {-infinity, -infinity});
  HostTensor bytes(ElementType::Int8, {0});
  expectValues(take(reduce(ReduceFunction::Max, bytes, {0}, false)), {-128});
  expectValues(take(reduce(ReduceFunction::Min, bytes, {0}, false)), {127});
}

TEST(Reduce, TakesIntegersAndBools) {
  HostTensor x = makeTensor(ElementType::Int32, {3}, {7, -2, 6});
  expectValues(take(reduce(ReduceFunction::Mean, x, {0}, false)), {3});
  HostTensor b = makeTensor(ElementType::Bool, {2, 2}, {1, 0, 1, 1});
  expectValues(take(reduce(ReduceFunction::Max, b, {1}, false)), {1, 1});
  expectValues(take(reduce(ReduceFunction::Min, b, {1}, false)), {0, 1});
  EXPECT_NE(takeMessage(reduce(ReduceFunction::Sum, b, {1}, false)), "");
}

TEST(Reduce, PropagatesNaNThroughMaxAndMin) {
  HostTensor x = floats({3}, {1, nan_, 2});
  expectValues(take(reduce(ReduceFunction::Max, x, {0}, false)), {nan_});
  expectValues(take(reduce(ReduceFunction::Min, x, {0}, false)), {nan_});
}

TEST(Reduce, AppliesTheFunctionWithoutAxes) {
  expectValues(take(reduce(ReduceFunction::L1, floats({2}, {-1, 2}), {}, true)),
               {1, 2});
}

TEST(Reduce, RefusesAxesThatAreNotThere) {
  EXPECT_NE(takeMessage(reduce(ReduceFunction::Sum, sample(), {3}, false)), "");
  EXPECT_NE(takeMessage(reduce(ReduceFunction::Sum, sample(), {-1}, false)),
            "");
  EXPECT_NE(takeMessage(reduce(ReduceFunction::Sum, sample(), {1, 1}, false)),
            "");
}

TEST(ArgMax, FindsTheFirstOrTheLast) {
  HostTensor x = floats({2, 3}, {2, 2, 1, 3, 10, 10});
  HostTensor y = take(argMax(x, 1, true, false));
  EXPECT_EQ(y.getType(), ElementType::Int64);
  EXPECT_EQ(shapeOf(y), (Dims{2, 1}));
  expectValues(y, {0, 1});
  expectValues(take(argMax(x, 1, false, true)), {1, 2});
  expectValues(take(argMax(x, 0, false, false)), {1, 1, 1});
  expectValues(take(argMin(x, 1, false, false)), {2, 0});
  expectValues(take(argMin(x, 0, false, true)), {0, 0, 0});
}

TEST(ArgMax, TakesNaNForTheBest) {
  double nan = std::nan("");
  HostTensor x = floats({4}, {1, nan, 3, nan});
  expectValues(take(argMax(x, 0, false, false)), {1});
  expectValues(take(argMin(x, 0, false, false)), {1});
  expectValues(take(argMax(x, 0, false, true)), {3});
}

TEST(ArgMax, RefusesEmptyAxes) {
  HostTensor x(ElementType::Float, {2, 0});
  EXPECT_NE(takeMessage(argMax(x, 1, false, false)), "");
  EXPECT_NE(takeMessage(argMax(x, 2, false, false)), "");
  EXPECT_EQ(
      take(argMin(HostTensor(ElementType::Float, {0, 2}), 1, false, false))
          .getNumElements(),
      0);
}

TEST(CumSum, RunsInBothDirections) {
  HostTensor x = floats({3}, {1, 2, 3});
  expectValues(take(cumSum(x, 0, false, false)), {1, 3, 6});
  expectValues(take(cumSum(x, 0, true, false)), {0, 1, 3});
  expectValues(take(cumSum(x, 0, false, true)), {6, 5, 3});
  expectValues(take(cumSum(x, 0, true, true)), {5, 3, 0});
}

TEST(CumSum, RunsAlongOuterAxesOfIntegers) {
  HostTensor x = makeTensor(ElementType::Int32, {2, 2}, {1, -2, 3, 4});
  expectValues(take(cumSum(x, 0, false, false)), {1, -2, 4, 2});
  EXPECT_NE(takeMessage(cumSum(x, 2, false, false)), "");
}

TEST(TopK, SortsBestFirstAndTiesByIndex) {
  HostTensor x = floats({2, 4}, {1, 3, 3, 2, 8, 9, 10, 11});
  TopKResult result = take(topK(x, 3, 1, true, true));
  expectValues(result.values, {3, 3, 2, 11, 10, 9});
  expectValues(result.indices, {1, 2, 3, 3, 2, 1});
  result = take(topK(x, 1, 0, false, true));
  expectValues(result.values, {1, 3, 3, 2});
  expectValues(result.indices, {0, 0, 0, 0});
}

TEST(TopK, CountsNaNAsLargest) {
  HostTensor x = floats({3}, {1, nan_, infinity});
  expectValues(take(topK(x, 2, 0, true, true)).indices, {1, 2});
  expectValues(take(topK(x, 2, 0, false, true)).indices, {0, 2});
}

TEST(TopK, RefusesMoreThanThereAre) {
  HostTensor x = floats({2}, {1, 2});
  EXPECT_NE(takeMessage(topK(x, 3, 0, true, true)), "");
  EXPECT_NE(takeMessage(topK(x, -1, 0, true, true)), "");
  EXPECT_EQ(take(topK(x, 0, 0, true, true)).values.getNumElements(), 0);
}
