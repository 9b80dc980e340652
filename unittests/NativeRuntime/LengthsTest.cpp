//===- LengthsTest.cpp - Runs of any length up to a largest one -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"
#include <algorithm>
#include <cstring>

using namespace inlay;

namespace {

constexpr int64_t largest = 8;

/// Blocks of three elements along the length: two lines of y are those of x
/// and what was picked; they lie as those of the largest length do.
void addBlocks(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const float *>(buffers[0]);
  auto *arena = static_cast<const float *>(buffers[1]);
  auto *y = static_cast<float *>(buffers[2]);
  for (int64_t i = 3 * begin; i != std::min(3 * end, largest); ++i)
    for (int64_t line : {0, 1})
      y[line * largest + i] = x[line * largest + i] + arena[i];
}

/// The sum of what was picked, and how much that is.
void sum(void *const *buffers, int64_t, int64_t) {
  auto *arena = static_cast<const float *>(buffers[0]);
  auto *total = static_cast<float *>(buffers[1]);
  int64_t length = *static_cast<const int64_t *>(buffers[2]);
  total[0] = 0;
  for (int64_t i = 0; i != length; ++i)
    total[0] += arena[i];
  total[1] = float(length);
}

constexpr int64_t extents[] = {4};

/// Words that say elements of a table, and two lines x of as many floats; gives
/// two lines y, the words again and a sum of all.
class Lengths : public testing::TestWithParam<uint32_t> {
protected:
  Lengths() {
    program.length("length", largest)
        .input("table", INLAY_FLOAT, 4, {4})
        .input("x", INLAY_FLOAT, 4, {2, largest})
        .input("words", INLAY_INT64, 8, {largest})
        .output("y", INLAY_FLOAT, 4, {2, largest})
        .output("again", INLAY_INT64, 8, {largest})
        .output("total", INLAY_FLOAT, 4, {2})
        .openLengthOfInput(1, 1)
        .openLengthOfInput(2, 0)
        .openLengthOfOutput(0, 1)
        .openLengthOfOutput(1, 0);
    inlay_info &info = program.program.info;
    info.arena_bytes = 4 * largest;
    inlay_step &first = program.step(
        "pick", pick, 0, 1,
        {inputAt(0, 16), inputAt(2, 8 * largest), arenaAt(0, 4 * largest)});
    first.extent = {0, 1, 1, 0};
    program.indices(first, {1, 8, 1, extents, 1, 0});
    program
        .step("add", addBlocks, 0, 1,
              {inputAt(1, 8 * largest), arenaAt(0, 4 * largest),
               outputAt(0, 8 * largest)})
        .extent = {0, 3, 1, 0};
    program.step(
        "sum", sum, 1, 1,
        {arenaAt(0, 4 * largest), outputAt(2, 8), {INLAY_LENGTH, 0, 0, 8}});
    program.copy(inputAt(2, 8 * largest), 1);
    session = std::make_unique<TestSession>(program, GetParam());
  }

  void setLength(int64_t length) {
    x.resize(2 * length);
    words.resize(length);
    for (int64_t i = 0; i != 2 * length; ++i)
      x[i] = float(i + 10 * length);
    for (int64_t i = 0; i != length; ++i)
      words[i] = (i * i + length) % 4;
    dimsOfX[1] = dimsOfWords[0] = length;
    inputs = {
        {table, INLAY_FLOAT, 1, dimsOfTable, 16},
        {x.data(), INLAY_FLOAT, 2, dimsOfX, 8 * uint64_t(length)},
        {words.data(), INLAY_INT64, 1, dimsOfWords, 8 * uint64_t(length)}};
  }

