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

#include "Contraction.h"
#include "Epilogue.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace inlay;
using namespace mlir;

/// Floats of packed rows: they stay in a cache of the second level.
static constexpr int64_t maxPanel = 60 * 1024;
/// Rows that columns are read for at once where rows need no packing.
static constexpr int64_t maxDirectRows = 256;
/// Rows are packed this much farther apart than they are long: lines of a power
/// of two would all fall into the same places of the cache.
static constexpr int64_t panelGap = 16;
/// Parts that a kernel has at least, where it can, so that threads have some.
static constexpr int64_t minParts = 8;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

namespace {
/// Which dimensions are what, outermost first.
struct Roles {
  /// Each combination of these is a product of its own.
  SmallVector<unsigned> batch;
  SmallVector<unsigned> rows, columns, sums;
};

/// How many rows and columns are computed at once.
struct Tiles {
  int64_t rows, vectors;
  unsigned lanes;

  int64_t getColumns() const { return vectors * lanes; }
};

/// An operand while it is read: zero outside of its bounds.
class PackedOperand {
public:
  PackedOperand(const KernelBody &body, const Contraction &contraction)
      : space(LoopPlan::get(contraction.extents), getRanges(contraction)),
        reader(body, space) {}

  bool plan(const Contraction::Operand &operand);
  bool allowsVectors(unsigned dim) const {
    return reader.allowsVectors(dim) && !isBoundedAlong(dim);
  }
  /// How far apart the operand's elements are along a dimension.
  int64_t getStride(unsigned dim) const;
  bool readsConstants() const;
  /// Elements along `lane`, `width` of them; null where there is no code.
  Value emit(KernelBuilder &builder, ArrayRef<Value> variables, unsigned lane,
             unsigned width) const;
  /// How far apart rows are, where lines of the sum lie in memory as they would
  /// be packed.
  std::optional<int64_t> getPitch(const Contraction &contraction,
                                  const Roles &roles) const;
  /// The place of the first row and of the sum's begin.
  Value emitStart(KernelBuilder &builder, ArrayRef<Value> variables) const;
  Value getMemory(KernelBuilder &builder) const {
    return builder.getRead(reader.getOnlyRead());
  }
  /// Whether that is inside of the operand; null where everything is.
  Value emitIsInside(KernelBuilder &builder, ArrayRef<Value> variables) const;
  /// Whether that changes along a dimension.
  bool isBoundedAlong(unsigned dim) const;

  static SmallVector<LoopRange> getRanges(const Contraction &contraction);

private:
  LoopSpace space;
  Reader reader;
  unsigned element = 0;
  SmallVector<IndexPiece::Bound> bounds;
};
} // namespace

SmallVector<LoopRange>
PackedOperand::getRanges(const Contraction &contraction) {
  SmallVector<LoopRange> ranges;
  for (int64_t extent : contraction.extents)
    ranges.push_back({0, extent - 1});
  return ranges;
}

/// Outside of the operand its border is read, and thrown away.
bool PackedOperand::plan(const Contraction::Operand &operand) {
  LoopIndex index = operand.index;
  for (auto [place, extent] :
       llvm::zip_equal(index, getExtents(operand.value))) {
    LoopRange all = {0, extent - 1}, own = space.getRange(place);
    if (own.low >= all.low && own.high <= all.high)
      continue;
    bounds.push_back({place, all});
    place = space.clamp(place, all);
  }
  std::optional<unsigned> wanted = reader.want(operand.value, index);
  element = wanted.value_or(0);
  return wanted.has_value();
}

int64_t PackedOperand::getStride(unsigned dim) const {
  int64_t stride = 0;
  for (const Linear *form : reader.getForms())
    stride = std::max(stride, std::abs(form->getFactor(dim)));
  return stride;
}

/// Whether elements along all of `dims` lie `stride` apart.
static bool isEven(const Linear &place, const Contraction &contraction,
                   ArrayRef<unsigned> dims, int64_t stride) {
  for (unsigned dim : llvm::reverse(dims)) {
    if (place.getFactor(dim) != stride)
      return false;
    stride *= contraction.extents[dim];
  }
  return true;
}

std::optional<int64_t> PackedOperand::getPitch(const Contraction &contraction,
                                               const Roles &roles) const {
  const Linear *place = reader.getOnlyLoad();
  if (!place || !bounds.empty() ||
      space.getVariables().size() != space.getNumLoops() ||
      !isEven(*place, contraction, roles.sums, 1))
    return std::nullopt;
  if (roles.rows.empty())
    return contraction.getCount(roles.sums);
  int64_t pitch = place->getFactor(roles.rows.back());
  if (!isEven(*place, contraction, roles.rows, pitch))
    return std::nullopt;
  return pitch;
}

