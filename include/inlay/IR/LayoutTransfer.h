//===- LayoutTransfer.h - Layouts from one tensor to another ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations use to say which layouts they know and how layouts pass
// through them. Only classes and names of axes: all layouts are row-major.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_LAYOUTTRANSFER_H
#define INLAY_IR_LAYOUTTRANSFER_H

#include "inlay/IR/InlayDialect.h"
#include "inlay/Layout/AxisMap.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace inlay {

/// One entry per operand or result, null where the layout is not known.
using LayoutList = llvm::SmallVector<LayoutAttr, 4>;

/// Layouts that an operation has whatever stands around it. Both lists are
/// empty for an operation that has none.
struct KnownLayouts {
  LayoutList operands, results;

  KnownLayouts() = default;
  explicit KnownLayouts(mlir::Operation *op)
      : operands(op->getNumOperands()), results(op->getNumResults()) {}
};

/// What an operation reads at `from` becomes `to` as it is.
struct ValueFlow {
  mlir::OpOperand *from;
  mlir::Value to;
};

/// Values that become others as control enters and leaves the regions of an
/// operation.
struct ControlFlow {
  /// Operands that become arguments of regions.
  llvm::SmallVector<ValueFlow> entering;
  /// Operands and yielded values that become results.
  llvm::SmallVector<ValueFlow> leaving;
  /// Whether the regions run any number of times, and how often at the most
  /// where that is known.
  bool repeats = false;
  std::optional<uint64_t> maxTrips;
};

/// NCW, NCHW, NCDHW, NCTDHW; null for other ranks.
LayoutAttr getFeatureLayout(mlir::MLIRContext *context, int64_t rank);
/// OIW, OIHW, OIDHW, OITDHW, or IOHW where `transposed`; null for other ranks.
LayoutAttr getWeightLayout(mlir::MLIRContext *context, int64_t rank,
                           bool transposed = false);
LayoutAttr getNTensorLayout(mlir::MLIRContext *context);
LayoutAttr getTensorLayout(mlir::MLIRContext *context);

/// The one that wins where a value could have either: the higher class, then
/// the axes that come first in the alphabet. Either may be null. The order is
/// total, so that the winner of several does not depend on how they are met.
LayoutAttr getStronger(LayoutAttr a, LayoutAttr b);

/// `layout` for a tensor whose dimensions are `to`, given that it is the layout
/// of one whose dimensions are `from`: names move with the axes, and
/// dimensions that share no axis (reduced and kept, gathered, padded) keep the
/// name of their position. Null when ranks differ or names are left over.
LayoutAttr transferLayout(LayoutAttr layout, const TensorAxes &from,
                          const TensorAxes &to);

/// For the interface. An operand that is broadcast against a result does not
/// follow from it.
void inferOperandLayoutsByAxes(const AxisMap &map,
                               llvm::ArrayRef<LayoutAttr> results,
                               llvm::MutableArrayRef<LayoutAttr> operands);
/// For the interface. The strongest that the operands of a result's rank give.
void inferResultLayoutsByAxes(const AxisMap &map,
                              llvm::ArrayRef<LayoutAttr> operands,
                              llvm::MutableArrayRef<LayoutAttr> results);

} // namespace inlay

#endif // INLAY_IR_LAYOUTTRANSFER_H
