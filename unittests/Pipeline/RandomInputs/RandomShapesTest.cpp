//===- RandomShapesTest.cpp - Extents of random networks ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks of random windows and strides that are made for one height and
// width, and decoders that are made for one past, and then forget it: extents
// are found with which they run.
//
//===----------------------------------------------------------------------===//

#include "RandomCases.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Inputs.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Error.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <random>

using namespace inlay;
using namespace mlir;

namespace {
/// The text of a network for images of one extent.
class Network {
public:
  Network(uint64_t seed, int64_t extent) : random(seed), extent(extent) {}

  /// A convolution or a pool; nothing where the window does not fit any more.
  void addLayer();
  /// A layer that needs the number of features, or takes any.
  void addHead();
  std::string getText() const;

private:
  unsigned draw(unsigned bound) { return random() % bound; }
  std::string getType() const {
    return llvm::formatv("tensor<?x{0}x?x?xf32>", channels);
  }

  std::mt19937_64 random;
  int64_t extent, channels = 3;
  unsigned counter = 0;
  std::string body, current = "%x";
};
} // namespace

void Network::addLayer() {
  int64_t kernel = 1 + 2 * draw(3), stride = 1 << draw(3);
  int64_t pad = draw(2) ? kernel / 2 : 0;
  if (extent + 2 * pad < kernel)
    return;
  std::string from = getType(), name = "%v" + std::to_string(counter++);
  std::string window = llvm::formatv(
      "kernel_shape = array<i64: {0}, {0}>, strides = array<i64: {1}, {1}>, "
      "pads = array<i64: {2}, {2}, {2}, {2}>",
      kernel, stride, pad);
  if (draw(3) == 0) {
    body +=
        llvm::formatv("  {0} = inlay.average_pool {1} {{{2}} : ({3}) -> {3}\n",
                      name, current, window, from);
  } else {
    std::string weight =
        llvm::formatv("tensor<2x{0}x{1}x{1}xf32>", channels, kernel);
    channels = 2;
    body += llvm::formatv("  {0}w = inlay.constant dense<0.1> : {1}\n"
                          "  {0} = inlay.conv {2}, {0}w {{{3}} : ({4}, {1}) -> "
                          "{5}\n",
                          name, weight, current, window, from, getType());
  }
  current = name;
  extent = (extent + 2 * pad - kernel) / stride + 1;
}

void Network::addHead() {
  if (draw(2)) {
    body += llvm::formatv("  %y = inlay.global_average_pool {0} : ({1}) -> "
                          "tensor<?x{2}x1x1xf32>\n"
                          "  return %y : tensor<?x{2}x1x1xf32>\n",
                          current, getType(), channels);
    return;
  }
  body += llvm::formatv(
      "  %f = inlay.flatten {0} : ({1}) -> tensor<?x?xf32>\n"
      "  %w = inlay.constant dense<0.1> : tensor<{2}x4xf32>\n"
      "  %y = inlay.matmul %f, %w : (tensor<?x?xf32>, tensor<{2}x4xf32>) -> "
      "tensor<?x4xf32>\n  return %y : tensor<?x4xf32>\n",
      current, getType(), channels * extent * extent);
}

std::string Network::getText() const {
  size_t at = body.rfind(": ");
  return "func.func @main(%x: tensor<?x3x?x?xf32> {inlay.name = \"x\", "
         "inlay.dims = [\"n\", \"\", \"h\", \"w\"]}) -> " +
         body.substr(at + 2, body.size() - at - 3) + " {\n" + body + "}\n";
}

/// Why the graph does not run on random inputs; empty if it does.
static std::string run(const std::string &text) {
  auto context = createContext();
  auto module = parseSourceString<ModuleOp>(text, context.get());
  if (!module)
    return "does not parse";
  auto inputs = readInputs(llvm::cantFail(getGraph(*module)), {});
  if (!inputs)
    return llvm::toString(inputs.takeError());
  SmallVector<HostTensor> tensors;
  for (const GraphInput &input : *inputs)
    tensors.push_back(input.tensor);
  auto outputs = execute(*module, tensors);
  if (!outputs)
    return llvm::toString(outputs.takeError()) + "; " +
           describeExtents(getAssumedExtents(*inputs));
  return outputs->front().getNumElements() == 0 ? "the output is empty" : "";
}

TEST(RandomShapes, NetworksRunOnImages) {
  static constexpr int64_t extents[] = {64, 96, 128, 160, 192, 224, 256, 299};
  uint64_t count = std::max<uint64_t>(inlay::testing::numCases / 5, 1);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t seed = inlay::testing::firstSeed + i;
    Network network(seed, extents[seed % std::size(extents)]);
    for (uint64_t k = 0; k < 2 + seed % 5; ++k)
      network.addLayer();
    network.addHead();
    EXPECT_EQ(run(network.getText()), "") << "seed " << seed << "\n"
                                          << network.getText();
  }
}

/// Some values of a past, and of now, which others have to fit to.
static std::string getDecoder(std::mt19937_64 &random) {
  auto name = [&](const char *text) {
    return random() % 3 ? std::string(text) : std::string();
  };
  std::string total = random() % 2 ? "past + now" : name("total");
  return llvm::formatv(
      "func.func @main(%p: tensor<1x?x4xf32> {{inlay.name = \"p\", inlay.dims "
      "= [\"\", \"{0}\", \"\"]}, %n: tensor<1x?x4xf32> {{inlay.name = \"n\", "
      "inlay.dims = [\"\", \"{1}\", \"\"]}, %m: tensor<1x1x?xf32> "
      "{{inlay.name = \"m\", inlay.dims = [\"\", \"\", \"{2}\"]}) -> "
      "tensor<1x?x?xf32> {{\n"
      "  %k = inlay.concat %p, %n {{axis = 1 : i64} : (tensor<1x?x4xf32>, "
      "tensor<1x?x4xf32>) -> tensor<1x?x4xf32>\n"
      "  %t = inlay.transpose %k {{perm = array<i64: 0, 2, 1>} : "
      "(tensor<1x?x4xf32>) -> tensor<1x4x?xf32>\n"
      "  %s = inlay.matmul %n, %t : (tensor<1x?x4xf32>, tensor<1x4x?xf32>) -> "
      "tensor<1x?x?xf32>\n"
      "  %y = inlay.add %s, %m : (tensor<1x?x?xf32>, tensor<1x1x?xf32>) -> "
      "tensor<1x?x?xf32>\n"
      "  return %y : tensor<1x?x?xf32>\n}\n",
      name("past"), name("now"), total);
}

TEST(RandomShapes, DecodersRunWithAPast) {
  std::mt19937_64 random(inlay::testing::firstSeed);
  uint64_t count = std::max<uint64_t>(inlay::testing::numCases / 10, 1);
  for (uint64_t i = 0; i < count; ++i) {
    std::string text = getDecoder(random);
    EXPECT_EQ(run(text), "") << text;
  }
}
