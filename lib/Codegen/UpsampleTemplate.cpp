//===- UpsampleTemplate.cpp - Lines that become longer --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Resize between elements that makes a dimension at least twice as long,
// along which results lie side by side.
//
// 1. Once for each part that is run: how much of its upper neighbour each place
//    of a line has, and which is the first place between each two neighbours.
// 2. For each line of results, the line of the input that it is made of: a
//    short one, which is blended along the other dimensions.
// 3. What lies between two neighbours is vectors of shares with two numbers. A
//    vector may reach into what the next two write, but they do so afterwards.
// 4. What follows is computed of the whole line.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

/// How much longer a line becomes, at least.
static constexpr int64_t leastFactor = 2;
/// Elements of both lines, at most: they and what is known of them are memory
/// of the kernel itself.
static constexpr int64_t maxElements = 8192;
/// Results between two neighbours that are computed at once, at least, and of
/// what follows.
static constexpr unsigned minWidth = 4, minResults = 16;

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

namespace {
struct Upsampling {
  Value input, result;
  SmallVector<ResampledDim> dims;

  /// The only one of a body, of floats that are computed as f32.
  static std::optional<Upsampling> match(const KernelBody &body);
};

/// The loops: over results, and over the line that one of them is made of.
struct UpsamplePlan {
  UpsamplePlan(const KernelBody &body, const LoopPlan &loops)
      : space(loops, loops.getPieces().front()), taps(body, space),
        epilogue(body, space) {}

  static std::unique_ptr<UpsamplePlan> make(const KernelBody &body,
                                            const Upsampling &upsampling);

  LoopSpace space;
  /// The elements that one of the short line is made of, the last dimension's
  /// pairs beside one another.
  Reader taps;
  SmallVector<unsigned> corners;
  /// Along which dimensions, and where.
  SmallVector<std::pair<Sampling, Linear>> others;
  Epilogue epilogue;
  /// How a line becomes longer; the loops over the long and the short one.
  Sampling line = {};
  unsigned longLoop = 0, shortLoop = 0;
  /// The loops around them.
  SmallVector<unsigned> loops;

private:
  bool build(const Upsampling &upsampling);
  bool addCorners(const Upsampling &upsampling, LoopIndex index);
};
} // namespace

