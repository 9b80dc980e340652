//===- AttentionOps.cpp - Attention and positions -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "inlay/IR/AttentionShape.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/AttentionOps.cpp.inc"
#include "inlay/Tensor/Modes.h"

//===----------------------------------------------------------------------===//
// AttentionOp: inference
//===----------------------------------------------------------------------===//

static LogicalResult checkAttributes(AttentionOp op, TypeInference &inference) {
  int64_t mode = op.getQkMatmulOutputMode();
  if (mode < 0 || mode > 3)
    return inference.error("'qk_matmul_output_mode' must be in [0, 3] but is " +
                           Twine(mode));
  if (!parseMaskedRows(op.getMaskedRows()))
    return inference.error("'masked_rows' must be zero, softmax or "
                           "nan_to_zero but is '" +
                           op.getMaskedRows() + "'");
  if (std::optional<uint64_t> code = op.getSoftmaxPrecision())
    if (failed(checkElementType(inference, "softmax_precision", *code)))
      return failure();
  if (!op.getPastKey() != !op.getPastValue())
    return inference.error("needs past_key and past_value, or neither");
  if (op.getPastKey() && op.getNonpadKvSeqlen())
    return inference.error("cannot have both a past and nonpad_kv_seqlen");
  return success();
}

LogicalResult AttentionOp::inferTypes(TypeInference &inference) {
  if (failed(checkAttributes(*this, inference)))
    return failure();
  AttentionShape shape;
  if (failed(shape.infer(*this, inference)))
    return failure();
  SmallVector<Value> keys{getQuery(), getKey()}, values{getValue()};
  if (getPastKey()) {
    keys.push_back(getPastKey());
    values.push_back(getPastValue());
  }
  auto keyElement = inference.getSameElementType(keys);
  auto valueElement = inference.getSameElementType(values);
  if (failed(keyElement) || failed(valueElement))
    return failure();
  inference.set(getResult(), *keyElement, shape.getResult());
  inference.set(getPresentKey(), *keyElement, shape.getPresentKey());
  inference.set(getPresentValue(), *valueElement, shape.getPresentValue());
  inference.set(getQkMatmulOutput(), *keyElement, shape.getScores());
  return success();
}

//===----------------------------------------------------------------------===//
// AttentionOp: axis map
//===----------------------------------------------------------------------===//

namespace {
/// batch b, heads of the key h that g heads of the query share, queries m, keys
/// n, head size d, value head size e:
///
///   [b, (h g), m, d], [b, h, n, d], [b, h, n, e] -> [b, (h g), m, e]
///
/// and the heads merged with the sizes in the form of rank 3.
class AttentionAxes {
public:
  AttentionAxes(AttentionOp op, const AttentionShape &shape);

  AxisMap build();

private:
  TensorAxes bindHeads(DimAxes heads, unsigned length, unsigned size) const;
  TensorAxes bindMask(Value mask) const;

  AttentionOp op;
  AttentionShape shape;
  AxisMapBuilder map;
  unsigned b, m, n, d, e;
  /// The heads of the key and those of the query.
  DimAxes h, hg;
};
} // namespace

AttentionAxes::AttentionAxes(AttentionOp op, const AttentionShape &shape)
    : op(op), shape(shape), map(op) {
  // Where positions count, those of a query are not like any others.
  AxisKind queries = op.getIsCausal() ? AxisKind::Window : AxisKind::Parallel;
  b = map.axis(AxisKind::Parallel, shape.batch);
  hg = h = {map.axis(AxisKind::Parallel, shape.keyHeads)};
  if (shape.queryHeads != shape.keyHeads)
    hg.push_back(
        map.axis(AxisKind::Parallel, shape.queryHeads / shape.keyHeads));
  m = map.axis(queries, shape.queryLength);
  n = map.axis(AxisKind::Contracted, shape.keyLength);
  d = map.axis(AxisKind::Contracted, shape.headSize);
  e = map.axis(AxisKind::Parallel, shape.valueHeadSize);
}

TensorAxes AttentionAxes::bindHeads(DimAxes heads, unsigned length,
                                    unsigned size) const {
  if (shape.rank == 4)
    return {{b}, heads, {length}, {size}};
  heads.push_back(size);
  return {{b}, {length}, heads};
}

TensorAxes AttentionAxes::bindMask(Value mask) const {
  TensorAxes full{{b}, hg, {m}, {n}}, dims;
  MaybeShape extents = getShape(mask);
  size_t skipped = full.size() - extents->size();
  for (auto [i, extent] : llvm::enumerate(*extents))
    dims.push_back(extent == 1 ? DimAxes{} : full[skipped + i]);
  return dims;
}

AxisMap AttentionAxes::build() {
  map.bind(op.getQuery(), bindHeads(hg, m, d));
  map.bind(op.getKey(), bindHeads(h, n, d));
  map.bind(op.getValue(), bindHeads(h, n, e));
  if (Value mask = op.getAttnMask())
    map.bind(mask, bindMask(mask));
  if (Value lengths = op.getNonpadKvSeqlen())
    map.bind(lengths, {{b}});
  map.bind(op.getResult(), bindHeads(hg, m, e));
  return map.build();
}

