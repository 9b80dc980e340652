//===- Match.h - Reading expressions backwards ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A left side is read from its last operation backwards, in normal forms that
// do not depend on how an exporter wrote it:
//
//   getProduct(y)                   y = c * a^p * b^q: Mul, Div, Neg, Sqrt,
//                                   Reciprocal, Pow, in any order and nesting
//   getSum(y)                       y = o + a product: Add, Sub of a constant
//   getReduction<ReduceMeanOp>(y)   input and axes, whoever says them
//   getScalar(y)                    a constant whose elements are all equal
//
// so that x * rsqrt(mean(x^2) + e) is found by
//
//   Product y = getProduct(root);                 // x^1 * s^-0.5
//   Sum s = getSum(y.factors[1].base);            // e + mean^1
//   auto mean = getReduction<ReduceMeanOp>(s.product.getSingle());
//   getProduct(mean->input).isPower(x, 2)
//
// Reading changes nothing and ends after a bounded number of operations. A
// value that has several users is never read through: an input of the left side
// may be a product itself. `getLeftSide` says at last which operations were
// read, and refuses when something else needs a value inside.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_PATTERNS_MATCH_H
#define INLAY_ANALYSIS_PATTERNS_MATCH_H

#include "inlay/IR/InlayOps.h"

namespace inlay::patterns {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Whether both have the same element type and shape, whatever their dimensions
/// are called and however they are stored.
bool areAlike(mlir::Value a, mlir::Value b);

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The number that every element of a constant is; nothing for other values.
std::optional<double> getScalar(mlir::Value value);

/// The number that operand `i` of an operation with two operands is, where the
/// other one alone gives the result its shape.
std::optional<double> getScalarOperand(mlir::Operation *op, unsigned i);

/// Whether `found` is `wanted` but for two roundings to the element type.
bool isRounded(double found, double wanted, mlir::Type elementType);

/// Whether a constant that somebody has written down stands for `wanted`: up to
/// 1e-5 of it, which six digits reach, or up to what rounding makes of it in a
/// narrow type. 1.41421 stands for the square root of two and 1.5 does not.
bool isNear(double found, double wanted, mlir::Type elementType);

//===----------------------------------------------------------------------===//
// Products and sums
//===----------------------------------------------------------------------===//

struct Factor {
  mlir::Value base;
  double exponent = 1;
};

/// coefficient * base^exponent * ...
struct Product {
  double coefficient = 1;
  /// In the order in which they are written. A base with whole exponents stands
  /// there once.
  llvm::SmallVector<Factor, 4> factors;

  /// Whether it is coefficient * base^exponent.
  bool isPower(mlir::Value base, double exponent) const;
  /// The base when it is coefficient * base, else null.
  mlir::Value getSingle() const;
};

/// What the root computes, whoever uses it; of another value, itself where it
/// has several users.
Product getProduct(mlir::Operation *root);
Product getProduct(mlir::Value value);

/// offset + product.
struct Sum {
  double offset = 0;
  Product product;
  /// What the offset is added to, with the sign that it has there.
  mlir::Value term;
  double sign = 1;
};
Sum getSum(mlir::Value value);

/// The two factors of `product` in both orders, until `fn` accepts one. Nothing
/// for products of more or fewer.
template <typename F> bool findOrder(const Product &product, F fn) {
  if (product.factors.size() != 2)
    return false;
  return fn(product.factors[0], product.factors[1]) ||
         fn(product.factors[1], product.factors[0]);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// A reduction that keeps dimensions, along known axes: from the front, in
/// ascending order.
struct Reduction {
  mlir::Value input;
  llvm::SmallVector<int64_t> axes;
};

std::optional<Reduction>
readReduction(mlir::Value input, std::optional<llvm::ArrayRef<int64_t>> axes,
              mlir::Value axesOperand, bool keepsDims, bool isNoop);

template <typename OpT>
std::optional<Reduction> getReduction(mlir::Value value) {
  auto op = value ? value.getDefiningOp<OpT>() : OpT();
  if (!op)
    return std::nullopt;
  return readReduction(op.getInput(), op.getAxes(), op.getAxesOperand(),
                       op.getKeepdims() != 0, op.getNoopWithEmptyAxes() != 0);
}

/// A mean: ReduceMean, or ReduceSum over the number of elements. A variance of
/// a sample, over one less, is none.
std::optional<Reduction> getMean(const Product &product);

//===----------------------------------------------------------------------===//
// The left side
//===----------------------------------------------------------------------===//

/// The operations between `inputs` and the root, the root first, constants left
/// out. Nothing where a value inside is used elsewhere (it would be computed
/// twice), where something else than the inputs and constants is read, or where
/// an operation is in another block than the root.
std::optional<llvm::SmallVector<mlir::Operation *>>
getLeftSide(mlir::Operation *root, llvm::ArrayRef<mlir::Value> inputs);

} // namespace inlay::patterns

#endif // INLAY_ANALYSIS_PATTERNS_MATCH_H
