//===- HDFG.h - The pipeline of a target as a graph -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware data-flow graph. An operator occupies every stage that its parts
// use; any stage may be skipped unless the target says otherwise, a stage
// repeats wherever links lead back to it, and data may leave behind any stage.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_HARDWAREFUSION_HDFG_H
#define INLAY_HARDWAREFUSION_HDFG_H

#include "inlay/HardwareFusion/DFG.h"
#include "inlay/Target/DataFlow.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace inlay {

/// How far the data of a group has come in the pipeline.
struct PipelinePlace {
  /// The last stage that was used; nothing before the first. (`last_match` in
  /// docs/Requirements.md.)
  std::optional<unsigned> last;
  /// How often each stage was used that may not be used without end.
  llvm::SmallVector<unsigned, 16> uses;

  bool operator==(const PipelinePlace &) const = default;
  bool operator<(const PipelinePlace &other) const {
    return last != other.last ? last < other.last : uses < other.uses;
  }
};

class HDFG {
public:
  static HDFG create(const DataFlow &flow);

  const DataFlow &getFlow() const { return *flow; }
  unsigned getNumStages() const { return flow->stages.size(); }

  /// Whether some stage lists operators of this type.
  bool maps(llvm::StringRef opType) const { return opMap.contains(opType); }
  /// Whether groups may take in operators of this type without a stage.
  bool collects(llvm::StringRef opType) const;

  /// Says of every node by which stages it can be executed and, where it
  /// cannot, why.
  void mapNodes(DFG &graph) const;

  PipelinePlace getStart() const { return {std::nullopt, start}; }

  /// Searches breadth first from the last match for a stage that takes the
  /// node with data at one of the operands `flowing`, or with data at any
  /// operand without it. Moves the place there and returns the form; otherwise
  /// leaves it and says in `reason` what was in the way.
  std::optional<unsigned> findMatch(const DFG::Node &node, PipelinePlace &place,
                                    const llvm::SmallBitVector *flowing,
                                    FusionReason *reason = nullptr) const;

  /// Occupies the stages of one form, if links, skipping and uses allow it.
  bool enter(const StageForm &form, PipelinePlace &place) const;

  /// Whether data can come from one stage to another at all.
  bool leadsTo(unsigned from, unsigned to) const {
    return closure[from].test(to);
  }
  /// The stages of a form by name, joined by '+'.
  std::string getStageNames(const StageForm &form) const;

private:
  explicit HDFG(const DataFlow &flow);
  void linkFromTo(unsigned from, unsigned to);
  llvm::SmallVector<unsigned, 16>
  searchBreadthFirst(llvm::ArrayRef<unsigned> first) const;
  bool canStep(std::optional<unsigned> from, unsigned to) const {
    return reached[from ? *from : getNumStages()].test(to);
  }
  llvm::ArrayRef<unsigned> getSteps(std::optional<unsigned> from) const {
    return steps[from ? *from : getNumStages()];
  }
  FusionReason explain(const DFG::Node &node, const PipelinePlace &place,
                       bool hadFlow) const;

  const DataFlow *flow;
  std::vector<llvm::SmallVector<unsigned, 4>> links;
  /// op_map: the stages that list an operator type.
  llvm::StringMap<llvm::SmallVector<unsigned, 2>> opMap;
  llvm::StringSet<> collected;
  /// The stages that data can come to next, nearest first, skipping what may
  /// be skipped; from each stage and, last, from the start.
  std::vector<llvm::SmallVector<unsigned, 16>> steps;
  std::vector<llvm::BitVector> reached;
  std::vector<llvm::BitVector> closure;
  llvm::SmallVector<unsigned, 16> start;
};

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_HDFG_H
