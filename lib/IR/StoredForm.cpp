//===- StoredForm.cpp - The storage orders one operation works in ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/StoredForm.h"
#include "inlay/IR/InlayDialect.h"

using namespace inlay;
using namespace mlir;

ArrayRef<Atom> inlay::getStorageOrder(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return {};
  auto layout = dyn_cast_if_present<LayoutAttr>(ranked.getEncoding());
  return layout ? layout.getLayout().getOrder() : ArrayRef<Atom>();
}

Type inlay::getPhysicalType(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.getEncoding())
    return type;
  auto layout = dyn_cast<LayoutAttr>(ranked.getEncoding());
  if (!layout)
    return type;
  return RankedTensorType::get(
      layout.getLayout().getPhysicalShape(ranked.getShape()),
      ranked.getElementType());
}

StoredForm StoredForm::of(Operation *op) {
  StoredForm form;
  for (Type type : op->getOperandTypes())
    form.operands.emplace_back(getStorageOrder(type));
  for (Type type : op->getResultTypes())
    form.results.emplace_back(getStorageOrder(type));
  return form;
}

bool StoredForm::isRowMajor() const {
  auto isEmpty = [](const AtomSequence &order) { return order.empty(); };
  return llvm::all_of(operands, isEmpty) && llvm::all_of(results, isEmpty);
}

bool StoredForm::isFactored() const {
  auto hasFactors = [](const AtomSequence &order) {
    return llvm::any_of(order, [](const Atom &atom) { return atom.factor; });
  };
  return llvm::any_of(operands, hasFactors) ||
         llvm::any_of(results, hasFactors);
}

bool StoredForm::isBlocked() const {
  auto test = [](const AtomSequence &order) { return inlay::isBlocked(order); };
  return llvm::any_of(operands, test) || llvm::any_of(results, test);
}

StoredForm StoredForm::withoutPadding() const {
  StoredForm form = *this;
  for (AtomSequence &order : form.operands)
    order = withPadding(order, Padding::Any);
  for (AtomSequence &order : form.results)
    order = withPadding(order, Padding::Any);
  return form;
}
