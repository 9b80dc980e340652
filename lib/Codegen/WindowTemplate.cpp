//===- WindowTemplate.cpp - Windows over one channel ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pools, and convolutions whose results each come from one channel: loops over
// the results' elements, and inside of them over the taps of the window that
// lie in the input. Vectors lie along the loop along which elements lie side by
// side, channels or the last spatial dimension. That dimension is walked in
// three parts, so that in the middle no window ends at a border.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "Reductions.h"
#include "Templates.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/Windows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace inlay;
using namespace mlir;

/// Taps of the last dimension that are written one after another, at most.
static constexpr int64_t maxUnrolled = 16;
static constexpr unsigned maxRounds = 16;
/// Elements at once, where there are as many.
static constexpr unsigned minWidth = 16;

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

namespace {
/// The window along one spatial dimension.
struct WindowDim {
  int64_t input, kernel, stride, dilation, begin, end;
};

struct Window {
  Operation *op;
  Value input, weight, bias;
  SmallVector<WindowDim> dims;
  /// Results per channel of the input.
  int64_t multiplier = 1;
  bool isAverage = false, countsPads = false;

  Value getResult() const { return op->getResult(0); }
};
} // namespace

template <typename OpT>
static bool readDims(OpT op, ArrayRef<int64_t> kernel, Window &window) {
  ArrayRef<int64_t> shape = getExtents(window.input);
  if (shape.size() < 3 || kernel.size() != shape.size() - 2)
    return false;
  ArrayRef<int64_t> spatial = shape.drop_front(2);
  auto pads = resolvePads(getWindowAttributes(op, kernel), spatial);
  if (!pads) {
    llvm::consumeError(pads.takeError());
    return false;
  }
  for (auto [i, extent] : llvm::enumerate(spatial))
    window.dims.push_back({extent, kernel[i], getEntryOr(op.getStrides(), i, 1),
                           getEntryOr(op.getDilations(), i, 1), (*pads)[i],
                           (*pads)[spatial.size() + i]});
  return true;
}

static std::optional<Window> getPool(MaxPoolOp op) {
  Window window{op, op.getInput(), {}, {}, {}};
  if (!op.getIndices().use_empty() ||
      !readDims(op, op.getKernelShape(), window))
    return std::nullopt;
  return window;
}

static std::optional<Window> getPool(AveragePoolOp op) {
  Window window{op, op.getInput(), {}, {}, {}};
  window.isAverage = true;
  window.countsPads = op.getCountIncludePad() != 0;
  if (!isa<FloatType>(getElementTypeOrSelf(op.getInput().getType())) ||
      !readDims(op, op.getKernelShape(), window))
    return std::nullopt;
  return window;
}

/// Every result's channel reads one of the input.
template <typename OpT>
static std::optional<Window> getConv(OpT op, Value bias) {
  Window window{op, op.getX(), op.getW(), bias, {}};
  if (!hasCodeType(op.getW()) || getExtents(op.getW()).size() < 3)
    return std::nullopt;
  ArrayRef<int64_t> weight = getExtents(op.getW());
  int64_t channels = getExtents(op.getX())[1];
  if (weight[1] != 1 || channels == 0 || int64_t(op.getGroup()) != channels ||
      !readDims(op, weight.drop_front(2), window))
    return std::nullopt;
  window.multiplier = weight[0] / channels;
  return window;
}

/// Integers as wide as the result, whose zero points are gone.
static std::optional<Window> getConv(ConvIntegerOp op) {
  Type element = getElementTypeOrSelf(op.getResult().getType());
  if (op.getXZeroPoint() || op.getWZeroPoint() ||
      getElementTypeOrSelf(op.getX().getType()) != element ||
      getElementTypeOrSelf(op.getW().getType()) != element)
    return std::nullopt;
  return getConv(op, /*bias=*/Value());
}

