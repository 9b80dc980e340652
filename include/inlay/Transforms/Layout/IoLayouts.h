//===- IoLayouts.h - How inputs and outputs are to be stored ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_LAYOUT_IOLAYOUTS_H
#define INLAY_TRANSFORMS_LAYOUT_IOLAYOUTS_H

#include "inlay/LayoutAssign/LayoutGraph.h"

namespace inlay {

/// Asks for the orders of `specs`, each "NAME:LAYOUT". An error (usage) for an
/// input or output that does not exist or cannot be stored so.
llvm::Error addIoLayouts(mlir::func::FuncOp graph,
                         llvm::ArrayRef<std::string> specs,
                         LayoutGraphOptions &options);

} // namespace inlay

#endif // INLAY_TRANSFORMS_LAYOUT_IOLAYOUTS_H
