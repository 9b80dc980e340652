//===- Arrangement.cpp - Views, permutations and selections ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Patterns/Arrangement.h"
#include "inlay/Analysis/Patterns/Match.h"
#include "inlay/IR/Constants.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace mlir;

using Factors = Arrangement::Factors;
using Dims = Arrangement::Dims;

Arrangement::Arrangement(Value value)
    : base(value), block(value.getParentBlock()) {
  MaybeShape shape = getShape(value);
  for (int64_t extent : *shape) {
    dims.emplace_back();
    if (extent != 1)
      dims.back().push_back(addFactor(extent));
  }
  baseDims = dims;
}

unsigned Arrangement::addFactor(int64_t extent, Value index) {
  factors.push_back({extent, index});
  return factors.size() - 1;
}

int64_t Arrangement::getExtent(ArrayRef<unsigned> wanted) const {
  int64_t extent = 1;
  for (unsigned factor : wanted) {
    if (ShapedType::isDynamic(factors[factor].extent))
      return ShapedType::kDynamic;
    extent *= factors[factor].extent;
  }
  return extent;
}

Factors Arrangement::flatten(const Dims &dims) {
  Factors order;
  for (const Factors &factors : dims)
    order.append(factors.begin(), factors.end());
  return order;
}

Factors Arrangement::getOrder() const { return flatten(baseDims); }

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

bool Arrangement::readTranspose(TransposeOp op) {
  Dims before(baseDims.size());
  for (auto [i, from] : llvm::enumerate(op.getPermutation()))
    before[from] = baseDims[i];
  baseDims = before;
  base = op.getInput();
  ++numTransposes;
  return true;
}

void Arrangement::split(unsigned factor, int64_t extent) {
  unsigned rest = addFactor(factors[factor].extent / extent);
  factors[rest].isRepeated = factors[factor].isRepeated;
  factors[factor].extent = extent;
  for (Dims *all : {&dims, &baseDims})
    for (Factors &one : *all)
      if (auto *at = llvm::find(one, factor); at != one.end())
        one.insert(at + 1, rest);
}

/// Whether the unknown extents of a view are those of its input, in order.
static bool keepsUnknownExtents(Operation *op, ArrayRef<int64_t> from,
                                ArrayRef<int64_t> to) {
  SmallVector<size_t> unknownFrom, unknownTo;
  for (auto [i, extent] : llvm::enumerate(from))
    if (ShapedType::isDynamic(extent))
      unknownFrom.push_back(i);
  for (auto [i, extent] : llvm::enumerate(to))
    if (ShapedType::isDynamic(extent))
      unknownTo.push_back(i);
  if (unknownFrom.size() != unknownTo.size())
    return false;
  if (unknownFrom.size() <= 1)
    return true;
  // Only a Reshape moves extents. All but one of several have to be copied: a
  // zero in the shape.
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape)
    return true;
  if (!reshape.getShape() || reshape.getAllowzero() != 0)
    return false;
  unsigned numOther = 0;
  for (auto [before, after] : llvm::zip_equal(unknownFrom, unknownTo))
    if (before != after || (*reshape.getShape())[after] != 0)
      ++numOther;
  return numOther <= 1;
}

/// Puts the base's factors into dimensions of the extents `shape`, splitting
/// them where needed. Changes nothing else when that is not possible.
bool Arrangement::regroup(ArrayRef<int64_t> shape) {
  Dims regrouped;
  size_t next = 0;
  for (int64_t extent : shape) {
    Factors taken;
    int64_t left = extent;
    while (left != 1) {
      Factors order = getOrder();
      if (next == order.size())
        return false;
      unsigned factor = order[next];
      int64_t own = factors[factor].extent;
      if (ShapedType::isDynamic(own) || ShapedType::isDynamic(left)) {
        // An unknown extent is one factor, and all of its dimension.
        if (own != left || !taken.empty())
          return false;
        left = own = 1;
      } else if (own == 0 || left == 0) {
        return false;
      } else if (left % own != 0) {
        // A slice is selected from the whole of its dimension.
        if (own % left != 0 || factors[factor].index)
          return false;
        split(factor, left);
        left = 1;
      } else {
        left /= own;
      }
      taken.push_back(factor);
      ++next;
    }
    regrouped.push_back(std::move(taken));
  }
  if (next != getOrder().size())
    return false;
  baseDims = std::move(regrouped);
  return true;
}

