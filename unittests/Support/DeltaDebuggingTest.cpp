//===- DeltaDebuggingTest.cpp - The least that still shows something ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/DeltaDebugging.h"
#include "inlay/Support/Cancellation.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace inlay;

using Items = std::vector<unsigned>;

static Items count(unsigned size) {
  Items items(size);
  std::iota(items.begin(), items.end(), 0);
  return items;
}

/// What is found where all of `needed` show it together.
static Items find(unsigned size, const Items &needed, unsigned &numTries) {
  return findLeast(count(size), [&](llvm::ArrayRef<unsigned> part) {
    ++numTries;
    EXPECT_TRUE(llvm::is_sorted(part));
    return llvm::all_of(
        needed, [&](unsigned item) { return llvm::is_contained(part, item); });
  });
}

TEST(DeltaDebugging, FindsOneAmongManyInFewTries) {
  for (unsigned needed : {0u, 500u, 999u}) {
    unsigned numTries = 0;
    EXPECT_EQ(find(1000, {needed}, numTries), Items{needed});
    EXPECT_LE(numTries, 24u);
  }
}

TEST(DeltaDebugging, FindsWhatOnlyShowsTogether) {
  unsigned numTries = 0;
  EXPECT_EQ(find(64, {3, 31, 60}, numTries), (Items{3, 31, 60}));
  EXPECT_EQ(find(7, count(7), numTries), count(7));
}

TEST(DeltaDebugging, KeepsWhatNothingIsLeftOutOf) {
  auto never = [](llvm::ArrayRef<unsigned>) { return false; };
  EXPECT_EQ(findLeast(count(5), never), count(5));
  EXPECT_EQ(findLeast({}, never), Items{});
  EXPECT_EQ(findLeast({4}, never), Items{4});
}

TEST(DeltaDebugging, EndsWithTheBestWhenItIsCancelled) {
  Cancellation cancellation;
  CancellationScope scope(cancellation);
  unsigned numTries = 0;
  Items found = findLeast(count(64), [&](llvm::ArrayRef<unsigned> part) {
    if (++numTries == 3)
      cancellation.request();
    return llvm::is_contained(part, 0);
  });
  EXPECT_EQ(numTries, 3u);
  EXPECT_EQ(found, count(8));
}
