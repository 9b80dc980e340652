//===- MathEmitters.cpp - Functions of f32 --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without branches, so that vectors take them. Arguments are reduced to where a
// short polynomial suffices; those of log are the beginnings of its series,
// those of exp (error below 4e-9) and erf (below 5e-8) were fitted to them.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace inlay;
using namespace mlir;

static constexpr double log2e = 1.44269504088896;
/// ln 2 in two parts, the first with so few bits that multiples are exact.
static constexpr double ln2High = 0.693145751953125,
                        ln2Low = 1.42860682030942e-6;
/// Added to a number below 2^22 it leaves the nearest integer in the lowest
/// bits.
static constexpr double rounder = 0x1.8p23;
static constexpr int64_t rounderBits = 0x4b400000;
/// The logarithm of 2^-126, the least float that is not denormal, rounded up.
static constexpr double logOfLeast = -87.336540;
static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static Value fma(const Elements &e, Value a, Value b, Value c) {
  return e.create<math::FmaOp>(a, b, c);
}

/// Coefficients of the lowest power first.
static Value emitPolynomial(const Elements &e, Value x,
                            ArrayRef<double> coefficients) {
  Value sum = e.number(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(e, sum, x, e.number(coefficient));
  return sum;
}

/// The same in pairs, pairs of pairs and so on: a few more products and a
/// little less exact, but few of them wait for one another.
static Value emitPolynomialInPairs(const Elements &e, Value x,
                                   ArrayRef<double> coefficients) {
  SmallVector<Value> terms;
  for (double coefficient : coefficients)
    terms.push_back(e.number(coefficient));
  while (terms.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i < terms.size(); i += 2)
      next.push_back(i + 1 == terms.size() ? terms[i]
                                           : fma(e, x, terms[i + 1], terms[i]));
    terms = std::move(next);
    if (terms.size() > 1)
      x = e.create<arith::MulFOp>(x, x);
  }
  return terms.front();
}

/// Integers of 32 bits, as many as `x` has numbers.
static Type getInts(Value x) {
  Type type = IntegerType::get(x.getContext(), 32);
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    return VectorType::get(vector.getShape(), type);
  return type;
}