bool Arrangement::readView(Operation *op) {
  MaybeShape from = getShape(op->getOperand(0)), to = getShape(base);
  if (!from || !to || !keepsUnknownExtents(op, *from, *to) || !regroup(*from))
    return false;
  base = op->getOperand(0);
  return true;
}

bool Arrangement::readSelection(GatherOp op) {
  MaybeShape shape = getShape(op.getData());
  if (!shape || getRank(op.getIndices()) != 0 ||
      !getConstantValue(op.getIndices()))
    return false;
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), shape->size());
  if (!axis || ShapedType::isDynamic((*shape)[*axis]))
    return false;
  Factors selected;
  if ((*shape)[*axis] != 1)
    selected.push_back(addFactor((*shape)[*axis], op.getIndices()));
  baseDims.insert(baseDims.begin() + *axis, selected);
  base = op.getData();
  ++numSelections;
  return true;
}

bool Arrangement::readScale(Operation *op) {
  bool isDivision = isa<DivOp>(op);
  for (unsigned i : {1, 0}) {
    std::optional<double> factor = getScalarOperand(op, i);
    if (!factor || (isDivision && i == 0))
      continue;
    scale = isDivision ? scale / *factor : scale * *factor;
    base = op->getOperand(1 - i);
    return true;
  }
  return false;
}

bool Arrangement::readRepeat(ExpandOp op) {
  MaybeShape from = getShape(op.getInput()), to = getShape(base);
  if (!from || !to || from->size() != to->size())
    return false;
  for (auto [before, after] : llvm::zip_equal(*from, *to))
    if (before != after && before != 1)
      return false;
  for (auto [i, before] : llvm::enumerate(*from)) {
    if (before != 1)
      continue;
    for (unsigned factor : baseDims[i])
      factors[factor].isRepeated = true;
    baseDims[i].clear();
  }
  base = op.getInput();
  ++numRepeats;
  return true;
}

bool Arrangement::step(Limits limits) {
  Operation *op = base.getDefiningOp();
  // A body may run again and again: nothing moves into it.
  if (!op || op->getBlock() != block || op->getNumOperands() == 0 ||
      !getShape(op->getOperand(0)))
    return false;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return readTranspose(transpose);
  if (auto gather = dyn_cast<GatherOp>(op))
    return readSelection(gather);
  if (isa<MulOp, DivOp>(op))
    return limits.scales && readScale(op);
  if (auto expand = dyn_cast<ExpandOp>(op))
    return limits.repeats && readRepeat(expand);
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::View && readView(op);
}

//===----------------------------------------------------------------------===//
// What can be built
//===----------------------------------------------------------------------===//

bool Arrangement::isInOrder(const Dims &wanted) const {
  Factors order = getOrder();
  llvm::erase_if(order, [&](unsigned factor) { return factors[factor].index; });
  return order == flatten(wanted);
}

std::optional<SmallVector<int64_t>>
patterns::getReshape(ArrayRef<int64_t> from, SmallVector<int64_t> to) {
  if (llvm::count_if(to, ShapedType::isDynamic) <= 1) {
    std::replace(to.begin(), to.end(), ShapedType::kDynamic, int64_t(-1));
    return to;
  }
  for (auto [i, extent] : llvm::enumerate(to)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    if (i >= from.size() || !ShapedType::isDynamic(from[i]))
      return std::nullopt;
    extent = 0;
  }
  return to;
}

bool Arrangement::canBuild(const Dims &wanted) const {
  Factors order = getOrder(), all = flatten(wanted);
  bool isSelected = llvm::any_of(
      order, [&](unsigned factor) { return factors[factor].index; });
  llvm::erase_if(order, [&](unsigned factor) { return factors[factor].index; });
  llvm::sort(order);
  llvm::sort(all);
  if (order != all)
    return false;
  unsigned numUnknown = llvm::count_if(all, [&](unsigned factor) {
    return ShapedType::isDynamic(factors[factor].extent);
  });
  if (numUnknown <= 1)
    return true;
  // Several are only copied, from one Reshape to the other.
  SmallVector<int64_t> to;
  for (const Factors &dim : wanted)
    to.push_back(getExtent(dim));
  return isInOrder(wanted) && !isSelected && getReshape(*getShape(base), to);
}
