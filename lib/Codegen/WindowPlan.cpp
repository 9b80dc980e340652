//===- WindowPlan.cpp - How windows are computed --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowPlan.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace inlay;
using namespace mlir;

static constexpr unsigned maxRounds = 16;
/// Pieces with code of their own, at most.
static constexpr uint64_t maxPieces = 8;

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

static bool readDims(Window &window) {
  auto dims = getWindowDims(window.op);
  if (dims)
    window.dims = std::move(*dims);
  return dims.has_value();
}

static std::optional<Window> getPool(MaxPoolOp op) {
  Window window{op, op.getInput(), {}, {}, {}};
  if (!op.getIndices().use_empty() || !readDims(window))
    return std::nullopt;
  return window;
}

static std::optional<Window> getPool(AveragePoolOp op) {
  Window window{op, op.getInput(), {}, {}, {}};
  window.isAverage = true;
  window.countsPads = op.getCountIncludePad() != 0;
  if (!isa<FloatType>(getElementTypeOrSelf(op.getInput().getType())) ||
      !readDims(window))
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
      !readDims(window))
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

int64_t Window::getNumTaps() const {
  int64_t count = 1;
  for (const WindowDim &dim : dims)
    count *= dim.kernel;
  return count;
}

std::optional<Window> Window::match(const KernelBody &body) {
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

bool WindowPlan::build(const Window &window) {
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
  channel = result[1];
  places = result;
  auto want = [&](Value value, const LoopIndex &index, unsigned &number) {
    std::optional<unsigned> wanted =
        value ? taps.want(value, index) : std::optional(0u);
    number = wanted.value_or(0);
    return wanted.has_value();
  };
  if (!want(window.input, input, element) ||
      !want(packsWeights ? Value() : window.weight, weight, this->weight) ||
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

/// Where elements are read and written.
SmallVector<const Linear *> WindowPlan::getElements() const {
  SmallVector<const Linear *> forms = taps.getForms();
  llvm::append_range(forms, epilogue.getForms());
  return forms;
}

SmallVector<const Linear *> WindowPlan::getForms() const {
  SmallVector<const Linear *> forms = getElements();
  for (const Linear &start : starts)
    forms.push_back(&start);
  forms.push_back(&channel);
  return forms;
}

/// But for the outermost of several pieces: all count it alike.
void WindowPlan::mergeLoops(bool isOnly) {
  for (size_t i = loops.size(); i-- > 1;) {
    unsigned outer = loops[i - 1];
    bool mayMerge = isOnly || i > 1;
    if (!mayMerge || !space.merge(outer, loops[i], getForms()))
      continue;
    taps.dropLoop(outer);
    epilogue.dropLoop(outer);
    for (Linear &start : starts)
      start.drop(outer);
    channel.drop(outer);
    loops.erase(loops.begin() + i - 1);
  }
}

/// Along channels or the last dimension, whichever has more side by side; the
/// loop of the latter is in front of it.
void WindowPlan::chooseLane() {
  int64_t best = 0;
  for (unsigned loop : llvm::reverse(loops)) {
    int64_t score = 0;
    for (const Linear *form : getElements())
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

/// Taps and the last dimension are one loop each, in one piece.
static bool hasWholeWindows(const LoopPlan &loops, size_t numTaps) {
  return llvm::all_of(ArrayRef(loops.dims).take_back(numTaps + 1),
                      [](const auto &own) {
                        return own.size() == 1 && own.front().cuts.empty();
                      });
}

WindowPlans WindowPlan::search(const KernelBody &body, const Window &window,
                               bool packsWeights, uint64_t maxPieces) {
  SmallVector<int64_t> shape(getExtents(window.getResult()));
  size_t numDims = shape.size();
  for (const WindowDim &dim : window.dims)
    shape.push_back(dim.kernel);
  LoopPlan loops = LoopPlan::get(shape);
  for (unsigned round = 0; round < maxRounds; ++round) {
    WindowPlans pieces;
    bool isComplete = true;
    std::optional<LoopPlan> better;
    for (const SmallVector<LoopRange> &ranges : loops.getPieces()) {
      pieces.push_back(std::make_unique<WindowPlan>(body, loops, ranges));
      pieces.back()->packsWeights = packsWeights;
      isComplete &= pieces.back()->build(window);
      better = pieces.back()->space.getBetterPlan(maxPieces);
      if (better)
        break;
    }
    if (better) {
      loops = std::move(*better);
      continue;
    }
    if (!isComplete || !hasWholeWindows(loops, window.dims.size()))
      return {};
    for (std::unique_ptr<WindowPlan> &piece : pieces) {
      piece->findLoops(loops, numDims);
      piece->mergeLoops(/*isOnly=*/pieces.size() == 1);
      piece->chooseLane();
    }
    return pieces;
  }
  return {};
}

WindowPlans WindowPlan::make(const KernelBody &body, const Window &window,
                             bool packsWeights) {
  WindowPlans pieces = search(body, window, packsWeights, maxPieces);
  auto isAlike = [&](const std::unique_ptr<WindowPlan> &piece) {
    return piece->loops.front() == pieces.front()->loops.front();
  };
  if (pieces.size() == 1 || (!pieces.empty() && llvm::all_of(pieces, isAlike)))
    return pieces;
  return search(body, window, packsWeights, /*maxPieces=*/1);
}
