//===- ConvTest.cpp - Tests of convolutions -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorTesting.h"
#include "inlay/Tensor/Kernels/Contraction.h"
#include "inlay/Tensor/Strides.h"
#include "inlay/Tensor/Window.h"
#include <random>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

namespace {
/// A convolution with random sizes and what it is computed from.
struct RandomConv {
  HostTensor x, w, bias;
  std::vector<int64_t> strides, dilations, pads, outputPadding;
  int64_t group = 1;

  ConvParams getParams() const {
    return {group, strides, dilations, pads, outputPadding};
  }
};

class ConvTest : public ::testing::Test {
protected:
  int64_t pick(int low, int high) {
    return low + int64_t(random() % (high - low + 1));
  }

  HostTensor randomTensor(ElementType type, llvm::ArrayRef<int64_t> shape) {
    HostTensor tensor(type, shape);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setDouble(i, double(pick(-8, 8)));
    return tensor;
  }

  /// Weights are M x C/group x kernel, or C x M/group x kernel if transposed.
  RandomConv makeConv(ElementType type, bool transposed) {
    RandomConv conv;
    int rank = pick(1, 3);
    conv.group = pick(1, 3);
    int64_t in = pick(1, 3), out = pick(1, 6);
    HostTensor::Shape x{pick(1, 2), conv.group * in};
    HostTensor::Shape w = transposed ? HostTensor::Shape{conv.group * in, out}
                                     : HostTensor::Shape{conv.group * out, in};
    for (int i = 0; i < rank; ++i) {
      x.push_back(pick(7, 11));
      w.push_back(pick(1, 3));
      conv.strides.push_back(pick(1, 3));
      conv.dilations.push_back(pick(1, 3));
      conv.outputPadding.push_back(transposed ? pick(0, 1) : 0);
    }
    for (int i = 0; i < 2 * rank; ++i)
      conv.pads.push_back(pick(0, 2));
    conv.x = randomTensor(type, x);
    conv.w = randomTensor(type, w);
    conv.bias = randomTensor(type, {conv.group * out});
    return conv;
  }

  std::mt19937 random{11};
};

/// The offset of the input element that a tap meets at an output position, or
/// nothing. One side is the other * stride + tap * dilation - pad.
std::optional<int64_t> findInput(const RandomConv &conv,
                                 llvm::ArrayRef<int64_t> tap,
                                 llvm::ArrayRef<int64_t> out, bool transposed) {
  auto spatial = conv.x.getShape().drop_front(2);
  int64_t offset = 0;
  for (size_t i = 0; i < spatial.size(); ++i) {
    int64_t shift = tap[i] * conv.dilations[i] - conv.pads[i];
    int64_t at = out[i] * conv.strides[i] + shift;
    if (transposed && (out[i] - shift) % conv.strides[i] != 0)
      return std::nullopt;
    if (transposed)
      at = (out[i] - shift) / conv.strides[i];
    if (at < 0 || at >= spatial[i])
      return std::nullopt;
    offset = offset * spatial[i] + at;
  }
  return offset;
}

/// The convolution by its definition, for one element of the result.
int64_t convolveDirectly(const RandomConv &conv, int64_t image, int64_t channel,
                         llvm::ArrayRef<int64_t> out, bool transposed) {
  auto kernel = conv.w.getShape().drop_front(2);
  int64_t plane = product(conv.x.getShape().drop_front(2));
  int64_t in = conv.x.getDim(1) / conv.group;
  int64_t perGroup = conv.bias.getDim(0) / conv.group;
  int64_t group = channel / perGroup;
  int64_t sum = conv.bias.getInt(channel), tapIndex = 0;
  for (IndexCounter tap(kernel); !tap.atEnd(); tap.next(), ++tapIndex) {
    auto at = findInput(conv, tap.getIndex(), out, transposed);
    for (int64_t c = 0; at && c < in; ++c) {
      int64_t row = transposed
                        ? (group * in + c) * perGroup + channel % perGroup
                        : channel * in + c;
      int64_t inputChannel = (image * conv.group + group) * in + c;
      sum += conv.x.getInt(inputChannel * plane + *at) *
             conv.w.getInt(row * product(kernel) + tapIndex);
    }
  }
  return sum;
}

void expectDirect(const RandomConv &conv, const HostTensor &y,
                  bool transposed) {
  auto spatial = y.getShape().drop_front(2);
  int64_t i = 0;
  for (int64_t image = 0; image < y.getDim(0); ++image)
    for (int64_t channel = 0; channel < y.getDim(1); ++channel)
      for (IndexCounter at(spatial); !at.atEnd(); at.next())
        ASSERT_EQ(y.getInt(i++), convolveDirectly(conv, image, channel,
                                                  at.getIndex(), transposed));
}
} // namespace

TEST_F(ConvTest, AgreesWithTheDefinition) {
  for (int i = 0; i < 40; ++i) {
    RandomConv c = makeConv(i % 4 ? ElementType::Float : ElementType::Int32,
                            /*transposed=*/false);
    expectDirect(c, take(conv(c.x, c.w, &c.bias, c.getParams())), false);
  }
}

TEST_F(ConvTest, TransposedAgreesWithTheDefinition) {
  for (int i = 0; i < 40; ++i) {
    RandomConv c = makeConv(i % 4 ? ElementType::Float : ElementType::Int32,
                            /*transposed=*/true);
    expectDirect(c, take(convTranspose(c.x, c.w, &c.bias, c.getParams())),
                 true);
  }
}

