//===- Layouts.h - Fitting a model to the layouts of a target ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_LAYOUTS_H
#define INLAY_PIPELINE_LAYOUTS_H

#include "inlay/Transforms/Layout/Preset.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay {

struct LayoutOptions {
  /// A built-in target or a target file.
  std::string target = "none";
  LayoutStrategy strategy = LayoutStrategy::Optimal;
  Objective objective = Objective::Bytes;
  /// "NAME:LAYOUT": how an input or output is to be stored.
  std::vector<std::string> ioLayouts;
};

/// A built-in target or one of the user's, with every operator that it names
/// known to us.
llvm::Expected<Target> loadKnownTarget(llvm::StringRef nameOrPath);

/// What the layout problem of a graph needs to know. An error (usage) for an
/// input or output that does not exist or cannot be stored so.
llvm::Expected<PresetOptions> getPresetOptions(mlir::func::FuncOp graph,
                                               const LayoutOptions &options);

/// Names the axes of every tensor, within the ranks that the target gives each
/// class.
llvm::Error transmitLayouts(mlir::ModuleOp module, const Target &target);

/// Names axes and chooses storage orders: encodings of types and relayouts.
llvm::Expected<PresetResult> chooseLayouts(mlir::ModuleOp module,
                                           const Target &target,
                                           const LayoutOptions &options);

/// Makes the storage orders that were chosen the shapes of the tensors.
llvm::Error materializeLayouts(mlir::ModuleOp module, const Target &target);

/// How often layouts are chosen at most.
inline constexpr unsigned maxLayoutRounds = 4;

/// Chooses layouts, makes them shapes and runs `simplify`, in rounds. Stored
/// otherwise, operators may have become equal and merged, or views cancelled,
/// so that the next round finds less to move. There is a next round as long as
/// bytes are moved, the number of operators has changed, and the last round has
/// moved less than the one before. What one round has wrapped for the target
/// (`inlay.in_layout`) stays so in the next.
llvm::Expected<PresetResult>
settleLayouts(mlir::ModuleOp module, const Target &target,
              const LayoutOptions &options,
              llvm::function_ref<llvm::Error(mlir::ModuleOp)> simplify,
              unsigned maxRounds = maxLayoutRounds);

/// Both, in one round.
llvm::Expected<PresetResult> assignLayouts(mlir::ModuleOp module,
                                           const Target &target,
                                           const LayoutOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_LAYOUTS_H
