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

#include "ColumnPacker.h"
#include "PlanText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

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
  /// Whether a run may have fewer tiles.
  bool isOpen() const {
    return builder.hasLengths(plan.contraction.result.value);
  }
  void store(Value value, Value memory, Value at, int64_t more, int64_t apart) {
    builder.storeFloats(
        value, memory,
        builder.mul(builder.add(at, builder.number(more)), apart));
  }
  Value countAcross(unsigned dim);
  void emitTurn(Value number);
  void emitBlock(Value number, Value chunk, Value wanted);
  Value isBlockNew(Value number, Value chunk);
  Tile findTile(Value number);
  /// Channels that are added to sums at once.
  struct Channels {
    Value first;
    int64_t count;
  };
  /// A tile of columns, and where its sums are.
  struct Columns : ResultTile {
    Value sums;
  };
  /// Which tiles a turn computes: so many of a block but for the first ones,
  /// which another block has, and those columns.
  struct Turn {
    Value first, skipped, count, fromColumn, toColumn;
  };
  void transformBlock(const Turn &turn, const Channels &channels);
  void transformPatch(const Patch &patch, Value row, const Channels &channels);
  Value load(const Patch &patch, Value y, Value x, Value channel,
             unsigned width);
  void forEachChannels(llvm::function_ref<void(const Channels &)> body);
  void forEachColumns(const Turn &turn,
                      llvm::function_ref<void(const Columns &)> body);
  /// Whether sums over channels are added to others.
  bool hasManySums() const { return plan.blocks.perSum != plan.layer.channels; }
  void clearSums(const Columns &columns);
  void addChannels(const Columns &columns, const Channels &channels);
  void formWeights(const Columns &columns, const Channels &channels);
  void addRows(const Columns &columns, const Channels &channels, Value plane,
               Value row, int64_t rows);
  void transformBack(Value row, const Columns &columns);
  void finishTile(const Tile &at, const Columns &columns);
  void finishColumns(const Turn &turn, const Columns &columns);
  void emitKept(const Turn &turn, Value isNew);
  void emitSummed(const Turn &turn);

  KernelBuilder &builder;
  const WinogradPlan &plan;
  const Winograd &winograd;
  int64_t size, outputs;
  unsigned lanes;
  /// Transformed tiles, the sums of planes, a tile between the steps of a
  /// transform, results, and weights that are transformed here.
  Value planes, sums, half, results, formed;
  BlockProduct product;
  /// Tiles of a picture along each dimension, of all, and of the block.
  Value across[2], all, count;
  bool hasCode = true;
};
} // namespace

TileEmitter::TileEmitter(KernelBuilder &builder, const WinogradPlan &plan)
    : builder(builder), plan(plan), winograd(plan.getWinograd()),
      size(winograd.getInputs()), outputs(winograd.getOutputs()),
      lanes(plan.columns.tiles.lanes) {
  int64_t columns = plan.columns.tiles.getColumns();
  int64_t numPlanes = winograd.getNumPlanes();
  planes = builder.allocate(numPlanes * plan.blocks.planeStride);
  sums = builder.allocate(plan.blocks.getKeptFloats());
  half = builder.allocate(numPlanes * lanes);
  results = builder.allocate(outputs * outputs * columns);
  formed = builder.allocate(numPlanes * plan.blocks.formedStride);
  across[0] = countAcross(0);
  across[1] = countAcross(1);
  all = builder.number(plan.blocks.all);
  if (isOpen())
    all = builder.create<arith::MulIOp>(
        builder.mul(across[0], plan.layer.batch), across[1]);
  product = {planes,     formed,           plan.contraction.element,
             lanes,      plan.blocks.step, plan.blocks.numChannels,
             /*apart=*/1};
}

/// Of a run, where that has a length.
Value TileEmitter::countAcross(unsigned dim) {
  constexpr unsigned spatial = 2;
  Value length =
      builder.findLength(plan.contraction.result.value, spatial + dim);
  return length ? builder.divideUp(length, outputs)
                : builder.number(plan.blocks.across[dim]);
}

