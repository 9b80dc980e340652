//===- Reductions.cpp - What makes one number of many ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"
#include "Elements.h"
#include "Nests.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/Windows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// The dimensions that are gone, or one, in the result; false where several
/// would do.
static bool findReduced(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                        bool keepsDims, SmallVector<int64_t> &dims) {
  size_t next = 0;
  for (auto [dim, extent] : llvm::enumerate(from)) {
    bool isKept = next < to.size() && to[next] == extent;
    bool mayBeGone = !keepsDims && from.size() - dim > to.size() - next;
    // One of a row of equal extents is gone, and nothing says which.
    if (isKept && mayBeGone && extent != 1)
      return false;
    if (isKept) {
      ++next;
      continue;
    }
    dims.push_back(dim);
    next += keepsDims;
  }
  return next == to.size();
}

/// Sets the dimensions; false where they are not known.
template <typename OpT> static bool readDims(OpT op, Reduction &reduction) {
  bool areKept = op.getKeepdims() != 0;
  ArrayRef<int64_t> from = getExtents(op.getInput());
  SmallVector<int64_t> dims;
  if (op.getAxesOperand()) {
    if (!findReduced(from, getExtents(op.getResult()), areKept, dims))
      return false;
  } else {
    dims = resolveReducedAxes(op.getAxes().value_or(ArrayRef<int64_t>()),
                              op.getNoopWithEmptyAxes() != 0, from.size());
  }
  reduction.setDims(dims, areKept);
  return true;
}

/// Everything but batch and channels.
static bool readSpatial(Value input, Reduction &reduction) {
  reduction.setDims(getSpatialDims(getExtents(input).size()));
  return true;
}
static bool readDims(GlobalAveragePoolOp op, Reduction &reduction) {
  return readSpatial(op.getInput(), reduction);
}
static bool readDims(GlobalMaxPoolOp op, Reduction &reduction) {
  return readSpatial(op.getInput(), reduction);
}

template <typename OpT> static bool readSearched(OpT op, Reduction &reduction) {
  reduction.setSearch(op.getSelectLastIndex() != 0);
  reduction.setDims({int64_t(op.getAxis())}, op.getKeepdims() != 0);
  return true;
}
static bool readDims(ArgMaxOp op, Reduction &reduction) {
  return readSearched(op, reduction);
}
static bool readDims(ArgMinOp op, Reduction &reduction) {
  return readSearched(op, reduction);
}

namespace {
using Combine = Reduction::Combine;
using Before = Reduction::Before;
using After = Reduction::After;

template <typename OpT, Combine how, Before before, After after>
struct ReductionNest
    : NestOpInterface::ExternalModel<ReductionNest<OpT, how, before, after>,
                                     OpT> {
  std::optional<Reduction> getReduction(Operation *op) const {
    Reduction reduction(op, how, before, after);
    return readDims(cast<OpT>(op), reduction) ? std::optional(reduction)
                                              : std::nullopt;
  }
};
} // namespace

template <typename OpT, Combine how, Before before = Before::Nothing,
          After after = After::Nothing>
static void attach(MLIRContext &context) {
  OpT::template attachInterface<ReductionNest<OpT, how, before, after>>(
      context);
}

void inlay::registerReductionNests(MLIRContext &context) {
  using enum Combine;
  attach<ReduceSumOp, Sum>(context);
  attach<ReduceMeanOp, Sum, Before::Nothing, After::Mean>(context);
  attach<GlobalAveragePoolOp, Sum, Before::Nothing, After::Mean>(context);
  attach<ReduceMaxOp, Max>(context);
  attach<GlobalMaxPoolOp, Max>(context);
  attach<ArgMaxOp, Max>(context);
  attach<ReduceMinOp, Min>(context);
  attach<ArgMinOp, Min>(context);
  attach<ReduceProdOp, Product>(context);
  attach<ReduceL1Op, Sum, Before::Magnitude>(context);
  attach<ReduceSumSquareOp, Sum, Before::Square>(context);
  attach<ReduceL2Op, Sum, Before::Square, After::Root>(context);
  attach<ReduceLogSumOp, Sum, Before::Nothing, After::Logarithm>(context);
}

//===----------------------------------------------------------------------===//
// Whether there is code
//===----------------------------------------------------------------------===//

/// Counts dimensions from the front, ascending; false where one is none.
bool Reduction::settle() {
  int64_t rank = getExtents(getOperand()).size();
  for (int64_t &dim : dims) {
    std::optional<int64_t> place = normalizeAxis(dim, rank);
    if (!place)
      return false;
    dim = *place;
  }
  llvm::sort(dims);
  // What nothing is reduced of may be left as it is, or not.
  bool isPlain = before == Before::Nothing &&
                 (after == After::Nothing || after == After::Mean);
  return !dims.empty() || isPlain || op->getNumOperands() < 2;
}

