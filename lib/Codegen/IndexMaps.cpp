//===- IndexMaps.cpp - Where moved elements come from ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexMaps.h"
#include "KernelBody.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/Tensor/Slices.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace inlay;
using namespace mlir;

using Pieces = std::optional<SmallVector<IndexPiece, 1>>;

static Pieces getWhole(Value value, LoopIndex index) {
  return SmallVector<IndexPiece, 1>{{value, std::move(index), {}}};
}

//===----------------------------------------------------------------------===//
// Views and transposes
//===----------------------------------------------------------------------===//

/// The same place in the order of elements, under another shape.
static LoopIndex getViewIndex(const LoopIndex &index, ArrayRef<int64_t> from,
                              ArrayRef<int64_t> to, LoopSpace &space) {
  Linear rest = space.recombine(getOffset(index, from));
  LoopIndex result(to.size());
  int64_t left = 1;
  for (int64_t extent : to)
    left *= extent;
  for (size_t dim = to.size(); dim-- > 0;) {
    if (to[dim] == 1)
      continue;
    left /= to[dim];
    if (left == 1) {
      result[dim] = rest;
      break;
    }
    result[dim] = space.getRemainder(rest, to[dim]);
    rest = space.divide(rest, to[dim]);
  }
  return result;
}

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

/// A shape that is computed may be another than the model says.
static bool isView(Operation *op) {
  if (!isa<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp>(op) ||
      !isStatic(op->getOperand(0)))
    return false;
  return cast<RankedTensorType>(op->getOperand(0).getType()).getNumElements() ==
         cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
}

static Pieces getPieces(TransposeOp op, const LoopIndex &index) {
  LoopIndex source(index.size());
  for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
    source[from] = index[dim];
  return getWhole(op.getInput(), std::move(source));
}

std::optional<LoopIndex>
inlay::getResultIndex(Operation *op, const LoopIndex &index, LoopSpace &space) {
  if (isView(op))
    return getViewIndex(index, getExtents(op->getOperand(0)),
                        getExtents(op->getResult(0)), space);
  auto transpose = dyn_cast<TransposeOp>(op);
  if (!transpose)
    return std::nullopt;
  LoopIndex result;
  for (int64_t from : transpose.getPermutation())
    result.push_back(index[from]);
  return result;
}

//===----------------------------------------------------------------------===//
// Repeating
//===----------------------------------------------------------------------===//

/// Aligned at the end; a dimension of one element has only that.
static LoopIndex getRepeated(const LoopIndex &index, ArrayRef<int64_t> shape) {
  LoopIndex result(index.end() - shape.size(), index.end());
  for (auto [place, extent] : llvm::zip_equal(result, shape))
    if (extent == 1)
      place = {};
  return result;
}

static Pieces getPieces(ExpandOp op, const LoopIndex &index) {
  return getWhole(op.getInput(), getRepeated(index, getExtents(op.getInput())));
}

static Pieces getPieces(TileOp op, const LoopIndex &index, LoopSpace &space) {
  LoopIndex source;
  ArrayRef<int64_t> shape = getExtents(op.getInput());
  for (auto [place, extent] : llvm::zip_equal(index, shape))
    source.push_back(space.getRemainder(place, extent));
  return getWhole(op.getInput(), std::move(source));
}

//===----------------------------------------------------------------------===//
// Cutting and joining
//===----------------------------------------------------------------------===//

static Pieces getPieces(SplitOp op, unsigned part, LoopIndex index) {
  if (op.getSplitOperand())
    return std::nullopt;
  int64_t axis = *normalizeAxis(op.getAxis(), index.size());
  for (Value before : op.getOutputs().take_front(part))
    index[axis].constant += getExtents(before)[axis];
  return getWhole(op.getInput(), std::move(index));
}

static Pieces getPieces(SliceOp op, LoopIndex index) {
  if (!op.getStarts() || !op.getEnds() || op.getStepsOperand() ||
      op.getAxesOperand())
    return std::nullopt;
  ArrayRef<int64_t> starts = *op.getStarts(), ends = *op.getEnds();
  MaybeInts given;
  if (op.getAxes())
    given = SmallVector<int64_t>(*op.getAxes());
  SmallVector<int64_t> axes = getAxesOrFirst(given, starts.size());
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t dim = *normalizeAxis(axis, index.size());
    SliceRange range = clampSlice(getExtents(op.getInput())[dim], starts[i],
                                  ends[i], getEntryOr(op.getSteps(), i, 1));
    index[dim] = index[dim] * range.step + Linear::number(range.start);
  }
  return getWhole(op.getInput(), std::move(index));
}