TileEmitter::Tile TileEmitter::findTile(Value number) {
  Value x = builder.create<arith::RemUIOp>(number, across[1]);
  Value rest = builder.create<arith::DivUIOp>(number, across[1]);
  Value y = builder.create<arith::RemUIOp>(rest, across[0]);
  Value batch = builder.create<arith::DivUIOp>(rest, across[0]);
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
  const WinogradData &data = *plan.data;
  Values loops = {patch.batch, channel, y, x};
  if (data.isInBlocks()) {
    Value length = builder.number(data.space.getExtent(data.getLane()));
    loops[1] = builder.create<arith::RemUIOp>(channel, length);
    loops.insert(loops.begin() + 1,
                 builder.create<arith::DivUIOp>(channel, length));
  }
  Reader::Scope scope = data.reader.getScope();
  llvm::copy(loops, scope.variables.begin());
  scope.lane = data.getLane();
  scope.width = width;
  hasCode = hasCode && data.reader.emit(builder, scope);
  if (!hasCode)
    return builder.constant(getWide(plan.contraction.element, width), 0);
  Value loaded = builder.spread(scope.elements[*data.element], width);
  if (!isInside)
    return loaded;
  return builder.create<arith::SelectOp>(isInside, loaded,
                                         builder.constant(loaded.getType(), 0));
}

/// Columns of the patch first, then its rows.
void TileEmitter::transformPatch(const Patch &patch, Value row,
                                 const Channels &channels) {
  Value start = builder.mul(row, plan.blocks.numChannels);
  Value zero = builder.number(0), end = builder.number(size);
  auto transform = [&](Value number, unsigned width) {
    Value channel = builder.add(channels.first, number);
    builder.loop(zero, end, 1, [&](Value x) {
      Values column;
      for (int64_t y = 0; y < size; ++y)
        column.push_back(load(patch, builder.add(patch.y, builder.number(y)),
                              builder.add(patch.x, x), channel, width));
      for (auto [y, value] :
           llvm::enumerate(winograd.emitData(builder, column)))
        store(value, half, x, int64_t(y) * size, width);
    });
    builder.loop(zero, end, 1, [&](Value y) {
      Values line;
      for (int64_t x = 0; x < size; ++x)
        line.push_back(get(half, builder.mul(y, size), x, width, width));
      Value to = builder.add(builder.add(start, number),
                             builder.mul(y, size * plan.blocks.planeStride));
      for (auto [x, value] : llvm::enumerate(winograd.emitData(builder, line)))
        builder.storeFloats(
            value, planes,
            builder.add(to, builder.number(x * plan.blocks.planeStride)));
    });
  };
  builder.loopInVectors(zero, builder.number(channels.count), lanes, transform);
}

/// All tiles of a block. Only those at a border ask where it is.
void TileEmitter::transformBlock(const Turn &turn, const Channels &channels) {
  builder.loop(builder.number(0), turn.count, 1, [&](Value row) {
    Tile tile = findTile(builder.add(turn.first, row));
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
        isInside, [&] { transformPatch(patch, row, channels); },
        [&] { transformPatch(bounded, row, channels); });
  });
}

/// Those that are summed at once, one after another.
void TileEmitter::forEachChannels(
    llvm::function_ref<void(const Channels &)> body) {
  int64_t all = plan.layer.channels, perSum = plan.blocks.perSum;
  int64_t rest = all % perSum;
  builder.loop(builder.number(0), builder.number(all - rest), perSum,
               [&](Value first) { body({first, perSum}); });
  if (rest != 0)
    body({builder.number(all - rest), rest});
}

/// All columns of a turn.
void TileEmitter::forEachColumns(
    const Turn &turn, llvm::function_ref<void(const Columns &)> body) {
  forEachTile(builder, plan.columns, turn.fromColumn, turn.toColumn,
              [&](const ResultTile &tile) {
                Value number = builder.number(0);
                if (!plan.blocks.keepsData)
                  number =
                      builder.mul(builder.sub(tile.number, turn.fromColumn),
                                  plan.blocks.getSumFloats());
                body({tile, number});
              });
}

void TileEmitter::clearSums(const Columns &columns) {
  if (!hasManySums())
    return;
  Value zero = builder.constant(getWide(plan.contraction.element, lanes), 0);
  Value end = builder.number(winograd.getNumPlanes() * plan.blocks.perBlock *
                             columns.vectors * lanes);
  builder.loop(builder.number(0), end, lanes, [&](Value at) {
    builder.storeFloats(zero, sums, builder.add(columns.sums, at));
  });
}

