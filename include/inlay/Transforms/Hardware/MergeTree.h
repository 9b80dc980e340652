//===- MergeTree.h - Joining many things, few at a time ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Concat of more operands than an instruction takes becomes a tree of them.
// Every operand that is not a child of the root is copied more than once: once
// more for each further node above it. The same tree, read from its root, cuts
// a tensor into more parts than an instruction makes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_HARDWARE_MERGETREE_H
#define INLAY_TRANSFORMS_HARDWARE_MERGETREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace inlay {

/// What is copied again. Bytes count first.
struct CopyCost {
  int64_t bytes = 0;
  int64_t count = 0;

  auto operator<=>(const CopyCost &) const = default;
  CopyCost operator+(const CopyCost &other) const {
    return {bytes + other.bytes, count + other.count};
  }
  CopyCost operator-(const CopyCost &other) const {
    return {bytes - other.bytes, count - other.count};
  }
};

/// An ordered tree.
struct MergeTree {
  using Node = llvm::SmallVector<unsigned>;

  unsigned numLeaves = 0;
  /// The children of each node, left to right: a leaf, or node `child -
  /// numLeaves`. Children come before parents; the root is the last.
  std::vector<Node> nodes;

  /// What the nodes below the root copy.
  CopyCost getCost(llvm::ArrayRef<uint64_t> bytes) const;
  /// The leaves in order, every node's children being one to `maxChildren`, all
  /// but the root's at least two.
  bool isValid(unsigned maxChildren) const;
};

/// The tree over leaves of `bytes` each, whose nodes have at most
/// `maxChildren`, 2 at the least, that copies the fewest bytes again and then
/// the fewest leaves. It is optimal for up to `maxExactLeaves`, and for any
/// number of leaves of one size; other trees are optimal level by level, each
/// level merging as few bytes as leave a tree of the least height. The time is
/// linear in the number of leaves beyond some thousands.
MergeTree planMerges(llvm::ArrayRef<uint64_t> bytes, unsigned maxChildren);
constexpr unsigned maxExactLeaves = 128;

} // namespace inlay

#endif // INLAY_TRANSFORMS_HARDWARE_MERGETREE_H
