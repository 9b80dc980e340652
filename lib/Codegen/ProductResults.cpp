//===- ProductResults.cpp - What follows sums of products -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductResults.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

using namespace inlay;
using namespace mlir;

void inlay::forEachTile(KernelBuilder &builder, const ResultColumns &columns,
                        Value from, Value to,
                        llvm::function_ref<void(const ResultTile &)> emit) {
  auto emitTiles = [&](Value first, Value end, int64_t count) {
    int64_t vectors = llvm::divideCeil(count, columns.tiles.lanes);
    builder.loop(first, end, 1,
                 [&](Value tile) { emit({tile, count, vectors}); });
  };
  int64_t all = columns.tiles.getColumns(), last = columns.getLastColumns();
  if (last == all || columns.getNumTiles() == 1)
    return emitTiles(from, to, last);
  Value whole = builder.number(columns.getNumTiles() - 1);
  emitTiles(from, builder.min(to, whole), all);
  emitTiles(builder.max(from, whole), to, last);
}

bool ProductResults::plan() {
  const Contraction::Operand &result = contraction.result;
  if (!epilogue.addAll(result.value, result.index))
    return false;
  if (!contraction.added)
    return true;
  std::optional<unsigned> wanted =
      addedReader.want(contraction.added->value, contraction.added->index);
  added = wanted.value_or(0);
  return wanted.has_value();
}

SmallVector<Operation *> ProductResults::getComputing() const {
  SmallVector<Operation *> ops = epilogue.getReader().getComputing();
  llvm::append_range(ops, addedReader.getComputing());
  return ops;
}

bool ProductResults::merge(unsigned outer, unsigned inner) {
  SmallVector<const Linear *> forms = epilogue.getForms();
  llvm::append_range(forms, addedReader.getForms());
  if (!space.merge(outer, inner, forms))
    return false;
  epilogue.dropLoop(outer);
  addedReader.dropLoop(outer);
  return true;
}

/// The sum times its factor, and what is added to it; null where there is no
/// code.
Value ProductResults::addTerm(KernelBuilder &builder, Reader::Scope &scope,
                              Value sum) const {
  if (contraction.factor != 1)
    sum = builder.create<arith::MulFOp>(
        sum, builder.constant(sum.getType(), contraction.factor));
  if (!contraction.added)
    return sum;
  if (!addedReader.emit(builder, scope))
    return {};
  Value term = builder.spread(scope.elements[added], scope.width);
  if (contraction.addedFactor != 1)
    term = builder.create<arith::MulFOp>(
        term, builder.constant(term.getType(), contraction.addedFactor));
  return builder.create<arith::AddFOp>(sum, term);
}

bool ProductResults::emit(KernelBuilder &builder, ArrayRef<Value> variables,
                          unsigned lane, unsigned width, Value sum) const {
  auto getScope = [&](const Reader &reader) {
    Reader::Scope scope = reader.getScope();
    llvm::copy(variables, scope.variables.begin());
    scope.lane = lane;
    scope.width = width;
    return scope;
  };
  Reader::Scope addedScope = getScope(addedReader);
  sum = addTerm(builder, addedScope, sum);
  if (!sum)
    return false;
  Reader::Scope scope = getScope(epilogue.getReader());
  scope.elements[0] = sum;
  return epilogue.emit(builder, scope);
}

void ProductResults::align(ResultColumns &columns) const {
  if (columns.lane == ~0u)
    return;
  space.align(columns.lane, columns.tiles.getColumns());
  columns.isWide = allowsVectors(columns.lane);
  if (!columns.isWide)
    space.align(columns.lane, columns.tiles.lanes);
  columns.areVectors = allowsVectors(columns.lane);
}

bool ProductResults::alignPairs(ResultColumns &columns) const {
  int64_t width = 2 * columns.tiles.getColumns();
  if (columns.lane == ~0u || columns.count % width != 0)
    return false;
  space.align(columns.lane, width);
  columns.arePairs = columns.isWide = columns.areVectors =
      allowsVectors(columns.lane);
  return columns.arePairs;
}

/// Cuts a row into as few numbers of elements as there are that are powers of
/// two, as LLVM pads others to these.
static void forEachPiece(int64_t columns,
                         llvm::function_ref<void(int64_t, int64_t)> emit) {
  for (int64_t first = 0, count; first < columns; first += count) {
    count = int64_t(llvm::bit_floor(uint64_t(columns - first)));
    emit(first, count);
  }
}

/// All vectors of a row at once, which do not wait for one another, or one by
/// one where they are not in one place.
bool ProductResults::emitRow(KernelBuilder &builder,
                             const ResultColumns &columns,
                             ArrayRef<Value> variables, Value memory,
                             Value from, const ResultTile &tile) const {
  bool hasCode = true;
  auto emitAt = [&](Value place, Value column, unsigned width) {
    SmallVector<Value> own(variables);
    if (columns.lane != ~0u)
      own[columns.lane] = column;
    Value sum = builder.loadFloats(memory, place, width, contraction.element);
    hasCode &= emit(builder, own, columns.lane, width, sum);
  };
  Value first = builder.mul(tile.number, columns.tiles.getColumns());
  auto emitFrom = [&](Value column, unsigned width) {
    emitAt(builder.add(from, column), builder.add(first, column), width);
  };
  if (columns.isWide)
    forEachPiece(tile.columns, [&](int64_t begin, int64_t width) {
      emitFrom(builder.number(begin), width);
    });
  else
    builder.loopInVectors(builder.number(0), builder.number(tile.columns),
                          columns.areVectors ? columns.tiles.lanes : 1,
                          emitFrom);
  return hasCode;
}

bool ProductResults::emitTile(KernelBuilder &builder,
                              const ResultColumns &columns,
                              ArrayRef<Value> variables, ArrayRef<Value> sums,
                              Value tile) const {
  const Tiles &tiles = columns.tiles;
  Value first = builder.mul(tile, tiles.getColumns());
  bool hasCode = true;
  int64_t lanes = tiles.lanes;
  forEachPiece(sums.size() * lanes, [&](int64_t begin, int64_t width) {
    SmallVector<Value> own(variables);
    own[columns.lane] = builder.add(first, builder.number(begin));
    hasCode &= emit(builder, own, columns.lane, width,
                    builder.join(sums.slice(begin / lanes, width / lanes)));
  });
  return hasCode;
}
