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
  registerActivationExpansions(context);
  registerArithmeticExpansions(context);
  registerAttentionExpansions(context);
  registerAxisNormalizationExpansions(context);
  registerConvTransposeExpansion(context);
  registerEinsumExpansion(context);
  registerFeatureNormalizationExpansions(context);
  registerLossExpansions(context);
  registerMovementExpansions(context);
  registerPlaceExpansions(context);
  registerQuantizeExpansions(context);
  registerQuantizedProductExpansions(context);
  registerRecurrentExpansions(context);
  registerReduceExpansions(context);
  registerResizeExpansion(context);
  registerSliceExpansions(context);
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

/// Whether a zero in `entries` is the operand's extent, as a Reshape reads it.
static bool hasOwnZeros(ArrayRef<int64_t> entries, const MaybeShape &from) {
  for (auto [i, entry] : llvm::enumerate(entries))
    if (entry == 0 && (!from || i >= from->size() || (*from)[i] != 0))
      return false;
  return true;
}

Value inlay::createReshape(Expansion &expansion, Value value,
                           ArrayRef<int64_t> shape) {
  int64_t numUnknown = llvm::count_if(shape, ShapedType::isDynamic);
  bool isEmpty = llvm::is_contained(shape, 0);
  // Nothing follows from an extent of zero.
  if (numUnknown > 1 || (isEmpty && numUnknown != 0) ||
      !hasOwnZeros(shape, getShape(value)))
    return {};
  SmallVector<int64_t> entries(shape);
  std::replace(entries.begin(), entries.end(), ShapedType::kDynamic,
               int64_t(-1));
  return expansion.create<ReshapeOp>(value, Value(), expansion.getInts(entries),
                                     IntegerAttr());
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

Value inlay::createSlice(Expansion &expansion, Value value, int64_t axis,
                         int64_t begin, int64_t end) {
  return expansion.create<SliceOp>(
      value, Value(), Value(), Value(), Value(), expansion.getInts({begin}),
      expansion.getInts({end}), expansion.getInts({axis}), DenseI64ArrayAttr());
}

Value inlay::createCount(Expansion &expansion, int64_t count) {
  Type wide = IntegerType::get(expansion.getOperation()->getContext(), 64);
  return expansion.create<RangeOp>(expansion.createScalar(wide, 0),
                                   expansion.createScalar(wide, double(count)),
                                   expansion.createScalar(wide, 1));
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
