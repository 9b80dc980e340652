//===- PeakMemory.cpp - The most bytes alive at once ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Subgraphs are measured before the operations that hold them: the peak of a
// subgraph counts on top of what is alive around its operation. Of several
// subgraphs (the branches of If) the largest counts.
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModelStats.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/LastUses.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

/// The peaks of the subgraphs of operations that have some.
using NestedPeaks = DenseMap<Operation *, uint64_t>;

namespace {
/// The bytes of values alive, or nothing once one of them has no size.
class LiveBytes {
public:
  void define(Value value) {
    std::optional<uint64_t> size = getByteSize(value.getType());
    isKnown &= size.has_value();
    live = llvm::SaturatingAdd(live, size.value_or(0));
  }
  void kill(Value value) { live -= getByteSize(value.getType()).value_or(0); }
  /// What is alive with something else beside it.
  std::optional<uint64_t> note(uint64_t extra) {
    uint64_t now = llvm::SaturatingAdd(live, extra);
    peak = std::max(peak, now);
    return isKnown ? std::optional(now) : std::nullopt;
  }
  std::optional<uint64_t> getPeak() const {
    return isKnown ? std::optional(peak) : std::nullopt;
  }

private:
  uint64_t live = 0;
  uint64_t peak = 0;
  bool isKnown = true;
};
} // namespace

/// Whether the value is one that somebody computes.
static bool isActivation(Value value) {
  return !value.getDefiningOp<ConstantOp>();
}

/// The peak of a block; `live` gets what is alive at each operation.
static std::optional<uint64_t> measureBlock(Block &block,
                                            const NestedPeaks &nested,
                                            LiveBytesByOp *live = nullptr) {
  LiveBytes bytes;
  for (Value argument : block.getArguments())
    bytes.define(argument);
  LastUses uses(block);
  for (auto [i, op] : llvm::enumerate(block)) {
    for (Value result : op.getResults())
      if (isActivation(result) && !result.use_empty())
        bytes.define(result);
    std::optional<uint64_t> now = bytes.note(nested.lookup(&op));
    if (live && now)
      live->insert({&op, *now});
    for (Value value : uses.getDying(i))
      if (isActivation(value) &&
          (isa<BlockArgument>(value) || !value.use_empty()))
        bytes.kill(value);
  }
  return bytes.getPeak();
}

/// The peaks of all bodies below a block; nothing where a size is unknown.
static std::optional<NestedPeaks> measureBodies(Block &block) {
  NestedPeaks nested;
  bool isKnown = true;
  // The walk reaches inner operations before the ones around them.
  for (Operation &top : block)
    top.walk([&](Operation *op) {
      // The body only says what the operator computes, and what a group keeps
      // to itself stays on the chip.
      if (isFinished(op) || isa_and_present<InLayoutOp>(op->getParentOp()) ||
          op->getParentOfType<GroupOp>())
        return;
      for (Region &region : op->getRegions())
        for (Block &inner : region) {
          std::optional<uint64_t> peak = measureBlock(inner, nested);
          isKnown &= peak.has_value();
          uint64_t &largest = nested[op];
          largest = std::max(largest, peak.value_or(0));
        }
    });
  return isKnown ? std::optional(std::move(nested)) : std::nullopt;
}

std::optional<uint64_t> inlay::computePeakActivationBytes(Block &block) {
  std::optional<NestedPeaks> nested = measureBodies(block);
  return nested ? measureBlock(block, *nested) : std::nullopt;
}

LiveBytesByOp inlay::computeLiveBytes(Block &block) {
  LiveBytesByOp live;
  if (std::optional<NestedPeaks> nested = measureBodies(block))
    measureBlock(block, *nested, &live);
  return live;
}
