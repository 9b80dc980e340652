//===- ThreadsTest.cpp - Steps that threads share -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

using namespace inlay;

namespace {

constexpr int64_t count = 1000;

/// y[i] = f(x[i - 1], x[i], x[i + 1]), so that a step that starts too early
/// has other results. A turn has one element.
template <int round>
void neighbours(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const uint64_t *>(buffers[0]);
  auto *y = static_cast<uint64_t *>(buffers[1]);
  for (int64_t i = begin; i != end; ++i)
    y[i] = x[(i + count - 1) % count] * 3 + x[i] * 5 +
           x[(i + 1) % count] * (7 + round);
}

/// Adds to what is there: a part that runs twice has other results.
void addOne(void *const *buffers, int64_t begin, int64_t end) {
  auto *y = static_cast<uint64_t *>(buffers[0]);
  for (int64_t i = begin; i != end; ++i)
    y[i] += 1;
}

/// The sum of all, on one thread.
void sum(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const uint64_t *>(buffers[0]);
  auto *y = static_cast<uint64_t *>(buffers[1]);
  *y = 0;
  for (int64_t i = 0; i != count; ++i)
    *y += x[i];
}

void addSum(void *const *buffers, int64_t begin, int64_t end) {
  auto *sum = static_cast<const uint64_t *>(buffers[0]);
  auto *y = static_cast<uint64_t *>(buffers[1]);
  for (int64_t i = begin; i != end; ++i)
    y[i] ^= *sum;
}

/// Packs backwards, 100 elements in a turn.
void packBackwards(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const uint64_t *>(buffers[0]);
  auto *packed = static_cast<uint64_t *>(buffers[2]);
  for (int64_t i = begin * 100; i != end * 100; ++i)
    packed[i] = x[count - 1 - i];
}

void unpack(void *const *buffers, int64_t begin, int64_t end) {
  auto *packed = static_cast<const uint64_t *>(buffers[2]);
  auto *y = static_cast<uint64_t *>(buffers[1]);
  for (int64_t i = begin; i != end; ++i)
    y[i] = packed[(i * 17) % count];
}

constexpr uint64_t bytes = 8 * count;

/// Shared steps and others, in all orders, with packing and a copy.
void makeLongProgram(TestProgram &program) {
  program.input("x", INLAY_UINT64, 8, {count})
      .output("y", INLAY_UINT64, 8, {count})
      .output("same", INLAY_UINT64, 8, {count})
      .output("sum", INLAY_UINT64, 8, {1});
  inlay_place a = arenaAt(0, bytes), b = arenaAt(8064, bytes);
  inlay_place total = arenaAt(16128, 8);
  program.program.info.arena_bytes = 16136;
  program.program.scratch_bytes = bytes;
  program.step("first", neighbours<1>, count, 7, {inputAt(0, bytes), a});
  program.step("second", neighbours<2>, count, 100, {a, b});
  program.step("alone", neighbours<3>, count, count, {b, a});
  program.step("also alone", sum, 1, 1, {a, total});
  program.step("shared again", addSum, count, 999, {total, a});
  program.step("no turns", addOne, 0, 1, {a});
  program.step("add", addOne, count, 1, {a});
  inlay_step &packing =
      program.step("packs", unpack, count, 13, {a, b, scratchAt(0, bytes)});
  packing.pack = packBackwards;
  packing.pack_extent = {10, 0, 0, 0};
  inlay_step &alone = program.step("packs alone", unpack, count, 5000,
                                   {b, a, scratchAt(0, bytes)});
  alone.pack = packBackwards;
  alone.pack_extent = {10, 0, 0, 0};
  program.step("last", neighbours<4>, count, 50, {a, outputAt(0, bytes)});
  program.step("end", sum, 1, 1, {outputAt(0, bytes), outputAt(2, 8)});
  program.copy(outputAt(0, bytes), 1);
}

std::vector<uint64_t> someInput(uint64_t seed) {
  std::vector<uint64_t> x(count);
  for (uint64_t &value : x)
    value = seed = seed * 6364136223846793005 + 1442695040888963407;
  return x;
}

/// What the program computes, all outputs behind each other.
std::vector<uint64_t> runLong(TestSession &session, uint64_t seed) {
  std::vector<uint64_t> x = someInput(seed), all(2 * count + 1);
  int64_t dims[1] = {count};
  std::vector<inlay_tensor> inputs = {{x.data(), INLAY_UINT64, 1, dims, bytes}};
  std::vector<inlay_tensor> outputs = {
      {all.data(), 0, 0, nullptr, bytes},
      {all.data() + count, 0, 0, nullptr, bytes},
      {all.data() + 2 * count, 0, 0, nullptr, 8}};
  EXPECT_EQ(session.run(inputs, outputs), INLAY_OK) << session.error();
  return all;
}

/// Without the runtime.
std::vector<uint64_t> computeLong(uint64_t seed) {
  std::vector<uint64_t> x = someInput(seed), a(count), b(count), packed(count);
  std::vector<uint64_t> all(2 * count + 1);
  uint64_t total;
  auto call = [](inlay_kernel kernel, std::vector<void *> buffers,
                 int64_t extent) { kernel(buffers.data(), 0, extent); };
  call(neighbours<1>, {x.data(), a.data()}, count);
  call(neighbours<2>, {a.data(), b.data()}, count);
  call(neighbours<3>, {b.data(), a.data()}, count);
  call(sum, {a.data(), &total}, 1);
  call(addSum, {&total, a.data()}, count);
  call(addOne, {a.data()}, count);
  call(packBackwards, {a.data(), b.data(), packed.data()}, 10);
  call(unpack, {a.data(), b.data(), packed.data()}, count);
  call(packBackwards, {b.data(), a.data(), packed.data()}, 10);
  call(unpack, {b.data(), a.data(), packed.data()}, count);
  call(neighbours<4>, {a.data(), all.data()}, count);
  call(sum, {all.data(), all.data() + 2 * count}, 1);
  std::memcpy(all.data() + count, all.data(), bytes);
  return all;
}

unsigned countThreads() {
  std::ifstream status("/proc/self/status");
  std::string word;
  unsigned threads = 0;
  while (status >> word)
    if (word == "Threads:")
      status >> threads;
  return threads;
}

/// Without those that have been joined, but that the system still counts.
unsigned countThreadsAtRest() {
  for (unsigned before = countThreads();;) {
    usleep(20000);
    unsigned now = countThreads();
    if (now == before)
      return now;
    before = now;
  }
}

} // namespace

