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

namespace {

/// Where the *Elements operators look for element `i` of `at`, one dimension
/// after another.
int64_t offsetOf(const HostTensor &x, const HostTensor &at, int64_t axis,
                 int64_t i) {
  int64_t index = at.getInt(i), offset = 0, stride = 1;
  for (int64_t dim = x.getRank(); dim-- > 0;) {
    int64_t place = i % at.getDim(dim);
    if (dim == axis)
      place = index < 0 ? index + x.getDim(dim) : index;
    offset += place * stride;
    stride *= x.getDim(dim);
    i /= at.getDim(dim);
  }
  return offset;
}

struct ElementsCase {
  std::vector<int64_t> shape, at;
  int64_t axis;
};

/// Runs that lie side by side in both, that end earlier, and that are longer
/// than what is looked at once.
const ElementsCase elementsCases[] = {
    {{5, 4, 30, 20}, {3, 4, 30, 20}, 0}, {{5, 4, 30, 20}, {5, 2, 30, 19}, 0},
    {{5, 4, 30, 20}, {2, 9, 29, 20}, 1}, {{5, 4, 30, 20}, {5, 4, 7, 20}, 2},
    {{5, 4, 30, 20}, {5, 3, 30, 33}, 3}, {{7, 3000}, {2, 3000}, 0},
    {{7, 3000}, {7, 5000}, 1},           {{3000}, {2500}, 0},
    {{2, 3, 1}, {2, 3, 1}, 1},           {{2, 3}, {2, 0}, 1}};

HostTensor countUp(llvm::ArrayRef<int64_t> shape) {
  HostTensor x(ElementType::Float, shape);
  for (int64_t i = 0; i < x.getNumElements(); ++i)
    x.setDouble(i, double(i));
  return x;
}

/// Indices of both signs.
HostTensor makeIndices(llvm::ArrayRef<int64_t> shape, int64_t dim) {
  HostTensor at(ElementType::Int32, shape);
  for (int64_t i = 0; i < at.getNumElements(); ++i)
    at.setInt(i, i * 7919 % (2 * dim) - dim);
  return at;
}

} // namespace

TEST(Gather, ElementsOfAllShapesAreThoseOfTheirPlaces) {
  for (const ElementsCase &own : elementsCases) {
    HostTensor x = countUp(own.shape),
               at = makeIndices(own.at, own.shape[own.axis]);
    HostTensor y = take(gatherElements(x, at, own.axis));
    for (int64_t i = 0; i < at.getNumElements(); ++i)
      ASSERT_EQ(y.getDouble(i), double(offsetOf(x, at, own.axis, i)))
          << formatShape(own.at) << " along " << own.axis;
  }
}

TEST(Scatter, ElementsOfAllShapesGoToTheirPlaces) {
  for (const ElementsCase &own : elementsCases) {
    HostTensor x = countUp(own.shape), updates = countUp(own.at),
               at = makeIndices(own.at, own.shape[own.axis]);
    for (auto reduction : {ScatterReduction::None, ScatterReduction::Max}) {
      HostTensor y = take(scatterElements(x, at, updates, own.axis, reduction));
      HostTensor expected = countUp(own.shape);
      for (int64_t i = 0; i < at.getNumElements(); ++i) {
        int64_t place = offsetOf(x, at, own.axis, i);
        double old = expected.getDouble(place);
        if (reduction == ScatterReduction::None || old < double(i))
          expected.setDouble(place, double(i));
      }
      ASSERT_EQ(y.getBytes(), expected.getBytes())
          << formatShape(own.at) << " along " << own.axis;
    }
  }
}

TEST(Scatter, ElementsRefuseAnIndexBehindManyOthers) {
  HostTensor x = countUp({3, 2000}), at = makeIndices({3, 2000}, 3);
  at.setInt(5999, 3);
  EXPECT_EQ(takeMessage(scatterElements(x, at, x, 0, ScatterReduction::None)),
            "index 3 is outside an axis of size 3");
  EXPECT_EQ(takeMessage(gatherElements(x, at, 0)),
            "index 3 is outside an axis of size 3");
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
