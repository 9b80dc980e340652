//===- WindowCodeTest.cpp - Windows as code -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;
using namespace inlay::testing;

static constexpr double tolerance = 8 * 0x1p-24;

static unsigned checkPool(llvm::StringRef op, llvm::StringRef from,
                          llvm::StringRef to, llvm::StringRef attributes) {
  bool isMax = op == "max_pool";
  std::string indices = to.take_front(to.rfind('x')).str() + "xi64";
  std::string body =
      "%y" + std::string(isMax ? ", %at" : "") + " = inlay." + op.str() +
      " %a {" + attributes.str() + "} : (tensor<" + from.str() + ">) -> " +
      (isMax ? "(tensor<" + to.str() + ">, tensor<" + indices + ">)"
             : "tensor<" + to.str() + ">");
  return checkModerate({from, to}, body, tolerance);
}

TEST(WindowCode, Pools) {
  for (llvm::StringRef op : {"max_pool", "average_pool"}) {
    EXPECT_EQ(checkPool(op, "2x3x9x21xf32", "2x3x7x19xf32",
                        "kernel_shape = array<i64: 3, 3>"),
              1u);
    EXPECT_EQ(checkPool(op, "1x5x9x40xf32", "1x5x5x20xf32",
                        "kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, "
                        "1, 1, 1>, strides = array<i64: 2, 2>"),
              1u);
    EXPECT_EQ(checkPool(op, "1x2x10x23xf32", "1x2x5x12xf32",
                        "ceil_mode = 1 : i64, kernel_shape = array<i64: 3, 3>, "
                        "pads = array<i64: 1, 1, 0, 1>, strides = array<i64: "
                        "2, 2>"),
              1u);
    EXPECT_EQ(checkPool(op, "1x2x30xf32", "1x2x30xf32",
                        "dilations = array<i64: 3>, kernel_shape = array<i64: "
                        "4>, pads = array<i64: 4, 5>"),
              1u);
    EXPECT_EQ(checkPool(op, "1x2x3x4x20xf32", "1x2x2x3x19xf32",
                        "kernel_shape = array<i64: 2, 2, 2>"),
              1u);
    EXPECT_EQ(checkPool(op, "1x2x3x20xf32", "1x2x3x10xf32",
                        "auto_pad = \"SAME_UPPER\", kernel_shape = array<i64: "
                        "2, 3>, strides = array<i64: 1, 2>"),
              1u);
    EXPECT_EQ(checkPool(op, "1x1x5x5xf64", "1x1x1x1xf64",
                        "kernel_shape = array<i64: 5, 5>"),
              1u);
    EXPECT_EQ(checkPool(op, "1x3x5x20xf16", "1x3x5x20xf16",
                        "kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, "
                        "1, 1, 1>"),
              1u);
  }
  EXPECT_EQ(checkPool("average_pool", "1x2x10x23xf32", "1x2x5x12xf32",
                      "ceil_mode = 1 : i64, count_include_pad = 1 : i64, "
                      "kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, "
                      "1, 0, 1>, strides = array<i64: 2, 2>"),
            1u);
  EXPECT_EQ(checkPool("max_pool", "1x2x5x20xi8", "1x2x4x18xi8",
                      "kernel_shape = array<i64: 2, 3>"),
            1u);
}

TEST(WindowCode, PassesSpecialNumbersOn) {
  EXPECT_EQ(check({"1x3x6x40xf32", "1x3x6x40xf32"},
                  "%y, %at = inlay.max_pool %a {kernel_shape = array<i64: 3, "
                  "3>, pads = array<i64: 1, 1, 1, 1>} : "
                  "(tensor<1x3x6x40xf32>) -> (tensor<1x3x6x40xf32>, "
                  "tensor<1x3x6x40xi64>)"),
            1u);
}

TEST(WindowCode, ConvolvesChannels) {
  for (auto [spatial, kernel, to, attributes] :
       {std::tuple("9x21", "3x3", "9x21", "pads = array<i64: 1, 1, 1, 1>"),
        std::tuple("9x21", "5x5", "5x11",
                   "pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 2, 2>"),
        std::tuple("9x21", "3x3", "5x17", "dilations = array<i64: 2, 2>"),
        std::tuple("40", "7", "40", "pads = array<i64: 3, 3>"),
        std::tuple("3x4", "3x9", "3x4", "pads = array<i64: 1, 4, 1, 4>")}) {
    std::string x = "2x5x" + std::string(spatial) + "xf32";
    std::string w = "10x1x" + std::string(kernel) + "xf32";
    std::string y = "2x10x" + std::string(to) + "xf32";
    EXPECT_EQ(checkModerate({x, w, "10xf32", y},
                            "%y = inlay.conv %a, %b, %c {group = 5 : i64, " +
                                std::string(attributes) + "} : (tensor<" + x +
                                ">, tensor<" + w + ">, tensor<10xf32>) -> " +
                                "tensor<" + y + ">",
                            tolerance),
              1u)
        << kernel << " over " << spatial;
  }
}

