//===- Placement.cpp - Offsets for what lives for a while -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <map>
#include <numeric>

using namespace inlay;

/// Pairs of pieces that are looked at in search of a better placement.
static constexpr uint64_t maxPairs = 40'000'000;
/// How often the order is changed.
static constexpr unsigned maxRounds = 500;
/// Pieces alive at once among which a gap is looked for.
static constexpr size_t maxSearched = 4096;

using Order = std::vector<unsigned>;

//===----------------------------------------------------------------------===//
// The bound
//===----------------------------------------------------------------------===//

uint64_t inlay::getMostLive(llvm::ArrayRef<LiveBytes> pieces) {
  // What comes at each step, and what has gone before it.
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> changes;
  for (const LiveBytes &piece : pieces) {
    changes[piece.first].first += piece.size;
    changes[uint64_t(piece.last) + 1].second += piece.size;
  }
  uint64_t live = 0, most = 0;
  for (auto [step, change] : changes) {
    live += change.first;
    live -= change.second;
    most = std::max(most, live);
  }
  return most;
}

//===----------------------------------------------------------------------===//
// One order
//===----------------------------------------------------------------------===//

using Range = std::pair<uint64_t, uint64_t>;

/// The lowest offset at which `size` bytes are in none of `taken`, which are
/// sorted.
static uint64_t findGap(llvm::ArrayRef<Range> taken, uint64_t size) {
  uint64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (begin >= offset && begin - offset >= size)
      break;
    offset = std::max(offset, end);
  }
  return offset;
}

/// Each piece in turn as low as those before it allow.
static Placement placeInOrder(llvm::ArrayRef<LiveBytes> pieces,
                              llvm::ArrayRef<unsigned> order) {
  Placement result;
  result.offsets.resize(pieces.size());
  std::vector<Range> taken;
  for (size_t i = 0; i < order.size(); ++i) {
    const LiveBytes &piece = pieces[order[i]];
    taken.clear();
    for (unsigned other : order.take_front(i))
      if (pieces[other].overlaps(piece) && pieces[other].size != 0)
        taken.push_back({result.offsets[other],
                         result.offsets[other] + pieces[other].size});
    llvm::sort(taken);
    uint64_t offset = findGap(taken, piece.size);
    result.offsets[order[i]] = offset;
    result.total = std::max(result.total, offset + piece.size);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// As steps go by
//===----------------------------------------------------------------------===//

/// Each piece, when it is needed, in the lowest gap among what lives then: near
/// linear, for any number of pieces.
static Placement placeInTime(llvm::ArrayRef<LiveBytes> pieces) {
  Order order(pieces.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(pieces[a].first, a) < std::pair(pieces[b].first, b);
  });
  Placement result;
  result.offsets.resize(pieces.size());
  // By where they are, and by when they end.
  std::map<uint64_t, uint64_t> live;
  std::multimap<unsigned, uint64_t> ends;
  for (unsigned index : order) {
    const LiveBytes &piece = pieces[index];
    while (!ends.empty() && ends.begin()->first < piece.first) {
      live.erase(ends.begin()->second);
      ends.erase(ends.begin());
    }
    if (piece.size == 0)
      continue;
    std::vector<Range> taken;
    if (live.size() <= maxSearched)
      taken.assign(live.begin(), live.end());
    uint64_t offset =
        live.size() <= maxSearched ? findGap(taken, piece.size) : result.total;
    live[offset] = offset + piece.size;
    ends.insert({piece.last, offset});
    result.offsets[index] = offset;
    result.total = std::max(result.total, offset + piece.size);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Several orders
//===----------------------------------------------------------------------===//

namespace {
class Search {
public:
  explicit Search(llvm::ArrayRef<LiveBytes> pieces)
      : pieces(pieces), bound(getMostLive(pieces)), best(placeInTime(pieces)) {}

  Placement run();

private:
  bool canGoOn() const {
    uint64_t pairs = uint64_t(pieces.size()) * pieces.size() / 2;
    return best.total > bound && spent + pairs <= maxPairs;
  }
  /// Tries an order; true where it is the best so far.
  bool tryOrder(const Order &order);
  template <typename F> Order sortBy(F getKey) const;
  void improve(Order order);

  llvm::ArrayRef<LiveBytes> pieces;
  uint64_t bound, spent = 0;
  Placement best, last;
  Order bestOrder;
};
} // namespace

bool Search::tryOrder(const Order &order) {
  spent += uint64_t(pieces.size()) * pieces.size() / 2;
  last = placeInOrder(pieces, order);
  if (!bestOrder.empty() && last.total >= best.total)
    return false;
  if (last.total < best.total)
    best = last;
  bestOrder = order;
  return true;
}

/// The largest keys first.
template <typename F> Order Search::sortBy(F getKey) const {
  Order order(pieces.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(getKey(pieces[b]), a) < std::pair(getKey(pieces[a]), b);
  });
  return order;
}

/// Brings what ends last to the front, again and again: it found its place too
/// late.
void Search::improve(Order order) {
  for (unsigned round = 0; round < maxRounds && canGoOn(); ++round) {
    auto isLast = [&](unsigned index) {
      return last.offsets[index] + pieces[index].size == last.total;
    };
    Order changed;
    llvm::copy_if(order, std::back_inserter(changed), isLast);
    llvm::copy_if(order, std::back_inserter(changed), std::not_fn(isLast));
    if (changed == order)
      return;
    order = std::move(changed);
    tryOrder(order);
  }
}

Placement Search::run() {
  auto getSteps = [](const LiveBytes &piece) {
    return uint64_t(piece.last - piece.first) + 1;
  };
  auto getSize = [](const LiveBytes &piece) { return piece.size; };
  auto getArea = [&](const LiveBytes &piece) {
    return double(piece.size) * double(getSteps(piece));
  };
  std::vector<Order> orders;
  if (canGoOn())
    orders = {sortBy(getSize), sortBy(getArea), sortBy(getSteps)};
  for (const Order &order : orders)
    if (canGoOn())
      tryOrder(order);
  if (!canGoOn() || bestOrder.empty())
    return best;
  last = placeInOrder(pieces, bestOrder);
  improve(bestOrder);
  return best;
}

Placement inlay::placePieces(llvm::ArrayRef<LiveBytes> pieces) {
  return Search(pieces).run();
}
