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

/// One line of a tile: what columns have at one place of the sum.
bool ColumnPacker::emitLine(KernelBuilder &builder, ArrayRef<Value> outer,
                            Value first, Value width, Value to) const {
  bool isOne = roles.columns.size() == 1, hasCode = true;
  bool areVectors = isOne && operand.allowsVectors(roles.columns.front());
  unsigned lane = isOne ? roles.columns.front() : ~0u;
  Value packed = builder.getOther(0);
  Value count =
      builder.min(width, builder.sub(builder.number(columns.count), first));
  auto store = [&](Value column, unsigned own) {
    SmallVector<Value> variables(outer);
    builder.splitCount(roles.columns, contraction.extents,
                       builder.add(first, column), variables);
    Value value = operand.emit(builder, variables, lane, own);
    hasCode &= bool(value);
    if (!value)
      return;
    if (Value isInside = operand.emitIsInside(builder, variables))
      value = builder.create<arith::SelectOp>(
          isInside, value, builder.constant(value.getType(), 0));
    builder.storeFloats(value, packed, builder.add(to, column));
  };
  builder.loopInVectors(builder.number(0), count,
                        areVectors ? columns.tiles.lanes : 1, store);
  builder.loop(count, width, 1, [&](Value column) {
    Value zero = builder.constant(contraction.element, 0);
    builder.storeFloats(zero, packed, builder.add(to, column));
  });
  return hasCode;
}

/// All terms of a tile, one line after another.
bool ColumnPacker::emitLines(KernelBuilder &builder, ArrayRef<Value> outer,
                             Value first, Value width, Value start) const {
  bool hasCode = true;
  auto getPlace = [&](Value line) {
    return builder.add(start, builder.create<arith::MulIOp>(line, width));
  };
  Value end = sumEnd ? sumEnd : builder.number(getDepth());
  builder.loop(builder.number(0), end, 1, [&](Value line) {
    SmallVector<Value> at(outer);
    builder.splitCount(roles.sums, contraction.extents, line, at);
    hasCode &= emitLine(builder, at, first, width, getPlace(line));
  });
  if (sumStep == 1)
    return hasCode;
  Value zero = builder.constant(contraction.element, 0);
  Value steps = builder.mul(builder.divideUp(end, sumStep), sumStep);
  builder.loop(getPlace(end), getPlace(steps), 1, [&](Value to) {
    builder.storeFloats(zero, builder.getOther(0), to);
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
  SmallVector<Value> variables(contraction.extents.size(), builder.number(0));
  builder.splitCount(roles.batch, contraction.extents, product, variables);
  if (!columnEnd)
    return emitLines(builder, variables, first, own, start);
  bool hasCode = true;
  Value isNeeded = builder.create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                                 first, columnEnd);
  builder.choose(
      isNeeded,
      [&] { hasCode = emitLines(builder, variables, first, own, start); },
      [] {});
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
