//===- NormalizationTest.cpp - Tests of softmax, normalisations and losses ===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Normalization.h"
#include "TensorTesting.h"
#include "inlay/Tensor/Kernels/Cast.h"
#include "inlay/Tensor/Kernels/Loss.h"
#include "inlay/Tensor/Kernels/Softmax.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

TEST(Softmax, SumsToOneAlongItsAxis) {
  HostTensor x = floats({2, 2}, {0, std::log(3.0), 0, 0});
  expectValues(take(softmax(x, 1)), {0.25, 0.75, 0.5, 0.5}, 1e-7);
  expectValues(take(softmax(x, 0)), {0.5, 0.75, 0.5, 0.25}, 1e-7);
  expectValues(take(logSoftmax(x, 1)),
               {std::log(0.25), std::log(0.75), std::log(0.5), std::log(0.5)},
               1e-6);
}

TEST(Softmax, DoesNotOverflow) {
  HostTensor x = floats({2}, {10000, 10000});
  expectValues(take(softmax(x, 0)), {0.5, 0.5});
}

TEST(Softmax, FlattensInOldOpsets) {
  HostTensor x = floats({1, 2, 2}, {0, 0, 0, 0});
  expectValues(take(softmax(x, 1, /*coerce2D=*/true)),
               {0.25, 0.25, 0.25, 0.25});
  expectValues(take(softmax(x, 3, /*coerce2D=*/true)), {1, 1, 1, 1});
  EXPECT_NE(takeMessage(softmax(x, 3)), "");
}

TEST(Softmax, LeavesEmptyTensorsEmpty) {
  EXPECT_EQ(
      take(softmax(HostTensor(ElementType::Float, {3, 0}), 1)).getNumElements(),
      0);
}

TEST(Hardmax, MarksTheFirstLargest) {
  expectValues(take(hardmax(floats({2, 3}, {1, 3, 3, 2, 1, 0}), 1)),
               {0, 1, 0, 1, 0, 0});
}

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

static BatchNormalizationParameters twoChannels() {
  return {floats({2}, {1, 1.5}), floats({2}, {0, 1}), floats({2}, {0, 3}),
          floats({2}, {1, 1.5})};
}

TEST(BatchNormalization, UsesTheGivenStatistics) {
  HostTensor x = floats({1, 2, 1, 3}, {-1, 0, 1, 2, 3, 4});
  expectValues(take(batchNormalization(x, twoChannels(), 1e-5f)),
               {-0.999995, 0, 0.999995, -0.2247408, 1, 2.2247408}, 1e-5);
}

TEST(BatchNormalization, DividesByZeroAsRuntimesDo) {
  // x * factor + (bias - mean * factor), where the factor is infinite.
  BatchNormalizationParameters parameters = {
      floats({4}, {1, 1, -2, 0}), floats({4}, {0, 1, 1, 1}),
      floats({4}, {0, 1, -1, 1}), floats({4}, {0, 0, 0, 0})};
  HostTensor x = floats({1, 4, 2}, {1, -1, 2, -1, 1, -2, 1, 2});
  double nan = std::nan(""), infinity = INFINITY;
  for (ElementType type :
       {ElementType::Float, ElementType::Double, ElementType::Float16}) {
    HostTensor y =
        take(batchNormalization(take(kernels::cast(x, type)), parameters, 0));
    expectValues(y, {nan, nan, nan, -infinity, -infinity, nan, nan, nan});
  }
  // With an epsilon nothing is divided by zero.
  expectValues(take(batchNormalization(x, parameters, 1)),
               {1, -1, 2, -1, -3, 3, 1, 1});
}

TEST(BatchNormalization, TrainingUsesAndTracksTheBatch) {
  HostTensor x = floats({2, 2}, {0, 1, 2, 5});
  BatchNormalizationTrainingResult result =
      take(batchNormalizationTraining(x, twoChannels(), 0, 0.9f));
  expectValues(result.y, {-1, -0.5, 1, 2.5}, 1e-6);
  expectValues(result.runningMean, {0.1, 3}, 1e-6);
  expectValues(result.runningVariance, {1, 1.75}, 1e-6);
}

TEST(BatchNormalization, RefusesStatisticsOfOtherChannels) {
  HostTensor x = floats({1, 3}, {1, 2, 3});
  EXPECT_EQ(takeMessage(batchNormalization(x, twoChannels(), 0)),
            "the mean must have 3 elements, but has shape 2");
  EXPECT_NE(takeMessage(batchNormalizationTraining(x, twoChannels(), 0, 0)),
            "");
}

TEST(InstanceNormalization, NormalisesEachChannel) {
  HostTensor x = floats({1, 2, 2}, {1, 3, 10, 30});
  expectValues(take(instanceNormalization(x, floats({2}, {1, 2}),
                                          floats({2}, {0, 5}), 0)),
               {-1, 1, 3, 7}, 1e-6);
  EXPECT_NE(takeMessage(instanceNormalization(x, floats({1}, {1}),
                                              floats({2}, {0, 5}), 0)),
            "");
}

