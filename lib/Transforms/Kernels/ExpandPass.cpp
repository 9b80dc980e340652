//===- ExpandPass.cpp - The pass inlay-expand -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find the composite operators, in program order.
// 2. Build the expansion of each in front of it, and join or replace it.
// 3. Replace composite operators of the expansion until there are none.
// 4. Mark the composite operators that the opset lacks, unless all is replaced.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Expansion.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/KernelFusion/KernelGraph.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Transforms/Kernels/LowerOpset.h"
#include "inlay/Transforms/Kernels/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace inlay {
#define GEN_PASS_DEF_EXPANDCOMPOSITES
#include "inlay/Transforms/Kernels/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

/// Joins the results of an operator with what its expansion makes of them.
static ExpandedOp join(Expansion &expansion) {
  Operation *op = expansion.getOperation();
  SmallVector<Value> composite, basic;
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), expansion.getResults()))
    if (value) {
      composite.push_back(result);
      basic.push_back(value);
    }
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto joined = builder.create<ExpandedOp>(
      op->getLoc(), ValueRange(composite).getTypes(), composite, basic);
  for (auto [result, output] : llvm::zip_equal(composite, joined.getOutputs()))
    result.replaceAllUsesExcept(output, joined);
  return joined;
}

namespace {
struct ExpandCompositesPass final
    : inlay::impl::ExpandCompositesBase<ExpandCompositesPass> {
  using ExpandCompositesBase::ExpandCompositesBase;

  void runOnOperation() override {
    if (failed(readNames(native, isNative)) || failed(readNames(also, isAlso)))
      return signalPassFailure();
    numExpansions = 0;
    auto module = getOperation()->getParentOfType<ModuleOp>();
    opset = module ? getOpset(module) : 0;
    bool isDone = hasKernels(getOperation());
    if (!replace && (isDone || isModuleFinished(getOperation())))
      return;
    for (Operation *op : findComposites())
      expandOne(op);
    if (!replace && opset != 0)
      getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
        markIfLacking(op);
        return isFinished(op) ? WalkResult::skip() : WalkResult::advance();
      });
  }

private:
  LogicalResult readNames(ArrayRef<std::string> names, llvm::StringSet<> &set) {
    for (const std::string &name : names) {
      if (!llvm::is_contained(getOnnxOpTypes(), name))
        return getOperation().emitError()
               << "there is no operator '" << name << "'";
      set.insert(name);
    }
    return success();
  }

  bool isRequested(Operation *op) const {
    if (isAlso.empty() || !isAlso.contains(getOnnxOpType(op)))
      return false;
    return !elementwise || cast<FusionOpInterface>(op).getFusionClass() ==
                               FusionClass::Elementwise;
  }

  /// An operator without users has nothing to expand to.
  bool isToBeExpanded(Operation *op) const {
    if (!isComposite(op) || op->use_empty())
      return false;
    if (!isNative.empty() && isNative.contains(getOnnxOpType(op)))
      return false;
    if (all || isRequested(op))
      return true;
    return !onlyNamed &&
           cast<FusionOpInterface>(op).getFusionClass() == FusionClass::Opaque;
  }

  SmallVector<Operation *, 0> findComposites() {
    SmallVector<Operation *, 0> found;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isFinished(op))
        return WalkResult::skip();
      if (isToBeExpanded(op))
        found.push_back(op);
      return WalkResult::advance();
    });
    return found;
  }

  /// Why the opset has no nodes for what an expansion consists of.
  llvm::Error checkSteps(const Expansion &expansion) const {
    for (Operation *step : expansion.getOperations())
      if (opset != 0 && !isa<ConstantOp>(step))
        if (auto count = countLoweredNodes(step, opset); !count)
          return count.takeError();
    return llvm::Error::success();
  }

  /// Expands what the opset can say; `isSilent`: what it cannot say stays
  /// without a word.
  bool tryExpand(Expansion &expansion, bool isSilent = false) const {
    if (failed(expand(expansion)))
      return false;
    llvm::Error fault = checkSteps(expansion);
    if (!fault)
      return true;
    expansion.discard();
    Operation *op = expansion.getOperation();
    std::string reason = llvm::toString(std::move(fault));
    if (!isSilent)
      op->emitRemark() << "node '" << getNodeName(op) << "' ("
                       << getOnnxOpType(op) << ") stays whole: " << reason;
    return false;
  }

  void expandOne(Operation *op) {
    Expansion expansion(op, isRequested(op));
    if (!tryExpand(expansion))
      return;
    SmallVector<Operation *> work(expansion.getOperations()), steps;
    if (replace)
      replaceByExpansion(expansion);
    else
      steps.push_back(join(expansion));
    while (!work.empty()) {
      Operation *step = work.pop_back_val();
      if (isa<ConstantOp>(step))
        continue;
      Expansion inner(step, isRequested(step));
      if (!isToBeExpanded(step) || !tryExpand(inner, /*isSilent=*/true)) {
        steps.push_back(step);
        continue;
      }
      work.append(inner.getOperations().begin(), inner.getOperations().end());
      replaceByExpansion(inner);
    }
    if (replace)
      return;
    Builder builder(&getContext());
    IntegerAttr number = builder.getI64IntegerAttr(numExpansions++);
    for (Operation *step : steps)
      step->setAttr(expansionAttr, number);
  }

  /// Kernels are made without asking what nodes there are.
  void markIfLacking(Operation *op) {
    if (!isComposite(op))
      return;
    llvm::Error fault = checkExpressible(op, opset);
    if (fault)
      op->setAttr(lackingAttr, UnitAttr::get(&getContext()));
    llvm::consumeError(std::move(fault));
  }

  llvm::StringSet<> isNative, isAlso;
  int64_t numExpansions = 0;
  /// That what is expanded is written in; 0 for any.
  unsigned opset = 0;
};
} // namespace