TEST(Threads, DoNotChangeResults) {
  TestProgram program;
  makeLongProgram(program);
  for (uint32_t threads : {0, 1, 2, 3, 4, 7}) {
    TestSession session(program, threads);
    for (uint64_t seed = 1; seed != 20; ++seed)
      ASSERT_EQ(runLong(session, seed), computeLong(seed))
          << threads << " threads, seed " << seed;
  }
}

namespace {

std::mutex partsMutex;
std::set<std::pair<int64_t, int64_t>> parts;

void notePart(void *const *, int64_t begin, int64_t end) {
  std::lock_guard lock(partsMutex);
  EXPECT_TRUE(parts.insert({begin, end}).second);
}

/// Where the parts end that so many threads take.
std::vector<int64_t> endsOfParts(int64_t extent, int64_t grain,
                                 uint32_t threads) {
  TestProgram program;
  program.step("note", notePart, extent, grain, {});
  TestSession session(program, threads);
  parts.clear();
  std::vector<inlay_tensor> none;
  EXPECT_EQ(session.run({}, none), INLAY_OK);
  std::vector<int64_t> ends;
  for (auto [begin, end] : parts) {
    EXPECT_EQ(begin, ends.empty() ? 0 : ends.back());
    ends.push_back(end);
  }
  return ends;
}

} // namespace

TEST(Threads, TakeLargePartsFirstAndSmallOnesLast) {
  using Ends = std::vector<int64_t>;
  EXPECT_EQ(endsOfParts(24, 1, 2),
            Ends({6, 10, 13, 15, 17, 18, 19, 20, 21, 22, 23, 24}));
  EXPECT_EQ(endsOfParts(200, 10, 2),
            Ends({50, 80, 110, 130, 140, 150, 160, 170, 180, 190, 200}));
  EXPECT_EQ(endsOfParts(24, 1, 4), Ends({3, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16,
                                         17, 18, 19, 20, 21, 22, 23, 24}));
  EXPECT_EQ(endsOfParts(5, 2, 3), Ends({2, 4, 5}));
}

TEST(Threads, LeaveWhatOneRunsInOnePart) {
  EXPECT_EQ(endsOfParts(24, 1, 1), std::vector<int64_t>({24}));
  EXPECT_EQ(endsOfParts(24, 24, 2), std::vector<int64_t>({24}));
}

