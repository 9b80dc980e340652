//===- CastTest.cpp - Tests of the Cast kernel ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Cast.h"
#include "TensorTesting.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static const double nan_ = std::nan("");

static HostTensor strings(llvm::ArrayRef<std::string> values) {
  HostTensor tensor(ElementType::String, {int64_t(values.size())});
  std::copy(values.begin(), values.end(), tensor.getMutableStrings().begin());
  return tensor;
}

TEST(Cast, KeepsSmallNumbersAcrossAllNumericTypes) {
  for (int64_t from = 1; from <= lastElementType; ++from)
    for (int64_t to = 1; to <= lastElementType; ++to) {
      ElementType source = *getElementType(from), target = *getElementType(to);
      if (!isNumeric(source) || !isNumeric(target))
        continue;
      SCOPED_TRACE(getName(source).str() + " to " + getName(target).str());
      HostTensor y = take(cast(makeTensor(source, {1}, {1}), target));
      EXPECT_EQ(y.getType(), target);
      expectValues(y, {1});
    }
}

TEST(Cast, TruncatesFloatsToIntegers) {
  expectValues(take(cast(floats({3}, {1.9, -1.9, nan_}), ElementType::Int32)),
               {1, -1, 0});
}

TEST(Cast, DefinesFloatsOutOfRange) {
  HostTensor x =
      makeTensor(ElementType::Double, {4}, {-1, 300, infinity, -infinity});
  expectValues(take(cast(x, ElementType::UInt8)), {255, 44, 255, 0});
  HostTensor wide = take(cast(x, ElementType::Int64));
  EXPECT_EQ(wide.getInt(2), INT64_MAX);
  EXPECT_EQ(wide.getInt(3), INT64_MIN);
}

TEST(Cast, ConvertsLargeIntegersExactly) {
  HostTensor x(ElementType::Int64, {1});
  x.setInt(0, (int64_t(1) << 53) + 1);
  EXPECT_EQ(take(cast(x, ElementType::UInt64)).getInt(0),
            (int64_t(1) << 53) + 1);
}

TEST(Cast, MakesBoolsOfAnythingButZero) {
  expectValues(
      take(cast(floats({4}, {0, -0.0, 0.25, nan_}), ElementType::Bool)),
      {0, 0, 1, 1});
}

TEST(Cast, WrapsNarrowIntegers) {
  HostTensor x = makeTensor(ElementType::Int32, {3}, {7, 8, -9});
  expectValues(take(cast(x, ElementType::Int4)), {7, -8, 7});
  expectValues(take(cast(x, ElementType::UInt4)), {7, 8, 7});
  expectValues(take(cast(x, ElementType::Int2)), {-1, 0, -1});
}

TEST(Cast, RoundsFloatsToIntegersOfFewBitsAndWraps) {
  HostTensor x = floats({6}, {-1.98, 2.5, 3.5, -2.54, 2.64, 9});
  expectValues(take(cast(x, ElementType::Int4)), {-2, 2, 4, -3, 3, -7});
  expectValues(take(cast(x, ElementType::UInt4)), {14, 2, 4, 13, 3, 9});
  expectValues(take(cast(x, ElementType::Int2)), {-2, -2, 0, 1, -1, 1});
  expectValues(take(cast(x, ElementType::UInt2)), {2, 2, 0, 1, 3, 1});
  // From a byte on, integers truncate.
  expectValues(take(cast(x, ElementType::Int8)), {-1, 2, 3, -2, 2, 9});
}

TEST(Cast, SaturatesFloat8OnlyWhenAsked) {
  HostTensor x = floats({2}, {1000, -infinity});
  expectValues(take(cast(x, ElementType::Float8E4M3FN)), {448, -448});
  CastOptions options;
  options.saturate = false;
  expectValues(take(cast(x, ElementType::Float8E4M3FN, options)), {nan_, nan_});
  expectValues(take(cast(x, ElementType::Float8E5M2, options)),
               {1024, -infinity});
}

TEST(Cast, RoundsToPowersOfTwoUpwards) {
  expectValues(take(cast(floats({1}, {1.1}), ElementType::Float8E8M0)), {2});
  CastOptions options;
  options.rounding = PowerRounding::Down;
  expectValues(take(cast(floats({1}, {1.9}), ElementType::Float8E8M0, options)),
               {1});
  // Zero has no power of two.
  expectValues(take(cast(floats({1}, {0}), ElementType::Float8E8M0)),
               {std::ldexp(1, -127)});
  options.saturate = false;
  expectValues(take(cast(floats({1}, {0}), ElementType::Float8E8M0, options)),
               {nan_});
}

TEST(Cast, WritesNumbersAsShortStrings) {
  HostTensor y = take(
      cast(floats({7}, {0.9767611, 1, 100000, 1e-5, nan_, infinity, -infinity}),
           ElementType::String));
  EXPECT_EQ(y.getStrings().vec(),
            (std::vector<std::string>{"0.9767611", "1", "100000", "1e-05",
                                      "NaN", "INF", "-INF"}));
  HostTensor large(ElementType::UInt64, {1});
  large.setInt(0, -1);
  EXPECT_EQ(take(cast(large, ElementType::String)).getStrings()[0],
            "18446744073709551615");
}

TEST(Cast, ReadsNumbersFromStrings) {
  expectValues(take(cast(strings({"0.5", "+INF", "-inf", "NaN", "1e3", " -2"}),
                         ElementType::Float)),
               {0.5, infinity, -infinity, nan_, 1000, -2});
  expectValues(take(cast(strings({"12", "-3", "2.9"}), ElementType::Int32)),
               {12, -3, 2});
}

TEST(Cast, RefusesStringsThatAreNoNumbers) {
  EXPECT_EQ(takeMessage(cast(strings({"abc"}), ElementType::Float)),
            "a string to cast must be a number, but is \"abc\"");
  EXPECT_NE(takeMessage(cast(strings({""}), ElementType::Int32)), "");
  EXPECT_NE(takeMessage(cast(strings({"1e"}), ElementType::Double)), "");
  EXPECT_NE(takeMessage(cast(strings({"-"}), ElementType::Double)), "");
  EXPECT_NE(takeMessage(cast(strings({"0x10"}), ElementType::Float)), "");
}

TEST(Cast, ConvertsComplexOnlyToComplex) {
  HostTensor x(ElementType::Complex64, {1});
  reinterpret_cast<float *>(x.getMutableBytes().data())[1] = 2.5f;
  HostTensor y = take(cast(x, ElementType::Complex128));
  EXPECT_EQ(reinterpret_cast<const double *>(y.getBytes().data())[1], 2.5);
  EXPECT_NE(takeMessage(cast(x, ElementType::Float)), "");
}
