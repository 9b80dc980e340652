//===- Weight.h - Costs as single numbers -----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_WEIGHT_H
#define INLAY_LIB_LAYOUTASSIGN_WEIGHT_H

#include "inlay/LayoutAssign/Cost.h"
#include <algorithm>

namespace inlay {

/// A cost whose first part lies in the high bits and whose second part lies
/// below them, so that a sum of costs compares as the costs do. Below both are
/// awkward states, which decide between equal costs. Differences of sums are
/// weights too, hence the sign.
using Weight = __int128;

/// No single cost counts for more: 32 tebibytes and 4096 relayouts. Sums of
/// four million such costs keep within their bits.
inline constexpr uint64_t maxBytesOfWeight = uint64_t(1) << 45;
inline constexpr uint64_t maxCountOfWeight = uint64_t(1) << 12;

/// Where costs begin, above the sums of awkward states.
inline constexpr unsigned costShift = 23;

/// Where the first part begins, above the sums of the second.
constexpr unsigned getWeightShift(Objective objective) {
  return costShift + (objective == Objective::Bytes ? 35 : 68);
}

/// What an awkward state weighs.
inline constexpr Weight awkwardWeight = 1;

/// Whether `a` is the smaller cost, however many states are awkward.
inline bool isCheaper(Weight a, Weight b) {
  return a >> costShift < b >> costShift;
}

inline Weight toWeight(const Cost &cost, Objective objective) {
  Weight bytes = std::min(cost.bytes, maxBytesOfWeight);
  Weight count = std::min(cost.count, maxCountOfWeight);
  unsigned shift = getWeightShift(objective);
  return objective == Objective::Bytes
             ? (bytes << shift) + (count << costShift)
             : (count << shift) + (bytes << costShift);
}

/// The inverse, for weights that are sums of costs.
inline Cost toCost(Weight weight, Objective objective) {
  auto saturate = [](Weight part) {
    return static_cast<uint64_t>(std::min(part, Weight(UINT64_MAX)));
  };
  unsigned shift = getWeightShift(objective) - costShift;
  weight >>= costShift;
  uint64_t first = saturate(weight >> shift);
  uint64_t second = saturate(weight & ((Weight(1) << shift) - 1));
  return objective == Objective::Bytes ? Cost{first, second}
                                       : Cost{second, first};
}

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_WEIGHT_H
