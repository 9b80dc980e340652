//===- Target.cpp - What a piece of hardware asks for ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

const OpLayout *Target::findRule(llvm::StringRef op,
                                 llvm::StringRef type) const {
  auto found = llvm::find_if(layouts, [&](const OpLayout &rule) {
    return rule.op == op && (type.empty() || rule.types.empty() ||
                             llvm::is_contained(rule.types, type));
  });
  return found == layouts.end() ? nullptr : &*found;
}

const OpLimit *Target::findLimit(llvm::StringRef op) const {
  auto it = llvm::find_if(limits,
                          [&](const OpLimit &limit) { return limit.op == op; });
  return it == limits.end() ? nullptr : &*it;
}

std::optional<AtomSequence>
Target::getOrder(llvm::StringRef order, llvm::StringRef axes,
                 llvm::StringRef elementType) const {
  auto format = formats.find(order);
  return format == formats.end()
             ? getRuleOrder(axes, order)
             : getFormatOrder(format->second, axes, elementType);
}

llvm::SmallVector<llvm::StringRef> Target::getKeyOps() const {
  llvm::SmallVector<llvm::StringRef> ops;
  for (const OpLayout &rule : layouts)
    if (rule.required)
      ops.push_back(rule.op);
  return ops;
}

int64_t Target::getAssumedExtent(llvm::StringRef name) const {
  auto found = dims.find(name);
  return found == dims.end() ? defaultDim : found->second;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// What a candidate means for tensors of `rank`, if anything.
static std::optional<Layout> getCandidateLayout(llvm::StringRef candidate,
                                                unsigned rank) {
  if (candidate.starts_with("("))
    return llvm::expectedToOptional(
        Layout::parse(("Tensor as " + candidate).str()));
  std::optional<std::string> axes =
      candidate.contains('N') ? getDataAxes(rank) : getWeightAxes(rank);
  if (!axes)
    return std::nullopt;
  return getOrderLayout(*axes, candidate);
}

std::vector<llvm::SmallVector<unsigned>>
Target::getCandidates(unsigned rank) const {
  std::vector<llvm::SmallVector<unsigned>> permutations;
  for (const std::string &candidate : candidates) {
    std::optional<Layout> layout = getCandidateLayout(candidate, rank);
    if (!layout || layout->isRowMajor() || layout->getRank() != rank)
      continue;
    auto permutation = layout->getPermutation(rank);
    if (permutation && !llvm::is_contained(permutations, *permutation))
      permutations.push_back(std::move(*permutation));
  }
  return permutations;
}