// Channels last, with what comes before and behind.
TEST(WindowCode, ComputesKernels) {
  EXPECT_EQ(
      checkModerate(
          {"1x9x11x19xf32", "3x3x1x19xf32", "1x9x11x19xf32", "1x9x11x19xf32"},
          "%y = inlay.group \"cpu\" \"k\" cluster : "
          "tensor<1x9x11x19xf32> {\n"
          "%5 = inlay.abs %a : (tensor<1x9x11x19xf32>) -> "
          "tensor<1x9x11x19xf32>\n"
          "%0 = inlay.transpose %5 {perm = array<i64: 0, 3, 1, 2>} : "
          "(tensor<1x9x11x19xf32>) -> tensor<1x19x9x11xf32>\n"
          "%1 = inlay.transpose %b {perm = array<i64: 3, 2, 0, 1>} : "
          "(tensor<3x3x1x19xf32>) -> tensor<19x1x3x3xf32>\n"
          "%2 = inlay.conv %0, %1 {group = 19 : i64, pads = array<i64: 1, 1, "
          "1, 1>} : (tensor<1x19x9x11xf32>, tensor<19x1x3x3xf32>) -> "
          "tensor<1x19x9x11xf32>\n"
          "%3 = inlay.transpose %2 {perm = array<i64: 0, 2, 3, 1>} : "
          "(tensor<1x19x9x11xf32>) -> tensor<1x9x11x19xf32>\n"
          "%4 = inlay.add %3, %c : (tensor<1x9x11x19xf32>, "
          "tensor<1x9x11x19xf32>) -> tensor<1x9x11x19xf32>\n"
          "%6 = inlay.relu %4 : (tensor<1x9x11x19xf32>) -> "
          "tensor<1x9x11x19xf32>\n"
          "inlay.yield %6 : tensor<1x9x11x19xf32>\n}",
          tolerance),
      1u);
}

namespace {
/// A convolution of single channels, as models have it.
struct Channels {
  int64_t channels, height, width, rows, columns, stride = 1, dilation = 1,
                                                  pad = 0;

  int64_t getResult(int64_t extent, int64_t kernel) const {
    return (extent + 2 * pad - (kernel - 1) * dilation - 1) / stride + 1;
  }
};
} // namespace

/// Channels last: vectors lie along them, and neighbours are computed at once.
static std::string getPlanOfChannelsLast(const Channels &c) {
  int64_t height = c.getResult(c.height, c.rows),
          width = c.getResult(c.width, c.columns);
  auto type = [](std::initializer_list<int64_t> extents) {
    std::string text;
    for (int64_t extent : extents)
      text += std::to_string(extent) + "x";
    return text + "f32";
  };
  std::string x = type({2, c.height, c.width, c.channels}),
              w = type({c.channels, 1, c.rows, c.columns}),
              b = type({c.channels}), y = type({2, height, width, c.channels}),
              inner = type({2, c.channels, c.height, c.width}),
              outer = type({2, c.channels, height, width});
  std::string pad = std::to_string(c.pad), stride = std::to_string(c.stride),
              dilation = std::to_string(c.dilation);
  std::string body =
      "%y = inlay.group \"cpu\" \"k\" cluster : tensor<" + y +
      "> {\n%0 = inlay.transpose %a {perm = array<i64: 0, 3, 1, 2>} : "
      "(tensor<" +
      x + ">) -> tensor<" + inner +
      ">\n%1 = inlay.conv %0, %b, %c {group = " + std::to_string(c.channels) +
      " : i64, pads = array<i64: " + pad + ", " + pad + ", " + pad + ", " +
      pad + ">, strides = array<i64: " + stride + ", " + stride +
      ">, dilations = array<i64: " + dilation + ", " + dilation +
      ">} : (tensor<" + inner + ">, tensor<" + w + ">, tensor<" + b +
      ">) -> tensor<" + outer +
      ">\n%2 = inlay.transpose %1 {perm = array<i64: 0, 2, 3, 1>} : (tensor<" +
      outer + ">) -> tensor<" + y + ">\n%3 = inlay.relu %2 : (tensor<" + y +
      ">) -> tensor<" + y + ">\ninlay.yield %3 : tensor<" + y + ">\n}";
  return getPlan({x, w, b, y}, body, tolerance);
}

