//===- AxisMaps.h - Building the axis maps of operations --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_AXISMAPS_H
#define INLAY_IR_AXISMAPS_H

#include "inlay/Layout/AxisMap.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace inlay {

/// Builds an AxisMap for `op`. Operands and results that are not bound take no
/// part. build() gives an opaque map if a value that was bound is not ranked.
///
///   AxisMapBuilder map(op);
///   auto m = map.axis(AxisKind::Parallel), k = map.axis(AxisKind::Contracted);
///   map.bind(getA(), {{m}, {k}}); ...
///   return map.build();
class AxisMapBuilder {
public:
  explicit AxisMapBuilder(mlir::Operation *op);

  unsigned axis(AxisKind kind, int64_t extent = dynamicExtent);
  /// One new axis per dimension of a ranked value, with its extents.
  TensorAxes axesOf(mlir::Value value, AxisKind kind = AxisKind::Parallel);
  void setKind(unsigned axis, AxisKind kind);
  void setLeader(unsigned axis, unsigned leader);

  void bind(mlir::Value operandOrResult, TensorAxes dims);
  /// The axes of an operand that broadcasts against `result` (aligned at the
  /// last dimension; unit dimensions against larger ones have no axis).
  TensorAxes broadcastTo(mlir::Value operand, mlir::Value result,
                         const TensorAxes &resultDims) const;

  AxisMap build();

private:
  mlir::Operation *op;
  llvm::SmallVector<Axis> axes;
  llvm::SmallVector<std::optional<TensorAxes>> operands, results;
};

/// All operands broadcast to the results, elementwise.
AxisMap getElementwiseAxisMap(mlir::Operation *op);
/// Operand 0 and result 0 (and other results of the same rank) correspond
/// dimension by dimension; those in `windowDims` are of kind Window.
AxisMap getWindowAxisMap(mlir::Operation *op,
                         llvm::ArrayRef<int64_t> windowDims);

} // namespace inlay

#endif // INLAY_IR_AXISMAPS_H