TEST(Threads, ComeThroughManyRuns) {
  TestProgram program;
  makeLongProgram(program);
  TestSession session(program, 4);
  std::vector<uint64_t> expected = computeLong(5);
  for (int run = 0; run != 1000; ++run)
    ASSERT_EQ(runLong(session, 5), expected) << run;
}

TEST(Threads, SleepBetweenRunsAndWake) {
  TestProgram program;
  makeLongProgram(program);
  TestSession session(program, 3);
  for (int run = 0; run != 20; ++run) {
    ASSERT_EQ(runLong(session, run), computeLong(run));
    usleep(2000);
  }
}

TEST(Threads, OfTwoModelsAndTwoSessionsRunAtOnce) {
  TestProgram first("first"), second("second");
  makeLongProgram(first);
  second.output("y", INLAY_UINT64, 8, {count});
  second.step("add", addOne, count, 10, {outputAt(0, bytes)});
  second.get();
  TestSession one(first, 2), two(first, 2), other(second, 2);
  auto runMany = [](TestSession &session) {
    for (uint64_t seed = 0; seed != 100; ++seed)
      EXPECT_EQ(runLong(session, seed), computeLong(seed));
  };
  std::thread a(runMany, std::ref(one)), b(runMany, std::ref(two));
  std::vector<uint64_t> y(count);
  for (int run = 0; run != 300; ++run) {
    std::vector<inlay_tensor> outputs = {{y.data(), 0, 0, nullptr, bytes}};
    ASSERT_EQ(other.run({}, outputs), INLAY_OK) << other.error();
  }
  a.join();
  b.join();
  EXPECT_EQ(y, std::vector<uint64_t>(count, 300));
}

TEST(Threads, AreAsManyAsWereAskedFor) {
  TestProgram program;
  makeLongProgram(program);
  unsigned before = countThreadsAtRest();
  {
    TestSession session(program, 1);
    EXPECT_EQ(countThreadsAtRest(), before);
  }
  {
    TestSession session(program, 4);
    EXPECT_EQ(countThreadsAtRest(), before + 3);
  }
  EXPECT_EQ(countThreadsAtRest(), before);
  inlay_options options = withThreads(257);
  EXPECT_EQ(failureOf(program, &options, INLAY_ARGUMENT),
            "257 threads are asked for where 256 are allowed");
}

namespace {

std::atomic<int> signalsBlocked, signalsOpen;

void lookAtSignals(void *const *, int64_t begin, int64_t end) {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  auto &count = sigismember(&now, SIGUSR1) ? signalsBlocked : signalsOpen;
  count += int(end - begin);
  usleep(1000);
}

} // namespace

TEST(Threads, LeaveSignalsToTheCaller) {
  TestProgram program;
  program.step("look", lookAtSignals, 50, 1, {});
  TestSession session(program, 3);
  signalsBlocked = signalsOpen = 0;
  std::vector<inlay_tensor> none;
  EXPECT_EQ(session.run({}, none), INLAY_OK);
  EXPECT_EQ(signalsBlocked + signalsOpen, 50);
  EXPECT_GT(signalsOpen, 0);
  EXPECT_GT(signalsBlocked, 0);
}

namespace {

/// How many threads may still be started.
int threadsLeft = INT_MAX;

} // namespace

// The linker has the runtime call this instead.
extern "C" int __real_pthread_create(pthread_t *, const pthread_attr_t *,
                                     void *(*)(void *), void *);
extern "C" int __wrap_pthread_create(pthread_t *thread,
                                     const pthread_attr_t *attributes,
                                     void *(*function)(void *),
                                     void *argument) {
  if (threadsLeft == 0)
    return EAGAIN;
  --threadsLeft;
  return __real_pthread_create(thread, attributes, function, argument);
}

TEST(Threads, ThatCannotBeStartedAreSaid) {
  TestProgram program;
  makeLongProgram(program);
  program.program.info.arena_bytes = largeArena;
  unsigned before = countThreadsAtRest();
  MemoryCheck memory;
  for (int possible : {0, 1, 5}) {
    threadsLeft = possible;
    inlay_options options = withThreads(8);
    EXPECT_EQ(failureOf(program, &options, INLAY_MEMORY),
              "cannot start thread " + std::to_string(possible + 2) +
                  " of 8: Resource temporarily unavailable");
  }
  threadsLeft = INT_MAX;
  EXPECT_EQ(countThreadsAtRest(), before) << "those that started have to end";
  EXPECT_TRUE(memory.isAsBefore());
}
