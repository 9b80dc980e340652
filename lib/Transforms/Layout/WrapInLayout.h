//===- WrapInLayout.h - Operators ONNX has in one order only ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_LAYOUT_WRAPINLAYOUT_H
#define INLAY_LIB_TRANSFORMS_LAYOUT_WRAPINLAYOUT_H

#include "inlay/IR/InlayOps.h"

namespace inlay::layout {

/// What to call the storage order of `type`: "NHWC", "(0,2,3,1)", or "" when it
/// is row-major.
std::string getOrderName(mlir::Type type);

/// Builds `inlay.in_layout` around the operator that `stored` is for and sets
/// its results; those that nothing uses are left out. Failure where unknown
/// extents keep a relayout from being expressed, or the operator has regions.
llvm::LogicalResult wrapInLayout(StoredOpBuilder &stored,
                                 llvm::StringRef target);

} // namespace inlay::layout

#endif // INLAY_LIB_TRANSFORMS_LAYOUT_WRAPINLAYOUT_H
