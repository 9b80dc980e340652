//===- WinogradPlan.cpp - How a convolution saves products ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradPlan.h"
#include "llvm/Support/Format.h"

using namespace inlay;
using namespace mlir;

/// Floats of memory of its own that a kernel has.
static constexpr int64_t maxFloats = 64 * 1024;
/// Planes are this much farther apart than they are long: those of a power of
/// two would all fall into the same places of the cache.
static constexpr int64_t gap = 16;
/// Turns that a kernel has at least, where it can, so that threads have some.
static constexpr int64_t minTurns = 8;
/// The largest error relative to the range that is expected of a layer.
static constexpr double maxError = 5e-6;
static constexpr int64_t minScatteredChannels = 256;

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

/// Whether data is read along a dimension by a window of three places side by
/// side that moves one by one.
static bool isPlain(const Contraction &contraction, unsigned dim, unsigned at,
                    unsigned tap) {
  const Linear &place = contraction.a.index[dim];
  return contraction.extents[tap] == Winograd::taps &&
         place.getFactor(tap) == 1 &&
         (contraction.extents[at] == 1 || place.getFactor(at) == 1);
}

std::optional<WinogradLayer>
WinogradLayer::get(const Contraction &contraction) {
  bool isConv = contraction.result.value.getDefiningOp<ConvOp>() &&
                contraction.a.index.size() == 4;
  if (!isConv || contraction.extents[Group] != 1 ||
      contraction.extents[Column] == 1 || !isPlain(contraction, 2, Y, TapY) ||
      !isPlain(contraction, 3, X, TapX))
    return std::nullopt;
  const Extents &extents = contraction.extents;
  ArrayRef<int64_t> data = getExtents(contraction.a.value);
  const LoopIndex &index = contraction.a.index;
  return WinogradLayer{
      extents[Batch],           extents[Channel],
      extents[Column],          {data[2], data[3]},
      {extents[Y], extents[X]}, {-index[2].constant, -index[3].constant}};
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// Estimates how long blocks take, in cycles.
class BlockModel {
public:
  BlockModel(const WinogradLayer &layer, int64_t outputs,
             const VectorUnit &unit)
      : layer(layer), winograd(Winograd::get(outputs)), unit(unit),
        step(getRowStep(unit, /*isDense=*/true)) {}

  /// How blocks of at most `count` tiles are computed; nothing where they have
  /// no room.
  std::optional<WinogradBlocks> getBlocks(int64_t count, bool keepsData) const;

private:
  Tiles getTiles(int64_t perBlock) const;
  bool cutColumns(WinogradBlocks &blocks) const;
  double getProductCycles(const WinogradBlocks &blocks) const;
  double getFormingCycles(const WinogradBlocks &blocks) const;
  double getTransformCycles(const WinogradBlocks &blocks) const;

  const WinogradLayer &layer;
  const Winograd &winograd;
  const VectorUnit &unit;
  int64_t step;
};
} // namespace

/// Vectors of `count` elements; what is left over is computed one by one.
static int64_t countVectors(int64_t count, const VectorUnit &unit) {
  return count / unit.lanes + count % unit.lanes;
}

Tiles BlockModel::getTiles(int64_t perBlock) const {
  int64_t vectors = step == 1 ? 2 : 4;
  int64_t most = std::min(getMaxRows(unit, vectors, step), perBlock);
  // All of about the same size.
  int64_t rows = llvm::divideCeil(perBlock, llvm::divideCeil(perBlock, most));
  return {rows, vectors, unit.lanes};
}

