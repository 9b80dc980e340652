//===- TopologicalOrder.h - What waits comes after --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_TOPOLOGICALORDER_H
#define INLAY_SUPPORT_TOPOLOGICALORDER_H

#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <queue>
#include <vector>

namespace inlay {

/// A number that stands for no item.
constexpr unsigned absentItem = ~0u;

/// The items 0, 1, ... in an order in which each follows all that it waits for;
/// of those that could be next, the one with the least key, then the least
/// number. `forEachUser(i, fn)` calls `fn` with what waits for i, and
/// `waitsFor[i]` is how often it will do so with i, or absentItem. Items on a
/// cycle or behind one are missing, and what is left of `waitsFor` is not 0.
template <typename ForEachUser, typename GetKey>
std::vector<unsigned>
sortTopologically(llvm::MutableArrayRef<unsigned> waitsFor,
                  ForEachUser forEachUser, GetKey getKey) {
  using Entry = std::pair<unsigned, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (unsigned i = 0; i < waitsFor.size(); ++i)
    if (waitsFor[i] == 0)
      ready.push({getKey(i), i});
  std::vector<unsigned> order;
  while (!ready.empty()) {
    unsigned next = ready.top().second;
    ready.pop();
    order.push_back(next);
    forEachUser(next, [&](unsigned user) {
      if (--waitsFor[user] == 0)
        ready.push({getKey(user), user});
    });
  }
  return order;
}

/// The same, as near to the order of the numbers as it can be.
template <typename ForEachUser>
std::vector<unsigned>
sortTopologically(llvm::MutableArrayRef<unsigned> waitsFor,
                  ForEachUser forEachUser) {
  return sortTopologically(waitsFor, forEachUser, [](unsigned) { return 0u; });
}

} // namespace inlay

#endif // INLAY_SUPPORT_TOPOLOGICALORDER_H
