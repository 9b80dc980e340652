//===- ElementwiseTest.cpp - Tests of the elementwise kernels -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Elementwise.h"
#include "TensorTesting.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static const double nan_ = std::nan("");

static HostTensor ints(ElementType type, llvm::ArrayRef<double> values) {
  return makeTensor(type, {int64_t(values.size())}, values);
}

static void expectUnary(UnaryFunction f, double x, double expected) {
  SCOPED_TRACE(int(f));
  HostTensor in = makeTensor(ElementType::Double, {1}, {x});
  expectValues(take(unary(f, in)), {expected}, 1e-12);
}

TEST(Unary, ComputesTheFunctionsOfFloats) {
  expectUnary(UnaryFunction::Abs, -2.5, 2.5);
  expectUnary(UnaryFunction::Neg, 2.5, -2.5);
  expectUnary(UnaryFunction::Sign, -3, -1);
  expectUnary(UnaryFunction::Ceil, -1.5, -1);
  expectUnary(UnaryFunction::Floor, -1.5, -2);
  expectUnary(UnaryFunction::Sqrt, 9, 3);
  expectUnary(UnaryFunction::Exp, 1, 2.718281828459045);
  expectUnary(UnaryFunction::Log, 2.718281828459045, 1);
  expectUnary(UnaryFunction::Reciprocal, 4, 0.25);
  expectUnary(UnaryFunction::Erf, 0.5, 0.5204998778130465);
  expectUnary(UnaryFunction::Tanh, 0.5, 0.46211715726000973);
  expectUnary(UnaryFunction::Atanh, 0.5, 0.5493061443340549);
  expectUnary(UnaryFunction::Sigmoid, 0, 0.5);
  expectUnary(UnaryFunction::Relu, -1, 0);
  expectUnary(UnaryFunction::Softplus, 0, 0.6931471805599453);
  expectUnary(UnaryFunction::Softsign, -3, -0.75);
  expectUnary(UnaryFunction::HardSwish, 1, 2.0 / 3);
  expectUnary(UnaryFunction::Mish, 1, 0.8650983882673103);
}

TEST(Unary, RoundsHalvesToEven) {
  expectValues(take(unary(UnaryFunction::Round,
                          floats({6}, {0.5, 1.5, 2.5, -0.5, -1.5, 1.4999}))),
               {0, 2, 2, -0.0, -2, 1});
}

TEST(Unary, SoftplusDoesNotOverflow) {
  expectUnary(UnaryFunction::Softplus, 1000, 1000);
  expectUnary(UnaryFunction::Sigmoid, -1000, 0);
}

TEST(Unary, WrapsTheNegativeOfTheLowestInteger) {
  HostTensor x = ints(ElementType::Int8, {-128, 5});
  expectValues(take(unary(UnaryFunction::Neg, x)), {-128, -5});
  expectValues(take(unary(UnaryFunction::Abs, x)), {-128, 5});
  HostTensor wide(ElementType::Int64, {1});
  wide.setInt(0, INT64_MIN);
  EXPECT_EQ(take(unary(UnaryFunction::Abs, wide)).getInt(0), INT64_MIN);
}

TEST(Unary, InvertsBits) {
  expectValues(
      take(unary(UnaryFunction::BitwiseNot, ints(ElementType::UInt8, {1}))),
      {254});
  expectValues(take(unary(UnaryFunction::Not, ints(ElementType::Bool, {1, 0}))),
               {0, 1});
}

TEST(Unary, DetectsNaNAndInfinity) {
  HostTensor x = floats({4}, {nan_, infinity, -infinity, 1});
  HostTensor y = take(unary(UnaryFunction::IsNaN, x));
  EXPECT_EQ(y.getType(), ElementType::Bool);
  expectValues(y, {1, 0, 0, 0});
  expectValues(take(isInf(x, true, true)), {0, 1, 1, 0});
  expectValues(take(isInf(x, true, false)), {0, 0, 1, 0});
  expectValues(take(isInf(x, false, true)), {0, 1, 0, 0});
}

TEST(Unary, RefusesTypesAFunctionIsNotDefinedFor) {
  EXPECT_NE(
      takeMessage(unary(UnaryFunction::Sqrt, ints(ElementType::Int32, {4}))),
      "");
  EXPECT_NE(takeMessage(unary(UnaryFunction::Not, floats({1}, {1}))), "");
  EXPECT_NE(takeMessage(unary(UnaryFunction::Abs,
                              HostTensor(ElementType::String, {1}))),
            "");
}

TEST(Unary, IdentityPassesStrings) {
  HostTensor x(ElementType::String, {1});
  x.getMutableStrings()[0] = "a";
  EXPECT_EQ(take(unary(UnaryFunction::Identity, x)).getStrings()[0], "a");
}

