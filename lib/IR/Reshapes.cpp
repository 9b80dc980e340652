//===- Reshapes.cpp - Shapes of the same elements -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Reshapes.h"
#include "Extents.h"
#include "Inference.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// Reshape and Flatten
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

llvm::Expected<Extents> inlay::inferReshape(const MaybeShape &input,
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

/// Where the second dimension begins: in [0, rank].
static llvm::Expected<int64_t> getFlattenAxis(int64_t axis, int64_t rank) {
  if (axis == rank)
    return rank;
  return Evaluation::getAxis(axis, rank);
}

llvm::Expected<Extents> inlay::inferFlatten(ArrayRef<int64_t> shape,
                                            int64_t axis) {
  auto split = getFlattenAxis(axis, shape.size());
  if (!split)
    return split.takeError();
  return Extents{mulExtents(shape.take_front(*split)),
                 mulExtents(shape.drop_front(*split))};
}

//===----------------------------------------------------------------------===//
// Squeeze and Unsqueeze
//===----------------------------------------------------------------------===//

llvm::Expected<llvm::SmallBitVector>
inlay::getSqueezedDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  llvm::SmallBitVector dims(shape.size());
  if (axes.empty()) {
    for (auto [i, extent] : llvm::enumerate(shape))
      if (extent == 1)
        dims.set(i);
    return dims;
  }
  auto normal = Evaluation::getAxes(axes, shape.size());
  if (!normal)
    return normal.takeError();
  for (int64_t axis : *normal) {
    if (!areCompatibleExtents(shape[axis], 1))
      return modelError("dimension " + Twine(axis) +
                        " cannot be squeezed, its extent is " +
                        Twine(shape[axis]));
    dims.set(axis);
  }
  return dims;
}

llvm::Expected<Extents> inlay::inferSqueeze(ArrayRef<int64_t> shape,
                                            ArrayRef<int64_t> axes) {
  auto dims = getSqueezedDims(shape, axes);
  if (!dims)
    return dims.takeError();
  Extents result;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (!dims->test(i))
      result.push_back(extent);
  return result;
}

llvm::Expected<llvm::SmallBitVector>
inlay::getInsertedDims(int64_t inputRank, ArrayRef<int64_t> axes) {
  int64_t rank = inputRank + axes.size();
  auto normal = Evaluation::getAxes(axes, rank);
  if (!normal)
    return normal.takeError();
  llvm::SmallBitVector dims(rank);
  for (int64_t axis : *normal)
    dims.set(axis);
  return dims;
}

llvm::Expected<Extents> inlay::inferUnsqueeze(ArrayRef<int64_t> shape,
                                              ArrayRef<int64_t> axes) {
  auto dims = getInsertedDims(shape.size(), axes);
  if (!dims)
    return dims.takeError();
  Extents result;
  for (unsigned i = 0; i < dims->size(); ++i) {
    result.push_back(dims->test(i) ? 1 : shape.front());
    if (!dims->test(i))
      shape = shape.drop_front();
  }
  return result;
}
