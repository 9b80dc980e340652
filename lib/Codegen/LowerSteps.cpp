//===- LowerSteps.cpp - Operators as several steps ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A composite operator is one kernel where a template takes all that it expands
// to. Others need memory between their parts: their expansion takes their place
// in the graph, so that its parts are steps like others.
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/LowerSteps.h"
#include "AttentionSteps.h"
#include "RunTimeParameters.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Expansion.h"
#include "inlay/IR/Groups.h"
#include "mlir/IR/IRMapping.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What follows from shapes
//===----------------------------------------------------------------------===//

/// The value of extents and what is computed of them; null for others.
static TypedAttr getKnownValue(Operation *op) {
  if (op->getNumResults() != 1 || isa<ConstantOp>(op))
    return {};
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.getElementType().isSignlessInteger(64) ||
      type.getRank() > 1 || !type.hasStaticShape())
    return {};
  MaybeInts ints = getKnownInts(result);
  if (!ints || llvm::is_contained(*ints, ShapedType::kDynamic) ||
      int64_t(ints->size()) != type.getNumElements())
    return {};
  return getConstantAttr(op->getContext(),
                         HostTensor::getInts(*ints).reshaped(type.getShape()));
}

static bool replaceByConstant(Operation *op) {
  TypedAttr value = getKnownValue(op);
  if (!value)
    return false;
  OpBuilder builder(op);
  op->getResult(0).replaceAllUsesWith(
      builder.create<ConstantOp>(op->getLoc(), value.getType(), value));
  op->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// What consists of parts
//===----------------------------------------------------------------------===//

static bool hasCode(Operation *op, const CodeTarget &target) {
  return isa<ConstantOp>(op) || hasKernelCode(op, target);
}

namespace {
/// An operator alone in a function of its operands; constants are inside.
struct LoneStep {
  explicit LoneStep(Operation *op);

  Block &getBlock() { return function.getBody().front(); }

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  /// Which operand each constant is a copy of.
  llvm::SmallDenseMap<Operation *, Value> constants;
  /// The operator's results that somebody uses.
  SmallVector<Value> results;
};
} // namespace

LoneStep::LoneStep(Operation *op) : module(ModuleOp::create(op->getLoc())) {
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  llvm::copy_if(op->getResults(), std::back_inserter(results),
                [](Value result) { return !result.use_empty(); });
  function = builder.create<func::FuncOp>(
      op->getLoc(), "step",
      builder.getFunctionType(op->getOperandTypes(),
                              TypeRange(ValueRange(results))));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  for (auto [operand, argument] :
       llvm::zip_equal(op->getOperands(), entry->getArguments())) {
    auto constant = operand.getDefiningOp<ConstantOp>();
    if (mapping.contains(operand))
      continue;
    if (!constant) {
      mapping.map(operand, argument);
      continue;
    }
    Operation *copy = builder.clone(*constant);
    constants[copy] = operand;
    mapping.map(operand, copy->getResult(0));
  }
  builder.clone(*op, mapping);
  SmallVector<Value> returned;
  for (Value result : results)
    returned.push_back(mapping.lookup(result));
  builder.create<func::ReturnOp>(op->getLoc(), returned);
}

/// Expands operators without code until all have some; false where one has
/// none.
static bool expandUntilCode(Block &block, const CodeTarget &target) {
  SmallVector<Operation *> pending;
  for (Operation &op : block.without_terminator())
    pending.push_back(&op);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    // Those that use it were here before.
    if (op->use_empty() && !isa<ConstantOp>(op)) {
      op->erase();
      continue;
    }
    if (replaceByConstant(op) || hasCode(op, target))
      continue;
    Expansion expansion(op, /*isRequested=*/true);
    if (failed(expand(expansion)))
      return false;
    llvm::append_range(pending, expansion.getOperations());
    replaceByExpansion(expansion);
  }
  return true;
}

/// Puts what the function computes behind the operator, and its results where
/// the operator's are used.
static void replaceByParts(Operation *op, LoneStep &step) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  IRMapping mapping;
  mapping.map(step.getBlock().getArguments(), op->getOperands());
  for (Operation &part : step.getBlock().without_terminator())
    if (Value operand = step.constants.lookup(&part))
      mapping.map(part.getResult(0), operand);
    else
      builder.clone(part, mapping);
  for (auto [result, value] : llvm::zip_equal(
           step.results, step.getBlock().getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  // It stays to say whether its parameters are good.
  if (!hasRunTimeParameters(op))
    op->erase();
}

static void lowerComposite(Operation *op, const CodeTarget &target) {
  if (hasCode(op, target))
    return;
  LoneStep step(op);
  if (expandUntilCode(step.getBlock(), target))
    replaceByParts(op, step);
}

void inlay::lowerSteps(func::FuncOp graph, const CodeTarget &target) {
  SmallVector<Operation *> steps;
  graph.walk([&](Operation *op) {
    if (op != graph && !isFinished(op->getParentOp()))
      steps.push_back(op);
  });
  for (Operation *op : steps)
    if (!replaceByConstant(op) && isComposite(op))
      lowerComposite(op, target);
  joinAttentions(graph, target);
}
