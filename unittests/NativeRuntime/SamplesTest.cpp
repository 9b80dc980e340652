//===- SamplesTest.cpp - Any number of samples in a run -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"
#include <cstring>
#include <numeric>

using namespace inlay;

namespace {

/// y = x + arena, y + 3 = x - arena.
void addAndSubtract(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const float *>(buffers[0]);
  auto *arena = static_cast<const float *>(buffers[1]);
  auto *y = static_cast<float *>(buffers[2]);
  for (int64_t i = begin; i != end; ++i) {
    y[i] = x[i] + arena[i];
    y[3 + i] = x[i] - arena[i];
  }
}

constexpr int64_t extents[] = {4};

/// A sample is a line x of three floats and one i of three indices into a table
/// that all samples share; it gives two lines y, and i again.
class Samples : public testing::TestWithParam<std::tuple<uint32_t, uint32_t>> {
protected:
  Samples() {
    program.input("table", INLAY_FLOAT, 4, {4})
        .input("x", INLAY_FLOAT, 4, {1, 3})
        .input("i", INLAY_INT64, 8, {1, 3})
        .output("y", INLAY_FLOAT, 4, {2, 3})
        .output("again", INLAY_INT64, 8, {1, 3})
        .output("same", INLAY_FLOAT, 4, {4})
        .openInput(1)
        .openInput(2)
        .openOutput(0)
        .openOutput(1);
    program.program.info.arena_bytes = 12;
    inlay_step &first = program.step(
        "pick", pick, 3, 1, {inputAt(0, 16), inputAt(2, 24), arenaAt(0, 12)});
    program.indices(first, {1, 8, 1, extents, 0, 0});
    program.step("combine", addAndSubtract, 3, 1,
                 {inputAt(1, 12), arenaAt(0, 12), outputAt(0, 24)});
    program.copy(inputAt(2, 24), 1);
    program.copy(inputAt(0, 16), 2);
    auto [threads, atOnce] = GetParam();
    program.program.samples_at_once = atOnce;
    session = std::make_unique<TestSession>(program, threads);
  }

  void setSamples(int64_t samples) {
    x.resize(3 * samples);
    indices.resize(3 * samples);
    for (int64_t i = 0; i != 3 * samples; ++i) {
      x[i] = float(i);
      indices[i] = i * i % 4;
    }
    dimsOfX[0] = dimsOfI[0] = samples;
    inputs = {
        {table, INLAY_FLOAT, 1, dimsOfTable, 16},
        {x.data(), INLAY_FLOAT, 2, dimsOfX, 12 * uint64_t(samples)},
        {indices.data(), INLAY_INT64, 2, dimsOfI, 24 * uint64_t(samples)}};
  }

  void expectResults() {
    ASSERT_EQ(session->run(inputs, outputs), INLAY_OK) << session->error();
    size_t samples = x.size() / 3;
    ASSERT_EQ(outputs[0].bytes, 24 * samples);
    EXPECT_EQ(outputs[0].rank, 2);
    EXPECT_EQ(outputs[0].dims[0], int64_t(2 * samples));
    EXPECT_EQ(outputs[0].dims[1], 3);
    EXPECT_EQ(outputs[1].dims[0], int64_t(samples));
    std::vector<float> y(6 * samples);
    std::memcpy(y.data(), outputs[0].data, 24 * samples);
    for (size_t i = 0; i != x.size(); ++i) {
      float own = table[indices[i]];
      EXPECT_EQ(y[i / 3 * 6 + i % 3], x[i] + own) << i;
      EXPECT_EQ(y[i / 3 * 6 + 3 + i % 3], x[i] - own) << i;
    }
    EXPECT_EQ(
        std::memcmp(outputs[1].data, indices.data(), 24 * indices.size() / 3),
        0);
    EXPECT_EQ(outputs[2].dims[0], 4);
    EXPECT_EQ(std::memcmp(outputs[2].data, table, 16), 0);
  }

  std::string refusal() {
    EXPECT_EQ(session->run(inputs, outputs), INLAY_ARGUMENT);
    return session->error();
  }

  TestProgram program;
  std::unique_ptr<TestSession> session;
  float table[4] = {100, 200, 300, 400};
  std::vector<float> x;
  std::vector<int64_t> indices;
  int64_t dimsOfTable[1] = {4}, dimsOfX[2] = {0, 3}, dimsOfI[2] = {0, 3};
  std::vector<inlay_tensor> inputs;
  std::vector<inlay_tensor> outputs = std::vector<inlay_tensor>(3);
};

} // namespace

INSTANTIATE_TEST_SUITE_P(ThreadsAndSamplesAtOnce, Samples,
                         testing::Combine(testing::Values(1, 2, 3),
                                          testing::Values(1, 3, 16)));

