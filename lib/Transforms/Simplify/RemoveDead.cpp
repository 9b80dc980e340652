//===- RemoveDead.cpp - Removing what nothing uses ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "inlay/IR/Groups.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

/// Whether leaving the operation out changes nothing when nobody uses its
/// results. ONNX's own operators have no effect but their outputs, also those
/// that are not modelled or random; of others nothing is known, unless they
/// say so themselves.
static bool isRemovable(Operation *op) {
  if (auto opaque = dyn_cast<OpaqueOp>(op))
    return opaque.getDomain().empty() || opaque.getDomain() == "inlay";
  if (isa<DropoutOp>(op))
    return true;
  return wouldOpBeTriviallyDead(op);
}

bool simplify::removeDead(func::FuncOp function, State &state) {
  bool changed = false;
  llvm::SmallVector<Operation *, 0> order = getProgramOrder(function.getBody());
  // Users come after producers, so one sweep from the end finds all.
  for (Operation *op : llvm::reverse(order)) {
    if (auto group = dyn_cast<GroupOp>(op); group && !op->use_empty()) {
      changed |= dropUnusedResults(group);
      continue;
    }
    if (!op->use_empty() || !isRemovable(op))
      continue;
    state.removed.add(op, state.folded.contains(op)
                              ? "computed at compile time"
                              : "nothing uses its results");
    state.folded.erase(op);
    op->erase();
    changed = true;
  }
  return changed;
}