Type Reduction::getElement() const {
  return getRegisterType(getElementTypeOrSelf(getOperand().getType()));
}

/// Products leave the range of f32 on the way to a result inside of it, and
/// infinity times zero is none.
Type Reduction::getCarried() const {
  Type element = getElement();
  return how == Combine::Product && element.isF32()
             ? Float64Type::get(element.getContext())
             : element;
}

bool Reduction::isUnsigned() const {
  Type element = getElementTypeOrSelf(getOperand().getType());
  return element.isUnsignedInteger() || element.isInteger(1);
}

/// Means and roots of integers are not integers; sums of booleans are none.
bool Reduction::hasCode() const {
  Type element = getElement();
  bool isExtreme = how == Combine::Max || how == Combine::Min;
  if (element.isInteger(1))
    return isExtreme;
  if (isa<IntegerType>(element))
    return after == After::Nothing && before != Before::Magnitude;
  return after != After::Logarithm || element.isF32();
}

std::optional<Reduction> Reduction::get(Operation *op) {
  auto nest = dyn_cast<NestOpInterface>(op);
  if (!nest || op->getNumResults() != 1 || !hasCodeType(op->getResult(0)) ||
      !hasCodeType(op->getOperand(0)))
    return std::nullopt;
  std::optional<Reduction> reduction = nest.getReduction();
  if (!reduction || !reduction->settle() || !reduction->hasCode())
    return std::nullopt;
  return reduction;
}

LoopIndex Reduction::getResultIndex(const LoopIndex &operand) const {
  LoopIndex index;
  for (auto [dim, place] : llvm::enumerate(operand))
    if (!llvm::is_contained(dims, int64_t(dim)))
      index.push_back(place);
    else if (keepsDims)
      index.push_back({});
  return index;
}

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

double Reduction::getNeutral() const {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (how) {
  case Combine::Sum:
    return 0;
  case Combine::Product:
    return 1;
  case Combine::Max:
    return -infinity;
  default:
    return infinity;
  }
}

/// The least or largest integer of a type.
static Value getExtreme(KernelBuilder &builder, Type type, bool isLeast,
                        bool isUnsigned) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  APInt value =
      isUnsigned ? (isLeast ? APInt::getZero(width) : APInt::getMaxValue(width))
                 : (isLeast ? APInt::getSignedMinValue(width)
                            : APInt::getSignedMaxValue(width));
  TypedAttr attr = IntegerAttr::get(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return builder.create<arith::ConstantOp>(attr);
}

SmallVector<Value> Reduction::getNeutral(KernelBuilder &builder,
                                         unsigned width) const {
  Type type = getWide(getCarried(), width);
  bool isExtreme = how == Combine::Max || how == Combine::Min;
  SmallVector<Value> values;
  if (isExtreme && isa<IntegerType>(getElement()))
    values.push_back(
        getExtreme(builder, type, how == Combine::Max, isUnsigned()));
  else
    values.push_back(builder.constant(type, getNeutral()));
  // An element that is no better is taken nevertheless.
  if (search)
    values.push_back(
        getExtreme(builder, getWide(builder.getBuilder().getI64Type(), width),
                   searchesLast, /*isUnsigned=*/false));
  return values;
}

/// The same number, or numbers, as `element`.
static Value convert(KernelBuilder &builder, Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  auto vector = dyn_cast<VectorType>(value.getType());
  Type type = vector ? Type(vector.clone(element)) : element;
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return builder.create<arith::ExtFOp>(type, value);
  return builder.create<arith::TruncFOp>(type, value);
}

SmallVector<Value> Reduction::prepare(KernelBuilder &builder, Value element,
                                      Value position) const {
  if (search)
    return {element, position};
  if (before == Before::Magnitude)
    return {builder.create<math::AbsFOp>(element)};
  if (before == Before::Nothing)
    return {convert(builder, element, getCarried())};
  return {isa<FloatType>(getElement())
              ? builder.create<arith::MulFOp>(element, element)
              : Value(builder.create<arith::MulIOp>(element, element))};
}

/// Whether `a` is larger (smaller) than `b`.
Value Reduction::isAhead(KernelBuilder &builder, Value a, Value b) const {
  using enum arith::CmpIPredicate;
  bool isMax = how == Combine::Max;
  if (isa<FloatType>(getElement()))
    return builder.create<arith::CmpFOp>(
        isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, a, b);
  arith::CmpIPredicate predicate =
      isUnsigned() ? (isMax ? ugt : ult) : (isMax ? sgt : slt);
  return builder.create<arith::CmpIOp>(predicate, a, b);
}

