//===- ReshapeOps.cpp - Other shapes for the same elements ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "Parameters.h"
#include "Reshape.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

llvm::Expected<HostTensor> inlay::reshape(const HostTensor &x,
                                          ArrayRef<int64_t> shape) {
  if (getNumElements(shape) == x.getNumElements())
    return x.reshaped(shape);
  return modelError("cannot reshape " + formatShape(x.getShape()) + " to " +
                    formatShape(shape));
}

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

/// The axis map from the common factors of both shapes. The first `same`
/// dimensions correspond one to one, whatever their extents.
static AxisMap getFactoredAxisMap(Operation *op, size_t same = 0) {
  Value input = op->getOperand(0), result = op->getResult(0);
  MaybeShape from = getShape(input), to = getShape(result);
  if (!from || !to || same > from->size() || same > to->size())
    return AxisMap::opaque();
  auto common = factorShapes(ArrayRef(*from).drop_front(same),
                             ArrayRef(*to).drop_front(same));
  if (!common)
    return AxisMap::opaque();
  AxisMapBuilder map(op);
  TensorAxes fromDims, toDims;
  for (size_t i = 0; i < same; ++i) {
    fromDims.push_back({map.axis(AxisKind::Parallel, (*from)[i])});
    toDims.push_back(fromDims.back());
  }
  for (int64_t factor : common->factors)
    map.axis(AxisKind::Parallel, factor);
  auto append = [&](TensorAxes &dims, const TensorAxes &factored) {
    for (DimAxes dim : factored) {
      for (unsigned &axis : dim)
        axis += same;
      dims.push_back(dim);
    }
  };
  append(fromDims, common->from);
  append(toDims, common->to);
  map.bind(input, fromDims);
  map.bind(result, toDims);
  return map.build();
}

/// Whether giving `input` the shape of `result` changes nothing. Two unknown
/// extents of equal types may still differ, and so may one beside a zero.
static bool keepsShape(Value input, Value result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || type != input.getType())
    return false;
  return type.hasStaticShape() || (type.getNumDynamicDims() == 1 &&
                                   !llvm::is_contained(type.getShape(), 0));
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

static llvm::Error checkTarget(ArrayRef<int64_t> target, bool allowZero) {
  for (int64_t entry : target)
    if (entry < -1 && !isUnknown(entry))
      return modelError("'shape' must not be below -1, found " + Twine(entry));
  size_t numFree = llvm::count(target, -1);
  if (numFree > 1)
    return modelError("'shape' has " + Twine(numFree) + " entries of -1");
  if (allowZero && numFree == 1 && llvm::is_contained(target, 0))
    return modelError("'shape' has both 0 and -1 while 'allowzero' is set");
  return llvm::Error::success();
}

/// Replaces the entries of `target` that copy an extent of `from`, which they
/// set to 1 there: extents on both sides say nothing about the others.
static llvm::Error copyExtents(Extents &from, Extents &target,
                               Extents &copied) {
  copied.assign(target.size(), 1);
  for (auto [i, entry] : llvm::enumerate(target)) {
    if (entry != 0)
      continue;
    if (i >= from.size())
      return modelError(
          "entry " + Twine(i) +
          " of 'shape' copies a dimension that a tensor of rank " +
          Twine(from.size()) + " does not have");
    copied[i] = std::exchange(from[i], 1);
    entry = 1;
  }
  return llvm::Error::success();
}

/// Finds the only unknown entry of `target` by division. What does not divide
/// is wrong, but where both sides `mayVanish` for a copied extent of zero.
static llvm::Error divideExtents(ArrayRef<int64_t> from, Extents &target,
                                 bool isAsked, bool mayVanish) {
  auto isFree = [](int64_t entry) { return entry == -1 || isUnknown(entry); };
  Extents others(target);
  llvm::erase_if(others, isFree);
  int64_t count = mulExtents(from), known = mulExtents(others);
  size_t numFree = target.size() - others.size();
  if (isUnknown(count) || isUnknown(known) || numFree > 1)
    return llvm::Error::success();
  bool divides = numFree == 0 ? count == known
                 : known == 0 ? count == 0
                              : count % known == 0;
  // An entry computed at run time may be anything until then.
  if (!divides && !mayVanish && (numFree == 0 || isAsked))
    return modelError("cannot reshape " + Twine(count) + " elements to " +
                      Twine(known) + (numFree == 0 ? "" : " times an extent"));
  if (numFree == 1 && divides && known != 0)
    *llvm::find_if(target, isFree) = count / known;
  return llvm::Error::success();
}