Value PackedOperand::emitStart(KernelBuilder &builder,
                               ArrayRef<Value> variables) const {
  Reader::Scope scope = reader.getScope();
  llvm::copy(variables, scope.variables.begin());
  return reader.emit(builder, scope, *reader.getOnlyLoad());
}

bool PackedOperand::readsConstants() const { return reader.readsConstants(); }

Value PackedOperand::emit(KernelBuilder &builder, ArrayRef<Value> variables,
                          unsigned lane, unsigned width) const {
  Reader::Scope scope = reader.getScope();
  llvm::copy(variables, scope.variables.begin());
  scope.lane = lane;
  scope.width = width;
  if (!reader.emit(builder, scope))
    return {};
  return builder.spread(scope.elements[element], width);
}

Value PackedOperand::emitIsInside(KernelBuilder &builder,
                                  ArrayRef<Value> variables) const {
  Reader::Scope scope = reader.getScope();
  llvm::copy(variables, scope.variables.begin());
  Value isInside;
  for (const auto &[place, range] : bounds) {
    Value at = reader.emit(builder, scope, place);
    Value own = builder.create<arith::CmpIOp>(arith::CmpIPredicate::ule, at,
                                              builder.number(range.high));
    isInside = isInside ? builder.create<arith::AndIOp>(isInside, own) : own;
  }
  return isInside;
}

bool PackedOperand::isBoundedAlong(unsigned dim) const {
  return llvm::any_of(bounds, [&](const IndexPiece::Bound &bound) {
    return bound.value.getFactor(dim) != 0;
  });
}

namespace {
/// All that is decided before code is made.
class ContractionPlan {
public:
  ContractionPlan(const KernelBody &body, Contraction found,
                  const VectorUnit &unit)
      : contraction(std::move(found)),
        space(LoopPlan::get(contraction.extents),
              PackedOperand::getRanges(contraction)),
        epilogue(body, space), addedReader(body, space), a(body, contraction),
        b(body, contraction), unit(unit) {}

  /// False where another way has to be found.
  bool make();

  int64_t getNumRows() const { return contraction.getCount(roles.rows); }
  int64_t getNumColumns() const { return contraction.getCount(roles.columns); }
  int64_t getDepth() const { return contraction.getCount(roles.sums); }
  int64_t getNumProducts() const { return contraction.getCount(roles.batch); }
  int64_t getNumColumnTiles() const {
    return llvm::divideCeil(getNumColumns(), tiles.getColumns());
  }
  uint64_t countProducts() const {
    return uint64_t(getNumProducts()) * getNumRows() * getNumColumns() *
           getDepth();
  }
  /// How far apart rows are.
  int64_t getPitch() const {
    return directPitch.value_or(getDepth() + panelGap);
  }
  int64_t getNumRowTiles() const {
    return llvm::divideCeil(getNumRows(), panelRows);
  }

  Contraction contraction;
  LoopSpace space;
  Epilogue epilogue;
  Reader addedReader;
  unsigned added = 0;
  Roles roles;
  /// Rows are read from `a`, columns from `b`.
  PackedOperand a, b;
  Tiles tiles = {1, 1, 1};
  /// How far apart rows are in memory, where they are read from there.
  std::optional<int64_t> directPitch;
  /// Rows that are computed for all columns at once, and parts that columns are
  /// cut into.
  int64_t panelRows = 1, numChunks = 1;
  /// The loop along which results lie side by side; none where there is only
  /// one.
  unsigned lane = ~0u;

private:
  bool planResults();
  void assignRoles();
  void mergeColumns();
  void orderSums();
  bool chooseTiles();

  const VectorUnit &unit;
};
} // namespace

