//===- WinogradWeights.cpp - Weights of Winograd's products ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

namespace {
/// Taps as they are, in the order in which they are transformed.
class WeightPacker {
public:
  WeightPacker(KernelBuilder &builder, const WinogradPlan &plan)
      : builder(builder), plan(plan) {}

  bool emit();

private:
  void emitTile(Value tile);
  SmallVector<Value> loadTaps(Value channel, Value column);

  KernelBuilder &builder;
  const WinogradPlan &plan;
  bool hasCode = true;
};
} // namespace

/// Row by row.
SmallVector<Value> WeightPacker::loadTaps(Value channel, Value column) {
  SmallVector<Value> taps;
  SmallVector<Value> variables(plan.contraction.extents.size(),
                               builder.number(0));
  variables[WinogradLayer::Channel] = channel;
  variables[WinogradLayer::Column] = column;
  for (int64_t y = 0; y < Winograd::taps; ++y)
    for (int64_t x = 0; x < Winograd::taps; ++x) {
      variables[WinogradLayer::TapY] = builder.number(y);
      variables[WinogradLayer::TapX] = builder.number(x);
      Value tap = plan.weights.emit(builder, variables, ~0u, 1);
      hasCode &= bool(tap);
      taps.push_back(tap);
    }
  return taps;
}

/// For each channel and tap a line of columns; zeros behind the last.
void WeightPacker::emitTile(Value tile) {
  int64_t channels = plan.layer.channels;
  int64_t width = plan.columns.tiles.getColumns();
  Value packed = builder.getOther(0);
  Value start = builder.mul(tile, plan.getTileFloats());
  Value first = builder.mul(tile, width);
  // The last one has only the vectors that it needs.
  int64_t all = llvm::alignTo(plan.columns.count, plan.columns.tiles.lanes);
  Value own = builder.min(builder.number(width),
                          builder.sub(builder.number(all), first));
  Value count =
      builder.min(own, builder.sub(builder.number(plan.columns.count), first));
  builder.loop(
      builder.number(0), builder.number(channels), 1, [&](Value channel) {
        Value line = builder.mul(channel, Winograd::numTaps);
        auto store = [&](Value column, ArrayRef<Value> taps) {
          for (auto [i, tap] : llvm::enumerate(taps)) {
            Value place = builder.create<arith::MulIOp>(
                builder.add(line, builder.number(i)), own);
            builder.storeFloats(tap, packed,
                                builder.add(builder.add(start, place), column));
          }
        };
        builder.loop(builder.number(0), count, 1, [&](Value column) {
          SmallVector<Value> taps =
              loadTaps(channel, builder.add(first, column));
          if (hasCode)
            store(column, taps);
        });
        Value zero = builder.constant(plan.contraction.element, 0);
        builder.loop(count, own, 1, [&](Value column) {
          store(column, SmallVector<Value>(Winograd::numTaps, zero));
        });
      });
}

bool WeightPacker::emit() {
  builder.loop(builder.getBegin(), builder.getEnd(), 1,
               [&](Value tile) { emitTile(tile); });
  return hasCode;
}

bool inlay::emitWinogradWeights(KernelBuilder &builder,
                                const WinogradPlan &plan) {
  return WeightPacker(builder, plan).emit();
}
