//===- Products.cpp - How many products operators sum ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demands.h"
#include "Extents.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

/// A number that may be unknown.
using Count = std::optional<uint64_t>;

static Count multiply(Count a, Count b) {
  if (!a || !b)
    return std::nullopt;
  return llvm::SaturatingMultiply(*a, *b);
}

static Count add(Count a, Count b) {
  if (!a || !b)
    return std::nullopt;
  return llvm::SaturatingAdd(*a, *b);
}

static Count getCount(int64_t extent) {
  return isUnknown(extent) ? Count() : Count(extent);
}

static Count countElements(Value value) {
  MaybeShape shape = getShape(value);
  Count count = shape ? Count(1) : Count();
  for (int64_t extent : shape ? ArrayRef(*shape) : ArrayRef<int64_t>())
    count = multiply(count, getCount(extent));
  return count;
}

static Count getExtent(Value value, unsigned dim) {
  MaybeShape shape = getShape(value);
  return shape && dim < shape->size() ? getCount((*shape)[dim]) : Count();
}

/// The axes that a tensor has.
static llvm::SmallBitVector getUsed(const std::optional<TensorAxes> &dims,
                                    size_t numAxes) {
  llvm::SmallBitVector used(numAxes);
  if (dims)
    for (const DimAxes &dim : *dims)
      for (unsigned axis : dim)
        used.set(axis);
  return used;
}

/// Each element of the result sums over the axes that it does not have.
static Count countByAxes(Operation *op) {
  AxisMap map = cast<AxisMapOpInterface>(op).getAxisMap();
  if (map.isOpaque())
    return std::nullopt;
  Count count = countElements(op->getResult(0));
  llvm::SmallBitVector kept =
      getUsed(map.getResults().front(), map.getAxes().size());
  for (auto [i, axis] : llvm::enumerate(map.getAxes()))
    if (!kept.test(i))
      count = multiply(count, getCount(axis.extent));
  return count;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static Count countProducts(Operation *op) { return countByAxes(op); }

/// Each element of the input is multiplied by all weights of its channel.
static Count countProducts(ConvTransposeOp op) {
  Count perChannel = Count(1);
  if (MaybeShape weights = getShape(op.getW()))
    for (int64_t extent : ArrayRef(*weights).drop_front())
      perChannel = multiply(perChannel, getCount(extent));
  else
    return std::nullopt;
  return multiply(countElements(op.getX()), perChannel);
}

/// Each element of the query with one of each key, and each of the result with
/// one of each value.
static Count countHeads(Value query, Value result, Count keys) {
  return multiply(keys, add(countElements(query), countElements(result)));
}

/// The positions of a key or value, whose heads may be a dimension.
static Count getLength(Value key) {
  return getExtent(key, getRank(key) == 4 ? 2 : 1);
}

static Count countProducts(AttentionOp op) {
  Count keys = getLength(op.getKey());
  if (Value past = op.getPastKey())
    keys = add(keys, getLength(past));
  return countHeads(op.getQuery(), op.getResult(), keys);
}

static Count countProducts(MultiHeadAttentionOp op) {
  return countHeads(op.getQuery(), op.getResult(), getLength(op.getKey()));
}

/// All weights for each position of each sequence.
template <typename OpT>
  requires llvm::is_one_of<OpT, RNNOp, GRUOp, LSTMOp>::value
static Count countProducts(OpT op) {
  Count positions = multiply(getExtent(op.getX(), 0), getExtent(op.getX(), 1));
  return multiply(positions,
                  add(countElements(op.getW()), countElements(op.getR())));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
template <typename OpT>
struct Products : ProductOpInterface::ExternalModel<Products<OpT>, OpT> {
  Count countProducts(Operation *op) const {
    return ::countProducts(cast<OpT>(op));
  }
};
} // namespace

template <typename... OpTs> static void attachProducts(MLIRContext &context) {
  (OpTs::template attachInterface<Products<OpTs>>(context), ...);
}

void inlay::registerProducts(MLIRContext &context) {
  attachProducts<MatMulOp, MatMulIntegerOp, QLinearMatMulOp, GemmOp, QGemmOp,
                 ConvOp, ConvTransposeOp, ConvIntegerOp, QLinearConvOp,
                 EinsumOp, AttentionOp, MultiHeadAttentionOp, RNNOp, GRUOp,
                 LSTMOp>(context);
}
