//===- WinogradTemplate.cpp - Convolutions with fewer products ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of tiles is transformed into memory of
// the kernel's own: rows of a plane are tiles, what is summed are channels. Of
// a tile of columns all planes are multiplied, then transformed back and
// finished while they are in the cache.
//
//===----------------------------------------------------------------------===//

#include "WinogradWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Floats of a line of the caches.
static constexpr int64_t floatsPerLine = 16;

namespace {
class TileEmitter {
public:
  TileEmitter(KernelBuilder &builder, const WinogradPlan &plan);

  bool emit();

private:
  /// Which picture a tile is of, and where it begins in the results.
  struct Tile {
    Value batch, y, x;
  };
  /// Where a tile begins in the data.
  struct Patch {
    Value batch, y, x;
    /// Whether some of it may be outside.
    bool isBounded;
  };

  using Values = Winograd::Values;

  /// Vectors in memory: number `at` + `more` of those that are `apart`.
  Value get(Value memory, Value at, int64_t more, int64_t apart,
            unsigned width) {
    Value place = builder.mul(builder.add(at, builder.number(more)), apart);
    return builder.loadFloats(memory, place, width);
  }
  void store(Value value, Value memory, Value at, int64_t more, int64_t apart) {
    builder.storeFloats(
        value, memory,
        builder.mul(builder.add(at, builder.number(more)), apart));
  }
  void emitTurn(Value number);
  Value isBlockNew(Value number, Value chunk);
  Tile findTile(Value number);
  /// A part of the planes: rows `first` to `end` of them.
  struct Part {
    int64_t first, end;
  };

  Part getPart(int64_t number) const {
    int64_t rows = plan.blocks.getPartRows();
    return {number * rows, (number + 1) * rows};
  }
  bool isFirst(Part part) const { return part.first == 0; }
  bool isLast(Part part) const { return part.end == size; }
  void transformBlock(Value first, Part part);
  void transformPatch(const Patch &patch, Value row, Part part);
  Value load(const Patch &patch, Value y, Value x, Value channel,
             unsigned width);
  /// Which tiles a turn computes: those of a block but for the first ones,
  /// which another block has, and those columns.
  struct Turn {
    Value first, skipped, fromColumn, toColumn;
  };
  void emitPart(const Turn &turn, Part part);
  void emitColumns(const Turn &turn, Part part, Value from, Value to,
                   int64_t vectors);
  /// Channels that are added to the sums of planes.
  struct Channels {
    Value first;
    int64_t count;
    /// Whether there are no sums yet.
    bool areFirst;
  };
  void multiplyPlanes(Value tile, int64_t vectors, Part part);
  void formWeights(Value taps, int64_t count, int64_t vectors, Part part);
  void addPlanes(const Channels &channels, int64_t vectors, Part part);
  void addRows(const Channels &channels, Value plane, Value row, int64_t rows,
               int64_t vectors);
  void transformBack(Value row, int64_t vectors, Part part, Value kept);
  void finishTile(const Tile &at, Value tile, int64_t vectors, Value kept);

  KernelBuilder &builder;
  const WinogradPlan &plan;
  const Winograd &winograd;
  int64_t size, outputs;
  unsigned lanes;
  /// Transformed tiles, the sums of planes, a tile between the steps of a
  /// transform, results, and weights that are transformed here.
  Value planes, sums, half, results, formed;
  BlockProduct product;
  bool hasCode = true;
};
} // namespace

TileEmitter::TileEmitter(KernelBuilder &builder, const WinogradPlan &plan)
    : builder(builder), plan(plan), winograd(plan.getWinograd()),
      size(winograd.getInputs()), outputs(winograd.getOutputs()),
      lanes(plan.columns.tiles.lanes) {
  int64_t columns = plan.columns.tiles.getColumns();
  int64_t numPlanes = plan.blocks.getPartPlanes();
  planes = builder.allocate(numPlanes * plan.blocks.planeStride);
  sums = builder.allocate(numPlanes * plan.blocks.perBlock * columns);
  half = builder.allocate(size * size * lanes);
  results =
      builder.allocate(plan.blocks.getNumKept() * outputs * outputs * columns);
  formed = builder.allocate(numPlanes * plan.blocks.formedStride);
  product = {planes,     formed,           plan.contraction.element,
             lanes,      plan.blocks.step, plan.layer.channels,
             /*apart=*/1};
}

