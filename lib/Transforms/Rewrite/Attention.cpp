//===- Attention.cpp - Attention that was taken apart ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two products with a softmax between them become an Attention in its form of
// rank 4. Where query, key and value come from tensors that have the heads
// behind the positions, and the result goes to one, the form of rank 3 does
// without the transposes.
//
//===----------------------------------------------------------------------===//

#include "AttentionMask.h"
#include "BuildArrangement.h"
#include "Families.h"
#include "inlay/Analysis/Patterns/Match.h"
#include <cmath>

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

using Dims = Arrangement::Dims;

namespace {
/// An operand as its base is to be arranged.
struct Operand {
  Arrangement arrangement;
  /// (batch, heads, length, size).
  Dims dims;

  Value build(OpBuilder &builder, Location loc) const {
    return buildArrangement(builder, loc, arrangement, dims);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Dimensions of rank 3 are of one head.
static Dims getHeadDims(const Dims &dims) {
  Dims four = dims;
  if (four.size() == 3)
    four.insert(four.begin() + 1, Arrangement::Factors());
  return four;
}

/// The query without what it is multiplied with.
static Operand readQuery(Value query) {
  Arrangement at(query), found = at;
  while (at.step({/*scales=*/true}))
    if (at.getScale() != found.getScale())
      found = at;
  Dims dims = getHeadDims(found.getDims());
  return {std::move(found), std::move(dims)};
}

/// Whether the last factors of the heads are repeated, and none else: `heads`
/// heads become more, neighbours being alike. Takes them out.
static bool dropRepeats(const Arrangement &at, Dims &dims) {
  auto isRepeated = [&](unsigned factor) { return at.isRepeated(factor); };
  for (auto [i, factors] : llvm::enumerate(dims)) {
    bool hasRepeats = llvm::any_of(factors, isRepeated);
    if (hasRepeats != (i == 1))
      return false;
  }
  while (!dims[1].empty() && isRepeated(dims[1].back()))
    dims[1].pop_back();
  return llvm::none_of(dims[1], isRepeated);
}

/// Key and value where heads of the query share their heads, else nothing.
static std::optional<Operand>
readShared(Value value, Arrangement::Limits limits, bool isTransposed) {
  Arrangement at(value);
  while (at.step(limits))
    if (at.getNumRepeats() != 0) {
      Dims dims = getHeadDims(at.getDims());
      if (isTransposed)
        std::swap(dims[2], dims[3]);
      if (!dropRepeats(at, dims))
        return std::nullopt;
      return Operand{at, dims};
    }
  return std::nullopt;
}

/// Reads on until the operand needs no transpose, or has at least taken one in,
/// and is not multiplied with anything.
static std::optional<Operand> readTransposed(const Operand &start) {
  std::optional<Operand> found;
  Arrangement at = start.arrangement;
  unsigned numRepeats = at.getNumRepeats();
  double scale = at.getScale();
  auto consider = [&] {
    // Reading on splits factors.
    Dims dims = getHeadDims(at.getDims());
    std::swap(dims[2], dims[3]);
    if (numRepeats != 0 && !dropRepeats(at, dims))
      return;
    bool isScaled = at.getScale() != scale;
    bool isBetter =
        !found || isScaled || found->arrangement.getNumTransposes() == 0 ||
        (!found->arrangement.isInOrder(found->dims) && at.isInOrder(dims));
    scale = at.getScale();
    if ((at.getNumTransposes() != 0 || isScaled) && isBetter)
      found = Operand{at, dims};
  };
  consider();
  while (at.step({/*scales=*/true}))
    consider();
  if (!found || found->arrangement.getNumTransposes() == 0)
    return std::nullopt;
  return found;
}

namespace {
/// Query, key and value in their forms of rank 4.
struct Operands {
  Operand query, key;
  /// Null where the value stands for itself.
  std::optional<Operand> sharedValue;
};
} // namespace

static std::optional<Operands> readOperands(MatMulOp product, Value value) {
  Operand query = readQuery(product.getA());
  Arrangement::Limits limits{/*scales=*/true, /*repeats=*/true};
  auto key = readShared(product.getB(), limits, /*isTransposed=*/true);
  auto shared = readShared(value, {/*scales=*/false, /*repeats=*/true}, false);
  auto getHeads = [](const Operand &operand) {
    return operand.arrangement.getExtent(operand.dims[1]);
  };
  if (!key || !shared || getHeads(*key) != getHeads(*shared)) {
    Arrangement alone(product.getB());
    Dims dims = getHeadDims(alone.getDims());
    std::swap(dims[2], dims[3]);
    key = Operand{alone, dims};
    shared.reset();
  }
  key = readTransposed(*key);
  if (!key || !key->arrangement.canBuild(key->dims) ||
      !query.arrangement.canBuild(query.dims) ||
      (shared && !shared->arrangement.canBuild(shared->dims)))
    return std::nullopt;
  return Operands{query, *key, shared};
}

/// (batch, heads, queries, keys), when the products do not broadcast.
static std::optional<SmallVector<int64_t>> getScoreShape(MatMulOp product,
                                                         MatMulOp root) {
  MaybeShape query = getShape(product.getA()), key = getShape(product.getB());
  MaybeShape value = getShape(root.getB()), scores = getShape(product);
  if (!query || !key || !value || !scores || query->size() < 3 ||
      query->size() > 4 || key->size() != query->size() ||
      value->size() != query->size())
    return std::nullopt;
  ArrayRef<int64_t> batch = ArrayRef(*query).drop_back(2);
  if (llvm::any_of(batch, ShapedType::isDynamic) ||
      ArrayRef(*key).drop_back(2) != batch ||
      ArrayRef(*value).drop_back(2) != batch)
    return std::nullopt;
  if (scores->size() == 3)
    scores->insert(scores->begin() + 1, 1);
  return *scores;
}

/// The scale as an attribute can hold it.
static std::optional<float> getScale(double scale, Type element) {
  float rounded = float(scale);
  if (!(rounded > 0) || !std::isfinite(rounded) ||
      (element.isF64() && double(rounded) != scale))
    return std::nullopt;
  return rounded;
}

//===----------------------------------------------------------------------===//
// The form of rank 4
//===----------------------------------------------------------------------===//

static AttentionOp createAttention(OpBuilder &builder, Location loc,
                                   ValueRange heads, Value mask,
                                   NamedAttrList attributes) {
  SmallVector<Value> operands(heads);
  SmallVector<int32_t> segments{1, 1, 1, mask ? 1 : 0, 0, 0, 0};
  if (mask)
    operands.push_back(mask);
  attributes.set("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
  SmallVector<Type> types(4, UnknownType::get(builder.getContext()));
  OperationState state(loc, AttentionOp::getOperationName(), operands, types,
                       attributes.getAttrs());
  Operation *op = builder.create(state);
  [[maybe_unused]] LogicalResult refined = refineResultTypes(op);
  assert(succeeded(refined) && "the operands were checked");
  return cast<AttentionOp>(op);
}

static NamedAttrList getAttributes(OpBuilder &builder,
                                   const AttentionScores &scores, float scale,
                                   bool showsEveryRow) {
  NamedAttrList attributes;
  attributes.set("scale", builder.getF32FloatAttr(scale));
  if (scores.softcap != 0)
    attributes.set("softcap", builder.getF32FloatAttr(float(scores.softcap)));
  if (scores.softmaxType)
    attributes.set("softmax_precision",
                   builder.getI64IntegerAttr(
                       int64_t(*getOnnxElementType(scores.softmaxType))));
  if (scores.nanToZero)
    attributes.set("masked_rows", builder.getStringAttr("nan_to_zero"));
  else if (!showsEveryRow)
    attributes.set("masked_rows", builder.getStringAttr("softmax"));
  return attributes;
}

static bool findAttention(Operation *root, RewriteContext &context) {
  auto last = cast<MatMulOp>(root);
  std::optional<AttentionScores> scores = readScores(last);
  if (!scores)
    return context.refuse("its first operand is no softmax of scores");
  auto shape = getScoreShape(scores->product, last);
  if (!shape)
    return context.refuse("the scores are not of rank 3 or 4, or unknown");
  auto operands = readOperands(scores->product, last.getB());
  auto mask = AttentionMask::get(*scores, *shape);
  if (!operands)
    return context.refuse("query, key and value do not have the form of heads");
  if (!mask)
    return context.refuse("what is added to the scores is no mask of theirs");
  auto scale = getScale(scores->scale * operands->query.arrangement.getScale() *
                            operands->key.arrangement.getScale(),
                        getElementType(last.getResult()));
  if (!scale)
    return context.refuse("the scale is no number that the operator can have");

  OpBuilder &builder = context.builder;
  Location loc = builder.getUnknownLoc();
  Arrangement value(last.getB());
  SmallVector<Value> heads{
      operands->query.build(builder, loc), operands->key.build(builder, loc),
      operands->sharedValue ? operands->sharedValue->build(builder, loc)
                            : buildArrangement(builder, loc, value,
                                               getHeadDims(value.getDims()))};
  NamedAttrList attributes =
      getAttributes(builder, *scores, *scale, mask->showsEveryRow());
  AttentionOp attention =
      createAttention(builder, context.merge(scores->ops), heads,
                      mask->build(builder, loc), attributes);
  Value result = attention.getResult();
  Arrangement heads4(result);
  if (*getRank(last.getResult()) == 3) {
    Dims dims = heads4.getDims();
    dims.erase(dims.begin() + 1);
    result = buildArrangement(builder, loc, heads4, dims);
  }
  context.replace(root, result);
  return true;
}

//===----------------------------------------------------------------------===//
// The form of rank 3
//===----------------------------------------------------------------------===//

/// (batch, heads, length, size) as (batch, length, heads * size).
static Dims mergeHeads(const Dims &dims) {
  Dims merged{dims[0], dims[2], dims[1]};
  merged[2].append(dims[3].begin(), dims[3].end());
  return merged;
}

namespace {
/// An operand of the form of rank 3.
struct MergedOperand {
  Operand operand;
  /// What turns it, in its form of rank 4, or null.
  RotaryEmbeddingOp rotary;

  Value build(OpBuilder &builder, Location loc) const;
};
} // namespace

/// Whether reading on has taken in more transposes, or as many with less to
/// build.
static bool isBetter(const Operand &operand, const Operand &than) {
  auto rank = [](const Operand &one) {
    const Arrangement &at = one.arrangement;
    return std::pair(at.getNumTransposes(), -int64_t(at.getNumSelections()));
  };
  return rank(operand) >= rank(than);
}

/// The rotation behind the value, where nothing but views stands between them
/// and nobody else needs it; else null.
static RotaryEmbeddingOp getRotation(Value value) {
  Arrangement at(value);
  do {
    auto rotary = at.getBase().getDefiningOp<RotaryEmbeddingOp>();
    if (rotary && rotary->hasOneUse() && rotary.getType() == value.getType() &&
        at.isInOrder(at.getDims()))
      return rotary;
  } while (at.step({}));
  return {};
}

/// The operand with its heads behind the positions, where it needs no transpose
/// for that.
static std::optional<MergedOperand> readMerged(Value value) {
  RotaryEmbeddingOp rotary = getRotation(value);
  std::optional<Operand> found;
  Arrangement at(rotary ? rotary.getInput() : value);
  do {
    Operand operand{at, mergeHeads(at.getDims())};
    if (at.isInOrder(operand.dims) && at.canBuild(operand.dims) &&
        (!found || isBetter(operand, *found)))
      found = operand;
  } while (at.step({}));
  if (!found)
    return std::nullopt;
  return MergedOperand{*found, rotary};
}

Value MergedOperand::build(OpBuilder &builder, Location loc) const {
  Value value = operand.build(builder, loc);
  if (!rotary)
    return value;
  RotaryEmbeddingOp op = rotary;
  int64_t heads = (*getShape(op.getInput()))[1];
  return builder.create<RotaryEmbeddingOp>(
      op.getLoc(), value.getType(), value, op.getCosCache(), op.getSinCache(),
      op.getPositionIds(), op.getInterleavedAttr(),
      builder.getI64IntegerAttr(heads), op.getRotaryEmbeddingDimAttr());
}

/// Whether the transpose moves nothing else than the heads behind the
/// positions.
static bool movesHeads(TransposeOp op) {
  Arrangement heads(op.getInput());
  Arrangement::Factors wanted, found;
  for (int64_t from : op.getPermutation())
    llvm::append_range(found, heads.getDims()[from]);
  for (const Arrangement::Factors &dim : mergeHeads(heads.getDims()))
    llvm::append_range(wanted, dim);
  return found == wanted;
}

static bool findMergedAttention(Operation *root, RewriteContext &context) {
  auto transpose = cast<TransposeOp>(root);
  auto attention = transpose.getInput().getDefiningOp<AttentionOp>();
  if (!attention || attention->getBlock() != root->getBlock() ||
      !transpose.getInput().hasOneUse() || getRank(transpose.getInput()) != 4)
    return context.refuse("its input is no Attention of rank 4, for it alone");
  if (attention.getPastKey() || attention.getNonpadKvSeqlen())
    return context.refuse("the Attention has a past, or lengths of its own");
  auto others = attention->getResults().drop_front();
  if (!llvm::all_of(others, [](Value value) { return value.use_empty(); }))
    return context.refuse("another result of the Attention is used");
  if (!movesHeads(transpose))
    return context.refuse("it does not move heads behind positions");
  MaybeShape query = getShape(attention.getQuery());
  MaybeShape key = getShape(attention.getKey());
  MaybeShape to = getShape(transpose.getResult());
  if (!query || !key || ShapedType::isDynamic((*key)[1]) ||
      llvm::any_of(*to, ShapedType::isDynamic))
    return context.refuse("an extent is not known");
  std::vector<MergedOperand> operands;
  for (Value value :
       {attention.getQuery(), attention.getKey(), attention.getValue()}) {
    std::optional<MergedOperand> merged = readMerged(value);
    if (!merged)
      return context.refuse("an operand would need a transpose of its own");
    operands.push_back(std::move(*merged));
  }

  OpBuilder &builder = context.builder;
  Location loc = builder.getUnknownLoc();
  SmallVector<Value> heads;
  for (const MergedOperand &operand : operands) {
    heads.push_back(operand.build(builder, loc));
    if (operand.rotary)
      context.merge({operand.rotary});
  }
  NamedAttrList attributes(attention->getAttrDictionary());
  attributes.set("q_num_heads", builder.getI64IntegerAttr((*query)[1]));
  attributes.set("kv_num_heads", builder.getI64IntegerAttr((*key)[1]));
  AttentionOp merged =
      createAttention(builder, context.merge({root, attention}), heads,
                      attention.getAttnMask(), attributes);
  Value result = builder.create<ReshapeOp>(
      loc, transpose.getType(), merged.getResult(), Value(),
      builder.getDenseI64ArrayAttr(*to), IntegerAttr());
  context.replace(root, result);
  return true;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr Rewrite table[] = {
    {"attention",
     "MatMul(Softmax(s * MatMul(q, Transpose(k)) + m), v) = Attention(q, k, v, "
     "m), scale s",
     "inlay.matmul", findAttention},
    {"attention-3d",
     "Transpose(Attention(Transpose(q), Transpose(k), Transpose(v), m)) = "
     "Attention(q, k, v, m), of rank 3",
     "inlay.transpose", findMergedAttention, /*rounds=*/false},
};

llvm::ArrayRef<Rewrite> rewrites::getAttentions() { return table; }
