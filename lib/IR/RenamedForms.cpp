//===- RenamedForms.cpp - Operators over N x C x spatial that stay so -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX has no convolution, pool or batch normalisation over another order than
// N x C x spatial. But nobody has to number channels as the model does: with
// the filters, biases and results renumbered alike, the same operator computes
// the same. And spatial dimensions may change places if kernel, strides, pads
// and dilations do.
//
//   conv [n, c, h, w], [m, c, k, l] -> [n, m, h, w], c = 2 * 4 stored as 4 * 2:
//       the weight's c is stored so, too (of a constant at compile time)
//   input stored as n, c, w, h: the weight as m, c, l, k
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Layout/AxisOrder.h"
#include "llvm/ADT/Sequence.h"
#include <map>

using namespace inlay;
using namespace mlir;

/// Batch and channels come first.
static constexpr unsigned firstSpatial = 2;

namespace {
/// A form in which every tensor keeps the places of its dimensions, but for the
/// spatial ones.
class Renaming {
public:
  Renaming(Operation *op, const StoredForm &form);

  /// Whether all tensors are renumbered alike.
  bool isConsistent() const;

  /// The shape that the operator sees.
  SmallVector<int64_t> getShape(RankedTensorType type) const;
  /// `values`, of which there are some for each spatial dimension.
  SmallVector<int64_t> rearrange(ArrayRef<int64_t> values) const;
  bool movesSpatial() const { return !llvm::is_sorted(dims); }

private:
  using Pieces = SmallVector<AxisPiece, 2>;

  void findSpatialOrder(ArrayRef<Atom> order, RankedTensorType type);
  bool hasSpatialLists() const;
  bool checkTensor(Type type, ArrayRef<Atom> order,
                   const std::optional<TensorAxes> &axes,
                   std::map<unsigned, Pieces> &piecesOf) const;
  /// The dimensions of a tensor of `rank` as the operator sees them.
  SmallVector<unsigned> getDims(unsigned rank) const;
  bool mayHaveParts(unsigned axis) const {
    AxisKind kind = map.getAxes()[axis].kind;
    return kind == AxisKind::Parallel || kind == AxisKind::Contracted;
  }
  /// Whether a tensor has one element along `axis`, one of `ofDim`. An axis of
  /// windows is not as long in the data as in the result.
  bool isUnit(unsigned axis, const DimAxes &ofDim, int64_t size) const {
    return size == 1 || (ofDim.size() > 1 && map.getAxes()[axis].extent == 1);
  }

  Operation *op;
  const StoredForm &form;
  AxisMap map;
  /// Of the data: dimension dims[i] stands at place i.
  SmallVector<unsigned> dims;
};
} // namespace

Renaming::Renaming(Operation *op, const StoredForm &form)
    : op(op), form(form), map(cast<AxisMapOpInterface>(op).getAxisMap()) {
  if (auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType()))
    findSpatialOrder(form.operands[0], type);
}

/// Spatial dimensions of several elements as they lie; those of one stay.
void Renaming::findSpatialOrder(ArrayRef<Atom> order, RankedTensorType type) {
  dims = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  SmallVector<unsigned> places, found;
  for (const Atom &atom : writeOut(order, type))
    if (atom.dim >= firstSpatial && type.getDimSize(atom.dim) != 1 &&
        !llvm::is_contained(found, atom.dim))
      found.push_back(atom.dim);
  places = found;
  llvm::sort(places);
  for (auto [place, dim] : llvm::zip_equal(places, found))
    dims[place] = dim;
}

SmallVector<unsigned> Renaming::getDims(unsigned rank) const {
  return rank == dims.size() ? dims
                             : llvm::to_vector(llvm::seq<unsigned>(0, rank));
}

SmallVector<int64_t> Renaming::getShape(RankedTensorType type) const {
  SmallVector<int64_t> shape;
  for (unsigned dim : getDims(type.getRank()))
    shape.push_back(type.getDimSize(dim));
  return shape;
}

SmallVector<int64_t> Renaming::rearrange(ArrayRef<int64_t> values) const {
  size_t numSpatial = dims.size() - firstSpatial;
  SmallVector<int64_t> rearranged(values);
  for (size_t start = 0; start < values.size(); start += numSpatial)
    for (size_t i = 0; i < numSpatial; ++i)
      rearranged[start + i] =
          values[start + dims[firstSpatial + i] - firstSpatial];
  return rearranged;
}

