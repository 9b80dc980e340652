//===- AttentionExpansions.cpp - Attention in steps -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "inlay/IR/AttentionShape.h"
#include "inlay/Tensor/Modes.h"

using namespace inlay;
using namespace mlir;

namespace {
/// attention(q, k, v) = softmax(s * q * k^T + m) * v, step by step.
class AttentionExpander {
public:
  AttentionExpander(AttentionOp op, Expansion &expansion)
      : op(op), expansion(expansion) {}

  LogicalResult run();

private:
  //===--------------------------------------------------------------------===//
  // Heads
  //===--------------------------------------------------------------------===//

  /// (batch, heads, length, size), or these dimensions in another order.
  Value splitHeads(Value value, int64_t heads, int64_t size,
                   ArrayRef<int64_t> perm);
  Value mergeHeads(Value value);
  /// What comes before and the value itself, as a result if anybody wants it.
  Value addPast(Value past, Value value, int64_t size, Value present);
  /// Heads of the key once for every head of the query.
  Value repeatHeads(Value value, int64_t size);
  /// `left` times `right`, whose heads are shared.
  Value multiply(Value left, Value right, int64_t size);

  Value getTransposedKey();
  Value getValue();

  //===--------------------------------------------------------------------===//
  // Scores
  //===--------------------------------------------------------------------===//

  Value scaleScores(Value scores);
  Value maskScores(Value scores);
  Value getWeights(Value scores);
  void keep(ScoreStep step, Value scores) {
    if (step == ScoreStep(op.getQkMatmulOutputMode()))
      expansion.set(op.getQkMatmulOutput(), scores);
  }

  //===--------------------------------------------------------------------===//
  // Masks
  //===--------------------------------------------------------------------===//

  LogicalResult readMasks();
  LogicalResult readOperand();
  void readOrder();
  /// Adds to the condition of what is shown.
  void show(Value condition) {
    shown = shown ? expansion.create<AndOp>(shown, condition) : condition;
  }
  /// 0, 1, ... to the extent of a dimension of `value`, as a row.
  Value countAlong(Value value, int64_t dim, int64_t extent);
  /// The number of keys that count, (batch, 1, 1, 1).
  Value getLengths();

  AttentionOp op;
  Expansion &expansion;
  AttentionShape shape;
  MaskedRows maskedRows = MaskedRows::Zero;
  /// Which scores count, and what is added to them; null where there is none.
  Value shown, bias;
  /// Whether a row may have nothing to look at.
  bool mayHideRows = false;
  /// (batch, heads, length, size) of query and value.
  Value query, value;
};
} // namespace

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

/// A shape whose unknown extents are those of the value, at the same place.
static Value reshapeKeeping(Expansion &expansion, Value value,
                            SmallVector<int64_t> shape) {
  std::replace(shape.begin(), shape.end(), ShapedType::kDynamic, int64_t(0));
  return expansion.create<ReshapeOp>(value, Value(), expansion.getInts(shape),
                                     IntegerAttr());
}

Value AttentionExpander::splitHeads(Value value, int64_t heads, int64_t size,
                                    ArrayRef<int64_t> perm) {
  SmallVector<int64_t> order(perm);
  if (shape.rank == 3) {
    MaybeShape extents = getShape(value);
    value = reshapeKeeping(expansion, value,
                           {(*extents)[0], (*extents)[1], heads, size});
  } else {
    // The heads are in front already.
    for (int64_t &dim : order)
      dim = dim == 1 ? 2 : dim == 2 ? 1 : dim;
  }
  bool isInOrder = llvm::is_sorted(order);
  return isInOrder ? value : createTranspose(expansion, value, order);
}

Value AttentionExpander::mergeHeads(Value value) {
  if (shape.rank == 4)
    return value;
  value = createTranspose(expansion, value, {0, 2, 1, 3});
  return reshapeKeeping(
      expansion, value,
      {shape.batch, shape.queryLength, shape.queryHeads * shape.valueHeadSize});
}

Value AttentionExpander::addPast(Value past, Value value, int64_t size,
                                 Value present) {
  value = splitHeads(value, shape.keyHeads, size, {0, 2, 1, 3});
  if (past)
    value = expansion.create<ConcatOp>(ValueRange{past, value},
                                       expansion.getI64(2));
  expansion.set(present, value);
  return value;
}