TEST(LayerNormalization, GivesMeanAndInverseDeviation) {
  HostTensor x = floats({2, 2}, {1, 3, 10, 30});
  HostTensor bias = floats({2}, {0, 1});
  LayerNormalizationResult result =
      take(layerNormalization(x, floats({2}, {1, 2}), &bias, 1, 0));
  expectValues(result.y, {-1, 3, -1, 3}, 1e-6);
  EXPECT_EQ(shapeOf(result.mean), (std::vector<int64_t>{2, 1}));
  expectValues(result.mean, {2, 20});
  expectValues(result.invStdDev, {1, 0.1}, 1e-7);
}

TEST(LayerNormalization, WorksWithoutBiasAndRefusesWideScales) {
  HostTensor x = floats({2, 2}, {1, 3, 10, 30});
  expectValues(
      take(layerNormalization(x, floats({2}, {1, 1}), nullptr, 1, 0)).y,
      {-1, 1, -1, 1}, 1e-6);
  EXPECT_NE(
      takeMessage(layerNormalization(x, floats({3}, {1, 1, 1}), nullptr, 1, 0)),
      "");
}

TEST(GroupNormalization, NormalisesGroupsOfChannels) {
  HostTensor x = floats({1, 4, 1}, {1, 3, 10, 30});
  HostTensor perChannel = floats({4}, {1, 2, 3, 4});
  HostTensor zeros = floats({4}, {0, 0, 0, 0});
  expectValues(take(groupNormalization(x, perChannel, zeros, 2, 0)),
               {-1, 2, -3, 4}, 1e-6);
  HostTensor perGroup = floats({2}, {1, 2}), bias = floats({2}, {0, 1});
  expectValues(take(groupNormalization(x, perGroup, bias, 2, 0, true)),
               {-1, 1, -1, 3}, 1e-6);
  EXPECT_NE(takeMessage(groupNormalization(x, perChannel, zeros, 3, 0)), "");
}

TEST(RMSNormalization, DividesByTheRootMeanSquare) {
  HostTensor x = floats({1, 2}, {1, 7});
  expectValues(take(rmsNormalization(x, floats({2}, {5, 10}), 1, 0)), {1, 14},
               1e-6);
}

TEST(LRN, SumsSquaresOfNeighbouringChannels) {
  HostTensor x = floats({1, 3, 1}, {1, 2, 3});
  expectValues(take(lrn(x, 3, 3, 1, 1)), {1.0 / 6, 2.0 / 15, 3.0 / 14}, 1e-7);
  // An even size reaches one further up than down.
  expectValues(take(lrn(x, 2, 2, 1, 1)), {1.0 / 6, 2.0 / 14, 3.0 / 10}, 1e-7);
  EXPECT_NE(takeMessage(lrn(x, 0, 1, 1, 1)), "");
}

TEST(LpNormalization, DividesByTheNorm) {
  HostTensor x = floats({2, 2}, {3, 4, 0, 0});
  expectValues(take(lpNormalization(x, 2, 1)), {0.6, 0.8, 0, 0}, 1e-7);
  expectValues(take(lpNormalization(x, 1, 1)), {3.0 / 7, 4.0 / 7, 0, 0}, 1e-7);
  EXPECT_NE(takeMessage(lpNormalization(x, 3, 1)), "");
}

TEST(MeanVarianceNormalization, StandardisesOverItsAxes) {
  HostTensor x = floats({2, 2}, {1, 10, 3, 30});
  expectValues(take(meanVarianceNormalization(x, {0})), {-1, -1, 1, 1}, 1e-6);
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

static HostTensor labels(llvm::ArrayRef<double> values) {
  return makeTensor(ElementType::Int64, {int64_t(values.size())}, values);
}

TEST(NegativeLogLikelihoodLoss, PicksTheTarget) {
  HostTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  LossOptions options;
  options.reduction = LossReduction::None;
  expectValues(
      take(negativeLogLikelihoodLoss(x, labels({0, 2}), nullptr, options)),
      {-1, -6});
  options.reduction = LossReduction::Sum;
  expectValues(
      take(negativeLogLikelihoodLoss(x, labels({0, 2}), nullptr, options)),
      {-7});
}

TEST(NegativeLogLikelihoodLoss, WeighsTheMean) {
  HostTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  HostTensor weight = floats({3}, {1, 0, 3});
  expectValues(take(negativeLogLikelihoodLoss(x, labels({0, 2}), &weight, {})),
               {-19.0 / 4});
}

TEST(NegativeLogLikelihoodLoss, LeavesIgnoredTargetsOut) {
  HostTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  LossOptions options;
  options.ignoreIndex = -1;
  expectValues(
      take(negativeLogLikelihoodLoss(x, labels({-1, 2}), nullptr, options)),
      {-6});
}

TEST(NegativeLogLikelihoodLoss, RefusesClassesThatAreNotThere) {
  HostTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(
      takeMessage(negativeLogLikelihoodLoss(x, labels({0, 3}), nullptr, {})),
      "a target of a loss must be a class in [0, 3), but is 3");
  EXPECT_NE(takeMessage(negativeLogLikelihoodLoss(x, labels({0}), nullptr, {})),
            "");
}

TEST(SoftmaxCrossEntropyLoss, GivesLossAndLogProbabilities) {
  HostTensor x = floats({1, 2}, {0, std::log(3.0)});
  SoftmaxCrossEntropyResult result =
      take(softmaxCrossEntropyLoss(x, labels({1}), nullptr, {}));
  expectValues(result.loss, {-std::log(0.75)}, 1e-6);
  expectValues(result.logProb, {std::log(0.25), std::log(0.75)}, 1e-6);
}
