//===- RowTemplate.cpp - Numbers per row ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outer loops over rows; inside, one pass over the row for reductions that need
// nothing of one another, then the next one, then the results that have an
// element for each of the row. Vectors lie along the row, or across rows where
// that is how elements lie. Along the row there are 16 sums, whatever the
// machine, combined in halves, and long sums are sums of sums: their order
// follows from shapes alone.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "Reductions.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

static constexpr unsigned numSums = 16;
static constexpr unsigned maxRounds = 64;
static constexpr int64_t leastBlock = 32;
/// Floats of a row that are kept from one pass to the next.
static constexpr int64_t maxRemembered = 8 * 1024;

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

namespace {
/// The reductions of a body, all over the same dimensions of one shape.
struct Rows {
  SmallVector<Reduction> reductions;
  /// How many others each has to wait for, one behind another.
  SmallVector<unsigned> levels;

  ArrayRef<int64_t> getShape() const {
    return getExtents(reductions.front().getOperand());
  }
  ArrayRef<int64_t> getDims() const { return reductions.front().getDims(); }
};
} // namespace

static std::optional<Rows> matchRows(const KernelBody &body) {
  Rows rows;
  DenseMap<Value, unsigned> levels;
  for (Operation *op : body.ops) {
    unsigned level = 0;
    for (Value operand : op->getOperands())
      level = std::max(level, levels.lookup(body.resolve(operand)));
    if (std::optional<Reduction> reduction = Reduction::get(op)) {
      rows.reductions.push_back(*reduction);
      rows.levels.push_back(level++);
    }
    for (Value result : op->getResults())
      levels[result] = level;
  }
  bool areAlike = llvm::all_of(rows.reductions, [&](const Reduction &other) {
    return getExtents(other.getOperand()) == rows.getShape() &&
           other.getDims() == rows.getDims();
  });
  if (rows.reductions.empty() || !areAlike ||
      llvm::is_contained(rows.getShape(), 0) ||
      !llvm::all_of(body.yielded, hasCodeType))
    return std::nullopt;
  return rows;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

namespace {
/// A walk along the row for some reductions.
struct Pass {
  Pass(const KernelBody &body, LoopSpace &space) : reader(body, space) {}

  Reader reader;
  SmallVector<unsigned> reductions;
  /// The element that each reduction takes, and where it is in the row.
  SmallVector<unsigned> elements;
  SmallVector<Linear> positions;
};

/// All loops of a kernel over rows.
struct RowPlan {
  RowPlan(const KernelBody &body, const LoopPlan &plan,
          ArrayRef<LoopRange> ranges)
      : space(plan, ranges), perRow(body, space), perElement(body, space) {}

  LoopSpace space;
  std::vector<std::unique_ptr<Pass>> passes;
  /// What is stored once per row, and for each of its elements.
  Epilogue perRow, perElement;
  bool storesRows = false, storesElements = false;
  /// Whether there is a way to all elements.
  bool isComplete = false;
  /// Outermost first. The innermost of one of the two are vectors.
  SmallVector<unsigned> kept, reduced;
  unsigned lane = ~0u;
  bool isAcross = false;
  /// The reduction of the last pass whose operand the results are computed of:
  /// a row of it is kept. The number of its element among theirs.
  std::optional<unsigned> remembered;
  unsigned rememberedElement = 0;

  int64_t getRowLength() const;
  SmallVector<const Linear *> getForms() const;
  bool merge(unsigned outer, unsigned inner);
};
} // namespace

int64_t RowPlan::getRowLength() const {
  int64_t length = 1;
  for (unsigned loop : reduced)
    length *= space.getExtent(loop);
  return length;
}

SmallVector<const Linear *> RowPlan::getForms() const {
  SmallVector<const Linear *> forms = perRow.getForms();
  llvm::append_range(forms, perElement.getForms());
  for (const std::unique_ptr<Pass> &pass : passes) {
    llvm::append_range(forms, pass->reader.getForms());
    for (const Linear &position : pass->positions)
      forms.push_back(&position);
  }
  return forms;
}

bool RowPlan::merge(unsigned outer, unsigned inner) {
  if (!space.merge(outer, inner, getForms()))
    return false;
  perRow.dropLoop(outer);
  perElement.dropLoop(outer);
  for (std::unique_ptr<Pass> &pass : passes) {
    pass->reader.dropLoop(outer);
    for (Linear &position : pass->positions)
      position.drop(outer);
  }
  return true;
}

namespace {
/// Makes the plan of a body's rows.
class RowPlanner {
public:
  RowPlanner(const KernelBody &body, const Rows &rows)
      : body(body), rows(rows) {}

  std::unique_ptr<RowPlan> plan();

private:
  std::unique_ptr<RowPlan> search();
  std::unique_ptr<RowPlan> tryPlan(const LoopPlan &loops);
  std::optional<unsigned> chooseRemembered(const RowPlan &plan) const;
  LoopIndex getIndex(const LoopSpace &space) const;
  /// Numbers per row that earlier passes give.
  void define(Reader &reader, unsigned level, const LoopIndex &index) const;
  bool addPasses(RowPlan &plan, const LoopIndex &index) const;
  bool addResults(RowPlan &plan, const LoopIndex &index) const;
  void findLoops(RowPlan &plan, const LoopPlan &loops) const;
  void mergeLoops(RowPlan &plan) const;
  void chooseLane(RowPlan &plan) const;
  SmallVector<int64_t> getOrder() const;

  const KernelBody &body;
  const Rows &rows;
  std::optional<unsigned> remembered;
};
} // namespace

/// Dimensions that stay, then those that are reduced.
SmallVector<int64_t> RowPlanner::getOrder() const {
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < int64_t(rows.getShape().size()); ++dim)
    if (!llvm::is_contained(rows.getDims(), dim))
      order.push_back(dim);
  llvm::append_range(order, rows.getDims());
  return order;
}