TEST_F(ConvTest, ManyChannelsCrossBlocks) {
  // More rows, columns and summands than one block has.
  RandomConv c;
  c.x = randomTensor(ElementType::Float, {1, 33, 23, 25});
  c.w = randomTensor(ElementType::Float, {131, 33, 3, 3});
  c.bias = randomTensor(ElementType::Float, {131});
  c.strides = c.dilations = {1, 1};
  c.pads = {1, 1, 1, 1};
  HostTensor y = take(conv(c.x, c.w, &c.bias, c.getParams()));
  ASSERT_EQ(shapeOf(y), (std::vector<int64_t>{1, 131, 23, 25}));
  for (int i = 0; i < 100; ++i) {
    int64_t channel = pick(0, 130), row = pick(0, 22), column = pick(0, 24);
    ASSERT_EQ(y.getInt((channel * 23 + row) * 25 + column),
              convolveDirectly(c, 0, channel, {row, column}, false));
  }
}

TEST_F(ConvTest, HalfPrecisionRoundsOnce) {
  HostTensor x = makeTensor(ElementType::Float16, {1, 2, 1}, {2048, 1});
  HostTensor w = makeTensor(ElementType::Float16, {1, 2, 1}, {1, 1});
  HostTensor bias = makeTensor(ElementType::Float16, {1}, {1});
  // 2048 + 1 is not a half; 2048 + 1 + 1 is.
  expectValues(take(conv(x, w, &bias, {})), {2050});
}

TEST_F(ConvTest, EmptyBatchesGiveEmptyResults) {
  HostTensor x(ElementType::Float, {0, 1, 4}), w(ElementType::Float, {2, 1, 3});
  EXPECT_EQ(shapeOf(take(conv(x, w, nullptr, {}))),
            (std::vector<int64_t>{0, 2, 2}));
  HostTensor back(ElementType::Float, {1, 2, 3});
  EXPECT_EQ(shapeOf(take(convTranspose(x, back, nullptr, {}))),
            (std::vector<int64_t>{0, 2, 6}));
}

TEST_F(ConvTest, NoInputChannelsLeaveTheBias) {
  HostTensor x(ElementType::Float, {1, 0, 2}), w(ElementType::Float, {1, 0, 1});
  HostTensor bias = floats({1}, {3});
  expectValues(take(conv(x, w, &bias, {})), {3, 3});
}

TEST_F(ConvTest, RefusesShapesThatDoNotFit) {
  HostTensor x(ElementType::Float, {1, 2, 4}), w(ElementType::Float, {2, 2, 3});
  HostTensor narrow(ElementType::Float, {2, 1, 3});
  HostTensor bias(ElementType::Float, {3});
  ConvParams params;
  EXPECT_EQ(takeMessage(conv(x, w, &bias, params)),
            "bias must hold 2 numbers, found 3");
  EXPECT_NE(takeMessage(conv(x, narrow, nullptr, params)), "");
  EXPECT_NE(takeMessage(convTranspose(x, x, nullptr, params)), "");
  params.group = 3;
  EXPECT_NE(takeMessage(conv(x, w, nullptr, params)), "");
  params.group = 0;
  EXPECT_NE(takeMessage(conv(x, w, nullptr, params)), "");
  params.group = 1;
  std::vector<int64_t> two{1, 1};
  params.strides = two;
  EXPECT_NE(takeMessage(conv(x, w, nullptr, params)), "");
}

TEST_F(ConvTest, ConvIntegerPadsWithTheZeroPoint) {
  HostTensor x = makeTensor(ElementType::UInt8, {1, 1, 2}, {5, 7});
  HostTensor w = makeTensor(ElementType::Int8, {2, 1, 2}, {1, 2, 3, 4});
  HostTensor xZero = makeTensor(ElementType::UInt8, {}, {4});
  HostTensor wZero = makeTensor(ElementType::Int8, {2}, {0, 1});
  std::vector<int64_t> pads{1, 0};
  ConvParams params;
  params.pads = pads;
  HostTensor y = take(convInteger(x, w, &xZero, &wZero, params));
  EXPECT_EQ(y.getType(), ElementType::Int32);
  expectValues(y, {2, 7, 3, 11});
}

TEST_F(ConvTest, QLinearConvScalesPerChannel) {
  HostTensor x = makeTensor(ElementType::UInt8, {1, 1, 1}, {10});
  HostTensor w = makeTensor(ElementType::Int8, {2, 1, 1}, {3, -3});
  HostTensor zero = makeTensor(ElementType::UInt8, {}, {0});
  HostTensor zeros = makeTensor(ElementType::Int8, {2}, {0, 0});
  HostTensor yZero = makeTensor(ElementType::UInt8, {}, {20});
  HostTensor one = floats({}, {1}), scales = floats({2}, {0.5, 0.25});
  HostTensor bias = makeTensor(ElementType::Int32, {2}, {2, 6});
  // (30 + 2) * 0.5 + 20 and (-30 + 6) * 0.25 + 20.
  expectValues(take(qlinearConv(x, {one, zero}, w, {scales, zeros},
                                {one, yZero}, &bias, {})),
               {36, 14});
  HostTensor floatBias = floats({2}, {2, 6});
  EXPECT_NE(takeMessage(qlinearConv(x, {one, zero}, w, {scales, zeros},
                                    {one, yZero}, &floatBias, {})),
            "");
}