TEST(Unary, RoundsOnceToNarrowFloats) {
  HostTensor x = makeTensor(ElementType::Float16, {1}, {3});
  expectValues(take(unary(UnaryFunction::Reciprocal, x)), {0.333251953125});
}

TEST(Activation, ComputesTheParametrisedOnes) {
  HostTensor x = floats({3}, {-1, 0, 2});
  double e = std::exp(-1.0);
  expectValues(take(leakyRelu(x, 0.5)), {-0.5, 0, 2});
  expectValues(take(elu(x, 2)), {2 * (e - 1), 0, 2}, 1e-6);
  expectValues(take(selu(x, 2, 3)), {6 * (e - 1), 0, 6}, 1e-6);
  expectValues(take(celu(x, 2)), {2 * (std::exp(-0.5) - 1), 0, 2}, 1e-6);
  expectValues(take(celu(floats({1}, {std::nan("")}), 2)), {std::nan("")});
  expectValues(take(thresholdedRelu(x, 1)), {0, 0, 2});
  expectValues(take(hardSigmoid(x, 0.25, 0.5)), {0.25, 0.5, 1});
  expectValues(take(shrink(x, 0.5, 0.5)), {-0.5, 0, 1.5});
  expectValues(take(gelu(x, false)), {-0.15865525, 0, 1.9544997}, 1e-6);
  expectValues(take(gelu(x, true)), {-0.158808, 0, 1.954598}, 1e-6);
  expectValues(take(swish(x, 1)), {-0.26894142, 0, 1.7615942}, 1e-6);
}

TEST(Activation, RefusesIntegers) {
  EXPECT_EQ(takeMessage(elu(ints(ElementType::Int32, {1}), 1)),
            "the operand of an activation must hold floats, but holds int32");
}

TEST(Clip, AppliesTheBoundsItIsGiven) {
  HostTensor x = floats({4}, {-5, 0, 5, nan_});
  HostTensor low = floats({}, {-1}), high = floats({}, {1});
  expectValues(take(clip(x, &low, &high)), {-1, 0, 1, nan_});
  expectValues(take(clip(x, &low, nullptr)), {-1, 0, 5, nan_});
  expectValues(take(clip(x, nullptr, &high)), {-5, 0, 1, nan_});
  expectValues(take(clip(x, &high, &low)), {-1, -1, -1, nan_});
}

TEST(Clip, LetsNoInfinityPass) {
  double largest = std::numeric_limits<float>::max();
  HostTensor x = floats({3}, {-infinity, 1, infinity});
  expectValues(take(clip(x, nullptr, nullptr)), {-largest, 1, largest});
  HostTensor half =
      makeTensor(ElementType::Float16, {2}, {infinity, -infinity});
  expectValues(take(clip(half, nullptr, nullptr)), {65504, -65504});
}

TEST(Clip, RefusesBoundsOfAnotherTypeOrShape) {
  HostTensor x = floats({1}, {1}), bound = ints(ElementType::Int32, {1});
  HostTensor two = floats({2}, {1, 2});
  EXPECT_NE(takeMessage(clip(x, &bound, nullptr)), "");
  EXPECT_NE(takeMessage(clip(x, nullptr, &two)), "");
}

TEST(PRelu, BroadcastsTheSlopeToTheInputOnly) {
  HostTensor x = floats({2, 2}, {-1, 1, -2, -3});
  expectValues(take(prelu(x, floats({2}, {10, 100}))), {-10, 1, -20, -300});
  EXPECT_NE(takeMessage(prelu(floats({2}, {1, 1}), x)), "");
}

TEST(PRelu, TakesOneSlopePerChannel) {
  HostTensor x = floats({1, 2, 3}, {-1, -1, -1, -1, -1, -1});
  expectValues(take(prelu(x, floats({2}, {1, 2}))), {-1, -1, -1, -2, -2, -2});
}

TEST(Binary, BroadcastsBothOperands) {
  HostTensor y = take(binary(BinaryFunction::Add, floats({2, 1}, {1, 2}),
                             floats({3}, {10, 20, 30})));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 3}));
  expectValues(y, {11, 21, 31, 12, 22, 32});
}

TEST(Binary, WorksOnRowsLongerThanAChunk) {
  int64_t count = 3 * chunkSize + 7;
  HostTensor x(ElementType::Int32, {2, count});
  for (int64_t i = 0; i < 2 * count; ++i)
    x.setInt(i, i);
  HostTensor y = take(binary(BinaryFunction::Sub, x, x));
  HostTensor z = take(binary(BinaryFunction::Add, x,
                             makeTensor(ElementType::Int32, {2, 1}, {1, 2})));
  for (int64_t i = 0; i < 2 * count; ++i) {
    ASSERT_EQ(y.getInt(i), 0);
    ASSERT_EQ(z.getInt(i), i + (i < count ? 1 : 2));
  }
}

