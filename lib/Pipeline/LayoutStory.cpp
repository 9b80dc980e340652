//===- LayoutStory.cpp - How layouts came to be ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutStory.h"
#include "RelayoutDemands.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"

using namespace inlay;
using namespace mlir;

static void tellRelayouts(const LayoutGraph &graph, const Solution &solution,
                          LayoutStory &story) {
  DemandFinder demands(graph, solution);
  for (const Relayout &relayout : solution.relayouts) {
    const LayoutTensor &tensor = graph.getTensorOfNet(relayout.net);
    auto format = [&](LabelId label) {
      return formatOrder(tensor.value, graph.getOrders()[tensor.orders[label]]);
    };
    auto transpose = tensor.value.getDefiningOp<TransposeOp>();
    story.relayouts.push_back(
        {getValueName(tensor.value).str(),
         transpose ? getValueName(transpose.getInput()).str() : "",
         format(relayout.from), format(relayout.to),
         tensor.copyBytes[relayout.to], demands.findOfProducer(relayout.net),
         relayout.uses.empty() ? ""
                               : demands.findOfUse(relayout.uses.front())});
  }
}

/// Every tensor as its producer stores it; what `story` has of it is what that
/// is counted from.
static void tellOrders(const LayoutGraph &graph, const Solution &solution,
                       LayoutStory &story) {
  for (const LayoutTensor &tensor : graph.getTensors()) {
    StringRef name = getValueName(tensor.value);
    if (name.empty())
      continue;
    LabelId label = 0;
    if (tensor.net) {
      LayoutPort port = graph.getProblem().getProducer(*tensor.net);
      label = port.labelOfState[solution.states[port.var]];
    }
    // A constant is stored as whoever reads it likes.
    if (label >= tensor.orders.size())
      continue;
    auto [it, isNew] = story.orders.try_emplace(name);
    if (isNew || label != 0)
      it->second =
          (isNew ? "" : it->second + ", then ") +
          formatOrder(tensor.value, graph.getOrders()[tensor.orders[label]]);
  }
}

/// Every tensor as the model stores it.
static void tellOrders(const LayoutGraph &graph, LayoutStory &story) {
  for (const LayoutTensor &tensor : graph.getTensors())
    if (StringRef name = getValueName(tensor.value); !name.empty())
      story.ordersBefore[name] = formatOrder(tensor.value, {});
}

/// What the strategies that take one round make of the graph.
static Solution solveAtOnce(const LayoutGraph &graph, LayoutStrategy strategy) {
  return cancelRelayouts(
      graph, strategy == LayoutStrategy::PerOp    ? solvePerOp(graph)
             : strategy == LayoutStrategy::Region ? solveRegion(graph)
                                                  : solveRegionPlus(graph));
}

/// The orders that the first of several rounds chose.
static llvm::Error tellFirstRound(ModuleOp module, const Target &target,
                                  const LayoutOptions &options,
                                  LayoutStory &story) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto question = askLayouts(*copy, target, options);
  if (!question)
    return question.takeError();
  TransposeCopies copies;
  SolvedLayouts solved =
      solveSeparately(question->func, target, question->options, copies);
  tellOrders(*solved.graph, solved.result.solution, story);
  return llvm::Error::success();
}

llvm::Expected<LayoutStory> inlay::tellLayouts(ModuleOp module,
                                               const Target &target,
                                               const PresetResult &layouts,
                                               const LayoutOptions &options) {
  // The other strategies see the model as it is.
  OwningOpRef<ModuleOp> given = module.clone();
  auto question = askLayouts(*given, target, options);
  if (!question)
    return question.takeError();
  LayoutGraph graph(question->func, target, getOnnxOpType, question->options);
  LayoutStory story;
  tellOrders(graph, story);
  if (layouts.round > 1)
    if (llvm::Error error = tellFirstRound(module, target, options, story))
      return error;
  LayoutOptions rest = options;
  if (llvm::Error error = takeRounds(module, target, layouts, rest))
    return error;
  auto last = askLayouts(module, target, rest);
  if (!last)
    return last.takeError();
  TransposeCopies copies;
  SolvedLayouts solved =
      solveSeparately(last->func, target, last->options, copies);
  bool isOptimal = options.strategy == LayoutStrategy::Optimal;
  const LayoutGraph &own = isOptimal ? *solved.graph : graph;
  Solution solution =
      isOptimal ? solved.result.solution : solveAtOnce(graph, options.strategy);
  tellOrders(own, solution, story);
  tellRelayouts(own, solution, story);
  story.strategies = compareStrategies(graph, *solved.graph, solved.result);
  story.certificate = solved.result.certificate;
  return story;
}
