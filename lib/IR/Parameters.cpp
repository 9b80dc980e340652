//===- Parameters.cpp - Parameters of operators ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"
#include "Extents.h"

using namespace inlay;
using namespace mlir;

std::optional<int64_t>
inlay::getLength(std::optional<ArrayRef<int64_t>> attribute, Value operand) {
  if (attribute)
    return attribute->size();
  if (!operand)
    return std::nullopt;
  MaybeShape shape = getShape(operand);
  if (!shape || shape->size() != 1 || isUnknown(shape->front()))
    return std::nullopt;
  return shape->front();
}

MaybeInts inlay::getEntries(TypeInference &inference,
                            std::optional<ArrayRef<int64_t>> attribute,
                            Value operand) {
  if (MaybeInts entries = inference.getInts(attribute, operand))
    return entries;
  std::optional<int64_t> length = getLength(attribute, operand);
  if (!length || *length > maxParameterLength)
    return std::nullopt;
  return SmallVector<int64_t>(*length, ShapedType::kDynamic);
}

LogicalResult inlay::checkNotNegative(TypeInference &inference,
                                      StringRef parameter,
                                      ArrayRef<int64_t> entries) {
  for (int64_t entry : entries)
    if (entry < 0 && !isUnknown(entry))
      return inference.error("'" + parameter +
                             "' must not be negative, found " + Twine(entry));
  return success();
}