/// Whether the axes of a tensor lie as those of its dimensions, each in the
/// same pieces as in the tensors before.
bool Renaming::checkTensor(Type type, ArrayRef<Atom> order,
                           const std::optional<TensorAxes> &axes,
                           std::map<unsigned, Pieces> &piecesOf) const {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !axes)
    return order.empty();
  auto lifted = liftOrder(map, *axes, order);
  SmallVector<int64_t> seen = getShape(ranked),
                       physical = getPhysicalShape(type, order);
  if (!lifted || !canView(physical, seen) || !canView(seen, physical))
    return false;
  SmallVector<unsigned> expected, units;
  for (unsigned dim : getDims(ranked.getRank()))
    for (unsigned axis : (*axes)[dim])
      (isUnit(axis, (*axes)[dim], ranked.getDimSize(dim)) ? units : expected)
          .push_back(axis);
  llvm::erase_if(*lifted, [&](const AxisPiece &piece) {
    return llvm::is_contained(units, piece.axis) ||
           piece.extent.getValue() == 1;
  });
  const AxisPiece *next = lifted->begin();
  for (unsigned axis : expected) {
    Pieces pieces;
    while (next != lifted->end() && next->axis == axis)
      pieces.push_back(*next++);
    if (pieces.empty() || (pieces.size() > 1 && !mayHaveParts(axis)))
      return false;
    auto [known, isNew] = piecesOf.try_emplace(axis, pieces);
    if (!isNew && known->second != pieces)
      return false;
  }
  return next == lifted->end();
}

/// Whether every list has one element for each spatial dimension, or two as
/// pads have; the shape that a model asks for may begin with N and C.
bool Renaming::hasSpatialLists() const {
  size_t numSpatial = dims.size() - firstSpatial;
  return llvm::all_of(op->getAttrs(), [&](NamedAttribute attribute) {
    auto values = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    bool hasTwo = attribute.getName() == "pads";
    return !values || values.empty() ||
           values.size() == int64_t((hasTwo ? 2 : 1) * numSpatial);
  });
}

bool Renaming::isConsistent() const {
  if (map.isOpaque() || dims.empty() || form.isBlocked() ||
      (movesSpatial() && !hasSpatialLists()))
    return false;
  std::map<unsigned, Pieces> piecesOf;
  for (auto [type, order, axes] :
       llvm::zip_equal(op->getOperandTypes(), form.operands, map.getOperands()))
    if (!checkTensor(type, order, axes, piecesOf))
      return false;
  for (auto [type, order, axes] :
       llvm::zip_equal(op->getResultTypes(), form.results, map.getResults()))
    if (!checkTensor(type, order, axes, piecesOf))
      return false;
  return true;
}

bool inlay::admitsRenamed(Operation *op, const StoredForm &form) {
  return Renaming(op, form).isConsistent();
}

/// The attributes that say something of each spatial dimension.
static SmallVector<NamedAttribute>
rearrangeAttributes(StoredOpBuilder &stored, const Renaming &renaming) {
  SmallVector<NamedAttribute> changed;
  if (!renaming.movesSpatial())
    return changed;
  for (NamedAttribute attribute : stored.getOperation()->getAttrs())
    if (auto values = dyn_cast<DenseI64ArrayAttr>(attribute.getValue()))
      changed.push_back(stored.getAttr(
          attribute.getName(),
          stored.getInts(renaming.rearrange(values.asArrayRef()))));
  return changed;
}

LogicalResult inlay::buildRenamed(StoredOpBuilder &stored) {
  Operation *op = stored.getOperation();
  Renaming renaming(op, stored.getForm());
  SmallVector<Value> operands;
  for (auto [operand, value] :
       llvm::zip_equal(op->getOperands(), stored.getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    operands.push_back(type ? stored.createView(value, renaming.getShape(type))
                            : value);
    if (!operands.back())
      return failure();
  }
  stored.setResults(
      stored.create(operands, rearrangeAttributes(stored, renaming)));
  return success();
}
