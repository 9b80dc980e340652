//===- PlaceExpansions.cpp - What depends on where an element is ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Term.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// OneHot
//===----------------------------------------------------------------------===//

/// 0, 1, ... depth - 1; `extent` of them, if that is known.
static Value createIota(Expansion &expansion, Term depth, int64_t extent) {
  if (expansion.isRequested() && !isUnknown(extent))
    return createCount(expansion, extent);
  MaybeInts known = getKnownInts(depth);
  int64_t length =
      known && known->size() == 1 ? known->front() : ShapedType::kDynamic;
  if (!isUnknown(length) && length >= 0)
    return expansion.createInts(getRange(0, length));
  return expansion.create<RangeOp>(depth.getNumber(0), depth,
                                   depth.getNumber(1));
}

// index = 0, 1, ... ? on : off   [negative indices count from the end]
static LogicalResult expandOneHot(OneHotOp op, Expansion &expansion) {
  std::optional<int64_t> rank = getRank(op.getIndices());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank + 1) : std::nullopt;
  if (!axis)
    return failure();
  MaybeShape shape = getShape(op.getResult());
  int64_t extent = shape ? (*shape)[*axis] : ShapedType::kDynamic;
  Type wide = IntegerType::get(op.getContext(), 64);
  Value scalar = getRank(op.getDepth()) == 0
                     ? Value(op.getDepth())
                     : createReshape(expansion, op.getDepth(), {});
  Term depth(expansion, expansion.createCast(scalar, wide));
  Term index(expansion, expansion.createCast(op.getIndices(), wide));
  Term place = select(index < 0.0, index + depth, index);
  Term isOn = Term(expansion, createUnsqueeze(expansion, place, {*axis})) ==
              Term(expansion,
                   alignToAxis(expansion, createIota(expansion, depth, extent),
                               *axis, *rank + 1));
  Term off(expansion, createSlice(expansion, op.getValues(), 0, 0, 1));
  Term on(expansion, createSlice(expansion, op.getValues(), 0, 1, 2));
  expansion.set(op.getResult(), select(isOn, on, off));
  return success();
}

//===----------------------------------------------------------------------===//
// Triangles and diagonals
//===----------------------------------------------------------------------===//

/// How far to the right of the diagonal each element of a matrix is.
static std::optional<Term> createDistance(Expansion &expansion, Value matrix) {
  MaybeShape shape = getStaticShape(matrix);
  if (!expansion.isRequested() || !shape || shape->size() < 2)
    return std::nullopt;
  Term columns(expansion, createCount(expansion, shape->back()));
  Value rows = createCount(expansion, shape->end()[-2]);
  return columns - Term(expansion, createUnsqueeze(expansion, rows, {1}));
}

static LogicalResult expandTrilu(TriluOp op, Expansion &expansion) {
  std::optional<Term> distance = createDistance(expansion, op.getInput());
  if (!distance)
    return failure();
  Term k = distance->getNumber(double(int64_t(op.getK().value_or(0))));
  if (Value operand = op.getKOperand()) {
    Value scalar = getStaticShape(operand)
                       ? createReshape(expansion, operand, {})
                       : Value();
    if (!scalar)
      return failure();
    k = Term(expansion, expansion.createCast(
                            scalar, inlay::getElementType(Value(*distance))));
  }
  Term input(expansion, op.getInput()), zero = input.getNumber(0);
  expansion.set(op.getResult(), op.getUpper()
                                    ? select(*distance < k, zero, input)
                                    : select(*distance > k, zero, input));
  return success();
}

static LogicalResult expandEyeLike(EyeLikeOp op, Expansion &expansion) {
  std::optional<Term> distance = createDistance(expansion, op.getResult());
  if (!distance)
    return failure();
  expansion.set(op.getResult(), *distance == double(int64_t(op.getK())));
  return success();
}

void inlay::registerPlaceExpansions(MLIRContext &context) {
  attachExpansion<OneHotOp, expandOneHot, FusionClass::Elementwise>(context);
  attachExpansion<TriluOp, expandTrilu>(context);
  attachExpansion<EyeLikeOp, expandEyeLike>(context);
}