TEST(WindowCode, ConvolvesNeighboursAtOnce) {
  // Whole blocks, their tails along channels and columns, borders of one and of
  // three windows, windows of which one is a border on both sides, more border
  // than has code of its own, taps that are too many for a line of code.
  for (const Channels &own :
       {Channels{32, 6, 12, 3, 3, 1, 1, 1}, Channels{21, 5, 11, 3, 3, 1, 1, 1},
        Channels{3, 5, 9, 3, 3, 1, 1, 1}, Channels{40, 9, 16, 3, 3, 2, 1, 1},
        Channels{24, 9, 15, 5, 5, 1, 1, 2}, Channels{20, 9, 15, 7, 7, 1, 1, 3},
        Channels{16, 7, 7, 5, 5, 2, 1, 2}, Channels{8, 9, 20, 3, 3, 1, 2, 2},
        Channels{8, 5, 24, 3, 3, 1, 6, 6}, Channels{16, 2, 2, 3, 3, 1, 1, 1},
        Channels{16, 4, 9, 1, 1, 1, 1, 0}, Channels{16, 4, 9, 3, 1, 1, 1, 0},
        Channels{4, 3, 40, 1, 17, 1, 1, 0}})
    EXPECT_TRUE(llvm::StringRef(getPlanOfChannelsLast(own)).contains("taps: "))
        << own.channels << " channels, " << own.rows << " x " << own.columns
        << " over " << own.height << " x " << own.width;
}

// So many channels that weights of all do not stay in the first cache.
TEST(WindowCode, WalksFewChannelsOverThePicture) {
  EXPECT_EQ(getPlanOfChannelsLast({160, 5, 9, 7, 7, 1, 1, 3}),
            "windows, 7x7 taps: 1x16, 80 channels at a time");
  EXPECT_EQ(getPlanOfChannelsLast({192, 4, 11, 5, 5, 1, 1, 2}),
            "windows, 5x5 taps: 4x16, 96 channels at a time");
  // No blocks of theirs are all, or they are few.
  EXPECT_EQ(getPlanOfChannelsLast({90, 5, 9, 7, 7, 1, 1, 3}),
            "windows, 7x7 taps: 1x16");
  EXPECT_EQ(getPlanOfChannelsLast({80, 5, 9, 7, 7, 1, 1, 3}),
            "windows, 7x7 taps: 1x16");
}

// Where a neighbour reads is a quotient and a remainder of its place, not a
// step from the first one's.
TEST(WindowCode, NeighboursReadAtPlacesOfTheirOwn) {
  EXPECT_EQ(
      checkModerate(
          {"1x4x6x2x8xf32", "8x1x3x3xf32", "1x4x12x8xf32"},
          "%y = inlay.group \"cpu\" \"k\" cluster : "
          "tensor<1x4x12x8xf32> {\n"
          "%0 = inlay.transpose %a {perm = array<i64: 0, 1, 3, 2, 4>} : "
          "(tensor<1x4x6x2x8xf32>) -> tensor<1x4x2x6x8xf32>\n"
          "%1 = inlay.reshape %0 {shape = array<i64: 1, 4, 12, 8>} : "
          "(tensor<1x4x2x6x8xf32>) -> tensor<1x4x12x8xf32>\n"
          "%2 = inlay.transpose %1 {perm = array<i64: 0, 3, 1, 2>} : "
          "(tensor<1x4x12x8xf32>) -> tensor<1x8x4x12xf32>\n"
          "%3 = inlay.conv %2, %b {group = 8 : i64, pads = array<i64: 1, 1, 1, "
          "1>} : (tensor<1x8x4x12xf32>, tensor<8x1x3x3xf32>) -> "
          "tensor<1x8x4x12xf32>\n"
          "%4 = inlay.transpose %3 {perm = array<i64: 0, 2, 3, 1>} : "
          "(tensor<1x8x4x12xf32>) -> tensor<1x4x12x8xf32>\n"
          "inlay.yield %4 : tensor<1x4x12x8xf32>\n}",
          tolerance),
      1u);
  // A transposed convolution of one channel into three.
  EXPECT_EQ(checkModerate({"3x1x75xf32", "1x3x1xf32", "3xf32", "3x3x149xf32"},
                          "%y = inlay.conv_transpose %a, %b, %c {strides = "
                          "array<i64: 2>} : (tensor<3x1x75xf32>, "
                          "tensor<1x3x1xf32>, tensor<3xf32>) -> "
                          "tensor<3x3x149xf32>",
                          tolerance),
            1u);
}

