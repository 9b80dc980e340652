//===- FindForm.cpp - The form that one storage order leads to ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/FindForm.h"
#include "FormAlong.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/PaddedForm.h"
#include "llvm/ADT/DenseSet.h"

using namespace inlay;
using namespace mlir;

AxisMap inlay::getAxisMapOf(Operation *op) {
  auto mapped = dyn_cast<AxisMapOpInterface>(op);
  return mapped ? mapped.getAxisMap() : AxisMap::opaque();
}

const TensorAxes *inlay::getAxesOfPort(const AxisMap &map, Operation *op,
                                       unsigned port) {
  unsigned numOperands = op->getNumOperands();
  const std::optional<TensorAxes> &dims =
      port < numOperands ? map.getOperands()[port]
                         : map.getResults()[port - numOperands];
  return dims ? &*dims : nullptr;
}

ArrayRef<int64_t> inlay::getShapeOfPort(Operation *op, unsigned port) {
  Type type = port < op->getNumOperands()
                  ? op->getOperand(port).getType()
                  : op->getResult(port - op->getNumOperands()).getType();
  return cast<RankedTensorType>(type).getShape();
}

/// Where dimensions of one element stand follows a tensor that has an axis for
/// each of its dimensions.
static const TensorAxes *findReference(const AxisMap &map) {
  const TensorAxes *best = nullptr;
  for (auto tensors : {map.getResults(), map.getOperands()})
    for (const std::optional<TensorAxes> &dims : tensors)
      if (dims && (!best || dims->size() > best->size()) &&
          llvm::none_of(*dims, [](const DimAxes &dim) { return dim.empty(); }))
        best = &*dims;
  return best;
}

/// `form` with blocks that hold a dimension exactly as factors of it; nothing
/// where an extent is not known.
static std::optional<StoredForm> resolveForm(Operation *op, StoredForm form) {
  auto resolve = [](Type type, AtomSequence &order) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked)
      return order.empty();
    auto exact = resolveBlocks(order, ranked.getShape());
    if (!exact)
      return false;
    // Factors that lie row-major are none.
    auto layout = Layout::getUnnamed(LayoutClass::Tensor, std::move(*exact));
    if (!layout) {
      llvm::consumeError(layout.takeError());
      return false;
    }
    order = AtomSequence(layout->getOrder());
    return true;
  };
  for (auto [type, order] :
       llvm::zip_equal(op->getOperandTypes(), form.operands))
    if (!resolve(type, order))
      return std::nullopt;
  for (auto [type, order] : llvm::zip_equal(op->getResultTypes(), form.results))
    if (!resolve(type, order))
      return std::nullopt;
  return form;
}

/// Whether an axis may be stored in parts at all; the operator decides.
static bool mayHaveParts(AxisKind kind) {
  return kind == AxisKind::Parallel || kind == AxisKind::Reduced ||
         kind == AxisKind::Contracted || kind == AxisKind::Concatenated;
}

/// Of an axis along which tensors are joined each has a part: the number of its
/// blocks is its own, their size is not. Returns whether there is such an axis,
/// or nothing where an axis is not stored in blocks of one size.
static std::optional<bool> openBlocks(const AxisMap &map, AxisOrder &order) {
  bool any = false;
  for (AxisPiece &piece : order) {
    bool isJoined = map.getAxes()[piece.axis].kind == AxisKind::Concatenated;
    if (!isJoined || !piece.extent.isKnown())
      continue;
    size_t numParts = llvm::count_if(order, [&](const AxisPiece &other) {
      return other.axis == piece.axis;
    });
    if (numParts != 2)
      return std::nullopt;
    if (piece.factor == 0)
      continue;
    piece.extent = AtomExtent::rest();
    any = true;
  }
  return any;
}

std::optional<StoredForm> inlay::getFormAlong(Operation *op, const AxisMap &map,
                                              const AxisOrder &given) {
  for (const AxisPiece &piece : given)
    if (!piece.extent.isRest() && !mayHaveParts(map.getAxes()[piece.axis].kind))
      return std::nullopt;
  AxisOrder order = given;
  std::optional<bool> hasOpenBlocks = openBlocks(map, order);
  if (!hasOpenBlocks)
    return std::nullopt;
  const TensorAxes *reference = findReference(map);
  StoredForm form;
  auto project = [&](const std::optional<TensorAxes> &dims, auto &orders) {
    auto projected =
        dims ? projectOrder(map, order, *dims, reference) : AtomSequence();
    if (projected)
      orders.push_back(std::move(*projected));
    return projected.has_value();
  };
  for (const std::optional<TensorAxes> &dims : map.getOperands())
    if (!project(dims, form.operands))
      return std::nullopt;
  for (const std::optional<TensorAxes> &dims : map.getResults())
    if (!project(dims, form.results))
      return std::nullopt;
  if (*hasOpenBlocks) {
    auto resolved = resolveForm(op, std::move(form));
    if (!resolved)
      return std::nullopt;
    form = std::move(*resolved);
  }
  auto storage = cast<StorageOpInterface>(op);
  if (form.isFactored() && !storage.admitsFactors())
    return std::nullopt;
  // What becomes of padding is another question.
  if (!form.isRowMajor() && !admitsStored(op, form.withoutPadding()))
    return std::nullopt;
  return form;
}

