//===- ConstantRanges.cpp - Between which numbers constants lie -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Constants.h"
#include "inlay/IR/FactInterfaces.h"
#include "inlay/Tensor/Dispatch.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

/// Numbers that are looked at to know the range of a constant, for each user.
static constexpr int64_t maxElements = 64;
/// Operators that a constant may go through before it is used.
static constexpr unsigned maxSteps = 8;

static std::optional<NumberRange> measure(Attribute constant) {
  auto typed = dyn_cast<TypedAttr>(constant);
  auto type = typed ? dyn_cast<RankedTensorType>(typed.getType()) : nullptr;
  if (!type || type.getNumElements() == 0 ||
      type.getNumElements() > maxElements)
    return std::nullopt;
  auto tensor = getHostTensor(constant);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  if (!isNumeric(tensor->getType()))
    return std::nullopt;
  std::vector<double> elements(tensor->getNumElements());
  loadElements(*tensor, 0, elements);
  if (llvm::any_of(elements, [](double each) { return std::isnan(each); }))
    return std::nullopt;
  auto [low, high] = std::minmax_element(elements.begin(), elements.end());
  return NumberRange{*low, *high};
}

/// Whether the elements of the result are those of the first operand.
static bool keepsElements(Operation *op) {
  auto classified = dyn_cast<FusionOpInterface>(op);
  if (!classified || op->getNumOperands() == 0)
    return false;
  FusionClass own = classified.getFusionClass();
  auto ranged = dyn_cast<ValueRangeOpInterface>(op);
  return own == FusionClass::View || own == FusionClass::Broadcast ||
         (ranged && ranged.keepsElements());
}

std::optional<NumberRange> inlay::getConstantRange(Value value) {
  for (unsigned i = 0; i < maxSteps; ++i) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (Attribute constant = getConstantValue(value))
      return measure(constant);
    if (auto filled = dyn_cast<ConstantOfShapeOp>(op))
      return filled.getValueAttr() ? measure(filled.getValueAttr())
                                   : NumberRange{0, 0};
    if (!keepsElements(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  return std::nullopt;
}
