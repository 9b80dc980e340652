//===- Components.h - Parts that depend on each other -----------*- C++ -*-===//
//-*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_COMPONENTS_H
#define INLAY_LIB_LAYOUTASSIGN_COMPONENTS_H

#include "Presolve.h"

namespace inlay {

/// Variables that presolve left and that depend on each other.
struct Component {
  /// Over the states that are alive, numbered anew.
  CostTerms terms;
  /// Which variable each one was.
  std::vector<VarId> vars;
};

/// Of a set of states, the one that has number `index` in it.
StateId getNthState(StateMask mask, unsigned index);

/// The components, in the order of their first variables. One at a time is
/// extracted, to hold no second copy of a large problem.
class Components {
public:
  /// Decided variables are in no component unless `keepDecided`.
  Components(const CostTerms &terms, const Presolved &presolved,
             bool keepDecided);

  unsigned size() const { return firstVar.size() - 1; }
  Component extract(unsigned index) const;

private:
  std::vector<uint32_t> findClasses() const;
  void groupVariables(llvm::ArrayRef<uint32_t> classOf);
  void groupTerms();
  void extractTerm(const Term &term, CostTerms &result) const;
  StateMask renumber(VarId var, StateMask mask) const;

  const CostTerms &terms;
  const Presolved &presolved;
  bool keepDecided;
  std::vector<uint32_t> firstState;
  /// The variables and terms of each component, one after the other.
  std::vector<uint32_t> firstVar;
  std::vector<VarId> vars;
  std::vector<uint32_t> firstTerm;
  std::vector<uint32_t> termsOf;
  /// Of each variable: its component, and its number there.
  std::vector<uint32_t> component;
  std::vector<VarId> localVar;
};

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_COMPONENTS_H
