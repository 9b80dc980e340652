//===- Gelu.cpp - Gelu out of its parts -----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Patterns/Gelu.h"
#include "inlay/Analysis/Patterns/Match.h"
#include <cmath>
#include <numbers>

using namespace inlay;
using namespace inlay::patterns;
using namespace mlir;

/// x * (f(y) + 1) / 2: gives y.
template <typename OpT>
static Value getHalfOpen(const Product &product, const Factor &x,
                         const Factor &factor) {
  if (x.exponent != 1 || factor.exponent != 1)
    return {};
  Sum sum = getSum(factor.base);
  Value single = sum.product.getSingle();
  auto function = single ? single.getDefiningOp<OpT>() : OpT();
  Type type = getElementType(x.base);
  bool isHalved =
      isNear(product.coefficient * sum.offset, 0.5, type) &&
      isNear(product.coefficient * sum.product.coefficient, 0.5, type);
  return function && isHalved ? function.getInput() : Value();
}

Value patterns::readGelu(Operation *root, MatchReason &why) {
  Product product = getProduct(root);
  Value found;
  why.refuse("it is no product of two values");
  findOrder(product, [&](const Factor &x, const Factor &factor) {
    Value y = getHalfOpen<ErfOp>(product, x, factor);
    if (!y)
      return why.refuse("no factor is (1 + erf(y)) / 2");
    Product inner = getProduct(y);
    if (!inner.isPower(x.base, 1) ||
        !isNear(inner.coefficient, 1 / std::numbers::sqrt2, getElementType(y)))
      return why.refuse("erf is not that of x / sqrt(2)");
    found = x.base;
    return true;
  });
  return found;
}

/// x + m * x^3, or with `power` 2 what is left of it without x: 1 + m * x^2.
static bool isCubic(Value value, Value x, double power) {
  constexpr double wanted = 0.044715;
  Type type = getElementType(x);
  if (power == 2) {
    Sum sum = getSum(value);
    return sum.offset == 1 && sum.product.isPower(x, 2) &&
           isNear(sum.product.coefficient, wanted, type);
  }
  auto add = value.getDefiningOp<AddOp>();
  for (unsigned i : {0, 1}) {
    if (!add || add->getOperand(i) != x)
      continue;
    Product cube = getProduct(add->getOperand(1 - i));
    if (cube.isPower(x, 3) && isNear(cube.coefficient, wanted, type))
      return true;
  }
  return false;
}

/// sqrt(2 / pi) * (x + 0.044715 * x^3), with x in or out of the brackets.
static bool isTanhOfGelu(Value y, Value x) {
  Product inner = getProduct(y);
  const double wanted = std::sqrt(2 / std::numbers::pi);
  if (!isNear(inner.coefficient, wanted, getElementType(y)))
    return false;
  if (Value sum = inner.getSingle())
    return isCubic(sum, x, 3);
  return findOrder(inner, [&](const Factor &outer, const Factor &sum) {
    return outer.base == x && outer.exponent == 1 && sum.exponent == 1 &&
           isCubic(sum.base, x, 2);
  });
}

Value patterns::readGeluTanh(Operation *root, MatchReason &why) {
  Product product = getProduct(root);
  Value found;
  why.refuse("it is no product of two values");
  findOrder(product, [&](const Factor &x, const Factor &factor) {
    Value y = getHalfOpen<TanhOp>(product, x, factor);
    if (!y)
      return why.refuse("no factor is (1 + tanh(y)) / 2");
    if (!isTanhOfGelu(y, x.base))
      return why.refuse("tanh is not that of Gelu");
    found = x.base;
    return true;
  });
  return found;
}
