//===- IndicesTest.cpp - Indices are checked before they are used ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

using namespace inlay;

namespace {

/// y[i] = x[index[i]], of ten elements.
template <typename Index>
void gather(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const int32_t *>(buffers[0]);
  auto *indices = static_cast<const Index *>(buffers[1]);
  auto *y = static_cast<int32_t *>(buffers[2]);
  for (int64_t i = begin; i != end; ++i) {
    Index index = indices[i] < 0 ? indices[i] + 10 : indices[i];
    y[i] = x[index];
  }
}

void fill(void *const *buffers, int64_t begin, int64_t end) {
  for (int64_t i = begin; i != end; ++i)
    static_cast<int32_t *>(buffers[0])[i] = int32_t(100 + i);
}

constexpr int64_t extents[] = {10};

/// The table that is gathered from is computed first; after it comes another
/// step, which a bad index keeps from running.
template <typename Index> struct Gather {
  Gather(int64_t grain, uint32_t threads, bool isLast = false) {
    program
        .input("i", sizeof(Index) == 4 ? INLAY_INT32 : INLAY_INT64,
               sizeof(Index), {8})
        .output("y", INLAY_INT32, 4, {8})
        .output("z", INLAY_INT32, 4, {10});
    program.program.info.arena_bytes = 40;
    program.step("table", fill, 10, 3, {arenaAt(0, 40)});
    inlay_step &step = program.step(
        "pick", gather<Index>, 8, grain,
        {arenaAt(0, 40), inputAt(0, 8 * sizeof(Index)), outputAt(0, 32)});
    program.indices(step, {1, sizeof(Index), 1, extents, 0, 0});
    if (!isLast)
      program.step("after", fill, 10, 3, {outputAt(1, 40)});
    session = std::make_unique<TestSession>(program, threads);
  }

  inlay_status run(std::vector<Index> indices) {
    int64_t dims[] = {8};
    type = sizeof(Index) == 4 ? INLAY_INT32 : INLAY_INT64;
    std::vector<inlay_tensor> outputs = {{y, 0, 0, nullptr, 32},
                                         {z, 0, 0, nullptr, 40}};
    return session->run({{indices.data(), type, 1, dims, 8 * sizeof(Index)}},
                        outputs);
  }

  TestProgram program;
  std::unique_ptr<TestSession> session;
  int32_t type = 0;
  int32_t y[8] = {}, z[10] = {};
};

template <typename Index> void testIndices(int64_t grain, uint32_t threads) {
  Gather<Index> gather(grain, threads);
  ASSERT_EQ(gather.run({0, 9, -10, -1, 5, 5, 5, 5}), INLAY_OK);
  EXPECT_EQ(gather.y[1], 109);
  EXPECT_EQ(gather.y[2], 100);
  EXPECT_EQ(gather.y[3], 109);
  EXPECT_EQ(gather.z[9], 109);
  gather.y[0] = gather.z[9] = 0;
  EXPECT_EQ(gather.run({0, 1, 2, 3, 4, 5, 6, 17}), INLAY_ARGUMENT);
  EXPECT_EQ(gather.session->error(),
            "step 'pick': index 17 is out of range: -10 to 9 are allowed");
  EXPECT_EQ(gather.y[0], 0) << "the step must not run";
  EXPECT_EQ(gather.z[9], 0) << "no step behind it may run";
  EXPECT_EQ(gather.run({0, 1, 2, 3, 4, 5, 6, -11}), INLAY_ARGUMENT);
  EXPECT_EQ(gather.session->error(),
            "step 'pick': index -11 is out of range: -10 to 9 are allowed");
  EXPECT_EQ(gather.run({0, 1, 2, 3, 4, 5, 6, 10}), INLAY_ARGUMENT);
  // The session is as good as before.
  EXPECT_EQ(gather.run({1, 1, 1, 1, 1, 1, 1, 1}), INLAY_OK);
  EXPECT_EQ(gather.session->error(), "");
  EXPECT_EQ(gather.y[0], 101);
}

} // namespace

TEST(Indices, AreCheckedByOneThread) {
  testIndices<int32_t>(8, 1);
  testIndices<int64_t>(8, 1);
}

TEST(Indices, AreCheckedByManyThreads) {
  for (int64_t grain : {1, 3, 8}) {
    testIndices<int32_t>(grain, 3);
    testIndices<int64_t>(grain, 3);
  }
}

TEST(Indices, MayBeWrongManyTimes) {
  for (bool isLast : {false, true}) {
    Gather<int64_t> shared(1, 4, isLast), alone(8, 4, isLast);
    for (int run = 0; run != 500; ++run) {
      EXPECT_EQ(shared.run({0, 1, 2, 3, 4, 5, 6, run % 3 == 0 ? 1 : 17}),
                run % 3 == 0 ? INLAY_OK : INLAY_ARGUMENT);
      EXPECT_EQ(alone.run({0, 1, 2, 3, 4, 5, 6, run % 3 == 0 ? 1 : 17}),
                run % 3 == 0 ? INLAY_OK : INLAY_ARGUMENT);
    }
  }
}

TEST(Indices, OfTuplesHaveExtentsInTurn) {
  static const int64_t pairs[] = {10, 2};
  TestProgram program;
  program.input("i", INLAY_INT64, 8, {2, 2}).output("y", INLAY_INT32, 4, {10});
  inlay_step &step =
      program.step("pairs", fill, 10, 10, {outputAt(0, 40), inputAt(0, 32)});
  program.indices(step, {1, 8, 2, pairs, 0, 0});
  TestSession session(program);
  int64_t dims[] = {2, 2}, good[] = {9, 1, -10, -2}, bad[] = {0, 1, 1, 9};
  std::vector<inlay_tensor> outputs(1);
  EXPECT_EQ(session.run({{good, INLAY_INT64, 2, dims, 32}}, outputs), INLAY_OK);
  EXPECT_EQ(session.run({{bad, INLAY_INT64, 2, dims, 32}}, outputs),
            INLAY_ARGUMENT);
  EXPECT_EQ(session.error(),
            "step 'pairs': index 9 is out of range: -2 to 1 are allowed");
}
