//===- LowerOpset.cpp - Operators that the opset has ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Kernels/LowerOpset.h"
#include "inlay/IR/Expansion.h"
#include "inlay/IR/Groups.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Kernels/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_LOWEROPSET
#include "inlay/Transforms/Kernels/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

/// Before, operators did not broadcast alike, and nothing could select.
static constexpr unsigned minExpansionOpset = 9;

/// Errors that are listed; the others are counted.
static constexpr size_t maxFaults = 10;

/// The operators of a group, which its stages are listed for.
static bool isListed(Operation &op) {
  return !isa<ConstantOp>(op) && !op.hasTrait<OpTrait::IsTerminator>();
}

/// What stood for `op` in the list of its group stands for the last of the
/// operators that replace it; the others came along.
static void updateStages(Expansion &expansion) {
  Operation *op = expansion.getOperation();
  auto group = dyn_cast<GroupOp>(op->getParentOp());
  if (!group || group.getStages().empty())
    return;
  SmallVector<Attribute> stages;
  auto own = group.getStages().begin(), end = group.getStages().end();
  size_t numSteps = llvm::count_if(expansion.getOperations(),
                                   [](Operation *s) { return isListed(*s); });
  for (Operation &each : *op->getBlock()) {
    if (!isListed(each) || llvm::is_contained(expansion.getOperations(), &each))
      continue;
    if (own == end)
      return;
    if (&each == op)
      stages.append(numSteps - 1, StringAttr::get(op->getContext(), ""));
    stages.push_back(*own++);
  }
  group.setStagesAttr(ArrayAttr::get(op->getContext(), stages));
}

namespace {
class OpsetLowerer {
public:
  explicit OpsetLowerer(ModuleOp module)
      : module(module), opset(getOpset(module)) {}

  llvm::Expected<unsigned> run();

private:
  void visit(Operation *op);
  llvm::Error takeFaults();

  ModuleOp module;
  unsigned opset;
  unsigned numLowered = 0;
  SmallVector<Operation *> work;
  std::vector<std::string> faults;
};
} // namespace

void OpsetLowerer::visit(Operation *op) {
  llvm::Error fault = checkExpressible(op, opset);
  if (!fault)
    return;
  auto fail = [&](const Twine &reason) {
    faults.push_back(llvm::toString(std::move(fault)) + "; " + reason.str());
  };
  if (!isComposite(op))
    return fail("it consists of no others");
  if (opset < minExpansionOpset)
    return fail("what it consists of needs opset " + Twine(minExpansionOpset));
  Expansion expansion(op, /*isRequested=*/true);
  if (failed(expand(expansion)))
    return fail("what it consists of depends on a type that is unknown");
  llvm::consumeError(std::move(fault));
  ++numLowered;
  updateStages(expansion);
  ArrayRef<Operation *> steps = expansion.getOperations();
  work.append(steps.begin(), steps.end());
  replaceByExpansion(expansion);
}

llvm::Error OpsetLowerer::takeFaults() {
  if (faults.empty())
    return llvm::Error::success();
  std::string all;
  for (size_t i = 0; i < std::min(faults.size(), maxFaults); ++i)
    all += (i ? "\n" : "") + faults[i];
  if (faults.size() > maxFaults)
    all += "\n... and " + std::to_string(faults.size() - maxFaults) + " more";
  return unsupportedError(all);
}

llvm::Expected<unsigned> OpsetLowerer::run() {
  if (opset == 0)
    return 0;
  SmallVector<Operation *, 0> all;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  for (Operation *op : all) {
    work.push_back(op);
    while (!work.empty())
      visit(work.pop_back_val());
  }
  if (llvm::Error error = takeFaults())
    return std::move(error);
  if (numLowered != 0)
    hoistConstants(module.getBodyRegion());
  return numLowered;
}

llvm::Expected<unsigned> inlay::lowerToOpset(ModuleOp module) {
  return OpsetLowerer(module).run();
}

namespace {
struct LowerOpsetPass final : inlay::impl::LowerOpsetBase<LowerOpsetPass> {
  void runOnOperation() override {
    auto lowered = lowerToOpset(getOperation());
    if (lowered)
      return;
    getOperation().emitError() << llvm::toString(lowered.takeError());
    signalPassFailure();
  }
};
} // namespace
