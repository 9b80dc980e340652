//===- Cost.h - What relayouts cost -----------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUTASSIGN_COST_H
#define INLAY_LAYOUTASSIGN_COST_H

#include "llvm/Support/MathExtras.h"
#include <cstdint>

namespace inlay {

/// Which part of a cost is compared first; the other breaks ties.
enum class Objective { Bytes, Count };

/// Bytes moved and number of relayouts. Sums saturate.
struct Cost {
  uint64_t bytes = 0;
  uint64_t count = 0;

  Cost &operator+=(const Cost &other) {
    bytes = llvm::SaturatingAdd(bytes, other.bytes);
    count = llvm::SaturatingAdd(count, other.count);
    return *this;
  }
  friend Cost operator+(Cost a, const Cost &b) { return a += b; }
  friend bool operator==(const Cost &, const Cost &) = default;
};

/// Whether `a` is cheaper than `b` under `objective`.
inline bool isCheaper(const Cost &a, const Cost &b, Objective objective) {
  bool bytesFirst = objective == Objective::Bytes;
  uint64_t firstA = bytesFirst ? a.bytes : a.count;
  uint64_t firstB = bytesFirst ? b.bytes : b.count;
  if (firstA != firstB)
    return firstA < firstB;
  return bytesFirst ? a.count < b.count : a.bytes < b.bytes;
}

/// The most that `b` may grow by without costing more than `a`, which it does
/// not.
inline Cost getDifference(const Cost &a, const Cost &b, Objective objective) {
  bool bytesFirst = objective == Objective::Bytes;
  Cost difference{a.bytes - b.bytes, a.count - b.count};
  // Where the second part would shrink, the first grows by one less instead.
  if (bytesFirst && a.count < b.count)
    return {difference.bytes - 1, 0};
  if (!bytesFirst && a.bytes < b.bytes)
    return {0, difference.count - 1};
  return difference;
}

} // namespace inlay

#endif // INLAY_LAYOUTASSIGN_COST_H