/// All planes of the weights of those channels.
void TileEmitter::formWeights(const Columns &columns,
                              const Channels &channels) {
  int64_t width = columns.vectors * lanes;
  int64_t channelFloats = Winograd::numTaps * width;
  Value zero = builder.number(0), packed = builder.getOther(0);
  Value start = builder.add(builder.mul(columns.number, plan.getTileFloats()),
                            builder.mul(channels.first, channelFloats));
  builder.loop(zero, builder.number(channels.count), 1, [&](Value channel) {
    Value from = builder.add(start, builder.mul(channel, channelFloats));
    Value to = builder.mul(channel, width);
    // Those of the next ones come while products are made of these.
    Value next =
        builder.add(from, builder.number(plan.blocks.perSum * channelFloats));
    builder.prefetchFloats(packed, next, channelFloats);
    builder.loop(zero, builder.number(width), lanes, [&](Value column) {
      Values taps;
      for (int64_t tap = 0; tap < Winograd::numTaps; ++tap)
        taps.push_back(builder.loadFloats(
            packed,
            builder.add(builder.add(from, column), builder.number(tap * width)),
            lanes));
      for (auto [plane, value] :
           llvm::enumerate(winograd.emitWeights(builder, taps)))
        builder.storeFloats(
            value, formed,
            builder.add(builder.add(to, column),
                        builder.number(plane * plan.blocks.formedStride)));
    });
  });
}

/// Adds the channels' products to the sums of all planes.
void TileEmitter::addChannels(const Columns &columns,
                              const Channels &channels) {
  formWeights(columns, channels);
  int64_t rows = plan.columns.tiles.rows;
  int64_t rest = plan.blocks.perBlock % rows;
  Value zero = builder.number(0);
  Value whole = builder.number(plan.blocks.perBlock - rest);
  Value numPlanes = builder.number(winograd.getNumPlanes());
  // Of a run with few tiles, those that are there and no more than these.
  Value needed = isOpen() ? builder.min(whole, count) : whole;
  builder.loop(zero, numPlanes, 1, [&](Value plane) {
    builder.loop(zero, needed, rows, [&](Value row) {
      addRows(columns, channels, plane, row, rows);
    });
    if (rest != 0)
      addRows(columns, channels, plane, whole, rest);
  });
}

/// The same for some rows of a plane.
void TileEmitter::addRows(const Columns &columns, const Channels &channels,
                          Value plane, Value row, int64_t rows) {
  const WinogradBlocks &blocks = plan.blocks;
  int64_t width = columns.vectors * lanes;
  Value from = builder.add(builder.mul(row, blocks.numChannels),
                           builder.mul(plane, blocks.planeStride));
  if (blocks.keepsData)
    from = builder.add(from, channels.first);
  Value to = builder.add(
      columns.sums, builder.add(builder.mul(plane, blocks.perBlock * width),
                                builder.mul(row, width)));
  BlockProduct::Block at = {from, builder.mul(plane, blocks.formedStride), rows,
                            columns.vectors};
  Values own = product.multiply(builder, at, channels.count,
                                product.getZeros(builder, at));
  for (auto [i, sum] : llvm::enumerate(own)) {
    Value place = builder.add(to, builder.number(int64_t(i) * lanes));
    if (hasManySums())
      sum = builder.create<arith::AddFOp>(
          builder.loadFloats(sums, place, lanes), sum);
    builder.storeFloats(sum, sums, place);
  }
}

/// The results of one tile: rows of the planes first, then columns.
void TileEmitter::transformBack(Value row, const Columns &columns) {
  int64_t width = columns.vectors * lanes;
  int64_t planeFloats = plan.blocks.perBlock * width;
  Value start = builder.add(columns.sums, builder.mul(row, width));
  Value zero = builder.number(0);
  builder.loop(zero, builder.number(width), lanes, [&](Value column) {
    Value own = builder.add(start, column);
    builder.loop(zero, builder.number(size), 1, [&](Value y) {
      Values line;
      Value from = builder.add(own, builder.mul(y, size * planeFloats));
      for (int64_t x = 0; x < size; ++x)
        line.push_back(get(sums, from, x * planeFloats, 1, lanes));
      for (auto [x, value] :
           llvm::enumerate(winograd.emitResults(builder, line)))
        store(value, half, builder.mul(y, outputs), x, lanes);
    });
    builder.loop(zero, builder.number(outputs), 1, [&](Value x) {
      Values line;
      for (int64_t y = 0; y < size; ++y)
        line.push_back(get(half, x, y * outputs, lanes, lanes));
      Value at = builder.add(column, builder.mul(x, width));
      for (auto [y, value] :
           llvm::enumerate(winograd.emitResults(builder, line)))
        builder.storeFloats(
            value, results,
            builder.add(at, builder.number(y * outputs * width)));
    });
  });
}

