//===- WinogradCodeTest.cpp - Convolutions by tiles -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/ModuleTesting.h"
#include "CodeTesting.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/Codegen/NativeProgram.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;
using namespace inlay::testing;

static constexpr double tolerance = 8 * 0x1p-24;

static std::string getType(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "f32";
}

namespace {
/// A convolution whose data and results have their channels side by side.
struct Layer {
  int64_t batch, height, width, channels, columns;
  /// Above, left, below, right.
  int64_t pads[4];

  std::string getData() const {
    return getType({batch, height, width, channels});
  }
  std::string getWeights() const { return getType({columns, channels, 3, 3}); }
  std::string getResult() const {
    return getType({batch, height + pads[0] + pads[2] - 2,
                    width + pads[1] + pads[3] - 2, columns});
  }
  std::string getMiddle() const {
    return getType({batch, columns, height + pads[0] + pads[2] - 2,
                    width + pads[1] + pads[3] - 2});
  }
  /// A kernel of %a and %b that yields %y; `before` makes %x of %a, `behind` %r
  /// of %m.
  std::string getKernel(llvm::StringRef before, llvm::StringRef data,
                        llvm::StringRef behind, llvm::StringRef result) const;
};
} // namespace

std::string Layer::getKernel(llvm::StringRef before, llvm::StringRef data,
                             llvm::StringRef behind,
                             llvm::StringRef result) const {
  std::string transposed = getType({batch, channels, height, width});
  return llvm::formatv(
      "%y = inlay.group \"cpu\" \"k\" cluster : tensor<{0}> {{\n"
      "{1}\n"
      "%t = inlay.transpose {2} {{perm = array<i64: 0, 3, 1, 2>} : "
      "(tensor<{3}>) -> tensor<{4}>\n"
      "%c0 = inlay.conv %t, %b {{pads = array<i64: {5}, {6}, {7}, {8}>} : "
      "(tensor<{4}>, tensor<{9}>) -> tensor<{10}>\n"
      "%m = inlay.transpose %c0 {{perm = array<i64: 0, 2, 3, 1>} : "
      "(tensor<{10}>) -> tensor<{0}>\n"
      "{11}\n"
      "inlay.yield {12} : tensor<{0}>\n}",
      getResult(), before, data, getData(), transposed, pads[0], pads[1],
      pads[2], pads[3], getWeights(), getMiddle(), behind, result);
}

static unsigned checkLayer(const Layer &layer) {
  return countTiles({layer.getData(), layer.getWeights(), layer.getResult()},
                    layer.getKernel("", "%a", "", "%m"), tolerance);
}

// Tiles that end with the results and behind them, fewer and more channels than
// vectors have, zeros on some sides, several pictures.
TEST(WinogradCode, TilesOfAllSizes) {
  EXPECT_EQ(checkLayer({1, 8, 8, 16, 16, {1, 1, 1, 1}}), 1u);
  EXPECT_EQ(checkLayer({1, 7, 9, 5, 19, {1, 1, 1, 1}}), 1u);
  EXPECT_EQ(checkLayer({3, 5, 6, 17, 3, {0, 2, 1, 0}}), 1u);
  EXPECT_EQ(checkLayer({2, 3, 3, 2, 33, {0, 0, 0, 0}}), 1u);
  EXPECT_EQ(checkLayer({1, 1, 2, 3, 7, {2, 2, 2, 2}}), 1u);
  EXPECT_EQ(checkLayer({1, 31, 13, 9, 40, {0, 1, 0, 0}}), 1u);
}

// More tiles than have room at once: the last block shares some with another
// one. Channels whose weights are transformed one after another, with and
// without some that are left over.
TEST(WinogradCode, BlocksOfTiles) {
  EXPECT_EQ(checkLayer({1, 22, 25, 150, 6, {1, 1, 1, 1}}), 1u);
  EXPECT_EQ(checkLayer({2, 6, 6, 530, 18, {1, 1, 1, 1}}), 1u);
}

TEST(WinogradCode, ComputesKernels) {
  Layer layer = {1, 9, 10, 12, 20, {1, 1, 1, 1}};
  std::string data = layer.getData(), result = layer.getResult();
  std::string before =
      llvm::formatv("%x = inlay.abs %a : (tensor<{0}>) -> tensor<{0}>", data);
  std::string behind = llvm::formatv(
      "%s = inlay.add %m, %c : (tensor<{0}>, tensor<20xf32>) -> tensor<{0}>\n"
      "%u = inlay.add %s, %d : (tensor<{0}>, tensor<{0}>) -> tensor<{0}>\n"
      "%r = inlay.relu %u : (tensor<{0}>) -> tensor<{0}>",
      result);
  EXPECT_EQ(countTiles({data, layer.getWeights(), "20xf32", result, result},
                       layer.getKernel(before, "%x", behind, "%r"), tolerance),
            1u);
}

