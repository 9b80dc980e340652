//===- ExactMerges.cpp - The best tree over few leaves --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Let f(t, i, j) be the least cost of making at most t trees of the leaves i to
// j. With k children per node:
//
//   f(t, i, j) = 0                                  where they are at most t
//   f(1, i, j) = size(i..j) + f(k, i, j)
//   f(t, i, j) = min over s of f(a, i, s) + f(b, s + 1, j)   with a + b = t
//
// The last holds for any a and b, so that halving t leaves few of its values to
// compute. One tree is never cheaper than two: its first child can stand beside
// the others.
//
//===----------------------------------------------------------------------===//

#include "ExactMerges.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

namespace {
class ExactPlanner {
public:
  ExactPlanner(llvm::ArrayRef<CopyCost> sizes, unsigned maxChildren);

  MergeTree run();

private:
  /// One value of t, the parts of its sum and the table of f.
  struct Width {
    unsigned trees = 0;
    /// Numbers of the widths a and b.
    size_t left = 0, right = 0;
    std::vector<CopyCost> costs;
    /// The best s.
    std::vector<unsigned> splits;
  };

  size_t addWidth(unsigned trees);
  void fill(unsigned first, unsigned last);
  size_t at(unsigned first, unsigned last) const { return first * n + last; }
  unsigned buildTree(unsigned first, unsigned last);
  void buildTrees(size_t width, unsigned first, unsigned last,
                  MergeTree::Node &children);

  unsigned n;
  std::vector<CopyCost> prefix;
  /// Parts before sums; the first is one tree, the last as many as the root's
  /// children.
  std::vector<Width> widths;
  MergeTree tree;
};
} // namespace

ExactPlanner::ExactPlanner(llvm::ArrayRef<CopyCost> sizes, unsigned maxChildren)
    : n(sizes.size()), prefix(1) {
  for (const CopyCost &size : sizes)
    prefix.push_back(prefix.back() + size);
  tree.numLeaves = n;
  addWidth(1);
  addWidth(maxChildren);
}

/// The number of the width, added together with the halves it consists of.
size_t ExactPlanner::addWidth(unsigned trees) {
  auto known = llvm::find_if(
      widths, [&](const Width &width) { return width.trees == trees; });
  if (known != widths.end())
    return known - widths.begin();
  Width width;
  width.trees = trees;
  if (trees > 1) {
    width.left = addWidth((trees + 1) / 2);
    width.right = addWidth(trees / 2);
  }
  width.costs.resize(size_t(n) * n);
  width.splits.resize(size_t(n) * n);
  widths.push_back(std::move(width));
  return widths.size() - 1;
}

void ExactPlanner::fill(unsigned first, unsigned last) {
  for (Width &width : llvm::drop_begin(widths)) {
    if (last - first < width.trees)
      continue;
    const std::vector<CopyCost> &left = widths[width.left].costs;
    const std::vector<CopyCost> &right = widths[width.right].costs;
    unsigned best = first;
    CopyCost cost = left[at(first, first)] + right[at(first + 1, last)];
    for (unsigned split = first + 1; split != last; ++split) {
      CopyCost other = left[at(first, split)] + right[at(split + 1, last)];
      if (other <= cost) {
        cost = other;
        best = split;
      }
    }
    width.costs[at(first, last)] = cost;
    width.splits[at(first, last)] = best;
  }
  if (first != last)
    widths[0].costs[at(first, last)] =
        prefix[last + 1] - prefix[first] + widths.back().costs[at(first, last)];
}

unsigned ExactPlanner::buildTree(unsigned first, unsigned last) {
  if (first == last)
    return first;
  MergeTree::Node children;
  buildTrees(widths.size() - 1, first, last, children);
  tree.nodes.push_back(std::move(children));
  return n + tree.nodes.size() - 1;
}

/// It goes no deeper than there are leaves, and these are few.
void ExactPlanner::buildTrees(size_t width, unsigned first, unsigned last,
                              MergeTree::Node &children) {
  if (last - first < widths[width].trees) {
    for (unsigned leaf = first; leaf <= last; ++leaf)
      children.push_back(leaf);
  } else if (width == 0) {
    children.push_back(buildTree(first, last));
  } else {
    unsigned split = widths[width].splits[at(first, last)];
    buildTrees(widths[width].left, first, split, children);
    buildTrees(widths[width].right, split + 1, last, children);
  }
}

MergeTree ExactPlanner::run() {
  for (unsigned length = 1; length <= n; ++length)
    for (unsigned first = 0; first + length <= n; ++first)
      fill(first, first + length - 1);
  buildTree(0, n - 1);
  return std::move(tree);
}

MergeTree inlay::planExactly(llvm::ArrayRef<CopyCost> sizes,
                             unsigned maxChildren) {
  return ExactPlanner(sizes, maxChildren).run();
}
