//===- RandomPatternsTest.cpp - What is fused stays recognisable ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs with LayerNormalization, Gelu, attention and activations of
// convolutions, taken apart, for targets that name these patterns: whatever
// layouts are chosen, the rewrites recognise as many behind them as in front,
// and the results are the same. Takes the number of random graphs and the seed
// of the first one as its arguments.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "Fitting.h"
#include "IslandWriter.h"
#include "inlay/Analysis/Patterns/FindPatterns.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/RunPasses.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Rewrite/Passes.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 200, firstSeed = 1;
static constexpr unsigned maxIslands = 4;

//===----------------------------------------------------------------------===//
// What is recognised
//===----------------------------------------------------------------------===//

namespace {
/// Islands by kind.
struct Recognised {
  unsigned norms = 0, gelus = 0, attentions = 0, activations = 0;

  bool isFewerThan(const Recognised &other) const {
    return norms < other.norms || gelus < other.gelus ||
           attentions < other.attentions || activations < other.activations;
  }
  unsigned getNumber() const {
    return norms + gelus + attentions + activations;
  }
  std::string describe() const {
    return std::to_string(norms) + " normalisations, " + std::to_string(gelus) +
           " gelus, " + std::to_string(attentions) + " attentions, " +
           std::to_string(activations) + " activations";
  }
};
} // namespace

static llvm::Error run(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager passes(module->getName());
  passes.addPass(std::move(pass));
  return runPasses(module, passes);
}

/// By the rewrites, and convolutions, which these leave as they are, by how
/// they stand.
static llvm::Expected<Recognised> recognise(ModuleOp original) {
  OwningOpRef<ModuleOp> module = original.clone();
  Recognised found;
  func::FuncOp graph = llvm::cantFail(getGraph(*module));
  found.activations = findPatterns(graph, PatternKind::ConvActivation).size();
  if (llvm::Error error = run(*module, createRewriteModel()))
    return std::move(error);
  graph.walk([&](Operation *op) {
    found.norms += isa<LayerNormalizationOp>(op);
    found.gelus += isa<GeluOp>(op);
    found.attentions += isa<AttentionOp>(op);
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral header =
    "schema: inlay.target/1\nname: drawn\n";
static constexpr llvm::StringLiteral patterns =
    "patterns: [layer-norm, gelu, attention, conv-activation]\n";

/// Bytes alone, copies by their runs, and forms that would pay apart.
static constexpr llvm::StringLiteral costs[] = {
    "costs: {relayout: 0}\n",
    "costs:\n  relayout: 64\n  copies:\n"
    "    - {run: [1, 8], axes: many, factor: 5}\n",
    "costs: {relayout: 0}\nlayouts:\n"
    "  - {op: Relu, data: [NHWC, {order: NCHW, factor: 9}], required: false}\n"
    "  - {op: Tanh, data: [NHWC, {order: NCHW, factor: 9}], required: false}\n",
    "costs:\n  relayout: 0\n  forms:\n"
    "    - {class: reduction, reduced: last, factor: 4}\n"
    "    - {class: normalization, reduced: last, factor: 4}\n"
    "    - {op: MatMul, exchanged: false, factor: 3}\n"};

static Target makeTarget(uint64_t seed, bool hasPatterns) {
  std::string text =
      (header + costs[seed % std::size(costs)] + (hasPatterns ? patterns : ""))
          .str();
  TargetResult target = readKnownTarget(text);
  EXPECT_TRUE(target.faults.empty()) << text;
  return target.target;
}

//===----------------------------------------------------------------------===//
// What must hold
//===----------------------------------------------------------------------===//

static llvm::Expected<Recognised> recogniseBehind(ModuleOp module,
                                                  const Target &target) {
  auto result = settleLayouts(module, target, {}, maxLayoutRounds);
  if (!result)
    return result.takeError();
  if (failed(verify(module)))
    return llvm::createStringError("does not verify");
  return recognise(module);
}

static std::string compareOutputs(ModuleOp before, ModuleOp after,
                                  const HostTensor &input) {
  auto expected = execute(before, input);
  auto found = execute(after, input);
  if (!expected || !found)
    return llvm::toString(
        llvm::joinErrors(expected.takeError(), found.takeError()));
  // What sums in another order may differ by.
  TensorComparison difference =
      compareTensors("", expected->front(), found->front(), {1e-5, true});
  return difference.isEqual ? "" : "computes something else";
}

static HostTensor makeInput(func::FuncOp graph, uint64_t seed) {
  std::mt19937_64 random(seed);
  auto type = cast<RankedTensorType>(graph.getArgumentTypes().front());
  HostTensor input(ElementType::Float, type.getShape());
  for (int64_t i = 0; i < input.getNumElements(); ++i)
    input.setDouble(i, double(random() % 2001) / 1000 - 1);
  return input;
}

/// Islands in front, and graphs of which some are lost without the patterns.
static uint64_t numIslands = 0, numLost = 0;

static std::string check(ModuleOp original, uint64_t seed) {
  OwningOpRef<ModuleOp> kept = original.clone();
  if (llvm::Error error = run(*kept, createSimplify()))
    return llvm::toString(std::move(error));
  OwningOpRef<ModuleOp> lost = kept->clone();
  auto before = recognise(*kept);
  if (!before)
    return llvm::toString(before.takeError());
  auto after = recogniseBehind(*kept, makeTarget(seed, true));
  auto without = recogniseBehind(*lost, makeTarget(seed, false));
  if (!after || !without)
    return llvm::toString(
        llvm::joinErrors(after.takeError(), without.takeError()));
  numIslands += before->getNumber();
  numLost += without->isFewerThan(*before);
  if (after->isFewerThan(*before))
    return "has " + before->describe() + ", then " + after->describe();
  HostTensor input = makeInput(llvm::cantFail(getGraph(original)), seed);
  return compareOutputs(original, *kept, input);
}

TEST(RandomPatterns, StayRecognisable) {
  unsigned numFailed = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    std::string text = IslandWriter(seed).write(1 + seed % maxIslands);
    auto module = parseSourceString<ModuleOp>(text, context.get());
    ASSERT_TRUE(module) << "seed " << seed << "\n" << text;
    std::string message = check(*module, seed);
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message << "\n" << text;
    if (++numFailed == 3)
      return;
  }
  llvm::outs() << numIslands << " islands, some of them lost in " << numLost
               << " graphs for targets without patterns\n";
  // There is something to check.
  EXPECT_GE(numIslands, numGraphs);
  EXPECT_GE(numLost, numGraphs / 20);
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
