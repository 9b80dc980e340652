//===- Solution.h - An answer to a layout problem ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUTASSIGN_SOLUTION_H
#define INLAY_LAYOUTASSIGN_SOLUTION_H

#include "inlay/LayoutAssign/LayoutProblem.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace inlay {

/// One copy of the value of a net, and the uses that read it.
struct Relayout {
  NetId net = 0;
  /// The label of the producer, or the `to` of an earlier relayout of the net.
  LabelId from = 0;
  LabelId to = 0;
  /// Those that read this copy; the others read what the producer wrote.
  llvm::SmallVector<UseId, 2> uses;

  friend bool operator==(const Relayout &, const Relayout &) = default;
};

/// A state per variable and every relayout there is. Strategies that make more
/// copies than needed list them all.
struct Solution {
  std::vector<StateId> states;
  std::vector<Relayout> relayouts;

  friend bool operator==(const Solution &, const Solution &) = default;
};

/// The cheapest relayouts for `states`: one for each label of a net that uses
/// need and the producer does not provide, in the order of nets and labels.
std::vector<Relayout> completeRelayouts(const LayoutProblem &problem,
                                        llvm::ArrayRef<StateId> states);

/// The same, where every copy of a net is made from what its producer wrote or
/// from another copy that is needed anyway, so that all together cost least.
/// Beyond 10 copies of a net, all from what its producer wrote.
std::vector<Relayout> completeFromCopies(const LayoutProblem &problem,
                                         llvm::ArrayRef<StateId> states);

/// What the relayouts as listed cost, and the states.
Cost computeCost(const LayoutProblem &problem, const Solution &solution);

/// Checks that every variable has one of its states, that every use reads the
/// label that its state needs, and that every copy is made from something that
/// exists.
llvm::Error verify(const LayoutProblem &problem, const Solution &solution);

} // namespace inlay

#endif // INLAY_LAYOUTASSIGN_SOLUTION_H