TEST(Binary, RefusesMixedTypesAndShapes) {
  EXPECT_EQ(takeMessage(binary(BinaryFunction::Add, floats({1}, {1}),
                               ints(ElementType::Int32, {1}))),
            "the operands of Add must have the same element type, but hold "
            "float and int32");
  EXPECT_NE(takeMessage(binary(BinaryFunction::Add, floats({2}, {1, 2}),
                               floats({3}, {1, 2, 3}))),
            "");
  EXPECT_EQ(takeMessage(binary(BinaryFunction::And, floats({1}, {1}),
                               floats({1}, {1}))),
            "And does not take operands of float");
}

TEST(Binary, DividesIntegersWithoutTraps) {
  expectValues(
      take(binary(BinaryFunction::Div, ints(ElementType::Int32, {7, -7, 1}),
                  ints(ElementType::Int32, {2, 2, 0}))),
      {3, -3, 0});
  HostTensor lowest(ElementType::Int64, {1}), minusOne(ElementType::Int64, {1});
  lowest.setInt(0, INT64_MIN);
  minusOne.setInt(0, -1);
  for (BinaryFunction f : {BinaryFunction::Div, BinaryFunction::Mul})
    EXPECT_EQ(take(binary(f, lowest, minusOne)).getInt(0), INT64_MIN);
  EXPECT_EQ(take(binary(BinaryFunction::Mod, lowest, minusOne)).getInt(0), 0);
  expectValues(take(binary(BinaryFunction::Div, ints(ElementType::Int8, {-128}),
                           ints(ElementType::Int8, {-1}))),
               {-128});
}

TEST(Binary, DividesFloatsByZero) {
  expectValues(take(binary(BinaryFunction::Div, floats({3}, {1, -1, 0}),
                           floats({1}, {0}))),
               {infinity, -infinity, nan_});
}

TEST(Binary, WrapsIntegerSums) {
  expectValues(take(binary(BinaryFunction::Add, ints(ElementType::UInt8, {250}),
                           ints(ElementType::UInt8, {10}))),
               {4});
  expectValues(take(binary(BinaryFunction::Mul, ints(ElementType::Int8, {100}),
                           ints(ElementType::Int8, {2}))),
               {-56});
}

TEST(Binary, TellsTheTwoModulos) {
  HostTensor a = ints(ElementType::Int32, {-4, 7, 5, 4, -7, 8});
  HostTensor b = ints(ElementType::Int32, {2, -3, 8, -2, 3, 5});
  expectValues(take(binary(BinaryFunction::Mod, a, b)), {0, -2, 5, 0, 2, 3});
  expectValues(take(binary(BinaryFunction::FMod, a, b)), {0, 1, 5, 0, -1, 3});
  expectValues(take(binary(BinaryFunction::FMod, floats({1}, {-4.3}),
                           floats({1}, {2.1}))),
               {-0.1}, 1e-6);
}

TEST(Binary, RaisesToPowersOfOtherTypes) {
  HostTensor y =
      take(binary(BinaryFunction::Pow, ints(ElementType::Int32, {1, 2, 3}),
                  floats({3}, {4, 5, 6})));
  EXPECT_EQ(y.getType(), ElementType::Int32);
  expectValues(y, {1, 32, 729});
  expectValues(take(binary(BinaryFunction::Pow, floats({2}, {2, 4}),
                           ints(ElementType::Int64, {-1, 3}))),
               {0.5, 64});
}

TEST(Binary, RaisesIntegersExactlyAndToNegativePowers) {
  HostTensor base(ElementType::Int64, {1}), exponent(ElementType::Int64, {1});
  base.setInt(0, 3);
  exponent.setInt(0, 39);
  EXPECT_EQ(take(binary(BinaryFunction::Pow, base, exponent)).getInt(0),
            4052555153018976267);
  expectValues(take(binary(BinaryFunction::Pow,
                           ints(ElementType::Int32, {2, 1, -1, -1, 0}),
                           ints(ElementType::Int32, {-1, -5, -3, -2, -1}))),
               {0, 1, -1, 1, 0});
}

TEST(Binary, ShiftsUnsignedIntegers) {
  HostTensor a = ints(ElementType::UInt8, {16, 4, 255, 1});
  HostTensor b = ints(ElementType::UInt8, {1, 2, 1, 200});
  expectValues(take(binary(BinaryFunction::ShiftRight, a, b)), {8, 1, 127, 0});
  expectValues(take(binary(BinaryFunction::ShiftLeft, a, b)), {32, 16, 254, 0});
  HostTensor s = ints(ElementType::Int8, {1});
  EXPECT_NE(takeMessage(binary(BinaryFunction::ShiftLeft, s, s)), "");
}

