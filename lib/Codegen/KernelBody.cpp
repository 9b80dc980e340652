//===- KernelBody.cpp - What a step consists of ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "inlay/IR/GroupKind.h"

using namespace inlay;
using namespace mlir;

bool inlay::hasCodeType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Type element = type ? type.getElementType() : Type();
  return type && type.hasStaticShape() && !type.getEncoding() &&
         (element.isF16() || element.isBF16() || element.isF32() ||
          element.isF64() || element.isInteger(1) || element.isInteger(8) ||
          element.isInteger(16) || element.isInteger(32) ||
          element.isInteger(64));
}

bool inlay::isNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1 &&
         value.getDefiningOp<ConstantOp>();
}

Value KernelBody::resolve(Value value) const {
  while (Value other = aliases.lookup(value))
    value = other;
  return value;
}

void KernelBody::addRead(Value value) {
  if (!isNumber(value) && readNumbers.try_emplace(value, reads.size()).second)
    reads.push_back(value);
}

/// An operator in a layout is its body, an identity is its operand.
bool KernelBody::addOp(Operation &op) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    addRead(constant);
    return true;
  }
  if (auto identity = dyn_cast<IdentityOp>(op)) {
    aliases[identity.getResult()] = resolve(identity.getInput());
    return true;
  }
  if (op.getNumRegions() != 0)
    return false;
  positions[&op] = ops.size();
  ops.push_back(&op);
  return true;
}

bool KernelBody::addOps(Block &block) {
  for (Operation &op : block.without_terminator()) {
    auto inLayout = dyn_cast<InLayoutOp>(op);
    if (!inLayout) {
      if (!addOp(op))
        return false;
      continue;
    }
    Block &inner = inLayout.getBody().front();
    for (auto [argument, operand] :
         llvm::zip_equal(inner.getArguments(), inLayout.getInputs()))
      aliases[argument] = resolve(operand);
    if (!llvm::all_of(inner.without_terminator(),
                      [&](Operation &own) { return addOp(own); }))
      return false;
    for (auto [result, value] : llvm::zip_equal(
             inLayout.getOutputs(), inner.getTerminator()->getOperands()))
      aliases[result] = resolve(value);
  }
  return true;
}

std::optional<KernelBody> KernelBody::get(Operation *step) {
  KernelBody body;
  auto group = dyn_cast<GroupOp>(step);
  auto inLayout = dyn_cast<InLayoutOp>(step);
  if (group && getKind(group) != GroupKind::Kernel)
    return std::nullopt;
  SmallVector<Value> inputs =
      group ? group.getInputs() : SmallVector<Value>(step->getOperands());
  for (Value input : inputs)
    body.addRead(input);
  Block *block = group ? &group.getBody().front() : nullptr;
  if (inLayout) {
    block = &inLayout.getBody().front();
    for (auto [argument, operand] :
         llvm::zip_equal(block->getArguments(), inLayout.getInputs()))
      body.aliases[argument] = operand;
  }
  if (block ? !body.addOps(*block) : !body.addOp(*step))
    return std::nullopt;
  ValueRange yielded = block ? ValueRange(block->getTerminator()->getOperands())
                             : ValueRange(step->getResults());
  for (auto [result, value] : llvm::zip_equal(step->getResults(), yielded)) {
    if (result.use_empty())
      continue;
    body.results.push_back(result);
    body.yielded.push_back(body.resolve(value));
  }
  return body;
}

std::optional<KernelBody> KernelBody::get(Block &block, ValueRange results) {
  KernelBody body;
  for (Value argument : block.getArguments())
    body.addRead(argument);
  if (!body.addOps(block))
    return std::nullopt;
  llvm::append_range(body.results, results);
  for (Value value : block.getTerminator()->getOperands())
    body.yielded.push_back(body.resolve(value));
  return body;
}
