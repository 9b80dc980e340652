//===- AttentionTemplate.cpp - Softmaxes of products, times values --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores are never in memory: some rows of them, with all keys, are computed,
// turned into powers of e and multiplied by the values while they are in a
// cache. The sum of a row's powers divides what comes of it. Keys and values
// are packed before anything runs, queries are copied as they are needed. All
// sums are in an order that follows from shapes.
//
//===----------------------------------------------------------------------===//

#include "AttentionPlan.h"
#include "Elements.h"
#include "PlanText.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace inlay;
using namespace mlir;

static constexpr double infinity = std::numeric_limits<double>::infinity();
/// Vectors of a row that are added up before their sum is added to others.
static constexpr int64_t sumBlock = 32;

static constexpr unsigned width = AttentionPlan::vectorWidth;

namespace {
class AttentionEmitter {
public:
  AttentionEmitter(KernelBuilder &builder, const AttentionPlan &plan)
      : builder(builder), plan(plan),
        queries(builder.allocate(plan.blockRows * plan.getDepth())),
        rows(builder.allocate(plan.blockRows * plan.rowStride)),
        inverses(builder.allocate(plan.blockRows)),
        block(builder.allocate(plan.valueColumns.tiles.rows *
                               plan.valueColumns.tiles.getColumns())),
        numRows(plan.areRowsOpen ? builder.getLength(plan.openLength)
                                 : builder.number(plan.getNumRows())),
        numKeys(plan.areKeysOpen ? builder.getLength(plan.openLength)
                                 : builder.number(plan.getNumKeys())) {}

  /// False where there is no code.
  bool emit();

private:
  using Values = SmallVector<Value>;

  void emitTurn(Value turn);
  Values getVariables(const ScoreRows &product) const;
  Values getRow(const ScoreRows &product, Value row) const;
  Value getColumns(const ColumnPacker &packer, const ScoreRows &product,
                   const Roles &roles, const ResultColumns &columns,
                   Value tile) const;
  void copyQueries();
  void emitTiles(const ResultColumns &columns, Value count,
                 llvm::function_ref<void(const ResultTile &)> emit);
  void emitRowTiles(const Tiles &tiles,
                    llvm::function_ref<void(Value row, Value from)> emit);
  void multiplyKeys();
  void multiplyValues();
  void scaleTile(ValueRange sums, Value row, int64_t vectors);

  void emitSoftmax(Value row);
  Value readScore(Reader::Scope &scope, Value key, Value place, unsigned own);
  Value findLargest(Value row);
  Value emitPower(Value score, Value largest);
  Value addPowers(Value row, Value largest);
  Value combine(Value vector, llvm::function_ref<Value(Value, Value)> fn);

  KernelBuilder &builder;
  const AttentionPlan &plan;
  /// Copied rows of queries, rows of scores and then of their powers, what
  /// these are divided by, and a block of results.
  Value queries, rows, inverses, block;
  /// Which product, the first row, and how many of the rows are others'.
  Value product, firstRow, skipped;
  /// Of one product; the length of a run where that is open.
  Value numRows, numKeys;
  bool hasCode = true;
};
} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

SmallVector<Value> AttentionEmitter::getVariables(const ScoreRows &own) const {
  Values variables(own.contraction.extents.size(), builder.number(0));
  builder.splitCount(own.roles.batch, own.contraction.extents, product,
                     variables);
  return variables;
}

/// Where a row of the block is.
SmallVector<Value> AttentionEmitter::getRow(const ScoreRows &own,
                                            Value row) const {
  Values variables = getVariables(own);
  for (unsigned dim : own.roles.rows)
    variables[dim] = builder.add(firstRow, row);
  return variables;
}

/// Where the columns of a tile were packed.
Value AttentionEmitter::getColumns(const ColumnPacker &packer,
                                   const ScoreRows &own, const Roles &roles,
                                   const ResultColumns &columns,
                                   Value tile) const {
  Values variables = getVariables(own);
  Value number = builder.number(0);
  for (unsigned dim : roles.batch)
    number = builder.add(builder.mul(number, own.contraction.extents[dim]),
                         variables[dim]);
  number = builder.add(builder.mul(number, columns.getNumTiles()), tile);
  return builder.mul(number, packer.getTileFloats());
}

/// Tiles of the first `count` columns.
void AttentionEmitter::emitTiles(
    const ResultColumns &columns, Value count,
    llvm::function_ref<void(const ResultTile &)> emit) {
  forEachTile(builder, columns, builder.number(0),
              builder.divideUp(count, columns.tiles.getColumns()), emit);
}

