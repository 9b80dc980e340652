//===- BlockProduct.cpp - A block of rows times columns -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace inlay;
using namespace mlir;

int64_t inlay::getMaxRows(const VectorUnit &unit, int64_t vectors,
                          int64_t step) {
  // One is left: where vectors of rows took the last, sums would be spilled.
  int64_t free = unit.registers - vectors - 1;
  int64_t most = step == 1 ? (free - 1) / vectors : free / (vectors + 1);
  return std::max<int64_t>(most, 1);
}

/// Half cycles of one turn of the sum, about: two products or two loads in each
/// cycle, or all that products wait for one another, and what loads take beside
/// that.
double BlockChoice::countCycles(const Tiles &tiles, int64_t rows,
                                int64_t columns) const {
  double rowCost = areNear ? unit.nearRowCost : unit.rowCost;
  auto getCost = [&](int64_t vectors) {
    int64_t products = tiles.rows * vectors, loads = tiles.rows + vectors;
    return double(std::max({products, loads, int64_t(unit.sums)})) +
           rowCost * double(tiles.rows) + unit.columnCost * double(vectors);
  };
  int64_t all = llvm::divideCeil(columns, tiles.lanes);
  double cost = double(all / tiles.vectors) * getCost(tiles.vectors);
  if (int64_t rest = all % tiles.vectors)
    cost += getCost(rest);
  return double(llvm::divideCeil(rows, tiles.rows)) * cost;
}

Tiles BlockChoice::choose(int64_t rows, int64_t columns) const {
  Tiles best = {1, 1, unit.lanes};
  std::optional<double> least;
  // The last block computes what the one before has computed, too: smaller ones
  // may have less in common. That was measured only where loads count.
  int64_t moreBlocks = unit.countsLoads() ? 2 : 0;
  for (int64_t vectors : widths) {
    int64_t most = std::min(getMaxRows(unit, vectors, step), rows);
    int64_t fewest = llvm::divideCeil(rows, most);
    for (int64_t count = fewest; count <= fewest + moreBlocks; ++count) {
      Tiles own = {int64_t(llvm::divideCeil(rows, count)), vectors, unit.lanes};
      double cost = countCycles(own, rows, columns);
      if (least && cost * margin >= *least)
        continue;
      least = cost;
      best = own;
    }
  }
  return best;
}

BlockProduct::Values BlockProduct::multiplyLine(
    KernelBuilder &builder, llvm::function_ref<Value(int64_t)> getLeft,
    const Block &at, Value place, ValueRange sums) const {
  Values next, right;
  for (int64_t j = 0; j < at.vectors; ++j)
    right.push_back(builder.loadFloats(
        columns, builder.add(place, builder.number(j * lanes)), lanes,
        element));
  for (int64_t i = 0; i < at.numRows; ++i) {
    Value left = builder.spread(getLeft(i), lanes);
    for (int64_t j = 0; j < at.vectors; ++j)
      next.push_back(
          builder.multiplyAdd(left, right[j], sums[i * at.vectors + j]));
  }
  return next;
}

/// Of `own` elements of each row, which are loaded as vectors along the sum.
BlockProduct::Values BlockProduct::multiplyTurn(KernelBuilder &builder,
                                                const Block &at, Value k,
                                                int64_t own,
                                                ValueRange sums) const {
  int64_t width = at.vectors * lanes;
  Value first = builder.add(at.rows, builder.mul(k, apart));
  Value place = builder.add(at.columns, builder.mul(k, width));
  auto load = [&](int64_t row) {
    Value place = builder.add(first, builder.number(getRowPlace(at, row)));
    return builder.loadFloats(rows, place, own, element);
  };
  if (own == 1)
    return multiplyLine(builder, load, at, place, sums);
  Values left, next(sums);
  for (int64_t i = 0; i < at.numRows; ++i)
    left.push_back(load(i));
  for (int64_t lane = 0; lane < own; ++lane)
    next = multiplyLine(
        builder,
        [&](int64_t i) {
          return builder.create<vector::ExtractOp>(left[i], lane);
        },
        at, builder.add(place, builder.number(lane * width)), next);
  return next;
}

/// A part of what lies side by side, `numTurns` turns of the sum one after
/// another, each of `own` elements.
BlockProduct::Values BlockProduct::multiplyRun(KernelBuilder &builder,
                                               const Block &at, Value from,
                                               Value to, int64_t own,
                                               int64_t numTurns,
                                               ValueRange sums) const {
  int64_t atOnce = own * numTurns;
  auto multiply = [&](Value k, ValueRange carried) {
    if (at.ahead) {
      Value passed = at.aheadStep
                         ? builder.create<arith::MulIOp>(k, at.aheadStep)
                         : builder.mul(k, aheadStep);
      builder.prefetchFloats(columns, builder.add(at.ahead, passed),
                             atOnce * aheadStep);
    }
    Values next(carried);
    for (int64_t turn = 0; turn < numTurns; ++turn) {
      if (turn != 0)
        builder.keepLoadsBehind();
      next = multiplyTurn(
          builder, at, builder.add(k, builder.number(turn * own)), own, next);
    }
    return next;
  };
  return llvm::to_vector(builder.loop(from, to, atOnce, sums, multiply));
}

BlockProduct::Values BlockProduct::multiply(KernelBuilder &builder,
                                            const Block &at, int64_t length,
                                            ValueRange sums) const {
  bool isSmall = at.numRows * at.vectors <= mostSums;
  int64_t numTurns = step == 1 && isSmall ? turnsAtOnce : 1;
  int64_t whole = length - length % (step * numTurns);
  Values result(sums);
  if (whole != 0)
    result = multiplyRun(builder, at, builder.number(0), builder.number(whole),
                         step, numTurns, result);
  if (whole != length)
    result = multiplyRun(builder, at, builder.number(whole),
                         builder.number(length), 1, 1, result);
  return result;
}

BlockProduct::Values BlockProduct::multiply(KernelBuilder &builder,
                                            const Block &at, Value length,
                                            ValueRange sums) const {
  return multiplyRun(builder, at, builder.number(0), length, step, 1, sums);
}

BlockProduct::Values BlockProduct::getZeros(KernelBuilder &builder,
                                            const Block &at) const {
  Value zero = builder.constant(getWide(element, lanes), 0);
  return Values(at.numRows * at.vectors, zero);
}
