//===- LaneTemplate.cpp - What goes along an axis step by step ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Running sums and the k best: a loop over lanes, the elements that differ in
// their place along the axis only, and inside one along the lane.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "KernelBuilder.h"
#include "Templates.h"
#include "inlay/IR/TypeInference.h"

using namespace inlay;
using namespace mlir;

/// A place of the order costs a pass over the lane: the reference's sort is
/// faster for more than these.
static constexpr int64_t maxBest = 64;

namespace {
/// The elements of an axis and of the dimensions behind it.
struct LaneAxis {
  Value size, inner;
};

/// A lane of a tensor.
struct Lane {
  /// Its number in front of the axis and its place behind it.
  Value outer, place;
};
} // namespace

static LaneAxis getAxis(KernelBuilder &b, ArrayRef<int64_t> shape,
                        int64_t axis) {
  return {b.number(shape[axis]),
          b.number(ShapedType::getNumElements(shape.drop_front(axis + 1)))};
}

static Lane getLane(KernelBuilder &b, Value number, const LaneAxis &axis) {
  return {b.create<arith::DivUIOp>(number, axis.inner),
          b.create<arith::RemUIOp>(number, axis.inner)};
}

/// Where a lane's element `index` is, of `size` elements.
static Value getOffset(KernelBuilder &b, const Lane &lane, Value size,
                       Value inner, Value index) {
  Value row = b.add(b.create<arith::MulIOp>(lane.outer, size), index);
  return b.add(b.create<arith::MulIOp>(row, inner), lane.place);
}

/// A step that is one operator whose operand 0 is read.
static Operation *getOnly(const KernelBody &body) {
  if (body.ops.size() != 1)
    return nullptr;
  Operation *op = body.ops.front();
  bool areOwn = llvm::all_of(body.yielded, [&](Value value) {
    return value.getDefiningOp() == op && hasCodeType(value);
  });
  Value input =
      op->getNumOperands() ? body.resolve(op->getOperand(0)) : Value();
  bool isRead = input && body.isRead(input) && hasCodeType(input) &&
                !getElementTypeOrSelf(input.getType()).isInteger(1);
  return areOwn && isRead ? op : nullptr;
}

//===----------------------------------------------------------------------===//
// Running sums
//===----------------------------------------------------------------------===//

/// The axis where it is known before the program runs.
static std::optional<int64_t> getKnownAxis(CumSumOp op, int64_t rank) {
  if (op.getAxis())
    return normalizeAxis(*op.getAxis(), rank);
  MaybeInts ints = getKnownInts(op.getAxisOperand());
  if (!ints || ints->size() != 1 || ShapedType::isDynamic(ints->front()))
    return std::nullopt;
  return normalizeAxis(ints->front(), rank);
}

/// An axis that is read: of all that it may be, the one that it is.
static LaneAxis readAxis(KernelBuilder &b, ArrayRef<int64_t> shape,
                         unsigned read) {
  Value given = b.load(read, b.number(0), 0, 1);
  if (!given.getType().isInteger(64))
    given = b.create<arith::ExtSIOp>(b.getBuilder().getI64Type(), given);
  LaneAxis axis = getAxis(b, shape, 0);
  auto isGiven = [&](int64_t number) {
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, given,
                                   b.number(number));
  };
  int64_t rank = shape.size();
  for (int64_t dim = 1; dim < rank; ++dim) {
    Value isThis = b.create<arith::OrIOp>(isGiven(dim), isGiven(dim - rank));
    LaneAxis own = getAxis(b, shape, dim);
    axis.size = b.create<arith::SelectOp>(isThis, own.size, axis.size);
    axis.inner = b.create<arith::SelectOp>(isThis, own.inner, axis.inner);
  }
  return axis;
}

/// Floats are summed in double and rounded where they are stored.
static void emitSums(KernelBuilder &b, CumSumOp op, unsigned read,
                     const LaneAxis &axis, const Lane &lane) {
  Type element = getElementTypeOrSelf(op.getInput().getType());
  bool isFloat = isa<FloatType>(element);
  Type type =
      isFloat ? Type(b.getBuilder().getF64Type()) : getRegisterType(element);
  Value last = b.sub(axis.size, b.number(1));
  b.loop(b.number(0), axis.size, 1, ValueRange(b.constant(type, 0)),
         [&](Value count, ValueRange carried) {
           Value index = op.getReverse() ? b.sub(last, count) : count;
           Value at = getOffset(b, lane, axis.size, axis.inner, index);
           Value own = b.load(read, at, 0, 1);
           if (own.getType() != type)
             own = b.create<arith::ExtFOp>(type, own);
           Value sum = carried.front();
           Value next = isFloat ? Value(b.create<arith::AddFOp>(sum, own))
                                : b.add(sum, own);
           Value stored = op.getExclusive() ? sum : next;
           if (isFloat && !element.isF64())
             stored =
                 emitCast(Elements(b.getBuilder(), op, stored), type, element);
           b.store(stored, 0, at, 0);
           return SmallVector<Value>{next};
         });
}

