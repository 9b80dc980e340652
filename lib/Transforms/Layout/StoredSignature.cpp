//===- StoredSignature.cpp - Inputs and outputs as stored -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredSignature.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/Origin.h"
#include "inlay/IR/StoredConstants.h"

using namespace inlay;
using namespace inlay::layout;
using namespace mlir;

/// Whether `atom` is all of its dimension.
static bool isWhole(const Atom &atom) {
  return atom.factor == 0 && atom.extent.isRest();
}

/// The names of dimensions, one for each atom.
static ArrayAttr storeDims(ArrayAttr dims, ArrayRef<Atom> order) {
  MLIRContext *context = dims.getContext();
  SmallVector<Attribute> stored;
  for (const Atom &atom : order) {
    Attribute name = StringAttr::get(context, atom.extent.getSymbol());
    if (isWhole(atom) && atom.dim < dims.size())
      name = dims[atom.dim];
    stored.push_back(name);
  }
  return ArrayAttr::get(context, stored);
}

/// The type that a model declares, in storage order; null where it says nothing
/// about the factors.
static Type storeDeclaredType(Type type, ArrayRef<Atom> order) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return type;
  SmallVector<int64_t> shape;
  for (const Atom &atom : order) {
    if (!isWhole(atom) || atom.dim >= ranked.getRank())
      return {};
    shape.push_back(ranked.getDimSize(atom.dim));
  }
  return RankedTensorType::get(shape, ranked.getElementType());
}

/// What an argument or result of `type` has as attributes, in storage order.
static FailureOr<DictionaryAttr>
storeAttributes(func::FuncOp function, DictionaryAttr attributes, Type type) {
  ArrayRef<Atom> order = getStorageOrder(type);
  if (!attributes || order.empty())
    return attributes;
  NamedAttrList list(attributes);
  if (auto dims = dyn_cast_if_present<ArrayAttr>(list.get(attrs::dims)))
    list.set(attrs::dims, storeDims(dims, order));
  if (auto declared =
          dyn_cast_if_present<TypeAttr>(list.get(attrs::declaredType))) {
    list.erase(attrs::declaredType);
    if (Type stored = storeDeclaredType(declared.getValue(), order))
      list.set(attrs::declaredType, TypeAttr::get(stored));
  }
  if (Attribute value = list.get(attrs::defaultValue)) {
    auto layout = cast<LayoutAttr>(cast<RankedTensorType>(type).getEncoding());
    TypedAttr stored = getStoredAttr(value, layout.getLayout());
    if (!stored)
      return function->emitError("default value of an input cannot be stored "
                                 "as ")
             << layout.getLayout().str();
    list.set(attrs::defaultValue, stored);
  }
  return list.getDictionary(function.getContext());
}

LogicalResult layout::storeSignature(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    FailureOr<DictionaryAttr> stored = storeAttributes(
        function, function.getArgAttrDict(i), function.getArgumentTypes()[i]);
    if (failed(stored))
      return failure();
    if (*stored)
      function.setArgAttrs(i, *stored);
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    FailureOr<DictionaryAttr> stored = storeAttributes(
        function, function.getResultAttrDict(i), function.getResultTypes()[i]);
    if (failed(stored))
      return failure();
    if (*stored)
      function.setResultAttrs(i, *stored);
  }
  return success();
}

Location layout::getStoredLoc(Operation *op) {
  OriginAttr origin = getFirstOrigin(op->getLoc());
  DictionaryAttr extra = origin ? origin.getExtra() : DictionaryAttr();
  auto dims = extra ? extra.getAs<ArrayAttr>("dims") : ArrayAttr();
  if (!dims)
    return op->getLoc();
  SmallVector<Attribute> stored(dims.begin(), dims.end());
  for (auto [names, result] : llvm::zip(stored, op->getResults())) {
    ArrayRef<Atom> order = getStorageOrder(result.getType());
    auto list = dyn_cast<ArrayAttr>(names);
    if (!order.empty() && list && !list.empty())
      names = storeDims(list, order);
  }
  MLIRContext *context = op->getContext();
  auto all = ArrayAttr::get(context, stored);
  if (all == dims)
    return op->getLoc();
  NamedAttrList list(extra);
  list.set("dims", all);
  auto changed =
      OriginAttr::get(context, origin.getName(), origin.getOpType(),
                      origin.getOutputs(), list.getDictionary(context));
  return mergeLocs(context, {getOriginLoc(changed), op->getLoc()});
}
