//===- LayoutQuestion.cpp - What layouts are chosen of --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutQuestion.h"
#include "inlay/Analysis/OpTypeNamer.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/LayoutPasses.h"
#include "inlay/Pipeline/RunPasses.h"
#include "inlay/Transforms/Layout/IoLayouts.h"

using namespace inlay;
using namespace mlir;

llvm::Error inlay::takeRounds(ModuleOp module, const Target &target,
                              const PresetResult &layouts,
                              LayoutOptions &options) {
  if (layouts.round == 1)
    return llvm::Error::success();
  PassManager passes(module->getName());
  passes.enableVerifier(false);
  addSettleLayouts(passes, target, options, /*simplify=*/true,
                   /*foldLimit=*/-1, layouts.round - 1);
  options.ioLayouts.clear();
  return runPasses(module, passes);
}

llvm::Expected<LayoutQuestion> inlay::askLayouts(ModuleOp module,
                                                 const Target &target,
                                                 const LayoutOptions &options) {
  PassManager passes(module->getName());
  passes.enableVerifier(false);
  addLayoutTransmit(passes, RankOptions(target));
  if (llvm::Error error = runPasses(module, passes))
    return error;
  auto func = getGraph(module);
  if (!func)
    return func.takeError();
  LayoutQuestion question{*func, {}};
  question.options.objective = options.objective;
  if (llvm::Error error =
          addIoLayouts(*func, options.ioLayouts, question.options))
    return error;
  return question;
}

bool inlay::isPriced(const LayoutGraph &graph) {
  return graph.getTarget().costs != TargetCosts() ||
         graph.getFormCostAsGiven() != 0;
}

static StrategyCost measure(LayoutStrategy strategy, const LayoutGraph &graph,
                            const Solution &solution) {
  Solution cancelled = cancelRelayouts(graph, solution);
  return {strategy, countMoves(graph, solution.relayouts),
          countMoves(graph, cancelled.relayouts),
          computeCost(graph.getProblem(), cancelled).bytes};
}

std::vector<StrategyCost>
inlay::compareStrategies(const LayoutGraph &graph, const LayoutGraph &own,
                         const OptimalResult &optimal) {
  return {measure(LayoutStrategy::PerOp, graph, solvePerOp(graph)),
          measure(LayoutStrategy::Region, graph, solveRegion(graph)),
          measure(LayoutStrategy::RegionPlus, graph, solveRegionPlus(graph)),
          measure(LayoutStrategy::Optimal, own, optimal.solution)};
}
