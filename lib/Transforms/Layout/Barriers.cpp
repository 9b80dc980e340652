//===- Barriers.cpp - Operators that storage orders do not pass -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/InlayOps.h"
#include "inlay/ONNX/OpTypes.h"
#include "inlay/Transforms/Layout/Preset.h"
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
