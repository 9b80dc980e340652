//===- AxisMaps.cpp - Building the axis maps of operations ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/AxisMaps.h"
#include "inlay/IR/TypeInference.h"

using namespace inlay;
using namespace mlir;

static_assert(dynamicExtent == ShapedType::kDynamic);

AxisMapBuilder::AxisMapBuilder(Operation *op)
    : op(op), operands(op->getNumOperands()), results(op->getNumResults()) {}

unsigned AxisMapBuilder::axis(AxisKind kind, int64_t extent) {
  axes.push_back({kind, extent});
  return axes.size() - 1;
}

TensorAxes AxisMapBuilder::axesOf(Value value, AxisKind kind) {
  TensorAxes dims;
  MaybeShape shape = getShape(value);
  if (!shape)
    return dims;
  for (int64_t extent : *shape)
    dims.push_back({axis(kind, extent)});
  return dims;
}

void AxisMapBuilder::setKind(unsigned axis, AxisKind kind) {
  axes[axis].kind = kind;
}

void AxisMapBuilder::setLeader(unsigned axis, unsigned leader) {
  axes[axis].leader = leader;
}

void AxisMapBuilder::bind(Value value, TensorAxes dims) {
  if (!value)
    return;
  if (value.getDefiningOp() == op) {
    results[cast<OpResult>(value).getResultNumber()] = std::move(dims);
    return;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == value && !operands[operand.getOperandNumber()]) {
      operands[operand.getOperandNumber()] = std::move(dims);
      return;
    }
}

TensorAxes AxisMapBuilder::broadcastTo(Value operand, Value result,
                                       const TensorAxes &resultDims) const {
  MaybeShape from = getShape(operand), to = getShape(result);
  TensorAxes dims;
  if (!from || !to || from->size() > to->size())
    return dims;
  size_t shift = to->size() - from->size();
  for (auto [i, extent] : llvm::enumerate(*from)) {
    bool isBroadcast = extent == 1 && (*to)[shift + i] != 1;
    dims.push_back(isBroadcast ? DimAxes{} : resultDims[shift + i]);
  }
  return dims;
}

AxisMap AxisMapBuilder::build() {
  auto isBoundTo = [](const std::optional<TensorAxes> &dims, Value value) {
    std::optional<int64_t> rank = getRank(value);
    return !dims || (rank && size_t(*rank) == dims->size());
  };
  AxisMap map;
  for (Axis axis : axes)
    map.addAxis(axis);
  for (auto [dims, value] : llvm::zip_equal(operands, op->getOperands())) {
    if (!isBoundTo(dims, value))
      return AxisMap::opaque();
    map.addOperand(std::move(dims));
  }
  for (auto [dims, value] : llvm::zip_equal(results, op->getResults())) {
    if (!isBoundTo(dims, value))
      return AxisMap::opaque();
    map.addResult(std::move(dims));
  }
  return map;
}

/// Operands are bound by their place: there may be thousands.
AxisMap inlay::getElementwiseAxisMap(Operation *op) {
  AxisMapBuilder builder(op);
  Value result = op->getResult(0);
  MaybeShape to = getShape(result);
  if (!to)
    return AxisMap::opaque();
  TensorAxes dims = builder.axesOf(result);
  AxisMap map;
  for (int64_t extent : *to)
    map.addAxis(AxisKind::Parallel, extent);
  for (Value operand : op->getOperands()) {
    // An unknown extent may be a broadcast one.
    MaybeShape from = getShape(operand);
    if (!from || from->size() > to->size())
      return AxisMap::opaque();
    map.addOperand(builder.broadcastTo(operand, result, dims));
  }
  for (Value each : op->getResults()) {
    if (getRank(each) != int64_t(dims.size()))
      return AxisMap::opaque();
    map.addResult(dims);
  }
  return map;
}

AxisMap inlay::getWindowAxisMap(Operation *op, ArrayRef<int64_t> windowDims) {
  AxisMapBuilder map(op);
  Value input = op->getOperand(0);
  std::optional<int64_t> rank = getRank(input);
  if (!rank)
    return AxisMap::opaque();
  TensorAxes dims = map.axesOf(input);
  for (int64_t dim : windowDims)
    if (dim >= 0 && dim < *rank)
      map.setKind(dims[dim].front(), AxisKind::Window);
  map.bind(input, dims);
  for (Value result : op->getResults())
    if (getRank(result) == rank)
      map.bind(result, dims);
  return map.build();
}
