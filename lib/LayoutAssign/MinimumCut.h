//===- MinimumCut.h - Exact by minimum cut ----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_MINIMUMCUT_H
#define INLAY_LIB_LAYOUTASSIGN_MINIMUMCUT_H

#include "CostTerms.h"
#include <optional>

namespace inlay {

/// Finds an assignment of least cost when no variable has more than two states,
/// no term more than two variables, and the states of some variables can be
/// exchanged so that the costs of all pairs are submodular; none otherwise.
std::optional<std::vector<StateId>> solveMinimumCut(const CostTerms &terms);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_MINIMUMCUT_H
