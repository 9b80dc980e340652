//===- KernelRules.h - What one kernel may hold -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_KERNELFUSION_KERNELRULES_H
#define INLAY_KERNELFUSION_KERNELRULES_H

#include "inlay/KernelFusion/KernelGraph.h"
#include "inlay/Target/KernelTarget.h"
#include <optional>

namespace inlay {

/// Why operators cannot be one kernel.
enum class KernelReasonCode : uint8_t {
  /// The rules know nothing of what it computes.
  Opaque,
  /// The value must be known before the operator starts.
  Parameter,
  /// A kernel has one contraction or window.
  SecondContraction,
  /// A reduction needs all of what a contraction computes.
  ReduceWithContraction,
  /// Reductions of one kernel combine the same elements.
  OtherRows,
  /// An element depends on elements that are computed at other places.
  OtherElements,
  /// What is computed on the way into a contraction or window is not kept.
  UsedElsewhere,
  /// The results of a kernel have one iteration space.
  OtherSpace,
  /// The target switches the rule off.
  RuleOff,
  /// Limits of the target.
  Inputs,
  Outputs,
  Ops,
  Row,
  /// Something outside waits for one and is waited for by the other.
  Cycle,
  /// It would not save anything, or another kernel saves more.
  NoGain,
};
llvm::StringRef getName(KernelReasonCode code);

struct KernelReason {
  KernelReasonCode code = KernelReasonCode::Opaque;
  /// The node that it is about.
  unsigned node = KernelGraph::none;
  /// Of a limit: what is allowed, and what was found. Of RuleOff: the rule.
  uint64_t limit = 0, found = 0;

  bool operator==(const KernelReason &) const = default;
};

/// What was required and what was found, in words; `node` is what messages call
/// the reason's node.
std::string describeReason(const KernelReason &reason, llvm::StringRef node);

/// Checks sets of operators against the rules, one after the other:
///
/// * Without contraction, window and reduction, every element of the results is
///   computed from elements of the inputs wherever they are; all results that
///   leave have one iteration space: their elements correspond one to one.
/// * A contraction or window has operators in front, which are computed where
///   it reads and whose values stay inside, and behind, which work on its
///   result element by element or move it.
/// * Reductions combine the same dimensions of one iteration space, row by row.
///   What they give may be used in all elements of the row again.
class KernelRules {
public:
  KernelRules(const KernelGraph &graph, const KernelTarget &target)
      : graph(graph), target(target), memberOf(graph.size()),
        states(graph.getValues().size()) {}

  /// Why `nodes`, which ascend, are no kernel; nothing when they are. Whether
  /// something outside stands between them is not asked here.
  std::optional<KernelReason> check(llvm::ArrayRef<unsigned> nodes);

  /// Whether a kernel may have so many operators.
  bool fits(size_t numOps) const {
    return !target.limits.ops || numOps <= *target.limits.ops;
  }
  /// Whether the two may be in one kernel with any others.
  bool mayJoin(unsigned a, unsigned b) const;

private:
  /// Where the elements of a value that depends on a contraction, window or
  /// reduction are computed: with those of its result, with the row, or moved
  /// in a way of its own.
  using Place = unsigned;
  static constexpr Place nowhere = 0, whole = 1, row = 2, firstMoved = 3;

  struct ValueState {
    unsigned epoch = 0;
    unsigned parent = 0;
    Place place = nowhere;
  };

  using Reason = std::optional<KernelReason>;

  ValueState &getState(unsigned value);
  unsigned find(unsigned value);
  void unite(unsigned a, unsigned b);
  bool isMember(unsigned node) const { return memberOf[node] == epoch; }
  bool leaves(unsigned result) const;
  Place getPlace(unsigned value);

  Reason classify(llvm::ArrayRef<unsigned> nodes);
  Reason checkRules(llvm::ArrayRef<unsigned> nodes);
  Reason checkParameters(llvm::ArrayRef<unsigned> nodes) const;
  void linkValues(llvm::ArrayRef<unsigned> nodes);
  void linkParts(llvm::ArrayRef<unsigned> parts);
  void linkRows(llvm::ArrayRef<unsigned> nodes);
  bool isSpreadRow(const KernelGraph::Node &node,
                   const KernelGraph::Operand &operand);
  Reason checkPrologue(llvm::ArrayRef<unsigned> nodes);
  Reason place(llvm::ArrayRef<unsigned> nodes);
  Reason placeReduce(unsigned node);
  Reason placeElementwise(unsigned node);
  Reason placeMoved(unsigned node);
  Reason checkOutputs(llvm::ArrayRef<unsigned> nodes);
  Reason checkLimits(llvm::ArrayRef<unsigned> nodes);

  const KernelGraph &graph;
  const KernelTarget &target;
  /// Of each node, the check that it was last a member in.
  std::vector<unsigned> memberOf;
  std::vector<ValueState> states;
  unsigned epoch = 0;

  // Of the check under way.
  unsigned anchor = 0;
  llvm::SmallVector<unsigned, 4> reduces;
  /// What all elements belong to: the anchor's result or what is reduced.
  unsigned space = 0;
  uint64_t reduced = 0;
  bool reuses = false;
  Place nextMoved = firstMoved;
};

} // namespace inlay

#endif // INLAY_KERNELFUSION_KERNELRULES_H
