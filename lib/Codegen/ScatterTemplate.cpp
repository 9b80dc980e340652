//===- ScatterTemplate.cpp - Writing where indices say --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of the data, then the updates one after another, as several may meet
// at one element. Slices along the first dimension are turns of the outermost
// loop where no update leaves its own.
//
//===----------------------------------------------------------------------===//

#include "IndexMaps.h"
#include "KernelBuilder.h"
#include "Templates.h"
#include "inlay/Tensor/Modes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

namespace {
/// What both operators are.
struct Scatter {
  Value data, indices, updates;
  ScatterReduction reduction;
  /// The dimension that numbers are places of; none where they are tuples.
  std::optional<int64_t> axis;
};
} // namespace

/// What an update leaves of the old element.
static Value combine(KernelBuilder &b, const Scatter &scatter, Value old,
                     Value update) {
  Type element = getElementTypeOrSelf(scatter.data.getType());
  bool isFloat = isa<FloatType>(element);
  bool isMax = scatter.reduction == ScatterReduction::Max;
  switch (scatter.reduction) {
  case ScatterReduction::None:
    return update;
  case ScatterReduction::Add:
    return isFloat ? Value(b.create<arith::AddFOp>(old, update))
                   : b.add(old, update);
  case ScatterReduction::Mul:
    return isFloat ? Value(b.create<arith::MulFOp>(old, update))
                   : Value(b.create<arith::MulIOp>(old, update));
  default:
    break;
  }
  Value left = isMax ? update : old, right = isMax ? old : update, stays;
  if (isFloat) {
    // An old NaN stays, too.
    stays = b.create<arith::OrIOp>(
        b.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, left, right),
        b.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, old, old));
  } else {
    stays = b.create<arith::CmpIOp>(element.isUnsignedInteger()
                                        ? arith::CmpIPredicate::ult
                                        : arith::CmpIPredicate::slt,
                                    left, right);
  }
  return b.create<arith::SelectOp>(stays, old, update);
}

/// An index, from the end where it is negative. It was checked before; code
/// writes to its own tensor nevertheless.
static Value loadIndex(KernelBuilder &b, unsigned read, Value at,
                       int64_t extent) {
  Value index = b.load(read, at, 0, 1);
  if (!index.getType().isInteger(64))
    index = b.create<arith::ExtSIOp>(b.getBuilder().getI64Type(), index);
  Value isBelow =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, index, b.number(0));
  index =
      b.create<arith::SelectOp>(isBelow, b.add(index, b.number(extent)), index);
  return b.min(b.max(index, b.number(0)), b.number(extent - 1));
}

/// The target of an update along an axis: its own place in the others.
static Value getTarget(KernelBuilder &b, const Scatter &scatter, unsigned read,
                       Value update) {
  ArrayRef<int64_t> data = getExtents(scatter.data),
                    shape = getExtents(scatter.indices);
  Value target = b.number(0), rest = update;
  int64_t stride = 1;
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    Value extent = b.number(shape[dim]);
    Value place = dim == *scatter.axis
                      ? loadIndex(b, read, update, data[dim])
                      : Value(b.create<arith::RemUIOp>(rest, extent));
    target = b.add(target, b.mul(place, stride));
    rest = b.create<arith::DivUIOp>(rest, extent);
    stride *= data[dim];
  }
  return target;
}

/// The target of an update whose slice a tuple says.
static Value getTupleTarget(KernelBuilder &b, const Scatter &scatter,
                            unsigned read, Value update) {
  ArrayRef<int64_t> data = getExtents(scatter.data);
  int64_t width = getExtents(scatter.indices).back();
  int64_t stride = ShapedType::getNumElements(data.drop_front(width));
  Value slice = b.number(stride);
  Value tuple = b.create<arith::DivUIOp>(update, slice);
  Value target = b.create<arith::RemUIOp>(update, slice);
  for (int64_t i = width - 1; i >= 0; --i) {
    Value at = b.add(b.mul(tuple, width), b.number(i));
    target = b.add(target, b.mul(loadIndex(b, read, at, data[i]), stride));
    stride *= data[i];
  }
  return target;
}

static std::optional<Scatter> getScatter(const KernelBody &body) {
  if (body.ops.size() != 1)
    return std::nullopt;
  Operation *op = body.ops.front();
  StringRef name;
  Scatter scatter;
  if (auto own = dyn_cast<ScatterElementsOp>(op)) {
    name = own.getReduction();
    scatter.axis = own.getAxis();
  } else if (auto own = dyn_cast<ScatterNDOp>(op)) {
    name = own.getReduction();
  } else {
    return std::nullopt;
  }
  std::optional<ScatterReduction> reduction = parseScatterReduction(name);
  scatter.data = body.resolve(op->getOperand(0));
  scatter.indices = body.resolve(op->getOperand(1));
  scatter.updates = body.resolve(op->getOperand(2));
  for (Value value : {scatter.data, scatter.indices, scatter.updates})
    if (!body.isRead(value) || !hasCodeType(value))
      return std::nullopt;
  if (!reduction || body.yielded.front().getDefiningOp() != op ||
      (*reduction != ScatterReduction::None &&
       getElementTypeOrSelf(scatter.data.getType()).isInteger(1)))
    return std::nullopt;
  scatter.reduction = *reduction;
  if (scatter.axis) {
    scatter.axis =
        normalizeAxis(*scatter.axis, getExtents(scatter.data).size());
    if (!scatter.axis)
      return std::nullopt;
  }
  return scatter;
}

/// Applies updates `from` to `to`.
static void emitUpdates(KernelBuilder &b, const KernelBody &body,
                        const Scatter &scatter, Value from, Value to) {
  unsigned indices = body.getReadNumber(scatter.indices),
           updates = body.getReadNumber(scatter.updates);
  b.loop(from, to, 1, [&](Value update) {
    Value target = scatter.axis ? getTarget(b, scatter, indices, update)
                                : getTupleTarget(b, scatter, indices, update);
    Value own = b.load(updates, update, 0, 1);
    Value old;
    if (scatter.reduction != ScatterReduction::None)
      old = b.loadResult(0, target);
    b.store(combine(b, scatter, old, own), 0, target, 0);
  });
}

std::optional<TemplateLoops> inlay::emitScatter(const KernelBody &body,
                                                const TemplateTarget &target) {
  std::optional<Scatter> scatter = getScatter(body);
  if (!scatter)
    return std::nullopt;
  ArrayRef<int64_t> data = getExtents(scatter->data),
                    updates = getExtents(scatter->updates);
  KernelBuilder b(target.module, target.name, body);
  int64_t count = ShapedType::getNumElements(data),
          numUpdates = ShapedType::getNumElements(updates);
  if (count == 0)
    return 0;
  bool areApart = scatter->axis && *scatter->axis != 0;
  int64_t extent = areApart ? data.front() : 1;
  int64_t slices = areApart ? updates.front() : 1;
  int64_t size = count / extent;
  b.loop(b.getBegin(), b.getEnd(), 1, [&](Value slice) {
    Value next = b.add(slice, b.number(1));
    b.loop(b.mul(slice, size), b.mul(next, size), 1, [&](Value at) {
      b.store(b.load(body.getReadNumber(scatter->data), at, 0, 1), 0, at, 0);
    });
    if (numUpdates == 0)
      return;
    // There may be updates for fewer slices.
    Value most = b.number(slices);
    emitUpdates(b, body, *scatter,
                b.mul(b.min(slice, most), numUpdates / slices),
                b.mul(b.min(next, most), numUpdates / slices));
  });
  return extent;
}
