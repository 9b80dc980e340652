//===- MovementExpansions.cpp - Shapes, blocks and pieces -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Term.h"
#include "inlay/IR/Constants.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Squeeze, Unsqueeze and Flatten are a Reshape to the shape of their result.
template <typename OpT>
static LogicalResult expandView(OpT op, Expansion &expansion) {
  MaybeShape shape = getShape(op.getResult());
  Value view =
      shape ? createReshape(expansion, op.getInput(), *shape) : Value();
  if (!view)
    return failure();
  expansion.set(op.getResult(), view);
  return success();
}

/// A Reshape to `split`, a Transpose, and a Reshape to the result's shape.
template <typename OpT>
static LogicalResult expandBlocks(OpT op, Expansion &expansion,
                                  ArrayRef<int64_t> split,
                                  ArrayRef<int64_t> perm) {
  MaybeShape shape = getShape(op.getResult());
  Value blocks = createReshape(expansion, op.getInput(), split);
  if (!blocks || !shape)
    return failure();
  Value moved = createTranspose(expansion, blocks, perm);
  Value joined = createReshape(expansion, moved, *shape);
  if (!joined)
    return failure();
  expansion.set(op.getResult(), joined);
  return success();
}

static LogicalResult expandDepthToSpace(DepthToSpaceOp op,
                                        Expansion &expansion) {
  MaybeShape shape = getShape(op.getInput());
  int64_t block = op.getBlocksize();
  if (!shape || shape->size() != 4 || block < 1 ||
      !areAllKnown(ArrayRef(*shape).drop_front()))
    return failure();
  int64_t n = (*shape)[0], c = (*shape)[1] / (block * block);
  int64_t h = (*shape)[2], w = (*shape)[3];
  if (op.getMode() == "CRD")
    return expandBlocks(op, expansion, {n, c, block, block, h, w},
                        {0, 1, 4, 2, 5, 3});
  return expandBlocks(op, expansion, {n, block, block, c, h, w},
                      {0, 3, 4, 1, 5, 2});
}

static LogicalResult expandSpaceToDepth(SpaceToDepthOp op,
                                        Expansion &expansion) {
  MaybeShape shape = getShape(op.getInput());
  int64_t block = op.getBlocksize();
  if (!shape || shape->size() != 4 || block < 1 ||
      !areAllKnown(ArrayRef(*shape).drop_front()))
    return failure();
  return expandBlocks(op, expansion,
                      {(*shape)[0], (*shape)[1], (*shape)[2] / block, block,
                       (*shape)[3] / block, block},
                      {0, 3, 5, 1, 2, 4});
}

//===----------------------------------------------------------------------===//
// Repeating and cutting
//===----------------------------------------------------------------------===//

/// A Tile repeats along new dimensions in front of those that it repeats.
static LogicalResult expandTile(TileOp op, Expansion &expansion) {
  MaybeShape from = getStaticShape(op.getInput());
  MaybeShape to = getStaticShape(op.getResult());
  std::optional<ArrayRef<int64_t>> repeats = op.getRepeats();
  if (!from || !to || llvm::is_contained(*to, 0) || !repeats ||
      repeats->size() != from->size())
    return failure();
  SmallVector<int64_t> apart, repeated;
  for (auto [extent, count] : llvm::zip_equal(*from, *repeats)) {
    apart.append({1, extent});
    repeated.append({count, extent});
  }
  Value view = createReshape(expansion, op.getInput(), apart);
  Value wide = expansion.create<inlay::ExpandOp>(view, Value(),
                                                 expansion.getInts(repeated));
  expansion.set(op.getResult(), createReshape(expansion, wide, *to));
  return success();
}

static LogicalResult expandSplit(SplitOp op, Expansion &expansion) {
  std::optional<int64_t> rank = getRank(op.getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  if (!axis)
    return failure();
  int64_t begin = 0;
  for (Value output : op.getOutputs()) {
    MaybeShape shape = getShape(output);
    if (!shape || isUnknown((*shape)[*axis]))
      return failure();
    int64_t end = begin + (*shape)[*axis];
    if (!output.use_empty())
      expansion.set(output,
                    createSlice(expansion, op.getInput(), *axis, begin, end));
    begin = end;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// What passes values on
//===----------------------------------------------------------------------===//

static LogicalResult expandDropout(DropoutOp op, Expansion &expansion) {
  if (op.mayBeRandom())
    return failure();
  expansion.set(op.getOutput(), op.getInput());
  if (op.getMask().use_empty())
    return success();
  MaybeShape shape = getStaticShape(op.getInput());
  Value extents = shape ? Value()
                        : expansion.create<ShapeOp>(
                              op.getInput(), IntegerAttr(), IntegerAttr());
  Value all = expansion.create<inlay::ExpandOp>(
      expansion.createScalar(IntegerType::get(op.getContext(), 1), 1), extents,
      shape ? expansion.getInts(*shape) : DenseI64ArrayAttr());
  expansion.set(op.getMask(), all);
  return success();
}

static LogicalResult expandCastLike(CastLikeOp op, Expansion &expansion) {
  auto type = getOnnxElementType(inlay::getElementType(op.getTargetType()));
  if (!type)
    return failure();
  expansion.set(
      op.getResult(),
      expansion.create<CastOp>(op.getInput(), expansion.getI64(int64_t(*type)),
                               op.getSaturateAttr(), op.getRoundModeAttr()));
  return success();
}

/// One element, as often as the result has it.
static LogicalResult expandConstantOfShape(ConstantOfShapeOp op,
                                           Expansion &expansion) {
  MaybeShape shape = getStaticShape(op.getResult());
  if (!expansion.isRequested() || !shape)
    return failure();
  HostTensor value(ElementType::Float, {});
  if (op.getValue()) {
    auto given = getHostTensor(*op.getValue());
    if (!given) {
      llvm::consumeError(given.takeError());
      return failure();
    }
    if (given->getNumElements() != 1)
      return failure();
    value = given->reshaped({});
  }
  expansion.set(op.getResult(), expansion.create<inlay::ExpandOp>(
                                    expansion.createConstant(value), Value(),
                                    expansion.getInts(*shape)));
  return success();
}

void inlay::registerMovementExpansions(MLIRContext &context) {
  attachExpansion<SqueezeOp, expandView<SqueezeOp>>(context);
  attachExpansion<UnsqueezeOp, expandView<UnsqueezeOp>>(context);
  attachExpansion<FlattenOp, expandView<FlattenOp>>(context);
  attachExpansion<DepthToSpaceOp, expandDepthToSpace>(context);
  attachExpansion<SpaceToDepthOp, expandSpaceToDepth>(context);
  attachExpansion<TileOp, expandTile>(context);
  attachExpansion<SplitOp, expandSplit>(context);
  attachExpansion<ConstantOfShapeOp, expandConstantOfShape>(context);
  attachExpansion<DropoutOp, expandDropout>(context);
  attachExpansion<CastLikeOp, expandCastLike>(context);
}
