//===- ReshapeOps.cpp - Other shapes for the same elements ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "Parameters.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Reshapes.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

/// The axis map from the common factors of both shapes. The first `same`
/// dimensions correspond one to one, whatever their extents.
static AxisMap getFactoredAxisMap(Operation *op, size_t same = 0) {
  Value input = op->getOperand(0), result = op->getResult(0);
  MaybeShape from = getShape(input), to = getShape(result);
  if (!from || !to || same > from->size() || same > to->size())
    return AxisMap::opaque();
  auto common = factorShapes(ArrayRef(*from).drop_front(same),
                             ArrayRef(*to).drop_front(same));
  if (!common)
    return AxisMap::opaque();
  AxisMapBuilder map(op);
  TensorAxes fromDims, toDims;
  for (size_t i = 0; i < same; ++i) {
    fromDims.push_back({map.axis(AxisKind::Parallel, (*from)[i])});
    toDims.push_back(fromDims.back());
  }
  for (int64_t factor : common->factors)
    map.axis(AxisKind::Parallel, factor);
  auto append = [&](TensorAxes &dims, const TensorAxes &factored) {
    for (DimAxes dim : factored) {
      for (unsigned &axis : dim)
        axis += same;
      dims.push_back(dim);
    }
  };
  append(fromDims, common->from);
  append(toDims, common->to);
  map.bind(input, fromDims);
  map.bind(result, toDims);
  return map.build();
}

/// Whether giving `input` the shape of `result` changes nothing. Two unknown
/// extents of equal types may still differ, and so may one beside a zero.
static bool keepsShape(Value input, Value result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || type != input.getType())
    return false;
  return type.hasStaticShape() || (type.getNumDynamicDims() == 1 &&
                                   !llvm::is_contained(type.getShape(), 0));
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::inferTypes(TypeInference &inference) {
  if (failed(checkRequired(inference, "shape", getShape().has_value(),
                           getShapeOperand())))
    return failure();
  Type element = inlay::getElementType(getInput());
  MaybeInts entries = getEntries(inference, getShape(), getShapeOperand());
  if (!entries) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  auto shape = report(inference, inferReshape(inlay::getShape(getInput()),
                                              *entries, getAllowzero() != 0));
  if (failed(shape))
    return failure();
  inference.set(getResult(), element, *shape);
  return success();
}

AxisMap ReshapeOp::getAxisMap() {
  // Leading dimensions that are copied correspond even when unknown.
  size_t same = 0;
  if (std::optional<ArrayRef<int64_t>> shape = getShape();
      shape && getAllowzero() == 0)
    same = shape->take_while([](int64_t entry) { return entry == 0; }).size();
  return getFactoredAxisMap(*this, same);
}

FusionClass ReshapeOp::getFusionClass() { return FusionClass::View; }

/// Whether every entry copies the extent of its dimension, or is it.
static bool copiesAll(ReshapeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  std::optional<ArrayRef<int64_t>> shape = op.getShape();
  if (!type || !shape || op.getAllowzero() != 0 ||
      type != op.getResult().getType() ||
      int64_t(shape->size()) != type.getRank())
    return false;
  return llvm::all_of(llvm::zip(*shape, type.getShape()), [](auto both) {
    auto [entry, extent] = both;
    return entry == 0 || entry == extent;
  });
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  bool isSame = keepsShape(getInput(), getResult()) || copiesAll(*this);
  return isSame ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// FlattenOp
//===----------------------------------------------------------------------===//

LogicalResult FlattenOp::inferTypes(TypeInference &inference) {
  Extents shape(2, ShapedType::kDynamic);
  if (MaybeShape input = getShape(getInput())) {
    auto flat = report(inference, inferFlatten(*input, getAxis()));
    if (failed(flat))
      return failure();
    shape = *flat;
  }
  inference.set(getResult(), inlay::getElementType(getInput()), shape);
  return success();
}

AxisMap FlattenOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank)
    return AxisMap::opaque();
  int64_t axis = getAxis();
  if (axis < 0)
    axis += *rank;
  AxisMapBuilder map(*this);
  TensorAxes from = map.axesOf(getInput()), to(2);
  for (auto [i, dim] : llvm::enumerate(from))
    to[int64_t(i) < axis ? 0 : 1].append(dim.begin(), dim.end());
  map.bind(getInput(), from);
  map.bind(getResult(), to);
  return map.build();
}

FusionClass FlattenOp::getFusionClass() { return FusionClass::View; }

OpFoldResult FlattenOp::fold(FoldAdaptor) {
  return keepsShape(getInput(), getResult()) ? getInput() : Value();
}
