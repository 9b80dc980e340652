//===- ExpandedStep.cpp - A step with composite operators expanded --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandedStep.h"
#include "Contraction.h"
#include "IndexMaps.h"
#include "Reductions.h"
#include "SoftmaxParts.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/IR/Expansion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace inlay;
using namespace mlir;

/// Expansions of expansions, at most.
static constexpr unsigned maxRounds = 8;

/// Whether an operator has to be expanded to have code. One that only moves
/// elements is read through.
static bool needsExpansion(Operation *op, ExpandedOps which) {
  if (!isComposite(op) || Reduction::get(op) || hasPieces(op) ||
      Contraction::get(op))
    return false;
  if (isa<SoftmaxOp>(op))
    return which != ExpandedOps::ButSoftmax;
  return which == ExpandedOps::All || !isa<ElementOpInterface>(op);
}

/// Expands all that needs it; false where nothing does, or something cannot be.
static bool expandAll(Operation *root, ExpandedOps which) {
  bool hasExpanded = false;
  for (unsigned round = 0; round < maxRounds; ++round) {
    SmallVector<Operation *> composites;
    root->walk([&](Operation *op) {
      if (needsExpansion(op, which))
        composites.push_back(op);
    });
    if (composites.empty())
      return hasExpanded;
    for (Operation *op : composites) {
      Expansion expansion(op, /*isRequested=*/true);
      if (failed(expand(expansion)))
        return false;
      replaceByExpansion(expansion);
    }
    hasExpanded = true;
  }
  return false;
}

/// A softmax divides each element of a row by the same number: one division for
/// all of them, and products. The number's reciprocal is neither denormal nor
/// infinite, so that this loses a rounding and nothing more.
static void multiplyByReciprocals(Operation *root) {
  root->walk([](DivOp op) {
    // Of some divisors not even the rank is known.
    Value divisor = op->getOperand(1);
    if (!getElementTypeOrSelf(divisor).isF32() || !isSumOfPowers(divisor))
      return;
    OpBuilder builder(op);
    Value inverse =
        builder.create<ReciprocalOp>(op.getLoc(), divisor.getType(), divisor);
    Value product = builder.create<MulOp>(
        op.getLoc(), op.getType(), ValueRange{op->getOperand(0), inverse});
    op.replaceAllUsesWith(product);
    op.erase();
  });
}

/// A function that computes what the step does of its arguments, but has its
/// numbers inside.
static func::FuncOp copyStep(Operation *step, ArrayRef<Value> reads,
                             ArrayRef<Value> results, ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  auto function = builder.create<func::FuncOp>(
      loc, "step",
      builder.getFunctionType(TypeRange(ValueRange(reads)),
                              TypeRange(ValueRange(results))));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapping.map(reads, entry->getArguments());
  auto group = dyn_cast<GroupOp>(step);
  SmallVector<Value> inputs =
      group ? group.getInputs() : SmallVector<Value>(step->getOperands());
  for (Value input : inputs)
    if (isNumber(input))
      mapping.map(input, builder.clone(*input.getDefiningOp())->getResult(0));
  if (group) {
    for (Operation &op : group.getBody().front().without_terminator())
      builder.clone(op, mapping);
    mapping.map(group.getOutputs(), group.getYielded());
  } else {
    builder.clone(*step, mapping);
  }
  SmallVector<Value> returned;
  for (Value result : results)
    returned.push_back(group ? mapping.lookup(mapping.lookup(result))
                             : mapping.lookup(result));
  builder.create<func::ReturnOp>(loc, returned);
  return function;
}

std::optional<ExpandedStep> ExpandedStep::get(Operation *step,
                                              ExpandedOps which) {
  std::optional<KernelBody> own = KernelBody::get(step);
  if (!own || llvm::none_of(own->ops, [&](Operation *op) {
        return needsExpansion(op, which);
      }))
    return std::nullopt;
  ExpandedStep expanded;
  expanded.reads = own->reads;
  expanded.results = own->results;
  // Constants of the step's body stay inside of the copy.
  llvm::erase_if(expanded.reads, [&](Value value) {
    Operation *constant = value.getDefiningOp();
    return constant && step->isProperAncestor(constant);
  });
  expanded.module = ModuleOp::create(step->getLoc());
  func::FuncOp function =
      copyStep(step, expanded.reads, expanded.results, *expanded.module);
  if (!expandAll(function, which))
    return std::nullopt;
  multiplyByReciprocals(function);
  std::optional<KernelBody> body =
      KernelBody::get(function.getBody().front(), expanded.results);
  // What it reads beside its arguments would be gone with the copy.
  if (!body || body->reads.size() != expanded.reads.size())
    return std::nullopt;
  expanded.body = std::move(*body);
  return expanded;
}