static Pieces getPieces(ConcatOp op, const LoopIndex &index) {
  int64_t axis = *normalizeAxis(op.getAxis(), index.size());
  SmallVector<IndexPiece, 1> pieces;
  int64_t begin = 0;
  for (Value input : op.getInputs()) {
    int64_t extent = getExtents(input)[axis];
    LoopIndex source = index;
    source[axis].constant -= begin;
    pieces.push_back({input, source, {{source[axis], {0, extent - 1}}}});
    begin += extent;
  }
  return pieces;
}

/// Constants around the input, or its own border.
static Pieces getPieces(PadOp op, LoopIndex index, LoopSpace &space) {
  bool isConstant = op.getMode() == "constant";
  if (!op.getPads() || op.getAxesOperand() ||
      !(isConstant || op.getMode() == "edge"))
    return std::nullopt;
  ArrayRef<int64_t> pads = *op.getPads(), shape = getExtents(op.getInput());
  MaybeInts given;
  if (op.getAxes())
    given = SmallVector<int64_t>(*op.getAxes());
  SmallVector<int64_t> axes = getAxesOrFirst(given, shape.size());
  IndexPiece inside{op.getInput(), {}, {}};
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t dim = *normalizeAxis(axis, shape.size());
    int64_t first = std::max<int64_t>(-pads[i], 0);
    int64_t last = shape[dim] - 1 + std::min<int64_t>(pads[axes.size() + i], 0);
    index[dim].constant -= pads[i];
    if (isConstant)
      inside.bounds.push_back({index[dim], {first, last}});
    else
      index[dim] = space.clamp(index[dim], {first, last});
  }
  inside.index = std::move(index);
  if (!isConstant)
    return SmallVector<IndexPiece, 1>{inside};
  Value fill = op.getConstantValue();
  LoopIndex only(fill ? getExtents(fill).size() : 0);
  return SmallVector<IndexPiece, 1>{inside, {fill, only, {}}};
}

//===----------------------------------------------------------------------===//
// By position
//===----------------------------------------------------------------------===//

static Pieces getPieces(GatherOp op, const LoopIndex &index, LoopSpace &space) {
  ArrayRef<int64_t> data = getExtents(op.getData()),
                    indices = getExtents(op.getIndices());
  int64_t axis = *normalizeAxis(op.getAxis(), data.size());
  LoopIndex at(index.begin() + axis, index.begin() + axis + indices.size());
  LoopIndex source(index.begin(), index.begin() + axis);
  source.push_back(
      space.load(op.getIndices(), getOffset(at, indices), data[axis]));
  source.append(index.begin() + axis + indices.size(), index.end());
  return getWhole(op.getData(), std::move(source));
}

static Pieces getPieces(GatherElementsOp op, LoopIndex index,
                        LoopSpace &space) {
  ArrayRef<int64_t> data = getExtents(op.getData());
  int64_t axis = *normalizeAxis(op.getAxis(), data.size());
  index[axis] =
      space.load(op.getIndices(), getOffset(index, getExtents(op.getIndices())),
                 data[axis]);
  return getWhole(op.getData(), std::move(index));
}

/// Places are tuples, in the last dimension of the indices.
static Pieces getPieces(GatherNDOp op, const LoopIndex &index,
                        LoopSpace &space) {
  ArrayRef<int64_t> data = getExtents(op.getData()),
                    indices = getExtents(op.getIndices());
  size_t first = op.getBatchDims(), numPlaces = indices.back();
  LoopIndex at(index.begin(), index.begin() + indices.size() - 1);
  LoopIndex source(index.begin(), index.begin() + first);
  at.emplace_back();
  for (size_t i = 0; i < numPlaces; ++i) {
    at.back() = Linear::number(i);
    source.push_back(
        space.load(op.getIndices(), getOffset(at, indices), data[first + i]));
  }
  source.append(index.begin() + indices.size() - 1, index.end());
  return getWhole(op.getData(), std::move(source));
}

