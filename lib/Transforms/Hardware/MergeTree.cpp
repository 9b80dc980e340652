//===- MergeTree.cpp - Joining many things, few at a time -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Hardware/MergeTree.h"
#include "ExactMerges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <deque>

using namespace inlay;

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

CopyCost MergeTree::getCost(llvm::ArrayRef<uint64_t> bytes) const {
  std::vector<CopyCost> sizes;
  for (uint64_t each : bytes)
    sizes.push_back({int64_t(each), 1});
  CopyCost cost;
  for (const Node &node : llvm::ArrayRef(nodes).drop_back()) {
    CopyCost size;
    for (unsigned child : node)
      size = size + sizes[child];
    sizes.push_back(size);
    cost = cost + size;
  }
  return cost;
}

bool MergeTree::isValid(unsigned maxChildren) const {
  // The interval of leaves below each item.
  std::vector<std::pair<unsigned, unsigned>> spans;
  for (unsigned leaf = 0; leaf != numLeaves; ++leaf)
    spans.emplace_back(leaf, leaf + 1);
  for (const Node &node : nodes) {
    bool isRoot = &node == &nodes.back();
    if (node.size() > maxChildren || node.size() < (isRoot ? 1 : 2))
      return false;
    for (auto [i, child] : llvm::enumerate(node))
      if (child >= spans.size() ||
          (i != 0 && spans[node[i - 1]].second != spans[child].first))
        return false;
    spans.emplace_back(spans[node.front()].first, spans[node.back()].second);
  }
  return !nodes.empty() && spans.back() == std::pair(0u, numLeaves);
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

namespace {
/// A leaf or a node, and what it costs to copy it.
struct Item {
  unsigned id;
  CopyCost size;
};
using Items = std::vector<Item>;

/// Merges runs of adjacent items so that `numItems` remain, at the least cost.
/// Let h(c, i) be the least cost of turning the first i items into c; the last
/// of these is an item as it was, or a run of up to `maxChildren`:
///
///   h(c, i) = min(h(c-1, i-1), min over j of h(c-1, j) + size(j..i))
///
/// With prefix sums the inner minimum is that of a sliding window. Of i only
/// c .. c + R matter, where R is the number of items to get rid of. Among equal
/// solutions runs stand as far to the left as they can.
class LevelMerger {
public:
  LevelMerger(llvm::ArrayRef<Item> items, unsigned numItems,
              unsigned maxChildren)
      : items(items), numItems(numItems), maxChildren(maxChildren),
        width(items.size() - numItems + 1), prefix(1) {
    for (const Item &item : items)
      prefix.push_back(prefix.back() + item.size);
  }

  /// The lengths of the runs, from left to right.
  std::vector<unsigned> run();

private:
  void addRow(unsigned c);

  llvm::ArrayRef<Item> items;
  unsigned numItems, maxChildren;
  size_t width;
  std::vector<CopyCost> prefix;
  /// h(c, c + q) for one c, by q.
  std::vector<CopyCost> row;
  /// The length of the last run, by c and q.
  std::vector<unsigned> lengths;
};
} // namespace

static constexpr int64_t unreachable = INT64_MAX / 4;

void LevelMerger::addRow(unsigned c) {
  std::vector<CopyCost> next(width);
  // Candidates for the end of the last run's predecessor: q and h - prefix,
  // ascending in both.
  std::deque<std::pair<size_t, CopyCost>> window;
  for (size_t q = 0; q != width; ++q) {
    while (!window.empty() && window.front().first + maxChildren - 1 < q)
      window.pop_front();
    next[q] = row[q];
    unsigned length = 1;
    if (!window.empty()) {
      CopyCost cost = window.front().second + prefix[c + q];
      if (cost < next[q]) {
        next[q] = cost;
        length = q - window.front().first + 1;
      }
    }
    lengths[size_t(c - 1) * width + q] = length;
    CopyCost own = row[q] - prefix[c - 1 + q];
    while (!window.empty() && own < window.back().second)
      window.pop_back();
    window.emplace_back(q, own);
  }
  row = std::move(next);
}

std::vector<unsigned> LevelMerger::run() {
  row.assign(width, {unreachable, 0});
  row[0] = {};
  lengths.resize(numItems * width);
  for (unsigned c = 1; c <= numItems; ++c)
    addRow(c);
  std::vector<unsigned> runs;
  size_t q = width - 1;
  for (unsigned c = numItems; c != 0; --c) {
    runs.push_back(lengths[size_t(c - 1) * width + q]);
    q -= runs.back() - 1;
  }
  std::reverse(runs.begin(), runs.end());
  return runs;
}

/// The lengths of runs of equal items: the first takes what does not fill the
/// others.
static std::vector<unsigned> getEqualRuns(size_t size, unsigned numItems,
                                          unsigned maxChildren) {
  size_t numGone = size - numItems;
  size_t numRuns = llvm::divideCeil(numGone, maxChildren - 1);
  std::vector<unsigned> runs(numItems, 1);
  if (numRuns == 0)
    return runs;
  std::fill_n(runs.begin(), numRuns, maxChildren);
  runs[0] = numGone - (numRuns - 1) * (maxChildren - 1) + 1;
  return runs;
}

/// The lengths of the runs that turn `items` into `numItems` at the least cost.
/// A table beyond `maxTable` entries is cut into several, each for a share of
/// the items, so that the time stays linear.
static std::vector<unsigned> chooseRuns(llvm::ArrayRef<Item> items,
                                        unsigned numItems,
                                        unsigned maxChildren) {
  bool isEqual = llvm::all_of(
      items, [&](const Item &item) { return item.size == items.front().size; });
  // Full runs are the only choice when there are as many items as can be.
  if (isEqual || items.size() == uint64_t(numItems) * maxChildren)
    return getEqualRuns(items.size(), numItems, maxChildren);
  constexpr double maxTable = 1 << 20;
  double table = double(numItems) * double(items.size() - numItems + 1);
  auto numShares = unsigned(std::ceil(std::sqrt(table / maxTable)));
  std::vector<unsigned> runs;
  uint64_t from = 0, made = 0;
  for (uint64_t share = 1; share <= numShares; ++share) {
    uint64_t madeEnd = numItems * share / numShares;
    uint64_t end = madeEnd * items.size() / numItems;
    LevelMerger merger(items.slice(from, end - from), madeEnd - made,
                       maxChildren);
    llvm::append_range(runs, merger.run());
    from = end;
    made = madeEnd;
  }
  return runs;
}

/// Merges `items` into `numItems`, appending the nodes to the tree.
static Items mergeLevel(llvm::ArrayRef<Item> items, unsigned numItems,
                        unsigned maxChildren, MergeTree &tree) {
  Items merged;
  for (unsigned length : chooseRuns(items, numItems, maxChildren)) {
    llvm::ArrayRef<Item> run = items.take_front(length);
    items = items.drop_front(length);
    if (length == 1) {
      merged.push_back(run.front());
      continue;
    }
    Item item{unsigned(tree.numLeaves + tree.nodes.size()), {}};
    MergeTree::Node &node = tree.nodes.emplace_back();
    for (const Item &child : run) {
      node.push_back(child.id);
      item.size = item.size + child.size;
    }
    merged.push_back(item);
  }
  return merged;
}

/// Reduces the leaves to a power of `maxChildren`, the next one to the next
/// smaller one, and so on.
static MergeTree planByLevels(llvm::ArrayRef<CopyCost> sizes,
                              unsigned maxChildren) {
  MergeTree tree;
  tree.numLeaves = sizes.size();
  Items items;
  for (auto [i, size] : llvm::enumerate(sizes))
    items.push_back({unsigned(i), size});
  while (items.size() > maxChildren) {
    uint64_t numItems = maxChildren;
    while (numItems * maxChildren < items.size())
      numItems *= maxChildren;
    items = mergeLevel(items, numItems, maxChildren, tree);
  }
  MergeTree::Node &root = tree.nodes.emplace_back();
  for (const Item &item : items)
    root.push_back(item.id);
  return tree;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Sizes that can be added up along every path without overflow. What is cut
/// off here does not fit into any memory.
static std::vector<CopyCost> getSizes(llvm::ArrayRef<uint64_t> bytes) {
  uint64_t most = (uint64_t(1) << 60) / (bytes.size() + 1) / maxExactLeaves;
  std::vector<CopyCost> sizes;
  for (uint64_t each : bytes)
    sizes.push_back({int64_t(std::min(each, most)), 1});
  return sizes;
}

MergeTree inlay::planMerges(llvm::ArrayRef<uint64_t> bytes,
                            unsigned maxChildren) {
  std::vector<CopyCost> sizes = getSizes(bytes);
  bool isExact = bytes.size() > maxChildren && bytes.size() <= maxExactLeaves &&
                 !llvm::all_equal(bytes);
  return isExact ? planExactly(sizes, maxChildren)
                 : planByLevels(sizes, maxChildren);
}
