//===- RecurrentTest.cpp - RNN, GRU and LSTM ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Recurrent.h"
#include "TensorTesting.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

/// Options with the activations named, or those of the definition.
static RecurrentOptions getOptions(CellKind kind, SequenceDirection direction,
                                   llvm::ArrayRef<llvm::StringRef> names = {},
                                   llvm::ArrayRef<float> alphas = {},
                                   llvm::ArrayRef<float> betas = {}) {
  RecurrentOptions options;
  options.kind = kind;
  options.direction = direction;
  options.activations = take(getCellActivations(
      kind, countDirections(direction), names, alphas, betas));
  return options;
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// One element everywhere: h = x + h / 2, one step after the other.
static RecurrentOperands getSums(int64_t directions) {
  std::vector<double> ones(directions, 1), halves(directions, 0.5);
  return {floats({3, 1, 1}, {1, 2, 4}), floats({directions, 1, 1}, ones),
          floats({directions, 1, 1}, halves)};
}

TEST(Recurrent, StepsSeeTheStateBefore) {
  auto options =
      getOptions(CellKind::RNN, SequenceDirection::Forward, {"Relu"});
  RecurrentResults results = take(recurrent(getSums(1), options));
  EXPECT_EQ(shapeOf(results.y), (std::vector<int64_t>{3, 1, 1, 1}));
  expectValues(results.y, {1, 2.5, 5.25});
  expectValues(results.lastH, {5.25});
}

TEST(Recurrent, BackwardsTheLastStepIsTheFirst) {
  auto options =
      getOptions(CellKind::RNN, SequenceDirection::Reverse, {"Relu"});
  RecurrentResults results = take(recurrent(getSums(1), options));
  expectValues(results.y, {3, 4, 4});
  expectValues(results.lastH, {3});
}

TEST(Recurrent, BothWaysAreTwoNetworks) {
  auto options = getOptions(CellKind::RNN, SequenceDirection::Bidirectional,
                            {"Relu", "Relu"});
  RecurrentResults results = take(recurrent(getSums(2), options));
  EXPECT_EQ(shapeOf(results.y), (std::vector<int64_t>{3, 2, 1, 1}));
  expectValues(results.y, {1, 3, 2.5, 4, 5.25, 4});
  expectValues(results.lastH, {5.25, 3});
}

TEST(Recurrent, WhatDoesNotCountIsZeroAndKeepsTheState) {
  HostTensor lengths = makeTensor(ElementType::Int32, {1}, {2});
  HostTensor first = floats({1, 1, 1}, {8});
  RecurrentOperands operands = getSums(1);
  operands.lengths = &lengths;
  operands.initialH = &first;
  auto forward =
      getOptions(CellKind::RNN, SequenceDirection::Forward, {"Relu"});
  RecurrentResults results = take(recurrent(operands, forward));
  expectValues(results.y, {5, 4.5, 0});
  expectValues(results.lastH, {4.5});
  auto reverse =
      getOptions(CellKind::RNN, SequenceDirection::Reverse, {"Relu"});
  results = take(recurrent(operands, reverse));
  expectValues(results.y, {4, 6, 0});
  expectValues(results.lastH, {4});
}

TEST(Recurrent, NoStepGivesZeros) {
  HostTensor lengths = makeTensor(ElementType::Int32, {1}, {0});
  HostTensor first = floats({1, 1, 1}, {8});
  RecurrentOperands operands = getSums(1);
  operands.lengths = &lengths;
  operands.initialH = &first;
  auto options =
      getOptions(CellKind::RNN, SequenceDirection::Forward, {"Relu"});
  RecurrentResults results = take(recurrent(operands, options));
  expectValues(results.y, {0, 0, 0});
  expectValues(results.lastH, {0});
}

TEST(Recurrent, TheBatchMayComeFirst) {
  RecurrentOperands operands{floats({2, 3, 1}, {1, 2, 4, 10, 20, 40}),
                             floats({1, 1, 1}, {1}), floats({1, 1, 1}, {0.5})};
  HostTensor first = floats({2, 1, 1}, {0, 100});
  operands.initialH = &first;
  auto options =
      getOptions(CellKind::RNN, SequenceDirection::Forward, {"Relu"});
  options.batchFirst = true;
  RecurrentResults results = take(recurrent(operands, options));
  EXPECT_EQ(shapeOf(results.y), (std::vector<int64_t>{2, 3, 1, 1}));
  EXPECT_EQ(shapeOf(results.lastH), (std::vector<int64_t>{2, 1, 1}));
  expectValues(results.y, {1, 2.5, 5.25, 60, 50, 65});
}

TEST(Recurrent, InputsOfActivationsAreClipped) {
  auto options =
      getOptions(CellKind::RNN, SequenceDirection::Forward, {"Relu"});
  options.clip = 2;
  expectValues(take(recurrent(getSums(1), options)).y, {1, 2, 2});
}

// All gates are a half of what the cell was.
TEST(Recurrent, TheCellItselfIsNotClipped) {
  HostTensor c = floats({1, 1, 1}, {10});
  RecurrentOperands operands{floats({1, 1, 1}, {1}),
                             floats({1, 4, 1}, {0, 0, 0, 0}),
                             floats({1, 4, 1}, {0, 0, 0, 0})};
  operands.initialC = &c;
  auto options = getOptions(CellKind::LSTM, SequenceDirection::Forward);
  options.clip = 0.25;
  RecurrentResults results = take(recurrent(operands, options));
  expectValues(results.lastC, {5});
  expectValues(results.lastH, {0.5 * std::tanh(5)}, 1e-6);
}

TEST(Recurrent, StatesAreRoundedToTheElementType) {
  RecurrentOperands operands{
      makeTensor(ElementType::Float16, {2, 1, 1}, {1, 1.0 / 4096}),
      makeTensor(ElementType::Float16, {1, 1, 1}, {1}),
      makeTensor(ElementType::Float16, {1, 1, 1}, {1})};
  auto options =
      getOptions(CellKind::RNN, SequenceDirection::Forward, {"Relu"});
  expectValues(take(recurrent(operands, options)).lastH, {1});
}

// The gates are update, reset and hidden.
TEST(Recurrent, TheResetGateScalesTheStateOrItsProduct) {
  HostTensor bias = floats({1, 6}, {0, 0, 0, 0, 0, 0.5});
  HostTensor first = floats({1, 1, 1}, {0.75});
  RecurrentOperands operands{floats({1, 1, 1}, {1}),
                             floats({1, 3, 1}, {0.1, 0.2, 0.3}),
                             floats({1, 3, 1}, {0.4, 0.5, 0.6}),
                             &bias,
                             nullptr,
                             &first};
  double z = sigmoid(0.1 + 0.4 * 0.75), r = sigmoid(0.2 + 0.5 * 0.75);
  auto options = getOptions(CellKind::GRU, SequenceDirection::Forward);
  double plain = std::tanh(0.3 + 0.6 * (r * 0.75) + 0.5);
  expectValues(take(recurrent(operands, options)).y,
               {(1 - z) * plain + z * 0.75}, 1e-6);
  options.linearBeforeReset = true;
  double linear = std::tanh(0.3 + r * (0.6 * 0.75 + 0.5));
  expectValues(take(recurrent(operands, options)).y,
               {(1 - z) * linear + z * 0.75}, 1e-6);
}

// The gates are input, output, forget and cell.
TEST(Recurrent, PeepholesSeeTheCellBeforeAndAfter) {
  HostTensor peepholes = floats({1, 3}, {0.3, -0.4, 0.5});
  HostTensor h = floats({1, 1, 1}, {0.25}), c = floats({1, 1, 1}, {-0.5});
  RecurrentOperands operands{floats({1, 1, 1}, {1}),
                             floats({1, 4, 1}, {0.1, 0.2, 0.3, 0.4}),
                             floats({1, 4, 1}, {0.5, 0.6, 0.7, 0.8}),
                             nullptr,
                             nullptr,
                             &h,
                             &c,
                             &peepholes};
  double i = sigmoid(0.1 + 0.5 * 0.25 + 0.3 * -0.5);
  double f = sigmoid(0.3 + 0.7 * 0.25 + 0.5 * -0.5);
  double cell = std::tanh(0.4 + 0.8 * 0.25);
  double next = f * -0.5 + i * cell;
  double o = sigmoid(0.2 + 0.6 * 0.25 - 0.4 * next);
  auto options = getOptions(CellKind::LSTM, SequenceDirection::Forward);
  RecurrentResults results = take(recurrent(operands, options));
  expectValues(results.lastC, {next}, 1e-6);
  expectValues(results.y, {o * std::tanh(next)}, 1e-6);
  options.inputForget = true;
  expectValues(take(recurrent(operands, options)).lastC,
               {(1 - i) * -0.5 + i * cell}, 1e-6);
}

TEST(Recurrent, ActivationsTakeTheirNumbersInOrder) {
  auto taken = take(getCellActivations(
      CellKind::LSTM, 1, {"LeakyRelu", "Tanh", "ScaledTanh"}, {0.5, 2}, {3}));
  EXPECT_EQ(taken[0](-2), -1);
  EXPECT_EQ(taken[2](0.25), 2 * std::tanh(0.75));
  auto defaults = take(getCellActivations(
      CellKind::LSTM, 1, {"leakyrelu", "HardSigmoid", "ThresholdedRelu"}, {},
      {}));
  EXPECT_EQ(defaults[0](-1), double(-0.01F));
  EXPECT_EQ(defaults[1](1), double(0.2F) + 0.5);
  EXPECT_EQ(defaults[2](0.75), 0);
}

TEST(Recurrent, FunctionsAreThoseOfTheirNames) {
  auto apply = [](llvm::StringRef name, double x) {
    return take(getCellActivations(CellKind::RNN, 1, {name}, {2}, {0.5}))[0](x);
  };
  EXPECT_EQ(apply("Affine", 3), 6.5);
  EXPECT_EQ(apply("Elu", -1), 2 * std::expm1(-1));
  EXPECT_EQ(apply("Relu", -1), 0);
  EXPECT_EQ(apply("Sigmoid", 0), 0.5);
  EXPECT_NEAR(apply("Softplus", 1), std::log(1 + std::exp(1)), 1e-15);
  EXPECT_EQ(apply("Softsign", -3), -0.75);
  EXPECT_EQ(apply("ThresholdedRelu", 2), 0);
  EXPECT_EQ(apply("ThresholdedRelu", 2.5), 2.5);
}

TEST(Recurrent, RefusesWhatDoesNotFit) {
  auto options = getOptions(CellKind::RNN, SequenceDirection::Forward);
  RecurrentOperands operands = getSums(1);
  operands.w = floats({1, 2, 1}, {1, 1});
  EXPECT_EQ(takeMessage(recurrent(operands, options)),
            "operand 'W' of a recurrent network must be 1x1x1, but is 1x2x1");
  operands = getSums(1);
  HostTensor lengths = makeTensor(ElementType::Int32, {1}, {4});
  operands.lengths = &lengths;
  EXPECT_EQ(takeMessage(recurrent(operands, options)),
            "a length of a sequence must be in [0, 3], but is 4");
  EXPECT_EQ(takeMessage(getCellActivations(CellKind::GRU, 1, {"Relu"}, {}, {})),
            "has 1 activations, expected 2");
}
