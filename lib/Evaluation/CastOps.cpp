//===- CastOps.cpp - Evaluating conversions -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Cast.h"
#include "inlay/Tensor/Modes.h"

using namespace inlay;
using namespace mlir;

template <typename OpT> static kernels::CastOptions getOptions(OpT op) {
  kernels::CastOptions options;
  options.saturate = op.getSaturate() != 0;
  options.rounding =
      parsePowerRounding(op.getRoundMode()).value_or(PowerRounding::Up);
  return options;
}

static llvm::Error evaluate(CastOp op, Evaluation &evaluation) {
  std::optional<ElementType> to = inlay::getElementType(int64_t(op.getTo()));
  if (!to)
    return modelError("there is no element type " + Twine(op.getTo()));
  return evaluation.set(op.getResult(), kernels::cast(evaluation[op.getInput()],
                                                      *to, getOptions(op)));
}

static llvm::Error evaluate(CastLikeOp op, Evaluation &evaluation) {
  ElementType to = evaluation[op.getTargetType()].getType();
  return evaluation.set(op.getResult(), kernels::cast(evaluation[op.getInput()],
                                                      to, getOptions(op)));
}

void inlay::registerCastEvaluation(MLIRContext &context) {
  attachEvaluation<CastOp, evaluate>(context);
  attachEvaluation<CastLikeOp, evaluate>(context);
}
