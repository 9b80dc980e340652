//===- ArgumentsTest.cpp - What a run refuses, and how it says so ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"
#include <cstring>

using namespace inlay;

namespace {

/// y = 2 * a + b, of 2x3 floats and one of 2x1 integers.
void twice(void *const *buffers, int64_t begin, int64_t end) {
  auto *a = static_cast<const float *>(buffers[0]);
  auto *b = static_cast<const int64_t *>(buffers[1]);
  auto *y = static_cast<float *>(buffers[2]);
  for (int64_t i = begin; i != end; ++i)
    for (int64_t j = 0; j != 3; ++j)
      y[3 * i + j] = 2 * a[3 * i + j] + float(b[i]);
}

class Arguments : public testing::Test {
protected:
  Arguments() {
    program.input("a", INLAY_FLOAT, 4, {2, 3})
        .input("b", INLAY_INT64, 8, {2, 1})
        .output("y", INLAY_FLOAT, 4, {2, 3})
        .output("z", INLAY_INT64, 8, {2, 1});
    program.step("twice", twice, 2, 1,
                 {inputAt(0, 24), inputAt(1, 16), outputAt(0, 24)});
    program.copy(inputAt(1, 16), 1);
    session = std::make_unique<TestSession>(program);
  }

  inlay_status run() { return session->run(inputs, outputs); }

  /// Runs and returns why that was refused.
  std::string refusal(inlay_status expected = INLAY_ARGUMENT) {
    EXPECT_EQ(run(), expected);
    return session->error();
  }

  void expectResults() {
    ASSERT_EQ(run(), INLAY_OK) << session->error();
    EXPECT_EQ(session->error(), "");
    float y[6];
    std::memcpy(y, outputs[0].data, sizeof y);
    for (int i = 0; i != 6; ++i)
      EXPECT_EQ(y[i], 2 * a[i] + b[i / 3]) << i;
    EXPECT_EQ(std::memcmp(outputs[1].data, b, sizeof b), 0);
  }

  TestProgram program;
  std::unique_ptr<TestSession> session;
  alignas(64) float a[6] = {1, 2, 3, 4, 5, 6};
  alignas(64) int64_t b[2] = {10, -20};
  int64_t dimsOfA[2] = {2, 3}, dimsOfB[2] = {2, 1};
  std::vector<inlay_tensor> inputs = {{a, INLAY_FLOAT, 2, dimsOfA, 24},
                                      {b, INLAY_INT64, 2, dimsOfB, 16}};
  std::vector<inlay_tensor> outputs = std::vector<inlay_tensor>(2);
  alignas(64) char space[256] = {};
};

} // namespace

TEST_F(Arguments, OutputsWithoutDataAreTheSessions) {
  expectResults();
  EXPECT_EQ(outputs[0].type, INLAY_FLOAT);
  EXPECT_EQ(outputs[0].rank, 2);
  EXPECT_EQ(outputs[0].dims[0], 2);
  EXPECT_EQ(outputs[0].dims[1], 3);
  EXPECT_EQ(outputs[0].bytes, 24u);
  EXPECT_EQ(outputs[1].type, INLAY_INT64);
  EXPECT_EQ(outputs[1].bytes, 16u);
  // The memory is the same in the next run, whether it is asked for or given.
  void *before = outputs[0].data;
  expectResults();
  EXPECT_EQ(outputs[0].data, before);
  outputs.assign(2, inlay_tensor());
  expectResults();
  EXPECT_EQ(outputs[0].data, before);
}

TEST_F(Arguments, OutputsWithDataAreFilled) {
  outputs[0].data = space;
  outputs[0].bytes = 100;
  expectResults();
  EXPECT_EQ(outputs[0].data, space);
  EXPECT_EQ(outputs[0].bytes, 24u);
  EXPECT_EQ(space[24], 0);
}

