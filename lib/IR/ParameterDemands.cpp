//===- ParameterDemands.cpp - What is asked of shapes and axes ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands that say how large results are. Where the types say what fits, they
// are that; else something small that fits in any case.
//
//===----------------------------------------------------------------------===//

#include "Demands.h"
#include "llvm/ADT/Sequence.h"

using namespace inlay;
using namespace mlir;

using Ints = std::vector<int64_t>;

/// Elements that a shape or a list of axes may have to be looked at.
static constexpr int64_t maxLength = 64;

/// The number of elements of a short vector, 1 for a scalar; nothing otherwise.
static std::optional<int64_t> getLength(Value value) {
  MaybeShape shape = value ? getShape(value) : std::nullopt;
  if (!shape || shape->size() > 1)
    return std::nullopt;
  if (shape->empty())
    return 1;
  bool isShort =
      !ShapedType::isDynamic(shape->front()) && shape->front() <= maxLength;
  return isShort ? std::optional(shape->front()) : std::nullopt;
}

static bool isStatic(const MaybeShape &shape) {
  return shape && llvm::none_of(*shape, ShapedType::isDynamic);
}

/// The extents of a result, or `instead` where they are not all known.
static ValueDemand demandExtents(Value result, const ValueDemand &instead) {
  MaybeShape shape = getShape(result);
  if (!isStatic(shape))
    return instead;
  return ValueDemand::values(Ints(shape->begin(), shape->end()));
}

/// 0, 1, ...: as many axes as there are elements in `axes`.
static ValueDemand demandAxes(Value axes) {
  std::optional<int64_t> length = getLength(axes);
  if (!length)
    return ValueDemand::range(0, 0);
  auto positions = llvm::seq<int64_t>(0, *length);
  return ValueDemand::values(Ints(positions.begin(), positions.end()));
}

/// The first dimensions of one, as many as there are elements in `axes`.
static ValueDemand demandSqueezed(SqueezeOp op) {
  std::optional<int64_t> length = getLength(op.getAxesOperand());
  MaybeShape shape = getShape(op.getInput());
  if (!length || !shape)
    return {};
  Ints dims;
  for (auto [i, extent] : llvm::enumerate(*shape))
    if (extent == 1 && int64_t(dims.size()) < *length)
      dims.push_back(i);
  return ValueDemand::values(dims);
}

/// A shape of `count` elements for a tensor of `rank`: extents that stay, then
/// one that takes what is left.
static ValueDemand demandTarget(ReshapeOp op) {
  std::optional<int64_t> count = getLength(op.getShapeOperand());
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!count || *count == 0)
    return {};
  if (rank && *rank == *count && op.getAllowzero() == 0)
    return ValueDemand::values(Ints(*count, 0));
  Ints target(*count, 1);
  target.front() = -1;
  return ValueDemand::values(target);
}

/// The extent of dimension `axis`, or `instead`.
static int64_t getExtent(Value value, int64_t axis, int64_t instead) {
  MaybeShape shape = getShape(value);
  std::optional<int64_t> normal =
      shape ? normalizeAxis(axis, shape->size()) : std::nullopt;
  if (!normal || ShapedType::isDynamic((*shape)[*normal]))
    return instead;
  return (*shape)[*normal];
}

static ValueDemand demandParts(SplitOp op) {
  int64_t count = op.getOutputs().size();
  int64_t extent = getExtent(op.getInput(), op.getAxis(), 0);
  if (count == 0 || extent < count)
    return {};
  Ints sizes(count, extent / count);
  sizes.back() += extent % count;
  return ValueDemand::values(sizes);
}

/// Twice the extents of all but the first two dimensions.
static ValueDemand demandSizes(ResizeOp op) {
  MaybeShape shape = getShape(op.getInput());
  if (!isStatic(shape) || op.getAxes())
    return {};
  Ints sizes(shape->begin(), shape->end());
  for (size_t i = 2; i < sizes.size(); ++i)
    sizes[i] *= 2;
  return ValueDemand::values(sizes);
}

static ValueDemand demandScales(ResizeOp op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!rank || op.getAxes())
    return ValueDemand::range(1, 2);
  Ints scales(*rank, 2);
  std::fill_n(scales.begin(), std::min<int64_t>(*rank, 2), 1);
  return ValueDemand::values(scales);
}

static ValueDemand demandCount(int64_t low, int64_t high) {
  ValueDemand demand = ValueDemand::range(double(low), double(high));
  demand.isWhole = true;
  return demand;
}

