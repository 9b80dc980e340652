//===- CreationOps.cpp - Evaluating shapes and made-up tensors ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/Constants.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Creation.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(ShapeOp op, Evaluation &evaluation) {
  ArrayRef<int64_t> shape = evaluation[op.getInput()].getShape();
  auto [start, end] = op.getRange(shape.size());
  return evaluation.set(op.getResult(),
                        HostTensor::getInts(shape.slice(start, end - start)));
}

static llvm::Error evaluate(SizeOp op, Evaluation &evaluation) {
  int64_t size = evaluation[op.getInput()].getNumElements();
  return evaluation.set(op.getResult(),
                        HostTensor::get<int64_t>(ElementType::Int64, {}, size));
}

static llvm::Error evaluate(RangeOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::range(evaluation[op.getStart()],
                                       evaluation[op.getLimit()],
                                       evaluation[op.getDelta()]));
}

static llvm::Error evaluate(ConstantOfShapeOp op, Evaluation &evaluation) {
  auto shape = evaluation.getInts(op.getShape(), op.getShapeOperand());
  if (!shape)
    return modelError("the shape of a constant is not known");
  HostTensor value(ElementType::Float, {});
  if (op.getValue()) {
    auto given = getHostTensor(*op.getValue());
    if (!given)
      return given.takeError();
    value = std::move(*given);
  }
  return evaluation.set(op.getResult(),
                        kernels::constantOfShape(*shape, value));
}

static llvm::Error evaluate(EyeLikeOp op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  std::optional<ElementType> type =
      op.getDtype() ? inlay::getElementType(*op.getDtype()) : input.getType();
  if (!type)
    return modelError("'dtype' " + Twine(int64_t(*op.getDtype())) +
                      " is no type of numbers");
  return evaluation.set(op.getResult(),
                        kernels::eyeLike(input.getShape(), *type, op.getK()));
}

void inlay::registerCreationEvaluation(MLIRContext &context) {
  attachEvaluation<ShapeOp, evaluate>(context);
  attachEvaluation<SizeOp, evaluate>(context);
  attachEvaluation<RangeOp, evaluate>(context);
  attachEvaluation<ConstantOfShapeOp, evaluate>(context);
  attachEvaluation<EyeLikeOp, evaluate>(context);
}
