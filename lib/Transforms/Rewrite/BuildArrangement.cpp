//===- BuildArrangement.cpp - Elements moved as wanted --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildArrangement.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace mlir;

static Value createReshape(OpBuilder &builder, Location loc, Value value,
                           const SmallVector<int64_t> &shape) {
  MaybeShape from = getShape(value);
  if (*from == shape)
    return value;
  auto op = builder.create<ReshapeOp>(
      loc, getTensorType(builder.getContext(), getElementType(value), shape),
      value, Value(), builder.getDenseI64ArrayAttr(*getReshape(*from, shape)),
      IntegerAttr());
  return op.getResult();
}

Value rewrites::buildArrangement(OpBuilder &builder, Location loc,
                                 const Arrangement &at,
                                 const Arrangement::Dims &wanted) {
  Arrangement::Factors order = at.getOrder();
  auto getExtents = [&](ArrayRef<unsigned> list) {
    return llvm::map_to_vector(
        list, [&](unsigned factor) { return at.getExtent(factor); });
  };
  MLIRContext *context = builder.getContext();
  Type element = getElementType(at.getBase());
  Value value = at.getBase();
  for (size_t i = order.size(); i-- != 0;) {
    Value index = at.getIndex(order[i]);
    if (!index)
      continue;
    value = createReshape(builder, loc, value, getExtents(order));
    order.erase(order.begin() + i);
    value = builder.create<GatherOp>(
        loc, getTensorType(context, element, getExtents(order)), value, index,
        builder.getI64IntegerAttr(i));
  }
  Arrangement::Factors all = Arrangement::flatten(wanted);
  if (order != all) {
    value = createReshape(builder, loc, value, getExtents(order));
    SmallVector<int64_t> perm;
    for (unsigned factor : all)
      perm.push_back(llvm::find(order, factor) - order.begin());
    value = builder.create<TransposeOp>(
        loc, getTensorType(context, element, getExtents(all)), value,
        builder.getDenseI64ArrayAttr(perm));
  }
  SmallVector<int64_t> shape;
  for (const Arrangement::Factors &dim : wanted)
    shape.push_back(at.getExtent(dim));
  return createReshape(builder, loc, value, shape);
}
