//===- AttentionOps.cpp - Evaluating attention ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Tensor/Kernels/Attention.h"

using namespace inlay;
using namespace mlir;

static kernels::AttentionOptions getOptions(AttentionOp op) {
  kernels::AttentionOptions options;
  options.queryHeads = op.getQNumHeads().value_or(0);
  options.keyHeads = op.getKvNumHeads().value_or(0);
  options.isCausal = op.getIsCausal() == 1;
  if (std::optional<APFloat> scale = op.getScale())
    options.scale = scale->convertToFloat();
  options.softcap = op.getSoftcap().convertToFloat();
  options.scoreStep = ScoreStep(op.getQkMatmulOutputMode());
  options.maskedRows =
      parseMaskedRows(op.getMaskedRows()).value_or(MaskedRows::Zero);
  return options;
}

static llvm::Error evaluate(AttentionOp op, Evaluation &evaluation) {
  kernels::AttentionOperands operands{
      evaluation[op.getQuery()],
      evaluation[op.getKey()],
      evaluation[op.getValue()],
      evaluation.lookup(op.getAttnMask()),
      evaluation.lookup(op.getPastKey()),
      evaluation.lookup(op.getPastValue()),
      evaluation.lookup(op.getNonpadKvSeqlen())};
  auto results = kernels::attention(operands, getOptions(op));
  if (!results)
    return results.takeError();
  evaluation.getResults()[0] = std::move(results->result);
  evaluation.getResults()[1] = std::move(results->presentKey);
  evaluation.getResults()[2] = std::move(results->presentValue);
  evaluation.getResults()[3] = std::move(results->scores);
  return llvm::Error::success();
}

static llvm::Error evaluate(RotaryEmbeddingOp op, Evaluation &evaluation) {
  kernels::RotaryOptions options{int64_t(op.getNumHeads()),
                                 int64_t(op.getRotaryEmbeddingDim()),
                                 op.getInterleaved() == 1};
  return evaluation.set(op.getResult(),
                        kernels::rotaryEmbedding(
                            evaluation[op.getInput()],
                            evaluation[op.getCosCache()],
                            evaluation[op.getSinCache()],
                            evaluation.lookup(op.getPositionIds()), options));
}

void inlay::registerAttentionEvaluation(MLIRContext &context) {
  attachEvaluation<AttentionOp, evaluate>(context);
  attachEvaluation<RotaryEmbeddingOp, evaluate>(context);
}
