//===- Barriers.cpp - Operators that storage orders do not pass -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Transforms/Layout/Preset.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace inlay;
using namespace mlir;

/// An operator of the model that takes and gives row-major tensors only. What
/// control flow passes on is a matter of the operators in it.
static bool isBarrier(const LayoutGraph &graph, Operation *op) {
  return op && op->getNumRegions() == 0 && !isa<ConstantOp>(op) &&
         !op->hasTrait<OpTrait::IsTerminator>() && !graph.lookup(op);
}

std::vector<std::string> inlay::getBarriers(const LayoutGraph &graph) {
  std::set<std::string> types;
  auto add = [&](Operation *op) {
    if (isBarrier(graph, op))
      types.insert(getOnnxOpType(op));
  };
  for (const LayoutTensor &tensor : graph.getTensors()) {
    // Without a net it is row-major everywhere.
    if (!tensor.net)
      continue;
    add(tensor.value.getDefiningOp());
    for (Operation *user : tensor.value.getUsers())
      add(user);
  }
  return {types.begin(), types.end()};
}

//===----------------------------------------------------------------------===//
// What was not looked at
//===----------------------------------------------------------------------===//

namespace {
/// Tensors by the reason why nothing was looked for around them.
class UnsearchedCounter {
public:
  explicit UnsearchedCounter(const LayoutGraph &graph) : graph(graph) {}

  std::vector<Unsearched> run();

private:
  void count(const LayoutTensor &tensor);
  void countUnranked();

  const LayoutGraph &graph;
  llvm::MapVector<StringRef, Cost> found;
};
} // namespace

/// Why nothing else is looked for at an operation; empty where something is.
static StringRef getReason(const LayoutGraph &graph, Operation *op) {
  if (!op)
    return "";
  if (isa<OpaqueOp>(op))
    return "opaque nodes";
  if (isa<InLayoutOp, GroupOp>(op))
    return "operators in layouts chosen before";
  if (op->getNumRegions() != 0)
    return "values that subgraphs take, scan and return";
  if (graph.isInPattern(op))
    return "operators that stay together";
  return isBarrier(graph, op) ? "operators that are row-major only" : "";
}

void UnsearchedCounter::count(const LayoutTensor &tensor) {
  llvm::SmallSetVector<StringRef, 4> reasons;
  reasons.insert(getReason(graph, tensor.value.getDefiningOp()));
  for (Operation *user : tensor.value.getUsers())
    reasons.insert(getReason(graph, user));
  if (!graph.getOpenNets().empty() && graph.getOpenNets().test(*tensor.net))
    reasons.insert("orders beyond the limits");
  for (StringRef reason : reasons)
    if (!reason.empty())
      found[reason] += {tensor.bytes, 1};
}

void UnsearchedCounter::countUnranked() {
  graph.getFunction().walk([&](TransposeOp op) {
    if (!isa<RankedTensorType>(op.getInput().getType()))
      found["transposes of unknown rank"] += {0, 1};
  });
}

std::vector<Unsearched> UnsearchedCounter::run() {
  for (const LayoutTensor &tensor : graph.getTensors())
    if (tensor.net)
      count(tensor);
  countUnranked();
  std::vector<Unsearched> list;
  for (const auto &[what, tensors] : found)
    list.push_back({what.str(), tensors});
  return list;
}

std::vector<Unsearched> inlay::getUnsearched(const LayoutGraph &graph) {
  return UnsearchedCounter(graph).run();
}
