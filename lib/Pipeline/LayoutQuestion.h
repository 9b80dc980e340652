//===- LayoutQuestion.h - What layouts are chosen of ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For those who ask after a compilation why it chose what it did.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_LAYOUTQUESTION_H
#define INLAY_LIB_PIPELINE_LAYOUTQUESTION_H

#include "inlay/LayoutAssign/LayoutGraph.h"
#include "inlay/LayoutAssign/Optimal.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Transforms/Layout/Preset.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay {

struct LayoutQuestion {
  mlir::func::FuncOp func;
  LayoutGraphOptions options;
};

/// What layouts of the module are chosen of, with its axes named.
llvm::Expected<LayoutQuestion> askLayouts(mlir::ModuleOp module,
                                          const Target &target,
                                          const LayoutOptions &options);

/// Takes the rounds before the one that `layouts` comes from; what is asked of
/// inputs and outputs is done then.
llvm::Error takeRounds(mlir::ModuleOp module, const Target &target,
                       const PresetResult &layouts, LayoutOptions &options);

/// What one strategy moves.
struct StrategyCost {
  LayoutStrategy strategy;
  /// As it chooses, and when copies that undo each other are cancelled.
  Cost chosen, cancelled;
  /// With all that the target prices, in bytes.
  uint64_t price = 0;
};

/// Whether the target prices more than bytes.
bool isPriced(const LayoutGraph &graph);

/// In the order of `allStrategies`. `own` is the graph that `optimal` solves.
std::vector<StrategyCost> compareStrategies(const LayoutGraph &graph,
                                            const LayoutGraph &own,
                                            const OptimalResult &optimal);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_LAYOUTQUESTION_H