static void demandOfSlice(SliceOp op, DemandSink sink) {
  sink(op.getStartsOperand(), demandCount(0, 0));
  // Beyond the end is the end.
  sink(op.getEndsOperand(), demandCount(1, 1 << 20));
  if (Value axes = op.getAxesOperand())
    sink(axes, demandAxes(axes));
  sink(op.getStepsOperand(), demandCount(1, 1));
}

static void demandOfLoop(LoopOp op, DemandSink sink) {
  sink(op.getMaxTripCount(), demandCount(2, 3));
  if (Value condition = op.getCond())
    sink(condition, ValueDemand::masked(MaskKind::OneCounts));
}

static void demandOfRange(RangeOp op, DemandSink sink) {
  sink(op.getStart(), demandCount(0, 0));
  sink(op.getLimit(), demandCount(4, 8));
  sink(op.getDelta(), demandCount(1, 1));
}

static void demandOfReshape(ReshapeOp op, DemandSink sink) {
  sink(op.getShapeOperand(), demandExtents(op.getResult(), demandTarget(op)));
}

static void demandOfExpand(ExpandOp op, DemandSink sink) {
  sink(op.getShapeOperand(), demandExtents(op.getResult(), demandCount(1, 1)));
}

static void demandOfFilled(ConstantOfShapeOp op, DemandSink sink) {
  sink(op.getShapeOperand(), demandExtents(op.getResult(), demandCount(2, 4)));
}

static void demandOfTile(TileOp op, DemandSink sink) {
  sink(op.getRepeatsOperand(), demandCount(1, 2));
}

static void demandOfSplit(SplitOp op, DemandSink sink) {
  sink(op.getSplitOperand(), demandParts(op));
}

static void demandOfResize(ResizeOp op, DemandSink sink) {
  sink(op.getSizesOperand(), demandSizes(op));
  sink(op.getScalesOperand(), demandScales(op));
}

static void demandOfPad(PadOp op, DemandSink sink) {
  sink(op.getPadsOperand(), demandCount(0, 1));
  if (Value axes = op.getAxesOperand())
    sink(axes, demandAxes(axes));
}

static void demandOfSqueeze(SqueezeOp op, DemandSink sink) {
  sink(op.getAxesOperand(), demandSqueezed(op));
}

static void demandOfTopK(TopKOp op, DemandSink sink) {
  int64_t extent = getExtent(op.getInput(), op.getAxis(), 1);
  sink(op.getKOperand(), demandCount(1, std::clamp<int64_t>(extent, 1, 4)));
}

static void demandOfTrilu(TriluOp op, DemandSink sink) {
  sink(op.getKOperand(), demandCount(-1, 1));
}

static void demandOfCumSum(CumSumOp op, DemandSink sink) {
  sink(op.getAxisOperand(), demandCount(0, 0));
}

static void demandOfDropout(DropoutOp op, DemandSink sink) {
  sink(op.getTrainingModeOperand(), ValueDemand::masked(MaskKind::ZeroCounts));
}

/// What has axes beside its input.
static void demandOfAxes(Operation *op, DemandSink sink) {
  if (op->getNumOperands() >= 2)
    sink(op->getOperand(1), demandAxes(op->getOperand(1)));
}

static void demandOfLogSum(ReduceLogSumOp op, DemandSink sink) {
  sink(op.getInput(), ValueDemand::atLeast(leastPositive));
  demandOfAxes(op, sink);
}

void inlay::registerParameterDemands(MLIRContext &context) {
  attachDemands<demandOfReshape, ReshapeOp>(context);
  attachDemands<demandOfExpand, ExpandOp>(context);
  attachDemands<demandOfFilled, ConstantOfShapeOp>(context);
  attachDemands<demandOfTile, TileOp>(context);
  attachDemands<demandOfSplit, SplitOp>(context);
  attachDemands<demandOfResize, ResizeOp>(context);
  attachDemands<demandOfPad, PadOp>(context);
  attachDemands<demandOfSqueeze, SqueezeOp>(context);
  attachDemands<demandOfTopK, TopKOp>(context);
  attachDemands<demandOfTrilu, TriluOp>(context);
  attachDemands<demandOfCumSum, CumSumOp>(context);
  attachDemands<demandOfDropout, DropoutOp>(context);
  attachDemands<demandOfSlice, SliceOp>(context);
  attachDemands<demandOfRange, RangeOp>(context);
  attachDemands<demandOfLoop, LoopOp>(context);
  attachDemands<demandOfLogSum, ReduceLogSumOp>(context);
  attachDemands<demandOfAxes, UnsqueezeOp, ReduceL1Op, ReduceL2Op,
                ReduceLogSumExpOp, ReduceMaxOp, ReduceMeanOp, ReduceMinOp,
                ReduceProdOp, ReduceSumOp, ReduceSumSquareOp>(context);
}