TileEmitter::Tile TileEmitter::findTile(Value number) {
  Value rows = builder.number(plan.blocks.across[0]);
  Value inRow = builder.number(plan.blocks.across[1]);
  Value x = builder.create<arith::RemUIOp>(number, inRow);
  Value rest = builder.create<arith::DivUIOp>(number, inRow);
  Value y = builder.create<arith::RemUIOp>(rest, rows);
  Value batch = builder.create<arith::DivUIOp>(rest, rows);
  return {batch, builder.mul(y, outputs), builder.mul(x, outputs)};
}

/// What lies outside is zero: its border is read, and thrown away.
Value TileEmitter::load(const Patch &patch, Value y, Value x, Value channel,
                        unsigned width) {
  Value isInside;
  auto bound = [&](Value place, int64_t extent) {
    Value own = builder.create<arith::CmpIOp>(arith::CmpIPredicate::ult, place,
                                              builder.number(extent));
    isInside = isInside ? builder.create<arith::AndIOp>(isInside, own) : own;
    return builder.max(builder.min(place, builder.number(extent - 1)),
                       builder.number(0));
  };
  if (patch.isBounded) {
    y = bound(y, plan.layer.data[0]);
    x = bound(x, plan.layer.data[1]);
  }
  Reader::Scope scope = plan.dataReader.getScope();
  llvm::copy(ArrayRef<Value>{patch.batch, channel, y, x},
             scope.variables.begin());
  scope.lane = 1;
  scope.width = width;
  hasCode = hasCode && plan.dataReader.emit(builder, scope);
  if (!hasCode)
    return builder.constant(getWide(plan.contraction.element, width), 0);
  Value loaded = builder.spread(scope.elements[plan.element], width);
  if (!isInside)
    return loaded;
  return builder.create<arith::SelectOp>(isInside, loaded,
                                         builder.constant(loaded.getType(), 0));
}

/// Columns of the patch first, then those of its rows that the part has.
void TileEmitter::transformPatch(const Patch &patch, Value row, Part part) {
  Value start = builder.mul(row, plan.layer.channels), zero = builder.number(0);
  auto transform = [&](Value channel, unsigned width) {
    builder.loop(zero, builder.number(size), 1, [&](Value x) {
      Values column;
      for (int64_t y = 0; y < size; ++y)
        column.push_back(load(patch, builder.add(patch.y, builder.number(y)),
                              builder.add(patch.x, x), channel, width));
      Values own = winograd.emitData(builder, column);
      for (int64_t y = part.first; y < part.end; ++y)
        store(own[y], half, x, (y - part.first) * size, width);
    });
    builder.loop(zero, builder.number(part.end - part.first), 1, [&](Value y) {
      Values line;
      for (int64_t x = 0; x < size; ++x)
        line.push_back(get(half, builder.mul(y, size), x, width, width));
      Value to = builder.add(builder.add(start, channel),
                             builder.mul(y, size * plan.blocks.planeStride));
      for (auto [x, value] : llvm::enumerate(winograd.emitData(builder, line)))
        builder.storeFloats(
            value, planes,
            builder.add(to, builder.number(x * plan.blocks.planeStride)));
    });
  };
  builder.loopInVectors(zero, builder.number(plan.layer.channels), lanes,
                        transform);
}

/// All tiles of a block. Only those at a border ask where it is.
void TileEmitter::transformBlock(Value first, Part part) {
  Value end = builder.number(plan.blocks.perBlock);
  builder.loop(builder.number(0), end, 1, [&](Value row) {
    Tile tile = findTile(builder.add(first, row));
    Patch patch = {
        tile.batch, builder.sub(tile.y, builder.number(plan.layer.pads[0])),
        builder.sub(tile.x, builder.number(plan.layer.pads[1])), false};
    auto isWithin = [&](Value place, int64_t extent) {
      int64_t count = std::max<int64_t>(extent - size + 1, 0);
      return builder.create<arith::CmpIOp>(arith::CmpIPredicate::ult, place,
                                           builder.number(count));
    };
    Value isInside =
        builder.create<arith::AndIOp>(isWithin(patch.y, plan.layer.data[0]),
                                      isWithin(patch.x, plan.layer.data[1]));
    Patch bounded = patch;
    bounded.isBounded = true;
    builder.choose(
        isInside, [&] { transformPatch(patch, row, part); },
        [&] { transformPatch(bounded, row, part); });
  });
}

