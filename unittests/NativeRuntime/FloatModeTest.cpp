//===- FloatModeTest.cpp - Kernels compute as IEEE has it -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"
#include <cfenv>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

using namespace inlay;

namespace {

/// What the compiler must not compute itself.
volatile float tiny = 1e-38f, tenth = 0.1f, one = 1, three = 3;

/// Whether denormals are kept, and rounding is to nearest.
bool isDefault() {
  volatile float small = tiny * tenth;
  volatile float third = one / three;
  volatile float minusThird = -one / three;
  return small > 0 && small * 10 > 0 && third == -minusThird &&
         std::fegetround() == FE_TONEAREST;
}

#if defined(__x86_64__)
uint64_t getControl() { return __builtin_ia32_stmxcsr(); }
void setControl(uint64_t value) { __builtin_ia32_ldmxcsr(value); }
constexpr uint64_t flushAndTruncate = 0x1f80 | 0x8040 | 0x6000;
#else
uint64_t getControl() {
  uint64_t value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
void setControl(uint64_t value) {
  __asm__ volatile("msr fpcr, %0" : : "r"(value));
}
constexpr uint64_t flushAndTruncate = 1 << 24 | 3 << 22;
#endif

std::mutex mutex;
std::set<std::thread::id> seen;
bool areAllDefault;

void look(void *const *, int64_t, int64_t) {
  std::lock_guard<std::mutex> lock(mutex);
  areAllDefault &= isDefault();
  seen.insert(std::this_thread::get_id());
}

void lookSlowly(void *const *buffers, int64_t begin, int64_t end) {
  look(buffers, begin, end);
  usleep(1000);
}

} // namespace

TEST(FloatMode, IsTheDefaultInKernelsAndTheCallersAfterwards) {
  TestProgram program;
  program.step("alone", look, 1, 1, {});
  program.step("shared", lookSlowly, 50, 1, {});
  areAllDefault = true;
  seen.clear();
  uint64_t before = getControl();
  ASSERT_TRUE(isDefault());
  // Workers are started by a thread with another mode, too.
  setControl(flushAndTruncate);
  bool isDefaultOutside = isDefault();
  // What has happened is part of it on x86-64.
  uint64_t given = getControl();
  inlay_options options = withThreads(3);
  inlay_session *session = nullptr;
  inlay_status created = inlay_create(program.get(), &options, &session);
  inlay_status status = inlay_run(session, nullptr, 0, nullptr, 0);
  uint64_t after = getControl();
  setControl(before);
  EXPECT_EQ(created, INLAY_OK);
  EXPECT_EQ(status, INLAY_OK);
  EXPECT_FALSE(isDefaultOutside) << "the test sets no other mode";
  EXPECT_EQ(after, given);
  EXPECT_TRUE(areAllDefault);
  EXPECT_EQ(seen.size(), 3u);
  inlay_destroy(session);
}

TEST(FloatMode, IsTheCallersAfterARunThatFails) {
  static const int64_t extents[] = {1};
  static int64_t index = 5;
  TestProgram program;
  program.input("i", INLAY_INT64, 8, {1});
  inlay_step &step = program.step("pick", look, 1, 1, {inputAt(0, 8)});
  program.indices(step, {0, 8, 1, extents, 0, 0});
  TestSession session(program);
  int64_t dims[] = {1};
  std::vector<inlay_tensor> none;
  uint64_t before = getControl();
  setControl(flushAndTruncate);
  inlay_status status = session.run({{&index, INLAY_INT64, 1, dims, 8}}, none);
  uint64_t after = getControl();
  setControl(before);
  EXPECT_EQ(status, INLAY_ARGUMENT);
  EXPECT_EQ(after, flushAndTruncate);
}
