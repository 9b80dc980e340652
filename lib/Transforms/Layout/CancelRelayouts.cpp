//===- CancelRelayouts.cpp - Relayouts that undo each other ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation is looked at once, in program order, so that what it reads has
// been dealt with:
//
//   relayout(relayout(x))      reads x
//   relayout(x) of x's type    is x
//   relayout(x) seen before    is the earlier one
//   transpose(relayout(x))     is relayout(transpose(x)), where the transpose
//   relayout(transpose(x))     leaves the elements where they are
//
// The last two make "relayout, transpose, relayout" into one relayout at the
// most. What nothing uses any more goes in the end.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Layout/AxisOrder.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "inlay/Transforms/Layout/SeparateTransposes.h"
#include "llvm/ADT/MapVector.h"

namespace inlay {
#define GEN_PASS_DEF_CANCELRELAYOUTS
#include "inlay/Transforms/Layout/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

namespace {
class Canceller {
public:
  Canceller(func::FuncOp function, RemovedNodes &removed)
      : function(function), removed(removed) {}

  void run();

private:
  void markTransposes();
  void visitRelayout(RelayoutOp op);
  bool gainsWithout(TransposeOp op) const;
  void visitTranspose(TransposeOp op);
  RelayoutOp findEqual(RelayoutOp op) const;
  void removeDead();

  func::FuncOp function;
  RemovedNodes &removed;
  /// All operations, the new relayouts behind the transposes they belong to.
  llvm::SmallVector<Operation *, 0> order;
  /// Transposes whose results are, perhaps after others, in another order.
  DenseSet<Operation *> marked;
  /// Those of them for which elements move.
  DenseSet<Operation *> moved;
  using Key = std::pair<Value, Type>;
  DenseMap<Region *, DenseMap<Key, RelayoutOp>> relayouts;
  /// Locations of the relayouts that each survivor stands for.
  llvm::MapVector<Operation *, SmallVector<Location>> merged;
};
} // namespace

//===----------------------------------------------------------------------===//
// Relayouts
//===----------------------------------------------------------------------===//

/// Whether dimension `dim` of `type` fits into one block of its order.
static bool isOneBlock(RankedTensorType type, unsigned dim) {
  bool isBlocked = false, fits = false;
  unsigned numFactors = 0;
  for (const Atom &atom : getStorageOrder(type)) {
    if (atom.dim != dim)
      continue;
    ++numFactors;
    isBlocked |= countsBlocks(atom);
    fits |= atom.factor == 0 && atom.extent.isKnown() &&
            !type.isDynamicDim(dim) &&
            type.getDimSize(dim) <= atom.extent.getValue();
  }
  return isBlocked && fits && numFactors == 2;
}

/// The storage order of `type` with such dimensions whole: their padding comes
/// and goes without moving elements.
static AtomSequence getOrderInBlocks(RankedTensorType type) {
  AtomSequence joined;
  for (const Atom &atom : getStorageOrder(type)) {
    if (!isOneBlock(type, atom.dim))
      joined.push_back(atom);
    else if (atom.factor == 0)
      joined.push_back({atom.dim});
  }
  return joined;
}

/// Whether elements of both types lie in memory in the same order.
static bool areAlike(Type a, Type b) {
  auto type = cast<RankedTensorType>(a);
  return areStoredAlike(getOrderInBlocks(type),
                        getOrderInBlocks(cast<RankedTensorType>(b)),
                        type.getShape());
}

/// Whether `op` is a relayout that costs something.
static bool movesElements(Operation *op) {
  auto relayout = dyn_cast<RelayoutOp>(op);
  return relayout &&
         !areAlike(relayout.getInput().getType(), relayout.getType());
}

/// The value that `value` is in another order.
static Value getSource(Value value) {
  while (auto relayout = value.getDefiningOp<RelayoutOp>())
    value = relayout.getInput();
  return value;
}

/// The last value before `value` that elements were moved for.
static Value getMovedSource(Value value) {
  auto relayout = value.getDefiningOp<RelayoutOp>();
  for (; relayout && !movesElements(relayout);
       relayout = value.getDefiningOp<RelayoutOp>())
    value = relayout.getInput();
  return value;
}

/// Whether there is nothing to gain from the relayouts that give `value` alone:
/// they are there for others too, or are of a constant and cost nothing.
static bool isShared(Value value) {
  while (auto relayout = value.getDefiningOp<RelayoutOp>()) {
    if (!value.hasOneUse())
      return true;
    value = relayout.getInput();
  }
  return value.getDefiningOp<ConstantOp>();
}

/// The same relayout in the region of `op` or one around it.
RelayoutOp Canceller::findEqual(RelayoutOp op) const {
  Key key(op.getInput(), op.getType());
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion())
    if (auto table = relayouts.find(region); table != relayouts.end())
      if (RelayoutOp found = table->second.lookup(key))
        return found;
  return {};
}

