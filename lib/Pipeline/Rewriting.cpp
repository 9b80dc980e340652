//===- Rewriting.cpp - Rewriting a model by equations ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Rewriting.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Fusion.h"

using namespace inlay;

llvm::Expected<RewriteResult>
inlay::rewriteGraph(mlir::ModuleOp module, const Target &target,
                    const RewriteOptions &options) {
  if (options.isNone() || isFused(module))
    return RewriteResult();
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  RemovedNodes removed;
  RewriteResult result = rewriteModel(*graph, options, target, removed);
  removed.write(module);
  return result;
}

void inlay::addRewrites(const RewriteResult &result, Report &report) {
  report.addField("num_rewrites", "", Cell::count(result.getTotal()));
  Table table({{"name", ""}, {"count", "applied"}});
  for (auto [rewrite, count] : llvm::zip(getRewrites(), result.counts))
    if (count != 0)
      table.addRow({Cell::text(rewrite.name), Cell::count(count)});
  report.addTable("rewrites", "rewrites", table, TableForm::ByRow);
}

Report inlay::listRewrites() {
  Report report;
  Table table({{"name", "name"}, {"equation", "equation"}});
  for (const Rewrite &rewrite : getRewrites())
    table.addRow({Cell::text(rewrite.name), Cell::text(rewrite.equation)});
  report.addTable("rewrites", "rewrites", table, TableForm::ByRow);
  return report;
}
