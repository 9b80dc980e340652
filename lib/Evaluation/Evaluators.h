//===- Evaluators.h - What operators compute, attached ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file per family of operators, named as the one in lib/IR: it says which
// kernel computes each operator, and from which operands and attributes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_EVALUATION_EVALUATORS_H
#define INLAY_LIB_EVALUATION_EVALUATORS_H

#include "inlay/IR/InlayOps.h"

namespace inlay {

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

void registerAttentionEvaluation(mlir::MLIRContext &context);
void registerAxisNormalizationEvaluation(mlir::MLIRContext &context);
void registerCastEvaluation(mlir::MLIRContext &context);
void registerContractionEvaluation(mlir::MLIRContext &context);
void registerContributedAttentionEvaluation(mlir::MLIRContext &context);
void registerContributedEvaluation(mlir::MLIRContext &context);
void registerControlFlowEvaluation(mlir::MLIRContext &context);
void registerConvEvaluation(mlir::MLIRContext &context);
void registerCreationEvaluation(mlir::MLIRContext &context);
void registerDetectionEvaluation(mlir::MLIRContext &context);
void registerElementwiseEvaluation(mlir::MLIRContext &context);
void registerFeatureNormalizationEvaluation(mlir::MLIRContext &context);
void registerIndexingEvaluation(mlir::MLIRContext &context);
void registerLossEvaluation(mlir::MLIRContext &context);
void registerMovementEvaluation(mlir::MLIRContext &context);
void registerNormalizationEvaluation(mlir::MLIRContext &context);
void registerPoolEvaluation(mlir::MLIRContext &context);
void registerQuantizeEvaluation(mlir::MLIRContext &context);
void registerRecurrentEvaluation(mlir::MLIRContext &context);
void registerReduceEvaluation(mlir::MLIRContext &context);
void registerResampleEvaluation(mlir::MLIRContext &context);
void registerReshapeEvaluation(mlir::MLIRContext &context);
void registerSliceEvaluation(mlir::MLIRContext &context);
void registerStructuralEvaluation(mlir::MLIRContext &context);

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Makes `function` what OpT computes.
template <typename OpT, llvm::Error (*function)(OpT op, Evaluation &evaluation)>
struct EvaluationModel
    : EvaluateOpInterface::ExternalModel<EvaluationModel<OpT, function>, OpT> {
  llvm::Error evaluate(mlir::Operation *op, Evaluation &evaluation) const {
    return function(llvm::cast<OpT>(op), evaluation);
  }
};

template <typename OpT, llvm::Error (*function)(OpT op, Evaluation &evaluation)>
void attachEvaluation(mlir::MLIRContext &context) {
  OpT::template attachInterface<EvaluationModel<OpT, function>>(context);
}

} // namespace inlay

#endif // INLAY_LIB_EVALUATION_EVALUATORS_H