LoopIndex RowPlanner::getIndex(const LoopSpace &space) const {
  LoopIndex ordered = space.getIndex(), index(ordered.size());
  for (auto [i, dim] : llvm::enumerate(getOrder()))
    index[dim] = ordered[i];
  return index;
}

void RowPlanner::define(Reader &reader, unsigned level,
                        const LoopIndex &index) const {
  for (auto [reduction, own] : llvm::zip_equal(rows.reductions, rows.levels))
    if (own < level)
      reader.define(reduction.getResult(), reduction.getResultIndex(index));
}

bool RowPlanner::addPasses(RowPlan &plan, const LoopIndex &index) const {
  unsigned numLevels = *llvm::max_element(rows.levels) + 1;
  for (unsigned level = 0; level < numLevels; ++level) {
    plan.passes.push_back(std::make_unique<Pass>(body, plan.space));
    Pass &pass = *plan.passes.back();
    define(pass.reader, level, index);
    for (auto [i, reduction] : llvm::enumerate(rows.reductions)) {
      if (rows.levels[i] != level)
        continue;
      std::optional<unsigned> element =
          pass.reader.want(reduction.getOperand(), index);
      if (!element)
        return false;
      pass.reductions.push_back(i);
      pass.elements.push_back(*element);
      std::optional<int64_t> searched = reduction.getSearched();
      pass.positions.push_back(searched ? index[*searched] : Linear());
    }
  }
  return true;
}

