//===- FusionRecord.h - What a function says about its groups ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_HARDWARE_FUSIONRECORD_H
#define INLAY_TRANSFORMS_HARDWARE_FUSIONRECORD_H

#include "inlay/HardwareFusion/FusionResult.h"
#include "inlay/IR/ModuleState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// Of a function.
inline constexpr llvm::StringLiteral groupsAttr = "inlay.groups";

struct FusionRecord {
  /// Its lists are empty where only totals were asked for.
  FusionResult result;
  /// Groups, the operators in them and those in none.
  uint64_t numGroups = 0, numOps = 0, numUngrouped = 0;
};

void writeFusion(mlir::func::FuncOp func, FusionResult result,
                 RecordDetail detail);
void writeFusion(mlir::func::FuncOp func, const FusionRecord &record);
/// Nothing where there is no record.
std::optional<FusionRecord> readFusion(mlir::func::FuncOp func);

} // namespace inlay

#endif // INLAY_TRANSFORMS_HARDWARE_FUSIONRECORD_H
