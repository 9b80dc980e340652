//===- ValueDemand.h - Which values suit a tensor ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_VALUEDEMAND_H
#define INLAY_TENSOR_VALUEDEMAND_H

#include <cstdint>
#include <limits>
#include <vector>

namespace inlay {

/// Whether the elements of a tensor say which elements of another count.
enum class MaskKind : uint8_t {
  None,
  /// 0 and 1, whichever of them counts.
  Either,
  /// 1 where the element counts.
  OneCounts,
  /// 0 where the element counts.
  ZeroCounts,
};

/// The mask that is the other way round.
MaskKind invert(MaskKind mask);

/// What is asked of the values of a tensor so that a graph computes something
/// from them: neither an error nor NaN throughout.
struct ValueDemand {
  /// Values outside [low, high] are errors, NaN or infinite later on.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// Only whole numbers make sense.
  bool isWhole = false;
  /// 0 and 1 make most sense, where the range has both.
  MaskKind mask = MaskKind::None;
  /// The elements themselves, where only these make sense.
  std::vector<int64_t> exact;

  static ValueDemand range(double low, double high);
  static ValueDemand atLeast(double low);
  static ValueDemand atMost(double high);
  /// Positions in a dimension of `extent` elements.
  static ValueDemand index(int64_t extent);
  static ValueDemand masked(MaskKind mask);
  static ValueDemand values(std::vector<int64_t> exact);

  /// Whether anything will do.
  bool isEmpty() const;
  bool isBounded() const;
  /// Whether every value in [from, to] suits.
  bool covers(double from, double to) const;

  /// Adds what another user asks. Of two demands that exclude each other the
  /// first one stays.
  void meet(const ValueDemand &other);

  /// What is asked of x when this is asked of x + a and of x + b, x * a and
  /// x * b; nothing of the latter where a factor is not above 0.
  ValueDemand beforeAdding(double a, double b) const;
  ValueDemand beforeScaling(double a, double b) const;
  /// What is asked of x when this is asked of -x.
  ValueDemand beforeNegation() const;

  bool operator==(const ValueDemand &) const = default;
};

/// What values are drawn from: low and high are finite and both included where
/// they are whole.
struct DrawRange {
  double low, high;
  bool operator==(const DrawRange &) const = default;
};

/// Small values that suit: whole ones from [0, 7], others from [-1, 1], where
/// the demand has these; all of a bounded range of whole ones.
DrawRange chooseRange(const ValueDemand &demand, bool isWhole);

} // namespace inlay

#endif // INLAY_TENSOR_VALUEDEMAND_H
