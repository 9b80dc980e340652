//===- LowerOpset.cpp - Operators that the opset has ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Kernels/LowerOpset.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/Expansion.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/Kernels.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Kernels/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_LOWEROPSET
#include "inlay/Transforms/Kernels/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

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

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// Whether simplification computes the operation.
static bool isConstant(Operation *op) {
  return op->getNumOperands() != 0 &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return operand.getDefiningOp<ConstantOp>();
         });
}

static bool hasStaticTypes(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
}

static llvm::Error addReason(llvm::Error fault, const Twine &reason) {
  return unsupportedError(llvm::toString(std::move(fault)) + "; " + reason);
}

namespace {
/// Builds what operators consist of, for as long as it is looked at.
class TrialExpansion {
public:
  explicit TrialExpansion(unsigned opset) : opset(opset) {}
  ~TrialExpansion() {
    for (auto &expansion : llvm::reverse(expansions))
      expansion->discard();
  }

  llvm::Expected<unsigned> count(Operation *op);

private:
  llvm::Error expandInto(Operation *op, llvm::Error fault,
                         SmallVectorImpl<Operation *> &work);

  unsigned opset;
  std::vector<std::unique_ptr<Expansion>> expansions;
};
} // namespace

/// Adds what `op` consists of, which the opset lacks for the reason `fault`, to
/// `work`.
llvm::Error TrialExpansion::expandInto(Operation *op, llvm::Error fault,
                                       SmallVectorImpl<Operation *> &work) {
  if (!isComposite(op))
    return addReason(std::move(fault), "it consists of no others");
  auto expansion = std::make_unique<Expansion>(op, /*isRequested=*/true);
  if (failed(expand(*expansion)))
    return addReason(std::move(fault),
                     hasStaticTypes(op)
                         ? "it consists of no others"
                         : "what it consists of depends on a type that is "
                           "unknown");
  llvm::consumeError(std::move(fault));
  for (Operation *step : expansion->getOperations())
    if (!isa<ConstantOp>(step) && !isConstant(step))
      work.push_back(step);
  expansions.push_back(std::move(expansion));
  return llvm::Error::success();
}

llvm::Expected<unsigned> TrialExpansion::count(Operation *op) {
  unsigned numNodes = 0;
  SmallVector<Operation *> work = {op};
  while (!work.empty()) {
    Operation *step = work.pop_back_val();
    llvm::Error fault = checkExpressible(step, opset);
    if (!fault) {
      ++numNodes;
      continue;
    }
    if (llvm::Error error = expandInto(step, std::move(fault), work))
      return std::move(error);
  }
  return numNodes;
}

llvm::Expected<unsigned> inlay::countLoweredNodes(Operation *op,
                                                  unsigned opset) {
  return TrialExpansion(opset).count(op);
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

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
  // All of it can be said, or none of it is touched.
  auto numNodes = countLoweredNodes(op, opset);
  if (!numNodes) {
    std::string own = llvm::toString(std::move(fault));
    std::string inner = llvm::toString(numNodes.takeError());
    faults.push_back(StringRef(inner).starts_with(own) ? inner
                                                       : own + "; " + inner);
    return;
  }
  llvm::consumeError(std::move(fault));
  Expansion expansion(op, /*isRequested=*/true);
  LogicalResult isExpanded = expand(expansion);
  assert(succeeded(isExpanded) && "it was expanded before");
  (void)isExpanded;
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
  if (numLowered != 0) {
    hoistConstants(module.getBodyRegion());
    updateKernels(module);
  }
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
      return *lowered == 0 ? void() : note(*lowered);
    (void)reportError(getOperation(), lowered.takeError());
    signalPassFailure();
  }

private:
  /// Parts of an expansion may be constant.
  void note(unsigned numLowered) {
    Builder builder(&getContext());
    auto before = getOperation()->getAttrOfType<IntegerAttr>(loweredAttr);
    getOperation()->setAttr(
        loweredAttr,
        builder.getI64IntegerAttr((before ? before.getInt() : 0) + numLowered));
    getOperation()->setAttr(unsimplifiedAttr, builder.getUnitAttr());
  }
};
} // namespace
