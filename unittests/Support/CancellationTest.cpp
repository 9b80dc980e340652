//===- CancellationTest.cpp - Results that nobody waits for ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"
#include <gtest/gtest.h>
#include <thread>

using namespace inlay;

TEST(Cancellation, IsSeenInItsScopeOnly) {
  Cancellation cancellation;
  cancellation.request();
  EXPECT_FALSE(isCancelled());
  {
    CancellationScope scope(cancellation);
    EXPECT_TRUE(isCancelled());
    std::string message;
    EXPECT_EQ(takeError(checkCancelled(), message), ExitCode::Cancelled);
    EXPECT_EQ(message, "cancelled");
  }
  EXPECT_FALSE(isCancelled());
  EXPECT_FALSE(bool(checkCancelled()));
}

TEST(Cancellation, OfAScopeAroundCountsInside) {
  Cancellation outer, inner;
  CancellationScope around(outer);
  CancellationScope scope(inner);
  EXPECT_FALSE(isCancelled());
  outer.request();
  EXPECT_TRUE(isCancelled());
}

TEST(Cancellation, IsRequestedFromAnotherThread) {
  Cancellation cancellation;
  CancellationScope scope(cancellation);
  std::thread other([&] {
    cancellation.request();
    EXPECT_FALSE(isCancelled()) << "scopes are of a thread";
  });
  other.join();
  EXPECT_TRUE(isCancelled());
}
