//===- PaddedRelayout.cpp - Relayouts that put in or drop padding ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dimension that only the one order blocks is padded before, or cut behind, a
// relayout of tensors that are as long as their blocks, which is one of exact
// factors:
//
//   NCHW -> NC1HWC0      pad, reshape, transpose
//   NC1HWC0 -> NCHW      transpose, reshape, slice
//
// A dimension that fits into one block is moved without its padding:
//
//   NCHW -> NC1HWC0      transpose, pad, reshape
//
// Padding that may be anything becomes zero where it lies: the last block of a
// dimension is cut and padded again.
//
//===----------------------------------------------------------------------===//

#include "PaddedRelayout.h"
#include "BuildRelayout.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/PaddedForm.h"
#include "inlay/IR/StoredConstants.h"

using namespace inlay;
using namespace inlay::layout;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Slices and pads of physical tensors
//===----------------------------------------------------------------------===//

static RankedTensorType withExtent(Value value, int64_t position,
                                   int64_t extent) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[position] = extent;
  return RankedTensorType::get(shape, type.getElementType());
}

static Value buildSlice(StoredOpBuilder &stored, Value value, int64_t position,
                        int64_t begin, int64_t end) {
  OpBuilder &builder = stored.getBuilder();
  return builder.create<SliceOp>(
      stored.getOperation()->getLoc(), withExtent(value, position, end - begin),
      value, Value(), Value(), Value(), Value(),
      builder.getDenseI64ArrayAttr(begin), builder.getDenseI64ArrayAttr(end),
      builder.getDenseI64ArrayAttr(position), DenseI64ArrayAttr());
}

/// `value` with zeros behind its elements along one dimension.
static Value buildPad(StoredOpBuilder &stored, Value value, int64_t position,
                      int64_t extent) {
  OpBuilder &builder = stored.getBuilder();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> pads(2 * type.getRank(), 0);
  pads[type.getRank() + position] = extent - type.getDimSize(position);
  return builder.create<PadOp>(
      stored.getOperation()->getLoc(), withExtent(value, position, extent),
      value, Value(), Value(), Value(), StringAttr(),
      builder.getDenseI64ArrayAttr(pads), DenseI64ArrayAttr());
}

Value layout::viewPhysical(StoredOpBuilder &stored, Value value, Type type) {
  return stored.createView(
      value, cast<RankedTensorType>(getPhysicalType(type)).getShape());
}

Value layout::buildZeroBeyond(StoredOpBuilder &stored, Value value,
                              int64_t position, int64_t extent) {
  int64_t whole = cast<RankedTensorType>(value.getType()).getDimSize(position);
  return extent == whole
             ? value
             : buildPad(stored, buildSlice(stored, value, position, 0, extent),
                        position, whole);
}

//===----------------------------------------------------------------------===//
// Blocked dimensions
//===----------------------------------------------------------------------===//

static bool isBlockedDim(ArrayRef<Atom> order, unsigned dim) {
  return llvm::any_of(order, [&](const Atom &atom) {
    return atom.dim == dim && countsBlocks(atom);
  });
}

static bool isWholeDim(ArrayRef<Atom> order, unsigned dim) {
  return llvm::none_of(order, [&](const Atom &atom) {
    return atom.dim == dim && atom.factor != 0;
  });
}

static unsigned getNumFactors(ArrayRef<Atom> order, unsigned dim) {
  return llvm::count_if(order,
                        [&](const Atom &atom) { return atom.dim == dim; });
}

/// The position of atom `factor` of dimension `dim`.
static int64_t getPlace(ArrayRef<Atom> order, unsigned dim, unsigned factor) {
  if (order.empty())
    return dim;
  return llvm::find_if(order,
                       [&](const Atom &atom) {
                         return atom.dim == dim && atom.factor == factor;
                       }) -
         order.begin();
}

