//===- Costs.cpp - What forms and copies cost a target --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Costs.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

static uint64_t saturate(unsigned __int128 number) {
  return uint64_t(std::min<unsigned __int128>(number, UINT64_MAX));
}

uint64_t CostFactor::scale(uint64_t bytes) const {
  return saturate((unsigned __int128)(bytes)*thousandths / one);
}

uint64_t CostFactor::getFormCost(uint64_t bytes) const {
  return saturate((unsigned __int128)(bytes) * (thousandths - one) / (2 * one));
}

llvm::StringRef inlay::getName(OpClass opClass) {
  switch (opClass) {
  case OpClass::Elementwise:
    return "elementwise";
  case OpClass::Reduction:
    return "reduction";
  case OpClass::Normalization:
    return "normalization";
  case OpClass::Window:
    return "window";
  case OpClass::Contraction:
    return "contraction";
  }
  llvm_unreachable("all classes have names");
}

llvm::ArrayRef<OpClass> inlay::getOpClasses() {
  static constexpr OpClass classes[] = {
      OpClass::Elementwise, OpClass::Reduction, OpClass::Normalization,
      OpClass::Window, OpClass::Contraction};
  return classes;
}

static bool allows(InnermostAxis asked, std::optional<bool> isInnermost) {
  return asked == InnermostAxis::Any ||
         (isInnermost && *isInnermost == (asked == InnermostAxis::Is));
}

static bool allows(llvm::ArrayRef<std::string> types, llvm::StringRef type) {
  return types.empty() || llvm::is_contained(types, type);
}

bool FormFactor::matches(const FormFacts &facts) const {
  if (opClass ? opClass != facts.opClass : op != facts.op)
    return false;
  std::optional<bool> isReducedLast;
  if (facts.inner)
    isReducedLast = *facts.inner == 1;
  return allows(types, facts.type) && bytes.contains(facts.bytes) &&
         allows(reduced, isReducedLast) &&
         (reduced == InnermostAxis::Any || inner.contains(*facts.inner)) &&
         allows(broadcast, facts.repeatsInnermost) &&
         (!transposed || transposed == facts.transposed) &&
         (!isExchanged || isExchanged == facts.isExchanged);
}

bool CopyFactor::matches(const CopyFacts &facts) const {
  return allows(types, facts.type) && bytes.contains(facts.bytes) &&
         run.contains(facts.run) &&
         (!movesMany || *movesMany == (facts.numMoved > 1));
}

template <typename Entries, typename Facts>
static CostFactor findFactor(const Entries &entries, const Facts &facts) {
  for (const auto &entry : entries)
    if (entry.matches(facts))
      return entry.factor;
  return CostFactor();
}

CostFactor TargetCosts::getFactor(const FormFacts &facts) const {
  return findFactor(forms, facts);
}

CostFactor TargetCosts::getFactor(const CopyFacts &facts) const {
  return findFactor(copies, facts);
}
