//===- ArithmeticExpansions.cpp - Sums, powers and Gemm -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Term.h"
#include "inlay/IR/Constants.h"
#include <limits>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Operators of several operands
//===----------------------------------------------------------------------===//

/// The operands in the type to compute in, added from left to right: sums of
/// floats stay as they are.
static Term addAll(ValueRange operands, Expansion &expansion) {
  Type type = expansion.getComputeType(operands);
  // One addition is rounded once as it is.
  if (operands.size() == 2)
    type = inlay::getElementType(operands.front());
  auto cast = [&](Value value) {
    return Term(expansion, expansion.createCast(value, type));
  };
  Term sum = cast(operands.front());
  for (Value operand : operands.drop_front())
    sum = sum + cast(operand);
  return sum;
}

static LogicalResult expandSum(SumOp op, Expansion &expansion) {
  expansion.set(op.getResult(), addAll(op.getInputs(), expansion));
  return success();
}

static LogicalResult expandMean(MeanOp op, Expansion &expansion) {
  if (!isFloatTensor(op.getInputs().front()))
    return failure();
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(expansion.widen(input));
  expansion.set(op.getResult(),
                addAll(inputs, expansion) / double(inputs.size()));
  return success();
}

/// Max and Min of two operands are basic.
template <typename OpT>
static LogicalResult expandExtreme(OpT op, Expansion &expansion) {
  if (op.getInputs().size() == 2)
    return failure();
  Term y(expansion, op.getInputs().front());
  for (Value input : op.getInputs().drop_front())
    y = y.template applyVariadic<OpT>(Term(expansion, input));
  expansion.set(op.getResult(), y);
  return success();
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// The only element of a constant that broadcasts to `base`.
static std::optional<double> getExponent(Value exponent, Value base) {
  Attribute value = getConstantValue(exponent);
  if (!value || getByteSize(value) > sizeof(double))
    return std::nullopt;
  if (getRank(exponent) > getRank(base) && getRank(exponent) != 0)
    return std::nullopt;
  auto tensor = getHostTensor(value);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  if (tensor->getNumElements() != 1)
    return std::nullopt;
  return tensor->getDouble(0);
}

// x^2 = x * x
// x^0.5 = sqrt(x)   [but infinity at -infinity]
static LogicalResult expandPow(PowOp op, Expansion &expansion) {
  std::optional<double> exponent = getExponent(op.getRhs(), op.getLhs());
  Term x(expansion, op.getLhs());
  if (exponent == 2.0) {
    expansion.set(op.getResult(), x * x);
    return success();
  }
  if (exponent != 0.5 || !isFloatTensor(op.getLhs()))
    return failure();
  double infinity = std::numeric_limits<double>::infinity();
  expansion.set(op.getResult(),
                select(x == -infinity, x.getNumber(infinity), sqrt(x)));
  return success();
}

static LogicalResult expandReciprocal(ReciprocalOp op, Expansion &expansion) {
  expansion.set(op.getResult(), 1.0 / Term(expansion, op.getInput()));
  return success();
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Whether a float is a number: one below zero or above -1.
static Term isNumber(Term x) { return (x < 0.0).apply<OrOp>(x > -1.0); }

// not (a < b or a > b), and a + b is a number   [NaN equals nothing]
// Basic nearly everywhere: only old opsets have it for few types.
static LogicalResult expandEqual(EqualOp op, Expansion &expansion) {
  Type element = inlay::getElementType(op.getLhs());
  if (!expansion.isRequested() || !element.isIntOrFloat() ||
      element.isInteger(1))
    return failure();
  Term a(expansion, op.getLhs()), b(expansion, op.getRhs());
  Term y = (a < b).apply<OrOp>(a > b).apply<NotOp>();
  // Infinities whose sum is none differ.
  if (isFloatTensor(op.getLhs()))
    y = y.apply<AndOp>(isNumber(a + b));
  expansion.set(op.getResult(), y);
  return success();
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

// alpha * op(a) * op(b) + beta * c
static LogicalResult expandGemm(GemmOp op, Expansion &expansion) {
  double alpha = op.getAlpha().convertToFloat();
  double beta = op.getBeta().convertToFloat();
  bool isFloat = isFloatTensor(op.getA());
  // Factors are floats.
  if (!isFloat && (alpha != 1 || (op.getC() && beta != 1)))
    return failure();
  bool hasSum = op.getC() && beta != 0;
  Type type = hasSum || alpha != 1 ? expansion.getComputeType(op.getA())
                                   : inlay::getElementType(op.getA());
  auto cast = [&](Value value) {
    return Term(expansion, expansion.createCast(value, type));
  };
  auto getFactor = [&](Value value, bool isTransposed) {
    Term factor = cast(value);
    return isTransposed ? createTranspose(expansion, factor, {1, 0}) : factor;
  };
  Term y(expansion,
         expansion.create<MatMulOp>(getFactor(op.getA(), op.getTransA()),
                                    getFactor(op.getB(), op.getTransB())));
  if (alpha != 1)
    y = alpha * y;
  if (hasSum)
    y = y + (beta == 1 ? cast(op.getC()) : beta * cast(op.getC()));
  expansion.set(op.getResult(), y);
  return success();
}

void inlay::registerArithmeticExpansions(MLIRContext &context) {
  attachExpansion<SumOp, expandSum>(context);
  attachExpansion<MeanOp, expandMean>(context);
  attachExpansion<MaxOp, expandExtreme<MaxOp>>(context);
  attachExpansion<MinOp, expandExtreme<MinOp>>(context);
  attachExpansion<PowOp, expandPow>(context);
  attachExpansion<ReciprocalOp, expandReciprocal>(context);
  attachExpansion<EqualOp, expandEqual>(context);
  attachExpansion<GemmOp, expandGemm>(context);
}