// Many channels, and results that lie side by side along the picture.
TEST(WinogradCode, WritesResultsApart) {
  auto check = [](int64_t channels) {
    Layer layer = {1, 7, 6, channels, 21, {1, 1, 1, 1}};
    std::string kernel = llvm::formatv(
        "%y = inlay.group \"cpu\" \"k\" cluster : tensor<{0}> {{\n"
        "%t = inlay.transpose %a {{perm = array<i64: 0, 3, 1, 2>} : "
        "(tensor<{1}>) -> tensor<1x{2}x7x6xf32>\n"
        "%c0 = inlay.conv %t, %b {{pads = array<i64: 1, 1, 1, 1>} : "
        "(tensor<1x{2}x7x6xf32>, tensor<{3}>) -> tensor<{0}>\n"
        "%r = inlay.relu %c0 : (tensor<{0}>) -> tensor<{0}>\n"
        "inlay.yield %r : tensor<{0}>\n}",
        layer.getMiddle(), layer.getData(), channels, layer.getWeights());
    return countTiles({layer.getData(), layer.getWeights(), layer.getMiddle()},
                      kernel, tolerance);
  };
  EXPECT_EQ(check(256), 1u);
  EXPECT_EQ(check(24), 0u);
}

// Data that was put together along channels, from parts of one length and of
// several.
TEST(WinogradCode, ReadsPartsOfChannels) {
  auto check = [](int64_t first, int64_t second) {
    int64_t all = first + second;
    std::string a = llvm::formatv("1x9x10x{0}xf32", first);
    std::string b = llvm::formatv("1x9x10x{0}xf32", second);
    std::string weights = llvm::formatv("20x{0}x3x3xf32", all);
    return countTiles(
        {a, weights, b, "1x9x10x20xf32"},
        llvm::formatv(
            "%y = inlay.group \"cpu\" \"k\" cluster : tensor<1x9x10x20xf32> "
            "{{\n"
            "%x = inlay.concat %a, %c {{axis = 3 : i64} : (tensor<{0}>, "
            "tensor<{1}>) -> tensor<1x9x10x{2}xf32>\n"
            "%t = inlay.transpose %x {{perm = array<i64: 0, 3, 1, 2>} : "
            "(tensor<1x9x10x{2}xf32>) -> tensor<1x{2}x9x10xf32>\n"
            "%c0 = inlay.conv %t, %b {{pads = array<i64: 1, 1, 1, 1>} : "
            "(tensor<1x{2}x9x10xf32>, tensor<20x{2}x3x3xf32>) -> "
            "tensor<1x20x9x10xf32>\n"
            "%m = inlay.transpose %c0 {{perm = array<i64: 0, 2, 3, 1>} : "
            "(tensor<1x20x9x10xf32>) -> tensor<1x9x10x20xf32>\n"
            "inlay.yield %m : tensor<1x9x10x20xf32>\n}",
            a, b, all)
            .str(),
        tolerance);
  };
  EXPECT_EQ(check(16, 16), 1u);
  EXPECT_EQ(check(64, 32), 1u);
  EXPECT_EQ(check(48, 16), 1u);
  // Vectors of these would be of both.
  EXPECT_EQ(check(5, 6), 0u);
}

/// A step with weights that are constants, as a function that is not a kernel.
static std::string getFunction(const Layer &layer) {
  return llvm::formatv("func.func @main(%a: tensor<{0}>) -> tensor<{1}> {{\n"
                       "%b = inlay.constant dense<0.5> : tensor<{2}>\n{3}\n"
                       "return %y : tensor<{1}>\n}",
                       layer.getData(), layer.getResult(), layer.getWeights(),
                       layer.getKernel("", "%a", "", "%m"));
}

static HostTensor makeData(const Layer &layer) {
  HostTensor tensor(ElementType::Float,
                    {layer.batch, layer.height, layer.width, layer.channels});
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setDouble(i, double(i * 37 % 101) / 64);
  return tensor;
}

// On any number of threads, where columns are cut for them and where tiles are.
TEST(WinogradCode, HasTheSameBitsOnThreads) {
  for (const Layer &layer : {Layer{1, 7, 7, 24, 70, {1, 1, 1, 1}},
                             Layer{2, 30, 30, 70, 18, {1, 1, 1, 1}}})
    for (WinogradUse use : {WinogradUse::Tiles2, WinogradUse::Tiles4}) {
      ParsedModule module(getFunction(layer));
      EXPECT_EQ(checkProgram(module.get(), {makeData(layer)}, 5e-6, use), "");
    }
}

/// What a layer is computed by on a machine that multiplies by lanes.
static KernelCode getCode(const Layer &layer,
                          WinogradUse use = WinogradUse::Auto) {
  ParsedModule module(getFunction(layer));
  registerElementCode(*module.get().getContext());
  mlir::Block &block = module.getGraph().getBody().front();
  mlir::Operation *step = block.getTerminator()->getOperand(0).getDefiningOp();
  auto code = mlir::ModuleOp::create(step->getLoc());
  auto emitted =
      emitKernel(step, code, "kernel", {{4, 32, true, 4, 1.3, 11}, {use}});
  code.erase();
  return *emitted;
}

