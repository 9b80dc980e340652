//===- RandomInputsTest.cpp - Inputs of random chains of operators --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   inlay-random-inputs [COUNT [SEED]]
//
// An input goes through a random chain of operators to one that does not take
// every value. Many values are tried first: where a range of them is taken, the
// values that are chosen for the input must be taken, too.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "RandomCases.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Inputs.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Error.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

uint64_t inlay::testing::numCases = 300;
uint64_t inlay::testing::firstSeed = 1;

/// Elements of the input; half of the values that are tried are small.
static constexpr int64_t numElements = 1024;

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

namespace {
/// The text of a graph with one input, built operator by operator.
class Chain {
public:
  Chain(uint64_t seed, bool isFloat)
      : random(seed), isFloat(isFloat), element(isFloat ? "f32" : "i64"),
        type("tensor<1024x" + element + ">") {}

  /// Operators that change values or only where they stand.
  void addLink();
  /// The operator that does not take everything.
  void addEnd();
  /// The graph; `isOpen` without the operator at its end where that would stop
  /// at the first value that it does not take.
  std::string getText(bool isOpen) const;
  unsigned getNumRows() const { return numRows; }

private:
  unsigned draw(unsigned bound) { return random() % bound; }
  /// A small number that is not zero.
  std::string drawNumber();
  std::string addConstant(const std::string &value);
  void add(const std::string &op, const std::string &operands,
           const std::string &types, const std::string &result);
  void addUnary(const std::string &op) {
    add(op, current, "(" + type + ")", type);
  }
  void addBinary(const std::string &op);
  void addMove();
  void addBranch();

  std::mt19937_64 random;
  bool isFloat;
  std::string element, type;
  std::string body;
  std::string current = "%x";
  /// The body and what it computes before positions are used.
  std::string openBody, indices;
  unsigned counter = 0, numRows = 0;
};
} // namespace

std::string Chain::drawNumber() {
  int number = int(draw(9)) - 4;
  number += number >= 0;
  return isFloat ? llvm::formatv("{0:f4}", number * 0.4).str()
                 : std::to_string(number);
}

std::string Chain::addConstant(const std::string &value) {
  std::string name = "%c" + std::to_string(counter++);
  body += llvm::formatv("  {0} = inlay.constant dense<{1}> : tensor<{2}>\n",
                        name, value, element);
  return name;
}

void Chain::add(const std::string &op, const std::string &operands,
                const std::string &types, const std::string &result) {
  std::string name = "%v" + std::to_string(counter++);
  body +=
      llvm::formatv("  {0} = inlay.{1} : {2} -> {3}\n", name,
                    llvm::formatv(op.c_str(), operands).str(), types, result);
  current = name;
}

void Chain::addBinary(const std::string &op) {
  std::string constant = addConstant(drawNumber());
  std::string scalar = "tensor<" + element + ">";
  if (draw(4) == 0 && op != "div")
    add(op + " {0}", constant + ", " + current,
        "(" + scalar + ", " + type + ")", type);
  else
    add(op + " {0}", current + ", " + constant,
        "(" + type + ", " + scalar + ")", type);
}

/// There and back again.
void Chain::addMove() {
  std::string square = "tensor<32x32x" + element + ">";
  add("reshape {0} {{shape = array<i64: 32, 32>}", current, "(" + type + ")",
      square);
  if (draw(2))
    add("transpose {0} {{perm = array<i64: 1, 0>}", current, "(" + square + ")",
        square);
  add("reshape {0} {{shape = array<i64: 1024>}", current, "(" + square + ")",
      type);
}

/// Through a subgraph.
void Chain::addBranch() {
  std::string name = "%v" + std::to_string(counter++);
  body += llvm::formatv("  {0}c = inlay.constant dense<true> : tensor<i1>\n"
                        "  {0} = inlay.if {0}c : (tensor<i1>) -> {1} {{\n"
                        "    inlay.yield {2} : {1}\n  } else {{\n"
                        "    inlay.yield {2} : {1}\n  }\n",
                        name, type, current);
  current = name;
}

void Chain::addLink() {
  static const char *const binary[] = {"add", "sub", "mul", "div"};
  static const char *const extremes[] = {"max", "min"};
  switch (draw(isFloat ? 11 : 9)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return addBinary(binary[draw(4)]);
  case 4:
    return addUnary("neg {0}");
  case 5:
    return addUnary("abs {0}");
  case 6:
    return addBinary(extremes[draw(2)]);
  case 7:
    return addMove();
  case 8:
    return addBranch();
  case 9:
    return addUnary("relu {0}");
  default:
    return add("mul {0}", current + ", " + current,
               "(" + type + ", " + type + ")", type);
  }
}

