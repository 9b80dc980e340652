//===- SmallFloatTest.cpp - Tests of narrow floats ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/SmallFloat.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace inlay;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static const double nan_ = std::nan("");

/// Every bit pattern comes back from its number; NaNs as some NaN.
static void expectRoundTrip(const SmallFloatFormat &format) {
  for (uint32_t bits = 0; bits < 2 * format.getSignBit(); ++bits) {
    double value = decodeSmallFloat(format, bits);
    uint32_t again = encodeSmallFloat(format, value, /*saturate=*/false);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(decodeSmallFloat(format, again))) << bits;
    else
      EXPECT_EQ(again, bits) << value;
  }
}

/// Between neighbours the middle goes to the even one, and a hair off the
/// middle to the nearer.
static void expectNearestEven(const SmallFloatFormat &format) {
  for (uint32_t bits = 0; bits < format.getMaxFinite(); ++bits) {
    double low = decodeSmallFloat(format, bits);
    double high = decodeSmallFloat(format, bits + 1);
    double middle = low + (high - low) / 2;
    uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    EXPECT_EQ(encodeSmallFloat(format, middle, false), even) << middle;
    EXPECT_EQ(encodeSmallFloat(format, std::nextafter(middle, 0), false), bits);
    EXPECT_EQ(encodeSmallFloat(format, std::nextafter(middle, high), false),
              bits + 1);
  }
}

/// What LLVM calls the type.
static const llvm::fltSemantics &getSemantics(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return llvm::APFloat::IEEEhalf();
  case ElementType::BFloat16:
    return llvm::APFloat::BFloat();
  case ElementType::Float8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case ElementType::Float8E4M3FNUZ:
    return llvm::APFloat::Float8E4M3FNUZ();
  case ElementType::Float8E5M2:
    return llvm::APFloat::Float8E5M2();
  case ElementType::Float8E5M2FNUZ:
    return llvm::APFloat::Float8E5M2FNUZ();
  default:
    return llvm::APFloat::Float4E2M1FN();
  }
}

