//===- RecurrentCodeTest.cpp - Networks along a sequence as code ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;
using namespace inlay::testing;

static constexpr double tolerance = 64 * 0x1p-24;

namespace {
/// A network of 3 inputs and 5 hidden elements, in batches of 2.
struct Network {
  std::string op;
  int numGates, length = 2;
  std::string attributes = "";
  bool hasBias = true, hasState = true, hasPeepholes = false;
  std::string element = "f32";

  bool isBatchFirst() const {
    return attributes.find("layout = 1") != std::string::npos;
  }
  int countDirections() const {
    return attributes.find("bidirectional") != std::string::npos ? 2 : 1;
  }
  /// Whether all steps of what gives result `number` have code.
  bool check(unsigned number) const;
};
} // namespace

bool Network::check(unsigned number) const {
  int directions = countDirections();
  auto type = [&](std::initializer_list<int> shape) {
    std::string text;
    for (int extent : shape)
      text += std::to_string(extent) + "x";
    return text + element;
  };
  std::string state =
      isBatchFirst() ? type({2, directions, 5}) : type({directions, 2, 5});
  llvm::SmallVector<std::string> types = {
      isBatchFirst() ? type({2, length, 3}) : type({length, 2, 3}),
      type({directions, numGates * 5, 3}), type({directions, numGates * 5, 5})};
  std::string text = "%a, %b, %c";
  auto add = [&](const std::string &name, const std::string &own) {
    text += " " + name + " %" + std::string(1, char('a' + types.size()));
    types.push_back(own);
  };
  if (hasBias)
    add("bias", type({directions, 2 * numGates * 5}));
  if (hasState)
    add("hidden", state);
  if (hasState && op == "lstm")
    add("cell", state);
  if (hasPeepholes)
    add("peepholes", type({directions, 15}));
  llvm::SmallVector<std::string> results = {
      isBatchFirst() ? type({2, length, directions, 5})
                     : type({length, directions, 2, 5}),
      state};
  if (op == "lstm")
    results.push_back(state);
  llvm::SmallVector<std::string> names = {"%0", "%1", "%2"};
  names.resize(results.size());
  names[number] = "%y";
  auto join = [](llvm::ArrayRef<std::string> own) {
    return "(tensor<" + llvm::join(own, ">, tensor<") + ">)";
  };
  std::string body = llvm::join(names, ", ") + " = inlay." + op + " " + text +
                     " {" + attributes + "} : " + join(types) + " -> " +
                     join(results);
  types.push_back(results[number]);
  llvm::SmallVector<llvm::StringRef> all(types.begin(), types.end());
  return isAllCode(all, body, tolerance);
}

static const Network networks[] = {{"rnn", 1}, {"gru", 3}, {"lstm", 4}};

TEST(RecurrentCode, GoesAlongSequences) {
  for (const Network &network : networks)
    for (auto [result, attributes] :
         {std::pair(0u, "direction = \"reverse\""),
          std::pair(1u, "direction = \"bidirectional\", layout = 1 : i64")}) {
      Network own = network;
      own.attributes = attributes;
      EXPECT_TRUE(own.check(result)) << own.op << " " << attributes;
    }
  EXPECT_TRUE(Network({"rnn", 1, 2, "direction = \"bidirectional\""}).check(0));
  EXPECT_TRUE(Network({"lstm", 4, 2, "layout = 1 : i64"}).check(2));
}

TEST(RecurrentCode, StartsWithZeros) {
  for (Network network : networks) {
    network.hasBias = network.hasState = false;
    network.length = 1;
    EXPECT_TRUE(network.check(0)) << network.op;
  }
}

TEST(RecurrentCode, KnowsVariants) {
  Network gru{"gru", 3, 2, "linear_before_reset = 1 : i64"};
  EXPECT_TRUE(gru.check(0));
  gru.hasBias = false;
  EXPECT_TRUE(gru.check(0));
  Network lstm{"lstm", 4, 2, "input_forget = 1 : i64, clip = 0.5 : f32"};
  EXPECT_TRUE(lstm.check(0));
  lstm.attributes = "";
  lstm.hasPeepholes = true;
  EXPECT_TRUE(lstm.check(2));
}

TEST(RecurrentCode, KnowsActivations) {
  for (const char *name :
       {"Affine", "Elu", "HardSigmoid", "LeakyRelu", "Relu", "ScaledTanh",
        "Sigmoid", "Softplus", "Softsign", "Tanh", "ThresholdedRelu"}) {
    Network network{"rnn", 1, 1};
    network.attributes =
        llvm::formatv("activations = [\"{0}\"], activation_alpha = array<f32: "
                      "0.5>, activation_beta = array<f32: 0.25>",
                      name);
    EXPECT_TRUE(network.check(0)) << name;
  }
}

/// Long sequences, and those whose lengths have to be looked at, are evaluated;
/// products of doubles have no code.
TEST(RecurrentCode, LeavesOthersAlone) {
  EXPECT_FALSE(Network({"rnn", 1, 49}).check(0));
  Network wide{"rnn", 1};
  wide.element = "f64";
  EXPECT_FALSE(wide.check(0));
  EXPECT_EQ(
      checkModerate({"2x1x3xf32", "1x5x3xf32", "1x5x5xf32", "2x1x1x5xf32"},
                    "%l = inlay.constant dense<[1]> : tensor<1xi32>\n"
                    "%y, %h = inlay.rnn %a, %b, %c lengths %l : "
                    "(tensor<2x1x3xf32>, tensor<1x5x3xf32>, "
                    "tensor<1x5x5xf32>, tensor<1xi32>) -> "
                    "(tensor<2x1x1x5xf32>, tensor<1x1x5xf32>)",
                    tolerance),
      0u);
}
