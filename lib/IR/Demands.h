//===- Demands.h - What the facts of families have in common ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_DEMANDS_H
#define INLAY_LIB_IR_DEMANDS_H

#include "inlay/IR/FactInterfaces.h"

namespace inlay {

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

void registerTargetFacts(mlir::MLIRContext &context);
void registerProducts(mlir::MLIRContext &context);
void registerRanges(mlir::MLIRContext &context);
void registerOperandDemands(mlir::MLIRContext &context);
void registerParameterDemands(mlir::MLIRContext &context);
void registerDemandTransfers(mlir::MLIRContext &context);
void registerArithmeticTransfers(mlir::MLIRContext &context);

/// Makes `function(op, ranges)` the range of the results of each of OpTs.
template <auto function, typename... OpTs>
void attachRange(mlir::MLIRContext &context);
/// The same for operators that keep the elements of their first operand.
template <auto function, typename... OpTs>
void attachKept(mlir::MLIRContext &context);

/// Makes `function(op, sink)` what each of OpTs asks of its operands.
template <auto function, typename... OpTs>
void attachDemands(mlir::MLIRContext &context);

/// Makes `function(op, asked)` what each of OpTs passes on of a demand.
template <auto function, typename... OpTs>
void attachTransfer(mlir::MLIRContext &context);

//===----------------------------------------------------------------------===//
// Demands
//===----------------------------------------------------------------------===//

/// What is not zero is at least this: far from where quotients and logarithms
/// grow without bound.
constexpr double leastPositive = 1.0 / 16;

/// Penalties that take an element out of a softmax are at least this large.
constexpr double leastPenalty = 1000;

/// The part of one of `count` operands where `demand` is asked of their sum.
ValueDemand getShare(const ValueDemand &demand, int64_t count);

inline ValueDemand withoutExact(ValueDemand demand) {
  demand.exact.clear();
  return demand;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

template <typename OpT, auto function, bool keeps>
struct RangeModel
    : ValueRangeOpInterface::ExternalModel<RangeModel<OpT, function, keeps>,
                                           OpT> {
  NumberRange inferRange(mlir::Operation *op, RangeLookup ranges) const {
    return function(llvm::cast<OpT>(op), ranges);
  }
  bool keepsElements(mlir::Operation *) const { return keeps; }
};

template <auto function, typename... OpTs>
void attachRange(mlir::MLIRContext &context) {
  (OpTs::template attachInterface<RangeModel<OpTs, function, false>>(context),
   ...);
}

template <auto function, typename... OpTs>
void attachKept(mlir::MLIRContext &context) {
  (OpTs::template attachInterface<RangeModel<OpTs, function, true>>(context),
   ...);
}

template <typename OpT, auto function>
struct DemandModel
    : OperandDemandOpInterface::ExternalModel<DemandModel<OpT, function>, OpT> {
  void demandOfOperands(mlir::Operation *op, DemandSink sink) const {
    function(llvm::cast<OpT>(op), sink);
  }
};

template <auto function, typename... OpTs>
void attachDemands(mlir::MLIRContext &context) {
  (OpTs::template attachInterface<DemandModel<OpTs, function>>(context), ...);
}

template <typename OpT, auto function>
struct TransferModel
    : DemandTransferOpInterface::ExternalModel<TransferModel<OpT, function>,
                                               OpT> {
  void transferDemand(mlir::Operation *op, const ResultDemand &asked) const {
    function(llvm::cast<OpT>(op), asked);
  }
};

template <auto function, typename... OpTs>
void attachTransfer(mlir::MLIRContext &context) {
  (OpTs::template attachInterface<TransferModel<OpTs, function>>(context), ...);
}

} // namespace inlay

#endif // INLAY_LIB_IR_DEMANDS_H
