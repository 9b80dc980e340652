//===- Demands.h - Passing demands on values around -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ANALYSIS_DEMANDS_H
#define INLAY_LIB_ANALYSIS_DEMANDS_H

#include "ValueRanges.h"
#include "inlay/Tensor/ValueDemand.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inlay {

/// Told what is asked of a value; null values and empty demands are ignored.
using DemandSink =
    llvm::function_ref<void(mlir::Value value, const ValueDemand &demand)>;

/// What is not zero is at least this: far from where quotients and logarithms
/// grow without bound.
constexpr double leastPositive = 1.0 / 16;

/// Penalties that take an element out of a softmax are at least this large.
constexpr double leastPenalty = 1000;

/// The least and the largest element of a constant.
struct ConstantRange {
  double low, high;
};

/// The elements of a constant of few numbers, also where it is moved,
/// repeated or converted first; nothing for other values.
std::optional<ConstantRange> getConstantRange(mlir::Value value);

/// What an operator asks of its operands whatever becomes of its results:
/// indices inside their dimension, roots of what is not negative...
void demandOfOperands(mlir::Operation *op, DemandSink sink);

/// The same of operands that say how large a result is, or which dimensions
/// are meant.
void demandOfParameters(mlir::Operation *op, DemandSink sink);

/// What is left of a demand on values that lie in `range` anyway.
ValueDemand relax(const ValueDemand &demand, NumberRange range);

/// The part of one of `count` operands where `demand` is asked of their sum.
ValueDemand getShare(const ValueDemand &demand, int64_t count);

/// transferDemand of sums, products and bounds; false for other operators.
bool transferArithmetic(mlir::OpResult result, const ValueDemand &demand,
                        const ValueRanges &ranges, DemandSink sink);

/// What follows for the operands when `demand` is asked of a result. Of two
/// ways to satisfy it the one is taken that the operand's range has.
void transferDemand(mlir::OpResult result, const ValueDemand &demand,
                    const ValueRanges &ranges, DemandSink sink);

} // namespace inlay

#endif // INLAY_LIB_ANALYSIS_DEMANDS_H