/// Tiles may end behind the results.
void TileEmitter::finishTile(const Tile &at, const Columns &columns) {
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
      Value place = builder.mul(builder.add(builder.mul(y, outputs), x),
                                columns.vectors * lanes);
      hasCode &= plan.results.emitRow(builder, plan.columns, variables, results,
                                      place, columns);
    });
  });
}

void TileEmitter::finishColumns(const Turn &turn, const Columns &columns) {
  builder.loop(turn.skipped, turn.count, 1, [&](Value row) {
    transformBack(row, columns);
    finishTile(findTile(builder.add(turn.first, row)), columns);
  });
}

/// Data first, where it is not there yet; then columns, each with all channels.
void TileEmitter::emitKept(const Turn &turn, Value isNew) {
  Channels all = {builder.number(0), plan.layer.channels};
  if (isNew)
    builder.choose(isNew, [&] { transformBlock(turn, all); }, [] {});
  else
    transformBlock(turn, all);
  forEachColumns(turn, [&](const Columns &columns) {
    clearSums(columns);
    forEachChannels(
        [&](const Channels &channels) { addChannels(columns, channels); });
    finishColumns(turn, columns);
  });
}

/// Some channels after another, each for all columns.
void TileEmitter::emitSummed(const Turn &turn) {
  forEachColumns(turn, [&](const Columns &columns) { clearSums(columns); });
  forEachChannels([&](const Channels &channels) {
    transformBlock(turn, channels);
    forEachColumns(
        turn, [&](const Columns &columns) { addChannels(columns, channels); });
  });
  forEachColumns(turn,
                 [&](const Columns &columns) { finishColumns(turn, columns); });
}

void TileEmitter::emitTurn(Value number) {
  Value numTurns = builder.number(plan.blocks.numTurns);
  Value chunk = builder.create<arith::RemUIOp>(number, numTurns);
  Value wanted = builder.mul(builder.create<arith::DivUIOp>(number, numTurns),
                             plan.blocks.perBlock);
  if (!isOpen())
    return emitBlock(number, chunk, wanted);
  Value isThere =
      builder.create<arith::CmpIOp>(arith::CmpIPredicate::ult, wanted, all);
  builder.choose(isThere, [&] { emitBlock(number, chunk, wanted); }, [] {});
}

/// A block of tiles and some of the columns. Blocks are of one size: the last
/// one begins earlier, and finishes only what others do not. Of a run there may
/// be fewer tiles than that.
void TileEmitter::emitBlock(Value number, Value chunk, Value wanted) {
  const WinogradBlocks &blocks = plan.blocks;
  Turn turn;
  turn.count = builder.number(blocks.perBlock);
  turn.first = builder.min(wanted, builder.sub(all, turn.count));
  if (isOpen()) {
    turn.first = builder.max(turn.first, builder.number(0));
    turn.count = builder.min(turn.count, builder.sub(all, turn.first));
  }
  turn.skipped = builder.sub(wanted, turn.first);
  count = turn.count;
  turn.fromColumn = builder.mul(chunk, blocks.perTurn);
  turn.toColumn =
      builder.min(builder.number(plan.columns.getNumTiles()),
                  builder.add(turn.fromColumn, builder.number(blocks.perTurn)));
  if (blocks.keepsData)
    emitKept(turn, isBlockNew(number, chunk));
  else
    emitSummed(turn);
}

/// Whether the turn before had other tiles; null where they are always
/// transformed.
Value TileEmitter::isBlockNew(Value number, Value chunk) {
  if (plan.blocks.numTurns == 1)
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
  // Taps of a channel are side by side, as they are transformed.
  Roles roles;
  roles.columns = {WinogradLayer::Column};
  roles.sums = {WinogradLayer::Channel, WinogradLayer::TapY,
                WinogradLayer::TapX};
  ColumnPacker packer(plan.contraction, plan.weights, plan.columns, roles);
  if (!packer.emit(packing) || !TileEmitter(kernel, plan).emit()) {
    packing.discard();
    kernel.discard();
    return std::nullopt;
  }
  const WinogradLayer &layer = plan.layer;
  uint64_t products = Winograd::taps * Winograd::taps * layer.batch *
                      layer.results[0] * layer.results[1] * layer.channels *
                      layer.columns;
  return KernelCode{target.name.str(),
                    body.reads,
                    body.results,
                    plan.getNumTurns(),
                    KernelCode::Packing{
                        packName, packer.getNumTurns(), packer.getNumBytes(),
                        plan.weights.readsConstants(), kernel.getUnusedReads()},
                    plan.blocks.outputs == 2 ? "winograd 2x2" : "winograd 4x4",
                    describe(plan),
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