/// The shape that `target` asks for, as far as it is known.
static llvm::Expected<Extents> inferReshape(const MaybeShape &input,
                                            ArrayRef<int64_t> entries,
                                            bool allowZero) {
  if (llvm::Error error = checkTarget(entries, allowZero))
    return std::move(error);
  Extents target(entries), copied(entries.size(), 1);
  if (input) {
    Extents from = *input;
    if (!allowZero)
      if (llvm::Error error = copyExtents(from, target, copied))
        return std::move(error);
    bool isAsked = llvm::is_contained(entries, -1);
    bool mayVanish = llvm::any_of(copied, isUnknown);
    if (!llvm::is_contained(copied, 0))
      if (llvm::Error error = divideExtents(from, target, isAsked, mayVanish))
        return std::move(error);
  }
  for (auto [entry, extent] : llvm::zip_equal(target, copied)) {
    bool copiesUnknown = !input && entry == 0 && !allowZero;
    if (entry == -1 || copiesUnknown)
      entry = ShapedType::kDynamic;
    else
      entry = mulExtents(entry, extent);
  }
  return target;
}

LogicalResult ReshapeOp::inferTypes(TypeInference &inference) {
  if (failed(checkRequired(inference, "shape", getShape().has_value(),
                           getShapeOperand())))
    return failure();
  Type element = inlay::getElementType(getInput());
  MaybeInts entries = getEntries(inference, getShape(), getShapeOperand());
  if (!entries) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  auto shape = report(inference, inferReshape(inlay::getShape(getInput()),
                                              *entries, getAllowzero() != 0));
  if (failed(shape))
    return failure();
  inference.set(getResult(), element, *shape);
  return success();
}

AxisMap ReshapeOp::getAxisMap() {
  // Leading dimensions that are copied correspond even when unknown.
  size_t same = 0;
  if (std::optional<ArrayRef<int64_t>> shape = getShape();
      shape && getAllowzero() == 0)
    same = shape->take_while([](int64_t entry) { return entry == 0; }).size();
  return getFactoredAxisMap(*this, same);
}

FusionClass ReshapeOp::getFusionClass() { return FusionClass::View; }

/// Whether every entry copies the extent of its dimension, or is it.
static bool copiesAll(ReshapeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  std::optional<ArrayRef<int64_t>> shape = op.getShape();
  if (!type || !shape || op.getAllowzero() != 0 ||
      type != op.getResult().getType() ||
      int64_t(shape->size()) != type.getRank())
    return false;
  return llvm::all_of(llvm::zip(*shape, type.getShape()), [](auto both) {
    auto [entry, extent] = both;
    return entry == 0 || entry == extent;
  });
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  bool isSame = keepsShape(getInput(), getResult()) || copiesAll(*this);
  return isSame ? getInput() : Value();
}

llvm::Error ReshapeOp::evaluate(Evaluation &evaluation) {
  const HostTensor &x = evaluation[getInput()];
  auto entries = evaluation.getInts(getShape(), getShapeOperand());
  if (!entries || !areAllKnown(*entries))
    return modelError("the shape to reshape to is not known");
  auto shape =
      inferReshape(Extents(x.getShape()), *entries, getAllowzero() != 0);
  if (!shape)
    return shape.takeError();
  return evaluation.set(getResult(), reshape(x, *shape));
}

//===----------------------------------------------------------------------===//
// FlattenOp
//===----------------------------------------------------------------------===//

/// Where the second dimension begins: in [0, rank].
static llvm::Expected<int64_t> getFlattenAxis(int64_t axis, int64_t rank) {
  if (axis == rank)
    return rank;
  return Evaluation::getAxis(axis, rank);
}

static llvm::Expected<Extents> inferFlatten(ArrayRef<int64_t> shape,
                                            int64_t axis) {
  auto split = getFlattenAxis(axis, shape.size());
  if (!split)
    return split.takeError();
  return Extents{mulExtents(shape.take_front(*split)),
                 mulExtents(shape.drop_front(*split))};
}

LogicalResult FlattenOp::inferTypes(TypeInference &inference) {
  Extents shape(2, ShapedType::kDynamic);
  if (MaybeShape input = getShape(getInput())) {
    auto flat = report(inference, inferFlatten(*input, getAxis()));
    if (failed(flat))
      return failure();
    shape = *flat;
  }
  inference.set(getResult(), inlay::getElementType(getInput()), shape);
  return success();
}

AxisMap FlattenOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank)
    return AxisMap::opaque();
  int64_t axis = getAxis();
  if (axis < 0)
    axis += *rank;
  AxisMapBuilder map(*this);
  TensorAxes from = map.axesOf(getInput()), to(2);
  for (auto [i, dim] : llvm::enumerate(from))
    to[int64_t(i) < axis ? 0 : 1].append(dim.begin(), dim.end());
  map.bind(getInput(), from);
  map.bind(getResult(), to);
  return map.build();
}

FusionClass FlattenOp::getFusionClass() { return FusionClass::View; }

OpFoldResult FlattenOp::fold(FoldAdaptor) {
  return keepsShape(getInput(), getResult()) ? getInput() : Value();
}

llvm::Error FlattenOp::evaluate(Evaluation &evaluation) {
  const HostTensor &x = evaluation[getInput()];
  auto shape = inferFlatten(x.getShape(), getAxis());
  if (!shape)
    return shape.takeError();
  return evaluation.set(getResult(), reshape(x, *shape));
}
