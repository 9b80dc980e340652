//===- StructuralOps.cpp - Evaluating constants and groups ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/Constants.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(ConstantOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(), getHostTensor(op.getValue()));
}

static llvm::Error evaluate(RelayoutOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(), evaluation[op.getInput()]);
}

static llvm::Error evaluate(InLayoutOp op, Evaluation &evaluation) {
  SmallVector<HostTensor> arguments = evaluation.getAll(op.getInputs()),
                          results;
  if (llvm::Error error =
          evaluation.runRegion(op.getBody(), arguments, results))
    return error;
  llvm::copy(results, evaluation.getResults().begin());
  return llvm::Error::success();
}

static llvm::Error evaluate(GroupOp op, Evaluation &evaluation) {
  SmallVector<HostTensor> results;
  if (llvm::Error error = evaluation.runRegion(op.getBody(), {}, results))
    return error;
  llvm::copy(results, evaluation.getResults().begin());
  return llvm::Error::success();
}

static llvm::Error evaluate(ExpandedOp op, Evaluation &evaluation) {
  llvm::copy(evaluation.getAll(op.getBasic()), evaluation.getResults().begin());
  return llvm::Error::success();
}

void inlay::registerStructuralEvaluation(MLIRContext &context) {
  attachEvaluation<ConstantOp, evaluate>(context);
  attachEvaluation<RelayoutOp, evaluate>(context);
  attachEvaluation<InLayoutOp, evaluate>(context);
  attachEvaluation<GroupOp, evaluate>(context);
  attachEvaluation<ExpandedOp, evaluate>(context);
}
