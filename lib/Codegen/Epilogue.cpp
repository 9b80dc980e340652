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

/// Where the result of an operator is if its operand is at `from`.
static std::optional<LoopIndex> followOp(Operation *op, Value operand,
                                         const LoopIndex &from,
                                         LoopSpace &space) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (fusion && fusion.getFusionClass() == FusionClass::Elementwise &&
      getExtents(operand) == getExtents(op->getResult(0)))
    return from;
  if (operand != op->getOperand(0))
    return std::nullopt;
  return getResultIndex(op, from, space);
}

/// Operands of which something is known go first.
void ResultPlaces::follow() {
  for (Operation *op : body.ops) {
    if (op->getNumResults() == 0 || !hasCodeType(op->getResult(0)) ||
        places.contains(op->getResult(0)))
      continue;
    std::optional<LoopIndex> place;
    for (bool isKnown : {true, false})
      for (Value operand : op->getOperands()) {
        Value own = body.resolve(operand);
        std::optional<LoopIndex> from =
            hasCodeType(own) ? get(own) : std::nullopt;
        if (!place && from && places.contains(own) == isKnown)
          place = followOp(op, operand, *from, space);
      }
    if (place)
      places[op->getResult(0)] = *place;
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
  dropLoop(outer);
  return true;
}

void Epilogue::dropLoop(unsigned loop) {
  reader.dropLoop(loop);
  for (Store &store : stores)
    store.offset.drop(loop);
}

bool Epilogue::allowsVectors(unsigned loop) const {
  return reader.allowsVectors(loop) &&
         llvm::none_of(stores, [&](const Store &store) {
           return space.isUneven(store.offset, loop);
         });
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Epilogue::Place Epilogue::getPlace(KernelBuilder &builder,
                                   const Reader::Scope &scope,
                                   const Store &store, int64_t stride) const {
  Value elements = builder.spread(scope.elements[store.element],
                                  stride == 0 ? 1 : scope.width);
  return {elements, reader.emit(builder, scope, store.offset), store.result};
}

bool Epilogue::emit(KernelBuilder &builder, Reader::Scope &scope) const {
  if (!reader.emit(builder, scope))
    return false;
  for (const Store &store : stores) {
    int64_t stride = space.getStep(store.offset, scope.lane);
    Place place = getPlace(builder, scope, store, stride);
    builder.store(place.elements, place.result, place.offset, stride);
  }
  return true;
}

std::optional<Epilogue::Place> Epilogue::emitOne(KernelBuilder &builder,
                                                 Reader::Scope &scope) const {
  if (!reader.emit(builder, scope))
    return std::nullopt;
  const Store &store = stores.front();
  return getPlace(builder, scope, store,
                  space.getStep(store.offset, scope.lane));
}
