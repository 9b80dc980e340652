//===- Fusion.cpp - Fitting a model to the pipeline of a target -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Fusion.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Hardware/Fuse.h"

using namespace inlay;
using namespace mlir;

/// "node 'cat' (Concat): reason", on a line of its own.
static std::string listNode(StringRef node, StringRef opType,
                            StringRef reason) {
  return ("\n  node '" + node + "' (" + opType + "): " + reason).str();
}

/// An error that lists `count` operators which `what`.
static llvm::Error refuse(const Twine &target, size_t count, StringRef what,
                          StringRef list) {
  return unsupportedError(
      "--strict: target '" + target + "' takes " + Twine(count) +
      (count == 1 ? " operator " : " operators ") + what + ":" + list);
}

llvm::Error inlay::checkStrict(const Target &target,
                               const FusionOptions &options) {
  if (!options.isStrict || !target.limits.empty() ||
      (target.dataFlow && options.strategy))
    return llvm::Error::success();
  return usageError(
      target.dataFlow
          ? Twine("--strict: nothing is refused with --fusion-strategy off")
          : "--strict: target '" + target.name +
                "' has no pipeline that could refuse an operator");
}

llvm::Expected<LegalizeResult>
inlay::legalize(ModuleOp module, const Target &target, bool isStrict) {
  if (target.limits.empty())
    return LegalizeResult();
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  LegalizeResult result = legalizeLimits(*graph, target);
  if (!isStrict || result.refusals.empty())
    return result;
  std::string list;
  for (const LegalizeResult::Refusal &refusal : result.refusals)
    list += listNode(getNodeName(refusal.op), getOnnxOpType(refusal.op),
                     refusal.reason);
  return refuse(target.name, result.refusals.size(), "only within its limits",
                list);
}

/// An error unless every operator of the model is in a group.
static llvm::Error checkAllTaken(const FusionResult &result) {
  std::string list;
  size_t count = 0;
  for (const UngroupedOp &op : result.ungrouped) {
    if (isArrangement(op.op))
      continue;
    ++count;
    list += listNode(op.node, op.opType, op.reason.text);
  }
  if (count == 0)
    return llvm::Error::success();
  return refuse(result.target, count, "in no form", list);
}

bool inlay::isFused(ModuleOp module) {
  return module.walk([](GroupOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool inlay::hasGroups(const Target &target, const FusionOptions &options) {
  return target.dataFlow && options.strategy;
}

llvm::Expected<std::optional<FusionResult>>
inlay::fuseOperators(ModuleOp module, const Target &target,
                     const FusionOptions &options) {
  if (!hasGroups(target, options) || isFused(module))
    return std::nullopt;
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  auto result = fuseHardware(
      *graph, target, {*options.strategy, /*describe=*/true, options.explains});
  if (!result)
    return result.takeError();
  if (options.isStrict)
    if (llvm::Error error = checkAllTaken(*result))
      return std::move(error);
  return std::move(*result);
}

llvm::Error inlay::recountBytes(ModuleOp module, const Target &target,
                                std::optional<FusionResult> &result) {
  if (!result)
    return llvm::Error::success();
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  measureGroups(*graph, target, *result);
  return llvm::Error::success();
}
