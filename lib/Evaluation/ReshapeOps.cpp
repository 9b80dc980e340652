//===- ReshapeOps.cpp - Evaluating other shapes ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/Reshapes.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

/// The same elements under another shape, which must have as many.
static llvm::Expected<HostTensor> reshape(const HostTensor &x,
                                          ArrayRef<int64_t> shape) {
  if (getNumElements(shape) == x.getNumElements())
    return x.reshaped(shape);
  return modelError("cannot reshape " + formatShape(x.getShape()) + " to " +
                    formatShape(shape));
}

static llvm::Error evaluate(ReshapeOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto entries = evaluation.getInts(op.getShape(), op.getShapeOperand());
  if (!entries || llvm::any_of(*entries, ShapedType::isDynamic))
    return modelError("the shape to reshape to is not known");
  auto shape = inferReshape(SmallVector<int64_t>(x.getShape()), *entries,
                            op.getAllowzero() != 0);
  if (!shape)
    return shape.takeError();
  return evaluation.set(op.getResult(), reshape(x, *shape));
}

static llvm::Error evaluate(FlattenOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto shape = inferFlatten(x.getShape(), op.getAxis());
  if (!shape)
    return shape.takeError();
  return evaluation.set(op.getResult(), reshape(x, *shape));
}

static llvm::Error evaluate(SqueezeOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto axes = evaluation.getInts(op.getAxes(), op.getAxesOperand());
  auto shape =
      inferSqueeze(x.getShape(), axes.value_or(SmallVector<int64_t>()));
  if (!shape)
    return shape.takeError();
  return evaluation.set(op.getResult(), reshape(x, *shape));
}

static llvm::Error evaluate(UnsqueezeOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto axes = evaluation.getInts(op.getAxes(), op.getAxesOperand());
  auto shape =
      inferUnsqueeze(x.getShape(), axes.value_or(SmallVector<int64_t>()));
  if (!shape)
    return shape.takeError();
  return evaluation.set(op.getResult(), reshape(x, *shape));
}

void inlay::registerReshapeEvaluation(MLIRContext &context) {
  attachEvaluation<ReshapeOp, evaluate>(context);
  attachEvaluation<FlattenOp, evaluate>(context);
  attachEvaluation<SqueezeOp, evaluate>(context);
  attachEvaluation<UnsqueezeOp, evaluate>(context);
}
