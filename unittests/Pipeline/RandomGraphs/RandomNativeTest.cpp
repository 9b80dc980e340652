//===- RandomNativeTest.cpp - Kernels of random graphs as code ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   inlay-random-native [COUNT [FIRST_SEED]]
//
// Makes kernels of random graphs and runs those that have code natively, on the
// operands that the executor gives them.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "Fitting.h"
#include "NativeChecker.h"
#include "ShrinkGraph.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Layouts.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 100, firstSeed = 1;
static constexpr unsigned graphSize = 25;
/// Errors of one kernel grow in those behind it.
static constexpr double programTolerance = 1e-4;

static llvm::Expected<OwningOpRef<ModuleOp>>
makeKernels(const RandomGraph &graph) {
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> module = original.clone();
  Target target = llvm::cantFail(loadKnownTarget("none"));
  auto result = fuseKernels(*module, target, KernelStrategy::Greedy);
  if (!result)
    return result.takeError();
  return module;
}

static std::string check(const RandomGraph &graph, NativeCounts &counts) {
  auto module = makeKernels(graph);
  if (!module)
    return "cannot be run: " + llvm::toString(module.takeError());
  return checkNative(**module, graph.inputs, counts, 8 * 0x1p-24);
}

/// Of these, one is run as a program.
static constexpr uint64_t programShare = 5;

static std::string checkAsProgram(const RandomGraph &graph) {
  auto module = makeKernels(graph);
  if (!module)
    return "cannot be run: " + llvm::toString(module.takeError());
  return checkProgram(**module, graph.inputs, programTolerance);
}

TEST(RandomNative, ComputesTheSame) {
  unsigned numFailed = 0;
  NativeCounts counts;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    std::string message = check(graph, counts);
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message;
    ScopedDiagnosticHandler silence(context.get(), [](Diagnostic &) {});
    graph = shrinkGraph(std::move(graph), [](const RandomGraph &smaller) {
      NativeCounts others;
      std::string other = check(smaller, others);
      return !other.empty() && !StringRef(other).starts_with("cannot be run");
    });
    (*graph.module)->print(llvm::errs());
    if (++numFailed == 3)
      return;
  }
  // There is something to check.
  EXPECT_GT(counts.native, 5 * numGraphs);
  llvm::outs() << counts.native << " of " << counts.steps
               << " steps have code\n";
}

TEST(RandomNative, RunsAsAProgram) {
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs;
       seed += programShare) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    std::string message = checkAsProgram(graph);
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message;
    ScopedDiagnosticHandler silence(context.get(), [](Diagnostic &) {});
    graph = shrinkGraph(std::move(graph), [&](const RandomGraph &smaller) {
      std::string other = checkAsProgram(smaller);
      return !other.empty() && !StringRef(other).starts_with("cannot be run");
    });
    (*graph.module)->print(llvm::errs());
  }
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