std::optional<Upsampling> Upsampling::match(const KernelBody &body) {
  auto isComputed = [](Value value) {
    return hasCodeType(value) && !llvm::is_contained(getExtents(value), 0) &&
           getRegisterType(getElementTypeOrSelf(value.getType())).isF32();
  };
  std::optional<Upsampling> found;
  for (Operation *op : body.ops) {
    auto resize = dyn_cast<ResizeOp>(op);
    if (!resize || resize.getMode() != "linear")
      continue;
    if (found || !isComputed(resize.getInput()) ||
        !isComputed(resize.getResult()))
      return std::nullopt;
    std::optional<SmallVector<ResampledDim>> dims = getResampledDims(resize);
    if (!dims)
      return std::nullopt;
    found = {resize.getInput(), resize.getResult(), std::move(*dims)};
  }
  return llvm::all_of(body.yielded, hasCodeType) ? found : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

bool UpsamplePlan::addCorners(const Upsampling &upsampling, LoopIndex index) {
  index[longLoop] = Linear::variable(shortLoop);
  std::vector<LoopIndex> all = {index};
  for (const ResampledDim &own : upsampling.dims) {
    if (own.dim == int64_t(longLoop))
      continue;
    others.push_back({own.sampling, index[own.dim]});
    std::vector<LoopIndex> both;
    for (const LoopIndex &corner : all)
      for (auto pick : {Sampling::Pick::Lower, Sampling::Pick::Upper}) {
        Sampling sampling = own.sampling;
        sampling.pick = pick;
        both.push_back(corner);
        both.back()[own.dim] = space.sample(sampling, corner[own.dim]);
      }
    all = std::move(both);
  }
  return llvm::all_of(all, [&](const LoopIndex &corner) {
    std::optional<unsigned> wanted = taps.want(upsampling.input, corner);
    corners.push_back(wanted.value_or(0));
    return wanted.has_value();
  });
}

bool UpsamplePlan::build(const Upsampling &upsampling) {
  LoopIndex index = space.getIndex();
  shortLoop = index.size() - 1;
  index.pop_back();
  if (!epilogue.addAll(upsampling.result, index))
    return false;
  const auto *longest =
      llvm::find_if(upsampling.dims, [&](const ResampledDim &own) {
        return epilogue.getStride(own.dim) == 1 &&
               own.sampling.output >= leastFactor * own.sampling.input &&
               own.sampling.input + own.sampling.output <= maxElements;
      });
  if (longest == upsampling.dims.end())
    return false;
  line = longest->sampling;
  longLoop = longest->dim;
  for (unsigned loop = 0; loop < shortLoop; ++loop)
    if (loop != longLoop && space.isLoop(loop))
      loops.push_back(loop);
  // What would be better in other loops is left to others.
  return addCorners(upsampling, index) && !space.getBetterPlan(1);
}

std::unique_ptr<UpsamplePlan> UpsamplePlan::make(const KernelBody &body,
                                                 const Upsampling &upsampling) {
  // How long the short line is will be known when the long one is.
  for (const ResampledDim &own : upsampling.dims) {
    SmallVector<int64_t> shape(getExtents(upsampling.result));
    shape.push_back(own.sampling.input);
    auto plan = std::make_unique<UpsamplePlan>(body, LoopPlan::get(shape));
    if (plan->build(upsampling) && plan->longLoop == unsigned(own.dim))
      return plan;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

namespace {
class UpsampleEmitter {
public:
  UpsampleEmitter(KernelBuilder &builder, const Upsampling &upsampling,
                  const UpsamplePlan &plan, unsigned lanes)
      : builder(builder), upsampling(upsampling), plan(plan), lanes(lanes),
        width(getWidth()), shares(builder.allocate(plan.line.output + width)),
        begins(builder.allocate(plan.line.input + 2)),
        shortLine(builder.allocate(plan.line.input + 2)),
        longLine(builder.allocate(plan.line.output + width)) {}

  /// False where an operator has no code.
  bool emit();
  int64_t getExtent() const {
    return plan.loops.empty() ? 1 : plan.space.getExtent(plan.loops.front());
  }

private:
  unsigned getWidth() const;
  void emitTables();
  void emitLine();
  void emitShortLine();
  void emitLongLine();
  void emitResults();
  Reader::Scope getScope(const Reader &reader) const;
  Value loadBegin(Value number);

  KernelBuilder &builder;
  const Upsampling &upsampling;
  const UpsamplePlan &plan;
  unsigned lanes;
  /// Results that are computed at once of two neighbours.
  unsigned width;
  /// Of each place in a line; the first place behind each element of the short
  /// line, of which the first and the last are there twice; and both lines.
  Value shares, begins, shortLine, longLine;
  /// What loops count.
  SmallVector<Value> counts;
  bool hasCode = true;
};
} // namespace

/// About as many as lie between two neighbours.
unsigned UpsampleEmitter::getWidth() const {
  int64_t factor = llvm::divideCeil(plan.line.output, plan.line.input);
  return std::min<uint64_t>(
      lanes, std::max<uint64_t>(llvm::bit_ceil(uint64_t(factor)), minWidth));
}

Value UpsampleEmitter::loadBegin(Value number) {
  return builder.loadFloats(begins, number, 1,
                            builder.getBuilder().getI32Type());
}

/// Counts the places behind each element, then adds up what is in front.
void UpsampleEmitter::emitTables() {
  const Sampling &line = plan.line;
  Value zero = builder.number(0), one = builder.number(1),
        end = builder.number(line.input + 2);
  OpBuilder &types = builder.getBuilder();
  builder.loop(zero, end, 1, [&](Value count) {
    builder.storeFloats(builder.constant(types.getI32Type(), 0), begins, count);
  });
  builder.storeFloats(builder.constant(getWide(types.getF32Type(), width), 0),
                      shares, builder.number(line.output));
  builder.loop(zero, builder.number(line.output), 1, [&](Value place) {
    builder.storeFloats(line.emitShare(builder, place), shares, place);
    Value lower = builder.min(
        builder.max(line.emitLower(builder, place), builder.number(-1)),
        builder.number(line.input - 1));
    Value next = builder.add(lower, builder.number(2));
    Value more =
        builder.add(loadBegin(next), builder.constant(types.getI32Type(), 1));
    builder.storeFloats(more, begins, next);
  });
  builder.loop(one, end, 1, [&](Value count) {
    Value before = loadBegin(builder.sub(count, one));
    builder.storeFloats(builder.add(loadBegin(count), before), begins, count);
  });
}

Reader::Scope UpsampleEmitter::getScope(const Reader &reader) const {
  Reader::Scope scope = reader.getScope();
  for (unsigned loop : plan.loops)
    scope.variables[loop] = counts[loop];
  return scope;
}

/// Each dimension halves what is left, the last one first.
void UpsampleEmitter::emitShortLine() {
  Reader::Scope scope = getScope(plan.taps);
  scope.lane = plan.shortLoop;
  hasCode = hasCode && plan.taps.emit(builder, scope, {plan.shortLoop});
  if (!hasCode)
    return;
  SmallVector<Value> own;
  for (const auto &[sampling, place] : plan.others)
    own.push_back(
        sampling.emitShare(builder, plan.taps.emit(builder, scope, place)));
  auto emitAt = [&](Value count, unsigned many) {
    Reader::Scope inner = scope;
    inner.variables[plan.shortLoop] = count;
    inner.width = many;
    hasCode = hasCode && plan.taps.emit(builder, inner);
    if (!hasCode)
      return;
    SmallVector<Value> parts;
    for (unsigned corner : plan.corners)
      parts.push_back(builder.spread(inner.elements[corner], many));
    for (Value share : llvm::reverse(own))
      parts = emitBetween(builder, parts, builder.spread(share, many));
    builder.storeFloats(parts.front(), shortLine,
                        builder.add(count, builder.number(1)));
  };
  int64_t input = plan.line.input;
  builder.loopInVectors(builder.number(0), builder.number(input),
                        plan.taps.allowsVectors(plan.shortLoop) ? lanes : 1,
                        emitAt);
  for (auto [from, to] :
       {std::pair<int64_t, int64_t>(1, 0), {input, input + 1}})
    builder.storeFloats(builder.loadFloats(shortLine, builder.number(from), 1),
                        shortLine, builder.number(to));
}

void UpsampleEmitter::emitLongLine() {
  Type wide = builder.getBuilder().getI64Type();
  builder.loop(
      builder.number(0), builder.number(plan.line.input + 1), 1,
      [&](Value number) {
        Value next = builder.add(number, builder.number(1));
        Value lower = builder.loadFloats(shortLine, number, 1),
              upper = builder.loadFloats(shortLine, next, 1);
        Value from = builder.create<arith::ExtUIOp>(wide, loadBegin(number)),
              to = builder.create<arith::ExtUIOp>(wide, loadBegin(next));
        SmallVector<Value> parts = {builder.spread(lower, width),
                                    builder.spread(upper, width)};
        builder.loop(from, to, width, [&](Value place) {
          Value share = builder.loadFloats(shares, place, width);
          builder.storeFloats(emitBetween(builder, parts, share).front(),
                              longLine, place);
        });
      });
}

void UpsampleEmitter::emitResults() {
  unsigned most = std::max(lanes, minResults);
  while (most > plan.line.output)
    most /= 2;
  const Epilogue &epilogue = plan.epilogue;
  Reader::Scope scope = getScope(epilogue.getReader());
  scope.lane = plan.longLoop;
  Type element = getElementTypeOrSelf(upsampling.result.getType());
  builder.loopInVectors(
      builder.number(0), builder.number(plan.line.output),
      epilogue.allowsVectors(plan.longLoop) ? most : 1,
      [&](Value place, unsigned many) {
        Reader::Scope inner = scope;
        inner.variables[plan.longLoop] = place;
        inner.width = many;
        inner.elements[0] =
            builder.round(builder.loadFloats(longLine, place, many), element);
        hasCode = hasCode && epilogue.emit(builder, inner);
      });
}

void UpsampleEmitter::emitLine() {
  emitShortLine();
  emitLongLine();
  if (hasCode)
    emitResults();
}

bool UpsampleEmitter::emit() {
  OpBuilder::InsertionGuard guard(builder.getBuilder());
  counts.resize(plan.space.getNumLoops());
  emitTables();
  Value from = builder.getBegin(), to = builder.getEnd();
  if (plan.loops.empty()) {
    builder.loop(from, to, 1, [&](Value) { emitLine(); });
    return hasCode;
  }
  for (unsigned loop : plan.loops) {
    if (loop != plan.loops.front()) {
      from = builder.number(0);
      to = builder.number(plan.space.getExtent(loop));
    }
    builder.enterLoop(from, to, counts[loop]);
  }
  emitLine();
  return hasCode;
}

std::optional<TemplateLoops>
inlay::emitUpsamples(const KernelBody &body, const TemplateTarget &target) {
  std::optional<Upsampling> upsampling = Upsampling::match(body);
  if (!upsampling)
    return std::nullopt;
  std::unique_ptr<UpsamplePlan> plan = UpsamplePlan::make(body, *upsampling);
  if (!plan)
    return std::nullopt;
  KernelBuilder builder(target.module, target.name, body);
  UpsampleEmitter emitter(builder, *upsampling, *plan, target.unit.lanes);
  if (emitter.emit())
    return emitter.getExtent();
  builder.discard();
  return std::nullopt;
}
