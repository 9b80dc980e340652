//===- ContractionOps.cpp - Evaluating products of matrices ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Tensor/Kernels/Contraction.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(MatMulOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(), kernels::matmul(evaluation[op.getA()],
                                                        evaluation[op.getB()]));
}

static llvm::Error evaluate(MatMulIntegerOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::matmulInteger(evaluation[op.getA()], evaluation[op.getB()],
                             evaluation.lookup(op.getAZeroPoint()),
                             evaluation.lookup(op.getBZeroPoint())));
}

static llvm::Error evaluate(QLinearMatMulOp op, Evaluation &evaluation) {
  auto get = [&](Value scale, Value zeroPoint) {
    return kernels::Quantization{evaluation[scale], evaluation[zeroPoint]};
  };
  return evaluation.set(
      op.getResult(),
      kernels::qlinearMatmul(
          evaluation[op.getA()], get(op.getAScale(), op.getAZeroPoint()),
          evaluation[op.getB()], get(op.getBScale(), op.getBZeroPoint()),
          get(op.getYScale(), op.getYZeroPoint())));
}

static llvm::Error evaluate(GemmOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::gemm(evaluation[op.getA()], evaluation[op.getB()],
                    evaluation.lookup(op.getC()),
                    op.getAlpha().convertToFloat(),
                    op.getBeta().convertToFloat(), op.getTransA() != 0,
                    op.getTransB() != 0));
}

static llvm::Error evaluate(EinsumOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::einsum(op.getEquation(), evaluation.getAll(op.getInputs())));
}

void inlay::registerContractionEvaluation(MLIRContext &context) {
  attachEvaluation<MatMulOp, evaluate>(context);
  attachEvaluation<MatMulIntegerOp, evaluate>(context);
  attachEvaluation<QLinearMatMulOp, evaluate>(context);
  attachEvaluation<GemmOp, evaluate>(context);
  attachEvaluation<EinsumOp, evaluate>(context);
}