/// `b` where it is ahead of `a`, or no number, or as good and in front of it.
SmallVector<Value> Reduction::choose(KernelBuilder &builder, ValueRange a,
                                     ValueRange b) const {
  auto create = [&](auto predicate, Value x, Value y) -> Value {
    if constexpr (std::is_same_v<decltype(predicate), arith::CmpFPredicate>)
      return builder.create<arith::CmpFOp>(predicate, x, y);
    else
      return builder.create<arith::CmpIOp>(predicate, x, y);
  };
  Value takes = isAhead(builder, b[0], a[0]), isTie;
  if (isa<FloatType>(getElement())) {
    Value isNan = create(arith::CmpFPredicate::UNO, b[0], b[0]);
    Value wasNan = create(arith::CmpFPredicate::UNO, a[0], a[0]);
    isTie = builder.create<arith::OrIOp>(
        create(arith::CmpFPredicate::OEQ, a[0], b[0]),
        builder.create<arith::AndIOp>(isNan, wasNan));
    takes = builder.create<arith::OrIOp>(takes, isNan);
  } else {
    isTie = create(arith::CmpIPredicate::eq, a[0], b[0]);
  }
  if (!search)
    return {builder.create<arith::SelectOp>(takes, b[0], a[0])};
  Value isInFront = create(searchesLast ? arith::CmpIPredicate::sgt
                                        : arith::CmpIPredicate::slt,
                           b[1], a[1]);
  takes = builder.create<arith::SelectOp>(isTie, isInFront, takes);
  return {builder.create<arith::SelectOp>(takes, b[0], a[0]),
          builder.create<arith::SelectOp>(takes, b[1], a[1])};
}

SmallVector<Value> Reduction::combine(KernelBuilder &builder, ValueRange a,
                                      ValueRange b) const {
  bool isFloat = isa<FloatType>(getElement());
  if (skipsNan)
    return {builder.create<arith::MaxNumFOp>(a[0], b[0])};
  // Either takes NaN where there is one.
  if (isFloat && !search && how == Combine::Max)
    return {builder.create<arith::MaximumFOp>(a[0], b[0])};
  if (isFloat && !search && how == Combine::Min)
    return {builder.create<arith::MinimumFOp>(a[0], b[0])};
  switch (how) {
  case Combine::Sum:
    return {isFloat ? builder.create<arith::AddFOp>(a[0], b[0])
                    : Value(builder.create<arith::AddIOp>(a[0], b[0]))};
  case Combine::Product:
    return {isFloat ? builder.create<arith::MulFOp>(a[0], b[0])
                    : Value(builder.create<arith::MulIOp>(a[0], b[0]))};
  default:
    return choose(builder, a, b);
  }
}

SmallVector<Value> Reduction::combineLanes(KernelBuilder &builder,
                                           ValueRange lanes) const {
  SmallVector<Value> values(lanes);
  int64_t width = cast<VectorType>(values[0].getType()).getNumElements();
  for (; width > 1; width /= 2) {
    SmallVector<Value> low, high;
    for (Value value : values) {
      SmallVector<int64_t> first, second;
      for (int64_t i = 0; i < width / 2; ++i) {
        first.push_back(i);
        second.push_back(width / 2 + i);
      }
      low.push_back(builder.create<vector::ShuffleOp>(value, value, first));
      high.push_back(builder.create<vector::ShuffleOp>(value, value, second));
    }
    values = combine(builder, low, high);
  }
  for (Value &value : values)
    value = builder.create<vector::ExtractOp>(value, int64_t(0));
  return values;
}

/// How many elements there are of a run, as `like`.
Value Reduction::countElements(KernelBuilder &builder, Value like) const {
  int64_t known = 1;
  Value count;
  for (int64_t dim : dims)
    if (Value length = builder.findLength(getOperand(), dim))
      count = count ? builder.create<arith::MulIOp>(count, length) : length;
    else
      known *= getExtents(getOperand())[dim];
  if (!count)
    return builder.constant(like.getType(), double(known));
  auto vector = dyn_cast<VectorType>(like.getType());
  Value number = builder.create<arith::SIToFPOp>(
      getElementTypeOrSelf(like.getType()), builder.mul(count, known));
  return builder.spread(number, vector ? vector.getNumElements() : 1);
}

Value Reduction::finish(KernelBuilder &builder, ValueRange carried) const {
  if (search)
    return carried[1];
  Value value = convert(builder, carried[0], getElement());
  if (after == After::Mean) {
    value = builder.create<arith::DivFOp>(value, countElements(builder, value));
  } else if (after == After::Root) {
    value = builder.create<math::SqrtOp>(value);
  } else if (after == After::Logarithm) {
    value = emitLog(Elements(builder.getBuilder(), op, value), value);
  }
  return builder.round(value, getElementTypeOrSelf(getResult().getType()));
}