/// `type` with another shape, stored in `order`.
static Type getStoredType(RankedTensorType type, ArrayRef<int64_t> shape,
                          ArrayRef<Atom> order) {
  if (order.empty())
    return RankedTensorType::get(shape, type.getElementType());
  Layout layout = llvm::cantFail(
      Layout::getUnnamed(LayoutClass::Tensor, AtomSequence(order)));
  return RankedTensorType::get(shape, type.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

/// One extent for each atom of `order`, whose factors are exact. The layout
/// that they make has fewer where they lie row-major.
static SmallVector<int64_t> getAtomShape(ArrayRef<Atom> order,
                                         ArrayRef<int64_t> shape) {
  if (order.empty())
    return SmallVector<int64_t>(shape);
  return llvm::map_to_vector(order, [&](const Atom &atom) {
    return atom.extent.isKnown() ? atom.extent.getValue() : shape[atom.dim];
  });
}

namespace {
/// A relayout for which each blocked dimension is whole, or blocked alike, in
/// the other order.
class PaddedRelayout {
public:
  PaddedRelayout(StoredOpBuilder &stored, RankedTensorType type,
                 ArrayRef<Atom> from, ArrayRef<Atom> to, bool alwaysTranspose)
      : stored(stored), type(type), from(from), to(to),
        alwaysTranspose(alwaysTranspose) {}

  bool isPossible() const;
  Value build(Value physical);

private:
  bool isBlockedAlike(unsigned dim) const;
  SmallVector<unsigned> getSingleBlocks(ArrayRef<Atom> order,
                                        ArrayRef<Atom> other);
  SmallVector<int64_t> getUnpaddedShape(ArrayRef<unsigned> dims);
  Value buildMultiple(Value physical);
  Value clearPadding(Value physical);

  StoredOpBuilder &stored;
  RankedTensorType type;
  ArrayRef<Atom> from, to;
  bool alwaysTranspose;
};
} // namespace

bool PaddedRelayout::isBlockedAlike(unsigned dim) const {
  auto getSizes = [&](ArrayRef<Atom> order) {
    SmallVector<std::pair<unsigned, int64_t>> sizes;
    for (const Atom &atom : order)
      if (atom.dim == dim)
        sizes.emplace_back(atom.factor, atom.extent.getValue());
    llvm::sort(sizes);
    return sizes;
  };
  return isBlockedDim(from, dim) && isBlockedDim(to, dim) &&
         getSizes(from) == getSizes(to);
}

bool PaddedRelayout::isPossible() const {
  return llvm::all_of(
      llvm::seq<unsigned>(0, type.getRank()), [&](unsigned dim) {
        bool isBlocked = isBlockedDim(from, dim) || isBlockedDim(to, dim);
        return !isBlocked || isBlockedAlike(dim) || isWholeDim(from, dim) ||
               isWholeDim(to, dim);
      });
}

/// The dimensions that `order` has in one block that is not full, and `other`
/// has whole. Of an unknown extent nobody can say.
SmallVector<unsigned> PaddedRelayout::getSingleBlocks(ArrayRef<Atom> order,
                                                      ArrayRef<Atom> other) {
  SmallVector<unsigned> dims;
  for (const Atom &atom : order)
    if (isBlockedDim(order, atom.dim) && atom.factor == 0 &&
        !type.isDynamicDim(atom.dim) &&
        type.getDimSize(atom.dim) < atom.extent.getValue() &&
        isWholeDim(other, atom.dim) && getNumFactors(order, atom.dim) == 2)
      dims.push_back(atom.dim);
  return dims;
}

/// `order` with `dims`, which have one block each, whole.
static AtomSequence joinBlocks(ArrayRef<Atom> order, ArrayRef<unsigned> dims) {
  AtomSequence joined;
  for (const Atom &atom : order) {
    bool isJoined = llvm::is_contained(dims, atom.dim);
    if (!isJoined)
      joined.push_back(atom);
    else if (atom.factor == 0)
      joined.push_back({atom.dim});
  }
  return joined;
}

Value PaddedRelayout::build(Value physical) {
  SmallVector<unsigned> cut = getSingleBlocks(from, to);
  SmallVector<unsigned> padded = getSingleBlocks(to, from);
  if (cut.empty() && padded.empty())
    return buildMultiple(physical);
  for (unsigned dim : cut)
    physical = buildSlice(stored, physical, getPlace(from, dim, 0), 0,
                          type.getDimSize(dim));
  Type before = getStoredType(type, type.getShape(), joinBlocks(from, cut));
  Type after = getStoredType(type, type.getShape(), joinBlocks(to, padded));
  physical = viewPhysical(stored, physical, before);
  physical =
      physical ? buildRelayout(stored, physical, before, after, alwaysTranspose)
               : Value();
  // The blocks of one are put in again before, so that positions are `to`'s.
  physical = physical ? stored.createView(physical, getUnpaddedShape(padded))
                      : Value();
  if (!physical)
    return {};
  for (unsigned dim : padded) {
    int64_t lanes = getPlace(to, dim, 0);
    physical = buildPad(stored, physical, lanes, to[lanes].extent.getValue());
  }
  return physical;
}

/// The shape that `to` stores, but for the padding of `dims`.
SmallVector<int64_t> PaddedRelayout::getUnpaddedShape(ArrayRef<unsigned> dims) {
  auto stored = getStoredType(type, type.getShape(), to);
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(getPhysicalType(stored)).getShape());
  for (unsigned dim : dims)
    shape[getPlace(to, dim, 0)] = type.getDimSize(dim);
  return shape;
}

Value PaddedRelayout::buildMultiple(Value physical) {
  SmallVector<int64_t> shape =
      getPaddedShape(from, getPaddedShape(to, type.getShape()));
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (isBlockedDim(to, dim) && isWholeDim(from, dim) &&
        shape[dim] != type.getDimSize(dim))
      physical = buildPad(stored, physical, getPlace(from, dim, 0), shape[dim]);
  // With all blocks full they are factors.
  auto exactFrom = resolveBlocks(from, shape),
       exactTo = resolveBlocks(to, shape);
  if (!exactFrom || !exactTo)
    return {};
  Type before = getStoredType(type, shape, *exactFrom);
  Type after = getStoredType(type, shape, *exactTo);
  physical = viewPhysical(stored, physical, before);
  physical =
      physical ? buildRelayout(stored, physical, before, after, alwaysTranspose)
               : Value();
  physical = physical
                 ? stored.createView(physical, getAtomShape(*exactTo, shape))
                 : Value();
  if (!physical)
    return {};
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (isBlockedDim(from, dim) && isWholeDim(to, dim) &&
        shape[dim] != type.getDimSize(dim))
      physical = buildSlice(stored, physical, getPlace(to, dim, 0), 0,
                            type.getDimSize(dim));
  bool mustClear =
      getPadding(to) == Padding::Zero && getPadding(from) == Padding::Any;
  return mustClear ? clearPadding(physical) : physical;
}

/// Only blocks of one size are cut into: targets have no others.
Value PaddedRelayout::clearPadding(Value physical) {
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    if (!isBlockedAlike(dim))
      continue;
    int64_t blocks = getPlace(to, dim, 1), lanes = getPlace(to, dim, 0);
    auto current = cast<RankedTensorType>(physical.getType());
    int64_t count = current.getDimSize(blocks),
            size = current.getDimSize(lanes);
    int64_t rest = type.getDimSize(dim) - (count - 1) * size;
    if (rest == size)
      continue;
    if (count == 1) {
      physical = buildZeroBeyond(stored, physical, lanes, rest);
      continue;
    }
    Value full = buildSlice(stored, physical, blocks, 0, count - 1);
    Value last = buildSlice(stored, physical, blocks, count - 1, count);
    last = buildZeroBeyond(stored, last, lanes, rest);
    physical = stored.getBuilder().create<ConcatOp>(
        stored.getOperation()->getLoc(), current, ValueRange{full, last},
        blocks);
  }
  return physical;
}

