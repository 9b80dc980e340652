//===- ContributedAttention.cpp - MultiHeadAttention ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

namespace {
/// The extents of an attention as far as they are known.
struct HeadExtents {
  int64_t batch = ShapedType::kDynamic, heads = ShapedType::kDynamic;
  int64_t queries = ShapedType::kDynamic, keys = ShapedType::kDynamic;
  /// Elements of a head of the query, and of the value.
  int64_t size = ShapedType::kDynamic, valueSize = ShapedType::kDynamic;

  explicit HeadExtents(MultiHeadAttentionOp op);
};
} // namespace

/// The number of elements of one of `heads` heads.
static int64_t divideHeads(int64_t elements, int64_t heads) {
  return isUnknown(elements) || heads <= 0 ? ShapedType::kDynamic
                                           : elements / heads;
}

HeadExtents::HeadExtents(MultiHeadAttentionOp op) : heads(op.getNumHeads()) {
  if (MaybeShape query = getShape(op.getQuery()); query && query->size() == 3) {
    batch = (*query)[0];
    queries = (*query)[1];
    size = divideHeads((*query)[2], heads);
  }
  MaybeShape value = getShape(op.getValue());
  if (value && value->size() == 4) {
    keys = (*value)[2];
    valueSize = (*value)[3];
  } else if (value && value->size() == 3) {
    keys = (*value)[1];
    valueSize = divideHeads((*value)[2], heads);
  }
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// Reports a key or value that fits neither form.
static LogicalResult checkHeads(TypeInference &inference, StringRef name,
                                Value operand, const HeadExtents &extents,
                                int64_t size) {
  if (getRank(operand) == 4)
    return checkShape(inference, name, operand,
                      {extents.batch, extents.heads, extents.keys, size});
  return checkShape(
      inference, name, operand,
      {extents.batch, extents.keys, mulExtents(extents.heads, size)});
}

LogicalResult MultiHeadAttentionOp::inferTypes(TypeInference &inference) {
  int64_t heads = getNumHeads();
  if (heads <= 0)
    return inference.error("'num_heads' must be positive but is " +
                           Twine(heads));
  if (failed(checkRank(inference, "query", getQuery(), 3)))
    return failure();
  HeadExtents extents(*this);
  MaybeShape query = getShape(getQuery());
  if (query && !isUnknown(query->back()) && query->back() % heads != 0)
    return inference.error("query has " + Twine(query->back()) +
                           " elements per position, which are not " +
                           Twine(heads) + " heads");
  if (failed(checkHeads(inference, "key", getKey(), extents, extents.size)) ||
      failed(checkHeads(inference, "value", getValue(), extents,
                        extents.valueSize)) ||
      failed(checkRank(inference, "bias", getBias(), 1)) ||
      failed(checkRank(inference, "attention_bias", getAttentionBias(), 4)))
    return failure();
  inference.set(getResult(), inlay::getElementType(getQuery()),
                SmallVector<int64_t>{extents.batch, extents.queries,
                                     mulExtents(heads, extents.valueSize)});
  return success();
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

AxisMap MultiHeadAttentionOp::getAxisMap() {
  HeadExtents extents(*this);
  // A bias and masks have axes of their own, or none.
  if (getRank(getQuery()) != 3 || !getRank(getKey()) || !getRank(getValue()) ||
      getBias() || getKeyPaddingMask() || getAttentionBias())
    return AxisMap::opaque();
  AxisKind queries =
      getUnidirectional() != 0 ? AxisKind::Window : AxisKind::Parallel;
  AxisMapBuilder map(*this);
  unsigned b = map.axis(AxisKind::Parallel, extents.batch);
  unsigned m = map.axis(queries, extents.queries);
  unsigned n = map.axis(AxisKind::Contracted, extents.keys);
  unsigned h = map.axis(AxisKind::Parallel, extents.heads);
  unsigned d = map.axis(AxisKind::Contracted, extents.size);
  unsigned e = map.axis(AxisKind::Parallel, extents.valueSize);
  auto bindHeads = [&](Value operand, unsigned size) {
    map.bind(operand, getRank(operand) == 4 ? TensorAxes{{b}, {h}, {n}, {size}}
                                            : TensorAxes{{b}, {n}, {h, size}});
  };
  map.bind(getQuery(), {{b}, {m}, {h, d}});
  bindHeads(getKey(), d);
  bindHeads(getValue(), e);
  map.bind(getResult(), {{b}, {m}, {h, e}});
  return map.build();
}

FusionClass MultiHeadAttentionOp::getFusionClass() {
  return FusionClass::Contraction;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// Whether a key or value of rank 4 lies as one of rank 3 does: its heads
/// behind its positions.
static bool liesByPosition(Value operand, ArrayRef<Atom> order) {
  return getRank(operand) == 4 &&
         isViewOf(operand.getType(), order,
                  AtomSequence{Atom{0}, Atom{2}, Atom{1}, Atom{3}});
}

/// Whether it is row-major but for dimensions of one element.
static bool liesRowMajor(Value operand, ArrayRef<Atom> order) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  return type ? isViewOf(type, order, writeOut({}, type)) : order.empty();
}

bool MultiHeadAttentionOp::admitsForm(const StoredForm &form) {
  for (OpOperand &operand : (*this)->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    bool isHeads = i == 1 || i == 2;
    if (!liesRowMajor(operand.get(), form.operands[i]) &&
        !(isHeads && liesByPosition(operand.get(), form.operands[i])))
      return false;
  }
  bool byPosition[] = {!liesRowMajor(getKey(), form.operands[1]),
                       !liesRowMajor(getValue(), form.operands[2])};
  // What lies by position becomes of rank 3, both of them and with their sizes
  // known.
  bool isEither = byPosition[0] || byPosition[1];
  auto areKnown = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape();
  };
  return liesRowMajor(getResult(), form.results[0]) &&
         (!isEither || (liesByPosition(getKey(), form.operands[1]) &&
                        liesByPosition(getValue(), form.operands[2]) &&
                        areKnown(getKey()) && areKnown(getValue())));
}

LogicalResult MultiHeadAttentionOp::buildStored(StoredOpBuilder &stored) {
  const StoredForm &form = stored.getForm();
  bool isByPosition = !liesRowMajor(getKey(), form.operands[1]) ||
                      !liesRowMajor(getValue(), form.operands[2]);
  SmallVector<Value> operands;
  for (OpOperand &operand : (*this)->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    MaybeShape shape = getShape(operand.get());
    if (isByPosition && (i == 1 || i == 2))
      shape = {(*shape)[0], (*shape)[2], (*shape)[1] * (*shape)[3]};
    operands.push_back(shape
                           ? stored.createView(stored.getOperands()[i], *shape)
                           : stored.getOperands()[i]);
    if (!operands.back())
      return failure();
  }
  stored.setResults(stored.create(operands));
  return success();
}