  void expectResults() {
    ASSERT_EQ(session->run(inputs, outputs), INLAY_OK) << session->error();
    int64_t length = words.size();
    ASSERT_EQ(outputs[0].bytes, uint64_t(8 * length));
    EXPECT_EQ(outputs[0].dims[0], 2);
    EXPECT_EQ(outputs[0].dims[1], length);
    EXPECT_EQ(outputs[1].dims[0], length);
    std::vector<float> y(2 * length);
    std::memcpy(y.data(), outputs[0].data, 8 * length);
    float total = 0;
    for (int64_t i = 0; i != length; ++i) {
      total += table[words[i]];
      for (int64_t line : {0, 1})
        EXPECT_EQ(y[line * length + i], x[line * length + i] + table[words[i]])
            << length << ": " << line << ", " << i;
    }
    EXPECT_EQ(std::memcmp(outputs[1].data, words.data(), 8 * length), 0);
    auto *sums = static_cast<const float *>(outputs[2].data);
    EXPECT_EQ(sums[0], total);
    EXPECT_EQ(sums[1], float(length));
  }

  std::string refusal() {
    EXPECT_EQ(session->run(inputs, outputs), INLAY_ARGUMENT);
    return session->error();
  }

  TestProgram program;
  std::unique_ptr<TestSession> session;
  float table[4] = {100, 200, 300, 400};
  std::vector<float> x;
  std::vector<int64_t> words;
  int64_t dimsOfTable[1] = {4}, dimsOfX[2] = {2, 0}, dimsOfWords[1] = {0};
  std::vector<inlay_tensor> inputs;
  std::vector<inlay_tensor> outputs = std::vector<inlay_tensor>(3);
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Threads, Lengths, testing::Values(1, 2, 3));

TEST_P(Lengths, ChangeFromRunToRun) {
  for (int64_t length : {8, 1, 7, 3, 2, 8, 4}) {
    setLength(length);
    outputs.assign(3, inlay_tensor());
    expectResults();
  }
}

TEST_P(Lengths, AreWrittenWhereTheCallerWantsThem) {
  setLength(5);
  // One that is not aligned.
  std::vector<char> y(1 + 8 * 5 + 1, 77), again(8 * 5 + 1, 77);
  outputs[0] = {y.data() + 1, 0, 0, nullptr, 8 * 5};
  outputs[1] = {again.data(), 0, 0, nullptr, 8 * 5};
  expectResults();
  EXPECT_EQ(y.front(), 77);
  EXPECT_EQ(y.back(), 77);
  EXPECT_EQ(again.back(), 77);
}

TEST_P(Lengths, AreOneToTheLargest) {
  setLength(0);
  EXPECT_EQ(refusal(), "input 'x' has the shape 2x0 where 2x? is required");
  setLength(largest + 1);
  EXPECT_EQ(refusal(),
            "input 'x' has 9 for 'length' where at most 8 are allowed");
  setLength(largest);
  expectResults();
}

TEST_P(Lengths, AreTheSameInAllInputs) {
  setLength(4);
  dimsOfWords[0] = 3;
  inputs[2].bytes = 24;
  EXPECT_EQ(refusal(),
            "input 'words' has 3 for 'length' where inputs before it "
            "have 4");
  dimsOfWords[0] = 4;
  EXPECT_EQ(refusal(), "input 'words' has 24 bytes where 32 are required");
}

TEST_P(Lengths, ThatHaveNoRoomSayHowMuchTheyNeed) {
  setLength(3);
  std::vector<char> space(8 * 3, 77);
  outputs[0] = {space.data(), 0, 0, nullptr, 23};
  EXPECT_EQ(refusal(),
            "output 'y' has room for 23 bytes where 24 are required");
  EXPECT_EQ(outputs[0].dims[1], 3);
  EXPECT_EQ(space, std::vector<char>(8 * 3, 77)) << "nothing may be run";
}

/// What an earlier run left behind the length is no index.
TEST_P(Lengths, HaveNoIndicesBehindThem) {
  setLength(6);
  words[5] = 4;
  EXPECT_EQ(refusal(),
            "step 'pick': index 4 is out of range: -4 to 3 are allowed");
  setLength(5);
  expectResults();
}

//===----------------------------------------------------------------------===//
// Several lengths
//===----------------------------------------------------------------------===//

namespace {
constexpr int64_t height = 4, width = 6, columns = 3, far = -1000;

/// Each element of y is the sum of two neighbours of a line of x, of which the
/// second may be padded; every other one is left out.
void addPairs(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const float *>(buffers[0]);
  auto *y = static_cast<float *>(buffers[1]);
  for (int64_t i = begin; i != end; ++i)
    for (int64_t j = 0; j != columns; ++j)
      y[i * columns + j] = x[i * width + 2 * j] + x[i * width + 2 * j + 1];
}

/// The arena becomes x, and something behind it.
void fillArena(void *const *buffers, int64_t, int64_t) {
  auto *x = static_cast<const float *>(buffers[0]);
  auto *arena = static_cast<float *>(buffers[1]);
  int64_t rows = *static_cast<const int64_t *>(buffers[2]),
          used = *static_cast<const int64_t *>(buffers[3]);
  for (int64_t i = 0; i != height; ++i)
    for (int64_t j = 0; j != width; ++j)
      arena[i * width + j] = i < rows && j < used ? x[i * width + j] : far;
}

/// A picture x, and y of half of its width, rounded up.
class Pictures : public testing::TestWithParam<uint32_t> {
protected:
  Pictures() {
    program.length("height", height)
        .length("width", width)
        .follow(1, 1, 2)
        .input("x", INLAY_FLOAT, 4, {height, width})
        .output("y", INLAY_FLOAT, 4, {height, columns})
        .openLengthOfInput(0, 0, 0)
        .openLengthOfInput(0, 1, 1)
        .openLengthOfOutput(0, 0, 0)
        .openLengthOfOutput(0, 1, 2);
    program.program.info.arena_bytes = 4 * height * width;
    program.step("fill", fillArena, 1, 1,
                 {inputAt(0, 4 * height * width),
                  arenaAt(0, 4 * height * width),
                  {INLAY_LENGTH, 0, 0, 8},
                  {INLAY_LENGTH, 1, 0, 8}});
    inlay_step &step = program.step(
        "pairs", addPairs, 0, 1,
        {arenaAt(0, 4 * height * width), outputAt(0, 4 * height * columns)});
    step.extent = {0, 1, 1, 0};
    program.clear(step, 0, 0, {height, width}, {1, 2}, {1, 1});
    session = std::make_unique<TestSession>(program, GetParam());
  }