/// Tiles of the block's rows. The last one begins earlier: `from` is the first
/// row that is not in another one, too.
void AttentionEmitter::emitRowTiles(
    const Tiles &tiles, llvm::function_ref<void(Value, Value)> emit) {
  Value last = builder.number(plan.blockRows - tiles.rows);
  builder.loop(skipped, builder.number(plan.blockRows), tiles.rows,
               [&](Value row) { emit(builder.min(row, last), row); });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// With what is computed in front of the product.
void AttentionEmitter::copyQueries() {
  const ScoreRows &first = plan.attention.first;
  ArrayRef<unsigned> sums = first.roles.sums;
  bool isOne = sums.size() == 1;
  bool areVectors = isOne && plan.queries.allowsVectors(sums.front());
  auto copy = [&](ArrayRef<Value> row, Value count, Value to, unsigned own) {
    Values variables(row);
    builder.splitCount(sums, first.contraction.extents, count, variables);
    Value query =
        plan.queries.emit(builder, variables, isOne ? sums.front() : ~0u, own);
    hasCode &= bool(query);
    if (!query)
      return;
    if (Value isInside = plan.queries.emitIsInside(builder, variables))
      query = builder.create<arith::SelectOp>(
          isInside, query, builder.constant(query.getType(), 0));
    builder.storeFloats(query, queries, builder.add(to, count));
  };
  builder.loop(skipped, builder.number(plan.blockRows), 1, [&](Value number) {
    Values row = getRow(first, number);
    Value to = builder.mul(number, plan.getDepth());
    builder.loopInVectors(
        builder.number(0), builder.number(plan.getDepth()),
        areVectors ? width : 1,
        [&](Value count, unsigned own) { copy(row, count, to, own); });
  });
}

void AttentionEmitter::multiplyKeys() {
  const Tiles &tiles = plan.keyColumns.tiles;
  Type element = plan.attention.first.contraction.element;
  BlockProduct scores = {queries,     builder.getOther(0), element,
                         tiles.lanes, plan.getStep(),      plan.getDepth(),
                         /*apart=*/1};
  // Scores have room for whole vectors.
  ResultColumns scored = plan.keyColumns;
  scored.count = llvm::alignTo(scored.count, tiles.lanes);
  emitTiles(scored, numKeys, [&](const ResultTile &tile) {
    Value columns = getColumns(plan.getKeyPacker(), plan.attention.first,
                               plan.keyRoles, plan.keyColumns, tile.number);
    Value to = builder.mul(tile.number, tiles.getColumns());
    int64_t vectors = tile.vectors;
    emitRowTiles(tiles, [&](Value row, Value) {
      BlockProduct::Block at = {builder.mul(row, plan.getDepth()), columns,
                                tiles.rows, vectors};
      Values sums = scores.multiply(builder, at, plan.getDepth(),
                                    scores.getZeros(builder, at));
      Value start = builder.add(builder.mul(row, plan.rowStride), to);
      for (auto [i, sum] : llvm::enumerate(sums))
        builder.storeFloats(
            sum, rows,
            builder.add(start,
                        builder.number(int64_t(i) / vectors * plan.rowStride +
                                       int64_t(i) % vectors * tiles.lanes)));
    });
  });
}

/// Divides the sums of a tile by those of their rows' powers.
void AttentionEmitter::scaleTile(ValueRange sums, Value row, int64_t vectors) {
  unsigned lanes = plan.valueColumns.tiles.lanes;
  for (int64_t i = 0; i < plan.valueColumns.tiles.rows; ++i) {
    Value inverse = builder.spread(
        builder.loadFloats(inverses, builder.add(row, builder.number(i)), 1),
        lanes);
    for (int64_t j = 0; j < vectors; ++j) {
      Value own = builder.create<arith::MulFOp>(sums[i * vectors + j], inverse);
      builder.storeFloats(own, block,
                          builder.number((i * vectors + j) * lanes));
    }
  }
}

void AttentionEmitter::multiplyValues() {
  const ScoreRows &second = plan.attention.second;
  const Tiles &tiles = plan.valueColumns.tiles;
  int64_t begin = plan.getKeyPacker().getNumBytes() / sizeof(float);
  BlockProduct weighted = {
      rows,        builder.getOther(0), second.contraction.element,
      tiles.lanes, plan.getStep(),      plan.rowStride,
      /*apart=*/1};
  Value numValues = builder.number(plan.valueColumns.count);
  auto sum = [&](const BlockProduct::Block &at) {
    Values zeros = weighted.getZeros(builder, at);
    if (!plan.areKeysOpen)
      return weighted.multiply(builder, at, plan.getNumKeys(), zeros);
    Value steps =
        builder.mul(builder.divideUp(numKeys, plan.getStep()), plan.getStep());
    return weighted.multiply(builder, at, steps, zeros);
  };
  emitTiles(plan.valueColumns, numValues, [&](const ResultTile &tile) {
    Value columns =
        builder.add(getColumns(plan.getValuePacker(), second, plan.valueRoles,
                               plan.valueColumns, tile.number),
                    builder.number(begin));
    emitRowTiles(tiles, [&](Value row, Value from) {
      BlockProduct::Block at = {builder.mul(row, plan.rowStride), columns,
                                tiles.rows, tile.vectors};
      scaleTile(sum(at), row, tile.vectors);
      Value end = builder.add(row, builder.number(tiles.rows));
      builder.loop(from, end, 1, [&](Value own) {
        Value place =
            builder.mul(builder.sub(own, row), tile.vectors * tiles.lanes);
        hasCode &=
            plan.results.emitRow(builder, plan.valueColumns,
                                 getRow(second, own), block, place, tile);
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Halves of a vector, until one number is left.
Value AttentionEmitter::combine(Value vector,
                                llvm::function_ref<Value(Value, Value)> fn) {
  for (int64_t count = width / 2; count != 0; count /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t i = 0; i < count; ++i) {
      low.push_back(i);
      high.push_back(count + i);
    }
    vector = fn(builder.create<vector::ShuffleOp>(vector, vector, low),
                builder.create<vector::ShuffleOp>(vector, vector, high));
  }
  return builder.create<vector::ExtractOp>(vector, int64_t(0));
}

/// Replaces products by scores, `own` of them.
Value AttentionEmitter::readScore(Reader::Scope &scope, Value key, Value place,
                                  unsigned own) {
  scope.variables[plan.attention.first.along] = key;
  scope.width = own;
  scope.elements[0] = builder.loadFloats(rows, place, own);
  hasCode = hasCode && plan.scores.emit(builder, scope);
  if (!hasCode)
    return scope.elements[0];
  Value score = builder.spread(scope.elements[plan.score], own);
  if (plan.score != 0)
    builder.storeFloats(score, rows, place);
  return score;
}

/// Of what is a number: NaN makes the sum of powers NaN anyway. Behind the row
/// are numbers that change nothing.
Value AttentionEmitter::findLargest(Value row) {
  unsigned along = plan.attention.first.along;
  Reader::Scope scope = plan.scores.getScope();
  llvm::copy(getRow(plan.attention.first, row), scope.variables.begin());
  scope.lane = along;
  Value start = builder.mul(row, plan.rowStride);
  Type floats = getWide(builder.getBuilder().getF32Type(), width);
  Value none = builder.constant(floats, -infinity);
  hasCode = hasCode && plan.scores.emit(builder, scope, along);
  bool areVectors = plan.scores.allowsVectors(along);
  // Single scores are put into their places in front of the rest.
  Value whole = areVectors
                    ? builder.getLastVector(builder.number(0), numKeys, width)
                    : builder.number(0);
  auto emitAt = [&](Value key, unsigned own) {
    Reader::Scope inner = scope;
    return readScore(inner, key, builder.add(start, key), own);
  };
  builder.loop(plan.score == 0 ? numKeys : whole, numKeys, 1,
               [&](Value key) { emitAt(key, 1); });
  builder.storeFloats(none, rows, builder.add(start, numKeys));
  auto compare = [&](Value a, Value b) -> Value {
    Value isLess =
        builder.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, a, b);
    return builder.create<arith::SelectOp>(isLess, b, a);
  };
  ValueRange most =
      builder.loop(builder.number(0), whole, width, none,
                   [&](Value key, ValueRange carried) -> Values {
                     return {compare(carried.front(), emitAt(key, width))};
                   });
  most = builder.loop(whole, numKeys, width, most,
                      [&](Value key, ValueRange carried) -> Values {
                        Value own = builder.loadFloats(
                            rows, builder.add(start, key), width);
                        return {compare(carried.front(), own)};
                      });
  return combine(most.front(), compare);
}

Value AttentionEmitter::emitPower(Value score, Value largest) {
  Value x = builder.create<arith::SubFOp>(score, largest);
  Operation *softmax = plan.attention.weights.getDefiningOp();
  return emitExpBelowMaximum(Elements(builder.getBuilder(), softmax, x), x);
}

/// Replaces scores by powers and adds these up.
Value AttentionEmitter::addPowers(Value row, Value largest) {
  Value start = builder.mul(row, plan.rowStride);
  Value spread = builder.spread(largest, width);
  Value zero = builder.constant(spread.getType(), 0);
  auto add = [&](Value a, Value b) -> Value {
    return builder.create<arith::AddFOp>(a, b);
  };
  auto addUp = [&](Value from, Value to, Value sum) {
    return builder.loop(
        from, to, width, sum, [&](Value key, ValueRange carried) -> Values {
          Value place = builder.add(start, key);
          Value power =
              emitPower(builder.loadFloats(rows, place, width), spread);
          builder.storeFloats(power, rows, place);
          return {add(carried.front(), power)};
        });
  };
  Value end = builder.mul(builder.divideUp(numKeys, width), width);
  ValueRange sums = builder.loop(
      builder.number(0), end, sumBlock * width, zero,
      [&](Value from, ValueRange carried) -> Values {
        Value to = builder.min(
            end, builder.add(from, builder.number(sumBlock * width)));
        return {add(carried.front(), addUp(from, to, zero).front())};
      });
  return combine(sums.front(), add);
}

void AttentionEmitter::emitSoftmax(Value row) {
  Value sum = addPowers(row, findLargest(row));
  Value one = builder.constant(sum.getType(), 1);
  builder.storeFloats(builder.create<arith::DivFOp>(one, sum), inverses, row);
}

//===----------------------------------------------------------------------===//
// The template
//===----------------------------------------------------------------------===//

/// Blocks are of one size: the last one begins earlier, and skips what others
/// compute.
void AttentionEmitter::emitTurn(Value turn) {
  Value numBlocks = builder.divideUp(numRows, plan.blockRows);
  product = builder.create<arith::DivUIOp>(turn, numBlocks);
  Value wanted = builder.mul(builder.create<arith::RemUIOp>(turn, numBlocks),
                             plan.blockRows);
  firstRow =
      builder.min(wanted, builder.number(plan.getNumRows() - plan.blockRows));
  skipped = builder.sub(wanted, firstRow);
  copyQueries();
  multiplyKeys();
  builder.loop(skipped, builder.number(plan.blockRows), 1,
               [&](Value row) { emitSoftmax(row); });
  multiplyValues();
}

bool AttentionEmitter::emit() {
  builder.loop(builder.getBegin(), builder.getEnd(), 1,
               [&](Value turn) { emitTurn(turn); });
  return hasCode;
}

/// Keys, then values.
static bool emitPacking(KernelBuilder &builder, const AttentionPlan &plan) {
  ColumnPacker keys = plan.getKeyPacker(), values = plan.getValuePacker();
  if (plan.areKeysOpen) {
    Value length = builder.getLength(plan.openLength);
    keys.endColumnsAt(length);
    values.endSumsAt(length, plan.getStep());
  }
  Value numKeys = builder.number(keys.getNumTurns()), zero = builder.number(0);
  Value begin = builder.getBegin(), end = builder.getEnd();
  return keys.emit(builder, begin, builder.min(end, numKeys), /*start=*/0) &&
         values.emit(builder, builder.max(builder.sub(begin, numKeys), zero),
                     builder.sub(end, numKeys),
                     keys.getNumBytes() / sizeof(float));
}

std::optional<KernelCode> inlay::emitAttention(const KernelBody &body,
                                               const TemplateTarget &target) {
  std::optional<Attention> found = Attention::find(body);
  if (!found)
    return std::nullopt;
  AttentionPlan plan(body, std::move(*found), target.unit, target.open);
  if (!plan.make())
    return std::nullopt;
  std::string packName = (target.name + "_pack").str();
  KernelBuilder packing(target.module, packName, body, /*numOthers=*/1);
  KernelBuilder kernel(target.module, target.name, body, /*numOthers=*/1);
  if (!emitPacking(packing, plan) || !AttentionEmitter(kernel, plan).emit()) {
    packing.discard();
    kernel.discard();
    return std::nullopt;
  }
  ColumnPacker keys = plan.getKeyPacker(), values = plan.getValuePacker();
  KernelCode code{target.name.str(),
                  body.reads,
                  body.results,
                  plan.getNumTurns(),
                  KernelCode::Packing{packName,
                                      keys.getNumTurns() + values.getNumTurns(),
                                      keys.getNumBytes() + values.getNumBytes(),
                                      plan.keys.readsConstants() &&
                                          plan.values.readsConstants(),
                                      kernel.getUnusedReads()},
                  "attention",
                  describe(plan),
                  2 * plan.countProducts()};
  code.open = plan.getOpenTurns();
  code.looksBehind = KernelCode::Behind::None;
  return code;
}