Value AttentionExpander::repeatHeads(Value value, int64_t size) {
  int64_t times = shape.queryHeads / shape.keyHeads;
  value = createUnsqueeze(expansion, value, {2});
  value = expansion.create<ExpandOp>(value, Value(),
                                     expansion.getInts({1, 1, times, 1, 1}));
  return expansion.create<ReshapeOp>(
      value, Value(), expansion.getInts({0, shape.queryHeads, -1, size}),
      IntegerAttr());
}

Value AttentionExpander::multiply(Value left, Value right, int64_t size) {
  if (shape.queryHeads == shape.keyHeads)
    return expansion.create<MatMulOp>(left, right);
  MaybeShape extents = getStaticShape(left);
  MaybeShape inner = getStaticShape(right);
  if (!extents || !inner)
    return expansion.create<MatMulOp>(left, repeatHeads(right, size));
  // The rows of all heads that share one are one matrix.
  int64_t times = shape.queryHeads / shape.keyHeads, rows = (*extents)[2];
  left = createReshape(
      expansion, left,
      {(*extents)[0], shape.keyHeads, times * rows, (*extents)[3]});
  return createReshape(expansion, expansion.create<MatMulOp>(left, right),
                       {(*extents)[0], shape.queryHeads, rows, (*inner)[3]});
}

Value AttentionExpander::getTransposedKey() {
  if (!op.getPastKey() && op.getPresentKey().use_empty())
    return splitHeads(op.getKey(), shape.keyHeads, shape.headSize,
                      {0, 2, 3, 1});
  Value key =
      addPast(op.getPastKey(), op.getKey(), shape.headSize, op.getPresentKey());
  return createTranspose(expansion, key, {0, 1, 3, 2});
}

