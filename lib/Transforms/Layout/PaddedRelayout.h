//===- PaddedRelayout.h - Relayouts that put in or drop padding -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_LAYOUT_PADDEDRELAYOUT_H
#define INLAY_LIB_TRANSFORMS_LAYOUT_PADDEDRELAYOUT_H

#include "inlay/IR/InlayOps.h"

namespace inlay::layout {

/// buildRelayout where one of the orders is blocked.
mlir::Value buildPaddedRelayout(StoredOpBuilder &stored, mlir::Value physical,
                                mlir::Type from, mlir::Type to,
                                bool alwaysTranspose);

/// `value` in the shape that a tensor of `type` is stored in: blocks that are
/// full and follow each other are one dimension. Null where unknown extents
/// keep that from being expressed.
mlir::Value viewPhysical(StoredOpBuilder &stored, mlir::Value value,
                         mlir::Type type);

/// `value` with zeros from index `extent` on along one dimension.
mlir::Value buildZeroBeyond(StoredOpBuilder &stored, mlir::Value value,
                            int64_t position, int64_t extent);

} // namespace inlay::layout

#endif // INLAY_LIB_TRANSFORMS_LAYOUT_PADDEDRELAYOUT_H
