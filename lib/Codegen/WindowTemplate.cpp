//===- WindowTemplate.cpp - Windows over one channel ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over the results' elements, and inside of them over the taps of the
// window that lie in the input. Vectors lie along the loop along which elements
// lie side by side, channels or the last spatial dimension. That dimension is
// walked in three parts, so that in the middle no window ends at a border.
//
// Where vectors lie along channels, the middle of a convolution is computed in
// blocks: several neighbours at once, which share weights and most of what they
// read. Weights are packed for that. Every result is one chain of products in
// the order of the taps, whatever the block.
//
//===----------------------------------------------------------------------===//

#include "OpenDims.h"
#include "Reductions.h"
#include "Templates.h"
#include "WindowPlan.h"
#include "WindowWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <map>

using namespace inlay;
using namespace mlir;

/// Taps of the last dimension that are written one after another, at most.
static constexpr int64_t maxUnrolled = 16;
/// Elements at once, where there are as many.
static constexpr unsigned minWidth = 16;
/// Neighbours of a block, and elements of each of them: sums that fit into
/// registers beside the weights of a line.
static constexpr unsigned numNeighbours = 4;
static constexpr int64_t maxNarrow = 3;
/// Bytes of packed weights that stay in the first cache beside what they are
/// multiplied with, and channels that are walked over the whole picture so that
/// they do, at most.
static constexpr int64_t maxNearWeights = 16 * 1024, maxNearChannels = 128;
/// Windows at each border for which code of their own is made.
static constexpr int64_t maxBorder = 4;

namespace {
/// What is computed at once: neighbours along the last dimension, and of each
/// of them as many vectors of `width`.
struct Block {
  unsigned neighbours = 1, pieces = 1, width = 1;
};

class WindowEmitter {
public:
  WindowEmitter(KernelBuilder &builder, const Window &window,
                const WindowPlan &plan, unsigned lanes)
      : builder(builder), window(window), plan(plan), lanes(lanes),
        reduction(Reduction::getWindow(window.op)) {}

  bool emit();
  /// Taps, and what is computed at once where there is enough: neighbours and
  /// elements.
  std::string describe() const;

private:
  /// Taps of one dimension that lie in the input; numbers where that is known.
  struct Taps {
    Value from, to;
    std::optional<LoopRange> fixed = {};
  };
  using Sums = SmallVector<Value>;
  using Scopes = SmallVector<Reader::Scope>;

  // Loops over results.
  void emitLoops(size_t depth);
  std::pair<Value, Value> getTurns(size_t depth);
  Value endAtLength(Value end);
  void emitLast(size_t depth, Value from, Value to);
  void emitBorder(size_t depth, LoopRange columns);
  void emitColumns(size_t depth, Value from, Value to);
  void emitNext(size_t depth, unsigned neighbours, unsigned width);
  void emitLane(Value from, Value to, unsigned neighbours);
  LoopRange getMiddle() const;
  unsigned getWidth() const;
  bool isBlocked() const {
    return plan.packsWeights && plan.last != ~0u &&
           window.dims.back().kernel <= maxUnrolled;
  }
  /// Whether the middle is computed by several neighbours at once, depth being
  /// that of the last dimension.
  bool hasNeighbours(size_t depth) const {
    return isBlocked() && plan.loops.back() == plan.lane &&
           depth + 2 == plan.loops.size();
  }
  Block getLaneBlock(unsigned neighbours) const;
  int64_t getNearChannels() const;
  bool walksFewChannels() const {
    return plan.lane != ~0u &&
           getNearChannels() != plan.space.getCount(plan.lane);
  }
  void emitAll();

  // One block.
  void emitBlock(const Block &block);
  Reader::Scope getScope(const Reader &reader, const Block &block,
                         unsigned neighbour, unsigned piece);
  void emitResult(const Block &block, unsigned neighbour,
                  ArrayRef<Value> pieces, ArrayRef<Taps> taps);

