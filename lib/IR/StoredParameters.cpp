//===- StoredParameters.cpp - Parameters of permuted tensors --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredParameters.h"
#include "StorageForms.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

SmallVector<int64_t> inlay::permuteEntries(ArrayRef<Atom> order,
                                           ArrayRef<int64_t> entries) {
  return llvm::map_to_vector(
      order, [&](const Atom &atom) { return entries[atom.dim]; });
}

bool inlay::isList(Value parameter) { return getRank(parameter) == 1; }

/// A constant list in `element`, a type of integers.
static Value createList(StoredOpBuilder &stored, ArrayRef<int64_t> values,
                        Type element) {
  OpBuilder &builder = stored.getBuilder();
  HostTensor list(*getOnnxElementType(element), {int64_t(values.size())});
  for (auto [i, value] : llvm::enumerate(values))
    list.setInt(i, value);
  TypedAttr attribute = getConstantAttr(builder.getContext(), list);
  return builder.create<ConstantOp>(stored.getOperation()->getLoc(),
                                    attribute.getType(), attribute);
}

static Value createGather(StoredOpBuilder &stored, Value data, Value indices) {
  auto type = cast<RankedTensorType>(indices.getType());
  return stored.getBuilder().create<GatherOp>(
      stored.getOperation()->getLoc(),
      RankedTensorType::get(type.getShape(), getElementType(data)), data,
      indices, IntegerAttr());
}

/// Entry i is where dimension i stands.
static SmallVector<int64_t> getPositionTable(ArrayRef<Atom> order) {
  int64_t rank = order.size();
  return llvm::map_to_vector(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
    return getPosition(order, dim, rank);
  });
}

Value inlay::gatherEntries(StoredOpBuilder &stored, Value entries,
                           ArrayRef<Atom> order, unsigned numRuns) {
  SmallVector<int64_t> indices;
  for (unsigned run = 0; run < numRuns; ++run)
    for (const Atom &atom : order)
      indices.push_back(run * order.size() + atom.dim);
  Type integer = stored.getBuilder().getI64Type();
  return createGather(stored, entries, createList(stored, indices, integer));
}

Value inlay::gatherPositions(StoredOpBuilder &stored, Value axes,
                             ArrayRef<Atom> order) {
  Value table =
      createList(stored, getPositionTable(order), getElementType(axes));
  return createGather(stored, table, axes);
}

Value inlay::takePositions(StoredOpBuilder &stored, Value entries,
                           ArrayRef<Atom> order) {
  OpBuilder &builder = stored.getBuilder();
  Location loc = stored.getOperation()->getLoc();
  Type element = getElementType(entries);
  Value table = createList(stored, getPositionTable(order), element);
  Value count = builder.create<ShapeOp>(
      loc, RankedTensorType::get({1}, builder.getI64Type()), entries,
      IntegerAttr(), IntegerAttr());
  auto first = builder.getDenseI64ArrayAttr({0});
  return builder.create<SliceOp>(
      loc, RankedTensorType::get({ShapedType::kDynamic}, element), table,
      /*starts_operand=*/Value(), /*ends_operand=*/count,
      /*axes_operand=*/Value(), /*steps_operand=*/Value(), /*starts=*/first,
      /*ends=*/DenseI64ArrayAttr(), /*axes=*/DenseI64ArrayAttr(),
      /*steps=*/DenseI64ArrayAttr());
}
