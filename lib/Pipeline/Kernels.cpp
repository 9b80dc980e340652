//===- Kernels.cpp - Kernels of what no pipeline takes --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Kernels.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Passes.h"
#include "inlay/Transforms/Kernels/Kernels.h"
#include "inlay/Transforms/Kernels/Passes.h"

using namespace inlay;
using namespace mlir;

static llvm::Error expandComposites(ModuleOp module,
                                    const KernelTarget &target) {
  ExpandCompositesOptions options;
  options.native = target.native;
  PassManager passes(module->getName());
  passes.addNestedPass<func::FuncOp>(createExpandComposites(options));
  return runPasses(module, passes);
}

/// Beyond this, lists of kernels and edges are not kept: nobody reads them.
static constexpr size_t maxDescribedOps = 50'000;

llvm::Expected<std::optional<KernelResult>>
inlay::fuseKernels(ModuleOp module, const Target &target,
                   const GraphKernelOptions &options) {
  if (!options.isEnabled)
    return std::nullopt;
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  if (llvm::Error error = expandComposites(module, target.kernels))
    return std::move(error);
  KernelOptions kernels;
  kernels.strategy = options.strategy;
  kernels.describe =
      options.describes &&
      graph->getBody().front().getOperations().size() <= maxDescribedOps;
  auto result = reconstructKernels(*graph, target, kernels);
  if (!result)
    return result.takeError();
  return std::move(*result);
}