  // Its taps.
  Taps getTaps(size_t dim, const Reader::Scope &scope);
  Value getEnd(size_t dim, Value start, Value input);
  Sums emitTaps(size_t dim, ArrayRef<Taps> taps, const Block &block,
                Scopes scopes, ValueRange sums);
  Sums emitLine(LoopRange taps, const Block &block, const Scopes &scopes,
                ValueRange sums);
  Value emitElement(Reader::Scope &scope);
  Value emitWeight(const Reader::Scope &scope);
  Value combine(Value sum, Value element, const Reader::Scope &scope,
                Value weight);
  Value finish(Value sum, ArrayRef<Taps> taps, const Reader::Scope &scope);
  Value countTaps(ArrayRef<Taps> taps, const Reader::Scope &scope);

  KernelBuilder &builder;
  const Window &window;
  const WindowPlan &plan;
  unsigned lanes;
  Reduction reduction;
  SmallVector<Value> counts;
  /// The channels that are walked over the picture, where these are not all.
  Value firstChannel;
  /// Of the last dimension, if they are the same for all that is written: the
  /// taps that lie in the input.
  std::optional<LoopRange> lastTaps;
  bool hasCode = true;
};
} // namespace

/// Where all taps of the last dimension lie in the input; empty where nowhere.
LoopRange WindowEmitter::getMiddle() const {
  const WindowDim &dim = window.dims.back();
  int64_t low = llvm::divideCeilSigned(dim.begin, dim.stride);
  int64_t high = llvm::divideFloorSigned(
      dim.input - 1 - dim.getReach() + dim.begin, dim.stride);
  low = std::max<int64_t>(low, 0);
  high = std::min(high, plan.space.getExtent(plan.last) - 1);
  return high < low ? LoopRange{0, -1} : LoopRange{low, high};
}

