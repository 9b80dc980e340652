//===- Passes.h - Layouts ---------------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_LAYOUT_PASSES_H
#define INLAY_TRANSFORMS_LAYOUT_PASSES_H

#include "inlay/IR/InlayDialect.h"
#include "inlay/LayoutAssign/Cost.h"
#include "inlay/LayoutAssign/Strategies.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace inlay {

#define GEN_PASS_DECL
#include "inlay/Transforms/Layout/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "inlay/Transforms/Layout/Passes.h.inc"

} // namespace inlay

#endif // INLAY_TRANSFORMS_LAYOUT_PASSES_H
