//===- GatherTest.cpp - Tests of gather and scatter -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Gather.h"
#include "TensorTesting.h"

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

namespace {
HostTensor indices(llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<double> values) {
  return makeTensor(ElementType::Int64, shape, values);
}
} // namespace

TEST(Gather, PicksSlicesAlongAnAxis) {
  HostTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  HostTensor y = take(gather(x, indices({1, 2}, {-1, 0}), 1));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 1, 2}));
  expectValues(y, {3, 1, 6, 4});
  EXPECT_EQ(shapeOf(take(gather(x, indices({}, {1}), 0))),
            (std::vector<int64_t>{3}));
}

TEST(Gather, PicksStrings) {
  HostTensor x(ElementType::String, {2});
  x.getMutableStrings()[1] = "b";
  EXPECT_EQ(take(gather(x, indices({1}, {1}), 0)).getStrings()[0], "b");
}

TEST(Gather, RefusesIndexOutsideTheAxis) {
  HostTensor x = floats({2}, {1, 2});
  EXPECT_EQ(takeMessage(gather(x, indices({1}, {2}), 0)),
            "index 2 is outside an axis of size 2");
  EXPECT_NE(takeMessage(gather(x, indices({1}, {-3}), 0)), "");
  EXPECT_NE(takeMessage(gather(floats({0}, {}), indices({1}, {0}), 0)), "");
  EXPECT_NE(takeMessage(gather(x, floats({1}, {0}), 0)), "");
}

TEST(Gather, ElementsPickPerPosition) {
  HostTensor x = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  expectValues(take(gatherElements(x, indices({2, 2}, {0, -1, 1, 0}), 0)),
               {1, 6, 3, 2});
  EXPECT_NE(
      takeMessage(gatherElements(x, indices({2, 3}, {0, 0, 0, 0, 0, 0}), 0)),
      "");
  EXPECT_NE(takeMessage(gatherElements(x, indices({1}, {0}), 0)), "");
}

TEST(Gather, NDPicksByTuple) {
  HostTensor x = floats({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  HostTensor rows = take(gatherND(x, indices({2, 2}, {0, 1, -1, 0}), 0));
  EXPECT_EQ(shapeOf(rows), (std::vector<int64_t>{2, 2}));
  expectValues(rows, {2, 3, 4, 5});
  HostTensor batched = take(gatherND(x, indices({2, 1}, {1, 0}), 1));
  EXPECT_EQ(shapeOf(batched), (std::vector<int64_t>{2, 2}));
  expectValues(batched, {2, 3, 4, 5});
}

TEST(Gather, NDRefusesTuplesThatDoNotFit) {
  HostTensor x = floats({2, 2}, {0, 1, 2, 3});
  EXPECT_NE(takeMessage(gatherND(x, indices({1, 3}, {0, 0, 0}), 0)), "");
  EXPECT_NE(takeMessage(gatherND(x, indices({1, 1}, {2}), 0)), "");
  EXPECT_NE(takeMessage(gatherND(x, indices({1, 0}, {}), 0)), "");
  EXPECT_NE(takeMessage(gatherND(x, indices({3, 1}, {0, 0, 0}), 1)), "");
  EXPECT_NE(takeMessage(gatherND(x, indices({2, 1}, {0, 0}), 2)), "");
}

TEST(Scatter, ElementsReplaceAndReduce) {
  HostTensor x = floats({1, 4}, {1, 2, 3, 4});
  HostTensor at = indices({1, 3}, {1, -1, 1});
  HostTensor updates = floats({1, 3}, {10, 20, 30});
  auto scattered = [&](ScatterReduction reduction) {
    return take(scatterElements(x, at, updates, 1, reduction));
  };
  expectValues(scattered(ScatterReduction::None), {1, 30, 3, 20});
  expectValues(scattered(ScatterReduction::Add), {1, 42, 3, 24});
  expectValues(scattered(ScatterReduction::Mul), {1, 600, 3, 80});
  expectValues(scattered(ScatterReduction::Max), {1, 30, 3, 20});
  expectValues(scattered(ScatterReduction::Min), {1, 2, 3, 4});
}

TEST(Scatter, IntegersWrapInsteadOfOverflowing) {
  HostTensor x = HostTensor::getInts({std::numeric_limits<int64_t>::max()});
  HostTensor one = HostTensor::getInts({1});
  EXPECT_EQ(
      take(scatterElements(x, indices({1}, {0}), one, 0, ScatterReduction::Add))
          .getInt(0),
      std::numeric_limits<int64_t>::min());
}

TEST(Scatter, ElementsRefuseWhatDoesNotFit) {
  HostTensor x = floats({4}, {1, 2, 3, 4});
  auto message = [&](HostTensor at, HostTensor updates) {
    return takeMessage(
        scatterElements(x, at, updates, 0, ScatterReduction::None));
  };
  EXPECT_NE(message(indices({1}, {4}), floats({1}, {0})), "");
  EXPECT_NE(message(indices({1}, {0}), floats({2}, {0, 0})), "");
  EXPECT_NE(message(indices({1}, {0}), indices({1}, {0})), "");
}

TEST(Scatter, NDReplacesSlices) {
  HostTensor x = floats({2, 2}, {1, 2, 3, 4});
  HostTensor at = indices({2, 1}, {1, 1});
  HostTensor updates = floats({2, 2}, {5, 6, 7, 8});
  expectValues(take(scatterND(x, at, updates, ScatterReduction::None)),
               {1, 2, 7, 8});
  expectValues(take(scatterND(x, at, updates, ScatterReduction::Add)),
               {1, 2, 15, 18});
  EXPECT_NE(takeMessage(
                scatterND(x, at, floats({2}, {5, 6}), ScatterReduction::None)),
            "");
  // The input keeps its elements.
  expectValues(x, {1, 2, 3, 4});
}

TEST(Scatter, ParsesReductions) {
  EXPECT_EQ(parseScatterReduction("mul"), ScatterReduction::Mul);
  EXPECT_EQ(parseScatterReduction("div"), std::nullopt);
}