void Chain::addEnd() {
  static const char *const domains[] = {"sqrt {0}", "log {0}", "acosh {0}",
                                        "acos {0}", "atanh {0}"};
  if (isFloat)
    return addUnary(domains[draw(5)]);
  numRows = 3 + draw(60);
  std::string table = llvm::formatv("tensor<{0}xf32>", numRows);
  openBody = body;
  indices = current;
  body += llvm::formatv("  %t = inlay.constant dense<1.0> : {0}\n", table);
  add("gather {0}", "%t, " + current, "(" + table + ", " + type + ")",
      "tensor<1024xf32>");
}

std::string Chain::getText(bool isOpen) const {
  bool returnsIndices = isOpen && !isFloat;
  return llvm::formatv("func.func @main(%x: {0} {{inlay.name = \"x\"}) -> "
                       "{1} {{\n{2}  return {3} : {1}\n}\n",
                       type, returnsIndices ? type : "tensor<1024xf32>",
                       returnsIndices ? openBody : body,
                       returnsIndices ? indices : current);
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

/// Values from -1000 to 1000, half of them from -8 to 8.
static HostTensor getTrials(bool isFloat) {
  HostTensor tensor(isFloat ? ElementType::Float : ElementType::Int64,
                    {numElements});
  for (int64_t i = 0; i < numElements; ++i) {
    double place = double(i % 512) / 256 - 1;
    double value = place * (i < 512 ? 8 : 1000);
    if (isFloat)
      tensor.setDouble(i, value);
    else
      tensor.setInt(i, int64_t(value));
  }
  return tensor;
}

/// Which of the values are taken.
static std::vector<bool> tryAll(const Chain &chain, bool isFloat) {
  auto context = createContext();
  auto module = parseSourceString<ModuleOp>(chain.getText(/*isOpen=*/true),
                                            context.get());
  auto outputs = llvm::cantFail(execute(*module, getTrials(isFloat)));
  std::vector<bool> taken(numElements);
  for (int64_t i = 0; i < numElements; ++i) {
    double value = outputs.front().getDouble(i);
    taken[i] = isFloat ? std::isfinite(value)
                       : value >= 0 && value < double(chain.getNumRows());
  }
  return taken;
}

/// Whether a range of values is taken, not only single ones.
static bool hasRange(const std::vector<bool> &taken, bool isFloat) {
  unsigned length = 0, needed = isFloat ? 8 : 1;
  for (bool each : taken) {
    length = each ? length + 1 : 0;
    if (length == needed)
      return true;
  }
  return false;
}

/// What is wrong with the values that are chosen; empty if nothing is.
static std::string check(ModuleOp module) {
  auto inputs = readInputs(llvm::cantFail(getGraph(module)), {});
  if (!inputs)
    return llvm::toString(inputs.takeError());
  auto outputs = execute(module, inputs->front().tensor);
  if (!outputs)
    return llvm::toString(outputs.takeError());
  for (int64_t i = 0; i < numElements; ++i)
    if (double value = outputs->front().getDouble(i); !std::isfinite(value))
      return llvm::formatv("input {0} gives {1}",
                           inputs->front().tensor.getDouble(i), value);
  return "";
}

TEST(RandomInputs, AreTakenWhereAnythingIs) {
  unsigned numChecked = 0, numFailed = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numCases; ++seed) {
    auto context = createContext();
    bool isFloat = seed % 2 == 0;
    Chain chain(seed, isFloat);
    for (uint64_t i = 0; i < seed % 7; ++i)
      chain.addLink();
    chain.addEnd();
    auto module = parseSourceString<ModuleOp>(chain.getText(/*isOpen=*/false),
                                              context.get());
    ASSERT_TRUE(module) << chain.getText(/*isOpen=*/false);
    if (!hasRange(tryAll(chain, isFloat), isFloat))
      continue;
    ++numChecked;
    std::string message = check(*module);
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message << "\n"
                  << chain.getText(/*isOpen=*/false);
    if (++numFailed == 5)
      return;
  }
  // Or the chains show nothing.
  EXPECT_GE(numChecked * 2, numCases) << "few chains take anything";
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numCases, &firstSeed);
}
