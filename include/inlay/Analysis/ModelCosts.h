//===- ModelCosts.h - What the nodes of a model cost ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_MODELCOSTS_H
#define INLAY_ANALYSIS_MODELCOSTS_H

#include "inlay/Target/MachineTarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// What a node computes and moves; nothing where that depends on an unknown
/// extent.
struct NodeCost {
  mlir::Operation *op = nullptr;
  /// Two for each product that is summed; 0 where the work is something else.
  std::optional<uint64_t> flops = 0;
  /// Constants that it reads, and what else it reads and writes. A view moves
  /// nothing, and what takes elements out of a tensor reads no more than these.
  std::optional<uint64_t> weightBytes = 0, activationBytes = 0;
  /// Of the activations, those too large for the chip.
  std::optional<uint64_t> offChipBytes = 0;
  /// Inputs and intermediate tensors that are alive while it runs; nothing in
  /// bodies.
  std::optional<uint64_t> liveBytes;

  std::optional<uint64_t> getBytes() const;
  /// Operations per byte.
  std::optional<double> getIntensity() const;
};

/// What limits a node.
enum class Bound : uint8_t { Nothing, Compute, Memory };

struct TimeEstimate {
  double seconds = 0;
  Bound bound = Bound::Nothing;
};

struct ModelCosts {
  /// In the order in which they run. A group is one, those of bodies count
  /// once.
  std::vector<NodeCost> nodes;
  /// Whether there are bodies.
  bool hasBodies = false;

  /// The sum of what is known; `numUnknown` counts the rest.
  uint64_t sum(std::optional<uint64_t> NodeCost::*what,
               uint64_t *numUnknown = nullptr) const;
};

/// Activations of at most `onChipBytes` stay on the chip.
ModelCosts getModelCosts(mlir::func::FuncOp graph, uint64_t onChipBytes = 0);

/// The longer of what computing and moving take at these rates; nothing where
/// a cost or a rate is not known.
std::optional<TimeEstimate> estimateTime(const NodeCost &cost,
                                         const MachineRates &rates);

} // namespace inlay

#endif // INLAY_ANALYSIS_MODELCOSTS_H
