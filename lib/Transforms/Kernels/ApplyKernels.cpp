//===- ApplyKernels.cpp - From a plan to kernels --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApplyKernels.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/Kernels.h"
#include "mlir/IR/IRMapping.h"

using namespace inlay;
using namespace mlir;

static bool isView(Operation *op) {
  auto fusion = dyn_cast_if_present<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::View &&
         op->getNumResults() == 1 && op->getNumOperands() != 0 &&
         !isa<ExpandedOp>(op);
}

/// Copies the views between an operation and what they are of in front of it.
void KernelBuilder::copyViews(Operation *op, IRMapping &copies) {
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<Operation *> views;
    Operation *view = operand.get().getDefiningOp();
    while (isView(view) && view->getBlock() == &block &&
           !copies.contains(view->getResult(0))) {
      views.push_back(view);
      view = view->getOperand(0).getDefiningOp();
    }
    OpBuilder builder(op);
    for (Operation *each : llvm::reverse(views)) {
      builder.clone(*each, copies);
      copied.insert(each);
    }
    operand.set(copies.lookupOrDefault(operand.get()));
  }
}

void KernelBuilder::build(ArrayRef<Operation *> ops, StringRef name,
                          GroupKind kind) {
  Builder builder(block.getParentOp()->getContext());
  GroupOp group = groupOperations(ops, target, name, builder.getArrayAttr({}));
  IRMapping copies;
  // Views outside see what the kernel gives out.
  for (auto [result, value] :
       llvm::zip_equal(group.getOutputs(), group.getYielded()))
    copies.map(result, value);
  for (Operation *op : ops)
    copyViews(op, copies);
  group.setCluster(kind == GroupKind::Cluster);
  if (kind == GroupKind::Kernel)
    setKernel(group);
  groups.push_back(group);
}

void KernelBuilder::finish() {
  // A view of a view comes after it.
  for (bool changed = true; changed;) {
    changed = false;
    copied.remove_if([&](Operation *view) {
      if (!view->use_empty())
        return false;
      view->erase();
      changed = true;
      return true;
    });
  }
  // A composite operator stands somewhere among what its basic ones were.
  for (GroupOp group : groups) {
    sortBlock(group.getBody().front());
    dropUnusedResults(group);
  }
  sortBlock(block);
  for (GroupOp group : block.getOps<GroupOp>())
    updateKernels(group);
}
