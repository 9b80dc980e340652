//===- MergeEqual.cpp - Merging equal operations --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "inlay/IR/NormalSpelling.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopedHashTable.h"

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

namespace {
/// Operations are the same when name, attributes, operands and result types
/// are, in their normal spelling; where they come from does not matter.
struct EqualOperations : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return OperationEquivalence::computeHash(
        const_cast<Operation *>(op), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(const Operation *a, const Operation *b) {
    Operation *empty = getEmptyKey(), *tombstone = getTombstoneKey();
    if (a == b)
      return true;
    if (a == empty || a == tombstone || b == empty || b == tombstone)
      return false;
    return OperationEquivalence::isEquivalentTo(
        const_cast<Operation *>(a), const_cast<Operation *>(b),
        OperationEquivalence::IgnoreLocations);
  }
};

/// From the normal spelling of an operation to the first that is equal to it.
using Table = llvm::DenseMap<Operation *, Operation *, EqualOperations>;

/// Merges the operations of a function, region by region: an operation may
/// stand for one in a region inside its own.
class Merger {
public:
  explicit Merger(State &state) : state(state) {}

  bool run(Region &region);

private:
  Operation *lookup(Operation *normal, Region *region) const;
  void merge(Operation *op, Operation *leader);

  State &state;
  /// Spellings that no operation of the function has, before the tables that
  /// look at them.
  std::vector<OwningOpRef<Operation *>> spellings;
  llvm::DenseMap<Region *, Table> tables;
  /// Locations of the operations that each survivor stands for.
  llvm::MapVector<Operation *, SmallVector<Location>> merged;
};
} // namespace

static bool isMergeable(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() != 0 &&
         isMemoryEffectFree(op);
}

/// An operation that `normal` is the spelling of, in `region` or one around it
/// that it can use values of.
Operation *Merger::lookup(Operation *normal, Region *region) const {
  for (; region; region = region->getParentRegion()) {
    auto table = tables.find(region);
    if (table != tables.end())
      if (Operation *leader = table->second.lookup(normal))
        return leader;
    if (region->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
  }
  return nullptr;
}

static bool hasName(Location loc) {
  OriginAttr origin = getFirstOrigin(loc);
  return origin && !origin.getName().empty();
}

/// The first origin is what a node is called by: those that have a name first.
static SmallVector<Location> putNamedFirst(ArrayRef<Location> locs) {
  SmallVector<Location> ordered;
  llvm::copy_if(locs, std::back_inserter(ordered), hasName);
  llvm::copy_if(locs, std::back_inserter(ordered),
                [](Location loc) { return !hasName(loc); });
  return ordered;
}

void Merger::merge(Operation *op, Operation *leader) {
  auto &locs = merged[leader];
  if (locs.empty())
    locs.push_back(leader->getLoc());
  locs.push_back(op->getLoc());
  op->replaceAllUsesWith(leader);
  state.folded.erase(op);
  op->erase();
}

bool Merger::run(Region &root) {
  for (Operation *op : getProgramOrder(root)) {
    if (!isMergeable(op))
      continue;
    Region *region = op->getParentRegion();
    OwningOpRef<Operation *> other = spellNormally(op);
    Operation *normal = other ? *other : op;
    if (Operation *leader = lookup(normal, region)) {
      merge(op, leader);
      continue;
    }
    tables[region][normal] = op;
    if (other)
      spellings.push_back(std::move(other));
  }
  for (auto &[leader, locs] : merged) {
    bool isConstant = leader->hasTrait<OpTrait::ConstantLike>();
    leader->setLoc(mergeLocs(leader->getContext(),
                             isConstant ? locs : putNamedFirst(locs)));
  }
  return !merged.empty();
}

bool simplify::mergeEqual(func::FuncOp function, State &state) {
  return Merger(state).run(function.getBody());
}
