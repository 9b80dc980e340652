//===- NormalizationOps.cpp - The softmax family --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/Kernels/Softmax.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

/// The first dimension that takes part. With `coerce2D` the axis may also be
/// one past the last dimension, for rows of one element.
static std::optional<int64_t> normalizeSoftmaxAxis(int64_t axis, int64_t rank,
                                                   bool coerce2D) {
  if (coerce2D && axis == rank)
    return rank;
  return normalizeAxis(axis, rank);
}

static LogicalResult inferSoftmaxType(Operation *op, TypeInference &inference,
                                      int64_t axis, bool coerce2D) {
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  if (rank && !normalizeSoftmaxAxis(axis, *rank, coerce2D))
    return inference.error("axis " + Twine(axis) +
                           " is out of range for rank " + Twine(*rank));
  return inferSameType(op, inference);
}

static AxisMap getSoftmaxAxisMap(Operation *op, int64_t axis, bool coerce2D) {
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  if (!rank)
    return AxisMap::opaque();
  std::optional<int64_t> first = normalizeSoftmaxAxis(axis, *rank, coerce2D);
  if (!first)
    return AxisMap::opaque();
  int64_t end = coerce2D ? *rank : *first + 1;
  return getWindowAxisMap(op, llvm::to_vector(llvm::seq(*first, end)));
}

using SoftmaxKernel = llvm::Expected<HostTensor> (*)(const HostTensor &,
                                                     int64_t, bool);

static llvm::Error evaluateSoftmax(Evaluation &evaluation, Value input,
                                   Value result, int64_t axis, bool coerce2D,
                                   SoftmaxKernel kernel) {
  const HostTensor &x = evaluation[input];
  std::optional<int64_t> first =
      normalizeSoftmaxAxis(axis, x.getRank(), coerce2D);
  if (!first)
    return Evaluation::getAxis(axis, x.getRank()).takeError();
  return evaluation.set(result, kernel(x, *first, coerce2D));
}

#define GET_OP_CLASSES
#include "inlay/IR/NormalizationOps.cpp.inc"
