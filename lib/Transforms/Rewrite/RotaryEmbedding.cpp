//===- RotaryEmbedding.cpp - Rotations that were taken apart --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   y = x * c + concat(-x2, x1) * s   [x1 and x2 are the halves of x]
//
// turns pairs of elements of both halves, when both halves of c are alike, and
// those of s.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "inlay/Analysis/Patterns/Match.h"
#include "inlay/IR/Constants.h"
#include "inlay/Tensor/Slices.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

/// Operations between a cache and the halves that it is made of.
static constexpr unsigned maxSteps = 8;

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

/// The extent of the last dimension of a tensor of rank 4, when it is known
/// and even.
static std::optional<int64_t> getHeadSize(Value value) {
  MaybeShape shape = getShape(value);
  if (!shape || shape->size() != 4 || ShapedType::isDynamic(shape->back()) ||
      shape->back() % 2 != 0)
    return std::nullopt;
  return shape->back();
}

static bool isLastAxis(int64_t axis, Value value) {
  std::optional<int64_t> rank = getRank(value);
  return rank && normalizeAxis(axis, *rank) == *rank - 1;
}

/// x when the value is its first (0) or second (1) half along the last
/// dimension, else null.
static Value getHalved(Value value, unsigned half) {
  if (auto slice = value.getDefiningOp<SliceOp>()) {
    std::optional<int64_t> size = getHeadSize(slice.getInput());
    auto starts = slice.getStarts(), ends = slice.getEnds();
    auto axes = slice.getAxes(), steps = slice.getSteps();
    if (!size || !starts || !ends || !axes || axes->size() != 1 ||
        !isLastAxis(axes->front(), slice.getInput()) ||
        slice.getStepsOperand() || (steps && steps->front() != 1))
      return {};
    SliceRange range = clampSlice(*size, starts->front(), ends->front(), 1);
    bool isHalf = range.start == half * *size / 2 && range.count == *size / 2;
    return isHalf ? slice.getInput() : Value();
  }
  auto split = value.getDefiningOp<SplitOp>();
  if (!split || split.getNumResults() != 2 ||
      !isLastAxis(split.getAxis(), split.getInput()) ||
      cast<OpResult>(value).getResultNumber() != half)
    return {};
  std::optional<int64_t> size = getHeadSize(split.getInput());
  MaybeShape own = getShape(value);
  return size && own && own->back() == *size / 2 ? split.getInput() : Value();
}

