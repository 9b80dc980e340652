//===- SessionTest.cpp - Sessions that are made, and that are not ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"
#include <atomic>
#include <cstring>
#include <sys/wait.h>
#include <thread>

using namespace inlay;

namespace {

void addOne(void *const *buffers, int64_t begin, int64_t end) {
  for (int64_t i = begin; i != end; ++i)
    static_cast<int32_t *>(buffers[1])[i] =
        static_cast<const int32_t *>(buffers[0])[i] + 1;
}

class Session : public testing::Test {
protected:
  Session() {
    program.input("x", INLAY_INT32, 4, {100})
        .output("y", INLAY_INT32, 4, {100});
    program.step("add", addOne, 100, 10, {inputAt(0, 400), outputAt(0, 400)});
  }

  /// Runs a session; -1 where the results are wrong.
  int run(inlay_session *session) {
    int32_t x[100] = {41};
    int64_t dims[] = {100};
    inlay_tensor input = {x, INLAY_INT32, 1, dims, 400};
    inlay_tensor output = {};
    inlay_status status = inlay_run(session, &input, 1, &output, 1);
    if (status == INLAY_OK && *static_cast<int32_t *>(output.data) != 42)
      return -1;
    return status;
  }

  std::string refusal(inlay_status expected) {
    return failureOf(program, nullptr, expected);
  }