bool ContractionPlan::planResults() {
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

/// Of the dimensions of only one operand, results lie closest along its
/// columns: side by side, but where groups of channels are shuffled.
void ContractionPlan::assignRoles() {
  std::optional<unsigned> inner;
  for (unsigned dim = 0; dim < contraction.extents.size(); ++dim) {
    int64_t stride = epilogue.getStride(dim);
    bool isInBoth = contraction.a.contains(dim) && contraction.b.contains(dim);
    if (stride != 0 && !isInBoth &&
        (!inner || stride < epilogue.getStride(*inner)))
      inner = dim;
  }
  if (inner && contraction.a.contains(*inner))
    std::swap(contraction.a, contraction.b);
  for (unsigned dim = 0; dim < contraction.extents.size(); ++dim) {
    if (contraction.extents[dim] == 1)
      continue;
    bool isInA = contraction.a.contains(dim),
         isInB = contraction.b.contains(dim);
    (contraction.isSummed(dim) ? roles.sums
     : isInA && isInB          ? roles.batch
     : isInA                   ? roles.rows
                               : roles.columns)
        .push_back(dim);
  }
  llvm::sort(roles.columns, [&](unsigned x, unsigned y) {
    return epilogue.getStride(x) > epilogue.getStride(y);
  });
}

/// Columns of several dimensions are one where results allow it; what is left
/// over makes products of their own.
void ContractionPlan::mergeColumns() {
  if (roles.columns.empty())
    return;
  lane = roles.columns.back();
  size_t first = roles.columns.size() - 1;
  for (; first > 0; --first) {
    unsigned outer = roles.columns[first - 1];
    SmallVector<const Linear *> forms = epilogue.getForms();
    llvm::append_range(forms, addedReader.getForms());
    if (!space.merge(outer, lane, forms))
      break;
    epilogue.dropLoop(outer);
    addedReader.dropLoop(outer);
  }
  llvm::append_range(roles.batch, ArrayRef(roles.columns).take_front(first));
  roles.columns.erase(roles.columns.begin(), roles.columns.begin() + first);
}

/// As rows are read: what lies side by side is innermost.
void ContractionPlan::orderSums() {
  llvm::sort(roles.sums, [&](unsigned x, unsigned y) {
    return std::pair(-a.getStride(x), x) < std::pair(-a.getStride(y), y);
  });
}

/// Cycles of one turn of the sum for all rows and columns, about: two products
/// or two loads in each.
static int64_t estimateCost(const Tiles &tiles, int64_t rows, int64_t columns) {
  int64_t blocks = llvm::divideCeil(rows, tiles.rows) *
                   llvm::divideCeil(columns, tiles.getColumns());
  return blocks *
         std::max(tiles.rows * tiles.vectors, tiles.rows + tiles.vectors);
}

/// The block that fits into the registers, beside a row of columns and one
/// element, and wastes least.
bool ContractionPlan::chooseTiles() {
  int64_t limit = directPitch ? maxDirectRows : maxPanel / getPitch();
  if (limit == 0)
    return false;
  std::optional<int64_t> least;
  for (int64_t vectors : {4, 2, 1}) {
    int64_t rows = (unit.registers - 1 - vectors) / vectors;
    Tiles own = {std::min({rows, limit, getNumRows()}), vectors, unit.lanes};
    int64_t cost = estimateCost(own, getNumRows(), getNumColumns());
    if (least && cost >= *least)
      continue;
    least = cost;
    tiles = own;
  }
  // Tiles begin at multiples of their columns.
  if (lane != ~0u)
    space.align(lane, tiles.lanes);
  // Whole blocks.
  int64_t most = llvm::alignTo(getNumRows(), tiles.rows);
  panelRows =
      std::max<int64_t>(std::min(limit, most) / tiles.rows, 1) * tiles.rows;
  int64_t numPanels = getNumProducts() * getNumRowTiles();
  numChunks = std::min<int64_t>(
      llvm::divideCeil(minParts, std::min(numPanels, minParts)),
      getNumColumnTiles());
  return true;
}

bool ContractionPlan::make() {
  if (!planResults())
    return false;
  assignRoles();
  mergeColumns();
  if (!a.plan(contraction.a) || !b.plan(contraction.b))
    return false;
  orderSums();
  directPitch = a.getPitch(contraction, roles);
  return chooseTiles();
}

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

/// In registers over the whole sum.
void ProductEmitter::multiply(Value row, int64_t numRows, Value tile) {
  int64_t width = plan.tiles.getColumns(), depth = plan.getDepth();
  int64_t vectors = plan.tiles.vectors;
  unsigned lanes = plan.tiles.lanes;
  Type type = getWide(builder.getBuilder().getF32Type(), lanes);
  Value index =
      builder.add(builder.mul(product, plan.getNumColumnTiles()), tile);
  Value columns = builder.mul(index, depth * width);
  Value rows = builder.mul(row, plan.getPitch());
  if (panelStart)
    rows = builder.add(rows, panelStart);
  SmallVector<Value> zeros(numRows * vectors, builder.constant(type, 0));
  ValueRange sums = builder.loop(
      builder.number(0), builder.number(depth), 1, zeros,
      [&](Value k, ValueRange carried) {
        SmallVector<Value> next;
        Value line = builder.add(columns, builder.mul(k, width));
        SmallVector<Value> right;
        for (int64_t j = 0; j < vectors; ++j)
          right.push_back(builder.loadFloats(
              builder.getOther(0), builder.add(line, builder.number(j * lanes)),
              lanes));
        for (int64_t i = 0; i < numRows; ++i) {
          Value at = builder.add(builder.add(rows, k),
                                 builder.number(i * plan.getPitch()));
          Value left = builder.spread(builder.loadFloats(panel, at, 1), lanes);
          for (int64_t j = 0; j < vectors; ++j)
            next.push_back(builder.create<math::FmaOp>(
                left, right[j], carried[i * vectors + j]));
        }
        return next;
      });
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
