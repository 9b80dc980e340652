//===- ResizeParameters.h - What a Resize asks for --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_RESIZEPARAMETERS_H
#define INLAY_IR_RESIZEPARAMETERS_H

#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/ResizeGeometry.h"

namespace inlay {

/// The parameters that are names and numbers; axes, scales, sizes and the
/// region are left empty.
llvm::Expected<ResizeParams> getResizeModes(ResizeOp op);

/// The dimension of each entry of scales, sizes and region, or nothing when
/// they are not known.
MaybeInts getEntryDims(ResizeOp op);

} // namespace inlay

#endif // INLAY_IR_RESIZEPARAMETERS_H
