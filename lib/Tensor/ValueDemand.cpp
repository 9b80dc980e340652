//===- ValueDemand.cpp - Which values suit a tensor -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/ValueDemand.h"
#include <algorithm>
#include <cmath>

using namespace inlay;

static constexpr double infinity = std::numeric_limits<double>::infinity();

MaskKind inlay::invert(MaskKind mask) {
  if (mask == MaskKind::OneCounts)
    return MaskKind::ZeroCounts;
  return mask == MaskKind::ZeroCounts ? MaskKind::OneCounts : mask;
}

//===----------------------------------------------------------------------===//
// Making demands
//===----------------------------------------------------------------------===//

ValueDemand ValueDemand::range(double low, double high) {
  ValueDemand demand;
  demand.low = low;
  demand.high = high;
  return demand;
}

ValueDemand ValueDemand::atLeast(double low) { return range(low, infinity); }
ValueDemand ValueDemand::atMost(double high) { return range(-infinity, high); }

ValueDemand ValueDemand::index(int64_t extent) {
  ValueDemand demand = range(0, double(std::max<int64_t>(extent - 1, 0)));
  demand.isWhole = true;
  return demand;
}

ValueDemand ValueDemand::masked(MaskKind mask) {
  ValueDemand demand;
  demand.mask = mask;
  return demand;
}

ValueDemand ValueDemand::values(std::vector<int64_t> exact) {
  ValueDemand demand;
  demand.exact = std::move(exact);
  demand.isWhole = true;
  return demand;
}

//===----------------------------------------------------------------------===//
// Asking and combining
//===----------------------------------------------------------------------===//

bool ValueDemand::isEmpty() const { return *this == ValueDemand(); }

bool ValueDemand::isBounded() const {
  return std::isfinite(low) && std::isfinite(high);
}

bool ValueDemand::covers(double from, double to) const {
  return low <= from && to <= high;
}

static MaskKind meetMasks(MaskKind a, MaskKind b) {
  if (a == MaskKind::None || a == MaskKind::Either)
    return b == MaskKind::None ? a : b;
  bool agree = b == MaskKind::None || b == MaskKind::Either || a == b;
  return agree ? a : MaskKind::Either;
}

void ValueDemand::meet(const ValueDemand &other) {
  double newLow = std::max(low, other.low),
         newHigh = std::min(high, other.high);
  if (newLow <= newHigh) {
    low = newLow;
    high = newHigh;
  }
  isWhole |= other.isWhole;
  mask = meetMasks(mask, other.mask);
  if (exact.empty())
    exact = other.exact;
}

/// `demand` with another range; what it says of single values is lost.
static ValueDemand withRange(const ValueDemand &demand, double low,
                             double high) {
  if (low > high)
    return {};
  ValueDemand moved = ValueDemand::range(low, high);
  moved.isWhole = demand.isWhole;
  return moved;
}

ValueDemand ValueDemand::beforeAdding(double a, double b) const {
  return withRange(*this, low - std::min(a, b), high - std::max(a, b));
}

ValueDemand ValueDemand::beforeScaling(double a, double b) const {
  double least = std::min(a, b), most = std::max(a, b);
  if (least <= 0 || !std::isfinite(most))
    return {};
  // A bound below zero is reached first with the largest factor.
  return withRange(*this, low / (low < 0 ? most : least),
                   high / (high < 0 ? least : most));
}

ValueDemand ValueDemand::beforeNegation() const {
  return withRange(*this, -high, -low);
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

static DrawRange chooseWholeRange(double low, double high) {
  // Positions in a table: all of it, so that every row is met some time.
  low = std::ceil(low);
  high = std::floor(high);
  if (std::isfinite(low) && std::isfinite(high))
    return {low, std::max(low, high)};
  if (std::isfinite(low))
    return low > 0 ? DrawRange{low, low + 7} : DrawRange{0, 7};
  if (std::isfinite(high))
    return high < 0 ? DrawRange{high - 7, high}
                    : DrawRange{0, std::min(high, 7.0)};
  return {0, 7};
}

DrawRange inlay::chooseRange(const ValueDemand &demand, bool isWhole) {
  if (isWhole || demand.isWhole)
    return chooseWholeRange(demand.low, demand.high);
  // A range beyond [-1, 1], or one that only touches it, starts at its end.
  constexpr double least = 0.25;
  double low = std::max(demand.low, -1.0), high = std::min(demand.high, 1.0);
  if (high - low >= least)
    return {low, high};
  if (demand.low > 1 - least)
    return {demand.low, std::min(demand.high, demand.low + 1)};
  if (demand.high < least - 1)
    return {std::max(demand.low, demand.high - 1), demand.high};
  return {low, high};
}
