//===- QuantizedArithmeticTest.cpp - Sums and products of bytes -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/QuantizedArithmetic.h"
#include "inlay/Tensor/Kernels/Contraction.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace inlay::kernels;

static HostTensor bytes(std::initializer_list<int64_t> values) {
  HostTensor tensor(ElementType::UInt8, {int64_t(values.size())});
  int64_t i = 0;
  for (int64_t value : values)
    tensor.setInt(i++, value);
  return tensor;
}

static HostTensor scalar(float value) {
  return HostTensor::get<float>(ElementType::Float, {}, {value});
}

static std::vector<int64_t> elements(llvm::Expected<HostTensor> tensor) {
  std::vector<int64_t> result;
  if (!tensor) {
    ADD_FAILURE() << llvm::toString(tensor.takeError());
    return result;
  }
  for (int64_t i = 0; i < tensor->getNumElements(); ++i)
    result.push_back(tensor->getInt(i));
  return result;
}

// (a - 1) / 2 + b / 2 + 1: 1.5 becomes 2, and so does 2.5.
TEST(QuantizedArithmetic, HalvesAreThoseOfTheSumWithTheZeroPoint) {
  HostTensor half = scalar(0.5), one = scalar(1), zero = bytes({1});
  EXPECT_EQ(elements(qlinearAdd(bytes({1, 1, 1, 200}), {half, &zero},
                                bytes({0, 1, 3, 255}), {half, nullptr},
                                {one, &zero})),
            (std::vector<int64_t>{1, 2, 2, 228}));
  EXPECT_EQ(
      elements(quantizeAtOnce(
          HostTensor::get<float>(ElementType::Float, {3}, {0.5, 1.5, 900}),
          {one, &zero}, ElementType::UInt8)),
      (std::vector<int64_t>{2, 2, 255}));
}

TEST(QuantizedArithmetic, ProductsSaturate) {
  HostTensor half = scalar(0.5), zero = bytes({1});
  EXPECT_EQ(
      elements(qlinearMul(bytes({3, 0, 255}), {half, &zero}, bytes({4, 4, 255}),
                          {half, nullptr}, {half, nullptr})),
      (std::vector<int64_t>{4, 0, 255}));
}

TEST(QuantizedArithmetic, RefusesScalesOfSeveralElements) {
  HostTensor scales = HostTensor::get<float>(ElementType::Float, {2}, {1, 2});
  HostTensor one = scalar(1);
  auto sum = qlinearAdd(bytes({1}), {scales, nullptr}, bytes({1}),
                        {one, nullptr}, {one, nullptr});
  EXPECT_FALSE(bool(sum));
  EXPECT_EQ(llvm::toString(sum.takeError()),
            "scale and zero point must have one element, found 2");
}

// [1 2] * [3 4]^T + 5, in halves and in floats.
TEST(QuantizedArithmetic, GemmIsOfIntegersWhereItHasAScale) {
  HostTensor one = scalar(1), half = scalar(0.5);
  HostTensor none = bytes({0}).reshaped({});
  HostTensor a = bytes({1, 2}).reshaped({1, 2}),
             b = bytes({3, 4}).reshaped({1, 2});
  HostTensor c(ElementType::Int32, {1});
  c.setInt(0, 5);
  QGemmOptions options;
  options.transB = true;
  EXPECT_EQ(elements(qgemm(a, {one, none}, b, {half, none}, &c, &one, &none,
                           options)),
            (std::vector<int64_t>{8}));
  auto real =
      qgemm(a, {one, none}, b, {half, none}, &c, nullptr, nullptr, options);
  ASSERT_TRUE(bool(real));
  EXPECT_EQ(real->getType(), ElementType::Float);
  EXPECT_EQ(real->getDouble(0), 8.0);
}
