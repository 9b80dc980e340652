//===- TopologicalOrderTest.cpp -------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/TopologicalOrder.h"
#include <gtest/gtest.h>

using namespace inlay;

namespace {
using Items = std::vector<unsigned>;

/// Items and who waits for whom.
struct Waiting {
  std::vector<Items> users;
  Items waitsFor;

  explicit Waiting(unsigned size) : users(size), waitsFor(size) {}

  Waiting &add(unsigned needed, unsigned user) {
    users[needed].push_back(user);
    ++waitsFor[user];
    return *this;
  }

  auto getVisitor() const {
    return [this](unsigned item, auto visit) {
      for (unsigned user : users[item])
        visit(user);
    };
  }
};
} // namespace

static Items sort(Waiting waiting) {
  return sortTopologically(waiting.waitsFor, waiting.getVisitor());
}

TEST(TopologicalOrder, KeepsAnOrderThatIsOne) {
  EXPECT_EQ(sort(Waiting(4).add(0, 2).add(1, 3)), (Items{0, 1, 2, 3}));
  EXPECT_EQ(sort(Waiting(0)), Items());
}

TEST(TopologicalOrder, ChangesNoMoreThanItMust) {
  EXPECT_EQ(sort(Waiting(4).add(2, 0)), (Items{1, 2, 0, 3}));
}

TEST(TopologicalOrder, CountsWhatWaitsTwice) {
  EXPECT_EQ(sort(Waiting(3).add(2, 0).add(2, 0).add(1, 0)), (Items{1, 2, 0}));
}

TEST(TopologicalOrder, LeavesOutACycleAndWhatIsBehindIt) {
  Waiting waiting(4);
  waiting.add(0, 1).add(1, 0).add(1, 2);
  EXPECT_EQ(sortTopologically(waiting.waitsFor, waiting.getVisitor()),
            (Items{3}));
  EXPECT_EQ(waiting.waitsFor, (Items{1, 1, 1, 0}));
}

TEST(TopologicalOrder, TakesTheLeastKeyFirst) {
  Waiting waiting(3);
  auto getKey = [](unsigned item) { return 10 - item; };
  EXPECT_EQ(sortTopologically(waiting.waitsFor, waiting.getVisitor(), getKey),
            (Items{2, 1, 0}));
}

TEST(TopologicalOrder, PassesOverWhatIsAbsent) {
  Waiting waiting(3);
  waiting.waitsFor[1] = absentItem;
  EXPECT_EQ(sort(waiting), (Items{0, 2}));
}