static std::optional<Window> getWindow(Operation *op) {
  if (op->getNumResults() == 0 || !hasCodeType(op->getResult(0)) ||
      op->getNumOperands() == 0 || !hasCodeType(op->getOperand(0)))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Window>>(op)
      .Case<MaxPoolOp, AveragePoolOp>([](auto own) { return getPool(own); })
      .Case([](ConvOp own) { return getConv(own, own.getB()); })
      .Case([](ConvIntegerOp own) { return getConv(own); })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<Window> matchWindow(const KernelBody &body) {
  std::optional<Window> found;
  for (Operation *op : body.ops)
    if (std::optional<Window> window = getWindow(op)) {
      if (found)
        return std::nullopt;
      found = std::move(window);
    }
  if (!found || llvm::is_contained(getExtents(found->getResult()), 0) ||
      !llvm::all_of(body.yielded, hasCodeType))
    return std::nullopt;
  return found;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

namespace {
/// The loops: over results first, then over taps.
struct WindowPlan {
  WindowPlan(const KernelBody &body, const LoopPlan &plan,
             ArrayRef<LoopRange> ranges)
      : space(plan, ranges), taps(body, space), epilogue(body, space) {}

  LoopSpace space;
  /// Elements of a tap: the input's and the weight's; and of the bias.
  Reader taps;
  unsigned element = 0, weight = 0, bias = 0;
  Epilogue epilogue;
  /// Where the windows begin.
  SmallVector<Linear> starts;
  /// Loops over results, outermost first, and over taps.
  SmallVector<unsigned> loops, tapLoops;
  /// The loop of the last spatial dimension, and that of vectors.
  unsigned last = ~0u, lane = ~0u;

  bool build(const KernelBody &body, const Window &window);
  void findLoops(const LoopPlan &plan, size_t numDims);
  void mergeLoops();
  void chooseLane();
  SmallVector<const Linear *> getForms() const;
};
} // namespace

bool WindowPlan::build(const KernelBody &body, const Window &window) {
  LoopIndex all = space.getIndex();
  size_t rank = window.dims.size() + 2;
  LoopIndex result(all.begin(), all.begin() + rank);
  LoopIndex input = {result[0], space.divide(result[1], window.multiplier)};
  LoopIndex weight = {result[1], Linear()};
  for (auto [i, dim] : llvm::enumerate(window.dims)) {
    starts.push_back(result[2 + i] * dim.stride + Linear::number(-dim.begin));
    input.push_back(starts.back() + all[rank + i] * dim.dilation);
    weight.push_back(all[rank + i]);
  }
  auto want = [&](Value value, const LoopIndex &index, unsigned &number) {
    std::optional<unsigned> wanted =
        value ? taps.want(value, index) : std::optional(0u);
    number = wanted.value_or(0);
    return wanted.has_value();
  };
  if (!want(window.input, input, element) ||
      !want(window.weight, weight, this->weight) ||
      !want(window.bias, {result[1]}, bias))
    return false;
  return epilogue.addAll(window.getResult(), result);
}

void WindowPlan::findLoops(const LoopPlan &plan, size_t numDims) {
  unsigned next = 0;
  for (auto [dim, own] : llvm::enumerate(plan.dims))
    for (const LoopPlan::Loop &loop : own) {
      if (dim >= numDims)
        tapLoops.push_back(next);
      else if (loop.extent != 1)
        loops.push_back(next);
      if (dim + 1 == numDims && loop.extent != 1)
        last = next;
      ++next;
    }
}

SmallVector<const Linear *> WindowPlan::getForms() const {
  SmallVector<const Linear *> forms = taps.getForms();
  llvm::append_range(forms, epilogue.getForms());
  return forms;
}

void WindowPlan::mergeLoops() {
  SmallVector<const Linear *> forms;
  for (size_t i = loops.size(); i-- > 1;) {
    forms = getForms();
    for (const Linear &start : starts)
      forms.push_back(&start);
    unsigned outer = loops[i - 1];
    if (!space.merge(outer, loops[i], forms))
      continue;
    taps.dropLoop(outer);
    epilogue.dropLoop(outer);
    for (Linear &start : starts)
      start.drop(outer);
    loops.erase(loops.begin() + i - 1);
  }
}

/// Along channels or the last dimension, whichever has more side by side; the
/// loop of the latter is in front of it.
void WindowPlan::chooseLane() {
  int64_t best = 0;
  for (unsigned loop : llvm::reverse(loops)) {
    int64_t score = 0;
    for (const Linear *form : getForms())
      score += form->getFactor(loop) == 1;
    bool isAllowed =
        loop == last || llvm::none_of(starts, [&](const Linear &start) {
          return space.dependsOn(start, loop);
        });
    if (!isAllowed || score <= best || !taps.allowsVectors(loop) ||
        !epilogue.allowsVectors(loop))
      continue;
    best = score;
    lane = loop;
  }
  for (unsigned loop : {last, lane})
    if (llvm::is_contained(loops, loop)) {
      llvm::erase(loops, loop);
      loops.push_back(loop);
    }
}

static std::unique_ptr<WindowPlan> planWindow(const KernelBody &body,
                                              const Window &window) {
  SmallVector<int64_t> shape(getExtents(window.getResult()));
  size_t numDims = shape.size();
  for (const WindowDim &dim : window.dims)
    shape.push_back(dim.kernel);
  LoopPlan loops = LoopPlan::get(shape);
  for (unsigned round = 0; round < maxRounds; ++round) {
    SmallVector<LoopRange> ranges;
    for (const auto &dim : loops.dims)
      for (const LoopPlan::Loop &loop : dim)
        ranges.push_back({0, loop.extent - 1});
    auto plan = std::make_unique<WindowPlan>(body, loops, ranges);
    bool isComplete = plan->build(body, window);
    if (std::optional<LoopPlan> better = plan->space.getBetterPlan(1)) {
      loops = std::move(*better);
      continue;
    }
    // Taps and the last dimension are one loop each.
    size_t numTaps = window.dims.size();
    auto isOne = [](const auto &own) { return own.size() == 1; };
    if (!isComplete ||
        !llvm::all_of(ArrayRef(loops.dims).take_back(numTaps + 1), isOne))
      return nullptr;
    plan->findLoops(loops, numDims);
    plan->mergeLoops();
    plan->chooseLane();
    return plan;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

namespace {
class WindowEmitter {
public:
  WindowEmitter(KernelBuilder &builder, const Window &window,
                const WindowPlan &plan, unsigned lanes)
      : builder(builder), window(window), plan(plan), lanes(lanes),
        reduction(Reduction::getWindow(window.op)) {}

  bool emit();
  int64_t getExtent() const {
    return plan.loops.empty() ? 1 : plan.space.getExtent(plan.loops.front());
  }

private:
  /// Taps of one dimension that lie in the input.
  struct Taps {
    Value from, to;
    bool isFull = false;
  };

  void emitLoops(size_t depth, Value from, Value to);
  void emitLast(size_t depth, Value from, Value to);
  void emitLane(size_t depth, Value from, Value to, unsigned width);
  void emitWindow(unsigned width);
  Taps getTaps(size_t dim, const Reader::Scope &scope);
  Value getEnd(size_t dim, Value start, int64_t input);
  Value emitTaps(size_t dim, ArrayRef<Taps> taps, Reader::Scope scope,
                 Value sum);
  Value emitTap(Reader::Scope &scope, Value sum);
  Value finish(Value sum, ArrayRef<Taps> taps, const Reader::Scope &scope);
  Value countTaps(ArrayRef<Taps> taps, const Reader::Scope &scope);
  LoopRange getMiddle() const;
  unsigned getWidth() const;

  KernelBuilder &builder;
  const Window &window;
  const WindowPlan &plan;
  unsigned lanes;
  Reduction reduction;
  SmallVector<Value> counts;
  /// Whether windows end at no border of the last dimension.
  bool isMiddle = false;
  bool hasCode = true;
};
} // namespace

/// Where all taps of the last dimension lie in the input; empty where nowhere.
LoopRange WindowEmitter::getMiddle() const {
  const WindowDim &dim = window.dims.back();
  int64_t reach = (dim.kernel - 1) * dim.dilation;
  int64_t low = llvm::divideCeilSigned(dim.begin, dim.stride);
  int64_t high =
      llvm::divideFloorSigned(dim.input - 1 - reach + dim.begin, dim.stride);
  low = std::max<int64_t>(low, 0);
  high = std::min(high, plan.space.getExtent(plan.last) - 1);
  return high < low ? LoopRange{0, -1} : LoopRange{low, high};
}

/// Several vectors at once where there are enough: sums of one wait for each
/// other.
unsigned WindowEmitter::getWidth() const {
  unsigned width = std::max(2 * lanes, minWidth);
  while (width > plan.space.getExtent(plan.lane))
    width /= 2;
  return std::max(width, 1u);
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

/// One behind the last tap in front of `input`.
Value WindowEmitter::getEnd(size_t number, Value start, int64_t input) {
  const WindowDim &dim = window.dims[number];
  Value room =
      builder.max(builder.sub(builder.number(input), start), builder.number(0));
  Value end = builder.create<arith::DivUIOp>(
      builder.add(room, builder.number(dim.dilation - 1)),
      builder.number(dim.dilation));
  return builder.min(end, builder.number(dim.kernel));
}

WindowEmitter::Taps WindowEmitter::getTaps(size_t number,
                                           const Reader::Scope &scope) {
  const WindowDim &dim = window.dims[number];
  LoopRange range = plan.space.getRange(plan.starts[number]);
  int64_t reach = (dim.kernel - 1) * dim.dilation;
  bool isLast = number + 1 == window.dims.size();
  if ((isLast && isMiddle) ||
      (range.low >= 0 && range.high + reach < dim.input))
    return {builder.number(0), builder.number(dim.kernel), true};
  Value start = plan.taps.emit(builder, scope, plan.starts[number]);
  Value before =
      builder.max(builder.sub(builder.number(0), start), builder.number(0));
  Value from = builder.create<arith::DivUIOp>(
      builder.add(before, builder.number(dim.dilation - 1)),
      builder.number(dim.dilation));
  return {from, builder.max(from, getEnd(number, start, dim.input))};
}

Value WindowEmitter::emitTap(Reader::Scope &scope, Value sum) {
  hasCode = hasCode && plan.taps.emit(builder, scope);
  if (!hasCode)
    return sum;
  Value element = builder.spread(scope.elements[plan.element], scope.width);
  if (!window.weight)
    return reduction.combine(builder, sum, element).front();
  Value weight = builder.spread(scope.elements[plan.weight], scope.width);
  return builder.multiplyAdd(element, weight, sum);
}

Value WindowEmitter::emitTaps(size_t dim, ArrayRef<Taps> taps,
                              Reader::Scope scope, Value sum) {
  if (dim == taps.size())
    return emitTap(scope, sum);
  unsigned loop = plan.tapLoops[dim];
  int64_t kernel = window.dims[dim].kernel;
  bool isLast = dim + 1 == taps.size();
  if (isLast && taps[dim].isFull && kernel <= maxUnrolled) {
    for (int64_t tap = 0; tap < kernel; ++tap) {
      scope.variables[loop] = builder.number(tap);
      sum = emitTaps(dim + 1, taps, scope, sum);
    }
    return sum;
  }
  ValueRange sums = builder.loop(taps[dim].from, taps[dim].to, 1, sum,
                                 [&](Value count, ValueRange carried) {
                                   Reader::Scope inner = scope;
                                   inner.variables[loop] = count;
                                   return SmallVector<Value>{emitTaps(
                                       dim + 1, taps, inner, carried.front())};
                                 });
  return sums.front();
}

/// What a mean divides by.
Value WindowEmitter::countTaps(ArrayRef<Taps> taps,
                               const Reader::Scope &scope) {
  Value count = builder.number(1);
  for (auto [i, own] : llvm::enumerate(taps)) {
    const WindowDim &dim = window.dims[i];
    Value here = builder.sub(own.to, own.from);
    if (window.countsPads && !own.isFull) {
      Value start = plan.taps.emit(builder, scope, plan.starts[i]);
      here = getEnd(i, start, dim.input + dim.end);
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

void WindowEmitter::emitWindow(unsigned width) {
  Reader::Scope scope = plan.taps.getScope();
  for (unsigned loop : plan.loops)
    scope.variables[loop] = counts[loop];
  scope.lane = plan.lane;
  scope.width = width;
  hasCode = hasCode && plan.taps.emit(builder, scope, plan.tapLoops);
  if (!hasCode)
    return;
  SmallVector<Taps> taps;
  for (size_t dim = 0; dim < window.dims.size(); ++dim)
    taps.push_back(getTaps(dim, scope));
  Value first = window.bias ? builder.spread(scope.elements[plan.bias], width)
                            : reduction.getNeutral(builder, width).front();
  Value sum = emitTaps(0, taps, scope, first);
  if (!hasCode)
    return;
  Reader::Scope results = plan.epilogue.getReader().getScope();
  for (unsigned loop : plan.loops)
    results.variables[loop] = counts[loop];
  results.lane = plan.lane;
  results.width = width;
  results.elements[0] = finish(sum, taps, scope);
  hasCode = plan.epilogue.emit(builder, results);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void WindowEmitter::emitLane(size_t depth, Value from, Value to,
                             unsigned width) {
  unsigned loop = plan.loops[depth];
  builder.loopInVectors(from, to, width, [&](Value count, unsigned own) {
    counts[loop] = count;
    if (depth + 1 == plan.loops.size())
      emitWindow(own);
    else
      emitLoops(depth + 1, {}, {});
  });
}

/// In front of the middle, in it, and behind it.
void WindowEmitter::emitLast(size_t depth, Value from, Value to) {
  LoopRange middle = getMiddle();
  int64_t extent = plan.space.getExtent(plan.last);
  bool isLane = plan.last == plan.lane;
  int64_t bounds[] = {0, middle.low, middle.high + 1, extent};
  for (unsigned part = 0; part < 3; ++part) {
    if (bounds[part] >= bounds[part + 1])
      continue;
    Value low = builder.max(from, builder.number(bounds[part]));
    Value high =
        builder.max(low, builder.min(to, builder.number(bounds[part + 1])));
    isMiddle = part == 1;
    emitLane(depth, low, high, isLane && isMiddle ? getWidth() : 1);
  }
  isMiddle = false;
}

void WindowEmitter::emitLoops(size_t depth, Value from, Value to) {
  unsigned loop = plan.loops[depth];
  if (depth != 0) {
    from = builder.number(0);
    to = builder.number(plan.space.getExtent(loop));
  }
  if (loop == plan.last)
    emitLast(depth, from, to);
  else
    emitLane(depth, from, to, loop == plan.lane ? getWidth() : 1);
}

bool WindowEmitter::emit() {
  counts.resize(plan.space.getNumLoops());
  if (plan.loops.empty())
    builder.loop(builder.getBegin(), builder.getEnd(), 1,
                 [&](Value) { emitWindow(1); });
  else
    emitLoops(0, builder.getBegin(), builder.getEnd());
  return hasCode;
}

std::optional<int64_t> inlay::emitWindows(const KernelBody &body,
                                          const TemplateTarget &target) {
  std::optional<Window> window = matchWindow(body);
  if (!window)
    return std::nullopt;
  std::unique_ptr<WindowPlan> plan = planWindow(body, *window);
  if (!plan)
    return std::nullopt;
  KernelBuilder builder(target.module, target.name, body);
  WindowEmitter emitter(builder, *window, *plan, target.unit.lanes);
  if (emitter.emit())
    return emitter.getExtent();
  builder.discard();
  return std::nullopt;
}
