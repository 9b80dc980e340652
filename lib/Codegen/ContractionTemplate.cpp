//===- ContractionTemplate.cpp - Products of matrices ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows are of one operand, columns of the other and side by side in the result.
// The columns are packed before anything runs: tiles of as many as registers
// take, one row of the sum behind the other, zeros behind the last. Rows are
// packed as they are needed, each one a line of the sum. What is in front of
// the product, padding and strides happen while packing. A block of rows times
// a tile of columns stays in registers for the whole sum: each element is one
// chain of fused products in the order of the sum, whatever the tiles. What
// follows the product is computed from the block while it is in the cache.
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Packing columns
//===----------------------------------------------------------------------===//

/// Where each dimension is, of a count over all of them.
static void splitCount(KernelBuilder &builder, const Contraction &contraction,
                       ArrayRef<unsigned> dims, Value count,
                       MutableArrayRef<Value> variables) {
  for (size_t i = dims.size(); i-- > 0;) {
    Value extent = builder.number(contraction.extents[dims[i]]);
    variables[dims[i]] =
        i == 0 ? count : builder.create<arith::RemUIOp>(count, extent);
    if (i != 0)
      count = builder.create<arith::DivUIOp>(count, extent);
  }
}

/// No place is known yet; dimensions of one element have only one.
static SmallVector<Value> getVariables(KernelBuilder &builder,
                                       const Contraction &contraction) {
  return SmallVector<Value>(contraction.extents.size(), builder.number(0));
}

namespace {
class ColumnPacker {
public:
  ColumnPacker(KernelBuilder &builder, const ContractionPlan &plan)
      : builder(builder), plan(plan) {}

  bool emit();

private:
  void emitTile(Value turn);
  void emitLine(ArrayRef<Value> variables, Value first, Value to);

  KernelBuilder &builder;
  const ContractionPlan &plan;
  bool hasCode = true;
};
} // namespace

/// One line of a tile: what columns have at one place of the sum.
void ColumnPacker::emitLine(ArrayRef<Value> outer, Value first, Value to) {
  int64_t numColumns = plan.getNumColumns(), width = plan.tiles.getColumns();
  bool isOne = plan.roles.columns.size() == 1;
  bool areVectors = isOne && plan.b.allowsVectors(plan.roles.columns.front());
  unsigned lane = isOne ? plan.roles.columns.front() : ~0u;
  Value packed = builder.getOther(0);
  Value count = builder.min(builder.number(width),
                            builder.sub(builder.number(numColumns), first));
  auto store = [&](Value column, unsigned own) {
    SmallVector<Value> variables(outer);
    splitCount(builder, plan.contraction, plan.roles.columns,
               builder.add(first, column), variables);
    Value value = plan.b.emit(builder, variables, lane, own);
    hasCode &= bool(value);
    if (!value)
      return;
    if (Value isInside = plan.b.emitIsInside(builder, variables))
      value = builder.create<arith::SelectOp>(
          isInside, value, builder.constant(value.getType(), 0));
    builder.storeFloats(value, packed, builder.add(to, column));
  };
  builder.loopInVectors(builder.number(0), count,
                        areVectors ? plan.tiles.lanes : 1, store);
  builder.loop(count, builder.number(width), 1, [&](Value column) {
    Value zero = builder.constant(builder.getBuilder().getF32Type(), 0);
    builder.storeFloats(zero, packed, builder.add(to, column));
  });
}

void ColumnPacker::emitTile(Value turn) {
  int64_t width = plan.tiles.getColumns(), depth = plan.getDepth();
  Value numTiles = builder.number(plan.getNumColumnTiles());
  Value product = builder.create<arith::DivUIOp>(turn, numTiles);
  Value tile = builder.create<arith::RemUIOp>(turn, numTiles);
  Value start = builder.mul(turn, depth * width);
  SmallVector<Value> variables = getVariables(builder, plan.contraction);
  splitCount(builder, plan.contraction, plan.roles.batch, product, variables);
  builder.loop(builder.number(0), builder.number(depth), 1, [&](Value line) {
    SmallVector<Value> own = variables;
    splitCount(builder, plan.contraction, plan.roles.sums, line, own);
    emitLine(own, builder.mul(tile, width),
             builder.add(start, builder.mul(line, width)));
  });
}

