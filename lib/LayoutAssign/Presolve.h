//===- Presolve.h - Decide what cannot matter -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_PRESOLVE_H
#define INLAY_LIB_LAYOUTASSIGN_PRESOLVE_H

#include "CostTerms.h"

namespace inlay {

/// What presolve leaves of a sum of terms: some assignment of least cost uses
/// only states that are alive.
struct Presolved {
  std::vector<StateMask> alive;
  /// By number of the state over all variables, with the terms that became
  /// costs of a state.
  std::vector<Weight> stateCosts;
  Weight constant = 0;
  /// Terms that are decided or that stateCosts and constant contain.
  std::vector<bool> isSettled;

  bool isDecided(VarId var) const {
    return (alive[var] & (alive[var] - 1)) == 0;
  }
};

/// Leaves everything as it is.
Presolved skipPresolve(const CostTerms &terms);

/// Removes states that another state of the variable is never worse than,
/// whatever the states of the other variables, until none is left.
Presolved presolve(const CostTerms &terms);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_PRESOLVE_H
