//===- AttentionTest.cpp - Tests of attention and rotary embedding --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Attention.h"
#include "TensorTesting.h"
#include <cmath>
#include <limits>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

static constexpr double inf = std::numeric_limits<double>::infinity();
static const double lowest = std::numeric_limits<float>::lowest();
static const double notANumber = std::numeric_limits<double>::quiet_NaN();

/// One head, two queries 1 and 2 over three keys whose scores are known.
static AttentionOperands small() {
  return {floats({1, 1, 2, 1}, {1, 2}),
          floats({1, 1, 3, 1}, {std::log(2.0), 0, std::log(3.0)}),
          floats({1, 1, 3, 1}, {1, 10, 100})};
}

static HostTensor bools(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<double> values) {
  return makeTensor(ElementType::Bool, shape, values);
}

static HostTensor resultOf(const AttentionOperands &operands,
                           const AttentionOptions &options = {}) {
  auto results = attention(operands, options);
  if (results)
    return results->result;
  ADD_FAILURE() << llvm::toString(results.takeError());
  return HostTensor();
}

static HostTensor scoresOf(const AttentionOperands &operands,
                           const AttentionOptions &options) {
  auto results = attention(operands, options);
  if (results)
    return results->scores;
  ADD_FAILURE() << llvm::toString(results.takeError());
  return HostTensor();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

TEST(Attention, WeighsValuesBySoftmax) {
  // Weights 2:1:3 and 4:1:9.
  expectValues(resultOf(small()), {312 / 6.0, 914 / 14.0}, 1e-4);
}

TEST(Attention, ScalesByTheHeadSizeUnlessTold) {
  AttentionOperands operands{floats({1, 1, 1, 4}, {2, 0, 0, 0}),
                             floats({1, 1, 2, 4}, {1, 0, 0, 0, 0, 0, 0, 0}),
                             floats({1, 1, 2, 1}, {1, 0})};
  expectValues(resultOf(operands), {std::exp(1) / (std::exp(1) + 1)}, 1e-6);
  AttentionOptions options;
  options.scale = 1;
  expectValues(resultOf(operands, options), {std::exp(2) / (std::exp(2) + 1)},
               1e-6);
}

TEST(Attention, CapsScoresBeforeTheMask) {
  AttentionOperands operands = small();
  HostTensor mask = floats({2, 3}, {0, -inf, 1, 0, 0, 0});
  operands.mask = &mask;
  AttentionOptions options;
  options.softcap = 0.5;
  auto cap = [](double score) { return std::tanh(score / 0.5) * 0.5; };
  options.scoreStep = ScoreStep::Mask;
  double two = std::log(2.0), three = std::log(3.0);
  expectValues(
      scoresOf(operands, options),
      {cap(two), -inf, cap(three) + 1, cap(2 * two), 0, cap(2 * three)}, 1e-6);
  options.scoreStep = ScoreStep::Product;
  expectValues(scoresOf(operands, options),
               {two, 0, three, 2 * two, 0, 2 * three}, 1e-6);
  options.scoreStep = ScoreStep::Softcap;
  expectValues(scoresOf(operands, options),
               {cap(two), 0, cap(three), cap(2 * two), 0, cap(2 * three)},
               1e-6);
}

TEST(Attention, MasksByBoolsAndByNumbers) {
  AttentionOperands operands = small();
  HostTensor mask = bools({2, 3}, {1, 0, 1, 0, 1, 0});
  operands.mask = &mask;
  expectValues(resultOf(operands), {302 / 5.0, 10}, 1e-4);
  HostTensor bias = floats({2, 3}, {0, -inf, 0, lowest, 0, -inf});
  operands.mask = &bias;
  expectValues(resultOf(operands), {302 / 5.0, 10}, 1e-4);
}

TEST(Attention, GivesZerosWhereARowLooksNowhere) {
  AttentionOperands operands = small();
  HostTensor mask = bools({2, 3}, {0, 0, 0, 0, 1, 0});
  operands.mask = &mask;
  expectValues(resultOf(operands), {0, 10});
  HostTensor bias = floats({2, 3}, {-inf, lowest, -inf, lowest, 0, lowest});
  operands.mask = &bias;
  expectValues(resultOf(operands), {0, 10});
  AttentionOptions options;
  options.scoreStep = ScoreStep::Softmax;
  expectValues(scoresOf(operands, options), {0, 0, 0, 0, 1, 0});
}

TEST(Attention, LeavesMaskedRowsToSoftmaxWhenTold) {
  AttentionOperands operands = small();
  AttentionOptions options;
  options.maskedRows = MaskedRows::Softmax;
  HostTensor bias = floats({2, 3}, {lowest, lowest, lowest, -inf, -inf, -inf});
  operands.mask = &bias;
  expectValues(resultOf(operands, options), {37, notANumber}, 1e-4);
  HostTensor mask = bools({2, 3}, {0, 0, 0, 0, 1, 0});
  operands.mask = &mask;
  expectValues(resultOf(operands, options), {notANumber, 10});
  options.maskedRows = MaskedRows::NanToZero;
  expectValues(resultOf(operands, options), {0, 10});
  operands.mask = &bias;
  expectValues(resultOf(operands, options), {37, 0}, 1e-4);
}

TEST(Attention, SwallowsScoresAsTheTypeDoes) {
  AttentionOperands operands = small();
  // A unit in the last place of -1e9 is 64.
  HostTensor bias = floats({1, 3}, {-1e9, -1e9, -1e9});
  operands.mask = &bias;
  expectValues(resultOf(operands), {37, 37}, 1e-4);
}

TEST(Attention, MasksWhatAShortMaskLacks) {
  AttentionOperands operands = small();
  HostTensor mask = floats({2, 2}, {0, 0, 0, 0});
  operands.mask = &mask;
  expectValues(resultOf(operands), {12 / 3.0, 14 / 5.0}, 1e-5);
  HostTensor one = bools({2, 1}, {1, 1});
  operands.mask = &one;
  expectValues(resultOf(operands), {1, 1});
}

TEST(Attention, BroadcastsTheMask) {
  AttentionOperands operands{floats({2, 2, 1, 1}, {0, 0, 0, 0}),
                             floats({2, 2, 2, 1}, {0, 0, 0, 0, 0, 0, 0, 0}),
                             floats({2, 2, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8})};
  HostTensor perBatch = bools({2, 1, 1, 2}, {1, 0, 0, 1});
  operands.mask = &perBatch;
  expectValues(resultOf(operands), {1, 3, 6, 8});
  HostTensor perHead = bools({2, 1, 2}, {1, 0, 0, 1});
  operands.mask = &perHead;
  expectValues(resultOf(operands), {1, 4, 5, 8});
}

TEST(Attention, LooksBackOnlyWhenCausal) {
  AttentionOperands operands = small();
  AttentionOptions options;
  options.isCausal = true;
  expectValues(resultOf(operands, options), {1, 14 / 5.0}, 1e-5);
  // Behind a past of one the first query may look at two keys.
  HostTensor pastKey = floats({1, 1, 1, 1}, {0});
  HostTensor pastValue = floats({1, 1, 1, 1}, {1000});
  operands.pastKey = &pastKey;
  operands.pastValue = &pastValue;
  expectValues(resultOf(operands, options), {1002 / 3.0, 1014 / 6.0}, 1e-3);
}

TEST(Attention, EndsAtTheLengthOfEachBatch) {
  AttentionOperands operands{floats({2, 1, 2, 1}, {0, 0, 0, 0}),
                             floats({2, 1, 3, 1}, {0, 0, 0, 0, 0, 0}),
                             floats({2, 1, 3, 1}, {1, 3, 8, 1, 3, 8})};
  HostTensor lengths = HostTensor::getInts({2, 3});
  operands.lengths = &lengths;
  expectValues(resultOf(operands), {2, 2, 4, 4}, 1e-6);
  AttentionOptions options;
  options.isCausal = true;
  // The last query stands at the last key that counts.
  expectValues(resultOf(operands, options), {1, 2, 2, 4}, 1e-6);
  lengths = HostTensor::getInts({0, 1});
  expectValues(resultOf(operands, options), {0, 0, 0, 1});
  lengths = HostTensor::getInts({0, 4});
  EXPECT_NE(takeMessage(attention(operands, options)), "");
}

TEST(Attention, SharesHeadsOfTheKeyAmongNeighbours) {
  AttentionOperands operands{floats({1, 4, 1, 1}, {1, 1, 1, 1}),
                             floats({1, 2, 1, 1}, {1, 1}),
                             floats({1, 2, 1, 1}, {5, 7})};
  expectValues(resultOf(operands), {5, 5, 7, 7});
}

TEST(Attention, TakesHeadsMergedWithSizes) {
  // Two heads of two elements for the query and key, of one for the value.
  AttentionOperands operands{
      floats({1, 1, 4}, {1, 0, 0, 1}),
      floats({1, 2, 4}, {std::log(3.0), 0, 0, 0, 0, 0, 0, std::log(4.0)}),
      floats({1, 2, 2}, {1, 10, 2, 20})};
  AttentionOptions options;
  options.queryHeads = options.keyHeads = 2;
  options.scale = 1;
  auto results = take(attention(operands, options));
  expectValues(results.result, {5 / 4.0, 90 / 5.0}, 1e-5);
  EXPECT_EQ(shapeOf(results.result), (std::vector<int64_t>{1, 1, 2}));
  EXPECT_EQ(shapeOf(results.presentKey), (std::vector<int64_t>{1, 2, 2, 2}));
  expectValues(results.presentValue, {1, 2, 10, 20});
  EXPECT_EQ(shapeOf(results.scores), (std::vector<int64_t>{1, 2, 1, 2}));
  options.queryHeads = 3;
  EXPECT_NE(takeMessage(attention(operands, options)), "");
}

TEST(Attention, RoundsToItsType) {
  AttentionOperands operands{
      makeTensor(ElementType::Float16, {1, 1, 1, 1}, {1}),
      makeTensor(ElementType::Float16, {1, 1, 2, 1}, {std::log(2.0), 0}),
      makeTensor(ElementType::Float16, {1, 1, 2, 1}, {3, 0})};
  HostTensor result = resultOf(operands);
  EXPECT_EQ(result.getType(), ElementType::Float16);
  expectValues(result, {2}, 2e-3);
}

TEST(Attention, RefusesOperandsThatDoNotFit) {
  AttentionOperands operands = small();
  operands.value = floats({1, 1, 2, 1}, {1, 2});
  EXPECT_NE(takeMessage(attention(operands, {})), "");
  operands = small();
  HostTensor mask = floats({3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0});
  operands.mask = &mask;
  EXPECT_NE(takeMessage(attention(operands, {})), "");
  operands = small();
  operands.query = floats({2, 1}, {1, 2});
  EXPECT_NE(takeMessage(attention(operands, {})), "");
}

TEST(Attention, GivesZerosWithoutKeys) {
  AttentionOperands operands{floats({1, 1, 2, 1}, {1, 2}),
                             HostTensor(ElementType::Float, {1, 1, 0, 1}),
                             HostTensor(ElementType::Float, {1, 1, 0, 1})};
  expectValues(resultOf(operands), {0, 0});
}

//===----------------------------------------------------------------------===//
// Rotary embedding
//===----------------------------------------------------------------------===//

TEST(RotaryEmbedding, TurnsPairsOfBothHalves) {
  HostTensor x = floats({1, 1, 1, 4}, {1, 2, 3, 4});
  HostTensor cos = floats({1, 1, 2}, {0, 0.5}), sin = floats({1, 1, 2}, {1, 2});
  expectValues(take(rotaryEmbedding(x, cos, sin, nullptr, {})),
               {-3, 1 - 8, 1, 4 + 2});
  RotaryOptions options;
  options.interleaved = true;
  expectValues(take(rotaryEmbedding(x, cos, sin, nullptr, options)),
               {-2, 1, 1.5 - 8, 6 + 2});
}

TEST(RotaryEmbedding, LeavesTheRestOfAHead) {
  HostTensor x = floats({1, 1, 1, 4}, {1, 2, 3, 4});
  HostTensor cos = floats({1, 1, 1}, {0}), sin = floats({1, 1, 1}, {1});
  RotaryOptions options;
  options.dim = 2;
  expectValues(take(rotaryEmbedding(x, cos, sin, nullptr, options)),
               {-2, 1, 3, 4});
  options.dim = 6;
  EXPECT_NE(takeMessage(rotaryEmbedding(x, cos, sin, nullptr, options)), "");
}

TEST(RotaryEmbedding, LooksUpPositions) {
  // Two positions of two heads of two elements, merged.
  HostTensor x = floats({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  HostTensor cos = floats({3, 1}, {7, 1, 0}), sin = floats({3, 1}, {7, 0, 1});
  HostTensor positions =
      HostTensor::get<int64_t>(ElementType::Int64, {1, 2}, {2, 1});
  RotaryOptions options;
  options.numHeads = 2;
  expectValues(take(rotaryEmbedding(x, cos, sin, &positions, options)),
               {-2, 1, -4, 3, 5, 6, 7, 8});
  options.numHeads = 0;
  EXPECT_NE(takeMessage(rotaryEmbedding(x, cos, sin, &positions, options)), "");
}
