//===- Registration.cpp - Operators that compute --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Evaluation/Registration.h"
#include "Evaluators.h"
#include "mlir/IR/DialectRegistry.h"

using namespace inlay;
using namespace mlir;

/// Extensions are called with the dialects that they are for.
static void attachEvaluators(MLIRContext *context, InlayDialect *) {
  registerAttentionEvaluation(*context);
  registerAxisNormalizationEvaluation(*context);
  registerCastEvaluation(*context);
  registerContractionEvaluation(*context);
  registerContributedAttentionEvaluation(*context);
  registerContributedEvaluation(*context);
  registerControlFlowEvaluation(*context);
  registerConvEvaluation(*context);
  registerCreationEvaluation(*context);
  registerDetectionEvaluation(*context);
  registerElementwiseEvaluation(*context);
  registerFeatureNormalizationEvaluation(*context);
  registerIndexingEvaluation(*context);
  registerLossEvaluation(*context);
  registerMovementEvaluation(*context);
  registerNormalizationEvaluation(*context);
  registerPoolEvaluation(*context);
  registerQuantizeEvaluation(*context);
  registerRecurrentEvaluation(*context);
  registerReduceEvaluation(*context);
  registerResampleEvaluation(*context);
  registerReshapeEvaluation(*context);
  registerSliceEvaluation(*context);
  registerStructuralEvaluation(*context);
}

void inlay::registerEvaluation(DialectRegistry &registry) {
  registry.addExtension(attachEvaluators);
}

void inlay::registerEvaluation(MLIRContext &context) {
  DialectRegistry registry;
  registerEvaluation(registry);
  context.appendDialectRegistry(registry);
}
