//===- Reconstruct.cpp - From plans to kernels ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApplyKernels.h"
#include "KernelMarks.h"
#include "inlay/Analysis/NeedOrder.h"
#include "inlay/IR/Expansion.h"
#include "inlay/IR/Kernels.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Kernels/Kernels.h"
#include <map>

using namespace inlay;
using namespace mlir;

namespace {
/// A composite operator beside what it consists of.
struct Expanded {
  ExpandedOp marker;
  SmallVector<Operation *> basic;
};
} // namespace

/// Decides for the composite operator or for the basic ones.
static void resolve(const Expanded &expanded) {
  ExpandedOp marker = expanded.marker;
  Operation *composite = marker.getComposite().front().getDefiningOp();
  bool isWhole = marker->hasAttr(wholeAttr);
  marker->replaceAllUsesWith(isWhole ? marker.getComposite()
                                     : marker.getBasic());
  marker->erase();
  if (!isWhole) {
    if (composite && composite->use_empty())
      composite->erase();
    for (Operation *op : expanded.basic)
      op->removeAttr(expansionAttr);
    return;
  }
  // Users first; what somebody else uses stays.
  for (Operation *op : llvm::reverse(expanded.basic))
    if (op->use_empty())
      op->erase();
}

/// By number, so that the order is always the same.
static std::map<int64_t, Expanded> findExpanded(Block &block) {
  std::map<int64_t, Expanded> found;
  for (Operation &op : block) {
    auto number = op.getAttrOfType<IntegerAttr>(expansionAttr);
    if (!number)
      continue;
    Expanded &own = found[number.getInt()];
    if (auto marker = dyn_cast<ExpandedOp>(op))
      own.marker = marker;
    else
      own.basic.push_back(&op);
  }
  return found;
}

/// Whoever planned the kernel and whoever makes it see the same operators.
static llvm::Error checkClass(const PlannedKernel &kernel) {
  StringRef found = getName(getKernelClass(kernel.ops));
  if (found == kernel.kind)
    return llvm::Error::success();
  return modelError("'" + kernel.name + "' is planned as a kernel of class '" +
                    kernel.kind + "', its operators make one of class '" +
                    found + "'");
}

llvm::Error inlay::makePlannedKernels(func::FuncOp func, const Target &target) {
  if (func.isExternal() || !hasKernelMarks(func))
    return llvm::Error::success();
  std::vector<Block *> blocks = findBodies(func.getBody().front());
  for (Block *block : blocks)
    for (const auto &[number, expanded] : findExpanded(*block))
      if (expanded.marker)
        resolve(expanded);
  auto kernels = KernelMarks::take(func);
  if (!kernels)
    return kernels.takeError();
  llvm::DenseMap<Block *, SmallVector<const PlannedKernel *>> own;
  for (const PlannedKernel &kernel : *kernels) {
    if (kernel.ops.empty())
      continue;
    if (llvm::Error error = checkClass(kernel))
      return error;
    own[kernel.ops.front()->getBlock()].push_back(&kernel);
  }
  for (Block *block : blocks) {
    KernelBuilder builder(*block, target.name);
    for (const PlannedKernel *kernel : own.lookup(block))
      builder.build(kernel->ops, kernel->name, GroupKind::Kernel);
    builder.finish();
  }
  return llvm::Error::success();
}