TEST_F(Arguments, NeedNotBeAligned) {
  for (size_t offset = 0; offset != 9; ++offset) {
    char copyOfA[40], copyOfB[32];
    std::memcpy(copyOfA + offset, a, 24);
    std::memcpy(copyOfB + offset, b, 16);
    inputs[0].data = copyOfA + offset;
    inputs[1].data = copyOfB + offset;
    std::memset(space, 77, sizeof space);
    outputs[0] = {space + 32 + offset, 0, 0, nullptr, 24};
    outputs[1] = {space + 128 + offset, 0, 0, nullptr, 16};
    expectResults();
    EXPECT_EQ(outputs[0].data, space + 32 + offset);
    EXPECT_EQ(space[32 + offset - 1], 77);
    EXPECT_EQ(space[32 + offset + 24], 77);
  }
}

TEST_F(Arguments, OfAnotherTypeAreRefused) {
  inputs[0].type = INLAY_DOUBLE;
  EXPECT_EQ(refusal(), "input 'a' has the type double where float is required");
  inputs[0].type = 99;
  EXPECT_EQ(refusal(),
            "input 'a' has the type type 99 where float is required");
  inputs[0].type = INLAY_FLOAT;
  inputs[1].type = -1;
  EXPECT_EQ(refusal(),
            "input 'b' has the type type -1 where int64 is required");
}

TEST_F(Arguments, OfAnotherRankAreRefused) {
  inputs[0].rank = 3;
  EXPECT_EQ(refusal(), "input 'a' has the rank 3 where 2 is required");
  inputs[0].rank = -1;
  EXPECT_EQ(refusal(), "input 'a' has the rank -1 where 2 is required");
}

TEST_F(Arguments, OfAnotherShapeAreRefused) {
  dimsOfA[1] = 4;
  EXPECT_EQ(refusal(), "input 'a' has the shape 2x4 where 2x3 is required");
  inputs[0].dims = nullptr;
  EXPECT_EQ(refusal(), "input 'a' has no dims");
}

TEST_F(Arguments, OfManyDimensionsAreSaidInShort) {
  TestProgram wide;
  wide.input("x", INLAY_FLOAT, 4, std::vector<int64_t>(100, 1));
  TestSession session(wide);
  std::vector<int64_t> dims(100, INT64_MIN);
  std::vector<inlay_tensor> given = {{a, INLAY_FLOAT, 100, dims.data(), 4}};
  std::vector<inlay_tensor> none;
  EXPECT_EQ(session.run(given, none), INLAY_ARGUMENT);
  EXPECT_NE(session.error().find("x-9223372036854775808x... where 1x1x1x1x"),
            std::string::npos)
      << session.error();
}

TEST_F(Arguments, OfOtherSizesAreRefused) {
  inputs[1].bytes = 15;
  EXPECT_EQ(refusal(), "input 'b' has 15 bytes where 16 are required");
  inputs[1].bytes = 17;
  EXPECT_EQ(refusal(), "input 'b' has 17 bytes where 16 are required");
}

TEST_F(Arguments, WithoutDataAreRefused) {
  inputs[1].data = nullptr;
  EXPECT_EQ(refusal(), "input 'b' has no data");
}

TEST_F(Arguments, ThatAreMissingOrTooManyAreRefused) {
  inputs.pop_back();
  EXPECT_EQ(refusal(),
            "1 inputs are given where 2 are required: 'b' is missing");
  inputs.resize(3);
  EXPECT_EQ(refusal(), "3 inputs are given where 2 are required");
  inputs.resize(2);
  EXPECT_EQ(inlay_run(session->session, nullptr, 2, outputs.data(), 2),
            INLAY_ARGUMENT);
  EXPECT_EQ(session->error(), "the list of inputs is NULL");
}

TEST_F(Arguments, OutputsThatAreMissingOrTooManyAreRefused) {
  outputs.resize(1);
  EXPECT_EQ(refusal(),
            "1 outputs are given where 2 are required: 'z' is missing");
  outputs.resize(3);
  EXPECT_EQ(refusal(), "3 outputs are given where 2 are required");
  EXPECT_EQ(inlay_run(session->session, inputs.data(), 2, nullptr, 2),
            INLAY_ARGUMENT);
  EXPECT_EQ(session->error(), "the list of outputs is NULL");
}