/// As many tiles of columns in a turn as have room and leave turns to threads;
/// false where there is no room for one. There are fewer turns where each
/// transforms data.
bool BlockModel::cutColumns(WinogradBlocks &blocks) const {
  int64_t planes = winograd.getNumPlanes();
  int64_t columns = blocks.tiles.getColumns();
  int64_t results = winograd.getOutputs() * winograd.getOutputs() * columns;
  int64_t room = maxFloats - results - planes * unit.lanes -
                 planes * (blocks.planeStride + blocks.formedStride);
  int64_t most = std::max<int64_t>(room, 0) / blocks.getSumFloats();
  int64_t all = llvm::divideCeil(layer.columns, columns);
  int64_t wanted = blocks.keepsData ? minTurns : minTurns / 2;
  int64_t turns = std::min<int64_t>(
      llvm::divideCeil(wanted, std::min(blocks.getNumBlocks(), wanted)), all);
  blocks.perTurn = llvm::divideCeil(all, turns);
  if (!blocks.keepsData)
    blocks.perTurn = std::min(blocks.perTurn, most);
  if (most == 0)
    return false;
  blocks.numTurns = llvm::divideCeil(all, blocks.perTurn);
  return true;
}

/// Products, or the weights' way from memory where they take longer.
double BlockModel::getProductCycles(const WinogradBlocks &blocks) const {
  const Tiles &tiles = blocks.tiles;
  int64_t rows = llvm::alignTo(blocks.perBlock, tiles.rows);
  double pairs =
      double(layer.channels) * llvm::alignTo(layer.columns, tiles.lanes);
  double products =
      rows * pairs * winograd.getNumPlanes() / (tiles.lanes * unit.products);
  double loads = pairs * Winograd::numTaps * sizeof(float) / unit.streamedBytes;
  return blocks.getNumBlocks() * std::max(products, loads);
}

/// Each plane is two sums and stored, and loaded from the second cache; sums
/// over channels are loaded and stored each time.
double BlockModel::getFormingCycles(const WinogradBlocks &blocks) const {
  double vectors = llvm::divideCeil(layer.columns, unit.lanes);
  double perChannel = 1 / unit.stores + 2 / unit.products +
                      double(unit.lanes * sizeof(float)) / unit.cachedBytes;
  double numSums = double(llvm::divideCeil(layer.channels, blocks.perSum) - 1) *
                   blocks.perBlock;
  double perPlane = layer.channels * perChannel + numSums / unit.stores;
  return blocks.getNumBlocks() * winograd.getNumPlanes() * vectors * perPlane;
}

/// Transforms in two steps with memory between them: mostly stores.
double BlockModel::getTransformCycles(const WinogradBlocks &blocks) const {
  int64_t size = winograd.getInputs(), outputs = winograd.getOutputs();
  auto getCycles = [&](int64_t stores, int64_t sums) {
    return double(stores) / unit.stores + double(sums) / unit.products;
  };
  double data = getCycles(2 * size * size, 5 * size * size);
  double results = getCycles(size * size + outputs * size + outputs * outputs,
                             3 * outputs * (size + outputs));
  if (!blocks.keepsData)
    data *= blocks.numTurns;
  return double(blocks.all) * (data * countVectors(layer.channels, unit) +
                               results * countVectors(layer.columns, unit));
}

std::optional<WinogradBlocks> BlockModel::getBlocks(int64_t count,
                                                    bool keepsData) const {
  WinogradBlocks blocks = {};
  blocks.outputs = winograd.getOutputs();
  blocks.step = step;
  blocks.keepsData = keepsData;
  blocks.all = layer.batch;
  for (unsigned dim : {0, 1}) {
    blocks.across[dim] =
        llvm::divideCeil(layer.results[dim], winograd.getOutputs());
    blocks.all *= blocks.across[dim];
  }
  count = std::min(count, blocks.all);
  blocks.perBlock =
      llvm::divideCeil(blocks.all, llvm::divideCeil(blocks.all, count));
  blocks.tiles = getTiles(blocks.perBlock);
  blocks.perSum = Winograd::getPerSum(layer.channels);
  blocks.numChannels = keepsData ? layer.channels : blocks.perSum;
  blocks.planeStride = blocks.perBlock * blocks.numChannels + gap;
  blocks.formedStride = blocks.perSum * blocks.tiles.getColumns() + gap;
  if (!cutColumns(blocks))
    return std::nullopt;
  blocks.cycles = getProductCycles(blocks) + getFormingCycles(blocks) +
                  getTransformCycles(blocks);
  return blocks;
}

