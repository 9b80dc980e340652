//===- CompareTest.cpp - When tensors are equal enough --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/Compare.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inlay;

static HostTensor get(ElementType type, llvm::ArrayRef<double> values) {
  HostTensor tensor(type, {int64_t(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.setDouble(i, values[i]);
  return tensor;
}

static TensorComparison compare(ElementType type, llvm::ArrayRef<double> a,
                                llvm::ArrayRef<double> b,
                                const CompareOptions &options = {}) {
  return compareTensors("y", get(type, a), get(type, b), options);
}

TEST(Compare, MeasuresTheErrorAgainstTheLargestElement) {
  TensorComparison result =
      compare(ElementType::Double, {100, 1}, {100, 1.00005});
  EXPECT_TRUE(result.isEqual);
  EXPECT_NEAR(result.relativeError, 5e-7, 1e-12);
  EXPECT_NEAR(result.maxAbsError, 5e-5, 1e-12);
}

TEST(Compare, RefusesLargerErrors) {
  TensorComparison result =
      compare(ElementType::Double, {1, 2, 3}, {1, 2.1, 3});
  EXPECT_FALSE(result.isEqual);
  EXPECT_EQ(result.numMismatches, 1u);
  EXPECT_EQ(result.worst, (HostTensor::Shape{1}));
}

TEST(Compare, TakesTheToleranceThatIsGiven) {
  CompareOptions options{0.1, true};
  EXPECT_TRUE(compare(ElementType::Float, {1}, {1.05}, options).isEqual);
  EXPECT_FALSE(compare(ElementType::Float, {1}, {1.2}, options).isEqual);
  EXPECT_TRUE(compare(ElementType::Float16, {1}, {1.05}, options).isEqual);
}

TEST(Compare, AllowsTheLeastThatIsGiven) {
  const double step = 0x1p-149;
  CompareOptions options;
  EXPECT_FALSE(
      compare(ElementType::Float, {9 * step, 1}, {11 * step, 1}).isEqual);
  options.least = 2 * step;
  EXPECT_TRUE(
      compare(ElementType::Float, {9 * step, 1}, {11 * step, 1}, options)
          .isEqual);
  EXPECT_FALSE(
      compare(ElementType::Float, {9 * step, 1}, {12 * step, 1}, options)
          .isEqual);
}

TEST(Compare, AllowsTwoUnitsInTheLastPlaceOfHalves) {
  double unit = std::ldexp(1, -10);
  EXPECT_TRUE(compare(ElementType::Float16, {1}, {1 + 2 * unit}).isEqual);
  EXPECT_FALSE(compare(ElementType::Float16, {1}, {1 + 3 * unit}).isEqual);
}

TEST(Compare, UnitsFollowTheLargestElement) {
  EXPECT_EQ(getUnitInLastPlace(ElementType::Float16, 1), std::ldexp(1, -10));
  EXPECT_EQ(getUnitInLastPlace(ElementType::Float16, 1000), 0.5);
  EXPECT_EQ(getUnitInLastPlace(ElementType::BFloat16, 1), std::ldexp(1, -7));
  EXPECT_EQ(getUnitInLastPlace(ElementType::Float16, 0), std::ldexp(1, -24));
}

TEST(Compare, ZerosMustStayZeros) {
  EXPECT_TRUE(compare(ElementType::Float, {0}, {0}).isEqual);
  TensorComparison result = compare(ElementType::Float, {0}, {1e-30});
  EXPECT_FALSE(result.isEqual);
  EXPECT_TRUE(std::isinf(result.relativeError));
}

TEST(Compare, NaNsCorrespondByPosition) {
  EXPECT_TRUE(compare(ElementType::Float, {NAN, 1}, {NAN, 1}).isEqual);
  TensorComparison result = compare(ElementType::Float, {NAN, 1}, {1, NAN});
  EXPECT_FALSE(result.isEqual);
  EXPECT_EQ(result.numMismatches, 2u);
}

TEST(Compare, InfinitiesCorrespondByPositionAndSign) {
  EXPECT_TRUE(
      compare(ElementType::Float, {INFINITY, 1}, {INFINITY, 1}).isEqual);
  EXPECT_FALSE(
      compare(ElementType::Float, {INFINITY, 1}, {-INFINITY, 1}).isEqual);
  EXPECT_FALSE(compare(ElementType::Float, {INFINITY, 1}, {3e38, 1}).isEqual);
}

TEST(Compare, AnInfinityDoesNotWidenTheLimit) {
  EXPECT_FALSE(
      compare(ElementType::Float, {INFINITY, 1}, {INFINITY, 1.1}).isEqual);
}

TEST(Compare, AHugeElementDoesNotWidenTheLimitOfOthers) {
  for (double huge : {3.4e38, -3.4e38, 1e9}) {
    TensorComparison result =
        compare(ElementType::Float, {huge, 1, 2, 3}, {huge, 1, 2.1, 3});
    EXPECT_FALSE(result.isEqual);
    EXPECT_EQ(result.numMismatches, 1u);
    EXPECT_EQ(result.worst, (HostTensor::Shape{2}));
  }
  // Not even where it differs by rounding itself.
  TensorComparison result =
      compare(ElementType::Double, {1e30, 1, 2}, {1e30 + 1e20, 1.1, 2});
  EXPECT_FALSE(result.isEqual);
  EXPECT_EQ(result.numMismatches, 1u);
  EXPECT_EQ(result.worst, (HostTensor::Shape{1}));
  EXPECT_FALSE(
      compare(ElementType::Float16, {60000, 1, 1.5}, {60000, 1.25, 1.5})
          .isEqual);
}

TEST(Compare, SmallElementsAreMeasuredByOrdinaryOnes) {
  // What is left of a difference is rounded as what it is the difference of.
  std::vector<double> a(20, 1), b = a;
  a[3] = 1e-7, b[3] = 2e-7;
  a[4] = 0, b[4] = 1e-7;
  EXPECT_TRUE(compare(ElementType::Double, a, b).isEqual);
  a[5] = b[5] = 1e20;
  EXPECT_TRUE(compare(ElementType::Double, a, b).isEqual);
  b[6] += 2e-6;
  EXPECT_FALSE(compare(ElementType::Double, a, b).isEqual);
}

TEST(Compare, IntegersMustBeEqual) {
  CompareOptions loose{1, true};
  EXPECT_TRUE(compare(ElementType::Int8, {1, -2}, {1, -2}).isEqual);
  TensorComparison result =
      compare(ElementType::Int8, {1, -128}, {1, 127}, loose);
  EXPECT_FALSE(result.isEqual);
  EXPECT_EQ(result.maxAbsError, 255);
}

TEST(Compare, LargeIntegersDifferByOne) {
  HostTensor a(ElementType::UInt64, {1}), b(ElementType::UInt64, {1});
  a.setInt(0, -1);
  b.setInt(0, -2);
  EXPECT_TRUE(compareTensors("y", a, a).isEqual);
  EXPECT_EQ(compareTensors("y", a, b).maxAbsError, 1);
}

TEST(Compare, StringsMustBeEqual) {
  HostTensor a(ElementType::String, {2}), b(ElementType::String, {2});
  EXPECT_TRUE(compareTensors("y", a, b).isEqual);
  b.getMutableStrings()[1] = "x";
  TensorComparison result = compareTensors("y", a, b);
  EXPECT_FALSE(result.isEqual);
  EXPECT_EQ(result.worst, (HostTensor::Shape{1}));
}

TEST(Compare, ComplexNumbersHaveTwoParts) {
  float values[] = {1, 2, 3, 4}, others[] = {1, 2, 3, 5};
  auto view = [](llvm::ArrayRef<float> parts) {
    llvm::ArrayRef<char> bytes(reinterpret_cast<const char *>(parts.data()),
                               parts.size() * sizeof(float));
    return HostTensor::view(ElementType::Complex64, {2}, bytes, nullptr);
  };
  EXPECT_TRUE(compareTensors("y", view(values), view(values)).isEqual);
  TensorComparison result = compareTensors("y", view(values), view(others));
  EXPECT_FALSE(result.isEqual);
  EXPECT_EQ(result.worst, (HostTensor::Shape{1}));
}

TEST(Compare, TypesAndShapesMustBeEqual) {
  HostTensor a(ElementType::Float, {2, 3});
  EXPECT_EQ(
      compareTensors("y", a, HostTensor(ElementType::Double, {2, 3})).reason,
      "element types differ: float and double");
  EXPECT_EQ(
      compareTensors("y", a, HostTensor(ElementType::Float, {3, 2})).reason,
      "shapes differ: 2x3 and 3x2");
}

TEST(Compare, EmptyTensorsAreEqual) {
  EXPECT_TRUE(compare(ElementType::Float, {}, {}).isEqual);
}
