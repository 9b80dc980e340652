//===- CheckedMath.h - Integer arithmetic that reports overflow -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Anything computed from numbers of a file goes through these.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_CHECKEDMATH_H
#define INLAY_SUPPORT_CHECKEDMATH_H

#include <concepts>
#include <optional>

namespace inlay {

/// a + b, or nothing when it does not fit into T.
template <std::integral T> std::optional<T> checkedAdd(T a, T b) {
  T result;
  if (__builtin_add_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

/// a * b, or nothing when it does not fit into T.
template <std::integral T> std::optional<T> checkedMul(T a, T b) {
  T result;
  if (__builtin_mul_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

/// Whether [offset, offset + length) lies within [0, size).
template <std::unsigned_integral T>
bool isRangeWithin(T offset, T length, T size) {
  return offset <= size && length <= size - offset;
}

} // namespace inlay

#endif // INLAY_SUPPORT_CHECKEDMATH_H