TEST_F(Arguments, OutputsThatAreTooSmallSayWhatTheyNeed) {
  outputs[0] = {space, 0, 0, nullptr, 23};
  outputs[1] = {space + 64, 0, 0, nullptr, 3};
  EXPECT_EQ(refusal(),
            "output 'y' has room for 23 bytes where 24 are required");
  EXPECT_EQ(outputs[0].data, space);
  EXPECT_EQ(outputs[0].type, INLAY_FLOAT);
  EXPECT_EQ(outputs[0].rank, 2);
  EXPECT_EQ(outputs[0].dims[1], 3);
  EXPECT_EQ(outputs[0].bytes, 24u);
  EXPECT_EQ(outputs[1].bytes, 16u);
  for (char byte : space)
    EXPECT_EQ(byte, 0) << "nothing may be run";
  // Now that there is room for what was asked for.
  expectResults();
}

TEST_F(Arguments, ThatOverlapAreRefused) {
  // The last byte of one is the first of the other, either way.
  outputs[0] = {space + 64, 0, 0, nullptr, 24};
  outputs[1] = {space + 64 + 23, 0, 0, nullptr, 16};
  EXPECT_EQ(refusal(), "output 'y' overlaps output 'z'");
  outputs[1].data = space + 64 - 15;
  EXPECT_EQ(refusal(), "output 'y' overlaps output 'z'");
  outputs[1].data = space + 64 + 24;
  expectResults();
  outputs[1].data = space + 64 - 16;
  expectResults();
  outputs[0].data = a;
  EXPECT_EQ(refusal(), "output 'y' overlaps input 'a'");
  outputs[0].data = space;
  outputs[1].data = b + 1;
  EXPECT_EQ(refusal(), "output 'z' overlaps input 'b'");
}

// Two inputs are only read.
TEST_F(Arguments, InputsMayOverlap) {
  inputs[1].data = a;
  EXPECT_EQ(run(), INLAY_OK) << session->error();
}

// The memory of the session's outputs is free in the next run.
TEST_F(Arguments, OutputsOfTheLastRunAreNoInputs) {
  expectResults();
  inputs[0].data = outputs[0].data;
  outputs[0] = inlay_tensor();
  EXPECT_EQ(refusal(), "output 'y' overlaps input 'a'");
  outputs[0] = {space, 0, 0, nullptr, 24};
  EXPECT_EQ(run(), INLAY_OK) << session->error();
}

TEST_F(Arguments, OfNoElementsNeedNoData) {
  TestProgram empty;
  empty.input("x", INLAY_FLOAT, 4, {0, 3})
      .output("y", INLAY_FLOAT, 4, {0, 3})
      .output("z", INLAY_FLOAT, 4, {0, 3});
  empty.step("none", twice, 0, 1, {inputAt(0, 0), outputAt(0, 0)});
  empty.copy(inputAt(0, 0), 1);
  TestSession session(empty);
  int64_t dims[2] = {0, 3};
  std::vector<inlay_tensor> given = {{nullptr, INLAY_FLOAT, 2, dims, 0}};
  std::vector<inlay_tensor> results(2);
  EXPECT_EQ(session.run(given, results), INLAY_OK) << session.error();
  EXPECT_EQ(results[0].bytes, 0u);
  EXPECT_EQ(results[0].dims[0], 0);
}

TEST_F(Arguments, OfHugeOutputsAreOutOfMemory) {
  TestProgram huge;
  huge.output("y", INLAY_FLOAT, 4, {1ll << 58});
  TestSession session(huge);
  std::vector<inlay_tensor> none, results(1);
  EXPECT_EQ(session.run(none, results), INLAY_MEMORY);
  EXPECT_EQ(session.error(),
            "no memory for the 1152921504606846976 bytes of 'y'");
}

TEST_F(Arguments, ASessionOfNothingIsRefused) {
  EXPECT_EQ(inlay_run(nullptr, inputs.data(), 2, outputs.data(), 2),
            INLAY_ARGUMENT);
  EXPECT_STREQ(inlay_error(nullptr), "the session is NULL");
}