  void expectResults(int64_t rows, int64_t used) {
    std::vector<float> x(rows * used);
    for (size_t i = 0; i != x.size(); ++i)
      x[i] = float(i + 1);
    const int64_t dims[] = {rows, used};
    std::vector<inlay_tensor> outputs(1);
    ASSERT_EQ(session->run(
                  {{x.data(), INLAY_FLOAT, 2, dims, uint64_t(4 * rows * used)}},
                  outputs),
              INLAY_OK)
        << session->error();
    int64_t half = (used + 1) / 2;
    EXPECT_EQ(outputs[0].dims[0], rows);
    EXPECT_EQ(outputs[0].dims[1], half);
    ASSERT_EQ(outputs[0].bytes, uint64_t(4 * rows * half));
    auto *y = static_cast<const float *>(outputs[0].data);
    for (int64_t i = 0; i != rows; ++i)
      for (int64_t j = 0; j != half; ++j) {
        float second = 2 * j + 1 < used ? x[i * used + 2 * j + 1] : 0;
        EXPECT_EQ(y[i * half + j], x[i * used + 2 * j] + second)
            << rows << "x" << used << ": " << i << ", " << j;
      }
  }

  TestProgram program;
  std::unique_ptr<TestSession> session;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Threads, Pictures, testing::Values(1, 2, 3));

TEST_P(Pictures, HaveZerosBehindThem) {
  expectResults(height, width);
  for (int64_t rows = 1; rows <= height; ++rows)
    for (int64_t used = 1; used <= width; ++used)
      expectResults(rows, used);
  expectResults(height, width);
}

TEST_P(Pictures, SayWhichLengthIsTooLarge) {
  float x[height * (width + 1)] = {};
  const int64_t dims[] = {height, width + 1};
  std::vector<inlay_tensor> outputs(1);
  EXPECT_EQ(session->run({{x, INLAY_FLOAT, 2, dims, sizeof x}}, outputs),
            INLAY_ARGUMENT);
  EXPECT_EQ(session->error(),
            "input 'x' has 7 for 'width' where at most 6 are allowed");
}

TEST(LengthsThatFollow, LeaveSomething) {
  TestProgram program;
  program.length("height", 8)
      .follow(0, -4, 2)
      .input("x", INLAY_FLOAT, 4, {8})
      .output("y", INLAY_FLOAT, 4, {2})
      .openLengthOfInput(0, 0, 0)
      .openLengthOfOutput(0, 0, 1);
  program.copy(inputAt(0, 8), 0);
  TestSession session(program);
  float x[5] = {1, 2, 3, 4, 5};
  const int64_t dims[] = {5};
  std::vector<inlay_tensor> outputs(1);
  EXPECT_EQ(session.run({{x, INLAY_FLOAT, 1, dims, sizeof x}}, outputs),
            INLAY_ARGUMENT);
  EXPECT_EQ(session.error(),
            "'height' is too small: nothing would be left of a "
            "dimension that follows from it");
}

//===----------------------------------------------------------------------===//
// Programs that are none
//===----------------------------------------------------------------------===//

namespace {
/// A program of one step for which something is not as it must be.
struct Faulty {
  Faulty() {
    program.length("length", largest)
        .input("x", INLAY_INT64, 8, {largest})
        .output("y", INLAY_INT64, 8, {largest})
        .openLengthOfInput(0, 0)
        .openLengthOfOutput(0, 0);
    step = &program.step("step", pick, 0, 1,
                         {inputAt(0, 8 * largest), outputAt(0, 8 * largest)});
    step->extent = {0, 1, 1, 0};
  }

