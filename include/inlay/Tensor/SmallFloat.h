//===- SmallFloat.h - Floats of 16 bits and fewer ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between double and the bits of the narrow floats of ONNX. All
// round once, to nearest even, from the double: float64 to float16 does not go
// through float32.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_SMALLFLOAT_H
#define INLAY_TENSOR_SMALLFLOAT_H

#include "inlay/Tensor/ElementType.h"
#include <cstdint>

namespace inlay {

/// How a narrow float with a sign spells what is not a finite number.
enum class NonFinite : uint8_t {
  /// Infinities and NaNs, as in IEEE 754: float16, bfloat16, float8e5m2.
  IEEE,
  /// No infinities; all bits below the sign set are NaN: float8e4m3fn.
  NaNOnly,
  /// No infinities, no negative zero; its bits are the NaN: the fnuz types.
  NaNAsNegativeZero,
  /// Finite numbers only: float4e2m1.
  None,
};

struct SmallFloatFormat {
  uint8_t exponentBits;
  uint8_t mantissaBits;
  int16_t bias;
  NonFinite nonFinite;

  constexpr unsigned getMagnitudeBits() const {
    return exponentBits + mantissaBits;
  }
  constexpr uint32_t getSignBit() const { return 1u << getMagnitudeBits(); }
  /// The bits of the largest finite number.
  constexpr uint32_t getMaxFinite() const {
    uint32_t all = getSignBit() - 1;
    if (nonFinite == NonFinite::IEEE)
      return all - (1u << mantissaBits);
    return nonFinite == NonFinite::NaNOnly ? all - 1 : all;
  }
  constexpr uint32_t getNaN() const {
    if (nonFinite == NonFinite::IEEE)
      return getMaxFinite() + 1 + (1u << (mantissaBits - 1));
    if (nonFinite == NonFinite::NaNAsNegativeZero)
      return getSignBit();
    return getSignBit() - 1;
  }
};

constexpr SmallFloatFormat float16Format{5, 10, 15, NonFinite::IEEE};
constexpr SmallFloatFormat bfloat16Format{8, 7, 127, NonFinite::IEEE};
constexpr SmallFloatFormat float8E4M3FNFormat{4, 3, 7, NonFinite::NaNOnly};
constexpr SmallFloatFormat float8E4M3FNUZFormat{4, 3, 8,
                                                NonFinite::NaNAsNegativeZero};
constexpr SmallFloatFormat float8E5M2Format{5, 2, 15, NonFinite::IEEE};
constexpr SmallFloatFormat float8E5M2FNUZFormat{5, 2, 16,
                                                NonFinite::NaNAsNegativeZero};
constexpr SmallFloatFormat float4E2M1Format{2, 1, 1, NonFinite::None};

/// The format of a narrow float with a sign, or null for any other type.
const SmallFloatFormat *getSmallFloatFormat(ElementType type);

/// The number that `bits` spells.
double decodeSmallFloat(const SmallFloatFormat &format, uint32_t bits);

/// Rounds to nearest even. A number beyond the largest finite one, infinity
/// included, becomes that one if `saturate`, otherwise infinity, or NaN where
/// there is none. A format without NaN gives its largest number for NaN and
/// always saturates.
uint32_t encodeSmallFloat(const SmallFloatFormat &format, double value,
                          bool saturate);

/// float8e8m0 holds powers of two, 2^-127 to 2^127, and NaN.
enum class PowerRounding : uint8_t { Up, Down, Nearest };
double decodeFloat8E8M0(uint8_t bits);
/// Out of range, infinity and zero included, the nearest bound if `saturate`,
/// otherwise NaN. ONNX leaves negative numbers open: they are below the range,
/// as in ONNX Runtime.
uint8_t encodeFloat8E8M0(double value,
                         PowerRounding rounding = PowerRounding::Nearest,
                         bool saturate = true);

/// The lowest finite number of a type of floats that have a sign: a mask of
/// that is one that hides.
double getLowestFloat(ElementType type);

} // namespace inlay

#endif // INLAY_TENSOR_SMALLFLOAT_H
