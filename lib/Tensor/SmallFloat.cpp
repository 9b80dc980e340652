//===- SmallFloat.cpp - Floats of 16 bits and fewer -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/SmallFloat.h"
#include <bit>
#include <cmath>
#include <limits>

using namespace inlay;

static constexpr int doubleMantissaBits = 52;
static constexpr int doubleBias = 1023;
static constexpr uint64_t doubleMantissaMask =
    (uint64_t(1) << doubleMantissaBits) - 1;

/// 2^exponent, for exponents of normal doubles.
static double powerOfTwo(int exponent) {
  return std::bit_cast<double>(uint64_t(exponent + doubleBias)
                               << doubleMantissaBits);
}

/// bits / 2^shift rounded to nearest even; 1 <= shift <= 63.
static uint64_t shiftRightRounding(uint64_t bits, unsigned shift) {
  uint64_t half = uint64_t(1) << (shift - 1);
  uint64_t odd = (bits >> shift) & 1;
  return (bits + half - 1 + odd) >> shift;
}

const SmallFloatFormat *inlay::getSmallFloatFormat(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return &float16Format;
  case ElementType::BFloat16:
    return &bfloat16Format;
  case ElementType::Float8E4M3FN:
    return &float8E4M3FNFormat;
  case ElementType::Float8E4M3FNUZ:
    return &float8E4M3FNUZFormat;
  case ElementType::Float8E5M2:
    return &float8E5M2Format;
  case ElementType::Float8E5M2FNUZ:
    return &float8E5M2FNUZFormat;
  case ElementType::Float4E2M1:
    return &float4E2M1Format;
  default:
    return nullptr;
  }
}

double inlay::decodeSmallFloat(const SmallFloatFormat &format, uint32_t bits) {
  uint32_t magnitude = bits & (format.getSignBit() - 1);
  bool negative = bits & format.getSignBit();
  if (magnitude > format.getMaxFinite()) {
    bool isInfinity = format.nonFinite == NonFinite::IEEE &&
                      magnitude == format.getMaxFinite() + 1;
    double value = isInfinity ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
    return negative ? -value : value;
  }
  if (format.nonFinite == NonFinite::NaNAsNegativeZero && negative &&
      magnitude == 0)
    return std::numeric_limits<double>::quiet_NaN();

  uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  int exponent = int(magnitude >> format.mantissaBits);
  double value;
  if (exponent == 0) // subnormal
    value = mantissa * powerOfTwo(1 - format.bias - format.mantissaBits);
  else
    value = powerOfTwo(exponent - format.bias) *
            (1.0 + mantissa * powerOfTwo(-format.mantissaBits));
  return negative ? -value : value;
}

/// The bits of the rounded magnitude, which may lie beyond the largest finite
/// number: exponents go on past the format's.
static uint64_t roundMagnitude(const SmallFloatFormat &format,
                               uint64_t doubleBits) {
  int exponent = int(doubleBits >> doubleMantissaBits) - doubleBias;
  if (exponent == -doubleBias) // zero, or far below every narrow float
    return 0;
  uint64_t significand =
      (doubleBits & doubleMantissaMask) | (doubleMantissaMask + 1);
  int minExponent = 1 - format.bias;
  int shift = doubleMantissaBits - format.mantissaBits;
  if (exponent < minExponent) { // a subnormal result loses more bits
    shift += minExponent - exponent;
    return shift > doubleMantissaBits + 2
               ? 0
               : shiftRightRounding(significand, shift);
  }
  // The leading one of the significand adds the exponent's first step; a carry
  // out of the mantissa adds another.
  return (uint64_t(exponent - minExponent) << format.mantissaBits) +
         shiftRightRounding(significand, shift);
}

uint32_t inlay::encodeSmallFloat(const SmallFloatFormat &format, double value,
                                 bool saturate) {
  uint64_t doubleBits = std::bit_cast<uint64_t>(value);
  uint32_t sign = (doubleBits >> 63) ? format.getSignBit() : 0;
  bool unsignedNaN = format.nonFinite == NonFinite::NaNAsNegativeZero;
  if (std::isnan(value)) {
    if (format.nonFinite == NonFinite::None)
      return format.getMaxFinite();
    return unsignedNaN ? format.getNaN() : sign | format.getNaN();
  }
  uint64_t magnitude = roundMagnitude(format, doubleBits & ~(1ull << 63));
  if (magnitude > format.getMaxFinite()) {
    if (saturate || format.nonFinite == NonFinite::None)
      return sign | format.getMaxFinite();
    if (format.nonFinite == NonFinite::IEEE)
      return sign | (format.getMaxFinite() + 1);
    return unsignedNaN ? format.getNaN() : sign | format.getNaN();
  }
  if (magnitude == 0 && unsignedNaN)
    return 0;
  return sign | uint32_t(magnitude);
}

double inlay::decodeFloat8E8M0(uint8_t bits) {
  return bits == 0xff ? std::numeric_limits<double>::quiet_NaN()
                      : powerOfTwo(int(bits) - 127);
}

uint8_t inlay::encodeFloat8E8M0(double value, PowerRounding rounding,
                                bool saturate) {
  constexpr uint8_t smallest = 0, largest = 0xfe, notANumber = 0xff;
  if (std::isnan(value))
    return notANumber;
  if (value < powerOfTwo(-127)) // negative numbers, too
    return saturate ? smallest : notANumber;
  if (value > powerOfTwo(127))
    return saturate ? largest : notANumber;
  int exponent; // value = fraction * 2^exponent with fraction in [0.5, 1)
  double fraction = std::frexp(value, &exponent);
  int power = exponent - 1;
  bool roundsUp = rounding == PowerRounding::Up
                      ? fraction > 0.5
                      : rounding == PowerRounding::Nearest && fraction >= 0.75;
  return uint8_t(power + 127 + (roundsUp ? 1 : 0));
}

double inlay::getLowestFloat(ElementType type) {
  if (const SmallFloatFormat *format = getSmallFloatFormat(type))
    return -decodeSmallFloat(*format, format->getMaxFinite());
  return type == ElementType::Float
             ? double(std::numeric_limits<float>::lowest())
             : std::numeric_limits<double>::lowest();
}