// Places are two apart and so is what they are clamped to: each is clamped by
// itself, whatever pair it is in.
TEST(WindowCode, ReadsEdgesOfWhatIsPadded) {
  EXPECT_EQ(
      checkModerate(
          {"2x3x4x2xf32", "2x3x4x2xf32"},
          "%y = inlay.group \"cpu\" \"k\" cluster : tensor<2x3x4x2xf32> {\n"
          "%0 = inlay.pad %a {mode = \"edge\", pads = array<i64: 0, 0, 0, 2, "
          "0, 0, 0, 2>} : (tensor<2x3x4x2xf32>) -> tensor<2x3x4x6xf32>\n"
          "%1 = inlay.average_pool %0 {dilations = array<i64: 1, 2>, "
          "kernel_shape = array<i64: 1, 3>, pads = array<i64: 0, 1, 0, 0>, "
          "strides = array<i64: 1, 2>} : (tensor<2x3x4x6xf32>) -> "
          "tensor<2x3x4x2xf32>\n"
          "inlay.yield %1 : tensor<2x3x4x2xf32>\n}",
          tolerance),
      1u);
}

// The places of the largest are wanted.
TEST(WindowCode, LeavesTheRest) {
  EXPECT_EQ(check({"1x3x6x8xf32", "1x3x5x7xi64"},
                  "%x, %y = inlay.max_pool %a {kernel_shape = array<i64: 2, "
                  "2>} : (tensor<1x3x6x8xf32>) -> (tensor<1x3x5x7xf32>, "
                  "tensor<1x3x5x7xi64>)"),
            0u);
}

// A loop over rows is split by what follows, and is one again.
TEST(WindowCode, MovesResults) {
  EXPECT_EQ(
      checkModerate(
          {"1x3x14x16xf32", "1x3x2x7x16xf32"},
          "%y = inlay.group \"cpu\" \"k\" cluster : "
          "tensor<1x3x2x7x16xf32> {\n"
          "%0 = inlay.average_pool %a {kernel_shape = array<i64: 3, 3>, pads = "
          "array<i64: 1, 1, 1, 1>} : (tensor<1x3x14x16xf32>) -> "
          "tensor<1x3x14x16xf32>\n"
          "%1 = inlay.reshape %0 {shape = array<i64: 1, 3, 2, 7, 16>} : "
          "(tensor<1x3x14x16xf32>) -> tensor<1x3x2x7x16xf32>\n"
          "inlay.yield %1 : tensor<1x3x2x7x16xf32>\n}",
          tolerance),
      1u);
}

/// A pool or a convolution of single channels, which lie side by side, over
/// tensors that are joined along them.
static std::string getPlanOfJoined(llvm::ArrayRef<int64_t> channels,
                                   bool isConv) {
  std::vector<std::string> types;
  std::string operands, operandTypes;
  int64_t count = 0;
  for (auto [i, own] : llvm::enumerate(channels)) {
    types.push_back(llvm::formatv("1x9x12x{0}xf32", own));
    operands += llvm::formatv("{0}%{1}", i ? ", " : "", char('a' + i));
    operandTypes +=
        llvm::formatv("{0}tensor<{1}>", i ? ", " : "", types.back());
    count += own;
  }
  std::string joined = llvm::formatv("1x9x12x{0}xf32", count),
              planes = llvm::formatv("1x{0}x9x12xf32", count),
              weight = llvm::formatv("{0}x1x3x3xf32", count);
  std::string window = llvm::formatv(
      "inlay.average_pool %1 {{kernel_shape = array<i64: 3, 3>, pads = "
      "array<i64: 1, 1, 1, 1>} : (tensor<{0}>)",
      planes);
  if (isConv)
    window = llvm::formatv("inlay.conv %1, %{0} {{group = {1} : i64, pads = "
                           "array<i64: 1, 1, 1, 1>} : (tensor<{2}>, "
                           "tensor<{3}>)",
                           char('a' + channels.size()), count, planes, weight);
  std::string body = llvm::formatv(
      "%y = inlay.group \"cpu\" \"k\" cluster : tensor<{0}> {{\n"
      "%0 = inlay.concat {1} {{axis = 3 : i64} : ({2}) -> tensor<{0}>\n"
      "%1 = inlay.transpose %0 {{perm = array<i64: 0, 3, 1, 2>} : "
      "(tensor<{0}>) -> tensor<{3}>\n"
      "%2 = {4} -> tensor<{3}>\n"
      "%3 = inlay.transpose %2 {{perm = array<i64: 0, 2, 3, 1>} : "
      "(tensor<{3}>) -> tensor<{0}>\n"
      "inlay.yield %3 : tensor<{0}>\n}",
      joined, operands, operandTypes, planes, window);
  llvm::SmallVector<llvm::StringRef> all(types.begin(), types.end());
  if (isConv)
    all.push_back(weight);
  all.push_back(joined);
  return getPlan(all, body, tolerance);
}

