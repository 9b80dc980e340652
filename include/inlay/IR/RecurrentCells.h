//===- RecurrentCells.h - The cells of recurrent operators ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_RECURRENTCELLS_H
#define INLAY_IR_RECURRENTCELLS_H

#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/Recurrence.h"

namespace inlay {

inline CellKind getCellKind(RNNOp) { return CellKind::RNN; }
inline CellKind getCellKind(GRUOp) { return CellKind::GRU; }
inline CellKind getCellKind(LSTMOp) { return CellKind::LSTM; }

/// The activations of an operator with a known direction.
template <typename OpT>
llvm::Expected<llvm::SmallVector<CellActivation>> getCellActivations(OpT op) {
  llvm::SmallVector<llvm::StringRef> names;
  if (std::optional<mlir::ArrayAttr> given = op.getActivations())
    for (auto name : given->template getAsRange<mlir::StringAttr>())
      names.push_back(name.getValue());
  auto direction = parseSequenceDirection(op.getDirection());
  return getCellActivations(
      getCellKind(op),
      countDirections(direction.value_or(SequenceDirection::Forward)), names,
      op.getActivationAlpha().value_or(llvm::ArrayRef<float>()),
      op.getActivationBeta().value_or(llvm::ArrayRef<float>()));
}

} // namespace inlay

#endif // INLAY_IR_RECURRENTCELLS_H
