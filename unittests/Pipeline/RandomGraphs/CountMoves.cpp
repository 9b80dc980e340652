//===- CountMoves.cpp - What transposes move ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountMoves.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

static bool movesElements(TransposeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  SmallVector<int64_t> moved;
  if (type)
    for (int64_t dim : op.getPermutation())
      if (type.getDimSize(dim) != 1)
        moved.push_back(dim);
  return !llvm::is_sorted(moved);
}

Cost inlay::testing::countMoves(ModuleOp module) {
  Cost cost;
  module.walk([&](TransposeOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
    if (!type || !type.hasStaticShape() || !movesElements(op) ||
        op.use_empty() || type.getNumElements() == 0 ||
        op.getInput().getDefiningOp<ConstantOp>() ||
        op->getParentOfType<InLayoutOp>())
      return;
    uint64_t bits = type.getElementTypeBitWidth();
    cost += {llvm::divideCeil(type.getNumElements() * bits, 8), 1};
  });
  return cost;
}
