//===- SettleLayouts.cpp - Rounds of layouts ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/Pipeline/LayoutPasses.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Transforms/Layout/LayoutRecord.h"
#include "inlay/Transforms/Simplify/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_SETTLELAYOUTS
#include "inlay/Pipeline/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

namespace {
/// What a round may leave of a graph when it only stores tensors otherwise: as
/// many operators, each reading its operands through views where it did.
struct Skeleton {
  explicit Skeleton(ModuleOp module);

  /// Whether something has merged, cancelled or been taken apart since
  /// `before`.
  bool isOther(const Skeleton &before) const;

private:
  /// Neither constants nor transposes, bodies in other layouts aside.
  size_t numOperators = 0;
  /// Of each operand of an operator that is no view, whether it is one.
  std::vector<bool> readsView;
};
} // namespace

static bool isView(Operation *op) {
  auto fusion = dyn_cast_if_present<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::View;
}

/// Whether `value`, transposed or not, is a view.
static bool isViewed(Value value) {
  if (auto transpose = value.getDefiningOp<TransposeOp>())
    value = transpose.getInput();
  return isView(value.getDefiningOp());
}

Skeleton::Skeleton(ModuleOp module) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->hasTrait<OpTrait::ConstantLike>() && !isa<TransposeOp>(op)) {
      ++numOperators;
      if (!isView(op))
        for (Value operand : op->getOperands())
          readsView.push_back(isViewed(operand));
    }
    return isFinished(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

bool Skeleton::isOther(const Skeleton &before) const {
  if (numOperators != before.numOperators ||
      readsView.size() != before.readsView.size())
    return true;
  for (size_t i = 0; i < readsView.size(); ++i)
    if (before.readsView[i] && !readsView[i])
      return true;
  return false;
}

static Cost getLess(Cost a, Cost b) {
  return {std::min(a.bytes, b.bytes), std::min(a.count, b.count)};
}

static Cost subtract(Cost a, Cost b) {
  Cost common = getLess(a, b);
  return {a.bytes - common.bytes, a.count - common.count};
}

/// The ledger of rounds of which the last has left `out`.
static TransposeLedger joinLedgers(const TransposeLedger &before, Cost out) {
  TransposeLedger joined;
  joined.in = before.in;
  joined.kept = getLess(before.kept, out);
  joined.moved = getLess(before.moved, subtract(out, joined.kept));
  joined.added = subtract(subtract(out, joined.kept), joined.moved);
  joined.removed = subtract(subtract(joined.in, joined.kept), joined.moved);
  return joined;
}

/// Takes over what a later round found. Where it changed nothing, what it found
/// there is what is left: a relayout may have come out as a view.
static void addRound(PresetResult &total, const PresetResult &later,
                     unsigned round) {
  total.round = round;
  total.certificate = later.certificate;
  total.cost = later.cost;
  total.surchargeOut = later.surchargeOut;
  total.numReorderedSums += later.numReorderedSums;
  total.ledger = joinLedgers(total.ledger, later.ledger.getOut());
}

namespace {
class SettleLayouts : public inlay::impl::SettleLayoutsBase<SettleLayouts> {
public:
  using SettleLayoutsBase::SettleLayoutsBase;

  void runOnOperation() override {
    if (isModuleFinished(getOperation()))
      return;
    auto graph = getGraph(getOperation());
    if (!graph) {
      (void)reportError(getOperation(), graph.takeError());
      return signalPassFailure();
    }
    std::optional<PresetResult> total = settle(*graph);
    if (!total)
      return signalPassFailure();
    writeLayouts(*graph, *total);
  }

private:
  std::optional<PresetResult> settle(func::FuncOp graph);
  void buildRound(OpPassManager &passes, bool isFirst);
  bool isLast(const PresetResult &total) const {
    return !total.isUnsettled || strategy != LayoutStrategy::Optimal;
  }
};
} // namespace

void SettleLayouts::buildRound(OpPassManager &passes, bool isFirst) {
  LayoutOptions options;
  options.strategy = strategy;
  options.objective = minimize;
  // Inputs and outputs are stored as asked after the first.
  if (isFirst)
    options.ioLayouts.assign(ioLayouts.begin(), ioLayouts.end());
  LayoutTransmitOptions transmit;
  transmit.featureRanks = ArrayRef<int64_t>(featureRanks);
  transmit.weightRanks = ArrayRef<int64_t>(weightRanks);
  transmit.nTensorRanks = ArrayRef<int64_t>(nTensorRanks);
  transmit.tensorRanks = ArrayRef<int64_t>(tensorRanks);
  passes.addNestedPass<func::FuncOp>(createLayoutTransmit(transmit));
  addStorageChoice(passes, options, onlyIfCheaper || !isFirst);
  passes.addPass(createMaterializeLayouts());
  if (simplify)
    passes.addPass(createSimplify(SimplifyOptions{int64_t(foldLimit)}));
  passes.addPass(createCheckModule());
}

/// What all rounds have found together; nothing where one has failed.
std::optional<PresetResult> SettleLayouts::settle(func::FuncOp graph) {
  std::optional<PresetResult> total;
  for (unsigned round = 1; round <= maxRounds; ++round) {
    Skeleton before(getOperation());
    OpPassManager passes(ModuleOp::getOperationName());
    buildRound(passes, /*isFirst=*/!total);
    if (failed(runPipeline(passes, getOperation())) || isCancelled())
      return std::nullopt;
    std::optional<PresetResult> found = readLayouts(graph);
    // A product or reduction over other dimensions may admit other orders.
    bool hasOtherSums = found->numReorderedSums != 0;
    bool isApplied = found->isApplied;
    if (total)
      addRound(*total, *found, round);
    else
      total = std::move(found);
    total->isOnlyRound = false;
    total->isUnsettled =
        isApplied && total->cost.bytes != 0 &&
        (round > 1 || hasOtherSums || Skeleton(getOperation()).isOther(before));
    if (isLast(*total))
      return total;
  }
  total->certificate->bound = {};
  return total;
}
