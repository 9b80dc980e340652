//===- MovementOps.cpp - Evaluating data movement -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Movement.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(TransposeOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::transpose(evaluation[op.getInput()],
                         op.getPerm().value_or(ArrayRef<int64_t>())));
}

static llvm::Error evaluate(ExpandOp op, Evaluation &evaluation) {
  auto shape = evaluation.getInts(op.getShape(), op.getShapeOperand());
  if (!shape)
    return modelError("the shape to expand to is not known");
  return evaluation.set(op.getResult(),
                        kernels::expand(evaluation[op.getInput()], *shape));
}

static llvm::Error evaluate(TileOp op, Evaluation &evaluation) {
  auto repeats = evaluation.getInts(op.getRepeats(), op.getRepeatsOperand());
  if (!repeats)
    return modelError("the number of repeats is not known");
  return evaluation.set(op.getResult(),
                        kernels::tile(evaluation[op.getInput()], *repeats));
}

static llvm::Error evaluate(ConcatOp op, Evaluation &evaluation) {
  SmallVector<HostTensor> inputs = evaluation.getAll(op.getInputs());
  if (inputs.empty())
    return modelError("concat needs at least one input");
  auto axis = Evaluation::getAxis(op.getAxis(), inputs.front().getRank());
  if (!axis)
    return axis.takeError();
  return evaluation.set(op.getResult(), kernels::concat(inputs, *axis));
}

static llvm::Error evaluate(DepthToSpaceOp op, Evaluation &evaluation) {
  auto mode = parseDepthToSpaceMode(op.getMode());
  if (!mode)
    return modelError("'mode' must be DCR or CRD, found " + op.getMode());
  return evaluation.set(op.getResult(),
                        kernels::depthToSpace(evaluation[op.getInput()],
                                              op.getBlocksize(), *mode));
}

static llvm::Error evaluate(SpaceToDepthOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::spaceToDepth(evaluation[op.getInput()], op.getBlocksize()));
}

void inlay::registerMovementEvaluation(MLIRContext &context) {
  attachEvaluation<TransposeOp, evaluate>(context);
  attachEvaluation<ExpandOp, evaluate>(context);
  attachEvaluation<TileOp, evaluate>(context);
  attachEvaluation<ConcatOp, evaluate>(context);
  attachEvaluation<DepthToSpaceOp, evaluate>(context);
  attachEvaluation<SpaceToDepthOp, evaluate>(context);
}