// Each of the tensors has loops of its own, with vectors.
TEST(WindowCode, ReadsTensorsThatAreJoined) {
  for (bool isConv : {false, true}) {
    std::string whole = getPlanOfJoined({32}, isConv);
    EXPECT_TRUE(llvm::StringRef(whole).ends_with("x16")) << whole;
    EXPECT_EQ(getPlanOfJoined({32, 32}, isConv), whole);
    EXPECT_EQ(getPlanOfJoined({32, 5, 1, 50}, isConv), whole);
    EXPECT_TRUE(
        llvm::StringRef(getPlanOfJoined({5, 32}, isConv)).ends_with("x4"));
  }
}

// So many that code would be too long, and a loop that others count, too.
TEST(WindowCode, ReadsManyTensorsElementByElement) {
  std::vector<int64_t> many(12, 8);
  EXPECT_EQ(getPlanOfJoined(many, /*isConv=*/false), "windows, 3x3 taps: 1x1");
  EXPECT_EQ(
      checkModerate(
          {"1x3x6x20xf32", "1x2x6x20xf32", "1x5x6x20xf32"},
          "%y = inlay.group \"cpu\" \"k\" cluster : tensor<1x5x6x20xf32> {\n"
          "%0 = inlay.concat %a, %b {axis = 1 : i64} : (tensor<1x3x6x20xf32>, "
          "tensor<1x2x6x20xf32>) -> tensor<1x5x6x20xf32>\n"
          "%1 = inlay.average_pool %0 {kernel_shape = array<i64: 3, 3>, pads = "
          "array<i64: 1, 1, 1, 1>} : (tensor<1x5x6x20xf32>) -> "
          "tensor<1x5x6x20xf32>\n"
          "inlay.yield %1 : tensor<1x5x6x20xf32>\n}",
          tolerance),
      1u);
  // Along the dimension that windows are wide in.
  EXPECT_EQ(
      checkModerate(
          {"1x4x6x9xf32", "1x4x6x11xf32", "1x4x6x20xf32"},
          "%y = inlay.group \"cpu\" \"k\" cluster : tensor<1x4x6x20xf32> {\n"
          "%0 = inlay.concat %a, %b {axis = 3 : i64} : (tensor<1x4x6x9xf32>, "
          "tensor<1x4x6x11xf32>) -> tensor<1x4x6x20xf32>\n"
          "%1 = inlay.average_pool %0 {kernel_shape = array<i64: 3, 3>, pads = "
          "array<i64: 1, 1, 1, 1>} : (tensor<1x4x6x20xf32>) -> "
          "tensor<1x4x6x20xf32>\n"
          "inlay.yield %1 : tensor<1x4x6x20xf32>\n}",
          tolerance),
      1u);
}

/// Code of a pool whose channels lie side by side, for vectors of 16.
static std::string getPoolCode(int64_t channels) {
  std::string last = "1x9x12x" + std::to_string(channels) + "xf32",
              planes = "1x" + std::to_string(channels) + "x9x12xf32";
  return getCode(
      {last, last},
      llvm::formatv("%y = inlay.group \"cpu\" \"k\" cluster : tensor<{0}> {{\n"
                    "%1 = inlay.transpose %a {{perm = array<i64: 0, 3, 1, 2>} "
                    ": (tensor<{0}>) -> tensor<{1}>\n"
                    "%2 = inlay.average_pool %1 {{kernel_shape = array<i64: 3, "
                    "3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<{1}>) -> "
                    "tensor<{1}>\n"
                    "%3 = inlay.transpose %2 {{perm = array<i64: 0, 2, 3, 1>} "
                    ": (tensor<{1}>) -> tensor<{0}>\n"
                    "inlay.yield %3 : tensor<{0}>\n}",
                    last, planes)
          .str(),
      {16, 32});
}

TEST(WindowCode, EndsInNarrowerVectors) {
  llvm::StringRef vector = "-> vector<8xf32>", single = "-> f32";
  std::string rest = getPoolCode(24), whole = getPoolCode(32),
              odd = getPoolCode(25);
  EXPECT_TRUE(llvm::StringRef(rest).contains(vector)) << rest;
  EXPECT_FALSE(llvm::StringRef(rest).contains(single)) << rest;
  EXPECT_FALSE(llvm::StringRef(whole).contains(vector)) << whole;
  EXPECT_TRUE(llvm::StringRef(odd).contains(single)) << odd;
}