AxisMap AttentionOp::getAxisMap() {
  AttentionShape shape;
  TypeInference inference(*this, /*reportErrors=*/false);
  if (failed(shape.infer(*this, inference)) || shape.rank == 0 ||
      isUnknown(shape.queryHeads) || isUnknown(shape.keyHeads))
    return AxisMap::opaque();
  // The past is concatenated, further results have the contracted axes too, and
  // a mask may end before the keys do.
  if (getPastKey() || !getPresentKey().use_empty() ||
      !getPresentValue().use_empty() || !getQkMatmulOutput().use_empty() ||
      !shape.hasWholeMask(getAttnMask()))
    return AxisMap::opaque();
  return AttentionAxes(*this, shape).build();
}

//===----------------------------------------------------------------------===//
// AttentionOp: the rest
//===----------------------------------------------------------------------===//

FusionClass AttentionOp::getFusionClass() { return FusionClass::Contraction; }

//===----------------------------------------------------------------------===//
// RotaryEmbeddingOp
//===----------------------------------------------------------------------===//

namespace {
/// The extents of the input of a rotary embedding as far as they are known.
struct RotaryShape {
  int64_t batch = ShapedType::kDynamic, length = ShapedType::kDynamic;
  /// Elements of a head, and those that are turned.
  int64_t size = ShapedType::kDynamic, dim = ShapedType::kDynamic;
};
} // namespace

static FailureOr<RotaryShape> inferRotaryShape(RotaryEmbeddingOp op,
                                               TypeInference &inference) {
  RotaryShape shape;
  int64_t dim = op.getRotaryEmbeddingDim(), heads = op.getNumHeads();
  if (dim < 0 || dim % 2 != 0)
    return inference.error("'rotary_embedding_dim' must be even and not "
                           "negative but is " +
                           Twine(dim));
  if (MaybeShape input = getShape(op.getInput())) {
    if (input->size() != 3 && input->size() != 4)
      return inference.error("input has rank " + Twine(input->size()) +
                             ", expected 3 or 4");
    shape.batch = (*input)[0];
    shape.length = (*input)[input->size() - 2];
    shape.size = input->back();
    if (input->size() == 3) {
      shape.length = (*input)[1];
      if (heads <= 0)
        return inference.error("'num_heads' must be positive for an input of "
                               "rank 3 but is " +
                               Twine(heads));
      if (!isUnknown(shape.size) && shape.size % heads != 0)
        return inference.error("input has " + Twine(shape.size) +
                               " elements per position, which are not " +
                               Twine(heads) + " heads");
      shape.size =
          isUnknown(shape.size) ? ShapedType::kDynamic : shape.size / heads;
    }
  }
  shape.dim = dim == 0 ? shape.size : dim;
  if (!isUnknown(shape.size) && (shape.dim > shape.size || shape.dim % 2 != 0))
    return inference.error("cannot turn " + Twine(shape.dim) + " of " +
                           Twine(shape.size) + " elements of a head in pairs");
  return shape;
}

LogicalResult RotaryEmbeddingOp::inferTypes(TypeInference &inference) {
  auto shape = inferRotaryShape(*this, inference);
  auto element =
      inference.getSameElementType({getInput(), getCosCache(), getSinCache()});
  if (failed(shape) || failed(element))
    return failure();
  int64_t half = isUnknown(shape->dim) ? ShapedType::kDynamic : shape->dim / 2;
  SmallVector<int64_t> cache{shape->batch, shape->length, half};
  if (getPositionIds()) {
    cache = {ShapedType::kDynamic, half};
    if (failed(checkShape(inference, "position_ids", getPositionIds(),
                          {shape->batch, shape->length})))
      return failure();
  }
  if (failed(checkShape(inference, "cos_cache", getCosCache(), cache)) ||
      failed(checkShape(inference, "sin_cache", getSinCache(), cache)))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap RotaryEmbeddingOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (rank != 3 && rank != 4)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  // The elements of a head meet; in rank 3 the heads are merged with them.
  TensorAxes dims = map.axesOf(getInput());
  map.setKind(dims.back().front(), AxisKind::Window);
  DimAxes batch = dims[0], length = dims[*rank == 4 ? 2 : 1];
  map.bind(getInput(), dims);
  DimAxes half{map.axis(AxisKind::Indexed)};
  if (Value positions = getPositionIds()) {
    DimAxes rows{map.axis(AxisKind::Indexed)};
    map.bind(getCosCache(), {rows, half});
    map.bind(getSinCache(), {rows, half});
    map.bind(positions, {batch, length});
  } else {
    map.bind(getCosCache(), {batch, length, half});
    map.bind(getSinCache(), {batch, length, half});
  }
  map.bind(getResult(), dims);
  return map.build();
}

FusionClass RotaryEmbeddingOp::getFusionClass() { return FusionClass::Opaque; }