  std::string refusal() { return failureOf(program, nullptr, INLAY_INTERNAL); }
  inlay_length &length() {
    return const_cast<inlay_length &>(*program.get()->info.lengths);
  }
  inlay_port &input() {
    return const_cast<inlay_port &>(*program.get()->info.inputs);
  }
  inlay_port &output() {
    return const_cast<inlay_port &>(*program.get()->info.outputs);
  }

  TestProgram program;
  inlay_step *step;
};

const char *const badLengths = "the lengths are not good";
const char *const badInput = "input 'x' has no good open dimensions";
} // namespace

TEST(LengthsOfPrograms, AreGood) {
  for (int64_t length : {int64_t(-1), int64_t(0), (int64_t(1) << 32) + 1}) {
    Faulty faulty;
    faulty.length().largest = length;
    EXPECT_EQ(faulty.refusal(), badLengths);
  }
  Faulty samples, unnamed, many;
  samples.program.program.samples_at_once = 2;
  EXPECT_EQ(samples.refusal(), badLengths);
  unnamed.length().name = nullptr;
  EXPECT_EQ(unnamed.refusal(), badLengths);
  for (int i = 0; i < INLAY_MAX_LENGTHS; ++i)
    many.program.length("other", 8);
  EXPECT_EQ(many.refusal(), badLengths);
}

TEST(LengthsOfPrograms, FollowFromThoseInFront) {
  auto refuse = [](auto change) {
    Faulty faulty;
    faulty.program.follow(0, 1, 2);
    change((&faulty.length())[1]);
    EXPECT_EQ(faulty.refusal(), badLengths);
  };
  refuse([](inlay_length &length) { length.from = 1; });
  refuse([](inlay_length &length) { length.largest = 5; });
  refuse([](inlay_length &length) { length.divide = -2; });
  refuse([](inlay_length &length) { length.add = INT64_MAX; });
}

TEST(LengthsOfPrograms, AreThoseOfPorts) {
  Faulty two;
  two.input().per_sample = 2;
  EXPECT_EQ(two.refusal(), badInput);
  Faulty large;
  large.output().bytes = UINT64_MAX / 4;
  EXPECT_EQ(large.refusal(), "output 'y' has no good open dimensions");
  Faulty unknown, following, closed;
  uint32_t second = 2, none = 0;
  unknown.input().lengths = &second;
  EXPECT_EQ(unknown.refusal(), badInput);
  following.program.follow(0, 0, 1);
  following.input().lengths = &second;
  EXPECT_EQ(following.refusal(), badInput);
  closed.input().lengths = &none;
  EXPECT_EQ(closed.refusal(), badInput);
}

TEST(LengthsOfPrograms, AreSaidByInputs) {
  Faulty faulty;
  faulty.program.length("width", 8);
  EXPECT_EQ(faulty.refusal(), "no input says a length");
}

TEST(LengthsOfPrograms, GiveGoodTurns) {
  for (inlay_turns turns :
       {inlay_turns{-1, 1, 1, 0}, inlay_turns{0, -1, 1, 0},
        inlay_turns{0, 1, -1, 0}, inlay_turns{0, 1, int64_t(1) << 46, 0},
        inlay_turns{0, 1, 1, 1}}) {
    Faulty run, packing;
    run.step->extent = turns;
    EXPECT_EQ(run.refusal(), "step 'step' has no good turns");
    packing.step->pack = pick;
    packing.step->pack_extent = turns;
    EXPECT_EQ(packing.refusal(), "step 'step' has no good turns");
  }
}

TEST(LengthsOfPrograms, AreNotSmallerThanIndices) {
  for (int64_t perLength : {int64_t(-1), int64_t(2), INT64_MAX}) {
    Faulty faulty;
    faulty.program.indices(*faulty.step, {0, 8, 1, extents, perLength, 0});
    EXPECT_EQ(faulty.refusal(), "step 'step' has no good indices");
  }
  Faulty unknown;
  unknown.program.indices(*unknown.step, {0, 8, 1, extents, 1, 1});
  EXPECT_EQ(unknown.refusal(), "step 'step' has no good indices");
}

TEST(LengthsOfPrograms, AreReadWhereThereIsOne) {
  TestProgram none;
  none.step("step", pick, 1, 1, {{INLAY_LENGTH, 0, 0, 8}});
  EXPECT_NE(failureOf(none, nullptr, INLAY_INTERNAL).find("step 'step'"),
            std::string::npos);
}

/// Nothing of the caller's, and nothing outside of a buffer.
TEST(LengthsOfPrograms, ClearTheirOwnMemory) {
  auto refuse = [](auto change) {
    Faulty faulty;
    faulty.program.clear(*faulty.step, 1, 0, {2 * largest}, {0}, {1});
    faulty.program.clear(*faulty.step, 1, 0, {largest}, {1}, {1});
    change(const_cast<inlay_clear &>(*faulty.step->clears), faulty);
    EXPECT_EQ(faulty.refusal(), "step 'step' has no good borders");
  };
  static const int64_t larger[] = {2 * largest}, negative[] = {-1};
  static const uint32_t second[] = {2};
  refuse([](inlay_clear &clear, Faulty &) { clear.buffer = 2; });
  refuse([](inlay_clear &clear, Faulty &) { clear.width = 0; });
  refuse([](inlay_clear &clear, Faulty &) { clear.width = 16; });
  refuse([](inlay_clear &clear, Faulty &) { clear.dims = larger; });
  refuse([](inlay_clear &clear, Faulty &) { clear.borders = negative; });
  refuse([](inlay_clear &clear, Faulty &) { clear.lengths = second; });
  refuse([](inlay_clear &clear, Faulty &faulty) {
    static const inlay_place weights[] = {weightsAt(0, 0), weightsAt(0, 0)};
    faulty.step->buffers = weights;
  });
}