static double decodeByLLVM(ElementType type, uint32_t bits) {
  const llvm::fltSemantics &semantics = getSemantics(type);
  llvm::APFloat value(
      semantics, llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// Not for what float4e2m1 has no bits for.
static uint32_t encodeByLLVM(ElementType type, double number) {
  llvm::APFloat value(number);
  bool losesInfo;
  value.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

/// Expects the bits that LLVM gives; NaNs as some NaN.
static void expectAsInLLVM(ElementType type, double number) {
  const SmallFloatFormat &format = *getSmallFloatFormat(type);
  if (!std::isfinite(number) && format.nonFinite == NonFinite::None)
    return;
  uint32_t bits = encodeSmallFloat(format, number, /*saturate=*/false);
  uint32_t wanted = encodeByLLVM(type, number);
  if (std::isnan(decodeByLLVM(type, wanted)))
    EXPECT_TRUE(std::isnan(decodeSmallFloat(format, bits))) << number;
  else
    EXPECT_EQ(bits, wanted) << number;
}

class SmallFloatFormats : public ::testing::TestWithParam<ElementType> {};

TEST_P(SmallFloatFormats, EveryPatternRoundTrips) {
  expectRoundTrip(*getSmallFloatFormat(GetParam()));
}

TEST_P(SmallFloatFormats, RoundsToNearestEvenBetweenAllNeighbours) {
  expectNearestEven(*getSmallFloatFormat(GetParam()));
}

TEST_P(SmallFloatFormats, EveryPatternIsTheNumberThatLLVMSays) {
  const SmallFloatFormat &format = *getSmallFloatFormat(GetParam());
  for (uint32_t bits = 0; bits < 2 * format.getSignBit(); ++bits) {
    double value = decodeSmallFloat(format, bits);
    double wanted = decodeByLLVM(GetParam(), bits);
    if (std::isnan(wanted))
      EXPECT_TRUE(std::isnan(value)) << bits;
    else
      EXPECT_EQ(std::bit_cast<uint64_t>(value), std::bit_cast<uint64_t>(wanted))
          << bits;
  }
}

/// Numbers in and a little beyond the format's range, of double and of single
/// precision.
TEST_P(SmallFloatFormats, RandomNumbersBecomeTheBitsThatLLVMSays) {
  const SmallFloatFormat &format = *getSmallFloatFormat(GetParam());
  std::mt19937_64 random{uint64_t(GetParam())};
  int lowest = -format.bias - format.mantissaBits - 3;
  int highest = (1 << format.exponentBits) - format.bias + 2;
  for (int i = 0; i < 50'000; ++i) {
    int exponent = lowest + int(random() % unsigned(highest - lowest + 1));
    double number =
        std::ldexp(1 + std::ldexp(double(random() >> 11), -53), exponent);
    if (random() % 2)
      number = -number;
    expectAsInLLVM(GetParam(), number);
    expectAsInLLVM(GetParam(), float(number));
  }
}

/// Any bits of a double or a float: subnormal ones, huge ones, NaNs.
TEST_P(SmallFloatFormats, RandomBitsBecomeTheBitsThatLLVMSays) {
  std::mt19937_64 random{uint64_t(GetParam())};
  for (int i = 0; i < 50'000; ++i) {
    uint64_t bits = random();
    expectAsInLLVM(GetParam(), std::bit_cast<double>(bits));
    expectAsInLLVM(GetParam(), std::bit_cast<float>(uint32_t(bits)));
  }
  for (double number : {0.0, -0.0, infinity, -infinity, nan_})
    expectAsInLLVM(GetParam(), number);
}

INSTANTIATE_TEST_SUITE_P(
    All, SmallFloatFormats,
    ::testing::Values(ElementType::Float16, ElementType::BFloat16,
                      ElementType::Float8E4M3FN, ElementType::Float8E4M3FNUZ,
                      ElementType::Float8E5M2, ElementType::Float8E5M2FNUZ,
                      ElementType::Float4E2M1),
    [](const auto &info) { return getName(info.param).str(); });

TEST(SmallFloat, HasNoFormatForWideTypes) {
  EXPECT_EQ(getSmallFloatFormat(ElementType::Float), nullptr);
  EXPECT_EQ(getSmallFloatFormat(ElementType::Float8E8M0), nullptr);
}

TEST(SmallFloat, KnowsTheLargestNumbers) {
  auto largest = [](const SmallFloatFormat &format) {
    return decodeSmallFloat(format, format.getMaxFinite());
  };
  EXPECT_EQ(largest(float16Format), 65504);
  EXPECT_EQ(largest(float8E4M3FNFormat), 448);
  EXPECT_EQ(largest(float8E4M3FNUZFormat), 240);
  EXPECT_EQ(largest(float8E5M2Format), 57344);
  EXPECT_EQ(largest(float8E5M2FNUZFormat), 57344);
  EXPECT_EQ(largest(float4E2M1Format), 6);
}

static uint32_t doubleToHalf(double value) {
  return encodeSmallFloat(float16Format, value, /*saturate=*/false);
}

TEST(SmallFloat, RoundsDoubleToHalfOnce) {
  // Just above the middle of 1 and the next half; float32 cannot tell it from
  // the middle, which would go down to the even 1.
  double value = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  EXPECT_EQ(doubleToHalf(value), 0x3c01u);
  EXPECT_EQ(doubleToHalf(float(value)), 0x3c00u);
}

TEST(SmallFloat, OverflowsToInfinityInHalf) {
  EXPECT_EQ(doubleToHalf(65519.9), 0x7bffu);
  EXPECT_EQ(doubleToHalf(65520.0), 0x7c00u);
  EXPECT_EQ(doubleToHalf(-1e300), 0xfc00u);
  EXPECT_TRUE(std::isnan(decodeSmallFloat(float16Format, doubleToHalf(nan_))));
}

TEST(SmallFloat, SaturatesFloat8WhenAsked) {
  EXPECT_EQ(encodeSmallFloat(float8E4M3FNFormat, 1e6, true), 0x7e);
  EXPECT_EQ(encodeSmallFloat(float8E4M3FNFormat, -infinity, true), 0xfe);
  EXPECT_EQ(encodeSmallFloat(float8E5M2Format, infinity, true), 0x7b);
  EXPECT_EQ(encodeSmallFloat(float8E4M3FNUZFormat, -1e6, true), 0xff);
}

TEST(SmallFloat, LeavesTheRangeOfFloat8WhenNotSaturating) {
  EXPECT_EQ(encodeSmallFloat(float8E4M3FNFormat, 1e6, false), 0x7f);
  EXPECT_EQ(encodeSmallFloat(float8E5M2Format, -1e6, false), 0xfc);
  EXPECT_EQ(encodeSmallFloat(float8E4M3FNUZFormat, infinity, false), 0x80);
  EXPECT_EQ(encodeSmallFloat(float8E5M2FNUZFormat, -1e6, false), 0x80);
}

TEST(SmallFloat, HasNoNegativeZeroInTheUnsignedZeroFormats) {
  EXPECT_EQ(encodeSmallFloat(float8E4M3FNUZFormat, -0.0, true), 0);
  EXPECT_EQ(encodeSmallFloat(float8E4M3FNFormat, -0.0, true), 0x80);
}

TEST(SmallFloat, ClampsFloat4InAnyCase) {
  EXPECT_EQ(encodeSmallFloat(float4E2M1Format, 100, false), 7);
  EXPECT_EQ(encodeSmallFloat(float4E2M1Format, -infinity, false), 15);
  EXPECT_EQ(encodeSmallFloat(float4E2M1Format, nan_, false), 7);
}

TEST(Float8E8M0, EveryPatternRoundTrips) {
  for (unsigned bits = 0; bits < 256; ++bits)
    for (PowerRounding rounding :
         {PowerRounding::Up, PowerRounding::Down, PowerRounding::Nearest})
      EXPECT_EQ(encodeFloat8E8M0(decodeFloat8E8M0(bits), rounding), bits);
}

TEST(Float8E8M0, RoundsPowersAsAsked) {
  EXPECT_EQ(encodeFloat8E8M0(1.1, PowerRounding::Up), 128);
  EXPECT_EQ(encodeFloat8E8M0(1.9, PowerRounding::Down), 127);
  EXPECT_EQ(encodeFloat8E8M0(1.4, PowerRounding::Nearest), 127);
  EXPECT_EQ(encodeFloat8E8M0(1.5, PowerRounding::Nearest), 128);
}

TEST(Float8E8M0, SaturatesOrGivesNaNBeyondItsRange) {
  double largest = std::ldexp(1.0, 127), smallest = std::ldexp(1.0, -127);
  for (PowerRounding rounding :
       {PowerRounding::Up, PowerRounding::Down, PowerRounding::Nearest}) {
    for (double above : {largest * 1.01, 1e300, infinity}) {
      EXPECT_EQ(encodeFloat8E8M0(above, rounding, true), 0xfe);
      EXPECT_EQ(encodeFloat8E8M0(above, rounding, false), 0xff);
    }
    for (double below : {smallest * 0.99, 0.0, -1.0, -infinity}) {
      EXPECT_EQ(encodeFloat8E8M0(below, rounding, true), 0);
      EXPECT_EQ(encodeFloat8E8M0(below, rounding, false), 0xff);
    }
    EXPECT_EQ(encodeFloat8E8M0(largest, rounding, false), 0xfe);
    EXPECT_EQ(encodeFloat8E8M0(smallest, rounding, false), 0);
    EXPECT_EQ(encodeFloat8E8M0(nan_, rounding, true), 0xff);
  }
}