Value AttentionExpander::getValue() {
  return addPast(op.getPastValue(), op.getValue(), shape.valueHeadSize,
                 op.getPresentValue());
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value AttentionExpander::countAlong(Value value, int64_t dim, int64_t extent) {
  if (!ShapedType::isDynamic(extent))
    return expansion.createInts(getRange(0, extent));
  Value length = expansion.create<ShapeOp>(value, expansion.getI64(dim),
                                           expansion.getI64(dim + 1));
  Type i64 = expansion.getBuilder().getI64Type();
  return expansion.create<RangeOp>(expansion.createScalar(i64, 0),
                                   createSqueeze(expansion, length, {0}),
                                   expansion.createScalar(i64, 1));
}

Value AttentionExpander::getLengths() {
  Value lengths = expansion.createCast(op.getNonpadKvSeqlen(),
                                       expansion.getBuilder().getI64Type());
  return createUnsqueeze(expansion, lengths, {1, 2, 3});
}

/// The mask that the node has, with what it lacks of the keys hidden.
LogicalResult AttentionExpander::readOperand() {
  Value mask = op.getAttnMask();
  if (!mask)
    return success();
  MaybeShape extents = getShape(mask);
  bool isCondition = inlay::getElementType(mask).isInteger(1);
  if (!shape.hasWholeMask(mask)) {
    MaybeShape known = getStaticShape(mask);
    if (!known || ShapedType::isDynamic(shape.keyLength))
      return failure();
    known->back() = shape.keyLength - known->back();
    HostTensor rest(*getOnnxElementType(inlay::getElementType(mask)), *known);
    for (int64_t i = 0; i != rest.getNumElements(); ++i)
      rest.setDouble(i, isCondition ? 0
                                    : -std::numeric_limits<double>::infinity());
    mask = expansion.create<ConcatOp>(
        ValueRange{mask, expansion.createConstant(rest)},
        expansion.getI64(int64_t(extents->size()) - 1));
  }
  mayHideRows |= !showsEveryRow(mask);
  if (isCondition)
    show(mask);
  else
    bias = expansion.createCast(mask, inlay::getElementType(query));
  return success();
}

/// Keys behind the last that counts, and behind a query's own.
void AttentionExpander::readOrder() {
  Value lengths = op.getNonpadKvSeqlen() ? getLengths() : Value();
  if (!lengths && !op.getIsCausal())
    return;
  Value keys = countAlong(value, 2, shape.keyLength);
  if (lengths)
    show(expansion.create<LessOp>(keys, lengths));
  mayHideRows |= lengths || op.getAttnMask();
  if (!op.getIsCausal())
    return;
  Type i64 = expansion.getBuilder().getI64Type();
  Value rows = countAlong(query, 2, shape.queryLength);
  Value own = createUnsqueeze(expansion, rows, {1});
  if (lengths) {
    Value last = expansion.create<ShapeOp>(query, expansion.getI64(2),
                                           expansion.getI64(3));
    own = expansion.create<AddOp>(own, expansion.create<SubOp>(lengths, last));
  } else if (Value past = op.getPastKey()) {
    Value before = ShapedType::isDynamic(shape.pastLength)
                       ? expansion.create<ShapeOp>(past, expansion.getI64(2),
                                                   expansion.getI64(3))
                       : expansion.createScalar(i64, double(shape.pastLength));
    own = expansion.create<AddOp>(own, before);
  }
  show(expansion.create<LessOrEqualOp>(keys, own));
}

LogicalResult AttentionExpander::readMasks() {
  if (failed(readOperand()))
    return failure();
  readOrder();
  return success();
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value AttentionExpander::scaleScores(Value scores) {
  std::optional<APFloat> given = op.getScale();
  float scale = given ? given->convertToFloat()
                      : float(1.0 / std::sqrt(double(shape.headSize)));
  // A sixth is rounded, six is not.
  float inverse = 1.0f / scale;
  bool isFraction = inverse == std::round(inverse) && 1.0f / inverse == scale &&
                    double(scale) * inverse != 1;
  if (isFraction)
    scores = expansion.create<DivOp>(
        scores, expansion.createScalarLike(scores, inverse));
  else if (scale != 1)
    scores = expansion.create<MulOp>(scores,
                                     expansion.createScalarLike(scores, scale));
  keep(ScoreStep::Product, scores);
  if (float cap = op.getSoftcap().convertToFloat(); cap > 0) {
    Value limit = expansion.createScalarLike(scores, cap);
    Value ratio = expansion.create<DivOp>(scores, limit);
    scores = expansion.create<MulOp>(expansion.create<TanhOp>(ratio), limit);
  }
  keep(ScoreStep::Softcap, scores);
  return scores;
}

Value AttentionExpander::maskScores(Value scores) {
  double hidden = -std::numeric_limits<double>::infinity();
  if (maskedRows == MaskedRows::Zero)
    hidden = getLowestFloat(*getOnnxElementType(inlay::getElementType(scores)));
  if (bias)
    scores = expansion.create<AddOp>(scores, bias);
  if (shown)
    scores = expansion.create<WhereOp>(
        shown, scores, expansion.createScalarLike(scores, hidden));
  keep(ScoreStep::Mask, scores);
  return scores;
}

Value AttentionExpander::getWeights(Value scores) {
  Type element = inlay::getElementType(scores), precise = element;
  if (std::optional<uint64_t> code = op.getSoftmaxPrecision())
    if (auto type = inlay::getElementType(int64_t(*code)))
      precise = getMlirElementType(op.getContext(), *type);
  // A type that is no wider would only lose digits.
  bool isWider = isa<FloatType>(precise) && precise.getIntOrFloatBitWidth() >
                                                element.getIntOrFloatBitWidth();
  Value weights = expansion.create<SoftmaxOp>(
      isWider ? expansion.createCast(scores, precise) : scores,
      expansion.getI64(-1), UnitAttr());
  weights = expansion.createCast(weights, element);
  Value zero = expansion.createScalarLike(weights, 0);
  if (maskedRows == MaskedRows::NanToZero)
    weights = expansion.create<WhereOp>(expansion.create<IsNaNOp>(weights),
                                        zero, weights);
  if (maskedRows == MaskedRows::Zero && mayHideRows) {
    // Hidden ones are zero already, unless the whole row is hidden.
    Value visible = shown;
    if (bias) {
      double lowest = getLowestFloat(*getOnnxElementType(element));
      Value hides = expansion.create<LessOrEqualOp>(
          bias, expansion.createScalarLike(bias, lowest));
      Value shows = expansion.create<NotOp>(hides);
      visible = shown ? expansion.create<AndOp>(shown, shows) : shows;
    }
    weights = expansion.create<WhereOp>(visible, weights, zero);
  }
  keep(ScoreStep::Softmax, weights);
  return weights;
}

LogicalResult AttentionExpander::run() {
  TypeInference inference(op, /*reportErrors=*/false);
  std::optional<MaskedRows> rows = parseMaskedRows(op.getMaskedRows());
  if (!rows || failed(shape.infer(op, inference)) || shape.rank == 0 ||
      !isFloatTensor(op.getQuery()) || !isFloatTensor(op.getValue()) ||
      ShapedType::isDynamic(shape.queryHeads) ||
      ShapedType::isDynamic(shape.keyHeads) ||
      ShapedType::isDynamic(shape.headSize) ||
      ShapedType::isDynamic(shape.valueHeadSize))
    return failure();
  if (!getShape(op.getQuery()) || !getShape(op.getKey()) ||
      !getShape(op.getValue()))
    return failure();
  maskedRows = *rows;
  query =
      splitHeads(op.getQuery(), shape.queryHeads, shape.headSize, {0, 2, 1, 3});
  Value key = getTransposedKey();
  value = getValue();
  if (failed(readMasks()))
    return failure();
  Value scores = scaleScores(multiply(query, key, shape.headSize));
  Value weights = getWeights(maskScores(scores));
  Value result =
      multiply(expansion.createCast(weights, inlay::getElementType(value)),
               value, shape.valueHeadSize);
  expansion.set(op.getResult(), mergeHeads(result));
  return success();
}

static LogicalResult expandAttention(AttentionOp op, Expansion &expansion) {
  return AttentionExpander(op, expansion).run();
}

//===----------------------------------------------------------------------===//
// Rotary embedding
//===----------------------------------------------------------------------===//

/// Elements `begin`, `begin` + `step`, ... before `end` of the last dimension.
static Value sliceLast(Expansion &expansion, Value value, int64_t begin,
                       int64_t end, int64_t step = 1) {
  return expansion.create<SliceOp>(
      value, Value(), Value(), Value(), Value(), expansion.getInts({begin}),
      expansion.getInts({end}), expansion.getInts({-1}),
      expansion.getInts({step}));
}

/// A cache as it is multiplied with (batch, heads, length, size) or, for rank
/// 3, (batch, length, heads, size).
static Value getAngles(RotaryEmbeddingOp op, Expansion &expansion, Value cache,
                       bool isMerged) {
  cache = expansion.widen(cache);
  if (Value positions = op.getPositionIds())
    cache = expansion.create<GatherOp>(cache, positions, expansion.getI64(0));
  return createUnsqueeze(expansion, cache, {isMerged ? 2 : 1});
}

// x1 * c - x2 * s, x1 * s + x2 * c   [x1 and x2 are pairs of elements]
static LogicalResult expandRotaryEmbedding(RotaryEmbeddingOp op,
                                           Expansion &expansion) {
  MaybeShape shape = getShape(op.getInput());
  if (!shape || !isFloatTensor(op.getInput()) ||
      ShapedType::isDynamic(shape->back()))
    return failure();
  bool isMerged = shape->size() == 3, isInterleaved = op.getInterleaved() == 1;
  int64_t heads = op.getNumHeads();
  int64_t size = isMerged ? shape->back() / heads : shape->back();
  int64_t dim = op.getRotaryEmbeddingDim();
  dim = dim == 0 ? size : dim;
  Value x = expansion.widen(op.getInput());
  if (isMerged)
    x = reshapeKeeping(expansion, x, {(*shape)[0], (*shape)[1], heads, size});
  Value cos = getAngles(op, expansion, op.getCosCache(), isMerged);
  Value sin = getAngles(op, expansion, op.getSinCache(), isMerged);
  Value first = isInterleaved ? sliceLast(expansion, x, 0, dim, 2)
                              : sliceLast(expansion, x, 0, dim / 2);
  Value second = isInterleaved ? sliceLast(expansion, x, 1, dim, 2)
                               : sliceLast(expansion, x, dim / 2, dim);
  auto mul = [&](Value a, Value b) { return expansion.create<MulOp>(a, b); };
  Value real = expansion.create<SubOp>(mul(first, cos), mul(second, sin));
  Value imag = expansion.create<AddOp>(mul(first, sin), mul(second, cos));
  SmallVector<Value> parts{real, imag};
  if (isInterleaved) {
    for (Value &part : parts)
      part = createUnsqueeze(expansion, part, {-1});
    Value pairs = expansion.create<ConcatOp>(parts, expansion.getI64(-1));
    // The last two dimensions become one.
    parts = {expansion.create<ReshapeOp>(
        pairs, Value(), expansion.getInts({0, 0, 0, dim}), IntegerAttr())};
  }
  if (dim != size)
    parts.push_back(sliceLast(expansion, x, dim, size));
  Value result = parts.size() == 1
                     ? parts.front()
                     : expansion.create<ConcatOp>(parts, expansion.getI64(-1));
  if (isMerged)
    result = reshapeKeeping(expansion, result,
                            {(*shape)[0], (*shape)[1], shape->back()});
  expansion.set(op.getResult(), result);
  return success();
}

void inlay::registerAttentionExpansions(MLIRContext &context) {
  attachExpansion<AttentionOp, expandAttention>(context);
  attachExpansion<RotaryEmbeddingOp, expandRotaryEmbedding,
                  FusionClass::Elementwise>(context);
}
