//===- ModuleState.h - How far a module has come ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a pass leaves for later ones is an attribute of the module, so that a
// module which is written and read between the two goes on the same way.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_MODULESTATE_H
#define INLAY_IR_MODULESTATE_H

#include "mlir/IR/BuiltinOps.h"

namespace inlay {

/// Of a module: the phase of the pipeline that was entered last ("layouts").
inline constexpr llvm::StringLiteral phaseAttr = "inlay.phase";
/// Of a module that is written before its pipeline has ended: the text of the
/// passes that are left, for `inlay compile` or `inlay-opt --pass-pipeline`.
inline constexpr llvm::StringLiteral restAttr = "inlay.rest";
/// Of a module: it was compiled for its target before; layouts, groups and
/// kernels stay.
inline constexpr llvm::StringLiteral finishedAttr = "inlay.finished";
/// Of a module: something was put in since it was simplified last.
inline constexpr llvm::StringLiteral unsimplifiedAttr = "inlay.unsimplified";
/// Of a module: how many operators were replaced because its opset lacks them.
inline constexpr llvm::StringLiteral loweredAttr = "inlay.lowered";

/// What a pass writes down of what it has found, for reports.
enum class RecordDetail : uint8_t {
  None,
  /// Numbers.
  Totals,
  /// Also lists, with a reason for each entry.
  All
};

/// Whether the module around `op`, or `op` itself, bears the attribute.
inline bool isModuleMarked(mlir::Operation *op, llvm::StringRef attribute) {
  auto module = llvm::dyn_cast<mlir::ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<mlir::ModuleOp>();
  return module && module->hasAttr(attribute);
}

inline bool isModuleFinished(mlir::Operation *op) {
  return isModuleMarked(op, finishedAttr);
}

} // namespace inlay

#endif // INLAY_IR_MODULESTATE_H
