//===- DataFlow.cpp - The pipeline of a hardware target -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/DataFlow.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace inlay;

llvm::StringRef inlay::getName(SideShape shape) {
  switch (shape) {
  case SideShape::Scalar:
    return "scalar";
  case SideShape::Channel:
    return "channel";
  case SideShape::Same:
    return "same";
  case SideShape::Other:
    return "other";
  }
  llvm_unreachable("no such shape");
}

llvm::StringRef inlay::getName(OpPart part) {
  switch (part) {
  case OpPart::Pads:
    return "pads";
  case OpPart::Bias:
    return "bias";
  }
  llvm_unreachable("no such part");
}

const AttributeRange *StageOp::findAttribute(llvm::StringRef attribute) const {
  auto found = llvm::find_if(attributes, [&](const AttributeRange &range) {
    return range.attribute == attribute;
  });
  return found == attributes.end() ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// Whether two lists of what is accepted have something in common. An empty
/// list accepts everything.
template <typename T>
static bool intersect(const std::vector<T> &a, const std::vector<T> &b) {
  return a.empty() || b.empty() || llvm::any_of(a, [&](const T &item) {
           return llvm::is_contained(b, item);
         });
}

static bool overlap(const AttributeRange &a, const AttributeRange &b) {
  if (a.names.empty() != b.names.empty())
    return false;
  return intersect(a.names, b.names) && a.min <= b.max && b.min <= a.max;
}

bool inlay::overlap(const StageOp &a, const StageOp &b) {
  if (a.op != b.op || !intersect(a.types, b.types) ||
      !intersect(a.side.shapes, b.side.shapes) || a.minRank > b.maxRank ||
      b.minRank > a.maxRank)
    return false;
  return llvm::all_of(a.attributes, [&](const AttributeRange &range) {
    const AttributeRange *other = b.findAttribute(range.attribute);
    return !other || ::overlap(range, *other);
  });
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

std::vector<std::optional<unsigned>>
DataFlow::getDistances(std::optional<unsigned> from) const {
  std::vector<std::optional<unsigned>> distances(stages.size());
  std::vector<unsigned> queue;
  auto visit = [&](llvm::ArrayRef<unsigned> next, unsigned distance) {
    for (unsigned stage : next)
      if (!distances[stage]) {
        distances[stage] = distance;
        queue.push_back(stage);
      }
  };
  if (from)
    visit(links[*from], 1);
  else
    visit(roots, 0);
  for (size_t i = 0; i != queue.size(); ++i)
    if (unsigned stage = queue[i]; stages[stage].bypass)
      visit(links[stage], *distances[stage] + 1);
  return distances;
}