template <typename OpT> static IndexOperand getAlongAxis(OpT op) {
  ArrayRef<int64_t> data = getExtents(op.getData());
  int64_t axis = *normalizeAxis(op.getAxis(), data.size());
  return {op.getIndices(), {data[axis]}};
}

/// Places in the dimensions from `first` on.
template <typename OpT> static IndexOperand getTuples(OpT op, int64_t first) {
  ArrayRef<int64_t> extents =
      getExtents(op.getData()).slice(first, getExtents(op.getIndices()).back());
  return {op.getIndices(),
          SmallVector<int64_t, 1>(extents.begin(), extents.end())};
}

std::optional<IndexOperand> inlay::getIndexOperand(Operation *op) {
  if (auto gather = dyn_cast<GatherOp>(op))
    return getAlongAxis(gather);
  if (auto gather = dyn_cast<GatherElementsOp>(op))
    return getAlongAxis(gather);
  if (auto scatter = dyn_cast<ScatterElementsOp>(op))
    return getAlongAxis(scatter);
  if (auto gather = dyn_cast<GatherNDOp>(op))
    return getTuples(gather, gather.getBatchDims());
  if (auto scatter = dyn_cast<ScatterNDOp>(op))
    return getTuples(scatter, /*first=*/0);
  return std::nullopt;
}

static Pieces getPieces(ResizeOp op, LoopIndex index, LoopSpace &space) {
  std::optional<SmallVector<ResampledDim>> dims = getResampledDims(op);
  if (!dims || op.getMode() != "nearest")
    return std::nullopt;
  for (const ResampledDim &own : *dims)
    index[own.dim] = space.sample(own.sampling, index[own.dim]);
  return getWhole(op.getInput(), std::move(index));
}

/// Blocks of channels as (block, block, rest) or (rest, block, block).
static Pieces getPieces(DepthToSpaceOp op, const LoopIndex &index,
                        LoopSpace &space) {
  int64_t block = op.getBlocksize();
  int64_t rest = getExtents(op.getResult())[1];
  Linear row = space.getRemainder(index[2], block),
         column = space.getRemainder(index[3], block);
  Linear inBlock = row * block + column;
  Linear channel = op.getMode() == "CRD" ? index[1] * (block * block) + inBlock
                                         : inBlock * rest + index[1];
  return getWhole(op.getInput(),
                  {index[0], channel, space.divide(index[2], block),
                   space.divide(index[3], block)});
}