static std::optional<StoredForm> findFormAlong(Operation *op,
                                               const AxisMap &map,
                                               const TensorAxes &dims,
                                               ArrayRef<Atom> order) {
  auto lifted = liftOrder(map, dims, order);
  if (!lifted)
    return std::nullopt;
  if (auto form = getFormAlong(op, map, completeOrder(map, *lifted)))
    return form;
  for (const AxisOrder &completed : enumerateCompletions(map, *lifted))
    if (auto form = getFormAlong(op, map, completed))
      return form;
  return std::nullopt;
}

/// `order` with each dimension of one element beside a neighbour in the shape
/// that has more: in front of the next one, or behind the one before it.
/// Memory holds the same, but what a Reshape merges may lie together only so.
static AtomSequence moveUnits(ArrayRef<Atom> order, ArrayRef<int64_t> shape,
                              bool toNext) {
  AtomSequence moved;
  llvm::copy_if(order, std::back_inserter(moved),
                [&](const Atom &atom) { return shape[atom.dim] != 1; });
  auto insert = [&](unsigned dim) {
    unsigned neighbour = toNext ? dim + 1 : dim - 1;
    auto isNeighbour = [&](const Atom &atom) { return atom.dim == neighbour; };
    auto *place = llvm::find_if(moved, isNeighbour);
    if (!toNext)
      while (place != moved.end() && place->dim == neighbour)
        ++place;
    moved.insert(place, Atom{dim});
  };
  unsigned rank = shape.size();
  for (unsigned i = 0; i < rank; ++i)
    if (unsigned dim = toNext ? rank - 1 - i : i; shape[dim] == 1)
      insert(dim);
  return moved;
}

