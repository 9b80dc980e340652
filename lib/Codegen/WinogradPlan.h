//===- WinogradPlan.h - How a convolution saves products --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a convolution is computed by Winograd's products, of which size, and
// how many tiles are in memory at once.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_WINOGRADPLAN_H
#define INLAY_LIB_CODEGEN_WINOGRADPLAN_H

#include "PackedOperand.h"
#include "ProductResults.h"
#include "Templates.h"
#include "Winograd.h"

namespace inlay {

/// A convolution of 3 x 3 taps, stride 1, dilation 1 and one group.
struct WinogradLayer {
  /// Dimensions of the contraction.
  enum Dim : unsigned { Batch, Group, Column, Y, X, Channel, TapY, TapX };

  int64_t batch, channels, columns;
  /// Extents of data and results along both dimensions, and zeros in front of
  /// the data.
  int64_t data[2], results[2], pads[2];

  /// Nothing where a contraction is no such convolution.
  static std::optional<WinogradLayer> get(const Contraction &contraction);
};

/// How many tiles are computed at once, and what that takes.
struct WinogradBlocks {
  int64_t outputs;
  /// Tiles of a picture along each dimension, of all, and of a block.
  int64_t across[2], all, perBlock;
  Tiles tiles;
  /// Whether the data of a block is transformed once and kept for all columns;
  /// else some channels are for those of a turn, whose sums are kept.
  bool keepsData;
  /// Tiles of columns of a turn, and how often the outermost loop turns for a
  /// block of tiles.
  int64_t perTurn, numTurns;
  /// Elements of a row that are loaded at once.
  int64_t step;
  /// Channels that are summed at once, and of the data that are in memory.
  int64_t perSum, numChannels;
  /// Where the next plane of transformed data begins, and that of weights.
  int64_t planeStride, formedStride;
  /// About how long it takes.
  double cycles;

  int64_t getNumBlocks() const { return llvm::divideCeil(all, perBlock); }

  const Winograd &getWinograd() const { return Winograd::get(outputs); }
  /// Floats of the sums of a tile of columns, and of all that are kept.
  int64_t getSumFloats() const {
    return getWinograd().getNumPlanes() * perBlock * tiles.getColumns();
  }
  int64_t getKeptFloats() const {
    return getSumFloats() * (keepsData ? 1 : perTurn);
  }

  /// Nothing where not even one tile has room.
  static std::optional<WinogradBlocks>
  get(const WinogradLayer &layer, int64_t outputs, const VectorUnit &unit);
};

/// How data is read: by its own dimensions.
struct WinogradData {
  WinogradData(const KernelBody &body, mlir::Value value,
               const LoopPlan &loops);

  /// The loop over channels, or over those of a block where a tensor has been
  /// put together from such blocks.
  unsigned getLane() const { return isInBlocks() ? 2 : 1; }
  bool isInBlocks() const { return space.getNumLoops() == 5; }
  /// Whether channels can be read as vectors, which begin at multiples of their
  /// length.
  bool areChannelsDense(unsigned lanes) const;

  LoopSpace space;
  Reader reader;
  std::optional<unsigned> element;
};

/// All that is decided before code is made.
class WinogradPlan {
public:
  WinogradPlan(const KernelBody &body, Contraction found,
               const WinogradLayer &layer, const WinogradBlocks &blocks);
  WinogradPlan(const WinogradPlan &) = delete;

  /// False where another way has to be found.
  bool make();

  const Winograd &getWinograd() const { return blocks.getWinograd(); }
  /// Turns of the outermost loop.
  int64_t getNumTurns() const {
    return blocks.getNumBlocks() * blocks.numTurns;
  }
  /// Floats of the weights of a tile of columns.
  int64_t getTileFloats() const {
    return Winograd::numTaps * layer.channels * blocks.tiles.getColumns();
  }

  Contraction contraction;
  WinogradLayer layer;
  WinogradBlocks blocks;
  LoopSpace space;
  ProductResults results;
  ResultColumns columns;
  PackedOperand weights;
  std::unique_ptr<WinogradData> data;

private:
  bool planData();

  const KernelBody &body;
};

/// Of the ways to compute a convolution that are exact enough the fastest, by
/// the model.
struct WinogradChoice {
  /// Outputs of a tile along a dimension; 0 for a sum over taps.
  int64_t outputs = 0;
  /// Why.
  std::string reason;
};
WinogradChoice chooseWinograd(const WinogradLayer &layer,
                              const VectorUnit &unit);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_WINOGRADPLAN_H
