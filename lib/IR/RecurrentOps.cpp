//===- RecurrentOps.cpp - Networks along a sequence -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "Parameters.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/RecurrentCells.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/RecurrentOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

namespace {
/// The extents of a network as far as they are known.
struct CellExtents {
  int64_t length = ShapedType::kDynamic, batch = ShapedType::kDynamic;
  int64_t size = ShapedType::kDynamic, hidden = ShapedType::kDynamic;
  int64_t directions = 1, gates = 1;
  bool isBatchFirst = false;

  template <typename OpT> explicit CellExtents(OpT op);

  int64_t getRows() const { return mulExtents(gates, hidden); }
  /// Of what is seen by all steps, and of a state.
  SmallVector<int64_t> getSequence() const;
  SmallVector<int64_t> getState() const;

private:
  template <typename OpT> int64_t getHidden(OpT op) const;
};
} // namespace

/// Dimension `dim` of a value of rank `rank`, where it is one.
static int64_t getExtent(Value value, size_t rank, size_t dim) {
  MaybeShape shape = getShape(value);
  return shape && shape->size() == rank ? (*shape)[dim] : ShapedType::kDynamic;
}

template <typename OpT>
CellExtents::CellExtents(OpT op)
    : size(getExtent(op.getX(), 3, 2)), gates(countGates(getCellKind(op))),
      isBatchFirst(op.getLayout() != 0) {
  length = getExtent(op.getX(), 3, isBatchFirst ? 1 : 0);
  batch = getExtent(op.getX(), 3, isBatchFirst ? 0 : 1);
  if (auto direction = parseSequenceDirection(op.getDirection()))
    directions = countDirections(*direction);
  hidden = getHidden(op);
}

template <typename OpT> int64_t CellExtents::getHidden(OpT op) const {
  if (auto given = op.getHiddenSize())
    return int64_t(*given);
  int64_t columns = getExtent(op.getR(), 3, 2);
  int64_t rows = getExtent(op.getW(), 3, 1);
  return isUnknown(columns) && !isUnknown(rows) ? rows / gates : columns;
}

SmallVector<int64_t> CellExtents::getSequence() const {
  if (isBatchFirst)
    return {batch, length, directions, hidden};
  return {length, directions, batch, hidden};
}