//===----------------------------------------------------------------------===//
// Relayouts
//===----------------------------------------------------------------------===//

/// The constant in blocks, read when it is needed; null where it is none.
static Value buildConstant(StoredOpBuilder &stored, Value physical, Type from,
                           Type to) {
  Attribute value = getConstantValue(physical);
  if (!value || !getStorageOrder(from).empty())
    return {};
  auto layout = cast<LayoutAttr>(cast<RankedTensorType>(to).getEncoding());
  TypedAttr blocked = getStoredAttr(value, layout.getLayout());
  if (!blocked)
    return {};
  OpBuilder &builder = stored.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(physical.getDefiningOp());
  return builder.create<ConstantOp>(builder.getUnknownLoc(), blocked.getType(),
                                    blocked);
}

Value layout::buildPaddedRelayout(StoredOpBuilder &stored, Value physical,
                                  Type from, Type to, bool alwaysTranspose) {
  if (isBlocked(getStorageOrder(to)))
    if (Value constant = buildConstant(stored, physical, from, to))
      return constant;
  auto type = cast<RankedTensorType>(to);
  PaddedRelayout relayout(stored, type, getStorageOrder(from),
                          getStorageOrder(to), alwaysTranspose);
  if (relayout.isPossible())
    return relayout.build(physical);
  // Blocks of different sizes, or factors of what the other order blocks.
  Type plain = RankedTensorType::get(type.getShape(), type.getElementType());
  Value rowMajor =
      buildRelayout(stored, physical, from, plain, alwaysTranspose);
  return rowMajor ? buildRelayout(stored, rowMajor, plain, to, alwaysTranspose)
                  : Value();
}