bool RowPlanner::addResults(RowPlan &plan, const LoopIndex &index) const {
  unsigned numLevels = plan.passes.size();
  define(plan.perRow.getReader(), numLevels, index);
  Reader &elements = plan.perElement.getReader();
  define(elements, numLevels, index);
  if (remembered)
    plan.rememberedElement = elements.define(
        body.resolve(rows.reductions[*remembered].getOperand()), index);
  ResultPlaces places(body, plan.space, rows.reductions.front().getOperand(),
                      index);
  for (const Reduction &reduction : rows.reductions)
    places.set(reduction.getResult(), reduction.getResultIndex(index));
  places.follow();
  for (auto [i, value] : llvm::enumerate(body.yielded)) {
    std::optional<LoopIndex> place = places.get(value);
    if (!place)
      return false;
    bool isPerRow = llvm::none_of(plan.reduced, [&](unsigned loop) {
      return llvm::any_of(*place, [&](const Linear &own) {
        return plan.space.dependsOn(own, loop);
      });
    });
    // Rows of one element are both.
    bool isWhole = plan.reduced.empty() || !isPerRow;
    if (!(isWhole ? plan.perElement : plan.perRow).add(i, *place))
      return false;
    (isWhole ? plan.storesElements : plan.storesRows) = true;
  }
  return true;
}

void RowPlanner::findLoops(RowPlan &plan, const LoopPlan &loops) const {
  size_t numKept = rows.getShape().size() - rows.getDims().size();
  unsigned next = 0;
  for (auto [dim, own] : llvm::enumerate(loops.dims))
    for (const LoopPlan::Loop &loop : own) {
      if (loop.extent != 1)
        (dim < numKept ? plan.kept : plan.reduced).push_back(next);
      ++next;
    }
}

void RowPlanner::mergeLoops(RowPlan &plan) const {
  for (SmallVector<unsigned> *loops : {&plan.kept, &plan.reduced})
    for (size_t i = loops->size(); i-- > 1;)
      if (plan.merge((*loops)[i - 1], (*loops)[i]))
        loops->erase(loops->begin() + i - 1);
}

/// The loop along which most elements lie side by side, the row's before
/// others.
void RowPlanner::chooseLane(RowPlan &plan) const {
  SmallVector<const Linear *> forms = plan.getForms();
  int64_t best = std::numeric_limits<int64_t>::min();
  auto consider = [&](unsigned loop, bool isAcross) {
    int64_t score = 0;
    for (const Linear *form : forms) {
      int64_t factor = form->getFactor(loop);
      score += factor == 1 ? 1 : factor == 0 ? 0 : -1;
    }
    if (score <= best)
      return;
    best = score;
    plan.lane = loop;
    plan.isAcross = isAcross;
  };
  for (unsigned loop : llvm::reverse(plan.reduced))
    consider(loop, false);
  for (unsigned loop : llvm::reverse(plan.kept))
    consider(loop, true);
  // It is the innermost of its kind.
  SmallVector<unsigned> &loops = plan.isAcross ? plan.kept : plan.reduced;
  if (plan.lane == ~0u)
    return;
  llvm::erase(loops, plan.lane);
  loops.push_back(plan.lane);
}

std::unique_ptr<RowPlan> RowPlanner::tryPlan(const LoopPlan &loops) {
  SmallVector<LoopRange> ranges;
  for (const auto &dim : loops.dims)
    for (const LoopPlan::Loop &loop : dim)
      ranges.push_back({0, loop.extent - 1});
  auto plan = std::make_unique<RowPlan>(body, loops, ranges);
  plan->remembered = remembered;
  LoopIndex index = getIndex(plan->space);
  findLoops(*plan, loops);
  plan->isComplete = addPasses(*plan, index) && addResults(*plan, index);
  return plan;
}

/// What was computed for the last pass and is computed again for results; what
/// is only read is as near where it is.
std::optional<unsigned>
RowPlanner::chooseRemembered(const RowPlan &plan) const {
  int64_t atOnce = plan.isAcross ? numSums : 1;
  if (plan.reduced.empty() || plan.getRowLength() * atOnce > maxRemembered)
    return std::nullopt;
  for (unsigned number : plan.passes.back()->reductions) {
    Value operand = body.resolve(rows.reductions[number].getOperand());
    if (getElementTypeOrSelf(operand.getType()).isF32() &&
        plan.perElement.getReader().computes(operand))
      return number;
  }
  return std::nullopt;
}

