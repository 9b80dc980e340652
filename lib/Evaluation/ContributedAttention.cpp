//===- ContributedAttention.cpp - Evaluating MultiHeadAttention -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Attention.h"
#include "inlay/Tensor/Kernels/Elementwise.h"
#include "inlay/Tensor/Kernels/Movement.h"

using namespace inlay;
using namespace mlir;

/// `x` plus the part of `bias` that begins at `offset`, which moves on; x where
/// there is none. Keys and values of rank 4 have theirs.
static llvm::Expected<HostTensor>
addBias(const HostTensor &x, const HostTensor *bias, int64_t &offset) {
  if (!bias || x.getRank() != 3)
    return x;
  int64_t end = offset + x.getDim(2);
  auto part = kernels::slice(*bias, {offset}, {end}, {0}, {});
  if (!part)
    return part;
  if (part->getNumElements() != x.getDim(2))
    return modelError("bias of shape " + formatShape(bias->getShape()) +
                      " is too short for " + formatShape(x.getShape()));
  offset = end;
  return kernels::binary(kernels::BinaryFunction::Add, x, *part);
}

/// (batch, keys), 0 where a key does not count, as what is added to scores.
static llvm::Expected<HostTensor>
getPenalties(const HostTensor &mask, ElementType type, float penalty) {
  if (mask.getRank() != 2)
    return unsupportedError("a key padding mask must be (batch, keys), found " +
                            formatShape(mask.getShape()));
  auto added =
      HostTensor::allocate(type, {mask.getDim(0), 1, 1, mask.getDim(1)});
  if (added)
    for (int64_t i = 0, e = mask.getNumElements(); i != e; ++i)
      added->setDouble(i, mask.getInt(i) != 0 ? 0 : penalty);
  return added;
}

/// All that is added to the scores; empty where nothing is.
static llvm::Expected<HostTensor> getAddend(MultiHeadAttentionOp op,
                                            Evaluation &evaluation) {
  const HostTensor *bias = evaluation.lookup(op.getAttentionBias());
  const HostTensor *mask = evaluation.lookup(op.getKeyPaddingMask());
  if (!mask)
    return bias ? *bias : HostTensor();
  auto penalties = getPenalties(*mask, evaluation[op.getQuery()].getType(),
                                op.getMaskFilterValue().convertToFloat());
  if (!penalties || !bias)
    return penalties;
  return kernels::binary(kernels::BinaryFunction::Add, *penalties, *bias);
}

/// Query, key and value, each with its bias.
static llvm::Error addBiases(MultiHeadAttentionOp op, Evaluation &evaluation,
                             kernels::AttentionOperands &operands) {
  const HostTensor *bias = evaluation.lookup(op.getBias());
  int64_t offset = 0;
  for (HostTensor *x : {&operands.query, &operands.key, &operands.value}) {
    auto sum = addBias(*x, bias, offset);
    if (!sum)
      return sum.takeError();
    *x = std::move(*sum);
  }
  return llvm::Error::success();
}

static llvm::Error evaluate(MultiHeadAttentionOp op, Evaluation &evaluation) {
  kernels::AttentionOperands operands{evaluation[op.getQuery()],
                                      evaluation[op.getKey()],
                                      evaluation[op.getValue()]};
  if (llvm::Error error = addBiases(op, evaluation, operands))
    return error;
  auto addend = getAddend(op, evaluation);
  if (!addend)
    return addend.takeError();
  if (*addend)
    operands.mask = &*addend;
  kernels::AttentionOptions options;
  options.queryHeads = options.keyHeads = int64_t(op.getNumHeads());
  options.isCausal = op.getUnidirectional() != 0;
  options.maskedRows = MaskedRows::Softmax;
  if (std::optional<APFloat> scale = op.getScale();
      scale && scale->convertToFloat() != 0)
    options.scale = scale->convertToFloat();
  auto results = kernels::attention(operands, options);
  if (!results)
    return results.takeError();
  evaluation.getResults()[0] = std::move(results->result);
  return llvm::Error::success();
}

void inlay::registerContributedAttentionEvaluation(MLIRContext &context) {
  attachEvaluation<MultiHeadAttentionOp, evaluate>(context);
}
