//===- SymbolicExtents.cpp - Saying computed shapes without computing -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters that are computed from unknown extents and yet can be written
// down, as what means the same for all extents, zero included. Extents are
// equal where SymbolicShapes has the same number for them.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "inlay/Analysis/SymbolicShape.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Groups.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <map>

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

using Number = SymbolicInts::Number;
using Target = std::optional<SmallVector<int64_t>>;

//===----------------------------------------------------------------------===//
// What means the same
//===----------------------------------------------------------------------===//

static bool isRowMajor(Operation *op) {
  auto isStored = [](Type type) { return !getStorageOrder(type).empty(); };
  return llvm::none_of(op->getOperandTypes(), isStored) &&
         llvm::none_of(op->getResultTypes(), isStored);
}

/// Reshape of x = [d0, d1, ...] to the entries [e0, e1, ...].
///
/// An entry ei that is di becomes 0. Where ei is not zero both mean di. Where
/// it is, ei asks for zero (`allowzero`) or copies di, and 0 copies di: zero
/// too.
///
/// One entry ej that is anything becomes -1 if all others are known and
/// positive. Let P be their product and n the number of elements: -1 means n /
/// P, zero for n = 0. Where ej is positive, ej * P = n, or there is no result;
/// where it is -1 nothing changes; where it is zero, the result's extent is
/// zero, which demands n = 0, or a copy of dj, which demands dj * P = n. Below
/// -1 there is no result. Beside an entry that may be zero, n / P may be 0 / 0:
/// such a target stays.
///
/// A -1 that was there stays, and the others are as they were for every extent.
static Target findReshape(ReshapeOp op, const SymbolicShapes &shapes) {
  auto extents = shapes.lookupExtents(op.getInput());
  auto entries = shapes.lookupElements(op.getShapeOperand());
  if (!extents || !entries)
    return std::nullopt;
  SmallVector<int64_t> target;
  unsigned numCopied = 0, numOther = 0;
  for (auto [i, entry] : llvm::enumerate(*entries)) {
    std::optional<int64_t> known = shapes.getInts().lookup(entry);
    bool copies = i < extents->size() && (*extents)[i] == entry;
    // A zero that is known asks for what `allowzero` says it does.
    if (known == 0)
      return std::nullopt;
    target.push_back(known ? *known : copies ? 0 : -1);
    numCopied += !known && copies;
    numOther += target.back() < 0;
  }
  bool wasFree = llvm::any_of(*entries, [&](Number entry) {
    return shapes.getInts().lookup(entry) == -1;
  });
  if (numOther > 1 || (numOther == 1 && numCopied != 0 && !wasFree))
    return std::nullopt;
  return target;
}

/// Expand: an entry that is the extent of its dimension becomes 1. Either
/// leaves the dimension as it is, whatever its extent.
static Target findExpand(ExpandOp op, const SymbolicShapes &shapes) {
  auto extents = shapes.lookupExtents(op.getInput());
  auto entries = shapes.lookupElements(op.getShapeOperand());
  if (!extents || !entries)
    return std::nullopt;
  SmallVector<int64_t> target;
  for (auto [i, entry] : llvm::enumerate(*entries)) {
    std::optional<int64_t> known = shapes.getInts().lookup(entry);
    int64_t dim =
        int64_t(i) + int64_t(extents->size()) - int64_t(entries->size());
    if (!known && (dim < 0 || (*extents)[dim] != entry))
      return std::nullopt;
    target.push_back(known.value_or(1));
  }
  return target;
}

/// Slice with positive steps: an end that is the extent becomes the largest
/// number, which is clamped to the extent.
static Target findEnds(SliceOp op, const SymbolicShapes &shapes) {
  auto extents = shapes.lookupExtents(op.getInput());
  auto entries = shapes.lookupElements(op.getEndsOperand());
  bool isForward =
      !op.getStepsOperand() &&
      (!op.getSteps() ||
       llvm::all_of(*op.getSteps(), [](int64_t s) { return s > 0; }));
  if (!extents || !entries || !isForward || op.getAxesOperand() ||
      (op.getAxes() && op.getAxes()->size() != entries->size()))
    return std::nullopt;
  int64_t rank = extents->size();
  SmallVector<int64_t> ends;
  for (auto [i, entry] : llvm::enumerate(*entries)) {
    std::optional<int64_t> known = shapes.getInts().lookup(entry);
    int64_t axis = op.getAxes() ? (*op.getAxes())[i] : int64_t(i);
    axis = axis < 0 ? axis + rank : axis;
    if (!known && (axis < 0 || axis >= rank || (*extents)[axis] != entry))
      return std::nullopt;
    ends.push_back(known.value_or(std::numeric_limits<int64_t>::max()));
  }
  return ends;
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

/// The operand that holds computed extents, if the operation has one.
static OpOperand *getComputed(Operation *op) {
  auto getFirst = [](MutableOperandRange operands) -> OpOperand * {
    return operands.empty() ? nullptr : &*operands.begin();
  };
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return getFirst(reshape.getShapeOperandMutable());
  if (auto expand = dyn_cast<ExpandOp>(op))
    return getFirst(expand.getShapeOperandMutable());
  if (auto slice = dyn_cast<SliceOp>(op))
    return getFirst(slice.getEndsOperandMutable());
  return nullptr;
}

static Target findTarget(Operation *op, const SymbolicShapes &shapes) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return findReshape(reshape, shapes);
  if (auto expand = dyn_cast<ExpandOp>(op))
    return findExpand(expand, shapes);
  return findEnds(cast<SliceOp>(op), shapes);
}

static bool writeDown(Operation *op, const SymbolicShapes &shapes) {
  OpOperand *computed = getComputed(op);
  if (!computed || !isRowMajor(op))
    return false;
  Target target = findTarget(op, shapes);
  if (!target)
    return false;
  OpBuilder builder(getOutsideGroups(op));
  TypedAttr value =
      getConstantAttr(op->getContext(), HostTensor::getInts(*target));
  computed->set(builder.create<ConstantOp>(UnknownLoc::get(op->getContext()),
                                           value.getType(), value));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    reshape->removeAttr(reshape.getAllowzeroAttrName());
  return true;
}

/// Integers that an earlier operation has computed, by whatever way.
static bool mergeIntegers(Block &block, const SymbolicShapes &shapes) {
  std::map<std::pair<const void *, std::vector<Number>>, Value> leaders;
  bool changed = false;
  for (Operation &op : block) {
    if (op.getNumResults() != 1 || op.getNumRegions() != 0 ||
        isa<ConstantOp>(op) || !isMemoryEffectFree(&op))
      continue;
    Value result = op.getResult(0);
    auto elements = shapes.lookupElements(result);
    if (!elements || result.use_empty() || elements->empty())
      continue;
    std::pair key(result.getType().getAsOpaquePointer(),
                  std::vector<Number>(elements->begin(), elements->end()));
    auto [it, isNew] = leaders.try_emplace(std::move(key), result);
    if (isNew)
      continue;
    result.replaceAllUsesWith(it->second);
    changed = true;
  }
  return changed;
}

bool simplify::simplifyExtents(func::FuncOp function, State &) {
  SmallVector<Operation *> computed;
  function.walk([&](Operation *op) {
    if (getComputed(op))
      computed.push_back(op);
  });
  // Nothing to gain: most models have no extent that is not known.
  if (computed.empty())
    return false;
  SymbolicShapes shapes(function.getBody());
  bool changed = mergeIntegers(function.getBody().front(), shapes);
  for (Operation *op : computed)
    changed |= writeDown(op, shapes);
  return changed;
}
