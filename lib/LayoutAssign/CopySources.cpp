//===- CopySources.cpp - What copies are made from ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A net whose producer writes p and that is needed in a, b and c has three
// copies, whatever they are made from. Where that has a price, as a blocked
// copy that is cheap from NHWC, in long runs, and dear from NCHW, the cheapest
// way to make them one after the other is found over the sets of those that are
// there:
//
//   cost(set + l) = cost(set) + min over s of p and the set: copy(s, l)
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/Solution.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace inlay {
namespace {

/// Copies of a net up to which their sets are looked at.
constexpr size_t maxCopies = 10;

/// The relayouts of one net, in label order and from its producer's label.
class SourceFinder {
public:
  SourceFinder(const LayoutProblem &problem, std::vector<Relayout> direct)
      : problem(problem), direct(std::move(direct)) {}

  std::vector<Relayout> run();

private:
  /// The cheapest way to a set of copies: the last one and what it is made
  /// from.
  struct Way {
    Cost cost;
    unsigned last = 0;
    LabelId from = 0;
  };

  Cost getCost(LabelId from, unsigned copy) const {
    return problem.getCopyCost(direct[copy].net, from, direct[copy].to);
  }
  bool isLess(Cost a, Cost b) const {
    return isCheaper(a, b, problem.getObjective());
  }
  LabelId findSource(unsigned set, unsigned copy) const;
  std::vector<std::optional<Way>> findWays() const;

  const LayoutProblem &problem;
  std::vector<Relayout> direct;
};

/// The cheapest source of a copy where `set` is there, the producer's label
/// before others.
LabelId SourceFinder::findSource(unsigned set, unsigned copy) const {
  LabelId source = direct.front().from;
  for (unsigned i = 0; i < direct.size(); ++i)
    if ((set >> i & 1) &&
        isLess(getCost(direct[i].to, copy), getCost(source, copy)))
      source = direct[i].to;
  return source;
}

std::vector<std::optional<SourceFinder::Way>> SourceFinder::findWays() const {
  std::vector<std::optional<Way>> ways(size_t(1) << direct.size());
  ways[0] = Way();
  for (unsigned set = 0; set < ways.size(); ++set)
    for (unsigned copy = 0; copy < direct.size(); ++copy) {
      if (set >> copy & 1)
        continue;
      LabelId from = findSource(set, copy);
      Way way{ways[set]->cost + getCost(from, copy), copy, from};
      std::optional<Way> &known = ways[set | 1u << copy];
      if (!known || isLess(way.cost, known->cost))
        known = way;
    }
  return ways;
}

std::vector<Relayout> SourceFinder::run() {
  if (direct.size() < 2 || direct.size() > maxCopies)
    return std::move(direct);
  std::vector<std::optional<Way>> ways = findWays();
  Cost cost;
  for (const Relayout &relayout : direct)
    cost += problem.getCopyCost(relayout.net, relayout.from, relayout.to);
  if (!isLess(ways.back()->cost, cost))
    return std::move(direct);
  std::vector<Relayout> found;
  for (unsigned set = ways.size() - 1; set != 0;) {
    const Way &way = *ways[set];
    found.push_back(direct[way.last]);
    found.back().from = way.from;
    set &= ~(1u << way.last);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

} // namespace

std::vector<Relayout> completeFromCopies(const LayoutProblem &problem,
                                         llvm::ArrayRef<StateId> states) {
  std::vector<Relayout> all = completeRelayouts(problem, states), result;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    NetId net = all[begin].net;
    while (end < all.size() && all[end].net == net)
      ++end;
    std::vector<Relayout> copies(all.begin() + begin, all.begin() + end);
    if (problem.hasPairCosts(net))
      copies = SourceFinder(problem, std::move(copies)).run();
    llvm::append_range(result, copies);
  }
  return result;
}

} // namespace inlay
