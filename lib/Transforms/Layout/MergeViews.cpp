//===- MergeViews.cpp - Reshapes of reshapes and constants ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MergeViews.h"
#include "inlay/IR/StoredConstants.h"

using namespace inlay;
using namespace inlay::layout;
using namespace mlir;

static constexpr char cancelled[] = "the reshapes around it cancel out";
static constexpr char computed[] = "computed at compile time";

namespace {
class ViewMerger {
public:
  explicit ViewMerger(RemovedNodes &removed) : removed(removed) {}

  void run(ArrayRef<ReshapeOp> views);

private:
  ReshapeOp mergeWithProducer(ReshapeOp view);
  void foldConstant(ReshapeOp view);
  void replace(Operation *view, Value value);
  void passOn(Operation *op, Operation *heir, StringRef reason);

  RemovedNodes &removed;
  DenseSet<Operation *> dead;
  /// Constants in other shapes, each once.
  DenseMap<std::pair<Value, Type>, Value> constants;
};
} // namespace

/// `view` as one reshape of what its producer, a reshape, reads; null where
/// unknown extents keep that from being expressed.
static Value buildMerged(ReshapeOp view, ReshapeOp producer) {
  auto type = dyn_cast<RankedTensorType>(view.getType());
  auto from = dyn_cast<RankedTensorType>(producer.getInput().getType());
  if (!type || !from)
    return {};
  if (type.hasStaticShape() && from == type)
    return producer.getInput();
  // With more unknown extents a view may take two operations.
  if (type.getNumDynamicDims() > 1 || from.getNumDynamicDims() > 1)
    return {};
  OpBuilder builder(view);
  StoredOpBuilder stored(builder, view, view->getOperands());
  return stored.createView(producer.getInput(), type.getShape());
}

void ViewMerger::replace(Operation *view, Value value) {
  view->getResult(0).replaceAllUsesWith(value);
  view->dropAllReferences();
  dead.insert(view);
}

/// Gives the origin of `op`, which goes, to `heir`; without one it is removed.
void ViewMerger::passOn(Operation *op, Operation *heir, StringRef reason) {
  if (!getFirstOrigin(op->getLoc()))
    return;
  if (heir)
    heir->setLoc(mergeLocs(op->getContext(), {heir->getLoc(), op->getLoc()}));
  else
    removed.add(op, reason);
}

/// The view that `view` has become, or null where nothing is to be merged.
ReshapeOp ViewMerger::mergeWithProducer(ReshapeOp view) {
  auto producer = view.getInput().getDefiningOp<ReshapeOp>();
  Value merged = producer ? buildMerged(view, producer) : Value();
  if (!merged)
    return {};
  replace(view, merged);
  auto heir = merged == producer.getInput() ? ReshapeOp()
                                            : merged.getDefiningOp<ReshapeOp>();
  if (heir)
    heir->setLoc(UnknownLoc::get(heir.getContext()));
  passOn(view, heir, cancelled);
  if (producer->use_empty()) {
    passOn(producer, heir, cancelled);
    dead.insert(producer);
  }
  return heir;
}

void ViewMerger::foldConstant(ReshapeOp view) {
  auto constant = view.getInput().getDefiningOp<ConstantOp>();
  auto type = dyn_cast<RankedTensorType>(view.getType());
  if (!constant || !type || !type.hasStaticShape())
    return;
  Value &viewed = constants[{constant.getResult(), type}];
  if (!viewed) {
    TypedAttr value = getStoredAttr(constant.getValue(), Layout::getTensor(),
                                    type.getShape());
    if (!value)
      return;
    OpBuilder builder(view.getContext());
    builder.setInsertionPointAfter(constant);
    viewed = builder.create<ConstantOp>(builder.getUnknownLoc(), type, value);
  }
  replace(view, viewed);
  passOn(view, nullptr, computed);
  if (constant->use_empty()) {
    passOn(constant, viewed.getDefiningOp(), computed);
    dead.insert(constant);
  }
}

void ViewMerger::run(ArrayRef<ReshapeOp> views) {
  for (ReshapeOp view : views) {
    ReshapeOp current = dead.contains(view) ? ReshapeOp() : view, last;
    for (; current; current = mergeWithProducer(current))
      last = current;
    if (last && !dead.contains(last))
      foldConstant(last);
  }
  for (Operation *op : dead)
    op->dropAllReferences();
  // A constant that had no uses left may have found others since.
  for (Operation *op : dead)
    if (op->use_empty())
      op->erase();
}

void layout::mergeViews(ArrayRef<ReshapeOp> views, RemovedNodes &removed) {
  ViewMerger(removed).run(views);
}