std::unique_ptr<RowPlan> RowPlanner::plan() {
  std::unique_ptr<RowPlan> plan = search();
  if (!plan)
    return nullptr;
  remembered = chooseRemembered(*plan);
  if (!remembered)
    return plan;
  std::unique_ptr<RowPlan> better = search();
  return better ? std::move(better) : std::move(plan);
}

std::unique_ptr<RowPlan> RowPlanner::search() {
  SmallVector<int64_t> shape;
  for (int64_t dim : getOrder())
    shape.push_back(rows.getShape()[dim]);
  LoopPlan loops = LoopPlan::get(shape);
  for (unsigned round = 0; round < maxRounds; ++round) {
    std::unique_ptr<RowPlan> plan = tryPlan(loops);
    // Another plan may lead to where this one does not.
    std::optional<LoopPlan> better = plan->space.getBetterPlan(1);
    if (!better)
      better = plan->space.getPlanOfBlocks(numSums);
    if (better) {
      loops = std::move(*better);
      continue;
    }
    if (!plan->isComplete)
      return nullptr;
    mergeLoops(*plan);
    chooseLane(*plan);
    return plan;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

namespace {
class RowEmitter {
public:
  RowEmitter(KernelBuilder &builder, const Rows &rows, const RowPlan &plan,
             unsigned lanes)
      : builder(builder), rows(rows), plan(plan), lanes(lanes) {
    if (plan.remembered)
      row = builder.allocate(plan.getRowLength() * (plan.isAcross ? lanes : 1));
  }

  /// False where an operator has no code.
  bool emit();
  int64_t getExtent() const {
    return plan.kept.empty() ? 1 : plan.space.getExtent(plan.kept.front());
  }

private:
  using Carried = SmallVector<Value>;

  /// One row, or as many as `width`.
  void emitRows(unsigned width);
  Reader::Scope getScope(const Reader &reader, unsigned width) const;
  void emitPass(const Pass &pass, unsigned width);
  Carried emitLoops(const Pass &pass, Reader::Scope scope,
                    ArrayRef<unsigned> loops);
  /// Turns of an innermost loop, each of `width` elements, which are vectors
  /// where they lie along the row.
  struct Turns {
    unsigned loop;
    Value from, to;
    unsigned width;
    bool isAlong;
  };
  Carried emitTurns(const Pass &pass, const Reader::Scope &scope,
                    const Turns &turns, ValueRange carried);
  Carried emitBlocks(const Pass &pass, const Reader::Scope &scope,
                     unsigned loop, int64_t extent, bool isAlong);
  Carried emitExtremes(const Pass &pass, const Reader::Scope &scope,
                       unsigned loop);
  Carried emitInnermost(const Pass &pass, const Reader::Scope &scope,
                        unsigned loop);
  Carried emitElement(const Pass &pass, Reader::Scope &scope,
                      ValueRange carried);
  Value getRememberedPlace(const Reader::Scope &scope);
  void emitPerElement(Reader::Scope scope, ArrayRef<unsigned> loops);

  Carried getNeutral(const Pass &pass, unsigned width);
  Carried combine(const Pass &pass, ValueRange a, ValueRange b);
  Carried combineLanes(const Pass &pass, ValueRange lanes);
  bool allowsVectors() const;

  KernelBuilder &builder;
  const Rows &rows;
  const RowPlan &plan;
  unsigned lanes;
  /// What is kept of a row.
  Value row;
  /// What the loops over rows count.
  SmallVector<Value> counts;
  /// Numbers of this row.
  DenseMap<Value, Value> numbers;
  bool hasCode = true;
};
} // namespace

bool RowEmitter::allowsVectors() const {
  return plan.lane != ~0u && plan.perElement.allowsVectors(plan.lane) &&
         plan.perRow.allowsVectors(plan.lane) &&
         llvm::all_of(plan.passes, [&](const std::unique_ptr<Pass> &pass) {
           return pass->reader.allowsVectors(plan.lane);
         });
}

Reader::Scope RowEmitter::getScope(const Reader &reader, unsigned width) const {
  Reader::Scope scope = reader.getScope();
  for (unsigned loop : plan.kept)
    scope.variables[loop] = counts[loop];
  scope.lane = plan.lane;
  scope.width = width;
  // What was defined comes first, in the order of reductions.
  unsigned next = 0;
  for (const Reduction &reduction : rows.reductions)
    if (Value number = numbers.lookup(reduction.getResult());
        number && next < reader.getNumDefined())
      scope.elements[next++] = number;
  return scope;
}

SmallVector<Value> RowEmitter::getNeutral(const Pass &pass, unsigned width) {
  Carried all;
  for (unsigned number : pass.reductions)
    llvm::append_range(all, rows.reductions[number].getNeutral(builder, width));
  return all;
}

SmallVector<Value> RowEmitter::combine(const Pass &pass, ValueRange a,
                                       ValueRange b) {
  Carried all;
  for (unsigned number : pass.reductions) {
    const Reduction &reduction = rows.reductions[number];
    unsigned count = reduction.getNumCarried();
    llvm::append_range(all, reduction.combine(builder, a.take_front(count),
                                              b.take_front(count)));
    a = a.drop_front(count);
    b = b.drop_front(count);
  }
  return all;
}

SmallVector<Value> RowEmitter::combineLanes(const Pass &pass,
                                            ValueRange lanes) {
  Carried all;
  for (unsigned number : pass.reductions) {
    const Reduction &reduction = rows.reductions[number];
    unsigned count = reduction.getNumCarried();
    llvm::append_range(
        all, reduction.combineLanes(builder, lanes.take_front(count)));
    lanes = lanes.drop_front(count);
  }
  return all;
}

/// Elements of one row lie side by side; of several, those that are computed at
/// once do.
Value RowEmitter::getRememberedPlace(const Reader::Scope &scope) {
  Value place = builder.number(0);
  int64_t stride = plan.isAcross ? scope.width : 1;
  for (unsigned loop : llvm::reverse(plan.reduced)) {
    place = builder.add(place, builder.mul(scope.variables[loop], stride));
    stride *= plan.space.getExtent(loop);
  }
  return place;
}

SmallVector<Value> RowEmitter::emitElement(const Pass &pass,
                                           Reader::Scope &scope,
                                           ValueRange carried) {
  hasCode = hasCode && pass.reader.emit(builder, scope);
  if (!hasCode)
    return Carried(carried);
  Carried prepared;
  for (auto [number, element, position] :
       llvm::zip_equal(pass.reductions, pass.elements, pass.positions)) {
    const Reduction &reduction = rows.reductions[number];
    Value value = builder.spread(scope.elements[element], scope.width);
    if (plan.remembered == number)
      builder.storeFloats(value, row, getRememberedPlace(scope));
    // Where it is in its row.
    Value place =
        reduction.getSearched()
            ? pass.reader.emitWide(builder, scope, position, scope.width)
            : Value();
    llvm::append_range(prepared, reduction.prepare(builder, value, place));
  }
  return combine(pass, carried, prepared);
}

/// How many elements are added up before their sum is added to others: about as
/// many as there are such sums then, as an error grows with the longer chain of
/// the two.
static int64_t getBlock(int64_t turns) {
  auto root = uint64_t(std::sqrt(double(turns)));
  return std::max<int64_t>(llvm::bit_ceil(root), leastBlock);
}

SmallVector<Value> RowEmitter::emitTurns(const Pass &pass,
                                         const Reader::Scope &scope,
                                         const Turns &turns,
                                         ValueRange carried) {
  ValueRange sums =
      builder.loop(turns.from, turns.to, turns.width, carried,
                   [&](Value count, ValueRange own) {
                     Reader::Scope inner = scope;
                     inner.variables[turns.loop] = count;
                     inner.width = turns.isAlong ? turns.width : scope.width;
                     return emitElement(pass, inner, own);
                   });
  return Carried(sums);
}

SmallVector<Value> RowEmitter::emitBlocks(const Pass &pass,
                                          const Reader::Scope &scope,
                                          unsigned loop, int64_t extent,
                                          bool isAlong) {
  unsigned width = isAlong ? numSums : 1;
  Carried sums = getNeutral(pass, isAlong ? numSums : scope.width);
  int64_t block = getBlock(extent / width) * width;
  int64_t whole = extent > block ? extent - extent % block : 0;
  if (whole != 0)
    sums = Carried(builder.loop(
        builder.number(0), builder.number(whole), block, sums,
        [&](Value from, ValueRange own) {
          Value to = builder.add(from, builder.number(block));
          Carried neutral = getNeutral(pass, isAlong ? numSums : scope.width);
          return combine(pass, own,
                         emitTurns(pass, scope,
                                   {loop, from, to, width, isAlong}, neutral));
        }));
  if (whole == extent)
    return sums;
  return emitTurns(
      pass, scope,
      {loop, builder.number(whole), builder.number(extent), width, isAlong},
      sums);
}

/// The largest or smallest of a row is the same in any order: so many elements
/// at once that they do not wait for one another, then vectors, the last of
/// which may have elements in common with what is in front of it.
SmallVector<Value> RowEmitter::emitExtremes(const Pass &pass,
                                            const Reader::Scope &scope,
                                            unsigned loop) {
  int64_t extent = plan.space.getExtent(loop), whole = 0;
  unsigned wide = std::max(numSums, 4 * lanes);
  auto emitVectors = [&](int64_t from, int64_t to, unsigned width) {
    Value last = builder.number(extent - width);
    return combineLanes(
        pass, Carried(builder.loop(
                  builder.number(from), builder.number(to), width,
                  getNeutral(pass, width), [&](Value count, ValueRange own) {
                    Reader::Scope inner = scope;
                    inner.variables[loop] = builder.min(count, last);
                    inner.width = width;
                    return emitElement(pass, inner, own);
                  })));
  };
  Carried most = getNeutral(pass, 1);
  if (extent >= wide) {
    whole = extent - extent % wide;
    most = emitVectors(0, whole, wide);
  }
  return whole == extent
             ? most
             : combine(pass, most, emitVectors(whole, extent, numSums));
}

SmallVector<Value> RowEmitter::emitInnermost(const Pass &pass,
                                             const Reader::Scope &scope,
                                             unsigned loop) {
  int64_t extent = plan.space.getExtent(loop);
  bool isAlong = !plan.isAcross && allowsVectors() && extent >= numSums;
  if (!isAlong)
    return emitBlocks(pass, scope, loop, extent, /*isAlong=*/false);
  if (llvm::all_of(pass.reductions, [&](unsigned number) {
        return rows.reductions[number].isInAnyOrder();
      }))
    return emitExtremes(pass, scope, loop);
  int64_t whole = extent - extent % numSums;
  Carried sum = combineLanes(
      pass, emitBlocks(pass, scope, loop, whole, /*isAlong=*/true));
  if (whole == extent)
    return sum;
  return emitTurns(
      pass, scope,
      {loop, builder.number(whole), builder.number(extent), 1, true}, sum);
}

/// Sums of inner loops are added to those of the outer ones.
SmallVector<Value> RowEmitter::emitLoops(const Pass &pass, Reader::Scope scope,
                                         ArrayRef<unsigned> loops) {
  hasCode = hasCode && pass.reader.emit(builder, scope, loops);
  if (!hasCode)
    return getNeutral(pass, scope.width);
  if (loops.empty())
    return emitElement(pass, scope, getNeutral(pass, scope.width));
  if (loops.size() == 1)
    return emitInnermost(pass, scope, loops.front());
  unsigned loop = loops.front();
  ValueRange sums = builder.loop(
      builder.number(0), builder.number(plan.space.getExtent(loop)), 1,
      getNeutral(pass, scope.width), [&](Value count, ValueRange carried) {
        scope.variables[loop] = count;
        return combine(pass, carried,
                       emitLoops(pass, scope, loops.drop_front()));
      });
  return Carried(sums);
}

void RowEmitter::emitPass(const Pass &pass, unsigned width) {
  Carried sums = emitLoops(pass, getScope(pass.reader, width), plan.reduced);
  if (!hasCode)
    return;
  ValueRange left = sums;
  for (unsigned number : pass.reductions) {
    const Reduction &reduction = rows.reductions[number];
    unsigned count = reduction.getNumCarried();
    numbers[reduction.getResult()] =
        reduction.finish(builder, left.take_front(count));
    left = left.drop_front(count);
  }
}

void RowEmitter::emitPerElement(Reader::Scope scope, ArrayRef<unsigned> loops) {
  if (plan.remembered && loops.empty())
    scope.elements[plan.rememberedElement] =
        builder.loadFloats(row, getRememberedPlace(scope), scope.width);
  hasCode = hasCode && plan.perElement.getReader().emit(builder, scope, loops);
  if (!hasCode)
    return;
  if (loops.empty()) {
    hasCode = plan.perElement.emit(builder, scope);
    return;
  }
  unsigned loop = loops.front();
  auto emitInside = [&](Value count, unsigned width) {
    Reader::Scope inner = scope;
    inner.variables[loop] = count;
    inner.width = width;
    emitPerElement(inner, loops.drop_front());
  };
  int64_t extent = plan.space.getExtent(loop);
  bool isVector =
      !plan.isAcross && loop == plan.lane && allowsVectors() && extent >= lanes;
  unsigned most = extent >= numSums ? std::max(lanes, numSums) : lanes;
  builder.loopInVectors(builder.number(0), builder.number(extent),
                        isVector ? most : 1, [&](Value count, unsigned width) {
                          emitInside(count, isVector ? width : scope.width);
                        });
}

void RowEmitter::emitRows(unsigned width) {
  numbers.clear();
  for (const std::unique_ptr<Pass> &pass : plan.passes)
    if (hasCode)
      emitPass(*pass, width);
  if (hasCode && plan.storesRows) {
    Reader::Scope scope = getScope(plan.perRow.getReader(), width);
    hasCode = plan.perRow.emit(builder, scope);
  }
  if (hasCode && plan.storesElements)
    emitPerElement(getScope(plan.perElement.getReader(), width), plan.reduced);
}

bool RowEmitter::emit() {
  OpBuilder::InsertionGuard guard(builder.getBuilder());
  counts.resize(plan.space.getNumLoops());
  Value from = builder.getBegin(), to = builder.getEnd();
  if (plan.kept.empty()) {
    builder.loop(from, to, 1, [&](Value) { emitRows(1); });
    return hasCode;
  }
  for (unsigned loop : ArrayRef(plan.kept).drop_back()) {
    builder.enterLoop(from, to, counts[loop]);
    unsigned next =
        plan.kept[llvm::find(plan.kept, loop) - plan.kept.begin() + 1];
    from = builder.number(0);
    to = builder.number(plan.space.getExtent(next));
  }
  unsigned last = plan.kept.back(), width = 1;
  if (plan.isAcross && allowsVectors())
    for (width = lanes; width > plan.space.getExtent(last);)
      width /= 2;
  builder.loopInVectors(from, to, width, [&](Value count, unsigned own) {
    counts[last] = count;
    if (hasCode)
      emitRows(own);
  });
  return hasCode;
}

std::optional<int64_t> inlay::emitRows(const KernelBody &body,
                                       const TemplateTarget &target) {
  std::optional<Rows> rows = matchRows(body);
  if (!rows)
    return std::nullopt;
  std::unique_ptr<RowPlan> plan = RowPlanner(body, *rows).plan();
  if (!plan)
    return std::nullopt;
  KernelBuilder builder(target.module, target.name, body);
  RowEmitter emitter(builder, *rows, *plan, target.unit.lanes);
  if (emitter.emit())
    return emitter.getExtent();
  builder.discard();
  return std::nullopt;
}
