//===- Simplify.cpp - The simplification pass -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldPlan.h"
#include "Steps.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Kernels.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace inlay {
#define GEN_PASS_DEF_SIMPLIFY
#include "inlay/Transforms/Simplify/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

llvm::SmallVector<Operation *, 0> simplify::getProgramOrder(Region &region) {
  llvm::SmallVector<Operation *, 0> order;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) { order.push_back(op); });
  return order;
}

//===----------------------------------------------------------------------===//
// Operations that do nothing
//===----------------------------------------------------------------------===//

/// Replaces the results of `op` by operands where its folder says that they are
/// the same. A folder of this dialect never gives a value of another type.
static bool bypass(Operation *op, State &state) {
  if (isa<ConstantOp>(op) || op->getNumResults() == 0)
    return false;
  SmallVector<OpFoldResult> results;
  SmallVector<Attribute> unknown(op->getNumOperands());
  if (failed(op->fold(unknown, results)) || results.empty())
    return false;
  for (auto [result, replacement] :
       llvm::zip_equal(op->getResults(), results)) {
    auto value = dyn_cast_if_present<Value>(replacement);
    // A result that nobody uses may stand for itself.
    bool isOther = value && value != result;
    if (isOther ? value.getType() != result.getType() : !result.use_empty())
      return false;
  }
  for (auto [result, replacement] : llvm::zip_equal(op->getResults(), results))
    if (!result.use_empty())
      result.replaceAllUsesWith(cast<Value>(replacement));
  state.removed.add(op, "does nothing");
  op->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Branches that are known
//===----------------------------------------------------------------------===//

static std::optional<bool> getKnownCondition(IfOp op) {
  Attribute value = getConstantValue(op.getCond());
  if (!value || getByteSize(value) != 1)
    return std::nullopt;
  auto tensor = getHostTensor(value);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  return tensor->getInt(0) != 0;
}

/// Puts the branch that is taken in the place of the If.
static bool takeBranch(IfOp op, State &state) {
  std::optional<bool> condition = getKnownCondition(op);
  if (!condition)
    return false;
  Region &taken = *condition ? op.getThenBranch() : op.getElseBranch();
  Region &other = *condition ? op.getElseBranch() : op.getThenBranch();
  for (Operation &nested : other.front())
    state.removed.add(&nested, "in a branch that is never taken");
  for (OriginAttr origin : getOrigins(op->getLoc()))
    state.removed.add(origin, "its condition is constant");
  Operation *yield = taken.front().getTerminator();
  op->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         taken.front().getOperations());
  op->erase();
  return true;
}

FailureOr<bool> simplify::foldStructure(func::FuncOp function, State &state) {
  bool changed = false;
  // Branches are taken after the walk: taking one deletes operations of it.
  SmallVector<IfOp> branches;
  for (Operation *op : getProgramOrder(function.getBody())) {
    changed |= absorbConstantParameters(op);
    SmallVector<Type> before(op->getResultTypes());
    if (failed(refineResultTypes(op)))
      return failure();
    changed |= !llvm::equal(before, op->getResultTypes());
    if (auto branch = dyn_cast<IfOp>(op))
      branches.push_back(branch);
    else if (op->getNumRegions() == 0)
      changed |= bypass(op, state);
  }
  // Inner ones first, so that none is deleted before its turn.
  for (IfOp branch : llvm::reverse(branches))
    changed |= takeBranch(branch, state);
  return changed;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The function's result types are those of the values it returns.
static void updateFunctionType(func::FuncOp function) {
  Operation *end = function.getBody().front().getTerminator();
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             function.getArgumentTypes(),
                                             end->getOperandTypes()));
}

/// What a model took in a file before it was first simplified: an attribute of
/// the module, and metadata of a model that has grown since.
static constexpr char originalBytesName[] = "inlay.original_bytes";
/// By how much a small model may grow.
static constexpr uint64_t minGrowth = uint64_t(1) << 20;

/// What the metadata of a file say that the model took, if anything.
static std::optional<uint64_t> readOriginalBytes(ModuleOp module) {
  auto metadata = module->getAttrOfType<DictionaryAttr>(attrs::metadata);
  auto text =
      metadata ? metadata.getAs<StringAttr>(originalBytesName) : nullptr;
  uint64_t bytes = 0;
  if (!text || text.getValue().getAsInteger(10, bytes))
    return std::nullopt;
  return bytes;
}

/// The size that all runs of the pass go by, so that several do not add up. A
/// file may only say that the model was smaller.
static uint64_t noteOriginalBytes(ModuleOp module, uint64_t bytes) {
  if (auto noted = module->getAttrOfType<IntegerAttr>(originalBytesName))
    return noted.getValue().getLimitedValue();
  bytes = std::min(bytes, readOriginalBytes(module).value_or(bytes));
  Type type = IntegerType::get(module.getContext(), 64, IntegerType::Unsigned);
  module->setAttr(originalBytesName, IntegerAttr::get(type, bytes));
  return bytes;
}

/// Lets who compiles the result again go by the same size.
static void writeOriginalBytes(ModuleOp module, uint64_t bytes) {
  NamedAttrList metadata(
      module->getAttrOfType<DictionaryAttr>(attrs::metadata));
  metadata.set(originalBytesName,
               StringAttr::get(module.getContext(), llvm::Twine(bytes)));
  module->setAttr(attrs::metadata, metadata.getDictionary(module.getContext()));
}

namespace {
struct SimplifyPass final : inlay::impl::SimplifyBase<SimplifyPass> {
  using SimplifyBase::SimplifyBase;

  void runOnOperation() override {
    if (onlyIfNeeded && !getOperation()->hasAttr(unsimplifiedAttr))
      return;
    getOperation()->removeAttr(unsimplifiedAttr);
    State state;
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration())
        functions.push_back(function);
    if (!getOperation()->hasAttr(originalBytesName))
      for (func::FuncOp function : functions)
        removeDead(function, state);
    for (func::FuncOp function : functions)
      state.otherBytes += estimateFileBytes(function);
    uint64_t originalBytes =
        noteOriginalBytes(getOperation(), state.otherBytes);
    state.maxBytes = getMaxBytes(originalBytes);
    for (func::FuncOp function : functions) {
      state.otherBytes -= estimateFileBytes(function);
      if (failed(simplifyFunction(function, state)))
        return signalPassFailure();
      state.otherBytes += estimateFileBytes(function);
    }
    if (state.hasGrown)
      writeOriginalBytes(getOperation(), originalBytes);
    state.removed.write(getOperation());
  }

  /// What computed constants may make of a model of `bytes`.
  uint64_t getMaxBytes(uint64_t bytes) const {
    uint64_t growth = foldLimit >= 0
                          ? uint64_t(foldLimit)
                          : std::max<uint64_t>(minGrowth, bytes / 100);
    return llvm::SaturatingAdd(bytes, growth);
  }

  static LogicalResult simplifyFunction(func::FuncOp function, State &state) {
    bool changed = true;
    while (changed && !isCancelled()) {
      FailureOr<bool> structure = foldStructure(function, state);
      if (failed(structure))
        return failure();
      changed = *structure;
      changed |= foldConstants(function, state);
      changed |= simplifyExtents(function, state);
      changed |= mergeEqual(function, state);
      changed |= removeDead(function, state);
      changed |= inferRanks(function);
    }
    updateFunctionType(function);
    updateKernels(function);
    return success();
  }
};
} // namespace
