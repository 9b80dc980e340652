//===- WinogradMemory.cpp - Weights that have room ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradMemory.h"
#include "WinogradPlan.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/Support/Format.h"

using namespace inlay;
using namespace mlir;

namespace {
/// A convolution, its ways by their bytes, each with more saved for a byte than
/// the one behind it, and the one that it has.
struct Layer {
  Operation *step;
  WinogradChoice choice;
  SmallVector<WinogradWay, 3> ways;
  /// Bytes that the weights of sums over taps take beyond the constants that
  /// they are computed from.
  uint64_t widened;
  size_t taken = 0;

  const WinogradWay &getTaken() const { return ways[taken]; }
  uint64_t getMore() const { return ways[taken + 1].bytes - ways[taken].bytes; }
};

/// The way behind the one that layer `number` has at that time.
struct Raise {
  size_t number;
  double savedPerByte;
};
} // namespace

/// Cycles that a byte saves.
static double getRate(const WinogradWay &from, const WinogradWay &to) {
  return (from.cycles - to.cycles) / double(to.bytes - from.bytes);
}

/// Leaves out what is no faster than one with fewer bytes, or than a mixture of
/// two others.
static void keepBest(SmallVectorImpl<WinogradWay> &ways) {
  llvm::sort(ways, [](const WinogradWay &a, const WinogradWay &b) {
    return a.bytes < b.bytes;
  });
  SmallVector<WinogradWay, 3> kept;
  for (const WinogradWay &way : ways) {
    if (!kept.empty() &&
        (way.cycles >= kept.back().cycles || way.bytes == kept.back().bytes))
      continue;
    while (kept.size() > 1 &&
           getRate(kept.back(), way) >= getRate(kept.end()[-2], kept.back()))
      kept.pop_back();
    kept.push_back(way);
  }
  ways.assign(kept);
}

/// The bytes of the largest constant that a kernel reads.
static uint64_t getStoredBytes(const KernelBody &body) {
  uint64_t bytes = 0;
  for (Value read : body.reads)
    if (getConstantValue(read))
      bytes = std::max(bytes, getByteSize(read.getType()).value_or(0));
  return bytes;
}

/// Nothing where there is no choice.
static std::optional<Layer> getLayer(Operation *step,
                                     const CodeTarget &target) {
  std::optional<KernelBody> body = KernelBody::get(step);
  auto found = body ? Contraction::find(*body) : std::nullopt;
  auto layer = found ? WinogradLayer::get(*found) : std::nullopt;
  if (!layer)
    return std::nullopt;
  Layer result{step, chooseWinograd(*layer, target.unit), {}, 0};
  for (const WinogradWay &way : result.choice.ways) {
    bool isPossible = way.outputs == 0;
    if (auto blocks = isPossible ? std::nullopt
                                 : WinogradBlocks::get(*layer, way.outputs,
                                                       target.unit)) {
      WinogradPlan plan(*body, *found, *layer, *blocks);
      isPossible = plan.make() && plan.weights.readsConstants();
    }
    if (isPossible)
      result.ways.push_back(way);
  }
  uint64_t taps = result.choice.ways.front().bytes;
  result.widened = taps - std::min(taps, getStoredBytes(*body));
  keepBest(result.ways);
  return result.ways.size() > 1 ? std::optional(std::move(result))
                                : std::nullopt;
}

static std::vector<Layer> getLayers(func::FuncOp graph,
                                    const CodeTarget &target) {
  std::vector<Layer> layers;
  graph.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto layer = getLayer(op, target))
      layers.push_back(std::move(*layer));
    return isa<GroupOp, InLayoutOp>(op) ? WalkResult::skip()
                                        : WalkResult::advance();
  });
  return layers;
}

/// Gives the memory to who saves most for a byte, until nobody fits.
static void spend(std::vector<Layer> &layers, uint64_t bytes) {
  for (const Layer &layer : layers)
    bytes -= std::min(bytes, layer.widened);
  std::vector<Raise> raises;
  for (auto [number, layer] : llvm::enumerate(layers))
    for (size_t way = 1; way < layer.ways.size(); ++way)
      raises.push_back({number, getRate(layer.ways[way - 1], layer.ways[way])});
  llvm::sort(raises, [](const Raise &a, const Raise &b) {
    return std::pair(-a.savedPerByte, a.number) <
           std::pair(-b.savedPerByte, b.number);
  });
  // The ways of a layer come in their order.
  std::vector<bool> isDone(layers.size());
  for (const Raise &raise : raises) {
    Layer &layer = layers[raise.number];
    if (isDone[raise.number] || layer.getMore() > bytes) {
      isDone[raise.number] = true;
      continue;
    }
    bytes -= layer.getMore();
    ++layer.taken;
  }
}

static WinogradLimit getLimit(const Layer &layer) {
  uint64_t more = layer.ways.back().bytes - layer.getTaken().bytes;
  std::string reason = layer.choice.reason;
  // What is fastest of all may be no way of this layer.
  if (more)
    llvm::raw_string_ostream(reason)
        << llvm::format("; %.1f MB more are not to be had", double(more) / 1e6);
  return {layer.getTaken().outputs == 2 ? WinogradUse::Tiles2
                                        : WinogradUse::Off,
          std::move(reason)};
}

llvm::DenseMap<Operation *, WinogradLimit>
inlay::limitWinograd(func::FuncOp graph, const CodeTarget &target,
                     uint64_t bytes) {
  llvm::DenseMap<Operation *, WinogradLimit> limits;
  if (target.choices.winograd != WinogradUse::Auto)
    return limits;
  std::vector<Layer> layers = getLayers(graph, target);
  spend(layers, bytes);
  for (const Layer &layer : layers)
    if (layer.getTaken().outputs != layer.choice.outputs)
      limits.try_emplace(layer.step, getLimit(layer));
  return limits;
}
