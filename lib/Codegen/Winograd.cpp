//===- Winograd.cpp - Convolutions with fewer products --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// The product of x - root over the roots but for one, lowest power first.
static std::vector<double> getPolynomial(ArrayRef<double> roots, size_t except,
                                         size_t size) {
  std::vector<double> product(size, 0.0);
  product[0] = 1;
  for (auto [i, root] : llvm::enumerate(roots)) {
    if (i == except)
      continue;
    for (size_t power = size; power-- > 0;)
      product[power] = (power ? product[power - 1] : 0) - root * product[power];
  }
  return product;
}

/// Tiles and weights are polynomials, whose product is known by its values at
/// points and at infinity. Points are 0 and pairs p and -p.
Winograd::Winograd(int64_t outputs, ArrayRef<double> points)
    : outputs(outputs), data(), weights(), results() {
  size_t size = getInputs(), last = size - 1;
  results.assign(outputs, std::vector<double>(size, 0.0));
  for (auto [j, point] : llvm::enumerate(points)) {
    double others = 1;
    for (auto [k, other] : llvm::enumerate(points))
      others *= j == k ? 1 : point - other;
    data.push_back(getPolynomial(points, j, size));
    weights.push_back({1 / others, point / others, point * point / others});
    for (int64_t i = 0; i < outputs; ++i)
      results[i][j] = i == 0 ? 1 : results[i - 1][j] * point;
  }
  data.push_back(getPolynomial(points, last, size));
  weights.push_back({0, 0, 1});
  results[outputs - 1][last] = 1;
  for (Matrix *matrix : {&data, &results})
    for (std::vector<double> &row : *matrix)
      for (double &element : row)
        element = float(element);
}

const Winograd &Winograd::get(int64_t outputs) {
  static const double near = std::sqrt(0.5), far = std::sqrt(2.0);
  static const Winograd two(2, {0, 1, -1});
  static const Winograd four(4, {0, near, -near, far, -far});
  return outputs == 2 ? two : four;
}

/// For data and weights of independent numbers of one size. A plane's sum is a
/// chain over channels, whose partial sums are rounded one after another, and a
/// chain over those.
double Winograd::estimateError(int64_t channels) const {
  auto getSquares = [](ArrayRef<double> row) {
    double sum = 0;
    for (double element : row)
      sum += element * element;
    return sum;
  };
  double largest = 0;
  for (const std::vector<double> &row : results) {
    double own = 0;
    for (size_t j = 0; j < row.size(); ++j)
      own += row[j] * row[j] * getSquares(data[j]) * getSquares(weights[j]);
    largest = std::max(largest, own);
  }
  double rounding = 0x1p-24 / std::sqrt(3.0);
  return rounding * std::sqrt(double(countSums(channels)) / 2) * largest / taps;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// A product, added to a sum where there is one.
static Value emitTerm(KernelBuilder &builder, double factor, Value value,
                      Value sum) {
  Value constant = builder.constant(value.getType(), factor);
  return sum ? builder.multiplyAdd(value, constant, sum)
             : Value(builder.create<arith::MulFOp>(value, constant));
}

/// A sum, and the given elements of a row times values.
static Value emitSum(KernelBuilder &builder, ArrayRef<double> row,
                     ArrayRef<Value> values, ArrayRef<size_t> terms,
                     Value sum = {}) {
  for (size_t i : terms) {
    Value value = values[i];
    if (row[i] == 0)
      continue;
    if (row[i] == 1)
      sum = sum ? Value(builder.create<arith::AddFOp>(sum, value)) : value;
    else if (row[i] == -1 && sum)
      sum = builder.create<arith::SubFOp>(sum, value);
    else
      sum = emitTerm(builder, row[i], value, sum);
  }
  return sum;
}

/// Every `step`th element, the last one first: that of data is not multiplied,
/// which is a good beginning.
static SmallVector<size_t> getTerms(size_t size, size_t first, size_t step) {
  SmallVector<size_t> terms;
  for (size_t i = first; i < size; i += step)
    terms.push_back(i);
  std::reverse(terms.begin(), terms.end());
  return terms;
}

/// The rows of p and -p, which differ in the signs of odd powers only.
static void emitPair(KernelBuilder &builder, ArrayRef<double> row,
                     ArrayRef<Value> from, Winograd::Values &rows) {
  SmallVector<size_t> odd = getTerms(from.size(), 1, 2);
  Value same = emitSum(builder, row, from, getTerms(from.size(), 0, 2));
  // One product is added as it is made.
  if (odd.size() == 1 && row[odd[0]] != 1) {
    for (double sign : {1.0, -1.0})
      rows.push_back(emitTerm(builder, sign * row[odd[0]], from[odd[0]], same));
    return;
  }
  Value other = emitSum(builder, row, from, odd);
  rows.push_back(builder.create<arith::AddFOp>(same, other));
  rows.push_back(builder.create<arith::SubFOp>(same, other));
}

static Winograd::Values emitRows(KernelBuilder &builder,
                                 const Winograd::Matrix &matrix,
                                 ArrayRef<Value> from) {
  size_t last = matrix.size() - 1;
  SmallVector<size_t> all = getTerms(from.size(), 0, 1);
  Winograd::Values rows = {emitSum(builder, matrix[0], from, all)};
  for (size_t j = 1; j < last; j += 2)
    emitPair(builder, matrix[j], from, rows);
  rows.push_back(emitSum(builder, matrix[last], from, all));
  return rows;
}

Winograd::Values Winograd::emitData(KernelBuilder &builder,
                                    ArrayRef<Value> from) const {
  return emitRows(builder, data, from);
}

/// Along the first dimension, then along the second.
Winograd::Values Winograd::emitWeights(KernelBuilder &builder,
                                       ArrayRef<Value> from) const {
  SmallVector<Values> half;
  for (int64_t x = 0; x < taps; ++x)
    half.push_back(emitRows(builder, weights,
                            {from[x], from[taps + x], from[2 * taps + x]}));
  Values planes;
  for (int64_t y = 0; y < getInputs(); ++y)
    llvm::append_range(planes, emitRows(builder, weights,
                                        {half[0][y], half[1][y], half[2][y]}));
  return planes;
}

Winograd::Values Winograd::emitResults(KernelBuilder &builder,
                                       ArrayRef<Value> from) const {
  size_t last = getInputs() - 1;
  Values values(from), rows;
  // Even powers of p and -p are the same, odd ones differ in their sign.
  for (size_t j = 1; j < last; j += 2) {
    values[j] = builder.create<arith::AddFOp>(from[j], from[j + 1]);
    values[j + 1] = builder.create<arith::SubFOp>(from[j], from[j + 1]);
  }
  SmallVector<size_t> terms = llvm::to_vector(llvm::seq(values.size()));
  for (auto [i, row] : llvm::enumerate(results)) {
    std::vector<double> own = row;
    for (size_t j = 1; j < last; j += 2) {
      own[j] = i % 2 == 0 ? row[j] : 0;
      own[j + 1] = i % 2 == 0 ? 0 : row[j];
    }
    rows.push_back(emitSum(builder, own, values, terms));
  }
  return rows;
}