SmallVector<int64_t> CellExtents::getState() const {
  if (isBatchFirst)
    return {batch, directions, hidden};
  return {directions, batch, hidden};
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult checkAttributes(OpT op, TypeInference &inference) {
  if (op.getLayout() > 1)
    return inference.error("'layout' must be 0 or 1 but is " +
                           Twine(int64_t(op.getLayout())));
  if (!parseSequenceDirection(op.getDirection()))
    return inference.error("'direction' must be forward, reverse or "
                           "bidirectional but is '" +
                           op.getDirection() + "'");
  if (auto hidden = op.getHiddenSize(); hidden && int64_t(*hidden) <= 0)
    return inference.error("'hidden_size' must be positive but is " +
                           Twine(int64_t(*hidden)));
  return report(inference, getCellActivations(op));
}

template <typename OpT>
static LogicalResult checkOperands(OpT op, TypeInference &inference,
                                   const CellExtents &e) {
  if (failed(checkRank(inference, "x", op.getX(), 3)) ||
      failed(checkShape(inference, "w", op.getW(),
                        {e.directions, e.getRows(), e.size})) ||
      failed(checkShape(inference, "r", op.getR(),
                        {e.directions, e.getRows(), e.hidden})) ||
      failed(checkShape(inference, "b", op.getB(),
                        {e.directions, mulExtents(2, e.getRows())})) ||
      failed(checkShape(inference, "sequence_lens", op.getSequenceLens(),
                        {e.batch})))
    return failure();
  return checkShape(inference, "initial_h", op.getInitialH(), e.getState());
}

template <typename OpT>
static LogicalResult inferCell(OpT op, TypeInference &inference) {
  if (failed(checkAttributes(op, inference)))
    return failure();
  CellExtents extents(op);
  if (failed(checkOperands(op, inference, extents)))
    return failure();
  SmallVector<Value> floats;
  for (Value operand : op->getOperands())
    if (operand != op.getSequenceLens())
      floats.push_back(operand);
  auto element = inference.getSameElementType(floats);
  if (failed(element))
    return failure();
  inference.set(op.getY(), *element, extents.getSequence());
  for (Value state : op->getResults().drop_front())
    inference.set(state, *element, extents.getState());
  return success();
}

LogicalResult RNNOp::inferTypes(TypeInference &inference) {
  return inferCell(*this, inference);
}

LogicalResult GRUOp::inferTypes(TypeInference &inference) {
  return inferCell(*this, inference);
}

LogicalResult LSTMOp::inferTypes(TypeInference &inference) {
  CellExtents extents(*this);
  if (failed(inferCell(*this, inference)) ||
      failed(checkShape(inference, "initial_c", getInitialC(),
                        extents.getState())))
    return failure();
  return checkShape(inference, "peepholes", getPeepholes(),
                    {extents.directions, mulExtents(3, extents.hidden)});
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

namespace {
/// Steps s, batch b, size i, directions d, hidden elements h, of which each
/// sees all others of the step before, k, and gates g:
///
///   [s, b, i], [d, (g h), i], [d, (g h), k] -> [s, d, b, h], [d, b, h]
///
/// The order of steps counts, and that of directions.
class CellAxes {
public:
  CellAxes(Operation *op, const CellExtents &extents);

  template <typename OpT> AxisMap build(OpT op);

private:
  /// A vector of `gates` blocks per direction.
  TensorAxes getBlocks(int64_t gates);
  TensorAxes getState() const;

  AxisMapBuilder map;
  CellExtents extents;
  unsigned s, b, i, d, h, k;
};
} // namespace

CellAxes::CellAxes(Operation *op, const CellExtents &extents)
    : map(op), extents(extents), s(map.axis(AxisKind::Window, extents.length)),
      b(map.axis(AxisKind::Parallel, extents.batch)),
      i(map.axis(AxisKind::Contracted, extents.size)),
      d(map.axis(AxisKind::Window, extents.directions)),
      h(map.axis(AxisKind::Window, extents.hidden)),
      k(map.axis(AxisKind::Reduced, extents.hidden)) {}

TensorAxes CellAxes::getBlocks(int64_t gates) {
  if (gates == 1)
    return {{d}, {h}};
  return {{d}, {map.axis(AxisKind::Reduced, gates), h}};
}

TensorAxes CellAxes::getState() const {
  return extents.isBatchFirst ? TensorAxes{{b}, {d}, {h}}
                              : TensorAxes{{d}, {b}, {h}};
}

template <typename OpT> AxisMap CellAxes::build(OpT op) {
  TensorAxes weights = getBlocks(extents.gates);
  auto bindRows = [&](Value operand, unsigned columns) {
    TensorAxes dims = weights;
    dims.push_back({columns});
    map.bind(operand, dims);
  };
  map.bind(op.getX(), extents.isBatchFirst ? TensorAxes{{b}, {s}, {i}}
                                           : TensorAxes{{s}, {b}, {i}});
  bindRows(op.getW(), i);
  bindRows(op.getR(), k);
  if (Value bias = op.getB())
    map.bind(bias, getBlocks(2 * extents.gates));
  if (Value lengths = op.getSequenceLens())
    map.bind(lengths, {{b}});
  if (Value state = op.getInitialH())
    map.bind(state, getState());
  if constexpr (std::is_same_v<OpT, LSTMOp>) {
    if (Value state = op.getInitialC())
      map.bind(state, getState());
    if (Value peepholes = op.getPeepholes())
      map.bind(peepholes, getBlocks(3));
  }
  map.bind(op.getY(), extents.isBatchFirst ? TensorAxes{{b}, {s}, {d}, {h}}
                                           : TensorAxes{{s}, {d}, {b}, {h}});
  for (Value state : op->getResults().drop_front())
    map.bind(state, getState());
  return map.build();
}

/// Whether the ranks that the map depends on are known; those of states and
/// biases follow.
static bool areRanked(Operation *op) {
  auto isRanked = [](Value value) { return getRank(value).has_value(); };
  return llvm::all_of(op->getOperands(), isRanked) &&
         llvm::all_of(op->getResults(), isRanked);
}

template <typename OpT> static AxisMap getCellAxisMap(OpT op) {
  CellExtents extents(op);
  // Factors of a dimension need their extents.
  if (!areRanked(op) || isUnknown(extents.hidden))
    return AxisMap::opaque();
  return CellAxes(op, extents).build(op);
}

AxisMap RNNOp::getAxisMap() { return getCellAxisMap(*this); }

AxisMap GRUOp::getAxisMap() { return getCellAxisMap(*this); }

AxisMap LSTMOp::getAxisMap() { return getCellAxisMap(*this); }

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

FusionClass RNNOp::getFusionClass() { return FusionClass::Opaque; }

FusionClass GRUOp::getFusionClass() { return FusionClass::Opaque; }

FusionClass LSTMOp::getFusionClass() { return FusionClass::Opaque; }