/// The sums of the part's planes for a tile of columns, some channels after
/// another: their weights stay in a cache.
void TileEmitter::multiplyPlanes(Value tile, int64_t vectors, Part part) {
  const WinogradBlocks &blocks = plan.blocks;
  int64_t channels = plan.layer.channels, width = vectors * lanes;
  Value start = builder.mul(tile, plan.getTileFloats());
  auto add = [&](Value channel, int64_t count, bool areFirst) {
    Value taps =
        builder.add(start, builder.mul(channel, Winograd::numTaps * width));
    formWeights(taps, count, vectors, part);
    addPlanes({channel, count, areFirst}, vectors, part);
  };
  add(builder.number(0), blocks.perForming, true);
  int64_t rest = channels % blocks.perForming;
  builder.loop(builder.number(blocks.perForming),
               builder.number(channels - rest), blocks.perForming,
               [&](Value channel) { add(channel, blocks.perForming, false); });
  if (rest != 0)
    add(builder.number(channels - rest), rest, false);
}

/// The part's planes of `count` channels whose taps begin at `taps`.
void TileEmitter::formWeights(Value taps, int64_t count, int64_t vectors,
                              Part part) {
  int64_t width = vectors * lanes, numTaps = Winograd::numTaps;
  int64_t apart = plan.blocks.formedStride;
  Value zero = builder.number(0), packed = builder.getOther(0);
  builder.loop(zero, builder.number(count), 1, [&](Value channel) {
    Value from = builder.add(taps, builder.mul(channel, numTaps * width));
    Value to = builder.mul(channel, width);
    // Those of the next ones come while products are made of these.
    Value next = builder.add(
        from, builder.number(plan.blocks.perForming * numTaps * width));
    for (int64_t i = 0; i < numTaps * width; i += floatsPerLine)
      builder.prefetchFloats(packed, builder.add(next, builder.number(i)));
    builder.loop(zero, builder.number(width), lanes, [&](Value column) {
      Values own;
      for (int64_t tap = 0; tap < numTaps; ++tap)
        own.push_back(builder.loadFloats(
            packed,
            builder.add(builder.add(from, column), builder.number(tap * width)),
            lanes));
      Values all = winograd.emitWeights(builder, own);
      for (int64_t plane = part.first * size; plane < part.end * size; ++plane)
        builder.storeFloats(
            all[plane], formed,
            builder.add(builder.add(to, column),
                        builder.number((plane - part.first * size) * apart)));
    });
  });
}

/// Adds the channels' products to the sums of the part's planes.
void TileEmitter::addPlanes(const Channels &channels, int64_t vectors,
                            Part part) {
  int64_t rows = plan.columns.tiles.rows;
  int64_t rest = plan.blocks.perBlock % rows;
  Value zero = builder.number(0);
  Value whole = builder.number(plan.blocks.perBlock - rest);
  Value numPlanes = builder.number((part.end - part.first) * size);
  builder.loop(zero, numPlanes, 1, [&](Value plane) {
    builder.loop(zero, whole, rows, [&](Value row) {
      addRows(channels, plane, row, rows, vectors);
    });
    if (rest != 0)
      addRows(channels, plane, whole, rest, vectors);
  });
}

/// The same for some rows of a plane.
void TileEmitter::addRows(const Channels &channels, Value plane, Value row,
                          int64_t rows, int64_t vectors) {
  int64_t width = vectors * lanes;
  Value from = builder.add(
      builder.add(channels.first, builder.mul(row, plan.layer.channels)),
      builder.mul(plane, plan.blocks.planeStride));
  Value to = builder.add(builder.mul(plane, plan.blocks.perBlock * width),
                         builder.mul(row, width));
  BlockProduct::Block at = {from, builder.mul(plane, plan.blocks.formedStride),
                            rows, vectors};
  auto getPlace = [&](int64_t number) {
    return builder.add(to, builder.number(number * lanes));
  };
  Values own = product.getZeros(builder, at);
  if (!channels.areFirst)
    for (auto [i, sum] : llvm::enumerate(own))
      sum = builder.loadFloats(sums, getPlace(i), lanes);
  own = product.multiply(builder, at, channels.count, own);
  for (auto [i, sum] : llvm::enumerate(own))
    builder.storeFloats(sum, sums, getPlace(i));
}