// By a model of time and error, and not where nobody wants it.
TEST(WinogradCode, IsChosenWhereItIsFaster) {
  EXPECT_EQ(getCode({1, 56, 56, 64, 64, {1, 1, 1, 1}}).templateName,
            "winograd 4x4");
  KernelCode few = getCode({1, 56, 56, 2, 2, {1, 1, 1, 1}});
  EXPECT_EQ(few.templateName, "contraction");
  EXPECT_NE(few.reason.find("F(2x2)"), std::string::npos) << few.reason;
  KernelCode off = getCode({1, 56, 56, 64, 64, {1, 1, 1, 1}}, WinogradUse::Off);
  EXPECT_EQ(off.templateName, "contraction");
  EXPECT_EQ(off.reason, "");
  // Sums of that many terms would lose too much, were they not of smaller sums.
  KernelCode many = getCode({1, 20, 20, 1200, 64, {1, 1, 1, 1}});
  EXPECT_EQ(many.templateName, "winograd 4x4") << many.reason;
  // Whose number counts in turn.
  KernelCode most = getCode({1, 20, 20, 27000, 64, {1, 1, 1, 1}});
  EXPECT_EQ(most.templateName, "winograd 2x2") << most.reason;
  EXPECT_NE(most.reason.find("of the range"), std::string::npos) << most.reason;
}

/// A step with so many bytes in all; null where they do not do.
static std::unique_ptr<NativeStep> getStep(const Layer &layer,
                                           std::optional<uint64_t> memory) {
  ParsedModule module(getFunction(layer));
  NativeOptions options;
  options.choices.memory = memory;
  auto program = NativeProgram::compile(module.get(), options);
  if (!program) {
    EXPECT_NE(llvm::toString(program.takeError()).find("are allowed"),
              std::string::npos);
    return nullptr;
  }
  for (const NativeStep *step : program->getSteps())
    if (step->kind == StepKind::Kernel)
      return std::make_unique<NativeStep>(*step);
  return nullptr;
}

// Weights are kept as taps, whatever computes them, and they have to fit.
TEST(WinogradCode, TakesTheMemoryOfTaps) {
  Layer layer = {1, 12, 12, 64, 64, {1, 1, 1, 1}};
  constexpr uint64_t weights = 9 * 64 * 64 * sizeof(float);
  EXPECT_EQ(getCode(layer).packing->bytes, weights);
  auto tight = getStep(layer, weights + weights / 2);
  ASSERT_TRUE(tight);
  EXPECT_EQ(tight->templateName, "winograd 4x4") << tight->reason;
  EXPECT_FALSE(getStep(layer, weights - 1));
}

// What has no such tiles is left to sums over taps.
TEST(WinogradCode, LeavesOthersAlone) {
  auto checkConv = [](llvm::StringRef weights, llvm::StringRef spatial,
                      llvm::StringRef attributes, llvm::StringRef type) {
    std::string element = type.str();
    std::string data = "1x9x9x8x" + element, turned = "1x8x9x9x" + element;
    std::string taps = weights.str() + "x" + element;
    std::string result = "1x" + spatial.str() + "x16x" + element;
    std::string middle = "1x16x" + spatial.str() + "x" + element;
    return countTiles(
        {data, taps, result},
        llvm::formatv(
            "%y = inlay.group \"cpu\" \"k\" cluster : "
            "tensor<{0}> {{\n"
            "%t = inlay.transpose %a {{perm = array<i64: 0, 3, 1, 2>} : "
            "(tensor<{1}>) -> tensor<{2}>\n"
            "%c0 = inlay.conv %t, %b {{{3}} : (tensor<{2}>, tensor<{4}>) -> "
            "tensor<{5}>\n"
            "%m = inlay.transpose %c0 {{perm = array<i64: 0, 2, 3, 1>} : "
            "(tensor<{5}>) -> tensor<{0}>\n"
            "inlay.yield %m : tensor<{0}>\n}",
            result, data, turned, attributes, taps, middle)
            .str(),
        tolerance);
  };
  EXPECT_EQ(checkConv("16x8x3x3", "7x7", "", "f32"), 1u);
  EXPECT_EQ(checkConv("16x8x3x3", "4x4", "strides = array<i64: 2, 2>", "f32"),
            0u);
  EXPECT_EQ(checkConv("16x8x3x3", "7x4", "strides = array<i64: 1, 2>", "f32"),
            0u);
  EXPECT_EQ(checkConv("16x8x3x3", "5x5", "dilations = array<i64: 2, 2>", "f32"),
            0u);
  EXPECT_EQ(checkConv("16x4x3x3", "7x7", "group = 2 : i64", "f32"), 0u);
  EXPECT_EQ(checkConv("16x8x5x5", "5x5", "", "f32"), 0u);
  EXPECT_EQ(checkConv("16x8x3x3", "7x7", "", "f64"), 0u);
}
