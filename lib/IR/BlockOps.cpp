//===- BlockOps.cpp - DepthToSpace and SpaceToDepth -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/Modes.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

/// The input as N x C x H x W, unknown where it is not ranked.
static FailureOr<Extents> getImages(TypeInference &inference, Value input,
                                    int64_t block) {
  if (block < 1)
    return inference.error("'blocksize' must be positive, found " +
                           Twine(block));
  if (failed(checkRank(inference, "input", input, 4)))
    return failure();
  return getShape(input).value_or(Extents(4, ShapedType::kDynamic));
}

static FailureOr<int64_t> divideExtent(TypeInference &inference, int64_t extent,
                                       int64_t divisor) {
  if (isUnknown(extent) || isUnknown(divisor))
    return ShapedType::kDynamic;
  if (extent % divisor != 0)
    return inference.error("extent " + Twine(extent) +
                           " is not a multiple of " + Twine(divisor));
  return extent / divisor;
}

LogicalResult DepthToSpaceOp::inferTypes(TypeInference &inference) {
  if (!parseDepthToSpaceMode(getMode()))
    return inference.error("'mode' must be DCR or CRD, found " + getMode());
  int64_t block = getBlocksize();
  auto images = getImages(inference, getInput(), block);
  if (failed(images))
    return failure();
  auto channels =
      divideExtent(inference, (*images)[1], mulExtents(block, block));
  if (failed(channels))
    return failure();
  inference.set(getResult(), inlay::getElementType(getInput()),
                Extents{(*images)[0], *channels,
                        mulExtents((*images)[2], block),
                        mulExtents((*images)[3], block)});
  return success();
}

/// The axes [n, c, h, w] of the smaller images, and the block's.
static std::pair<TensorAxes, std::pair<unsigned, unsigned>>
getBlockAxes(AxisMapBuilder &map, ArrayRef<int64_t> shape, int64_t block) {
  TensorAxes dims;
  for (int64_t extent : shape)
    dims.push_back({map.axis(AxisKind::Parallel, extent)});
  return {dims,
          {map.axis(AxisKind::Parallel, block),
           map.axis(AxisKind::Parallel, block)}};
}

/// [n, (b d c), h, w] (or with c first) and [n, c, (h b), (w d)].
static std::pair<TensorAxes, TensorAxes>
getDepthAndSpace(const TensorAxes &dims, unsigned b, unsigned d,
                 bool channelsFirst) {
  unsigned c = dims[1][0], h = dims[2][0], w = dims[3][0];
  DimAxes deep = channelsFirst ? DimAxes{c, b, d} : DimAxes{b, d, c};
  return {{dims[0], deep, {h}, {w}}, {dims[0], {c}, {h, b}, {w, d}}};
}

AxisMap DepthToSpaceOp::getAxisMap() {
  MaybeShape shape = getShape(getInput());
  if (!shape || shape->size() != 4 || getBlocksize() < 1)
    return AxisMap::opaque();
  int64_t area = mulExtents(getBlocksize(), getBlocksize());
  if (isUnknown(area))
    return AxisMap::opaque();
  if (!isUnknown((*shape)[1]))
    (*shape)[1] /= area;
  AxisMapBuilder map(*this);
  auto [dims, block] = getBlockAxes(map, *shape, getBlocksize());
  auto [depth, space] = getDepthAndSpace(dims, block.first, block.second,
                                         /*channelsFirst=*/getMode() == "CRD");
  map.bind(getInput(), depth);
  map.bind(getResult(), space);
  return map.build();
}

FusionClass DepthToSpaceOp::getFusionClass() { return FusionClass::Transform; }

OpFoldResult DepthToSpaceOp::fold(FoldAdaptor) {
  bool isIdentity =
      getBlocksize() == 1 && getInput().getType() == getResult().getType();
  return isIdentity ? getInput() : Value();
}

LogicalResult SpaceToDepthOp::inferTypes(TypeInference &inference) {
  int64_t block = getBlocksize();
  auto images = getImages(inference, getInput(), block);
  if (failed(images))
    return failure();
  auto height = divideExtent(inference, (*images)[2], block);
  if (failed(height))
    return failure();
  auto width = divideExtent(inference, (*images)[3], block);
  if (failed(width))
    return failure();
  int64_t channels = mulExtents((*images)[1], mulExtents(block, block));
  inference.set(getResult(), inlay::getElementType(getInput()),
                Extents{(*images)[0], channels, *height, *width});
  return success();
}

AxisMap SpaceToDepthOp::getAxisMap() {
  MaybeShape shape = getShape(getInput());
  if (!shape || shape->size() != 4 || getBlocksize() < 1)
    return AxisMap::opaque();
  for (int64_t &extent : MutableArrayRef(*shape).drop_front(2))
    if (!isUnknown(extent))
      extent /= getBlocksize();
  AxisMapBuilder map(*this);
  auto [dims, block] = getBlockAxes(map, *shape, getBlocksize());
  auto [depth, space] = getDepthAndSpace(dims, block.first, block.second,
                                         /*channelsFirst=*/false);
  map.bind(getInput(), space);
  map.bind(getResult(), depth);
  return map.build();
}

FusionClass SpaceToDepthOp::getFusionClass() { return FusionClass::Transform; }

OpFoldResult SpaceToDepthOp::fold(FoldAdaptor) {
  bool isIdentity =
      getBlocksize() == 1 && getInput().getType() == getResult().getType();
  return isIdentity ? getInput() : Value();
}
