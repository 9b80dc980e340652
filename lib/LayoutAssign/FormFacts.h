//===- FormFacts.h - What costs ask of a form -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_FORMFACTS_H
#define INLAY_LIB_LAYOUTASSIGN_FORMFACTS_H

#include "inlay/Layout/Layout.h"
#include "inlay/Target/Target.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// What is to be known of `op`, which ONNX calls `onnxType`, where its operands
/// and results are stored in `orders`, but for the bytes. Unknown extents are
/// taken for `assumedExtent`.
FormFacts findFormFacts(mlir::Operation *op, llvm::StringRef onnxType,
                        llvm::ArrayRef<llvm::ArrayRef<Atom>> orders,
                        int64_t assumedExtent);

/// Whether `op` may be a reduction, or one of those that normalise; a quick
/// answer to whom most operators are of no interest.
bool mayReduce(mlir::Operation *op);

/// The order of the data of `op` in which the dimensions lie innermost that it
/// combines elements along; empty where that is row-major, or not known.
AtomSequence findReducedLast(mlir::Operation *op);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_FORMFACTS_H