/// Adds what the part's planes give to the results of one tile at `kept`: their
/// rows first, then columns.
void TileEmitter::transformBack(Value row, int64_t vectors, Part part,
                                Value kept) {
  int64_t width = vectors * lanes, numRows = part.end - part.first;
  int64_t planeFloats = plan.blocks.perBlock * width;
  Value start = builder.mul(row, width), zero = builder.number(0);
  builder.loop(zero, builder.number(width), lanes, [&](Value column) {
    Value own = builder.add(start, column), to = builder.add(kept, column);
    builder.loop(zero, builder.number(numRows), 1, [&](Value y) {
      Values line;
      Value from = builder.add(own, builder.mul(y, size * planeFloats));
      for (int64_t x = 0; x < size; ++x)
        line.push_back(get(sums, from, x * planeFloats, 1, lanes));
      for (auto [x, value] :
           llvm::enumerate(winograd.emitResults(builder, line)))
        store(value, half, builder.mul(y, outputs), x, lanes);
    });
    builder.loop(zero, builder.number(outputs), 1, [&](Value x) {
      Values line, before;
      for (int64_t y = 0; y < numRows; ++y)
        line.push_back(get(half, x, y * outputs, lanes, lanes));
      Value at = builder.add(to, builder.mul(x, width));
      for (int64_t y = 0; y < outputs && !isFirst(part); ++y)
        before.push_back(get(results, at, y * outputs * width, 1, lanes));
      for (auto [y, value] : llvm::enumerate(
               winograd.emitResults(builder, line, part.first, before)))
        builder.storeFloats(
            value, results,
            builder.add(at, builder.number(y * outputs * width)));
    });
  });
}

/// Tiles may end behind the results.
void TileEmitter::finishTile(const Tile &at, Value tile, int64_t vectors,
                             Value kept) {
  auto getEnd = [&](Value from, int64_t extent) {
    return builder.min(builder.number(outputs),
                       builder.sub(builder.number(extent), from));
  };
  Value zero = builder.number(0);
  builder.loop(zero, getEnd(at.y, plan.layer.results[0]), 1, [&](Value y) {
    builder.loop(zero, getEnd(at.x, plan.layer.results[1]), 1, [&](Value x) {
      Values variables(plan.contraction.extents.size(), zero);
      variables[WinogradLayer::Batch] = at.batch;
      variables[WinogradLayer::Y] = builder.add(at.y, y);
      variables[WinogradLayer::X] = builder.add(at.x, x);
      Value place =
          builder.mul(builder.add(builder.mul(y, outputs), x), vectors * lanes);
      hasCode &= plan.results.emitRow(builder, plan.columns, variables, results,
                                      builder.add(kept, place), tile, vectors);
    });
  });
}

void TileEmitter::emitColumns(const Turn &turn, Part part, Value from, Value to,
                              int64_t vectors) {
  int64_t perBlock = plan.blocks.perBlock;
  int64_t block = outputs * outputs * plan.columns.tiles.getColumns();
  builder.loop(from, to, 1, [&](Value tile) {
    multiplyPlanes(tile, vectors, part);
    Value number = builder.mul(builder.sub(tile, turn.fromColumn), perBlock);
    builder.loop(turn.skipped, builder.number(perBlock), 1, [&](Value row) {
      Value kept = builder.number(0);
      if (plan.blocks.numParts > 1)
        kept = builder.mul(builder.add(number, row), block);
      transformBack(row, vectors, part, kept);
      if (isLast(part))
        finishTile(findTile(builder.add(turn.first, row)), tile, vectors, kept);
    });
  });
}

/// All columns of a turn; the last tile of them may be narrow.
void TileEmitter::emitPart(const Turn &turn, Part part) {
  int64_t last = plan.columns.getLastVectors();
  if (last == plan.columns.tiles.vectors)
    return emitColumns(turn, part, turn.fromColumn, turn.toColumn, last);
  Value whole = builder.number(plan.columns.getNumTiles() - 1);
  emitColumns(turn, part, turn.fromColumn, builder.min(turn.toColumn, whole),
              plan.columns.tiles.vectors);
  emitColumns(turn, part, builder.max(turn.fromColumn, whole), turn.toColumn,
              last);
}

