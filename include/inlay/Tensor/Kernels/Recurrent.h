//===- Recurrent.h - Reference RNN, GRU and LSTM ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums are taken in double. The state is rounded to the element type after each
// step, as it is where a model consists of the steps: what a step sees is what
// the result has.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_RECURRENT_H
#define INLAY_TENSOR_KERNELS_RECURRENT_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/Recurrence.h"

namespace inlay::kernels {

struct RecurrentOperands {
  /// (length, batch, size), (directions, gates * hidden, size) and (directions,
  /// gates * hidden, hidden).
  HostTensor x, w, r;
  /// Absent ones are null: (directions, 2 * gates * hidden); (batch), the steps
  /// that count; two states (directions, batch, hidden); (directions, 3 *
  /// hidden).
  const HostTensor *b = nullptr, *lengths = nullptr;
  const HostTensor *initialH = nullptr, *initialC = nullptr;
  const HostTensor *peepholes = nullptr;
};

struct RecurrentOptions {
  CellKind kind = CellKind::RNN;
  SequenceDirection direction = SequenceDirection::Forward;
  /// As getCellActivations gives them.
  llvm::SmallVector<CellActivation> activations;
  /// What the inputs of gates' activations are confined to, on both sides of
  /// zero; not what the last one of an LSTM sees, which is the cell.
  std::optional<float> clip;
  /// Whether x, states and results have the batch first.
  bool batchFirst = false;
  /// Of a GRU: whether the reset gate scales the product with the state.
  bool linearBeforeReset = false;
  /// Of an LSTM: whether the forget gate is what the input gate leaves.
  bool inputForget = false;
};

struct RecurrentResults {
  /// (length, directions, batch, hidden).
  HostTensor y;
  /// (directions, batch, hidden); the latter of an LSTM only.
  HostTensor lastH, lastC;
};

/// Steps that do not count give zeros and leave the state as it is; backwards,
/// the first step is the last one that counts. Where none counts, the last
/// state is zero, as it is in ONNX Runtime.
llvm::Expected<RecurrentResults> recurrent(const RecurrentOperands &operands,
                                           const RecurrentOptions &options);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_RECURRENT_H
