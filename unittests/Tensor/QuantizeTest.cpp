//===- QuantizeTest.cpp - Tests of linear quantisation --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Quantize.h"
#include "TensorTesting.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

TEST(QuantizeLinear, RoundsToEvenAndSaturates) {
  HostTensor x = floats({8}, {0, 1, 3, 5, 1000, 254, -1000, -2});
  HostTensor zero = makeTensor(ElementType::UInt8, {}, {128});
  HostTensor y = take(quantizeLinear(x, floats({}, {2}), &zero, {}));
  EXPECT_EQ(y.getType(), ElementType::UInt8);
  expectValues(y, {128, 128, 130, 130, 255, 255, 0, 127});
}

TEST(QuantizeLinear, GivesUInt8WithoutAZeroPoint) {
  HostTensor y =
      take(quantizeLinear(floats({2}, {-1, 7}), floats({}, {1}), nullptr, {}));
  EXPECT_EQ(y.getType(), ElementType::UInt8);
  expectValues(y, {0, 7});
}

TEST(QuantizeLinear, HasOneScalePerIndexOfTheAxis) {
  HostTensor x = floats({1, 2, 2}, {10, 20, 10, 20});
  QuantizeOptions options;
  options.outputType = ElementType::Int8;
  expectValues(take(quantizeLinear(x, floats({2}, {1, 10}), nullptr, options)),
               {10, 20, 1, 2});
  options.axis = 2;
  expectValues(take(quantizeLinear(x, floats({2}, {1, 10}), nullptr, options)),
               {10, 2, 10, 2});
}

TEST(QuantizeLinear, HasOneScalePerBlock) {
  HostTensor x = floats({2, 3}, {10, 20, 30, 40, 50, 60});
  QuantizeOptions options;
  options.blockSize = 2;
  HostTensor scale = floats({2, 2}, {1, 10, 2, 20});
  expectValues(take(quantizeLinear(x, scale, nullptr, options)),
               {10, 20, 3, 20, 25, 3});
}

TEST(QuantizeLinear, SaturatesNarrowIntegers) {
  HostTensor x = floats({3}, {-100, 2, 100});
  QuantizeOptions options;
  options.outputType = ElementType::Int4;
  expectValues(take(quantizeLinear(x, floats({}, {1}), nullptr, options)),
               {-8, 2, 7});
  options.outputType = ElementType::UInt16;
  expectValues(take(quantizeLinear(x, floats({}, {0.001}), nullptr, options)),
               {0, 2000, 65535});
}

TEST(QuantizeLinear, GivesFloat8) {
  QuantizeOptions options;
  options.outputType = ElementType::Float8E4M3FN;
  HostTensor x = floats({2}, {1000, 3});
  expectValues(take(quantizeLinear(x, floats({}, {2}), nullptr, options)),
               {448, 1.5});
  options.saturate = false;
  expectValues(take(quantizeLinear(x, floats({}, {2}), nullptr, options)),
               {std::nan(""), 1.5});
}

TEST(QuantizeLinear, DoesNotTrapOnNaNAndZeroScales) {
  HostTensor x = floats({2}, {std::nan(""), 1});
  expectValues(take(quantizeLinear(x, floats({}, {0}), nullptr, {})), {0, 255});
}

TEST(QuantizeLinear, RefusesScalesAndZeroPointsThatDoNotFit) {
  HostTensor x = floats({2, 3}, {0, 0, 0, 0, 0, 0});
  HostTensor zeros = makeTensor(ElementType::UInt8, {2}, {0, 0});
  EXPECT_NE(takeMessage(quantizeLinear(x, floats({2}, {1, 1}), nullptr, {})),
            "");
  EXPECT_NE(takeMessage(quantizeLinear(x, floats({}, {1}), &zeros, {})), "");
  QuantizeOptions options;
  options.outputType = ElementType::Int64;
  EXPECT_NE(takeMessage(quantizeLinear(x, floats({}, {1}), nullptr, options)),
            "");
}

TEST(DequantizeLinear, SubtractsTheZeroPointAndScales) {
  HostTensor x = makeTensor(ElementType::UInt8, {4}, {0, 3, 128, 255});
  HostTensor zero = makeTensor(ElementType::UInt8, {}, {128});
  expectValues(take(dequantizeLinear(x, floats({}, {2}), &zero, {})),
               {-256, -250, 0, 254});
}

TEST(DequantizeLinear, TakesInt32AndInt4PerAxis) {
  HostTensor scale = floats({2}, {1, 0.5});
  for (ElementType type : {ElementType::Int32, ElementType::Int4}) {
    HostTensor x = makeTensor(type, {1, 2, 1}, {-8, 7});
    expectValues(take(dequantizeLinear(x, scale, nullptr, {})), {-8, 3.5});
  }
}

TEST(DequantizeLinear, GivesTheTypeAskedFor) {
  HostTensor x = makeTensor(ElementType::Int8, {1}, {3});
  DequantizeOptions options;
  options.outputType = ElementType::Float16;
  HostTensor y = take(dequantizeLinear(x, floats({}, {0.5}), nullptr, options));
  EXPECT_EQ(y.getType(), ElementType::Float16);
  expectValues(y, {1.5});
}

TEST(DequantizeLinear, RefusesInt64) {
  HostTensor x = makeTensor(ElementType::Int64, {1}, {3});
  EXPECT_NE(takeMessage(dequantizeLinear(x, floats({}, {1}), nullptr, {})), "");
}

TEST(DynamicQuantizeLinear, FindsScaleAndZeroPoint) {
  DynamicQuantizeResult result =
      take(dynamicQuantizeLinear(floats({6}, {0, 2, -3, -2.5, 1.34, 0.5})));
  expectValues(result.y, {153, 255, 0, 26, 221, 179});
  expectValues(result.scale, {0.0196078438}, 1e-9);
  expectValues(result.zeroPoint, {153});
}

TEST(DynamicQuantizeLinear, TakesTensorsOfZeros) {
  DynamicQuantizeResult result = take(dynamicQuantizeLinear(floats({1}, {0})));
  expectValues(result.y, {0});
}

TEST(DynamicQuantizeLinear, RefusesOtherTypes) {
  HostTensor x = makeTensor(ElementType::Double, {1}, {1});
  EXPECT_NE(takeMessage(dynamicQuantizeLinear(x)), "");
}
