//===- RowPacker.cpp - Rows of products, arranged -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPacker.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace inlay;
using namespace mlir;

/// One turn of the sum, of rows that lie side by side.
void RowPacker::packTurn(Value from, Value to) {
  int64_t rows = plan.columns.tiles.rows, lanes = plan.columns.tiles.lanes;
  for (int64_t first = 0, width; first < rows; first += width) {
    width = rows - first < lanes ? 1 : lanes;
    Value own =
        builder.loadFloats(memory, builder.add(from, builder.number(first)),
                           width, plan.contraction.element);
    builder.storeFloats(own, packed, builder.add(to, builder.number(first)));
  }
}

/// Where the rows of a block begin.
SmallVector<Value> RowPacker::getPlaces(Value start, Value first) {
  int64_t rows = plan.columns.tiles.rows;
  SmallVector<Value> places;
  if (plan.isLineEven) {
    Value base = builder.add(start, builder.mul(first, plan.getLineStep()));
    for (int64_t row = 0; row < rows; ++row)
      places.push_back(
          builder.add(base, builder.number(row * plan.getLineStep())));
    return places;
  }
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<Value> counts(plan.contraction.extents.size());
    builder.splitCount(plan.line, plan.lineExtents,
                       builder.add(first, builder.number(row)), counts);
    Value place = start;
    for (unsigned dim : plan.line)
      place =
          builder.add(place, builder.mul(counts[dim], plan.panel.getStep(dim)));
    places.push_back(place);
  }
  return places;
}

/// What lies side by side, `step` turns of the sum at once. Behind the last row
/// of the block it is repeated, up to a whole vector.
void RowPacker::packRun(ArrayRef<Value> rows, Value offset, Value place,
                        LoopRange range, int64_t step) {
  int64_t lanes = plan.columns.tiles.lanes, apart = plan.getPackedStep();
  builder.loop(
      builder.number(range.low), builder.number(range.high), step,
      [&](Value k) {
        Value from = builder.add(offset, k);
        Value to = builder.add(place, builder.mul(k, apart));
        for (int64_t first = 0; first < apart; first += lanes) {
          SmallVector<Value> own;
          for (int64_t row = first; row < first + lanes; ++row) {
            Value line = row < int64_t(rows.size()) ? rows[row] : rows.back();
            own.push_back(builder.loadFloats(memory, builder.add(line, from),
                                             step, plan.contraction.element));
          }
          if (step != 1)
            own = builder.transpose(own);
          int64_t next = step == 1 ? 1 : apart;
          for (auto [i, value] : llvm::enumerate(own))
            builder.storeFloats(
                value, packed,
                builder.add(to, builder.number(first + int64_t(i) * next)));
        }
      });
}

/// To `place`, over the sum's dimensions `outer` and what lies side by side.
void RowPacker::packRows(ArrayRef<unsigned> outer, ArrayRef<Value> rows,
                         Value offset, Value place) {
  const Contraction &contraction = plan.contraction;
  if (!outer.empty()) {
    unsigned dim = outer.front();
    ArrayRef<unsigned> inner = outer.drop_front();
    int64_t apart = contraction.getCount(inner) *
                    contraction.getCount(plan.run) * plan.getPackedStep();
    builder.loop(
        builder.number(0), builder.number(contraction.extents[dim]), 1,
        [&](Value count) {
          packRows(
              inner, rows,
              builder.add(offset, builder.mul(count, plan.panel.getStep(dim))),
              builder.add(place, builder.mul(count, apart)));
        });
    return;
  }
  int64_t length = contraction.getCount(plan.run),
          lanes = plan.columns.tiles.lanes;
  if (plan.getRunStep() != 1) {
    builder.loop(builder.number(0), builder.number(length), 1, [&](Value k) {
      Value from = builder.add(offset, builder.mul(k, plan.getRunStep()));
      packTurn(builder.add(rows.front(), from),
               builder.add(place, builder.mul(k, plan.getPackedStep())));
    });
    return;
  }
  int64_t whole = length - length % lanes;
  if (whole != 0)
    packRun(rows, offset, place, {0, whole}, lanes);
  if (whole != length)
    packRun(rows, offset, place, {whole, length}, 1);
}

void RowPacker::emit(Value start, Value first, Value place) {
  packRows(plan.outerSums, getPlaces(start, first), builder.number(0), place);
}
