//===- SubsetSearch.h - The best groups among a few nodes -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_HARDWAREFUSION_SUBSETSEARCH_H
#define INLAY_LIB_HARDWAREFUSION_SUBSETSEARCH_H

#include "inlay/Analysis/GraphUnits.h"
#include "inlay/HardwareFusion/FusionPlan.h"
#include "llvm/ADT/BitVector.h"

namespace inlay {

/// Parts some nodes into units, each a group or a single node, so that the
/// fewest bytes cross the borders of units. Everything around the nodes stays
/// as it is. Branch and bound: nodes join units one after the other, in order.
class SubsetSearch {
public:
  static constexpr unsigned maxSize = 31;
  /// A set of nodes, as places in `nodes`.
  using Mask = PlaceMask;
  /// Of each node, as a place, the first node of its unit.
  using Units = std::vector<unsigned>;

  /// `nodes` ascend. `paths` has for each the nodes that paths lead to outside
  /// of `nodes`. Of a unit at most `maxPlaces` places in the pipeline are
  /// followed.
  SubsetSearch(const DFG &graph, const HDFG &pipeline,
               llvm::ArrayRef<unsigned> nodes, std::vector<Mask> paths,
               size_t maxPlaces);

  /// Bytes that cross the borders of units, as far as that depends on them.
  uint64_t computeCost(const Units &units) const;
  /// Whether units are legal where the paths are.
  bool isLegal(const Units &units) const;

  /// Looks for something cheaper than `best` within `maxSteps`; returns whether
  /// there can be nothing cheaper than what `best` is then: it ended, and no
  /// place was dropped on the way.
  bool run(Units &best, uint64_t &cost, uint64_t maxSteps);
  uint64_t getNumSteps() const { return numSteps; }
  /// No units cost less than this.
  uint64_t getLeast() const { return least.front(); }

private:
  struct Unit {
    Mask members = 0;
    /// Members that data of the unit flows out of.
    Mask carriers = 0;
    bool isMapped = false;
    /// How far the data may have come, without repetition.
    llvm::SmallVector<PipelinePlace, 1> places;
    /// Values that were read from outside of it.
    llvm::BitVector read;
  };
  struct State {
    std::vector<Unit> units;
    /// Of each unit, those that wait for it.
    std::vector<Mask> waiting;
    /// Values that something outside of their unit uses.
    llvm::BitVector written;
    uint64_t cost = 0;
    Units assigned;
  };

  void indexValues();
  void search(State &state, unsigned place);
  bool join(State &state, unsigned place, unsigned unit) const;
  bool enter(Unit &unit, unsigned place) const;
  bool closeCycle(State &state, unsigned place, unsigned unit) const;
  void charge(State &state, unsigned place, unsigned unit) const;
  bool isComplete(const State &state) const;

  const DFG &graph;
  const HDFG &pipeline;
  llvm::ArrayRef<unsigned> nodes;
  std::vector<Mask> paths;
  size_t maxPlaces;
  /// Whether there were more places than are followed.
  mutable bool hasDropped = false;
  /// The values that the nodes use and make; constants do not count.
  std::vector<unsigned> values;
  /// Of each node: those that it reads, and which are written whatever units
  /// there are.
  std::vector<llvm::SmallVector<unsigned, 4>> reads;
  std::vector<llvm::SmallVector<unsigned, 2>> makes;
  llvm::BitVector leaves;
  /// Of each value, the place that makes it or maxSize.
  std::vector<unsigned> makers;
  /// What the nodes from a place on cost at the least.
  std::vector<uint64_t> least;
  Units *best = nullptr;
  uint64_t bestCost = 0;
  uint64_t numSteps = 0, maxSteps = 0;
};

} // namespace inlay

#endif // INLAY_LIB_HARDWAREFUSION_SUBSETSEARCH_H
