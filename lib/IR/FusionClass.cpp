//===- FusionClass.cpp - Classes of operators for fusion ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/FusionClass.h"
#include "inlay/IR/Constants.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace inlay;
using namespace mlir;

llvm::StringRef inlay::getName(FusionClass fusionClass) {
  switch (fusionClass) {
  case FusionClass::Elementwise:
    return "elementwise";
  case FusionClass::Broadcast:
    return "broadcast";
  case FusionClass::Reduce:
    return "reduce";
  case FusionClass::Window:
    return "window";
  case FusionClass::Transform:
    return "transform";
  case FusionClass::View:
    return "view";
  case FusionClass::Contraction:
    return "contraction";
  case FusionClass::Opaque:
    return "opaque";
  }
  return "";
}

std::optional<uint64_t> inlay::computeTraffic(Operation *op) {
  uint64_t total = 0;
  llvm::SmallPtrSet<Value, 8> seen;
  auto add = [&](Value value) {
    if (!seen.insert(value).second)
      return true;
    std::optional<uint64_t> bytes = getByteSize(value.getType());
    total += bytes.value_or(0);
    return bytes.has_value();
  };
  for (Value operand : op->getOperands())
    if (!add(operand))
      return std::nullopt;
  for (Value result : op->getResults())
    if (!result.use_empty() && !add(result))
      return std::nullopt;
  return total;
}
