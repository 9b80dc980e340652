//===- ReduceOps.cpp - Reductions along axes ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "StorageForms.h"
#include "StoredParameters.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

/// `shape` without `axes`, or with ones there.
static SmallVector<int64_t> dropAxes(ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> axes, bool keepDims) {
  SmallVector<int64_t> result;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(axes, int64_t(i)))
      result.push_back(extent);
    else if (keepDims)
      result.push_back(1);
  return result;
}

/// The map of an operator that makes one element of those along `axes`.
static AxisMap getDroppingAxisMap(Operation *op, ArrayRef<int64_t> axes,
                                  bool keepDims, AxisKind kind) {
  AxisMapBuilder map(op);
  TensorAxes dims = map.axesOf(op->getOperand(0)), kept;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (!llvm::is_contained(axes, int64_t(i))) {
      kept.push_back(dim);
    } else {
      map.setKind(dim.front(), kind);
      if (keepDims)
        kept.push_back({});
    }
  map.bind(op->getOperand(0), dims);
  map.bind(op->getResult(0), kept);
  return map.build();
}

//===----------------------------------------------------------------------===//
// Reduce...
//===----------------------------------------------------------------------===//

/// The result's shape where the axes are computed at run time: every extent is
/// unknown (but one stays one), and how many are dropped follows only from the
/// extent of `axes`.
static MaybeShape getShapeOfUnknownAxes(ArrayRef<int64_t> shape, Value axes,
                                        bool keepDims) {
  if (keepDims)
    return llvm::map_to_vector(shape, [](int64_t extent) {
      return extent == 1 ? extent : ShapedType::kDynamic;
    });
  MaybeShape axesShape = getShape(axes);
  int64_t count = axesShape && axesShape->size() == 1 ? (*axesShape)[0]
                                                      : ShapedType::kDynamic;
  int64_t rank = shape.size();
  // No axes at all may mean all of them.
  if (ShapedType::isDynamic(count) || count == 0 || count > rank)
    return std::nullopt;
  return SmallVector<int64_t>(rank - count, ShapedType::kDynamic);
}

/// The axes as far as they are known: an empty list for none given.
template <typename OpT> static MaybeInts getKnownAxes(OpT op) {
  if (std::optional<ArrayRef<int64_t>> axes = op.getAxes())
    return SmallVector<int64_t>(*axes);
  if (!op.getAxesOperand())
    return SmallVector<int64_t>();
  MaybeInts axes = getKnownInts(op.getAxesOperand());
  if (axes && llvm::is_contained(*axes, ShapedType::kDynamic))
    return std::nullopt;
  return axes;
}

template <typename OpT>
static LogicalResult inferReduceType(OpT op, TypeInference &inference) {
  bool keepDims = op.getKeepdims(), noop = op.getNoopWithEmptyAxes();
  if (failed(checkGivenOnce(inference, "axes", op.getAxes().has_value(),
                            op.getAxesOperand())) ||
      failed(checkRank(inference, "axes", op.getAxesOperand(), 1)))
    return failure();
  Type element = getElementType(op.getInput());
  MaybeShape shape = getShape(op.getInput());
  MaybeInts given = getKnownAxes(op);
  if (!shape) {
    inference.set(op.getResult(), element, std::nullopt);
    return success();
  }
  int64_t rank = shape->size();
  if (!given) {
    inference.set(op.getResult(), element,
                  getShapeOfUnknownAxes(*shape, op.getAxesOperand(), keepDims));
    return success();
  }
  FailureOr<SmallVector<int64_t>> axes =
      inference.getAxes(resolveReducedAxes(*given, noop, rank), rank);
  if (failed(axes))
    return failure();
  inference.set(op.getResult(), element, dropAxes(*shape, *axes, keepDims));
  return success();
}

/// The map where any dimension may be reduced. Those that are not kept cannot
/// be told from the others, unless at most one is left.
static AxisMap getAxisMapOfUnknownAxes(Operation *op, int64_t rank) {
  if (getRank(op->getResult(0)) == rank)
    return getWindowAxisMap(op, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  if (getRank(op->getResult(0)).value_or(rank) > 1)
    return AxisMap::opaque();
  AxisMapBuilder map(op);
  map.bind(op->getOperand(0), map.axesOf(op->getOperand(0), AxisKind::Reduced));
  return map.build();
}

template <typename OpT> static AxisMap getReduceAxisMap(OpT op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  MaybeInts given = getKnownAxes(op);
  if (!rank)
    return AxisMap::opaque();
  if (!given)
    return getAxisMapOfUnknownAxes(op, *rank);
  SmallVector<int64_t> axes;
  for (int64_t axis :
       resolveReducedAxes(*given, op.getNoopWithEmptyAxes(), *rank))
    axes.push_back(normalizeAxis(axis, *rank).value_or(-1));
  return getDroppingAxisMap(op, axes, op.getKeepdims(), AxisKind::Reduced);
}

//===----------------------------------------------------------------------===//
// Storage orders
//===----------------------------------------------------------------------===//

/// Whether the result is stored as the input is, without `dims` (or with one
/// element in each). Padding must not be combined.
static bool admitsDropping(Operation *op, const StoredForm &form,
                           ArrayRef<int64_t> dims, bool keepDims) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!type || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  AtomSequence kept;
  for (Atom atom : writeOut(form.operands[0], type)) {
    if (llvm::is_contained(dims, int64_t(atom.dim))) {
      if (atom.factor != 0 && atom.extent.isRest())
        return false;
      continue;
    }
    if (!keepDims)
      atom.dim -= llvm::count_if(
          dims, [&](int64_t dim) { return dim < int64_t(atom.dim); });
    kept.push_back(atom);
  }
  return isViewOf(op->getResult(0).getType(), form.results[0], kept);
}

