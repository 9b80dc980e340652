//===- IndexMaps.cpp - Where moved elements come from ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexMaps.h"
#include "KernelBody.h"
#include "Nests.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/Tensor/Slices.h"

using namespace inlay;
using namespace mlir;

using Pieces = std::optional<IndexPieces>;

static Pieces getWhole(Value value, LoopIndex index) {
  return IndexPieces{{value, std::move(index), {}}};
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
    // Of nothing there is no place.
    if (to[dim] <= 1)
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

/// Whether a view is one: a shape that is computed may be another than the
/// model says.
static bool keepsElements(Operation *op) {
  if (!isStatic(op->getOperand(0)))
    return false;
  return cast<RankedTensorType>(op->getOperand(0).getType()).getNumElements() ==
         cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
}

namespace {
template <typename OpT>
struct ViewNest : NestOpInterface::ExternalModel<ViewNest<OpT>, OpT> {
  Pieces getPieces(Operation *op, unsigned, const LoopIndex &index,
                   LoopSpace &space) const {
    if (!keepsElements(op))
      return std::nullopt;
    Value input = op->getOperand(0);
    return getWhole(input, getViewIndex(index, getExtents(op->getResult(0)),
                                        getExtents(input), space));
  }
  std::optional<LoopIndex> getResultIndex(Operation *op, const LoopIndex &index,
                                          LoopSpace &space) const {
    if (!keepsElements(op))
      return std::nullopt;
    return getViewIndex(index, getExtents(op->getOperand(0)),
                        getExtents(op->getResult(0)), space);
  }
};

struct TransposeNest
    : NestOpInterface::ExternalModel<TransposeNest, TransposeOp> {
  Pieces getPieces(Operation *op, unsigned, const LoopIndex &index,
                   LoopSpace &) const {
    auto transpose = cast<TransposeOp>(op);
    LoopIndex source(index.size());
    for (auto [dim, from] : llvm::enumerate(transpose.getPermutation()))
      source[from] = index[dim];
    return getWhole(transpose.getInput(), std::move(source));
  }
  std::optional<LoopIndex> getResultIndex(Operation *op, const LoopIndex &index,
                                          LoopSpace &) const {
    LoopIndex result;
    for (int64_t from : cast<TransposeOp>(op).getPermutation())
      result.push_back(index[from]);
    return result;
  }
};
} // namespace

std::optional<LoopIndex>
inlay::getResultIndex(Operation *op, const LoopIndex &index, LoopSpace &space) {
  auto nest = dyn_cast<NestOpInterface>(op);
  return nest ? nest.getResultIndex(index, space) : std::nullopt;
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

static Pieces getPieces(ExpandOp op, const LoopIndex &index, LoopSpace &) {
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

static Pieces getPart(SplitOp op, unsigned part, LoopIndex index) {
  if (op.getSplitOperand())
    return std::nullopt;
  int64_t axis = *normalizeAxis(op.getAxis(), index.size());
  for (Value before : op.getOutputs().take_front(part))
    index[axis].constant += getExtents(before)[axis];
  return getWhole(op.getInput(), std::move(index));
}

static Pieces getPieces(SliceOp op, LoopIndex index, LoopSpace &) {
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

static Pieces getPieces(ConcatOp op, const LoopIndex &index, LoopSpace &) {
  int64_t axis = *normalizeAxis(op.getAxis(), index.size());
  IndexPieces pieces;
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
    return IndexPieces{inside};
  Value fill = op.getConstantValue();
  LoopIndex only(fill ? getExtents(fill).size() : 0);
  return IndexPieces{inside, {fill, only, {}}};
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

/// Places along one axis.
template <typename OpT> static IndexOperand getPlaces(OpT op) {
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

static IndexOperand getPlaces(GatherNDOp op) {
  return getTuples(op, op.getBatchDims());
}
static IndexOperand getPlaces(ScatterNDOp op) {
  return getTuples(op, /*first=*/0);
}

namespace {
template <typename OpT>
struct GatherNest : NestOpInterface::ExternalModel<GatherNest<OpT>, OpT> {
  Pieces getPieces(Operation *op, unsigned, const LoopIndex &index,
                   LoopSpace &space) const {
    return ::getPieces(cast<OpT>(op), index, space);
  }
  std::optional<IndexOperand> getIndexOperand(Operation *op) const {
    return getPlaces(cast<OpT>(op));
  }
};

/// What a scatter writes is no element of its own.
template <typename OpT>
struct ScatterNest : NestOpInterface::ExternalModel<ScatterNest<OpT>, OpT> {
  std::optional<IndexOperand> getIndexOperand(Operation *op) const {
    return getPlaces(cast<OpT>(op));
  }
};
} // namespace

std::optional<IndexOperand> inlay::getIndexOperand(Operation *op) {
  auto nest = dyn_cast<NestOpInterface>(op);
  return nest ? nest.getIndexOperand() : std::nullopt;
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

namespace {
template <typename OpT>
struct MoveNest : NestOpInterface::ExternalModel<MoveNest<OpT>, OpT> {
  Pieces getPieces(Operation *op, unsigned, const LoopIndex &index,
                   LoopSpace &space) const {
    return ::getPieces(cast<OpT>(op), index, space);
  }
};

struct SplitNest : NestOpInterface::ExternalModel<SplitNest, SplitOp> {
  Pieces getPieces(Operation *op, unsigned result, const LoopIndex &index,
                   LoopSpace &) const {
    return getPart(cast<SplitOp>(op), result, index);
  }
};
} // namespace

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

std::optional<IndexPieces>
inlay::getPieces(OpResult result, const LoopIndex &index, LoopSpace &space) {
  auto nest = dyn_cast<NestOpInterface>(result.getOwner());
  if (!nest || !llvm::all_of(nest->getOperands(), isStatic))
    return std::nullopt;
  Pieces pieces = nest.getPieces(result.getResultNumber(), index, space);
  if (!pieces)
    return std::nullopt;
  IndexPieces possible;
  for (IndexPiece &piece : *pieces) {
    if (!simplifyBounds(piece, space))
      continue;
    // What may be read although it is outside is read anywhere.
    if (!piece.bounds.empty())
      for (auto [place, extent] :
           llvm::zip_equal(piece.index, getExtents(piece.value)))
        place = space.keepWithin(place, {0, extent - 1});
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

std::optional<LoopIndex> inlay::getAlignedIndex(OpOperand &operand,
                                                const LoopIndex &index) {
  ArrayRef<int64_t> shape = getExtents(operand.get());
  if (!isRepeatedTo(shape, getExtents(operand.getOwner()->getResult(0))))
    return std::nullopt;
  return getRepeated(index, shape);
}

namespace {
template <typename OpT>
struct ScaleNest : NestOpInterface::ExternalModel<ScaleNest<OpT>, OpT> {
  std::optional<LoopIndex> getOperandIndex(Operation *op, unsigned operand,
                                           const LoopIndex &index,
                                           LoopSpace &space) const {
    return getScaleIndex(cast<OpT>(op), op->getOperand(operand), index, space);
  }
};

/// A number for each channel.
struct BatchNormalizationNest
    : NestOpInterface::ExternalModel<BatchNormalizationNest,
                                     BatchNormalizationOp> {
  std::optional<LoopIndex> getOperandIndex(Operation *op, unsigned operand,
                                           const LoopIndex &index,
                                           LoopSpace &) const {
    return getVectorIndex(op->getOperand(operand), 1, index);
  }
};

/// A slope for each element, as far as they align, or for each channel.
struct PReluNest : NestOpInterface::ExternalModel<PReluNest, PReluOp> {
  std::optional<LoopIndex> getOperandIndex(Operation *op, unsigned operand,
                                           const LoopIndex &index,
                                           LoopSpace &) const {
    auto aligned = getAlignedIndex(op->getOpOperand(operand), index);
    return aligned || index.size() < 2
               ? aligned
               : getVectorIndex(op->getOperand(operand), 1, index);
  }
};
} // namespace

std::optional<LoopIndex> inlay::getOperandIndex(OpOperand &operand,
                                                const LoopIndex &index,
                                                LoopSpace &space) {
  ArrayRef<int64_t> shape = getExtents(operand.get());
  unsigned number = operand.getOperandNumber();
  // What an operator is of is read where it is written.
  if (number == 0)
    return getAlignedIndex(operand, index);
  if (llvm::all_of(shape, [](int64_t extent) { return extent == 1; }))
    return LoopIndex(shape.size());
  auto nest = dyn_cast<NestOpInterface>(operand.getOwner());
  return nest ? nest.getOperandIndex(number, index, space)
              : getAlignedIndex(operand, index);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <template <typename> typename Nest, typename... OpTs>
static void attach(MLIRContext &context) {
  (OpTs::template attachInterface<Nest<OpTs>>(context), ...);
}

void inlay::registerMoveNests(MLIRContext &context) {
  attach<ViewNest, ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp>(context);
  TransposeOp::attachInterface<TransposeNest>(context);
  attach<MoveNest, ExpandOp, TileOp, SliceOp, ConcatOp, PadOp, DepthToSpaceOp,
         SpaceToDepthOp, ResizeOp>(context);
  SplitOp::attachInterface<SplitNest>(context);
  attach<GatherNest, GatherOp, GatherElementsOp, GatherNDOp>(context);
  attach<ScatterNest, ScatterElementsOp, ScatterNDOp>(context);
  attach<ScaleNest, QuantizeLinearOp, DequantizeLinearOp>(context);
  BatchNormalizationOp::attachInterface<BatchNormalizationNest>(context);
  PReluOp::attachInterface<PReluNest>(context);
}
