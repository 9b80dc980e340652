//===- LayoutRecord.h - What a function says about its layouts --*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_LAYOUT_LAYOUTRECORD_H
#define INLAY_TRANSFORMS_LAYOUT_LAYOUTRECORD_H

#include "inlay/Transforms/Layout/Preset.h"

namespace inlay {

/// Of a function.
inline constexpr llvm::StringLiteral layoutsAttr = "inlay.layouts";

void writeLayouts(mlir::func::FuncOp func, const PresetResult &result);
/// Nothing where there is no record.
std::optional<PresetResult> readLayouts(mlir::func::FuncOp func);

} // namespace inlay

#endif // INLAY_TRANSFORMS_LAYOUT_LAYOUTRECORD_H