void Canceller::visitRelayout(RelayoutOp op) {
  Value source = getSource(op.getInput());
  // Behind one that stays it costs nothing, elsewhere it would.
  if (!movesElements(op) && isShared(op.getInput()))
    source = getMovedSource(op.getInput());
  op.getInputMutable().set(source);
  if (source.getType() == op.getType()) {
    op.getResult().replaceAllUsesWith(source);
    return;
  }
  RelayoutOp leader = findEqual(op);
  if (!leader) {
    relayouts[op->getParentRegion()][Key(source, op.getType())] = op;
    return;
  }
  op.getResult().replaceAllUsesWith(leader.getResult());
  if (!getFirstOrigin(op.getLoc()))
    return;
  // The leader bears the name from now on.
  auto &locs = merged[leader];
  if (locs.empty())
    locs.push_back(leader.getLoc());
  locs.push_back(op.getLoc());
  op->setLoc(UnknownLoc::get(op.getContext()));
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

void Canceller::markTransposes() {
  for (Operation *op : llvm::reverse(order)) {
    if (!isa<TransposeOp>(op))
      continue;
    for (Operation *user : op->getUsers()) {
      if (isa<RelayoutOp>(user) || marked.contains(user))
        marked.insert(op);
      if (movesElements(user) || moved.contains(user))
        moved.insert(op);
    }
  }
}

static LayoutAttr getLayout(Type type) {
  return dyn_cast_if_present<LayoutAttr>(
      cast<RankedTensorType>(type).getEncoding());
}

/// The type of the transpose's result when its elements lie as those of `input`
/// do; null where that cannot be said.
static Type getAlikeType(TransposeOp op, Value input) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto from = dyn_cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> perm =
      from ? op.getPermutation() : SmallVector<int64_t>();
  if (!type || !from || type.getRank() != from.getRank())
    return {};
  LayoutAttr layout = getLayout(type), fromLayout = getLayout(from);
  Layout tensor = Layout::getTensor();
  const Layout &own = layout ? layout.getLayout() : tensor;
  const Layout &source = fromLayout ? fromLayout.getLayout() : tensor;
  if (own.isBlocked() || source.isBlocked())
    return {};
  // Dimension perm[i] of the input is dimension i of the result.
  SmallVector<unsigned> dims(perm.size());
  for (auto [i, dim] : llvm::enumerate(perm))
    dims[dim] = i;
  AtomSequence atoms = source.getAtoms(from.getRank());
  for (Atom &atom : atoms)
    atom.dim = dims[atom.dim];
  auto alike = own.getAxes().empty()
                   ? Layout::getUnnamed(own.getClass(), std::move(atoms))
                   : Layout::getNamed(own.getAxes(), std::move(atoms));
  if (!alike) {
    llvm::consumeError(alike.takeError());
    return {};
  }
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               LayoutAttr::get(op.getContext(), *alike));
}

/// Whether a transpose is better off without the relayout before it. Where that
/// stays for others and the transpose costs nothing behind it, only those gain
/// for whom elements would be moved once more.
bool Canceller::gainsWithout(TransposeOp op) const {
  Type alike = getAlikeType(op, op.getInput());
  if (!isShared(op.getInput()) || !alike || !areAlike(alike, op.getType()))
    return true;
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return movesElements(user) || moved.contains(user);
  });
}

void Canceller::visitTranspose(TransposeOp op) {
  Value source = getSource(op.getInput());
  if (source == op.getInput() && !marked.contains(op))
    return;
  Type type = op.getType(), alike = getAlikeType(op, source);
  if (!alike || (source != op.getInput() && !gainsWithout(op)))
    return;
  op.getInputMutable().set(source);
  if (getStorageOrder(alike) == getStorageOrder(type))
    return;
  // The relayout is what remains of the transpose.
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(op);
  op.getResult().setType(alike);
  auto rest = builder.create<RelayoutOp>(op.getLoc(), type, op.getResult());
  op.getResult().replaceAllUsesExcept(rest.getResult(), rest);
  op->setLoc(builder.getUnknownLoc());
  order.push_back(rest);
  visitRelayout(rest);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void Canceller::removeDead() {
  llvm::SetVector<OriginAttr> gone;
  DenseSet<OriginAttr> kept;
  // Nobody reads the new relayouts, which come last, but those who keep them,
  // so that one sweep from the end finds all.
  for (Operation *op : llvm::reverse(order)) {
    bool isDead = op->use_empty();
    for (OriginAttr origin : getOrigins(op->getLoc()))
      isDead ? gone.insert(origin) : kept.insert(origin).second;
    if (isDead)
      op->erase();
  }
  // A relayout that stood for a transpose shares its origin.
  for (OriginAttr origin : gone)
    if (!kept.contains(origin))
      removed.add(origin, "cancelled by the relayouts around it");
}

void Canceller::run() {
  separateTransposes(function);
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<RelayoutOp, TransposeOp>(op))
      order.push_back(op);
    // Groups that are there already are finished.
    return isa<GroupOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  markTransposes();
  size_t count = order.size();
  for (size_t i = 0; i < count; ++i) {
    if (auto relayout = dyn_cast<RelayoutOp>(order[i]))
      visitRelayout(relayout);
    else
      visitTranspose(cast<TransposeOp>(order[i]));
  }
  for (auto &[leader, locs] : merged)
    leader->setLoc(mergeLocs(leader->getContext(), locs));
  removeDead();
  mergeMoves(function);
}

namespace {
struct CancelRelayoutsPass final
    : inlay::impl::CancelRelayoutsBase<CancelRelayoutsPass> {
  using CancelRelayoutsBase::CancelRelayoutsBase;

  void runOnOperation() override {
    RemovedNodes removed;
    for (auto function : getOperation().getOps<func::FuncOp>())
      Canceller(function, removed).run();
    removed.write(getOperation());
  }
};
} // namespace
