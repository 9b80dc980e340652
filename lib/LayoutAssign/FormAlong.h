//===- FormAlong.h - The form along an order of axes ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_FORMALONG_H
#define INLAY_LIB_LAYOUTASSIGN_FORMALONG_H

#include "inlay/IR/StoredForm.h"
#include "inlay/Layout/AxisOrder.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// How an operation relates dimensions; opaque where it does not say.
AxisMap getAxisMapOf(mlir::Operation *op);

/// The axes of a port in an operation's map; null where it takes no part.
const TensorAxes *getAxesOfPort(const AxisMap &map, mlir::Operation *op,
                                unsigned port);

/// Of a port that has axes: it is ranked.
llvm::ArrayRef<int64_t> getShapeOfPort(mlir::Operation *op, unsigned port);

/// The form in which the axes of `op` lie as `given` says, if it admits it.
std::optional<StoredForm> getFormAlong(mlir::Operation *op, const AxisMap &map,
                                       const AxisOrder &given);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_FORMALONG_H
