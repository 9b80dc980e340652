//===- ValueRanges.cpp - Between which numbers values lie -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueRanges.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

static bool isTruth(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && tensor.getElementType().isInteger(1);
}

static bool isView(Operation *op) {
  auto classified = dyn_cast<FusionOpInterface>(op);
  return classified && classified.getFusionClass() == FusionClass::View &&
         op->getNumOperands() != 0;
}

/// What a subgraph yields, or what passes it by.
NumberRange ValueRanges::joinFlows(OpResult result) const {
  auto interface = dyn_cast<LayoutTransmitOpInterface>(result.getOwner());
  if (!interface)
    return {};
  std::optional<NumberRange> range;
  ControlFlow flow = interface.getControlFlow();
  for (const ValueFlow &each : flow.leaving)
    if (each.to == result) {
      NumberRange from = get(each.from->get());
      range = range ? join(*range, from) : from;
    }
  return range.value_or(NumberRange());
}

NumberRange ValueRanges::infer(OpResult result) const {
  Operation *op = result.getOwner();
  if (isTruth(result.getType()))
    return {0, 1};
  if (op->getNumRegions() != 0)
    return joinFlows(result);
  if (isView(op))
    return get(op->getOperand(0));
  auto ranged = dyn_cast<ValueRangeOpInterface>(op);
  if (!ranged)
    return {};
  return ranged.inferRange([this](Value value) { return get(value); });
}

ValueRanges::ValueRanges(func::FuncOp graph) {
  for (BlockArgument input : graph.getArguments())
    if (isTruth(input.getType()))
      ranges[input] = {0, 1};
  graph.getBody().walk([&](Operation *op) {
    for (OpResult result : op->getResults())
      if (NumberRange range = infer(result); !range.isUnknown() &&
                                             !std::isnan(range.low) &&
                                             !std::isnan(range.high))
        ranges[result] = range;
  });
}
