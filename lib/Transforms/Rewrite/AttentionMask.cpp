//===- AttentionMask.cpp - Masks as an operand of attention ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMask.h"
#include "inlay/Analysis/Patterns/Match.h"
#include "inlay/IR/AttentionShape.h"
#include "inlay/IR/Constants.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// The shape of a mask over scores of shape `from` as one over scores of shape
/// `to`, which has the same dimensions but for those of one element.
static std::optional<SmallVector<int64_t>> alignMask(SmallVector<int64_t> mask,
                                                     ArrayRef<int64_t> from,
                                                     ArrayRef<int64_t> to) {
  if (mask.size() > from.size())
    return std::nullopt;
  mask.insert(mask.begin(), from.size() - mask.size(), 1);
  SmallVector<int64_t> aligned;
  size_t next = 0;
  for (int64_t extent : to) {
    if (extent == 1) {
      aligned.push_back(1);
      continue;
    }
    while (next < from.size() && from[next] == 1)
      ++next;
    if (next == from.size() || from[next] != extent ||
        (mask[next] != 1 && mask[next] != extent))
      return std::nullopt;
    aligned.push_back(mask[next++]);
  }
  return aligned;
}

bool AttentionMask::add(const ScoreMask &mask) {
  MaybeShape own = getShape(mask.value);
  auto aligned = own ? alignMask(*own, mask.shape, shape) : std::nullopt;
  // An attention does not stretch its mask along the keys.
  if (!aligned || aligned->back() != shape.back() ||
      llvm::any_of(shape, ShapedType::isDynamic))
    return false;
  if (!mask.hidden) {
    if (getElementType(mask.value) != element)
      return false;
  } else if (*mask.hidden != -infinity) {
    // A number that is added does what one that replaces does, where it
    // swallows every score.
    bool isWide = element.isF32() || element.isF64() || element.isBF16();
    if (!isWide || !(*mask.hidden <= -1e30))
      return false;
  }
  // As it is where that says the same.
  bool isAlike = mask.shape.size() == shape.size() && own->size() >= 2;
  parts.push_back({mask, isAlike ? *own : *aligned});
  return true;
}

std::optional<AttentionMask> AttentionMask::get(const AttentionScores &scores,
                                                ArrayRef<int64_t> shape) {
  MatMulOp product = scores.product;
  AttentionMask mask(shape, getElementType(product.getResult()));
  for (const ScoreMask &part : scores.masks)
    if (!mask.add(part))
      return std::nullopt;
  return mask;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

template <typename OpT, typename... Args>
static Value create(OpBuilder &builder, Location loc, Args... args) {
  auto op =
      builder.create<OpT>(loc, UnknownType::get(builder.getContext()), args...);
  [[maybe_unused]] LogicalResult refined = refineResultTypes(op);
  assert(succeeded(refined) && "the types fit");
  return op.getResult();
}

static Value createScalar(OpBuilder &builder, Location loc, Type element,
                          double value) {
  HostTensor scalar(*getOnnxElementType(element), {});
  scalar.setDouble(0, value);
  TypedAttr attribute = getConstantAttr(builder.getContext(), scalar);
  return builder.create<ConstantOp>(loc, attribute.getType(), attribute);
}

Value AttentionMask::buildShaped(OpBuilder &builder, Location loc,
                                 const Part &part) const {
  Value value = part.mask.value;
  if (*getShape(value) != part.shape)
    value = create<ReshapeOp>(builder, loc, value, Value(),
                              builder.getDenseI64ArrayAttr(part.shape),
                              IntegerAttr());
  if (!part.mask.shows)
    value = create<NotOp>(builder, loc, value);
  return value;
}

Value AttentionMask::build(OpBuilder &builder, Location loc) const {
  if (parts.size() == 1 && parts[0].mask.hidden == -infinity)
    return buildShaped(builder, loc, parts[0]);
  Value sum;
  for (const Part &part : parts) {
    Value value = buildShaped(builder, loc, part);
    if (part.mask.hidden) {
      Value zero = createScalar(builder, loc, element, 0);
      Value hidden = createScalar(builder, loc, element, *part.mask.hidden);
      value = create<WhereOp>(builder, loc, value, zero, hidden);
    }
    sum = sum ? create<AddOp>(builder, loc, sum, value) : value;
  }
  return sum;
}

bool AttentionMask::showsEveryRow() const {
  if (parts.empty())
    return true;
  const Part &part = parts[0];
  if (parts.size() != 1 ||
      ArrayRef(part.shape).take_back(2) != ArrayRef(shape).take_back(2))
    return false;
  // What is built from a condition is no constant yet.
  if (part.mask.hidden && part.mask.hidden != -infinity)
    return false;
  return inlay::showsEveryRow(part.mask.value, !part.mask.shows);
}
