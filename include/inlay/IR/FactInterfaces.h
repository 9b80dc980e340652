//===- FactInterfaces.h - What analyses ask operators -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_FACTINTERFACES_H
#define INLAY_IR_FACTINTERFACES_H

#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/ValueDemand.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <limits>
#include <string>

namespace inlay {

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// What an attribute of a target file is for some operator: numbers, a text, or
/// nothing when the operator has no such attribute.
struct AttributeFact {
  bool isPresent = false;
  /// It is computed at run time.
  bool isUnknown = false;
  llvm::SmallVector<double, 4> numbers;
  std::string text;
};

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// All numbers from `low` to `high`; NaN is not looked at.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool isUnknown() const { return *this == NumberRange(); }
  bool operator==(const NumberRange &) const = default;
};

NumberRange join(NumberRange x, NumberRange y);

/// The range of a value, as far as it is known.
using RangeLookup = llvm::function_ref<NumberRange(mlir::Value value)>;

/// The range of the elements of a constant of few numbers, also where it is
/// moved, repeated or converted first; nothing for other values.
std::optional<NumberRange> getConstantRange(mlir::Value value);

/// Told what is asked of a value; null values and empty demands are ignored.
using DemandSink =
    llvm::function_ref<void(mlir::Value value, const ValueDemand &demand)>;

/// What is asked of a result.
struct ResultDemand {
  mlir::OpResult result;
  const ValueDemand &demand;
  RangeLookup ranges;
  DemandSink sink;
};

/// What is left of a demand on values that lie in `range` anyway.
ValueDemand relax(const ValueDemand &demand, NumberRange range);

/// What becomes of a demand on a result whose elements are some of those of the
/// first operand.
void transferMove(mlir::Operation *op, const ResultDemand &asked);

/// Tells operators what they are asked for.
void registerFacts(mlir::MLIRContext &context);

} // namespace inlay

#include "inlay/IR/FactInterfaces.h.inc"

#endif // INLAY_IR_FACTINTERFACES_H
