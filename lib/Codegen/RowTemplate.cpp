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

#include "OpenDims.h"
#include "RowPlan.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

static constexpr unsigned numSums = RowPlan::numSums;
static constexpr int64_t leastBlock = 32;

namespace {
class RowEmitter {
public:
  RowEmitter(KernelBuilder &builder, const Rows &rows, const RowPlan &plan,
             const VectorUnit &unit)
      : builder(builder), rows(rows), plan(plan), unit(unit),
        lanes(unit.lanes) {
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
  void emitPass(const RowPass &pass, unsigned width);
  Carried emitLoops(const RowPass &pass, Reader::Scope scope,
                    ArrayRef<unsigned> loops);
  /// Turns of an innermost loop, each of `width` elements, which are vectors
  /// where they lie along the row.
  struct Turns {
    unsigned loop;
    Value from, to;
    unsigned width;
    bool isAlong;
  };
  Carried emitTurns(const RowPass &pass, const Reader::Scope &scope,
                    const Turns &turns, ValueRange carried);
  Carried emitBlocks(const RowPass &pass, const Reader::Scope &scope,
                     unsigned loop, int64_t extent, bool isAlong);
  Carried emitOpenBlocks(const RowPass &pass, const Reader::Scope &scope,
                         unsigned loop);
  Carried emitExtremes(const RowPass &pass, const Reader::Scope &scope,
                       unsigned loop);
  Carried emitInnermost(const RowPass &pass, const Reader::Scope &scope,
                        unsigned loop);
  Carried emitElement(const RowPass &pass, Reader::Scope &scope,
                      ValueRange carried);
  Value getRememberedPlace(const Reader::Scope &scope);
  void emitPerElement(Reader::Scope scope, ArrayRef<unsigned> loops);

  Value getEnd(unsigned loop);
  Carried getNeutral(const RowPass &pass, unsigned width);
  Carried combine(const RowPass &pass, ValueRange a, ValueRange b);
  Carried combineLanes(const RowPass &pass, ValueRange lanes);
  bool allowsVectors() const;
  int64_t getAhead() const;

  KernelBuilder &builder;
  const Rows &rows;
  const RowPlan &plan;
  const VectorUnit &unit;
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
         llvm::all_of(plan.passes, [&](const std::unique_ptr<RowPass> &pass) {
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

SmallVector<Value> RowEmitter::getNeutral(const RowPass &pass, unsigned width) {
  Carried all;
  for (unsigned number : pass.reductions)
    llvm::append_range(all, rows.reductions[number].getNeutral(builder, width));
  return all;
}

SmallVector<Value> RowEmitter::combine(const RowPass &pass, ValueRange a,
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

SmallVector<Value> RowEmitter::combineLanes(const RowPass &pass,
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

SmallVector<Value> RowEmitter::emitElement(const RowPass &pass,
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

SmallVector<Value> RowEmitter::emitTurns(const RowPass &pass,
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

SmallVector<Value> RowEmitter::emitBlocks(const RowPass &pass,
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

/// How many turns of a loop over what is reduced there are.
Value RowEmitter::getEnd(unsigned loop) {
  auto length = plan.lengths.find(loop);
  return length == plan.lengths.end()
             ? builder.number(plan.space.getExtent(loop))
             : builder.getLength(length->second);
}

/// The same blocks of a loop that ends anywhere.
SmallVector<Value> RowEmitter::emitOpenBlocks(const RowPass &pass,
                                              const Reader::Scope &scope,
                                              unsigned loop) {
  Value end = getEnd(loop);
  int64_t block = getBlock(plan.space.getExtent(loop));
  return Carried(builder.loop(
      builder.number(0), end, block, getNeutral(pass, scope.width),
      [&](Value from, ValueRange own) {
        Value to = builder.min(end, builder.add(from, builder.number(block)));
        return combine(
            pass, own,
            emitTurns(pass, scope,
                      {loop, from, to, /*width=*/1, /*isAlong=*/false},
                      getNeutral(pass, scope.width)));
      }));
}

/// The largest or smallest of a row is the same in any order: so many elements
/// at once that they do not wait for one another, then vectors, the last of
/// which may have elements in common with what is in front of it.
SmallVector<Value> RowEmitter::emitExtremes(const RowPass &pass,
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

SmallVector<Value> RowEmitter::emitInnermost(const RowPass &pass,
                                             const Reader::Scope &scope,
                                             unsigned loop) {
  if (plan.lengths.contains(loop))
    return emitOpenBlocks(pass, scope, loop);
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
SmallVector<Value> RowEmitter::emitLoops(const RowPass &pass,
                                         Reader::Scope scope,
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
      builder.number(0), getEnd(loop), 1, getNeutral(pass, scope.width),
      [&](Value count, ValueRange carried) {
        scope.variables[loop] = count;
        return combine(pass, carried,
                       emitLoops(pass, scope, loops.drop_front()));
      });
  return Carried(sums);
}

void RowEmitter::emitPass(const RowPass &pass, unsigned width) {
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

/// The next row is asked for in the last pass, which computes most: the others
/// find it in a cache.
int64_t RowEmitter::getAhead() const {
  int64_t least = unit.elementsAhead;
  return least == 0 || plan.isAcross ? 0 : std::max(least, plan.getRowLength());
}

void RowEmitter::emitRows(unsigned width) {
  numbers.clear();
  for (const std::unique_ptr<RowPass> &pass : plan.passes) {
    if (&pass == &plan.passes.back())
      builder.setAhead({getAhead(), 0});
    if (hasCode)
      emitPass(*pass, width);
  }
  builder.setAhead({});
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

/// Whether nothing else of a body has elements that meet along lengths.
static bool areAll(const Rows &rows, const KernelBody &body) {
  return llvm::all_of(body.ops, [&](Operation *op) {
    return !body.open->meets(op) ||
           llvm::any_of(rows.reductions, [&](const Reduction &own) {
             return own.getOperation() == op;
           });
  });
}

std::optional<TemplateLoops> inlay::emitRows(const KernelBody &body,
                                             const TemplateTarget &target) {
  std::optional<Rows> rows = matchRows(body);
  if (!rows)
    return std::nullopt;
  std::unique_ptr<RowPlan> plan = RowPlan::make(body, *rows);
  if (!plan)
    return std::nullopt;
  KernelBuilder builder(target.module, target.name, body);
  RowEmitter emitter(builder, *rows, *plan, target.unit);
  if (emitter.emit())
    return TemplateLoops(emitter.getExtent(),
                         plan->endsAtLengths && areAll(*rows, body));
  builder.discard();
  return std::nullopt;
}