TEST_P(Samples, AreAsManyAsTheCallerHas) {
  for (int64_t samples : {1, 2, 7, 1, 1000, 3}) {
    setSamples(samples);
    outputs.assign(3, inlay_tensor());
    expectResults();
  }
}

TEST_P(Samples, AreWrittenWhereTheCallerWantsThem) {
  setSamples(5);
  std::vector<char> y(1 + 24 * 5 + 1, 77), again(24 * 5 + 1, 77);
  // One that is not aligned, and one that is.
  outputs[0] = {y.data() + 1, 0, 0, nullptr, 24 * 5};
  outputs[1] = {again.data(), 0, 0, nullptr, 24 * 5};
  expectResults();
  EXPECT_EQ(outputs[0].data, y.data() + 1);
  EXPECT_EQ(y.front(), 77);
  EXPECT_EQ(y.back(), 77);
  EXPECT_EQ(again.back(), 77);
}

TEST_P(Samples, NeedNotBeAligned) {
  std::vector<char> copy(1 + 12 * 9);
  for (int64_t samples : {2, 9, 4}) {
    setSamples(samples);
    std::memcpy(copy.data() + 1, x.data(), 12 * samples);
    inputs[1].data = copy.data() + 1;
    outputs.assign(3, inlay_tensor());
    expectResults();
  }
}

TEST_P(Samples, AreOneOrMore) {
  setSamples(0);
  EXPECT_EQ(refusal(), "input 'x' has the shape 0x3 where ?x3 is required");
  dimsOfX[0] = -1;
  EXPECT_EQ(refusal(), "input 'x' has the shape ?x3 where ?x3 is required");
  dimsOfX[0] = -2;
  EXPECT_EQ(refusal(), "input 'x' has the shape -2x3 where ?x3 is required");
}

TEST_P(Samples, HaveTheOtherDimensionsOfTheModel) {
  setSamples(2);
  dimsOfX[1] = 4;
  EXPECT_EQ(refusal(), "input 'x' has the shape 2x4 where ?x3 is required");
}

TEST_P(Samples, AreAsManyInAllInputs) {
  setSamples(4);
  dimsOfI[0] = 3;
  inputs[2].bytes = 72;
  EXPECT_EQ(refusal(), "input 'i' has 3 samples where inputs before it have 4");
  dimsOfI[0] = 4;
  EXPECT_EQ(refusal(), "input 'i' has 72 bytes where 96 are required");
}

TEST_P(Samples, ThatHaveNoRoomSayHowMuchTheyNeed) {
  setSamples(3);
  std::vector<char> space(24 * 3, 77);
  outputs[0] = {space.data(), 0, 0, nullptr, 71};
  EXPECT_EQ(refusal(),
            "output 'y' has room for 71 bytes where 72 are required");
  EXPECT_EQ(outputs[0].bytes, 72u);
  EXPECT_EQ(outputs[0].dims[0], 6);
  EXPECT_EQ(space, std::vector<char>(24 * 3, 77)) << "nothing may be run";
}

TEST_P(Samples, AreNotWrittenWhereOthersAreRead) {
  setSamples(4);
  std::vector<int64_t> both(6 * 4);
  std::memcpy(both.data(), indices.data(), 24 * 4);
  inputs[2].data = both.data();
  // Behind the first sample, but not behind the last.
  outputs[1] = {both.data() + 3 * 3, 0, 0, nullptr, 24 * 4};
  EXPECT_EQ(refusal(), "output 'again' overlaps input 'i'");
  outputs[1] = {both.data() + 3 * 4, 0, 0, nullptr, 24 * 4};
  expectResults();
}

TEST_P(Samples, ThatAreMoreThanMemoryHoldsAreRefused) {
  setSamples(1);
  dimsOfX[0] = dimsOfI[0] = INT64_MAX;
  EXPECT_NE(refusal().find("input 'x' has 12 bytes where"), std::string::npos);
  inputs[1].bytes = UINT64_MAX;
  EXPECT_NE(refusal().find("input 'x' has 18446744073709551615 bytes where"),
            std::string::npos);
}

TEST_P(Samples, StopAtTheFirstThatIsWrong) {
  setSamples(6);
  indices[3 * 3 + 1] = 4;
  EXPECT_EQ(refusal(),
            "step 'pick': index 4 is out of range: -4 to 3 are allowed");
  indices[3 * 3 + 1] = 0;
  expectResults();
}

namespace {
/// The scratch memory becomes 10 * x, turn by turn.
void packTenfold(void *const *buffers, int64_t begin, int64_t end) {
  for (int64_t i = begin; i != end; ++i)
    static_cast<float *>(buffers[2])[i] =
        10 * static_cast<const float *>(buffers[0])[i];
}

/// y is what was packed, in the other order.
void reverse(void *const *buffers, int64_t begin, int64_t end) {
  for (int64_t i = begin; i != end; ++i)
    static_cast<float *>(buffers[1])[i] =
        static_cast<const float *>(buffers[2])[3 - i];
}
} // namespace

