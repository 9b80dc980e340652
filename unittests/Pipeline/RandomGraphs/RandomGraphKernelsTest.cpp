//===- RandomGraphKernelsTest.cpp - Kernels change no result --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random graphs and the seed of the first one as its
// arguments; every graph has random rules and limits of kernels.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "Fitting.h"
#include "GraphOrder.h"
#include "ShrinkGraph.h"
#include "inlay/Analysis/BufferPlan.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>
#include <random>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 1000, firstSeed = 1;
static constexpr unsigned graphSize = 25;
/// Of expansions that are split: they round at other places. Graphs are f64
/// where it matters.
static constexpr double splitTolerance = 1e-10;

static std::string compareOutputs(ArrayRef<HostTensor> before,
                                  ArrayRef<HostTensor> after, bool isExact) {
  if (before.size() != after.size())
    return "another number of outputs";
  for (auto [i, a, b] : llvm::enumerate(before, after)) {
    double tolerance = isExact ? 0 : splitTolerance;
    TensorComparison difference =
        compareTensors("", a, b, {tolerance, /*isExplicit=*/true});
    if (!difference.isEqual &&
        (isExact || difference.maxAbsError > splitTolerance ||
         !difference.reason.empty()))
      return "output " + std::to_string(i) + " differs by " +
             std::to_string(difference.maxAbsError) + " " + difference.reason;
  }
  return "";
}

/// Kernels by name with their class and the nodes in them.
static std::vector<std::string> describeKernels(func::FuncOp function) {
  std::vector<std::string> lines;
  function.walk([&](GroupOp group) {
    std::string line =
        group.getName().str() + " " + getKindName(group).value_or("").str();
    for (Operation &op : group.getBody().front())
      line += " " + op.getName().getStringRef().str() + "=" + getNodeName(&op);
    lines.push_back(line);
  });
  return lines;
}

/// Kernels in bodies of If, Loop and Scan.
static uint64_t countInBodies(func::FuncOp function) {
  uint64_t count = 0;
  function.walk([&](GroupOp group) {
    count += group->getParentOp() != function.getOperation();
  });
  return count;
}

/// The target none with random rules and limits.
static Target makeTarget(uint64_t seed) {
  Target target = llvm::cantFail(loadKnownTarget("none"));
  std::mt19937_64 random(seed);
  for (unsigned rule = 0; rule < getKernelRuleNames().size(); ++rule)
    if (random() % 10 == 0)
      target.kernels.rules &= ~(1u << rule);
  if (random() % 4 == 0)
    target.kernels.limits.ops = 2 + random() % 6;
  if (random() % 4 == 0)
    target.kernels.limits.inputs = 1 + random() % 5;
  if (random() % 4 == 0)
    target.kernels.limits.outputs = 1 + random() % 3;
  return target;
}

namespace {
/// Claims about one graph; `message` is empty while they hold.
class KernelChecker {
public:
  KernelChecker(const RandomGraph &graph, uint64_t seed)
      : graph(graph), target(makeTarget(seed)) {}

  std::string run();
  uint64_t getNumKernels() const { return numKernels; }
  uint64_t getNumInBodies() const { return numInBodies; }

private:
  bool check(KernelStrategy strategy);
  bool checkOrder();
  bool fail(const Twine &reason) {
    message = reason.str();
    return false;
  }

  const RandomGraph &graph;
  Target target;
  SmallVector<HostTensor> expected;
  uint64_t greedyBytes = 0, numKernels = 0, numInBodies = 0;
  std::string message;
};
} // namespace

bool KernelChecker::check(KernelStrategy strategy) {
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> module = original.clone();
  OriginSet origins = collectOrigins(*module);
  // The verifier of kernels runs inside.
  auto result = fuseKernels(*module, target, strategy);
  if (!result)
    return fail(llvm::toString(result.takeError()));
  const KernelResult &kernels = *result;
  numKernels += kernels.numKernels;
  if (kernels.after.getTotal() > kernels.before.getTotal())
    return fail("more traffic than without kernels");
  if (strategy == KernelStrategy::Greedy)
    greedyBytes = kernels.after.getTotal();
  else if (kernels.bound && *kernels.bound > kernels.after.getTotal())
    return fail("the bound is above what was found");
  if (failed(verify(*module)))
    return fail("does not verify");
  if (size_t lost = findLostOrigins(origins, *module).size())
    return fail(Twine(lost) + " origins lost");
  auto outputs = execute(*module, graph.inputs);
  if (!outputs)
    return fail(llvm::toString(outputs.takeError()));
  std::string difference =
      compareOutputs(expected, *outputs, kernels.numSplit == 0);
  if (!difference.empty())
    return fail(difference);
  func::FuncOp function = llvm::cantFail(getGraph(*module));
  numInBodies += countInBodies(function);
  if (llvm::Error error = checkBuffers(function, planBuffers(function)))
    return fail(llvm::toString(std::move(error)));
  // What has kernels is finished.
  std::vector<std::string> before = describeKernels(function);
  auto again = fuseKernels(*module, target, strategy);
  if (!again)
    return fail(llvm::toString(again.takeError()));
  std::vector<std::string> after = describeKernels(function);
  return after == before || fail("made again, kernels change");
}

/// Kernels and names do not depend on the order of the file.
bool KernelChecker::checkOrder() {
  ModuleOp original = *graph.module;
  std::vector<std::string> kernels[2];
  for (bool isReordered : {false, true}) {
    OwningOpRef<ModuleOp> module = original.clone();
    func::FuncOp function = llvm::cantFail(getGraph(*module));
    eraseUnused(function);
    if (isReordered)
      reorder(function);
    auto result = fuseKernels(*module, target);
    if (!result)
      return fail(llvm::toString(result.takeError()));
    kernels[isReordered] = describeKernels(function);
    llvm::sort(kernels[isReordered]);
  }
  return kernels[0] == kernels[1] || fail("kernels depend on the file's order");
}

std::string KernelChecker::run() {
  auto outputs = execute(*graph.module, graph.inputs);
  if (!outputs)
    return "cannot be run: " + llvm::toString(outputs.takeError());
  expected = std::move(*outputs);
  for (KernelStrategy strategy :
       {KernelStrategy::Greedy, KernelStrategy::Optimal})
    if (!check(strategy))
      return message;
  checkOrder();
  return message;
}

TEST(RandomGraphKernels, ComputeTheSame) {
  unsigned numFailed = 0;
  uint64_t numKernels = 0, numInBodies = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    KernelChecker checker(graph, seed);
    std::string message = checker.run();
    numKernels += checker.getNumKernels();
    numInBodies += checker.getNumInBodies();
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message;
    ScopedDiagnosticHandler silence(context.get(), [](Diagnostic &) {});
    graph = shrinkGraph(std::move(graph), [&](const RandomGraph &smaller) {
      std::string other = KernelChecker(smaller, seed).run();
      return !other.empty() && !StringRef(other).starts_with("cannot be run");
    });
    llvm::errs() << "seed " << seed << ": " << KernelChecker(graph, seed).run()
                 << "\n";
    (*graph.module)->print(llvm::errs());
    if (++numFailed == 3)
      return;
  }
  // There is something to check.
  EXPECT_GT(numKernels, 2 * numGraphs);
  EXPECT_GT(numInBodies, numGraphs / 20);
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
