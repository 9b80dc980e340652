//===- Expansions.cpp - What expansions have in common --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"

using namespace inlay;
using namespace mlir;

void inlay::registerExpansions(MLIRContext &context) {
  registerAttentionExpansions(context);
  registerAxisNormalizationExpansions(context);
  registerSoftmaxExpansions(context);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value inlay::createUnsqueeze(Expansion &expansion, Value value,
                             ArrayRef<int64_t> axes) {
  if (axes.empty())
    return value;
  return expansion.create<UnsqueezeOp>(value, Value(), expansion.getInts(axes));
}

Value inlay::createSqueeze(Expansion &expansion, Value value,
                           ArrayRef<int64_t> axes) {
  if (axes.empty())
    return value;
  return expansion.create<SqueezeOp>(value, Value(), expansion.getInts(axes));
}

Value inlay::alignToAxis(Expansion &expansion, Value vector, int64_t axis,
                         int64_t rank) {
  return createUnsqueeze(expansion, vector, getRange(1, rank - axis));
}

Value inlay::createReshape(Expansion &expansion, Value value,
                           ArrayRef<int64_t> shape) {
  // A zero would mean the extent of the operand.
  bool isEmpty = llvm::is_contained(shape, 0);
  return expansion.create<ReshapeOp>(value, Value(), expansion.getInts(shape),
                                     isEmpty ? expansion.getI64(1)
                                             : IntegerAttr());
}

Value inlay::reshapeLike(Expansion &expansion, Value value, Value like) {
  if (MaybeShape shape = getStaticShape(like))
    return createReshape(expansion, value, *shape);
  Value shape = expansion.create<ShapeOp>(like, IntegerAttr(), IntegerAttr());
  return expansion.create<ReshapeOp>(value, shape, DenseI64ArrayAttr(),
                                     IntegerAttr());
}

Value inlay::createTranspose(Expansion &expansion, Value value,
                             ArrayRef<int64_t> perm) {
  return expansion.create<TransposeOp>(value, expansion.getInts(perm));
}

Value inlay::createInvStdDev(Expansion &expansion, Value variance,
                             double epsilon) {
  Value sum = expansion.create<AddOp>(
      variance, expansion.createScalarLike(variance, epsilon));
  return expansion.create<ReciprocalOp>(expansion.create<SqrtOp>(sum));
}

Normalized inlay::normalize(Expansion &expansion, Value value,
                            ArrayRef<int64_t> axes, double epsilon) {
  Value mean = reduce<ReduceMeanOp>(expansion, value, axes);
  Value shifted = expansion.create<SubOp>(value, mean);
  Value variance = reduce<ReduceMeanOp>(
      expansion, expansion.create<MulOp>(shifted, shifted), axes);
  Value inverse = createInvStdDev(expansion, variance, epsilon);
  return {expansion.create<MulOp>(shifted, inverse), mean, inverse};
}

bool inlay::isFloatTensor(Value value) {
  Type element = inlay::getElementType(value);
  return element && isa<FloatType>(element);
}

MaybeShape inlay::getStaticShape(Value value) {
  MaybeShape shape = getShape(value);
  return shape && llvm::none_of(*shape, ShapedType::isDynamic) ? shape
                                                               : std::nullopt;
}