/// There is memory for what one sample packs.
TEST_P(Samples, PackOneAfterAnother) {
  TestProgram packing;
  packing.input("x", INLAY_FLOAT, 4, {1, 4})
      .output("y", INLAY_FLOAT, 4, {1, 4})
      .openInput(0)
      .openOutput(0);
  packing.program.scratch_bytes = 16;
  inlay_step &step =
      packing.step("pack", reverse, 4, 1,
                   {inputAt(0, 16), outputAt(0, 16), scratchAt(0, 16)});
  step.pack = packTenfold;
  step.pack_extent = {4, 0, 0, 0};
  auto [threads, atOnce] = GetParam();
  packing.program.samples_at_once = atOnce;
  TestSession own(packing, threads);
  std::vector<float> values(4 * 50);
  std::iota(values.begin(), values.end(), 0);
  int64_t dims[] = {50, 4};
  std::vector<inlay_tensor> results(1);
  ASSERT_EQ(own.run({{values.data(), INLAY_FLOAT, 2, dims, 800}}, results),
            INLAY_OK)
      << own.error();
  auto *y = static_cast<const float *>(results[0].data);
  for (int i = 0; i != 200; ++i)
    EXPECT_EQ(y[i], 10 * values[i / 4 * 4 + 3 - i % 4]) << i;
}

namespace {
/// Which turns of which sample were run.
std::vector<std::pair<int64_t, int64_t>> order;

void note(void *const *buffers, int64_t begin, int64_t end) {
  order.emplace_back(*static_cast<const int64_t *>(buffers[0]), end - begin);
}

/// The order in which two samples are computed with so many bytes of weights.
std::vector<std::pair<int64_t, int64_t>> findOrder(uint64_t bytes,
                                                   uint32_t atOnce) {
  static const std::vector<char> weights(8 << 20);
  TestProgram program;
  program.input("x", INLAY_INT64, 8, {1}).openInput(0);
  program.program.info.weights_bytes = weights.size();
  program.program.weights = weights.data();
  program.program.samples_at_once = atOnce;
  program.step("note", note, 8, 8, {inputAt(0, 8), weightsAt(0, bytes)});
  inlay_options options = withThreads(1);
  options.skip_checksum = 1;
  TestSession session(program, options);
  int64_t x[] = {70, 80}, dims[] = {2};
  std::vector<inlay_tensor> none;
  order.clear();
  EXPECT_EQ(session.run({{x, INLAY_INT64, 1, dims, 16}}, none), INLAY_OK)
      << session.error();
  return order;
}
} // namespace

/// A part of the weights serves all samples before the next part is read.
TEST(SamplesAtOnce, ShareLargeWeights) {
  using Order = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(findOrder(4 << 20, 1), (Order{{70, 8}, {80, 8}}));
  EXPECT_EQ(findOrder(64 << 10, 2), (Order{{70, 8}, {80, 8}}));
  EXPECT_EQ(findOrder(1 << 20, 2), (Order{{70, 4}, {80, 4}, {70, 4}, {80, 4}}));
  Order byTurn;
  for (int turn = 0; turn != 8; ++turn)
    byTurn.insert(byTurn.end(), {{70, 1}, {80, 1}});
  EXPECT_EQ(findOrder(8 << 20, 2), byTurn);
}

TEST(SamplesOfPrograms, FitTogether) {
  for (uint32_t atOnce : {0u, 4097u}) {
    TestProgram many;
    many.program.samples_at_once = atOnce;
    EXPECT_EQ(failureOf(many, nullptr, INLAY_INTERNAL),
              std::to_string(atOnce) + " samples are to be at hand");
  }
  TestProgram none;
  none.input("x", INLAY_FLOAT, 4, {1}).output("y", INLAY_FLOAT, 4, {1});
  none.openOutput(0);
  EXPECT_EQ(failureOf(none, nullptr, INLAY_INTERNAL),
            "output 'y' has no good open dimensions");
  TestProgram negative;
  negative.input("x", INLAY_FLOAT, 4, {-3, 1}).openInput(0);
  EXPECT_EQ(failureOf(negative, nullptr, INLAY_INTERNAL),
            "input 'x' has no good open dimensions");
  TestProgram scalar;
  scalar.input("x", INLAY_FLOAT, 4, {1}).openInput(0);
  const_cast<inlay_port *>(scalar.get()->info.inputs)->rank = 0;
  EXPECT_EQ(failureOf(scalar, nullptr, INLAY_INTERNAL),
            "input 'x' has no good open dimensions");
}
