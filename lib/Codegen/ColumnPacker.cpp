//===- ColumnPacker.cpp - Columns of products, arranged -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnPacker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

/// Zero outside of what the operand has.
Value ColumnPacker::emitElements(KernelBuilder &builder,
                                 ArrayRef<Value> variables, unsigned lane,
                                 unsigned width) const {
  Value value = operand.emit(builder, variables, lane, width);
  Value isInside = value ? operand.emitIsInside(builder, variables) : Value();
  if (!isInside)
    return value;
  return builder.create<arith::SelectOp>(isInside, value,
                                         builder.constant(value.getType(), 0));
}

/// Columns of one turn of the sum, with zeros behind the last one.
bool ColumnPacker::emitLine(KernelBuilder &builder, ArrayRef<Value> outer,
                            const Tile &tile, Value from, Value to) const {
  bool isOne = roles.columns.size() == 1, hasCode = true;
  bool areVectors = isOne && operand.allowsVectors(roles.columns.front());
  unsigned lane = isOne ? roles.columns.front() : ~0u;
  Value packed = builder.getOther(0);
  auto store = [&](Value column, unsigned own) {
    SmallVector<Value> variables(outer);
    builder.splitCount(roles.columns, contraction.extents,
                       builder.add(tile.first, column), variables);
    Value value = emitElements(builder, variables, lane, own);
    hasCode &= bool(value);
    if (value)
      builder.storeFloats(value, packed, builder.add(to, column));
  };
  builder.loopInVectors(from, tile.count, areVectors ? columns.tiles.lanes : 1,
                        store);
  builder.loop(tile.count, tile.width, 1, [&](Value column) {
    Value zero = builder.constant(contraction.element, 0);
    builder.storeFloats(zero, packed, builder.add(to, column));
  });
  return hasCode;
}

/// Whether elements lie side by side along the sum and not along columns: then
/// they are loaded along it and turned around.
bool ColumnPacker::isAcross() const {
  return !sumEnd && roles.sums.size() == 1 && columns.tiles.lanes > 1 &&
         getDepth() >= columns.tiles.lanes &&
         operand.isDenseAlong(roles.sums.front()) &&
         !(roles.columns.size() == 1 &&
           operand.isDenseAlong(roles.columns.front()));
}

/// The first `end` turns of the sum of the first `columns` columns, both of
/// them whole vectors: squares of elements, each by way of memory of its own.
bool ColumnPacker::emitSquares(KernelBuilder &builder, ArrayRef<Value> outer,
                               const Tile &tile, Value end,
                               Value numColumns) const {
  int64_t lanes = columns.tiles.lanes;
  unsigned along = roles.sums.front();
  bool hasCode = true;
  Value square = builder.allocate(lanes * lanes), packed = builder.getOther(0);
  auto emitSquare = [&](Value line, Value column) {
    builder.loop(builder.number(0), builder.number(lanes), 1, [&](Value i) {
      SmallVector<Value> variables(outer);
      variables[along] = line;
      builder.splitCount(roles.columns, contraction.extents,
                         builder.add(builder.add(tile.first, column), i),
                         variables);
      Value value = emitElements(builder, variables, along, lanes);
      hasCode &= bool(value);
      if (value)
        builder.storeFloats(value, square, builder.mul(i, lanes));
    });
    SmallVector<Value> rows;
    for (int64_t i = 0; i < lanes; ++i)
      rows.push_back(builder.loadFloats(square, builder.number(i * lanes),
                                        lanes, contraction.element));
    for (auto [i, row] : llvm::enumerate(builder.transpose(rows))) {
      Value own = builder.add(line, builder.number(i));
      Value to = builder.add(tile.start,
                             builder.create<arith::MulIOp>(own, tile.width));
      builder.storeFloats(row, packed, builder.add(to, column));
    }
  };
  builder.loop(builder.number(0), end, lanes, [&](Value line) {
    builder.loop(builder.number(0), numColumns, lanes,
                 [&](Value column) { emitSquare(line, column); });
  });
  return hasCode;
}

/// All turns of the sum.
bool ColumnPacker::emitLines(KernelBuilder &builder, ArrayRef<Value> outer,
                             const Tile &tile) const {
  bool hasCode = true;
  auto getPlace = [&](Value line) {
    return builder.add(tile.start,
                       builder.create<arith::MulIOp>(line, tile.width));
  };
  Value zero = builder.number(0);
  Value end = sumEnd ? sumEnd : builder.number(getDepth());
  auto emit = [&](Value from, Value to, Value column) {
    builder.loop(from, to, 1, [&](Value line) {
      SmallVector<Value> at(outer);
      builder.splitCount(roles.sums, contraction.extents, line, at);
      hasCode &= emitLine(builder, at, tile, column, getPlace(line));
    });
  };
  Value whole = zero;
  if (isAcross()) {
    whole = builder.getLastVector(zero, end, columns.tiles.lanes);
    Value numColumns =
        builder.getLastVector(zero, tile.count, columns.tiles.lanes);
    hasCode &= emitSquares(builder, outer, tile, whole, numColumns);
    emit(zero, whole, numColumns);
  }
  emit(whole, end, zero);
  if (sumStep == 1)
    return hasCode;
  Value none = builder.constant(contraction.element, 0);
  Value steps = builder.mul(builder.divideUp(end, sumStep), sumStep);
  builder.loop(getPlace(end), getPlace(steps), 1, [&](Value to) {
    builder.storeFloats(none, builder.getOther(0), to);
  });
  return hasCode;
}

bool ColumnPacker::emitTile(KernelBuilder &builder, Value turn,
                            int64_t origin) const {
  int64_t width = columns.tiles.getColumns();
  Value numTiles = builder.number(columns.getNumTiles());
  Value product = builder.create<arith::DivUIOp>(turn, numTiles);
  Value tile = builder.create<arith::RemUIOp>(turn, numTiles);
  Value start =
      builder.add(builder.mul(turn, getTileFloats()), builder.number(origin));
  Value first = builder.mul(tile, width);
  // The last one has only the vectors that it needs.
  int64_t all = llvm::alignTo(columns.count, columns.tiles.lanes);
  Value own = builder.min(builder.number(width),
                          builder.sub(builder.number(all), first));
  Value count =
      builder.min(own, builder.sub(builder.number(columns.count), first));
  SmallVector<Value> variables(contraction.extents.size(), builder.number(0));
  builder.splitCount(roles.batch, contraction.extents, product, variables);
  Tile place = {first, own, count, start};
  if (!columnEnd)
    return emitLines(builder, variables, place);
  bool hasCode = true;
  Value isNeeded = builder.create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                                 first, columnEnd);
  builder.choose(
      isNeeded, [&] { hasCode = emitLines(builder, variables, place); }, [] {});
  return hasCode;
}

bool ColumnPacker::emit(KernelBuilder &builder, Value from, Value to,
                        int64_t start) const {
  bool hasCode = true;
  builder.loop(from, to, 1,
               [&](Value turn) { hasCode &= emitTile(builder, turn, start); });
  return hasCode;
}

bool ColumnPacker::emit(KernelBuilder &builder) const {
  return emit(builder, builder.getBegin(), builder.getEnd(), /*start=*/0);
}
