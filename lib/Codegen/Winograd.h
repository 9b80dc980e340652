//===- Winograd.h - Convolutions with fewer products ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Winograd's F(m x m, 3 x 3): a tile of m by m outputs of a convolution is
// A' ((G w G') * (B' x B)) A, where x are the m + 2 by m + 2 inputs that it
// needs and * multiplies element by element. Summed over channels, each of the
// (m + 2)^2 elements in the middle, its *plane*, is a product of matrices.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_WINOGRAD_H
#define INLAY_LIB_CODEGEN_WINOGRAD_H

#include "KernelBuilder.h"

namespace inlay {

class Winograd {
public:
  using Matrix = std::vector<std::vector<double>>;
  using Values = llvm::SmallVector<mlir::Value>;

  static constexpr int64_t taps = 3, numTaps = taps * taps;
  /// Channels that are summed up before they are added to others: fewer
  /// roundings follow each other, and bits are the same however many have room.
  static int64_t getPerSum(int64_t channels) {
    return channels <= 32 ? channels : 16;
  }

  /// Of 2 by 2 or 4 by 4 outputs.
  static const Winograd &get(int64_t outputs);

  /// How many outputs and inputs a tile has along each dimension.
  int64_t getOutputs() const { return outputs; }
  int64_t getInputs() const { return outputs + taps - 1; }
  int64_t getNumPlanes() const { return getInputs() * getInputs(); }

  /// B', G and A', row by row. Those of data are what code has: floats.
  const Matrix &getDataMatrix() const { return data; }
  const Matrix &getWeightMatrix() const { return weights; }
  const Matrix &getResultMatrix() const { return results; }

  /// All planes of 3 x 3 taps, row by row.
  Values emitWeights(KernelBuilder &builder,
                     llvm::ArrayRef<mlir::Value> from) const;
  /// One of the matrices times the numbers or vectors `from`.
  Values emitData(KernelBuilder &builder,
                  llvm::ArrayRef<mlir::Value> from) const;
  Values emitResults(KernelBuilder &builder,
                     llvm::ArrayRef<mlir::Value> from) const;

  /// How many sums a product of one of `channels` is rounded in.
  static int64_t countSums(int64_t channels) {
    int64_t perSum = getPerSum(channels);
    return perSum + int64_t(llvm::divideCeil(channels, perSum)) - 1;
  }
  /// By how much of the range sums over `channels` are off, about: errors of
  /// rounding as they add up where they are independent.
  double estimateError(int64_t channels) const;

private:
  Winograd(int64_t outputs, llvm::ArrayRef<double> points);

  int64_t outputs;
  Matrix data, weights, results;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_WINOGRAD_H
