//===- MergeEqual.cpp - Merging equal operations --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopedHashTable.h"

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

namespace {
/// Operations are the same when name, attributes, operands and result types
/// are; where they come from does not matter.
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

using Table = llvm::DenseMap<Operation *, Operation *, EqualOperations>;

/// Merges the operations of a function, region by region: an operation may
/// stand for one in a region inside its own.
class Merger {
public:
  explicit Merger(State &state) : state(state) {}

  bool run(Region &region);

private:
  Operation *lookup(Operation *op, Region *region) const;

  State &state;
  llvm::DenseMap<Region *, Table> tables;
  /// Locations of the operations that each survivor stands for.
  llvm::MapVector<Operation *, SmallVector<Location>> merged;
};
} // namespace

static bool isMergeable(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() != 0 &&
         isMemoryEffectFree(op);
}

/// An equal operation in `region` or one around it that it can use values of.
Operation *Merger::lookup(Operation *op, Region *region) const {
  for (; region; region = region->getParentRegion()) {
    auto table = tables.find(region);
    if (table != tables.end())
      if (Operation *leader = table->second.lookup(op))
        return leader;
    if (region->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
  }
  return nullptr;
}

bool Merger::run(Region &root) {
  for (Operation *op : getProgramOrder(root)) {
    if (!isMergeable(op))
      continue;
    Region *region = op->getParentRegion();
    Operation *leader = lookup(op, region);
    if (!leader) {
      tables[region][op] = op;
      continue;
    }
    auto &locs = merged[leader];
    if (locs.empty())
      locs.push_back(leader->getLoc());
    locs.push_back(op->getLoc());
    op->replaceAllUsesWith(leader);
    state.folded.erase(op);
    op->erase();
  }
  for (auto &[leader, locs] : merged)
    leader->setLoc(mergeLocs(leader->getContext(), locs));
  return !merged.empty();
}

bool simplify::mergeEqual(func::FuncOp function, State &state) {
  return Merger(state).run(function.getBody());
}
