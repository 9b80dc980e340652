//===- SymbolicInts.cpp - Integers that are equal for certain -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/SymbolicShape.h"
#include "inlay/Support/CheckedMath.h"

using namespace inlay;

using Number = SymbolicInts::Number;

Number SymbolicInts::intern(Kind kind, int64_t a, int64_t b,
                            bool isNotNegative) {
  auto [it, isNew] = numbers.try_emplace({kind, a, b}, terms.size());
  if (isNew)
    terms.push_back({kind, a, b, isNotNegative});
  return it->second;
}

Number SymbolicInts::getKnown(int64_t value) {
  return intern(Kind::Known, value, 0, value >= 0);
}

Number SymbolicInts::makeUnknown(bool isExtent) {
  terms.push_back({Kind::Unknown, 0, 0, isExtent});
  return Number(terms.size() - 1);
}

std::optional<int64_t> SymbolicInts::lookup(Number number) const {
  const Term &term = terms[number];
  return term.kind == Kind::Known ? std::optional(term.a) : std::nullopt;
}

bool SymbolicInts::isNotNegative(Number number) const {
  return terms[number].isNotNegative;
}

Number SymbolicInts::add(Number a, Number b) {
  auto x = lookup(a), y = lookup(b);
  if (x && y)
    if (std::optional<int64_t> sum = checkedAdd(*x, *y))
      return getKnown(*sum);
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return intern(Kind::Sum, std::min(a, b), std::max(a, b),
                isNotNegative(a) && isNotNegative(b));
}

Number SymbolicInts::subtract(Number a, Number b) {
  auto x = lookup(a), y = lookup(b);
  if (a == b)
    return getKnown(0);
  if (y == 0)
    return a;
  if (x && y && *y != std::numeric_limits<int64_t>::min())
    if (std::optional<int64_t> difference = checkedAdd(*x, -*y))
      return getKnown(*difference);
  return intern(Kind::Difference, a, b, false);
}

Number SymbolicInts::multiply(Number a, Number b) {
  auto x = lookup(a), y = lookup(b);
  if (x && y)
    if (std::optional<int64_t> product = checkedMul(*x, *y))
      return getKnown(*product);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  if (x == 0 || y == 0)
    return getKnown(0);
  return intern(Kind::Product, std::min(a, b), std::max(a, b),
                isNotNegative(a) && isNotNegative(b));
}

Number SymbolicInts::divide(Number a, Number b) {
  auto x = lookup(a), y = lookup(b);
  bool isDefined = y && *y != 0 && *y != -1;
  if (x && isDefined)
    return getKnown(*x / *y);
  if (y == 1)
    return a;
  // A product of extents does not wrap: no tensor would have as many elements.
  const Term &term = terms[a];
  if (isDefined && term.kind == Kind::Product && term.isNotNegative) {
    if (term.a == b)
      return term.b;
    if (term.b == b)
      return term.a;
  }
  return intern(Kind::Ratio, a, b, isNotNegative(a) && isNotNegative(b));
}

Number SymbolicInts::equals(Number a, Number b) {
  if (a == b)
    return getKnown(1);
  auto x = lookup(a), y = lookup(b);
  auto isApart = [&](std::optional<int64_t> known, Number other) {
    return known && *known < 0 && isNotNegative(other);
  };
  if ((x && y) || isApart(x, b) || isApart(y, a))
    return getKnown(0);
  return makeUnknown(/*isExtent=*/true);
}
