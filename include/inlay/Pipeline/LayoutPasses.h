//===- LayoutPasses.h - The passes of layouts in a pipeline -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_LAYOUTPASSES_H
#define INLAY_PIPELINE_LAYOUTPASSES_H

#include "inlay/Pipeline/Layouts.h"
#include "inlay/Pipeline/Passes.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "mlir/Pass/PassManager.h"
#include <array>

namespace inlay {

/// Least and greatest rank of each class, as options have them.
struct RankOptions {
  explicit RankOptions(const Target &target);

  std::array<int64_t, 2> feature, weight, nTensor, tensor;

  template <typename Options> void set(Options &options) const {
    options.featureRanks = feature;
    options.weightRanks = weight;
    options.nTensorRanks = nTensor;
    options.tensorRanks = tensor;
  }
};

/// Names axes, within the ranks that the target gives each class.
void addLayoutTransmit(mlir::OpPassManager &passes, const RankOptions &ranks);

/// Chooses storage orders, and removes relayouts that undo each other where the
/// strategy leaves some.
void addStorageChoice(mlir::OpPassManager &passes, const LayoutOptions &options,
                      bool onlyIfCheaper = false);

/// The rounds.
void addSettleLayouts(mlir::OpPassManager &passes, const Target &target,
                      const LayoutOptions &options, bool simplify,
                      int64_t foldLimit, unsigned maxRounds = maxLayoutRounds);

} // namespace inlay

#endif // INLAY_PIPELINE_LAYOUTPASSES_H