/// Several vectors at once where there are enough: sums of one wait for each
/// other.
unsigned WindowEmitter::getWidth() const {
  unsigned width = std::max(2 * lanes, minWidth);
  while (width > plan.space.getCount(plan.lane))
    width /= 2;
  return std::max(width, 1u);
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

/// One behind the last tap in front of `input`.
Value WindowEmitter::getEnd(size_t number, Value start, Value input) {
  const WindowDim &dim = window.dims[number];
  Value room = builder.max(builder.sub(input, start), builder.number(0));
  Value end = builder.create<arith::DivUIOp>(
      builder.add(room, builder.number(dim.dilation - 1)),
      builder.number(dim.dilation));
  return builder.min(end, builder.number(dim.kernel));
}

WindowEmitter::Taps WindowEmitter::getTaps(size_t number,
                                           const Reader::Scope &scope) {
  const WindowDim &dim = window.dims[number];
  LoopRange range = plan.space.getRange(plan.starts[number]);
  std::optional<LoopRange> fixed;
  bool isLast = number + 1 == window.dims.size();
  if (isLast)
    fixed = lastTaps;
  // Those of the last one find what is behind the length of a run.
  Value length =
      isLast ? Value() : builder.findLength(window.input, number + 2);
  if (!length && range.low >= 0 && range.high + dim.getReach() < dim.input)
    fixed = {0, dim.kernel - 1};
  if (fixed)
    return {builder.number(fixed->low), builder.number(fixed->high + 1), fixed};
  Value start = plan.taps.emit(builder, scope, plan.starts[number]);
  Value before =
      builder.max(builder.sub(builder.number(0), start), builder.number(0));
  Value from = builder.create<arith::DivUIOp>(
      builder.add(before, builder.number(dim.dilation - 1)),
      builder.number(dim.dilation));
  Value input = length ? length : builder.number(dim.input);
  return {from, builder.max(from, getEnd(number, start, input))};
}

Value WindowEmitter::emitElement(Reader::Scope &scope) {
  hasCode = hasCode && plan.taps.emit(builder, scope);
  if (!hasCode)
    return {};
  return builder.spread(scope.elements[plan.element], scope.width);
}

/// Of a tap, from where it was packed.
Value WindowEmitter::emitWeight(const Reader::Scope &scope) {
  Value tap = builder.number(0);
  for (auto [loop, dim] : llvm::zip_equal(plan.tapLoops, window.dims))
    tap = builder.add(builder.mul(tap, dim.kernel), scope.variables[loop]);
  Value place = builder.add(builder.mul(tap, window.getNumChannels()),
                            plan.taps.emit(builder, scope, plan.channel));
  Type element = getElementTypeOrSelf(window.getResult().getType());
  return builder.loadFloats(builder.getOther(0), place, scope.width,
                            getRegisterType(element));
}

Value WindowEmitter::combine(Value sum, Value element,
                             const Reader::Scope &scope, Value weight) {
  if (!window.weight)
    return reduction.combine(builder, sum, element).front();
  if (!weight)
    weight = builder.spread(scope.elements[plan.weight], scope.width);
  return builder.multiplyAdd(element, weight, sum);
}

/// The taps of the last dimension one after another. What several neighbours
/// read is read once.
WindowEmitter::Sums WindowEmitter::emitLine(LoopRange taps, const Block &block,
                                            const Scopes &scopes,
                                            ValueRange before) {
  const WindowDim &dim = window.dims.back();
  unsigned tapLoop = plan.tapLoops.back();
  Sums sums(before);
  for (unsigned piece = 0; piece < block.pieces; ++piece) {
    std::map<int64_t, Value> elements;
    SmallVector<Value> weights(dim.kernel);
    // In the order of places, so that an element is used up before the next
    // one: each neighbour still sees its taps in their order.
    SmallVector<std::tuple<int64_t, unsigned, int64_t>> uses;
    for (unsigned own = 0; own < block.neighbours; ++own)
      for (int64_t tap = taps.low; tap <= taps.high; ++tap)
        uses.push_back({own * dim.stride + tap * dim.dilation, own, tap});
    llvm::sort(uses);
    for (auto [place, neighbour, tap] : uses) {
      Reader::Scope scope = scopes[piece];
      scope.variables[tapLoop] = builder.number(tap);
      if (block.neighbours > 1)
        scope.variables[plan.last] =
            builder.add(counts[plan.last], builder.number(neighbour));
      if (plan.packsWeights && !weights[tap])
        weights[tap] = emitWeight(scope);
      Value &element = elements[place];
      if (!element || !plan.packsWeights)
        element = emitElement(scope);
      if (!hasCode)
        return sums;
      Value &sum = sums[neighbour * block.pieces + piece];
      sum = combine(sum, element, scope, weights[tap]);
    }
  }
  return sums;
}

WindowEmitter::Sums WindowEmitter::emitTaps(size_t dim, ArrayRef<Taps> taps,
                                            const Block &block, Scopes scopes,
                                            ValueRange sums) {
  bool isLast = dim + 1 == taps.size();
  const std::optional<LoopRange> &fixed = taps[dim].fixed;
  if (isLast && fixed && fixed->high - fixed->low < maxUnrolled)
    return emitLine(*fixed, block, scopes, sums);
  unsigned loop = plan.tapLoops[dim];
  return Sums(builder.loop(
      taps[dim].from, taps[dim].to, 1, sums,
      [&](Value count, ValueRange carried) {
        Scopes inner = scopes;
        for (Reader::Scope &scope : inner)
          scope.variables[loop] = count;
        if (!isLast)
          return emitTaps(dim + 1, taps, block, inner, carried);
        Sums own(carried);
        for (auto [scope, sum] : llvm::zip_equal(inner, own)) {
          Value weight = plan.packsWeights ? emitWeight(scope) : Value();
          if (Value element = emitElement(scope))
            sum = combine(sum, element, scope, weight);
        }
        return own;
      }));
}

/// What a mean divides by.
Value WindowEmitter::countTaps(ArrayRef<Taps> taps,
                               const Reader::Scope &scope) {
  Value count = builder.number(1);
  for (auto [i, own] : llvm::enumerate(taps)) {
    const WindowDim &dim = window.dims[i];
    Value here = builder.sub(own.to, own.from);
    bool isFull =
        own.fixed && own.fixed->high - own.fixed->low + 1 == dim.kernel;
    if (window.countsPads && !isFull) {
      Value start = plan.taps.emit(builder, scope, plan.starts[i]);
      here = getEnd(i, start, builder.number(dim.input + dim.end));
    }
    count = builder.create<arith::MulIOp>(count, here);
  }
  return count;
}

/// The mean of nothing is zero.
Value WindowEmitter::finish(Value sum, ArrayRef<Taps> taps,
                            const Reader::Scope &scope) {
  if (!window.isAverage)
    return reduction.finish(builder, sum);
  Type type = getElementTypeOrSelf(sum.getType());
  Value count = builder.max(countTaps(taps, scope), builder.number(1));
  Value number = builder.create<arith::SIToFPOp>(type, count);
  Value mean =
      builder.create<arith::DivFOp>(sum, builder.spread(number, scope.width));
  return reduction.finish(builder, mean);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Reader::Scope WindowEmitter::getScope(const Reader &reader, const Block &block,
                                      unsigned neighbour, unsigned piece) {
  Reader::Scope scope = reader.getScope();
  for (unsigned loop : plan.loops)
    scope.variables[loop] = counts[loop];
  if (neighbour != 0)
    scope.variables[plan.last] =
        builder.add(counts[plan.last], builder.number(neighbour));
  if (piece != 0)
    scope.variables[plan.lane] =
        builder.add(counts[plan.lane], builder.number(piece * block.width));
  scope.lane = plan.lane;
  scope.width = block.width;
  return scope;
}

/// All pieces at once: what follows a sum is a chain, and chains of one vector
/// each wait for themselves.
void WindowEmitter::emitResult(const Block &block, unsigned neighbour,
                               ArrayRef<Value> pieces, ArrayRef<Taps> taps) {
  Block whole = {1, 1, block.pieces * block.width};
  Reader::Scope scope = getScope(plan.taps, whole, neighbour, 0);
  Reader::Scope results =
      getScope(plan.epilogue.getReader(), whole, neighbour, 0);
  results.elements[0] = finish(builder.join(pieces), taps, scope);
  hasCode = hasCode && plan.epilogue.emit(builder, results);
}

void WindowEmitter::emitBlock(const Block &block) {
  // What differs between neighbours is read where it is needed: which of them
  // it is stays open, also for what is computed of that.
  SmallVector<unsigned> inner(plan.tapLoops);
  if (block.neighbours > 1)
    inner.push_back(plan.last);
  Scopes scopes;
  for (unsigned piece = 0; piece < block.pieces; ++piece) {
    scopes.push_back(getScope(plan.taps, block, 0, piece));
    if (block.neighbours > 1)
      scopes.back().variables[plan.last] = {};
    hasCode = hasCode && plan.taps.emit(builder, scopes.back(), inner);
  }
  if (!hasCode)
    return;
  SmallVector<Taps> taps;
  for (size_t dim = 0; dim < window.dims.size(); ++dim)
    taps.push_back(getTaps(dim, scopes.front()));
  Sums sums;
  for (unsigned i = 0; i < block.neighbours; ++i)
    for (const Reader::Scope &scope : scopes)
      sums.push_back(
          window.bias ? builder.spread(scope.elements[plan.bias], block.width)
                      : reduction.getNeutral(builder, block.width).front());
  sums = emitTaps(0, taps, block, scopes, sums);
  if (!hasCode)
    return;
  for (unsigned i = 0; i < block.neighbours; ++i)
    emitResult(block, i, ArrayRef(sums).slice(i * block.pieces, block.pieces),
               taps);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The largest block along channels.
auto WindowEmitter::getLaneBlock(unsigned neighbours) const -> Block {
  unsigned width = getWidth();
  if (!isBlocked() || width <= lanes)
    return {neighbours, 1, width};
  unsigned pieces = window.dims.back().kernel <= maxNarrow ? width / lanes : 2;
  return {neighbours, pieces, lanes};
}

/// Channels that are walked over the whole picture before the next ones: all,
/// or so few that their weights stay near.
int64_t WindowEmitter::getNearChannels() const {
  int64_t count = plan.space.getCount(plan.lane),
          most =
              maxNearWeights / (window.getNumTaps() * int64_t(sizeof(float))),
          step = getLaneBlock(numNeighbours).pieces * lanes;
  if (!isBlocked() || plan.loops.back() != plan.lane || plan.loops.size() < 2 ||
      count <= most)
    return count;
  most = std::min(most, maxNearChannels);
  for (int64_t own = most - most % step; own > 0; own -= step)
    if (count % own == 0)
      return own;
  return count;
}

/// Vectors along channels: several at once, then one, then narrower ones, then
/// single elements.
void WindowEmitter::emitLane(Value from, Value to, unsigned neighbours) {
  Block most = getLaneBlock(neighbours);
  unsigned width = most.width;
  auto emitFrom = [&](Value start, Block block) {
    unsigned step = block.pieces * block.width;
    Value end = step == 1 ? to : builder.getLastVector(start, to, step);
    if (hasCode && !KernelBuilder::areEqual(start, end))
      builder.loop(start, end, step, [&](Value count) {
        counts[plan.lane] =
            firstChannel ? builder.add(firstChannel, count) : count;
        if (hasCode)
          emitBlock(block);
      });
    return end;
  };
  if (most.pieces > 1 || width > lanes)
    from = emitFrom(from, most);
  for (unsigned own = std::min(width, lanes); own > 1;
       own = KernelBuilder::getNarrower(from, to, own))
    from = emitFrom(from, {neighbours, 1, own});
  emitFrom(from, {neighbours, 1, 1});
}

/// What is inside of a loop over results.
void WindowEmitter::emitNext(size_t depth, unsigned neighbours,
                             unsigned width) {
  if (depth + 1 == plan.loops.size())
    emitBlock({neighbours, 1, width});
  else if (plan.loops[depth + 1] == plan.lane && neighbours > 1) {
    auto [from, to] = getTurns(depth + 1);
    emitLane(from, to, neighbours);
  } else
    emitLoops(depth + 1);
}

/// Windows whose taps are known, each with code of its own; none behind where a
/// run ends.
void WindowEmitter::emitBorder(size_t depth, LoopRange columns) {
  const WindowDim &dim = window.dims.back();
  for (int64_t column = columns.low; column <= columns.high; ++column) {
    int64_t start = column * dim.stride - dim.begin;
    int64_t low = llvm::divideCeil(std::max<int64_t>(-start, 0), dim.dilation);
    int64_t high = llvm::divideFloorSigned(dim.input - 1 - start, dim.dilation);
    lastTaps = {low, std::min(high, dim.kernel - 1)};
    counts[plan.last] = builder.number(column);
    if (lastTaps->high < lastTaps->low)
      lastTaps.reset();
    Value all = builder.number(column + 1), end = endAtLength(all);
    if (end == all)
      emitNext(depth, 1, 1);
    else
      builder.loop(counts[plan.last], end, 1,
                   [&](Value) { emitNext(depth, 1, 1); });
  }
  lastTaps.reset();
}

/// The middle: neighbours at once, then one by one.
void WindowEmitter::emitColumns(size_t depth, Value from, Value to) {
  unsigned loop = plan.last;
  if (hasNeighbours(depth)) {
    Value end = builder.getLastVector(from, to, numNeighbours);
    if (!KernelBuilder::areEqual(from, end))
      builder.loop(from, end, numNeighbours, [&](Value count) {
        counts[loop] = count;
        emitNext(depth, numNeighbours, 1);
      });
    from = end;
  }
  if (KernelBuilder::areEqual(from, to))
    return;
  unsigned width = loop == plan.lane ? getWidth() : 1;
  builder.loopInVectors(from, to, width, [&](Value count, unsigned own) {
    counts[loop] = count;
    emitNext(depth, 1, own);
  });
}

/// The last dimension of a run may end earlier.
Value WindowEmitter::endAtLength(Value end) {
  Value result = window.getResult();
  Value length = builder.findLength(result, getExtents(result).size() - 1);
  return length ? builder.min(end, length) : end;
}

/// In front of the middle, in it, and behind it.
void WindowEmitter::emitLast(size_t depth, Value from, Value to) {
  LoopRange middle = getMiddle();
  int64_t extent = plan.space.getExtent(plan.last);
  int64_t bounds[] = {0, middle.low, middle.high + 1, extent};
  for (unsigned part = 0; part < 3; ++part) {
    int64_t first = bounds[part], end = bounds[part + 1];
    if (first >= end)
      continue;
    // Of the outermost loop a part is run.
    if (part != 1 && depth != 0 && end - first <= maxBorder) {
      emitBorder(depth, {first, end - 1});
      continue;
    }
    Value low = builder.max(from, builder.number(first));
    Value high = builder.min(to, builder.number(end));
    high = builder.max(low, endAtLength(high));
    if (part == 1) {
      lastTaps = {0, window.dims.back().kernel - 1};
      emitColumns(depth, low, high);
      lastTaps.reset();
      continue;
    }
    builder.loop(low, high, 1, [&](Value count) {
      counts[plan.last] = count;
      emitNext(depth, 1, 1);
    });
  }
}

/// Those of this piece, and of the outermost loop those of the part to run.
std::pair<Value, Value> WindowEmitter::getTurns(size_t depth) {
  unsigned loop = plan.loops[depth];
  LoopRange range = plan.getRange(loop);
  if (firstChannel && loop == plan.lane)
    range = {0, getNearChannels() - 1};
  Value from = builder.number(range.low), to = builder.number(range.high + 1);
  if (depth != 0)
    return {from, to};
  if (range.high - range.low + 1 == plan.space.getExtent(loop))
    return {builder.getBegin(), builder.getEnd()};
  from = builder.max(builder.getBegin(), from);
  return {from, builder.max(from, builder.min(builder.getEnd(), to))};
}

void WindowEmitter::emitLoops(size_t depth) {
  unsigned loop = plan.loops[depth];
  auto [from, to] = getTurns(depth);
  if (loop == plan.last)
    emitLast(depth, from, to);
  else if (loop == plan.lane && depth + 1 == plan.loops.size())
    emitLane(from, to, 1);
  else
    builder.loop(from, to, 1, [&, loop](Value count) {
      counts[loop] = count;
      emitNext(depth, 1, 1);
    });
}

std::string WindowEmitter::describe() const {
  std::string text;
  for (const WindowDim &dim : window.dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim.kernel);
  Block block;
  if (plan.lane != ~0u && !plan.loops.empty()) {
    size_t depth = llvm::find(plan.loops, plan.last) - plan.loops.begin();
    LoopRange middle = plan.last == ~0u ? LoopRange{0, -1} : getMiddle();
    bool areMany = hasNeighbours(depth) &&
                   middle.high - middle.low + 1 >= int64_t(numNeighbours);
    block = getLaneBlock(areMany ? numNeighbours : 1);
  }
  text += " taps: " + std::to_string(block.neighbours) + "x" +
          std::to_string(block.pieces * block.width);
  if (walksFewChannels())
    text += ", " + std::to_string(getNearChannels()) + " channels at a time";
  return text;
}

/// All channels, or as many as stay near before the next ones.
void WindowEmitter::emitAll() {
  if (!walksFewChannels()) {
    emitLoops(0);
    return;
  }
  LoopRange range = plan.getRange(plan.lane);
  builder.loop(builder.number(range.low), builder.number(range.high + 1),
               getNearChannels(), [&](Value first) {
                 firstChannel = first;
                 emitLoops(0);
                 firstChannel = {};
               });
}

bool WindowEmitter::emit() {
  counts.resize(plan.space.getNumLoops());
  if (plan.loops.empty())
    builder.loop(builder.getBegin(), builder.getEnd(), 1,
                 [&](Value) { emitBlock({}); });
  else
    emitAll();
  return hasCode;
}

//===----------------------------------------------------------------------===//
// The template
//===----------------------------------------------------------------------===//

/// Weights are packed where they have the 32 bits of what is computed.
static bool hasPackedType(const Window &window) {
  auto getBits = [](Value value) {
    return getRegisterType(getElementTypeOrSelf(value.getType()));
  };
  return window.weight && getBits(window.weight) == getBits(window.input) &&
         getBits(window.weight) == getBits(window.getResult()) &&
         getBits(window.weight).getIntOrFloatBitWidth() == 32;
}

/// All pieces, one after another; what the first one is, or nothing.
static std::optional<std::string> emitPieces(KernelBuilder &builder,
                                             const Window &window,
                                             const WindowPlans &pieces,
                                             const TemplateTarget &target) {
  std::string text;
  for (const std::unique_ptr<WindowPlan> &piece : pieces) {
    WindowEmitter emitter(builder, window, *piece, target.unit.lanes);
    if (!emitter.emit())
      return std::nullopt;
    if (text.empty())
      text = emitter.describe();
  }
  return text;
}

/// Those of the lines of a picture that are in front of where a length ends.
static KernelCode::OpenTurns getOpenTurns(const KernelBody &body,
                                          const Window &window,
                                          const WindowPlan &plan) {
  if (!body.open || plan.loops.empty())
    return {};
  Value result = window.getResult();
  for (unsigned dim : body.open->get(result))
    if (plan.places[dim] == Linear::variable(plan.loops.front()))
      return {1, 1, body.open->getNumber(result, dim)};
  return {};
}

/// Vectors along the channels of packed weights.
static std::optional<KernelCode>
emitWithPackedWeights(const KernelBody &body, const Window &window,
                      const TemplateTarget &target) {
  WindowPlans pieces = WindowPlan::make(body, window, /*packsWeights=*/true);
  WindowWeights packer(body, window);
  auto isAlongChannels = [](const std::unique_ptr<WindowPlan> &piece) {
    return piece->lane != ~0u &&
           piece->channel == Linear::variable(piece->lane);
  };
  if (pieces.empty() || !llvm::all_of(pieces, isAlongChannels) ||
      !packer.plan())
    return std::nullopt;
  std::string packName = (target.name + "_pack").str();
  KernelBuilder packing(target.module, packName, body, /*numOthers=*/1);
  KernelBuilder kernel(target.module, target.name, body, /*numOthers=*/1);
  std::optional<std::string> text;
  if (packer.emit(packing))
    text = emitPieces(kernel, window, pieces, target);
  if (!text) {
    packing.discard();
    kernel.discard();
    return std::nullopt;
  }
  int64_t numTaps = window.getNumTaps();
  uint64_t bytes = sizeof(float) * numTaps * window.getNumChannels();
  KernelCode code{target.name.str(),
                  body.reads,
                  body.results,
                  pieces.front()->getExtent(),
                  KernelCode::Packing{packName, numTaps, bytes,
                                      packer.readsConstants(),
                                      kernel.getUnusedReads()},
                  "windows",
                  *text};
  code.open = getOpenTurns(body, window, *pieces.front());
  code.looksBehind = KernelCode::Behind::Last;
  return code;
}

std::optional<KernelCode> inlay::emitWindows(const KernelBody &body,
                                             const TemplateTarget &target) {
  std::optional<Window> window = Window::match(body);
  if (!window)
    return std::nullopt;
  if (hasPackedType(*window))
    if (auto code = emitWithPackedWeights(body, *window, target))
      return code;
  WindowPlans pieces = WindowPlan::make(body, *window, /*packsWeights=*/false);
  if (pieces.empty())
    return std::nullopt;
  KernelBuilder builder(target.module, target.name, body);
  if (auto text = emitPieces(builder, *window, pieces, target)) {
    KernelCode code{target.name.str(),
                    body.reads,
                    body.results,
                    pieces.front()->getExtent(),
                    {},
                    "windows",
                    *text};
    code.open = getOpenTurns(body, *window, *pieces.front());
    code.looksBehind = KernelCode::Behind::Last;
    return code;
  }
  builder.discard();
  return std::nullopt;
}
