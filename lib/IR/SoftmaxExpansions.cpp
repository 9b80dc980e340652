//===- SoftmaxExpansions.cpp - Softmax, LogSoftmax, Hardmax ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Term.h"

using namespace inlay;
using namespace mlir;

/// The dimensions that make up a row: `axis`, or with `coerce_2d` all from it
/// on, which may be none.
template <typename OpT>
static std::optional<SmallVector<int64_t>> getRowAxes(OpT op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!rank || !isFloatTensor(op.getInput()))
    return std::nullopt;
  if (op.getCoerce_2d() && int64_t(op.getAxis()) == *rank)
    return SmallVector<int64_t>();
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), *rank);
  if (!axis)
    return std::nullopt;
  return getRange(*axis, op.getCoerce_2d() ? *rank : *axis + 1);
}

// softmax(x) = e / sum(e)   [e = exp(x - max(x))]
static LogicalResult expandSoftmax(SoftmaxOp op, Expansion &expansion) {
  std::optional<SmallVector<int64_t>> axes = getRowAxes(op);
  if (!axes)
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  Term powers = exp(x - x.reduce<ReduceMaxOp>(*axes));
  expansion.set(op.getResult(), powers / powers.reduce<ReduceSumOp>(*axes));
  return success();
}

// log_softmax(x) = d - log(sum(exp(d)))   [d = x - max(x)]
static LogicalResult expandLogSoftmax(LogSoftmaxOp op, Expansion &expansion) {
  std::optional<SmallVector<int64_t>> axes = getRowAxes(op);
  if (!axes)
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  Term shifted = x - x.reduce<ReduceMaxOp>(*axes);
  Term sum = exp(shifted).reduce<ReduceSumOp>(*axes);
  expansion.set(op.getResult(), shifted - log(sum));
  return success();
}

/// The number of elements of a row, if it is known.
static std::optional<int64_t> getRowLength(Value input,
                                           ArrayRef<int64_t> axes) {
  MaybeShape shape = getShape(input);
  int64_t length = 1;
  for (int64_t axis : axes) {
    if (ShapedType::isDynamic((*shape)[axis]))
      return std::nullopt;
    length *= (*shape)[axis];
  }
  return length;
}

// hardmax(x) = one_hot(argmax(x))
static LogicalResult expandHardmax(HardmaxOp op, Expansion &expansion) {
  std::optional<SmallVector<int64_t>> axes = getRowAxes(op);
  if (!axes || axes->empty())
    return failure();
  std::optional<int64_t> length = getRowLength(op.getInput(), *axes);
  // There is no largest element of none.
  if (!length || *length == 0)
    return failure();
  bool isFlat = axes->size() > 1;
  int64_t axis = isFlat ? 1 : axes->front();
  Value x = op.getInput();
  if (isFlat)
    x = expansion.create<FlattenOp>(x, expansion.getI64(axes->front()));
  Value at = expansion.create<ArgMaxOp>(x, expansion.getI64(axis),
                                        expansion.getI64(0), IntegerAttr());
  HostTensor values(*getOnnxElementType(inlay::getElementType(x)), {2});
  values.setDouble(1, 1);
  Value hot = expansion.create<OneHotOp>(
      at, expansion.createScalarLike(at, double(*length)),
      expansion.createConstant(values), expansion.getI64(axis));
  if (isFlat)
    hot = reshapeLike(expansion, hot, op.getInput());
  expansion.set(op.getResult(), hot);
  return success();
}

void inlay::registerSoftmaxExpansions(MLIRContext &context) {
  attachExpansion<SoftmaxOp, expandSoftmax, FusionClass::Reduce>(context);
  attachExpansion<LogSoftmaxOp, expandLogSoftmax, FusionClass::Reduce>(context);
  attachExpansion<HardmaxOp, expandHardmax, FusionClass::Reduce>(context);
}