static Pieces getPieces(SpaceToDepthOp op, const LoopIndex &index,
                        LoopSpace &space) {
  int64_t block = op.getBlocksize();
  int64_t channels = getExtents(op.getInput())[1];
  Linear inBlock = space.divide(index[1], channels);
  return getWhole(op.getInput(),
                  {index[0], space.getRemainder(index[1], channels),
                   index[2] * block + space.divide(inBlock, block),
                   index[3] * block + space.getRemainder(inBlock, block)});
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static Pieces getAllPieces(OpResult result, const LoopIndex &index,
                           LoopSpace &space) {
  Operation *op = result.getOwner();
  if (isView(op))
    return getWhole(op->getOperand(0),
                    getViewIndex(index, getExtents(result),
                                 getExtents(op->getOperand(0)), space));
  return llvm::TypeSwitch<Operation *, Pieces>(op)
      .Case<TransposeOp, ExpandOp, SliceOp, ConcatOp>(
          [&](auto own) { return getPieces(own, index); })
      .Case<TileOp, PadOp, GatherOp, GatherElementsOp, GatherNDOp,
            DepthToSpaceOp, SpaceToDepthOp, ResizeOp>(
          [&](auto own) { return getPieces(own, index, space); })
      .Case([&](SplitOp own) {
        return getPieces(own, result.getResultNumber(), index);
      })
      .Default([](Operation *) { return Pieces(); });
}

/// Drops what is known of the bounds; false where one never holds.
static bool simplifyBounds(IndexPiece &piece, LoopSpace &space) {
  bool mayHold = true;
  llvm::erase_if(piece.bounds, [&](const IndexPiece::Bound &bound) {
    LoopSpace::Truth truth = space.isWithin(bound.value, bound.range);
    mayHold &= truth != LoopSpace::Truth::Never;
    return truth == LoopSpace::Truth::Always;
  });
  for (IndexPiece::Bound &bound : piece.bounds)
    space.simplifyBound(bound.value, bound.range);
  return mayHold;
}

std::optional<SmallVector<IndexPiece, 1>>
inlay::getPieces(OpResult result, const LoopIndex &index, LoopSpace &space) {
  if (!llvm::all_of(result.getOwner()->getOperands(), isStatic))
    return std::nullopt;
  Pieces pieces = getAllPieces(result, index, space);
  if (!pieces)
    return std::nullopt;
  SmallVector<IndexPiece, 1> possible;
  for (IndexPiece &piece : *pieces) {
    if (!simplifyBounds(piece, space))
      continue;
    // What may be read although it is outside is read at the border.
    if (!piece.bounds.empty())
      for (auto [place, extent] :
           llvm::zip_equal(piece.index, getExtents(piece.value)))
        place = space.clamp(place, {0, extent - 1});
    possible.push_back(std::move(piece));
    if (possible.back().bounds.empty())
      break;
  }
  // One of them holds.
  if (!possible.empty())
    possible.back().bounds.clear();
  return possible;
}

bool inlay::hasPieces(Operation *op) {
  if (op->getNumResults() == 0 || !isStatic(op->getResult(0)))
    return false;
  // The first element tells.
  SmallVector<LoopRange> none;
  LoopSpace space(LoopPlan(), none);
  OpResult result = op->getResult(0);
  return getPieces(result, LoopIndex(getExtents(result).size()), space)
      .has_value();
}

//===----------------------------------------------------------------------===//
// Operands of elementwise operators
//===----------------------------------------------------------------------===//

/// Whether a tensor of shape `from` is repeated to `to`, aligned at the end.
static bool isRepeatedTo(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (from.size() > to.size())
    return false;
  for (auto [own, extent] : llvm::zip(from, to.take_back(from.size())))
    if (own != extent && own != 1)
      return false;
  return true;
}

/// The place of a vector that belongs to one dimension.
static std::optional<LoopIndex> getVectorIndex(Value vector, int64_t axis,
                                               const LoopIndex &index) {
  std::optional<int64_t> dim = normalizeAxis(axis, index.size());
  if (!dim || getExtents(vector).size() != 1)
    return std::nullopt;
  return LoopIndex{index[*dim]};
}

/// One for all, one for each place along an axis, or one for each block.
template <typename OpT>
static std::optional<LoopIndex>
getScaleIndex(OpT op, Value scale, LoopIndex index, LoopSpace &space) {
  if (op.getBlockSize() == 0)
    return getVectorIndex(scale, op.getAxis(), index);
  std::optional<int64_t> dim = normalizeAxis(op.getAxis(), index.size());
  if (!dim || op.getBlockSize() < 0 || getExtents(scale).size() != index.size())
    return std::nullopt;
  index[*dim] = space.divide(index[*dim], op.getBlockSize());
  return index;
}

std::optional<LoopIndex> inlay::getOperandIndex(OpOperand &operand,
                                                const LoopIndex &index,
                                                LoopSpace &space) {
  Value value = operand.get();
  ArrayRef<int64_t> shape = getExtents(value);
  unsigned number = operand.getOperandNumber();
  Operation *op = operand.getOwner();
  ArrayRef<int64_t> result = getExtents(op->getResult(0));
  bool isOne = llvm::all_of(shape, [](int64_t extent) { return extent == 1; });
  if (isOne && number != 0)
    return LoopIndex(shape.size());
  if (number != 0) {
    if (auto quantize = dyn_cast<QuantizeLinearOp>(op))
      return getScaleIndex(quantize, value, index, space);
    if (auto dequantize = dyn_cast<DequantizeLinearOp>(op))
      return getScaleIndex(dequantize, value, index, space);
    if (isa<BatchNormalizationOp>(op))
      return getVectorIndex(value, 1, index);
  }
  if (isRepeatedTo(shape, result))
    return getRepeated(index, shape);
  if (isa<PReluOp>(op) && number == 1 && index.size() > 1)
    return getVectorIndex(value, 1, index);
  return std::nullopt;
}