TEST(Binary, ComparesToBools) {
  HostTensor a = floats({3}, {1, 2, nan_}), b = floats({3}, {2, 2, nan_});
  EXPECT_EQ(take(binary(BinaryFunction::Less, a, b)).getType(),
            ElementType::Bool);
  expectValues(take(binary(BinaryFunction::Less, a, b)), {1, 0, 0});
  expectValues(take(binary(BinaryFunction::LessOrEqual, a, b)), {1, 1, 0});
  expectValues(take(binary(BinaryFunction::Greater, b, a)), {1, 0, 0});
  expectValues(take(binary(BinaryFunction::GreaterOrEqual, b, a)), {1, 1, 0});
  expectValues(take(binary(BinaryFunction::Equal, a, b)), {0, 1, 0});
}

TEST(Binary, ComparesLargeUnsignedIntegers) {
  HostTensor a(ElementType::UInt64, {1}), b(ElementType::UInt64, {1});
  a.setInt(0, -1); // 2^64 - 1
  b.setInt(0, 1);
  expectValues(take(binary(BinaryFunction::Greater, a, b)), {1});
}

TEST(Binary, ComparesStrings) {
  HostTensor a(ElementType::String, {2}), b(ElementType::String, {});
  a.getMutableStrings()[0] = "x";
  b.getMutableStrings()[0] = "x";
  expectValues(take(binary(BinaryFunction::Equal, a, b)), {1, 0});
  EXPECT_NE(takeMessage(binary(BinaryFunction::Less, a, b)), "");
}

TEST(Binary, CombinesBits) {
  HostTensor a = ints(ElementType::Int8, {12, -1});
  HostTensor b = ints(ElementType::Int8, {10, 7});
  expectValues(take(binary(BinaryFunction::BitwiseAnd, a, b)), {8, 7});
  expectValues(take(binary(BinaryFunction::BitwiseOr, a, b)), {14, -1});
  expectValues(take(binary(BinaryFunction::BitwiseXor, a, b)), {6, -8});
  HostTensor p = ints(ElementType::Bool, {0, 0, 1, 1});
  HostTensor q = ints(ElementType::Bool, {0, 1, 0, 1});
  expectValues(take(binary(BinaryFunction::And, p, q)), {0, 0, 0, 1});
  expectValues(take(binary(BinaryFunction::Or, p, q)), {0, 1, 1, 1});
  expectValues(take(binary(BinaryFunction::Xor, p, q)), {0, 1, 1, 0});
}

TEST(Binary, PropagatesNaNThroughMaxAndMin) {
  HostTensor a = floats({3}, {nan_, 1, 3}), b = floats({3}, {1, nan_, 2});
  expectValues(take(binary(BinaryFunction::Max, a, b)), {nan_, nan_, 3});
  expectValues(take(binary(BinaryFunction::Min, a, b)), {nan_, nan_, 2});
}

TEST(Variadic, TakesAnyNumberOfOperands) {
  HostTensor a = floats({2}, {1, 5}), b = floats({}, {3}),
             c = floats({2}, {2, 4});
  expectValues(take(variadic(VariadicFunction::Sum, {a, b, c})), {6, 12});
  expectValues(take(variadic(VariadicFunction::Mean, {a, b, c})), {2, 4});
  expectValues(take(variadic(VariadicFunction::Max, {a, b, c})), {3, 5});
  expectValues(take(variadic(VariadicFunction::Min, {a, b, c})), {1, 3});
  expectValues(take(variadic(VariadicFunction::Max, {a})), {1, 5});
}

TEST(Variadic, RefusesNoneAndMixedOperands) {
  EXPECT_NE(takeMessage(variadic(VariadicFunction::Sum, {})), "");
  EXPECT_NE(
      takeMessage(variadic(VariadicFunction::Max,
                           {floats({1}, {1}), ints(ElementType::Int32, {1})})),
      "");
}

TEST(Where, SelectsUnderBroadcasting) {
  HostTensor condition = makeTensor(ElementType::Bool, {2, 1}, {1, 0});
  HostTensor y = take(where(condition, floats({2}, {1, 2}), floats({}, {9})));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{2, 2}));
  expectValues(y, {1, 2, 9, 9});
}

TEST(Where, SelectsStrings) {
  HostTensor a(ElementType::String, {1}), b(ElementType::String, {1});
  a.getMutableStrings()[0] = "a";
  b.getMutableStrings()[0] = "b";
  HostTensor y = take(where(ints(ElementType::Bool, {0, 1}), a, b));
  EXPECT_EQ(y.getStrings()[0], "b");
  EXPECT_EQ(y.getStrings()[1], "a");
}

TEST(Where, RefusesConditionsThatAreNotBool) {
  HostTensor x = floats({1}, {1});
  EXPECT_NE(takeMessage(where(x, x, x)), "");
}