template <typename OpT> static SmallVector<int64_t> getReducedDims(OpT op) {
  int64_t rank = getRank(op.getInput()).value_or(0);
  SmallVector<int64_t> dims;
  for (int64_t axis :
       resolveReducedAxes(op.getAxes().value_or(ArrayRef<int64_t>()),
                          op.getNoopWithEmptyAxes(), rank))
    dims.push_back(normalizeAxis(axis, rank).value_or(-1));
  return dims;
}

/// Whether computed axes can be said of a stored input. With `keepdims` the
/// result is stored alike; without it only where it has at most one dimension.
template <typename OpT>
static bool admitsComputedAxes(OpT op, const StoredForm &form) {
  if (!isList(op.getAxesOperand()) || form.isFactored() ||
      !areRowMajorFrom(form, 1) || !getRank(op.getInput()))
    return false;
  if (op.getKeepdims())
    return getWholeOrder(op, form).has_value();
  return getRank(op.getResult()).value_or(2) <= 1 && form.results[0].empty();
}

template <typename OpT>
static bool admitsReduce(OpT op, const StoredForm &form) {
  if (op.getAxesOperand())
    return admitsComputedAxes(op, form);
  return areRowMajorFrom(form, 1) &&
         admitsDropping(op, form, getReducedDims(op), op.getKeepdims());
}

static LogicalResult buildComputedAxes(StoredOpBuilder &stored, bool keepDims) {
  AtomSequence order =
      keepDims ? *getWholeOrder(stored.getOperation(), stored.getForm())
               : stored.getOperandOrder(0);
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  operands->back() = gatherPositions(stored, operands->back(), order);
  setResultsIn(stored, stored.create(*operands),
               keepDims ? order : AtomSequence());
  return success();
}

template <typename OpT>
static LogicalResult buildReduce(OpT op, StoredOpBuilder &stored) {
  if (op.getAxesOperand())
    return buildComputedAxes(stored, op.getKeepdims());
  SmallVector<int64_t> dims = getReducedDims(op);
  // No axes mean all or none, as before.
  if (op.getAxes().value_or(ArrayRef<int64_t>()).empty()) {
    stored.setResults(stored.create(stored.getOperands()));
    return success();
  }
  SmallVector<int64_t> axes;
  for (auto [i, atom] : llvm::enumerate(stored.getOperandOrder(0)))
    if (llvm::is_contained(dims, int64_t(atom.dim)))
      axes.push_back(i);
  stored.setResults(stored.create(
      stored.getOperands(), {stored.getAttr("axes", stored.getInts(axes))}));
  return success();
}

//===----------------------------------------------------------------------===//
// ArgMax, ArgMin
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult inferArgType(OpT op, TypeInference &inference) {
  MaybeShape shape = getShape(op.getInput());
  if (shape) {
    FailureOr<int64_t> axis = inference.getAxis(op.getAxis(), shape->size());
    if (failed(axis))
      return failure();
    if ((*shape)[*axis] == 0)
      return inference.error("axis " + Twine(*axis) + " has no elements");
    shape = dropAxes(*shape, {*axis}, op.getKeepdims());
  }
  inference.set(op.getResult(),
                getMlirElementType(op.getContext(), ElementType::Int64), shape);
  return success();
}

template <typename OpT> static AxisMap getArgAxisMap(OpT op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  if (!axis)
    return AxisMap::opaque();
  // The result holds positions, so that their order matters.
  return getDroppingAxisMap(op, {*axis}, op.getKeepdims(), AxisKind::Indexed);
}

template <typename OpT> static bool admitsArg(OpT op, const StoredForm &form) {
  std::optional<int64_t> rank = getRank(op.getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  return axis && isWhole(form.operands[0], *axis) &&
         admitsDropping(op, form, {*axis}, op.getKeepdims());
}

template <typename OpT>
static LogicalResult buildArg(OpT op, StoredOpBuilder &stored) {
  int64_t axis = getPosition(stored.getOperandOrder(0), op.getAxis(),
                             *getRank(op.getInput()));
  stored.setResults(stored.create(
      stored.getOperands(), {stored.getAttr("axis", stored.getI64(axis))}));
  return success();
}

#define GET_OP_CLASSES
#include "inlay/IR/ReduceOps.cpp.inc"