/// x when the value is concat(-x2, x1), else null. Collects what it read.
static Value getTurned(Value value, SmallVectorImpl<Operation *> &ops) {
  auto concat = value.getDefiningOp<ConcatOp>();
  if (!concat || concat.getInputs().size() != 2 ||
      !isLastAxis(concat.getAxis(), value) || !value.hasOneUse())
    return {};
  auto negated = concat.getInputs()[0].getDefiningOp<NegOp>();
  if (!negated || !negated->hasOneUse())
    return {};
  Value second = negated.getInput(), first = concat.getInputs()[1];
  Value x = getHalved(second, 1);
  if (!x || getHalved(first, 0) != x)
    return {};
  ops.append({concat, negated});
  for (Value half : {first, second})
    if (half.hasOneUse() && !llvm::is_contained(ops, half.getDefiningOp()))
      ops.push_back(half.getDefiningOp());
  return x;
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

static bool hasEqualHalves(const HostTensor &tensor) {
  int64_t size = tensor.getShape().back();
  size_t bytes = tensor.getBytes().size() / tensor.getNumElements() * size / 2;
  for (ArrayRef<char> row = tensor.getBytes(); !row.empty();
       row = row.drop_front(2 * bytes))
    if (row.take_front(bytes) != row.slice(bytes, bytes))
      return false;
  return true;
}

/// Whether both halves of the last dimension are known to be alike: a constant,
/// or elementwise functions of concat(f, f).
static bool isDoubled(Value cache, int64_t size) {
  if (Attribute constant = getConstantValue(cache)) {
    llvm::Expected<HostTensor> tensor = getHostTensor(constant);
    if (!tensor)
      return llvm::consumeError(tensor.takeError()), false;
    return tensor->getNumElements() != 0 && hasEqualHalves(*tensor);
  }
  for (unsigned i = 0; i != maxSteps; ++i) {
    Operation *op = cache.getDefiningOp();
    MaybeShape shape = getShape(cache);
    if (!op || !shape || shape->empty() || shape->back() != size)
      return false;
    if (auto concat = dyn_cast<ConcatOp>(op))
      return concat.getInputs().size() == 2 &&
             concat.getInputs()[0] == concat.getInputs()[1] &&
             isLastAxis(concat.getAxis(), cache);
    auto fusion = dyn_cast<FusionOpInterface>(op);
    if (isa<MulOp>(op) && getScalarOperand(op, 0))
      cache = op->getOperand(1);
    else if (isa<MulOp>(op) && getScalarOperand(op, 1))
      cache = op->getOperand(0);
    else if (fusion && op->getNumOperands() == 1 &&
             (fusion.getFusionClass() == FusionClass::Elementwise ||
              fusion.getFusionClass() == FusionClass::View))
      cache = op->getOperand(0);
    else
      return false;
  }
  return false;
}

namespace {
/// c or s, (batch or 1, 1, length, size).
struct Cache {
  static std::optional<Cache> get(Value value, ArrayRef<int64_t> shape);

  /// (batch, length, size / 2).
  Value build(OpBuilder &builder, Location loc, int64_t batch) const;

  Value value;
  int64_t length, size;
};
} // namespace

std::optional<Cache> Cache::get(Value value, ArrayRef<int64_t> shape) {
  MaybeShape own = getShape(value);
  int64_t length = shape[2], size = shape[3];
  if (!own || own->size() < 2 || own->back() != size ||
      (*own)[own->size() - 2] != length || ShapedType::isDynamic(length) ||
      !isDoubled(value, size))
    return std::nullopt;
  // The same for every head, and for every batch.
  if (llvm::any_of(ArrayRef(*own).drop_back(2),
                   [](int64_t extent) { return extent != 1; }))
    return std::nullopt;
  return Cache{value, length, size};
}

template <typename OpT, typename... Args>
static Value create(OpBuilder &builder, Location loc, Args... args) {
  auto op =
      builder.create<OpT>(loc, UnknownType::get(builder.getContext()), args...);
  [[maybe_unused]] LogicalResult refined = refineResultTypes(op);
  assert(succeeded(refined) && "the types fit");
  return op.getResult();
}

Value Cache::build(OpBuilder &builder, Location loc, int64_t batch) const {
  auto ints = [&](ArrayRef<int64_t> list) {
    return builder.getDenseI64ArrayAttr(list);
  };
  Value half = create<SliceOp>(builder, loc, value, Value(), Value(), Value(),
                               Value(), ints({0}), ints({size / 2}), ints({-1}),
                               DenseI64ArrayAttr());
  half = create<ReshapeOp>(builder, loc, half, Value(),
                           ints({1, length, size / 2}), IntegerAttr());
  if (batch == 1)
    return half;
  return create<ExpandOp>(builder, loc, half, Value(), ints({batch, 1, 1}));
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {
/// x * c, or turned(x) * s.
struct RotaryTerm {
  MulOp product;
  Value x, cache;
  SmallVector<Operation *> ops;
};
} // namespace

static std::optional<RotaryTerm> readTurned(Value value) {
  auto product = value.getDefiningOp<MulOp>();
  if (!product || !product->hasOneUse())
    return std::nullopt;
  for (unsigned i : {0, 1}) {
    RotaryTerm term{product, {}, product->getOperand(1 - i), {product}};
    term.x = getTurned(product->getOperand(i), term.ops);
    if (term.x)
      return term;
  }
  return std::nullopt;
}

/// c of x * c.
static Value getCosine(Value value, Value x) {
  auto product = value.getDefiningOp<MulOp>();
  if (!product || !product->hasOneUse())
    return {};
  for (unsigned i : {0, 1})
    if (product->getOperand(i) == x)
      return product->getOperand(1 - i);
  return {};
}

static bool findRotaryEmbedding(Operation *root, RewriteContext &context) {
  for (unsigned i : {0, 1}) {
    std::optional<RotaryTerm> sine = readTurned(root->getOperand(i));
    Value other = root->getOperand(1 - i);
    Value cosine = sine ? getCosine(other, sine->x) : Value();
    if (!cosine || sine->x.getType() != root->getResult(0).getType()) {
      context.refuse("it is no x * c + turned(x) * s");
      continue;
    }
    MaybeShape shape = getShape(sine->x);
    std::optional<Cache> cos = Cache::get(cosine, *shape);
    std::optional<Cache> sin = Cache::get(sine->cache, *shape);
    if (!cos || !sin)
      return context.refuse("c or s is not the same in both halves, or not for "
                            "every head");
    if (ShapedType::isDynamic((*shape)[0]))
      return context.refuse("the batch is not known");
    SmallVector<Operation *> ops{root, other.getDefiningOp()};
    llvm::append_range(ops, sine->ops);
    if (!llvm::all_of(ops, [&](Operation *op) {
          return op->getBlock() == root->getBlock();
        }))
      return context.refuse("a part of it is in another block");
    OpBuilder &builder = context.builder;
    Location loc = builder.getUnknownLoc();
    Value cosCache = cos->build(builder, loc, (*shape)[0]);
    Value sinCache = sin->build(builder, loc, (*shape)[0]);
    context.replace(root,
                    builder
                        .create<RotaryEmbeddingOp>(
                            context.merge(ops), root->getResult(0).getType(),
                            sine->x, cosCache, sinCache, Value(), IntegerAttr(),
                            IntegerAttr(), IntegerAttr())
                        .getResult());
    return true;
  }
  return false;
}

static constexpr Rewrite table[] = {
    {"rotary-embedding",
     "x * c + Concat(-x2, x1) * s = RotaryEmbedding(x, c1, s1), x1 and x2 the "
     "halves of x, c1 and s1 those of c and s",
     "inlay.add", findRotaryEmbedding},
};

llvm::ArrayRef<Rewrite> rewrites::getRotaryEmbeddings() { return table; }
