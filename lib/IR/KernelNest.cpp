//===- KernelNest.cpp - The loops that a kernel is ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/KernelNest.h"
#include "inlay/Layout/AxisMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

static constexpr std::pair<KernelRead, llvm::StringLiteral> readNames[] = {
    {KernelRead::Same, "same"},         {KernelRead::Other, "other"},
    {KernelRead::Prologue, "prologue"}, {KernelRead::Anchor, "anchor"},
    {KernelRead::Epilogue, "epilogue"},
};

std::string inlay::formatRead(KernelRead read) {
  std::string text;
  for (auto [each, name] : readNames)
    if (contains(read, each))
      text += (text.empty() ? "" : "|") + name.str();
  return text;
}

std::optional<KernelRead> inlay::parseRead(llvm::StringRef word) {
  for (auto [read, name] : readNames)
    if (name == word)
      return read;
  return std::nullopt;
}

llvm::hash_code inlay::hash_value(const KernelNest &nest) {
  llvm::hash_code space = 0;
  if (nest.space)
    space = llvm::hash_combine_range(nest.space->begin(), nest.space->end());
  return llvm::hash_combine(
      nest.kind, nest.anchor, nest.space.has_value(), space,
      llvm::hash_combine_range(nest.reduced.begin(), nest.reduced.end()),
      llvm::hash_combine_range(nest.reads.begin(), nest.reads.end()));
}

template <typename List, typename Fn>
static void printList(llvm::raw_ostream &os, llvm::StringRef name,
                      const List &list, Fn &&format) {
  os << ", " << name << " = [";
  llvm::interleaveComma(list, os, [&](auto each) { os << format(each); });
  os << ']';
}

void KernelNest::print(llvm::raw_ostream &os) const {
  os << getName(kind);
  if (anchor)
    os << ", anchor = " << *anchor;
  if (space)
    printList(os, "space", *space, [](int64_t extent) {
      return extent == dynamicExtent ? "?" : std::to_string(extent);
    });
  if (!reduced.empty())
    printList(os, "reduced", reduced, [](unsigned loop) { return loop; });
  if (!reads.empty())
    printList(os, "reads", reads, formatRead);
}

std::string KernelNest::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}