static Value integer(const Elements &e, Value like, int64_t value) {
  Type type = getInts(like);
  TypedAttr attr = IntegerAttr::get(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return e.create<arith::ConstantOp>(attr);
}

/// The float whose exponent is in the lowest bits, whatever is above them.
static Value emitExponent(const Elements &e, Value bits, Type floats) {
  return e.create<arith::BitcastOp>(
      floats, e.create<arith::ShLIOp>(bits, integer(e, bits, 23)));
}

/// 2 to the power of integers from -126 to 127.
static Value emitPowerOfTwo(const Elements &e, Value n, Type floats) {
  return emitExponent(e, e.create<arith::AddIOp>(n, integer(e, n, 127)),
                      floats);
}

/// NaN stays NaN.
static Value clamp(const Elements &e, Value x, double low, double high) {
  Value raised = e.create<arith::MaximumFOp>(x, e.number(low));
  return e.create<arith::MinimumFOp>(raised, e.number(high));
}

//===----------------------------------------------------------------------===//
// Powers of e
//===----------------------------------------------------------------------===//

namespace {
/// x = n ln 2 + rest. `bits` are n, something that was added to it, and above
/// their lowest 22 those of the rounder.
struct Reduced {
  Value bits, rest;
};
} // namespace

/// Of NaN the rest is NaN, and n some integer.
static Reduced reduceByLn2(const Elements &e, Value x, int64_t more = 0) {
  double added = rounder + double(more);
  Value sum = fma(e, x, e.number(log2e), e.number(added));
  Value n = e.create<arith::SubFOp>(sum, e.number(added));
  Value rest = fma(e, n, e.number(-ln2High), x);
  return {e.create<arith::BitcastOp>(getInts(x), sum),
          fma(e, n, e.number(-ln2Low), rest)};
}

/// (exp(x) - 1) / x for |x| up to ln 2 / 2.
static Value emitSeries(const Elements &e, Value x) {
  return emitPolynomialInPairs(e, x,
                               {1.0, 0.499999933731, 0.166665195239,
                                0.0416684010881, 0.00836885108537,
                                0.00138143203594});
}

/// Scaled in two steps: the result may be denormal where half the power is not.
Value inlay::emitExp(const Elements &e, Value x) {
  auto [bits, rest] = reduceByLn2(e, clamp(e, x, -105, 89));
  Value n = e.create<arith::SubIOp>(bits, integer(e, x, rounderBits));
  Value power = fma(e, emitSeries(e, rest), rest, e.number(1));
  Value half = e.create<arith::ShRSIOp>(n, integer(e, n, 1));
  Value other = e.create<arith::SubIOp>(n, half);
  Type floats = x.getType();
  Value scaled =
      e.create<arith::MulFOp>(power, emitPowerOfTwo(e, half, floats));
  return e.create<arith::MulFOp>(scaled, emitPowerOfTwo(e, other, floats));
}

/// 2^64 exp(x) for x from -105 to 43, so that every power is a float.
static Value emitScaledExp(const Elements &e, Value x) {
  auto [bits, rest] = reduceByLn2(e, x, 127 + 64);
  Value power = fma(e, emitSeries(e, rest), rest, e.number(1));
  return e.create<arith::MulFOp>(power, emitExponent(e, bits, x.getType()));
}

/// Of a number below the bound the power of two is none, and not asked for.
Value inlay::emitExpBelowMaximum(const Elements &e, Value x) {
  auto [bits, rest] = reduceByLn2(e, x, 127);
  Value power = fma(e, emitSeries(e, rest), rest, e.number(1));
  Value scaled =
      e.create<arith::MulFOp>(power, emitExponent(e, bits, x.getType()));
  return e.select(e.less(x, e.number(logOfLeast)), e.number(0), scaled);
}

Value inlay::emitExpMinusOne(const Elements &e, Value x) {
  // The exponent of a float is above its power of two by 127.
  auto [bits, rest] = reduceByLn2(e, clamp(e, x, -80, 0), 127);
  Value power = emitExponent(e, bits, x.getType());
  Value less = e.create<arith::MulFOp>(emitSeries(e, rest), rest);
  return fma(e, less, power, e.create<arith::SubFOp>(power, e.number(1)));
}

/// exp(x) / (exp(x) + 1), both scaled alike; 1 from the upper bound on.
Value inlay::emitSigmoid(const Elements &e, Value x) {
  Value power = emitScaledExp(e, clamp(e, x, -105, 40));
  return e.create<arith::DivFOp>(
      power, e.create<arith::AddFOp>(power, e.number(0x1p64)));
}

/// -m / (2 + m) with m = exp(-2|x|) - 1, and the sign of x.
Value inlay::emitTanh(const Elements &e, Value x) {
  Value twice =
      e.create<arith::MulFOp>(e.create<math::AbsFOp>(x), e.number(-2));
  Value minus = emitExpMinusOne(e, twice);
  Value result =
      e.create<arith::DivFOp>(e.create<arith::NegFOp>(minus),
                              e.create<arith::AddFOp>(e.number(2), minus));
  return e.create<math::CopySignOp>(result, x);
}

//===----------------------------------------------------------------------===//
// Logarithm
//===----------------------------------------------------------------------===//

/// x = 2^n (1 + f) with 1 + f between the roots of 1/2 and of 2, and
/// log(1 + f) = 2 artanh(f / (2 + f)).
Value inlay::emitLog(const Elements &e, Value x) {
  Type floats = x.getType();
  Value isDenormal = e.less(x, e.number(0x1p-126));
  Value scaled =
      e.select(isDenormal, e.create<arith::MulFOp>(x, e.number(0x1p23)), x);
  Value bits = e.create<arith::BitcastOp>(getInts(x), scaled);
  // What the exponent is above that of the root of 1/2.
  Value above = e.create<arith::SubIOp>(bits, integer(e, x, 0x3f3504f3));
  Value n = e.create<arith::ShRSIOp>(above, integer(e, x, 23));
  Value rest = e.create<arith::BitcastOp>(
      floats, e.create<arith::SubIOp>(
                  bits, e.create<arith::ShLIOp>(n, integer(e, x, 23))));
  n = e.create<arith::SubIOp>(n, e.create<arith::SelectOp>(isDenormal,
                                                           integer(e, x, 23),
                                                           integer(e, x, 0)));
  Value count = e.create<arith::SIToFPOp>(floats, n);
  Value f = e.create<arith::SubFOp>(rest, e.number(1));
  Value s = e.create<arith::DivFOp>(f, e.create<arith::AddFOp>(f, e.number(2)));
  Value square = e.create<arith::MulFOp>(s, s);
  // 2 artanh(s) = f - s (f - r) with r = 2 s^2 (1/3 + s^2 / 5 + ...).
  Value series = e.create<arith::MulFOp>(
      square, emitPolynomial(e, square, {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9}));
  Value low =
      fma(e, count, e.number(ln2Low),
          e.create<arith::MulFOp>(s, e.create<arith::SubFOp>(series, f)));
  Value sum = e.create<arith::AddFOp>(f, low);
  Value result = fma(e, count, e.number(ln2High), sum);
  result = e.select(e.less(e.number(std::numeric_limits<float>::max()), x), x,
                    result);
  Value isZero =
      e.create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, x, e.number(0));
  result = e.select(isZero, e.number(-infinity), result);
  Value isNumber =
      e.create<arith::CmpFOp>(arith::CmpFPredicate::OGE, x, e.number(0));
  return e.select(isNumber, result,
                  e.number(std::numeric_limits<double>::quiet_NaN()));
}

//===----------------------------------------------------------------------===//
// Error function
//===----------------------------------------------------------------------===//

/// x + x P(x^2) up to 1, from there 1 - Q(x)^8, which is 1 from 3.92 on: the
/// eighth root of what is left to 1 needs half of the coefficients.
Value inlay::emitErf(const Elements &e, Value x) {
  Value size = e.create<math::AbsFOp>(x);
  Value inner =
      emitPolynomial(e, e.create<arith::MulFOp>(size, size),
                     {0.12837912142, -0.37612321973, 0.11280151457,
                      -0.026710577309, 0.0049167554826, -0.00056283426238});
  Value small = fma(e, size, inner, size);
  Value root = emitPolynomial(
      e, e.create<arith::MinimumFOp>(size, e.number(3.92)),
      {1.0008347034, -0.14506055415, -0.061426404864, -0.011373512447,
       0.012925843708, -0.0024697275367, 0.00014984916197});
  Value square = e.create<arith::MulFOp>(root, root);
  Value power = e.create<arith::MulFOp>(square, square);
  Value large = fma(e, e.create<arith::NegFOp>(power), power, e.number(1));
  Value result = e.select(e.less(size, e.number(1)), small, large);
  return e.create<math::CopySignOp>(result, x);
}