std::optional<StoredForm> inlay::findForm(Operation *op, unsigned port,
                                          ArrayRef<Atom> order) {
  AxisMap map = getAxisMapOf(op);
  if (map.isOpaque())
    return std::nullopt;
  const TensorAxes *dims = getAxesOfPort(map, op, port);
  if (!dims)
    return std::nullopt;
  auto form = findFormAlong(op, map, *dims, order);
  if (form && !form->isFactored())
    return form;
  // A dimension of one element may have come between others.
  ArrayRef<int64_t> shape = getShapeOfPort(op, port);
  if (order.empty() || !llvm::is_contained(shape, 1))
    return form;
  for (bool toNext : {true, false}) {
    auto other = findFormAlong(op, map, *dims, moveUnits(order, shape, toNext));
    if (other && (!form || !other->isFactored()))
      return other;
  }
  return form;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Beyond this many blocked operands all have the same padding.
static constexpr size_t maxCombined = 3;

/// The operands whose padding may be one or the other. A constant is padded
/// with zeros, and the same value twice has the same padding.
static SmallVector<unsigned> getPaddedOperands(Operation *op,
                                               const StoredForm &form) {
  SmallVector<unsigned> operands;
  llvm::SmallDenseSet<Value> seen;
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (seen.insert(value).second && isBlocked(form.operands[i]) &&
        !value.getDefiningOp<ConstantOp>())
      operands.push_back(i);
  return operands;
}

static void setOperandPadding(Operation *op, StoredForm &form, unsigned operand,
                              Padding padding) {
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (value == op->getOperand(operand))
      form.operands[i] = withPadding(form.operands[i], padding);
}

/// `form` with the padding that the results have when the operands' is as it
/// says.
static StoredForm withResultPadding(Operation *op, StoredForm form) {
  for (auto [order, padding] :
       llvm::zip_equal(form.results, getResultPadding(op, form)))
    order = withPadding(order, padding);
  return form;
}

/// `first` and, of an operator whose tensors need not follow one order, the
/// forms in which the axes that `order` does not name lie elsewhere: a product
/// whose operands may be transposed takes each of them either way.
static SmallVector<StoredForm, 1> addFreeForms(Operation *op, unsigned port,
                                               ArrayRef<Atom> order,
                                               StoredForm first) {
  SmallVector<StoredForm, 1> forms{std::move(first)};
  AxisMap map = getAxisMapOf(op);
  const TensorAxes *dims = getAxesOfPort(map, op, port);
  auto lifted = dims ? liftOrder(map, *dims, order) : std::nullopt;
  if (!lifted || cast<StorageOpInterface>(op).followsAxes())
    return forms;
  for (const AxisOrder &completed : enumerateCompletions(map, *lifted))
    if (auto form = getFormAlong(op, map, completed);
        form && !llvm::is_contained(forms, *form))
      forms.push_back(std::move(*form));
  return forms;
}

SmallVector<StoredForm, 1> inlay::findForms(Operation *op, unsigned port,
                                            ArrayRef<Atom> order) {
  std::optional<StoredForm> base = findForm(op, port, order);
  if (!base)
    return {};
  if (!base->isBlocked())
    return addFreeForms(op, port, order, std::move(*base));
  for (AtomSequence &each : base->operands)
    each = withPadding(each, Padding::Zero);
  if (port >= op->getNumOperands())
    return {withResultPadding(op, *base)};
  SmallVector<unsigned> others = getPaddedOperands(op, *base);
  llvm::erase_if(others, [&](unsigned operand) {
    return op->getOperand(operand) == op->getOperand(port);
  });
  setOperandPadding(op, *base, port, getPadding(order));
  unsigned numBits = others.size() < maxCombined ? others.size() : 1;
  SmallVector<StoredForm, 1> forms;
  for (unsigned bits = 0; bits < 1u << (others.empty() ? 0 : numBits); ++bits) {
    StoredForm form = *base;
    for (auto [i, operand] : llvm::enumerate(others)) {
      bool isAny = bits >> (numBits == 1 ? 0 : i) & 1;
      setOperandPadding(op, form, operand,
                        isAny ? Padding::Any : Padding::Zero);
    }
    forms.push_back(withResultPadding(op, std::move(form)));
  }
  return forms;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// The blocks of each axis that the orders of `form` cut where there would be
/// padding, minor factors only; 0 where there is none.
static SmallVector<int64_t> getBlocks(Operation *op, const AxisMap &map,
                                      const StoredForm &form) {
  SmallVector<int64_t> blocks(map.getAxes().size(), 0);
  auto add = [&](ArrayRef<Atom> order, const std::optional<TensorAxes> &dims) {
    for (const Atom &atom : order) {
      if (!dims || !countsBlocks(atom) || (*dims)[atom.dim].size() != 1)
        continue;
      int64_t block = 1;
      for (const Atom &other : order)
        if (other.dim == atom.dim && other.extent.isKnown())
          block *= other.extent.getValue();
      blocks[(*dims)[atom.dim].front()] = block;
    }
  };
  for (auto [order, dims] : llvm::zip_equal(form.operands, map.getOperands()))
    add(order, dims);
  for (auto [order, dims] : llvm::zip_equal(form.results, map.getResults()))
    add(order, dims);
  return blocks;
}

/// Row-major but for blocks along the axes that have some.
static AtomSequence blockInPlace(const TensorAxes &dims,
                                 ArrayRef<int64_t> blocks) {
  AtomSequence order;
  bool hasBlocks = false;
  for (auto [dim, axes] : llvm::enumerate(dims)) {
    int64_t block = axes.size() == 1 ? blocks[axes.front()] : 0;
    hasBlocks |= block != 0;
    if (block == 0) {
      order.push_back({unsigned(dim)});
      continue;
    }
    order.push_back({unsigned(dim), 1, AtomExtent::rest(Padding::Zero)});
    order.push_back({unsigned(dim), 0, AtomExtent::of(block)});
  }
  return hasBlocks ? order : AtomSequence();
}

std::optional<StoredForm>
inlay::completeRuleForm(Operation *op, StoredForm form, Padding padding) {
  if (!form.isFactored())
    return form;
  auto resolved = resolveForm(op, std::move(form));
  auto mapped = dyn_cast<AxisMapOpInterface>(op);
  if (!resolved || !mapped)
    return std::nullopt;
  form = *resolved;
  for (auto [i, order] : llvm::enumerate(form.operands))
    order = withPadding(order, i == 0 ? padding : Padding::Zero);
  for (AtomSequence &order : form.results)
    order = withPadding(order, padding);
  AxisMap map = mapped.getAxisMap();
  if (map.isOpaque())
    return form.isBlocked() || !admitsWrapped(op, form) ? std::nullopt
                                                        : std::optional(form);
  auto complete = [&](bool keepsWeights) -> std::optional<StoredForm> {
    StoredForm completed = form;
    if (!keepsWeights)
      for (AtomSequence &order : llvm::drop_begin(completed.operands))
        order.clear();
    SmallVector<int64_t> blocks = getBlocks(op, map, completed);
    for (auto [i, order] : llvm::enumerate(completed.operands))
      if (i > 0 && order.empty() && map.getOperands()[i])
        order = blockInPlace(*map.getOperands()[i], blocks);
    return admitsWrapped(op, completed) ? std::optional(completed)
                                        : std::nullopt;
  };
  if (auto completed = complete(/*keepsWeights=*/true))
    return completed;
  return complete(/*keepsWeights=*/false);
}
