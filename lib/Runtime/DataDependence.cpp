//===- DataDependence.cpp - What depends on the inputs' elements ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataDependence.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

DataDependence::DataDependence(func::FuncOp graph) {
  graph.walk([&](Block *block) {
    values.insert(block->getArguments().begin(), block->getArguments().end());
  });
  // Operations of a body come before the one that holds it.
  graph.walk<WalkOrder::PostOrder>([&](Operation *op) { add(op); });
}

bool DataDependence::isReadBy(Operation *op) const {
  // A group is what its operations are.
  if (isa<GroupOp>(op))
    return false;
  return op->getNumRegions() != 0 ||
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return contains(operand); });
}

void DataDependence::add(Operation *op) {
  if (isa<ShapeOp, SizeOp>(op))
    return;
  if (auto group = dyn_cast<GroupOp>(op)) {
    for (auto [result, value] :
         llvm::zip_equal(group.getResults(), group.getYielded()))
      if (contains(value))
        values.insert(result);
    return;
  }
  if (isReadBy(op))
    values.insert(op->result_begin(), op->result_end());
}
