//===- Recurrence.h - What recurrent cells choose from ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of RNN, GRU and LSTM as values.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_RECURRENCE_H
#define INLAY_TENSOR_RECURRENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace inlay {

/// In which order the steps of a sequence are taken; both ways at once are two
/// networks.
enum class SequenceDirection : uint8_t { Forward, Reverse, Bidirectional };
std::optional<SequenceDirection> parseSequenceDirection(llvm::StringRef name);

/// The number of networks, the extent of the dimension of directions.
inline int64_t countDirections(SequenceDirection direction) {
  return direction == SequenceDirection::Bidirectional ? 2 : 1;
}

enum class CellKind : uint8_t { RNN, GRU, LSTM };

/// Blocks of rows of a cell's weights, and activations of a cell.
int64_t countGates(CellKind kind);
int64_t countActivations(CellKind kind);

enum class CellFunction : uint8_t {
  Affine,
  Elu,
  HardSigmoid,
  LeakyRelu,
  Relu,
  ScaledTanh,
  Sigmoid,
  Softplus,
  Softsign,
  Tanh,
  ThresholdedRelu
};

/// A function with the numbers that its definition has.
struct CellActivation {
  CellFunction function = CellFunction::Tanh;
  double alpha = 0, beta = 0;

  double operator()(double x) const;
};

/// The activations of all directions of a cell: those named, else the ones that
/// ONNX defines it with. Each takes what it needs from the front of `alphas`
/// and `betas`, or the default of ONNX's operator of its name. An error where a
/// name stands for none, the number is not that of the cell, or something that
/// has no default is missing.
llvm::Expected<llvm::SmallVector<CellActivation>>
getCellActivations(CellKind kind, int64_t directions,
                   llvm::ArrayRef<llvm::StringRef> names,
                   llvm::ArrayRef<float> alphas, llvm::ArrayRef<float> betas);

} // namespace inlay

#endif // INLAY_TENSOR_RECURRENCE_H