std::optional<WinogradBlocks> WinogradBlocks::get(const WinogradLayer &layer,
                                                  int64_t outputs,
                                                  const VectorUnit &unit) {
  BlockModel model(layer, outputs, unit);
  std::optional<WinogradBlocks> best;
  for (bool keepsData : {true, false})
    for (int64_t count = 1;; ++count) {
      auto own = model.getBlocks(count, keepsData);
      if (!own)
        break;
      // Weights are read less often by larger ones.
      if (!best || own->cycles <= best->cycles)
        best = own;
      if (count >= own->all)
        break;
    }
  return best;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Cycles of sums over taps, at best.
static double getDirectCycles(const WinogradLayer &layer,
                              const VectorUnit &unit) {
  double rows = double(layer.batch) * layer.results[0] * layer.results[1];
  double vectors = llvm::divideCeil(layer.columns, unit.lanes);
  return rows * Winograd::taps * Winograd::taps * layer.channels * vectors /
         unit.products;
}

static std::string nameSize(int64_t outputs) {
  return "F(" + std::to_string(outputs) + "x" + std::to_string(outputs) + ")";
}

WinogradChoice inlay::chooseWinograd(const WinogradLayer &layer,
                                     const VectorUnit &unit) {
  double direct = getDirectCycles(layer, unit), least = direct;
  WinogradChoice choice;
  llvm::raw_string_ostream stream(choice.reason);
  for (int64_t outputs : {4, 2}) {
    stream << (choice.reason.empty() ? "" : ", ") << nameSize(outputs) << " ";
    auto blocks = WinogradBlocks::get(layer, outputs, unit);
    double error = Winograd::get(outputs).estimateError(layer.channels);
    if (!blocks) {
      stream << "has no room";
      continue;
    }
    if (error > maxError) {
      stream << llvm::format("loses %.0e of the range", error);
      continue;
    }
    stream << llvm::format("%.2f", blocks->cycles / direct);
    if (blocks->cycles >= least)
      continue;
    least = blocks->cycles;
    choice.outputs = outputs;
  }
  return choice;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

WinogradData::WinogradData(const KernelBody &body, Value value,
                           const LoopPlan &loops)
    : space(loops), reader(body, space) {
  element = reader.want(value, space.getIndex());
}

bool WinogradData::areChannelsDense(unsigned lanes) const {
  return element && reader.allowsVectors(getLane()) &&
         (!isInBlocks() || space.getExtent(getLane()) % lanes == 0) &&
         llvm::all_of(reader.getForms(), [&](const Linear *form) {
           return std::abs(space.getStep(*form, getLane())) <= 1;
         });
}

WinogradPlan::WinogradPlan(const KernelBody &body, Contraction found,
                           const WinogradLayer &layer,
                           const WinogradBlocks &blocks)
    : contraction(std::move(found)), layer(layer), blocks(blocks),
      space(LoopPlan::get(contraction.extents)),
      results(body, contraction, space), weights(body, contraction),
      body(body) {}

/// Channels are one loop, or, where they have been put together, two.
bool WinogradPlan::planData() {
  Value value = contraction.a.value;
  LoopPlan loops = LoopPlan::get(getExtents(value));
  data = std::make_unique<WinogradData>(body, value, loops);
  if (data->areChannelsDense(blocks.tiles.lanes))
    return true;
  std::optional<LoopPlan> inBlocks =
      data->space.getPlanOfBlocks(blocks.tiles.lanes);
  if (!inBlocks || inBlocks->dims[1].size() != 2)
    return false;
  data = std::make_unique<WinogradData>(body, value, *inBlocks);
  return data->areChannelsDense(blocks.tiles.lanes);
}

/// Vectors are of channels that lie side by side in front, and behind but where
/// sums over them take much longer than to write results alone.
bool WinogradPlan::make() {
  if (!results.plan() || !weights.plan(contraction.b) || !planData())
    return false;
  columns.lane = WinogradLayer::Column;
  columns.count = layer.columns;
  columns.tiles = blocks.tiles;
  results.align(columns);
  return columns.areVectors && (results.getStride(WinogradLayer::Column) == 1 ||
                                layer.channels >= minScatteredChannels);
}
