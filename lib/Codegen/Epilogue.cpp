//===- Epilogue.cpp - What a kernel does with what it computed ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

ResultPlaces::ResultPlaces(const KernelBody &body, LoopSpace &space, Value at,
                           const LoopIndex &index)
    : body(body), space(space), shape(getExtents(at)), index(index) {}

void ResultPlaces::follow() {
  for (Operation *op : body.ops) {
    if (op->getNumResults() == 0 || !hasCodeType(op->getResult(0)) ||
        places.contains(op->getResult(0)))
      continue;
    Value result = op->getResult(0);
    auto fusion = dyn_cast<FusionOpInterface>(op);
    bool isElementwise =
        fusion && fusion.getFusionClass() == FusionClass::Elementwise;
    for (Value operand : op->getOperands()) {
      auto it = places.find(body.resolve(operand));
      if (it == places.end())
        continue;
      LoopIndex from = it->second;
      if (std::optional<LoopIndex> to = getResultIndex(op, from, space))
        places[result] = *to;
      else if (isElementwise && getExtents(operand) == getExtents(result))
        places[result] = from;
      else
        continue;
      break;
    }
  }
}

std::optional<LoopIndex> ResultPlaces::get(Value value) const {
  if (auto it = places.find(value); it != places.end())
    return it->second;
  if (getExtents(value) == shape)
    return index;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

bool Epilogue::add(unsigned result, const LoopIndex &index) {
  Value value = body.yielded[result];
  std::optional<unsigned> element = reader.want(value, index);
  if (element)
    stores.push_back({*element, result, getOffset(index, getExtents(value))});
  return element.has_value();
}

bool Epilogue::addAll(Value anchor, const LoopIndex &index) {
  reader.define(anchor, index);
  ResultPlaces places(body, space, anchor, index);
  places.set(anchor, index);
  places.follow();
  for (auto [i, value] : llvm::enumerate(body.yielded)) {
    std::optional<LoopIndex> place =
        hasCodeType(value) ? places.get(value) : std::nullopt;
    if (!place || !add(i, *place))
      return false;
  }
  return true;
}

SmallVector<const Linear *> Epilogue::getForms() const {
  SmallVector<const Linear *> forms = reader.getForms();
  for (const Store &store : stores)
    forms.push_back(&store.offset);
  return forms;
}

bool Epilogue::merge(unsigned outer, unsigned inner) {
  if (!space.merge(outer, inner, getForms()))
    return false;
  reader.dropLoop(outer);
  for (Store &store : stores)
    store.offset.drop(outer);
  return true;
}

bool Epilogue::allowsVectors(unsigned loop) const {
  return reader.allowsVectors(loop) &&
         llvm::none_of(stores, [&](const Store &store) {
           return space.dependsIndirectlyOn(store.offset, loop);
         });
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

bool Epilogue::emitInvariant(KernelBuilder &builder,
                             Reader::Scope &scope) const {
  return reader.emitInvariant(builder, scope);
}

bool Epilogue::emit(KernelBuilder &builder, Reader::Scope &scope) const {
  if (!reader.emit(builder, scope))
    return false;
  for (const Store &store : stores) {
    int64_t stride = store.offset.getFactor(scope.lane);
    Value element = builder.spread(scope.elements[store.element],
                                   stride == 0 ? 1 : scope.width);
    Value offset = reader.emit(builder, scope, store.offset);
    builder.store(element, store.result, offset, stride);
  }
  return true;
}