static std::optional<int64_t> emit(CumSumOp op, const KernelBody &body,
                                   const TemplateTarget &target) {
  Value input = body.resolve(op.getInput());
  ArrayRef<int64_t> shape = getExtents(input);
  std::optional<int64_t> known = getKnownAxis(op, shape.size());
  Value given =
      op.getAxisOperand() ? body.resolve(op.getAxisOperand()) : Value();
  if (shape.empty() ||
      (!known && !(given && body.isRead(given) && hasCodeType(given))))
    return std::nullopt;
  int64_t count = ShapedType::getNumElements(shape);
  KernelBuilder b(target.module, target.name, body);
  if (count == 0)
    return 0;
  LaneAxis axis = known ? getAxis(b, shape, *known)
                        : readAxis(b, shape, body.getReadNumber(given));
  // As many lanes as there are of the shortest axis it may be.
  int64_t extent = count / (known ? shape[*known] : *llvm::min_element(shape));
  Value lanes = b.create<arith::DivUIOp>(b.number(count), axis.size);
  b.loop(b.getBegin(), b.min(b.getEnd(), lanes), 1, [&](Value number) {
    emitSums(b, op, body.getReadNumber(input), axis, getLane(b, number, axis));
  });
  return extent;
}

//===----------------------------------------------------------------------===//
// The k best
//===----------------------------------------------------------------------===//

namespace {
/// An element and its place along the axis; none is at -1.
struct Candidate {
  Value element, index;
};
} // namespace

static Value isNone(KernelBuilder &b, const Candidate &candidate) {
  return b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, candidate.index,
                                 b.number(0));
}

/// Less than, with NaN above every number.
static Value emitBelow(KernelBuilder &b, Type element, Value x, Value y) {
  using enum arith::CmpFPredicate;
  if (!isa<FloatType>(element))
    return b.create<arith::CmpIOp>(element.isUnsignedInteger()
                                       ? arith::CmpIPredicate::ult
                                       : arith::CmpIPredicate::slt,
                                   x, y);
  Value isLast = b.create<arith::AndIOp>(b.create<arith::CmpFOp>(ORD, x, x),
                                         b.create<arith::CmpFOp>(UNO, y, y));
  return b.create<arith::OrIOp>(b.create<arith::CmpFOp>(OLT, x, y), isLast);
}

/// Whether `x` comes in front of `y`; of equal ones the first does.
static Value emitBefore(KernelBuilder &b, TopKOp op, Candidate x, Candidate y) {
  Type element = getElementTypeOrSelf(op.getInput().getType());
  Value isFirst =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, x.index, y.index);
  Value isBelow = emitBelow(b, element, x.element, y.element),
        isAbove = emitBelow(b, element, y.element, x.element);
  if (op.getLargest())
    std::swap(isBelow, isAbove);
  Value no = b.create<arith::ConstantIntOp>(0, 1);
  return b.create<arith::OrIOp>(
      isBelow, b.create<arith::SelectOp>(isAbove, no, isFirst));
}

/// The best of those behind `previous`.
static Candidate emitNext(KernelBuilder &b, TopKOp op, unsigned read,
                          const LaneAxis &axis, const Lane &lane,
                          Candidate previous) {
  Type type = previous.element.getType();
  ValueRange found =
      b.loop(b.number(0), axis.size, 1,
             ValueRange({b.constant(type, 0), b.number(-1)}),
             [&](Value index, ValueRange carried) {
               Candidate best{carried[0], carried[1]};
               Value at = getOffset(b, lane, axis.size, axis.inner, index);
               Candidate own{b.load(read, at, 0, 1), index};
               Value isLeft = b.create<arith::OrIOp>(
                   isNone(b, previous), emitBefore(b, op, previous, own));
               Value isBetter = b.create<arith::OrIOp>(
                   isNone(b, best), emitBefore(b, op, own, best));
               Value isTaken = b.create<arith::AndIOp>(isLeft, isBetter);
               auto take = [&](Value taken, Value kept) -> Value {
                 return b.create<arith::SelectOp>(isTaken, taken, kept);
               };
               return SmallVector<Value>{take(own.element, best.element),
                                         take(own.index, best.index)};
             });
  return {found[0], found[1]};
}

static std::optional<int64_t> emit(TopKOp op, const KernelBody &body,
                                   const TemplateTarget &target) {
  Value input = body.resolve(op.getInput());
  ArrayRef<int64_t> shape = getExtents(input);
  std::optional<int64_t> dim = normalizeAxis(op.getAxis(), shape.size());
  if (!dim)
    return std::nullopt;
  int64_t best = getExtents(body.yielded.front())[*dim];
  if (best > maxBest || best > shape[*dim])
    return std::nullopt;
  KernelBuilder b(target.module, target.name, body);
  int64_t count = ShapedType::getNumElements(shape);
  if (count == 0)
    return 0;
  LaneAxis axis = getAxis(b, shape, *dim);
  Type type = getRegisterType(getElementTypeOrSelf(input.getType()));
  b.loop(b.getBegin(), b.getEnd(), 1, [&](Value number) {
    Lane lane = getLane(b, number, axis);
    b.loop(b.number(0), b.number(best), 1,
           ValueRange({b.constant(type, 0), b.number(-1)}),
           [&](Value place, ValueRange carried) {
             Candidate next = emitNext(b, op, body.getReadNumber(input), axis,
                                       lane, {carried[0], carried[1]});
             Value at = getOffset(b, lane, b.number(best), axis.inner, place);
             for (auto [i, value] : llvm::enumerate(body.yielded))
               b.store(value == op.getValues() ? next.element : next.index, i,
                       at, 0);
             return SmallVector<Value>{next.element, next.index};
           });
  });
  return count / shape[*dim];
}

std::optional<TemplateLoops> inlay::emitLanes(const KernelBody &body,
                                              const TemplateTarget &target) {
  Operation *op = getOnly(body);
  if (auto sums = dyn_cast_or_null<CumSumOp>(op))
    return emit(sums, body, target);
  if (auto best = dyn_cast_or_null<TopKOp>(op))
    return emit(best, body, target);
  return std::nullopt;
}