/// A block of tiles and some of the columns. Blocks are of one size: the last
/// one begins earlier, and finishes only what others do not.
void TileEmitter::emitTurn(Value number) {
  const WinogradBlocks &blocks = plan.blocks;
  Value numTurns = builder.number(blocks.numTurns);
  Value chunk = builder.create<arith::RemUIOp>(number, numTurns);
  Value wanted = builder.mul(builder.create<arith::DivUIOp>(number, numTurns),
                             blocks.perBlock);
  Turn turn;
  turn.first =
      builder.min(wanted, builder.number(blocks.all - blocks.perBlock));
  turn.skipped = builder.sub(wanted, turn.first);
  turn.fromColumn = builder.mul(chunk, blocks.perTurn);
  turn.toColumn =
      builder.min(builder.number(plan.columns.getNumTiles()),
                  builder.add(turn.fromColumn, builder.number(blocks.perTurn)));
  for (int64_t i = 0; i < blocks.numParts; ++i) {
    Value isNew = isBlockNew(number, chunk);
    if (isNew)
      builder.choose(
          isNew, [&] { transformBlock(turn.first, getPart(i)); }, [] {});
    else
      transformBlock(turn.first, getPart(i));
    emitPart(turn, getPart(i));
  }
}

/// Whether the turn before had other tiles; null where they are always
/// transformed.
Value TileEmitter::isBlockNew(Value number, Value chunk) {
  if (plan.blocks.numParts > 1 || plan.blocks.numTurns == 1)
    return {};
  auto isEqual = [&](Value a, Value b) {
    return builder.create<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
  };
  return builder.create<arith::OrIOp>(isEqual(number, builder.getBegin()),
                                      isEqual(chunk, builder.number(0)));
}

bool TileEmitter::emit() {
  builder.loop(builder.getBegin(), builder.getEnd(), 1,
               [&](Value turn) { emitTurn(turn); });
  return hasCode;
}

//===----------------------------------------------------------------------===//
// The template
//===----------------------------------------------------------------------===//

static std::optional<KernelCode> emitPlan(const KernelBody &body,
                                          const TemplateTarget &target,
                                          const WinogradPlan &plan) {
  std::string packName = (target.name + "_pack").str();
  KernelBuilder packing(target.module, packName, body, /*numOthers=*/1);
  KernelBuilder kernel(target.module, target.name, body, /*numOthers=*/1);
  if (!emitWinogradWeights(packing, plan) ||
      !TileEmitter(kernel, plan).emit()) {
    packing.discard();
    kernel.discard();
    return std::nullopt;
  }
  const WinogradLayer &layer = plan.layer;
  int64_t numTiles = plan.columns.getNumTiles();
  uint64_t bytes = sizeof(float) * numTiles * plan.getTileFloats();
  uint64_t products = Winograd::taps * Winograd::taps * layer.batch *
                      layer.results[0] * layer.results[1] * layer.channels *
                      layer.columns;
  return KernelCode{target.name.str(),
                    body.reads,
                    body.results,
                    plan.getNumTurns(),
                    KernelCode::Packing{packName, numTiles, bytes,
                                        plan.weights.readsConstants(),
                                        kernel.getUnusedReads()},
                    plan.blocks.outputs == 2 ? "winograd 2x2" : "winograd 4x4",
                    2 * products};
}

std::optional<KernelCode> inlay::emitWinograd(const KernelBody &body,
                                              const TemplateTarget &target,
                                              std::string &reason) {
  std::optional<Contraction> found = Contraction::find(body);
  std::optional<WinogradLayer> layer =
      found ? WinogradLayer::get(*found) : std::nullopt;
  if (!layer || target.winograd == WinogradUse::Off)
    return std::nullopt;
  bool isForced = target.winograd != WinogradUse::Auto;
  WinogradChoice choice = chooseWinograd(*layer, target.unit);
  if (isForced)
    choice.outputs = target.winograd == WinogradUse::Tiles2 ? 2 : 4;
  else
    reason = choice.reason;
  if (choice.outputs == 0)
    return std::nullopt;
  auto blocks = WinogradBlocks::get(*layer, choice.outputs, target.unit);
  if (!blocks)
    return std::nullopt;
  WinogradPlan plan(body, std::move(*found), *layer, *blocks);
  if (!plan.make()) {
    reason = "channels do not lie side by side";
    return std::nullopt;
  }
  // Others would have to be transformed in every run.
  if (!isForced && !plan.weights.readsConstants()) {
    reason = "weights are no constants";
    return std::nullopt;
  }
  std::optional<KernelCode> code = emitPlan(body, target, plan);
  if (code)
    code->outputsOfTile = choice.outputs;
  return code;
}
