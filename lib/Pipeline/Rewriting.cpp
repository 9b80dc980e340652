//===- Rewriting.cpp - Rewriting a model by equations ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Rewriting.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Pipeline/Fusion.h"
#include "inlay/Transforms/Kernels/LowerOpset.h"

using namespace inlay;
using namespace mlir;

/// Runs after which rewrites that do not fit are switched off everywhere.
static constexpr unsigned maxLocalRuns = 8;

/// Why a chain cannot stay; nothing where it can.
static std::optional<std::string> findFault(const RewriteChain &chain,
                                            RewriteUse use) {
  if (llvm::none_of(chain.steps,
                    [](const RewriteStep &step) { return step.isLacking; }))
    return std::nullopt;
  unsigned numNodes = 0;
  for (Operation *op : chain.made) {
    if (isRefusedByRuntime(op, use.opset))
      return "ONNX Runtime refuses " + getOnnxOpType(op) + " in opset " +
             std::to_string(use.opset);
    auto count = countLoweredNodes(op, use.opset);
    if (!count)
      return llvm::toString(count.takeError());
    numNodes += *count;
  }
  if (!use.isPlain || numNodes < chain.numReplaced)
    return std::nullopt;
  return "opset " + std::to_string(use.opset) + " says it in " +
         std::to_string(numNodes) + " nodes, there were " +
         std::to_string(chain.numReplaced);
}

namespace {
/// Rewrites a module, and again without what does not fit its use.
class FittingRewriter {
public:
  FittingRewriter(ModuleOp module, const Target &target,
                  const RewriteOptions &options, RewriteUse use)
      : module(module), target(target), options(options), use(use) {
    limits.isLacking = [use](Operation *op) {
      llvm::Error fault = checkExpressible(op, use.opset);
      bool isLacking = bool(fault) || isRefusedByRuntime(op, use.opset);
      llvm::consumeError(std::move(fault));
      return isLacking;
    };
  }

  llvm::Expected<RewriteResult> run();

private:
  llvm::Expected<RewriteResult> runOnce();
  bool exclude(const RewriteResult &result);

  ModuleOp module;
  const Target &target;
  RewriteOptions options;
  RewriteUse use;
  RewriteLimits limits;
  RemovedNodes removed;
  std::vector<UndoneRewrite> undone;
  unsigned numRuns = 0;
};
} // namespace

llvm::Expected<RewriteResult> FittingRewriter::runOnce() {
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  removed = RemovedNodes();
  ++numRuns;
  return rewriteModel(*graph, options, target, removed, nullptr, limits);
}

/// Keeps the chains that do not fit from being made again; whether there were
/// any.
bool FittingRewriter::exclude(const RewriteResult &result) {
  bool isFitting = true;
  for (const RewriteChain &chain : result.chains) {
    std::optional<std::string> fault = findFault(chain, use);
    if (!fault)
      continue;
    isFitting = false;
    auto [rewrite, place] = chain.steps.back().place;
    OriginAttr origin = getFirstOrigin(place);
    undone.push_back({rewrite, origin ? origin.getName().str() : "", *fault});
    for (const RewriteStep &step : chain.steps)
      if (step.isLacking && numRuns < maxLocalRuns)
        limits.except.insert(step.place);
      else if (step.isLacking)
        options.isOn[step.place.first - getRewrites().data()] = false;
  }
  return !isFitting;
}

llvm::Expected<RewriteResult> FittingRewriter::run() {
  OwningOpRef<ModuleOp> original;
  if (use.opset != 0)
    original = cast<ModuleOp>(module->clone());
  auto result = runOnce();
  while (result && use.opset != 0 && exclude(*result)) {
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>((*original)->clone());
    module.getBodyRegion().takeBody(copy->getBodyRegion());
    result = runOnce();
  }
  if (!result)
    return result.takeError();
  removed.write(module);
  result->undone = std::move(undone);
  result->chains.clear();
  return result;
}

llvm::Expected<RewriteResult> inlay::rewriteGraph(ModuleOp module,
                                                  const Target &target,
                                                  const RewriteOptions &options,
                                                  RewriteUse use) {
  if (options.isNone() || isFused(module))
    return RewriteResult();
  return FittingRewriter(module, target, options, use).run();
}

/// One line per rewrite, with the first node of each.
static void addUndone(const RewriteResult &result, Report &report) {
  Table table({{"name", ""},
               {"count", "not taken"},
               {"node", "first at"},
               {"reason", "because"}});
  for (const Rewrite &rewrite : getRewrites()) {
    auto isOf = [&](const UndoneRewrite &undone) {
      return undone.rewrite == &rewrite;
    };
    auto first = llvm::find_if(result.undone, isOf);
    if (first == result.undone.end())
      continue;
    table.addRow({Cell::text(rewrite.name),
                  Cell::count(llvm::count_if(result.undone, isOf)),
                  Cell::text(first->node), Cell::text(first->reason)});
  }
  report.addTable("undone_rewrites", "rewrites not taken", table);
}

void inlay::addRewrites(const RewriteResult &result, Report &report) {
  report.addField("num_rewrites", "", Cell::count(result.getTotal()));
  Table table({{"name", ""}, {"count", "applied"}});
  for (auto [rewrite, count] : llvm::zip(getRewrites(), result.counts))
    if (count != 0)
      table.addRow({Cell::text(rewrite.name), Cell::count(count)});
  report.addTable("rewrites", "rewrites", table, TableForm::ByRow);
  if (!result.undone.empty())
    addUndone(result, report);
}

Report inlay::listRewrites() {
  Report report;
  Table table({{"name", "name"}, {"equation", "equation"}});
  for (const Rewrite &rewrite : getRewrites())
    table.addRow({Cell::text(rewrite.name), Cell::text(rewrite.equation)});
  report.addTable("rewrites", "rewrites", table, TableForm::ByRow);
  return report;
}