bool ColumnPacker::emit() {
  builder.loop(builder.getBegin(), builder.getEnd(), 1,
               [&](Value turn) { emitTile(turn); });
  return hasCode;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

namespace {
/// A panel of rows times tiles of columns.
class ProductEmitter {
public:
  ProductEmitter(KernelBuilder &builder, const ContractionPlan &plan)
      : builder(builder), plan(plan),
        panel(plan.directPitch
                  ? plan.a.getMemory(builder)
                  : builder.allocate(plan.panelRows * plan.getPitch())),
        block(builder.allocate(plan.tiles.rows * plan.tiles.getColumns())) {}

  bool emit();
  int64_t getExtent() const {
    return plan.getNumProducts() * plan.getNumRowTiles() * plan.numChunks;
  }

private:
  void emitTurn(Value turn);
  void packRows();
  void packRow(Value row);
  void packLine(ArrayRef<Value> outer, Value to);
  void emitTile(Value tile);
  void emitBlock(Value row, int64_t numRows, Value tile);
  /// Where rows and columns of a block begin.
  struct Block {
    Value rows;
    int64_t numRows;
    Value columns;
  };
  SmallVector<Value> multiplyLine(ArrayRef<Value> left, Value line,
                                  ValueRange sums);
  SmallVector<Value> multiplyLines(const Block &at, LoopRange range,
                                   int64_t step, ValueRange sums);
  void multiply(Value row, int64_t numRows, Value tile);
  void finish(Value row, int64_t numRows, Value tile);
  void finishElements(ArrayRef<Value> outer, Value from, Value column,
                      unsigned width);
  Value addTerm(Value sum, ArrayRef<Value> variables, unsigned width);

  KernelBuilder &builder;
  const ContractionPlan &plan;
  /// Rows, where the first of them is, and the results of a block.
  Value panel, panelStart, block;
  /// Which product, its number, the panel's first row, and its rows.
  SmallVector<Value> variables;
  Value product, firstRow, numPanelRows;
  bool hasCode = true;
};
} // namespace

/// Elements along the innermost dimension of the sum, or zeros.
void ProductEmitter::packLine(ArrayRef<Value> outer, Value to) {
  ArrayRef<unsigned> sums = plan.roles.sums;
  unsigned lane = sums.empty() ? ~0u : sums.back();
  int64_t count = sums.empty() ? 1 : plan.contraction.extents[lane];
  bool areVectors =
      !sums.empty() && plan.a.allowsVectors(lane) && count >= plan.tiles.lanes;
  bool isSteady = sums.empty() || !plan.a.isBoundedAlong(lane);
  Type element = builder.getBuilder().getF32Type();
  auto copy = [&](Value at, unsigned width) {
    SmallVector<Value> own(outer);
    if (lane != ~0u)
      own[lane] = at;
    Value value = plan.a.emit(builder, own, lane, width);
    hasCode &= bool(value);
    if (!value)
      return;
    if (Value isInside = isSteady ? Value() : plan.a.emitIsInside(builder, own))
      value = builder.create<arith::SelectOp>(
          isInside, value, builder.constant(value.getType(), 0));
    builder.storeFloats(value, panel, builder.add(to, at));
  };
  auto clear = [&](Value at, unsigned width) {
    builder.storeFloats(builder.constant(getWide(element, width), 0), panel,
                        builder.add(to, at));
  };
  auto loop = [&](llvm::function_ref<void(Value, unsigned)> body) {
    builder.loopInVectors(builder.number(0), builder.number(count),
                          areVectors ? plan.tiles.lanes : 1, body);
  };
  Value isInside = isSteady ? plan.a.emitIsInside(builder, outer) : Value();
  if (!isInside)
    return loop(copy);
  builder.choose(isInside, [&] { loop(copy); }, [&] { loop(clear); });
}

/// A row of the panel: one line of the sum behind the other.
void ProductEmitter::packRow(Value row) {
  SmallVector<Value> own = variables;
  splitCount(builder, plan.contraction, plan.roles.rows,
             builder.add(firstRow, row), own);
  Value to = builder.mul(row, plan.getPitch());
  int64_t stride = plan.getDepth();
  OpBuilder::InsertionGuard guard(builder.getBuilder());
  for (unsigned dim :
       ArrayRef(plan.roles.sums).drop_back(plan.roles.sums.empty() ? 0 : 1)) {
    int64_t extent = plan.contraction.extents[dim];
    stride /= extent;
    builder.enterLoop(builder.number(0), builder.number(extent), own[dim]);
    to = builder.add(to, builder.mul(own[dim], stride));
  }
  packLine(own, to);
}

void ProductEmitter::packRows() {
  builder.loop(builder.number(0), numPanelRows, 1,
               [&](Value row) { packRow(row); });
}

/// One turn of the sum: what rows have at `line`, times a row of columns.
SmallVector<Value> ProductEmitter::multiplyLine(ArrayRef<Value> left,
                                                Value line, ValueRange sums) {
  int64_t vectors = plan.tiles.vectors;
  unsigned lanes = plan.tiles.lanes;
  SmallVector<Value> next(sums);
  for (int64_t j = 0; j < vectors; ++j) {
    Value right =
        builder.loadFloats(builder.getOther(0),
                           builder.add(line, builder.number(j * lanes)), lanes);
    for (size_t i = 0; i < left.size(); ++i) {
      Value &sum = next[i * vectors + j];
      sum = builder.create<math::FmaOp>(builder.spread(left[i], lanes), right,
                                        sum);
    }
  }
  return next;
}

/// Turns `from` to `to` of the sum, `step` at once: rows are loaded as vectors
/// along the sum, each lane of which is multiplied by a row of columns.
SmallVector<Value> ProductEmitter::multiplyLines(const Block &at,
                                                 LoopRange range, int64_t step,
                                                 ValueRange sums) {
  int64_t width = plan.tiles.getColumns();
  auto multiply = [&](Value k, ValueRange carried) {
    SmallVector<Value> left, next(carried);
    for (int64_t i = 0; i < at.numRows; ++i)
      left.push_back(
          builder.loadFloats(panel,
                             builder.add(builder.add(at.rows, k),
                                         builder.number(i * plan.getPitch())),
                             step));
    for (int64_t lane = 0; lane < step; ++lane) {
      SmallVector<Value> own = left;
      if (step > 1)
        for (Value &element : own)
          element = builder.create<vector::ExtractOp>(element, lane);
      Value line = builder.add(at.columns, builder.mul(k, width));
      next = multiplyLine(own, builder.add(line, builder.number(lane * width)),
                          next);
    }
    return next;
  };
  return llvm::to_vector(builder.loop(builder.number(range.low),
                                      builder.number(range.high), step, sums,
                                      multiply));
}

/// In registers over the whole sum.
void ProductEmitter::multiply(Value row, int64_t numRows, Value tile) {
  int64_t width = plan.tiles.getColumns(), depth = plan.getDepth();
  unsigned lanes = plan.tiles.lanes;
  Type type = getWide(builder.getBuilder().getF32Type(), lanes);
  Value index =
      builder.add(builder.mul(product, plan.getNumColumnTiles()), tile);
  Block at = {builder.mul(row, plan.getPitch()), numRows,
              builder.mul(index, depth * width)};
  if (panelStart)
    at.rows = builder.add(at.rows, panelStart);
  SmallVector<Value> sums(numRows * plan.tiles.vectors,
                          builder.constant(type, 0));
  int64_t whole = depth - depth % plan.step;
  if (whole != 0)
    sums = multiplyLines(at, {0, whole}, plan.step, sums);
  if (whole != depth)
    sums = multiplyLines(at, {whole, depth}, 1, sums);
  for (auto [i, sum] : llvm::enumerate(sums))
    builder.storeFloats(sum, block, builder.number(int64_t(i) * lanes));
}

Value ProductEmitter::addTerm(Value sum, ArrayRef<Value> own, unsigned width) {
  const Contraction &contraction = plan.contraction;
  if (contraction.factor != 1)
    sum = builder.create<arith::MulFOp>(
        sum, builder.constant(sum.getType(), contraction.factor));
  if (!contraction.added)
    return sum;
  Reader::Scope scope = plan.addedReader.getScope();
  llvm::copy(own, scope.variables.begin());
  scope.lane = plan.lane;
  scope.width = width;
  if (!plan.addedReader.emit(builder, scope)) {
    hasCode = false;
    return sum;
  }
  Value term = builder.spread(scope.elements[plan.added], width);
  if (contraction.addedFactor != 1)
    term = builder.create<arith::MulFOp>(
        term, builder.constant(term.getType(), contraction.addedFactor));
  return builder.create<arith::AddFOp>(sum, term);
}

/// What follows the product, for elements side by side.
void ProductEmitter::finishElements(ArrayRef<Value> outer, Value from,
                                    Value column, unsigned width) {
  SmallVector<Value> own(outer);
  if (plan.lane != ~0u)
    own[plan.lane] = column;
  Reader::Scope scope = plan.epilogue.getReader().getScope();
  llvm::copy(own, scope.variables.begin());
  scope.lane = plan.lane;
  scope.width = width;
  scope.elements[0] =
      addTerm(builder.loadFloats(block, from, width), own, width);
  hasCode &= plan.epilogue.emit(builder, scope);
}

void ProductEmitter::finish(Value row, int64_t numRows, Value tile) {
  int64_t width = plan.tiles.getColumns();
  bool areVectors = plan.lane != ~0u &&
                    plan.epilogue.allowsVectors(plan.lane) &&
                    plan.addedReader.allowsVectors(plan.lane);
  Value first = builder.mul(tile, width);
  Value count =
      builder.min(builder.number(width),
                  builder.sub(builder.number(plan.getNumColumns()), first));
  builder.loop(builder.number(0), builder.number(numRows), 1, [&](Value i) {
    SmallVector<Value> own = variables;
    splitCount(builder, plan.contraction, plan.roles.rows,
               builder.add(firstRow, builder.add(row, i)), own);
    builder.loopInVectors(
        builder.number(0), count, areVectors ? plan.tiles.lanes : 1,
        [&](Value column, unsigned lanes) {
          finishElements(own, builder.add(builder.mul(i, width), column),
                         builder.add(first, column), lanes);
        });
  });
}

void ProductEmitter::emitBlock(Value row, int64_t numRows, Value tile) {
  multiply(row, numRows, tile);
  finish(row, numRows, tile);
}

/// All blocks of the panel; the last one of all rows may be smaller.
void ProductEmitter::emitTile(Value tile) {
  int64_t rows = plan.tiles.rows, rest = plan.getNumRows() % rows;
  Value whole = builder.getLastVector(builder.number(0), numPanelRows, rows);
  builder.loop(builder.number(0), whole, rows,
               [&](Value row) { emitBlock(row, rows, tile); });
  if (rest != 0)
    builder.loop(whole, numPanelRows, rest,
                 [&](Value row) { emitBlock(row, rest, tile); });
}

void ProductEmitter::emitTurn(Value turn) {
  Value numChunks = builder.number(plan.numChunks);
  Value numPanels = builder.number(plan.getNumRowTiles());
  Value chunk = builder.create<arith::RemUIOp>(turn, numChunks);
  turn = builder.create<arith::DivUIOp>(turn, numChunks);
  Value number = builder.create<arith::RemUIOp>(turn, numPanels);
  product = builder.create<arith::DivUIOp>(turn, numPanels);
  firstRow = builder.mul(number, plan.panelRows);
  numPanelRows =
      builder.min(builder.number(plan.panelRows),
                  builder.sub(builder.number(plan.getNumRows()), firstRow));
  variables = getVariables(builder, plan.contraction);
  splitCount(builder, plan.contraction, plan.roles.batch, product, variables);
  if (plan.directPitch)
    panelStart = builder.add(plan.a.emitStart(builder, variables),
                             builder.mul(firstRow, *plan.directPitch));
  else
    packRows();
  int64_t all = plan.getNumColumnTiles();
  int64_t perChunk = llvm::divideCeil(all, plan.numChunks);
  Value from = builder.mul(chunk, perChunk);
  Value to = builder.min(builder.number(all),
                         builder.add(from, builder.number(perChunk)));
  builder.loop(from, to, 1, [&](Value tile) { emitTile(tile); });
}

bool ProductEmitter::emit() {
  builder.loop(builder.getBegin(), builder.getEnd(), 1,
               [&](Value turn) { emitTurn(turn); });
  return hasCode;
}

//===----------------------------------------------------------------------===//
// The template
//===----------------------------------------------------------------------===//

/// The only contraction of a body.
static std::optional<Contraction> findContraction(const KernelBody &body) {
  std::optional<Contraction> found;
  for (Operation *op : body.ops) {
    std::optional<Contraction> own = Contraction::get(op);
    if (own && found)
      return std::nullopt;
    if (own)
      found = std::move(own);
  }
  return found;
}

std::optional<KernelCode> inlay::emitContraction(const KernelBody &body,
                                                 const TemplateTarget &target) {
  std::optional<Contraction> found = findContraction(body);
  if (!found)
    return std::nullopt;
  ContractionPlan plan(body, std::move(*found), target.unit);
  if (!plan.make())
    return std::nullopt;
  std::string packName = (target.name + "_pack").str();
  KernelBuilder packing(target.module, packName, body, /*numOthers=*/1);
  KernelBuilder kernel(target.module, target.name, body, /*numOthers=*/1);
  ProductEmitter emitter(kernel, plan);
  if (!ColumnPacker(packing, plan).emit() || !emitter.emit()) {
    packing.discard();
    kernel.discard();
    return std::nullopt;
  }
  int64_t numTiles = plan.getNumProducts() * plan.getNumColumnTiles();
  uint64_t bytes =
      sizeof(float) * numTiles * plan.getDepth() * plan.tiles.getColumns();
  return KernelCode{
      target.name.str(),
      body.reads,
      body.results,
      emitter.getExtent(),
      KernelCode::Packing{packName, numTiles, bytes, plan.b.readsConstants()},
      "contraction",
      2 * plan.countProducts()};
}