  TestProgram program;
};

/// The exit status of a child that runs `body`.
template <typename Body> int statusOfChild(Body body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

} // namespace

TEST_F(Session, NeedsNoOptions) {
  inlay_session *session = nullptr;
  ASSERT_EQ(inlay_create(program.get(), nullptr, &session), INLAY_OK);
  EXPECT_STREQ(inlay_error(nullptr), "");
  EXPECT_EQ(run(session), INLAY_OK);
  inlay_destroy(session);
  inlay_destroy(nullptr);
}

TEST_F(Session, NeedsAPlace) {
  EXPECT_EQ(inlay_create(program.get(), nullptr, nullptr), INLAY_ARGUMENT);
  EXPECT_STREQ(inlay_error(nullptr), "there is no place for the session");
}

TEST_F(Session, OfOptionsOfAnotherAbiIsRefused) {
  inlay_options options = {};
  options.abi = 7;
  EXPECT_EQ(failureOf(program, &options, INLAY_ARGUMENT),
            "the options have the ABI 7 where 4 is required");
}

TEST_F(Session, OfAModelOfAnotherAbiIsRefused) {
  program.program.info.abi = 7;
  EXPECT_EQ(refusal(INLAY_INTERNAL),
            "the model has the ABI 7 where 4 is required");
}

TEST_F(Session, OfAHugeArenaIsOutOfMemory) {
  program.program.info.arena_bytes = 1ull << 60;
  EXPECT_EQ(refusal(INLAY_MEMORY),
            "no memory for an arena of 1152921504606846976 bytes and 0 more");
  program.program.info.arena_bytes = UINT64_MAX;
  EXPECT_EQ(refusal(INLAY_MEMORY), "no memory for an arena of "
                                   "18446744073709551615 bytes and 0 more");
  program.program.info.arena_bytes = 1ull << 63;
  program.program.scratch_bytes = 1ull << 63;
  EXPECT_EQ(refusal(INLAY_MEMORY),
            "no memory for an arena of 9223372036854775808 bytes and "
            "9223372036854775808 more");
}

TEST_F(Session, LeavesNoMemoryBehind) {
  program.program.info.arena_bytes = largeArena;
  MemoryCheck memory;
  {
    TestSession session(program, 2);
    EXPECT_EQ(run(session.session), INLAY_OK);
    EXPECT_FALSE(memory.isAsBefore());
  }
  EXPECT_TRUE(memory.isAsBefore());
}

TEST_F(Session, OnALesserCpuIsRefused) {
  program.program.info.cpu = "x86-64-v4";
  program.program.required_cpu = INLAY_CPU_X86_64_V4;
  std::string text = "the model was made for x86-64-v4, which this CPU is not";
#if defined(__x86_64__)
  program.program.required_cpu = INLAY_CPU_X86_64_V3;
  bool hasV3 = __builtin_cpu_supports("x86-64-v3");
  if (hasV3)
    TestSession session(program);
  else
    EXPECT_EQ(refusal(INLAY_UNSUPPORTED), text);
  program.program.required_cpu = INLAY_CPU_X86_64_V4;
  if (__builtin_cpu_supports("x86-64-v4")) {
    TestSession session(program);
    program.program.required_cpu = 99;
  }
#endif
  EXPECT_EQ(refusal(INLAY_UNSUPPORTED), text);
}

TEST_F(Session, OfAStepOutsideOfItsMemoryIsRefused) {
  program.program.info.arena_bytes = 64;
  inlay_place bad[] = {
      arenaAt(1, 64), arenaAt(UINT64_MAX, 2), scratchAt(0, 1), weightsAt(0, 1),
      inputAt(1, 1),  outputAt(0, 401),       {9, 0, 0, 1}};
  for (inlay_place place : bad) {
    TestProgram program;
    program.output("y", INLAY_INT32, 4, {100});
    program.program.info.arena_bytes = 64;
    program.step("bad", addOne, 1, 1, {arenaAt(0, 64), place});
    EXPECT_EQ(failureOf(program, nullptr, INLAY_INTERNAL),
              "step 'bad': buffer 1 is outside of its memory");
  }
}

TEST_F(Session, OfStepsWithoutGoodTurnsIsRefused) {
  for (auto [extent, grain] :
       {std::pair<int64_t, int64_t>{-1, 1}, {1, 0}, {INT64_MAX, 1}}) {
    TestProgram program;
    program.step("bad", addOne, extent, grain, {});
    EXPECT_EQ(failureOf(program, nullptr, INLAY_INTERNAL),
              "step 'bad' has no good turns");
  }
}

TEST_F(Session, OfStepsWithoutGoodIndicesIsRefused) {
  static const int64_t extents[] = {1};
  for (inlay_indices bad : {inlay_indices{1, 8, 1, extents, 0, 0},
                            {0, 2, 1, extents, 0, 0},
                            {0, 8, 0, extents, 0, 0}}) {
    TestProgram program;
    inlay_step &step = program.step("bad", addOne, 1, 1, {arenaAt(0, 0)});
    program.indices(step, bad);
    EXPECT_EQ(failureOf(program, nullptr, INLAY_INTERNAL),
              "step 'bad' has no good indices");
  }
}

TEST_F(Session, OfCopiesOutsideOfTheirMemoryIsRefused) {
  program.copy(inputAt(0, 396), 0);
  EXPECT_EQ(refusal(INLAY_INTERNAL), "copy 0 is outside of its memory");
}

namespace {

std::atomic<bool> isInside, mayEnd;

void waitInside(void *const *, int64_t, int64_t) {
  isInside = true;
  while (!mayEnd)
    usleep(100);
}

} // namespace

TEST_F(Session, RunsOnceAtATime) {
  TestProgram waiting;
  waiting.step("wait", waitInside, 1, 1, {});
  TestSession session(waiting);
  isInside = mayEnd = false;
  std::thread other([&] {
    EXPECT_EQ(inlay_run(session.session, nullptr, 0, nullptr, 0), INLAY_OK);
    EXPECT_EQ(session.error(), "");
  });
  while (!isInside)
    usleep(100);
  EXPECT_EQ(inlay_run(session.session, nullptr, 0, nullptr, 0), INLAY_ARGUMENT);
  EXPECT_EQ(session.error(), "the session is running already");
  mayEnd = true;
  other.join();
  EXPECT_EQ(inlay_run(session.session, nullptr, 0, nullptr, 0), INLAY_OK);
  EXPECT_EQ(session.error(), "");
}

TEST_F(Session, OfBeforeAForkIsRefusedInTheChild) {
  for (uint32_t threads : {1, 3}) {
    TestSession session(program, threads);
    EXPECT_EQ(run(session.session), INLAY_OK);
    int status = statusOfChild([&] {
      bool isRefused = run(session.session) == INLAY_FORKED &&
                       session.error() == "the session was made before a fork";
      inlay_destroy(session.session);
      return isRefused ? 0 : 1;
    });
    EXPECT_EQ(status, 0);
    // The parent's is as good as before.
    EXPECT_EQ(run(session.session), INLAY_OK);
  }
}

TEST_F(Session, CanBeMadeAfterAFork) {
  TestSession session(program, 3);
  int status = statusOfChild([&] {
    inlay_options options = withThreads(3);
    inlay_session *own = nullptr;
    if (inlay_create(program.get(), &options, &own) != INLAY_OK)
      return 1;
    int result = run(own);
    inlay_destroy(own);
    return result;
  });
  EXPECT_EQ(status, INLAY_OK);
}

TEST_F(Session, TextsAreOfTheirThread) {
  program.program.info.abi = 7;
  std::string text = refusal(INLAY_INTERNAL);
  std::thread([] { EXPECT_STREQ(inlay_error(nullptr), ""); }).join();
  EXPECT_EQ(inlay_error(nullptr), text);
}
