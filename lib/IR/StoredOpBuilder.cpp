//===- StoredOpBuilder.cpp - Operations over physical tensors -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

StoredOpBuilder::StoredOpBuilder(OpBuilder &builder, Operation *op,
                                 ValueRange operands)
    : builder(builder), op(op), form(StoredForm::of(op).withoutPadding()),
      operands(operands), results(op->getNumResults()) {}

Value StoredOpBuilder::lookup(Value operand) const {
  if (!operand)
    return {};
  for (auto [original, physical] : llvm::zip_equal(op->getOperands(), operands))
    if (original == operand)
      return physical;
  return {};
}

AtomSequence StoredOpBuilder::getOperandOrder(unsigned index) const {
  return writeOut(form.operands[index], op->getOperand(index).getType());
}

AtomSequence StoredOpBuilder::getResultOrder(unsigned index) const {
  return writeOut(form.results[index], op->getResult(index).getType());
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The product of the known extents, and how many are unknown. Products of
/// types' extents do not overflow where they matter: a shape that does is not
/// allocated.
static std::pair<uint64_t, size_t> summarize(ArrayRef<int64_t> shape) {
  std::pair<uint64_t, size_t> summary{1, 0};
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      ++summary.second;
    else
      summary.first *= extent;
  }
  return summary;
}

/// Whether the unknown extent `i` of `to` is that of `from`. Both begin alike,
/// so it begins with the same axis; what follows in either has as many
/// elements, so it ends with it too.
static bool isCopied(ArrayRef<int64_t> from, ArrayRef<int64_t> to, size_t i) {
  if (i >= from.size() || !ShapedType::isDynamic(from[i]) ||
      !llvm::equal(from.take_front(i), to.take_front(i)))
    return false;
  auto rest = summarize(from.drop_front(i + 1));
  return rest.first != 0 && rest == summarize(to.drop_front(i + 1));
}

/// Entries of a Reshape that makes `from` into `to`: at most one unknown extent
/// is computed, others are copied from where they stand.
static std::optional<SmallVector<int64_t>>
getReshapeEntries(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> entries(to);
  bool hasRest = false;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    // A zero is read as "copy".
    if (entry == 0 && (i >= from.size() || from[i] != 0))
      return std::nullopt;
    if (!ShapedType::isDynamic(entry))
      continue;
    if (isCopied(from, to, i)) {
      entry = 0;
      continue;
    }
    if (hasRest || llvm::is_contained(to, 0))
      return std::nullopt;
    hasRest = true;
    entry = -1;
  }
  return entries;
}

/// The positions of the unit dimensions of `shape`.
static SmallVector<int64_t> getUnitDims(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dims;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (extent == 1)
      dims.push_back(i);
  return dims;
}

static SmallVector<int64_t> dropUnitDims(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> kept(shape);
  llvm::erase(kept, 1);
  return kept;
}

bool inlay::canView(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> kept = dropUnitDims(from), wanted = dropUnitDims(to);
  return kept == wanted || getReshapeEntries(kept, wanted);
}

Value StoredOpBuilder::createView(Value value, ArrayRef<int64_t> shape) {
  auto from = dyn_cast<RankedTensorType>(value.getType());
  if (!from || !canView(from.getShape(), shape))
    return {};
  if (from.getShape() == shape)
    return value;
  Location loc = op->getLoc();
  auto getType = [&](ArrayRef<int64_t> extents) {
    return RankedTensorType::get(extents, from.getElementType());
  };
  SmallVector<int64_t> kept = dropUnitDims(from.getShape());
  SmallVector<int64_t> wanted = dropUnitDims(shape);
  // Beside an unknown extent that may be zero another cannot be computed, and
  // need not be where only unit dimensions come and go.
  bool isKnown =
      kept != wanted || llvm::count_if(kept, ShapedType::isDynamic) < 2;
  auto entries = getReshapeEntries(from.getShape(), shape);
  if (isKnown && entries)
    return builder.create<ReshapeOp>(loc, getType(shape), value, Value(),
                                     builder.getDenseI64ArrayAttr(*entries),
                                     IntegerAttr());
  if (SmallVector<int64_t> units = getUnitDims(from.getShape()); !units.empty())
    value = builder.create<SqueezeOp>(loc, getType(kept), value, Value(),
                                      builder.getDenseI64ArrayAttr(units));
  if (kept != wanted)
    value = builder.create<ReshapeOp>(
        loc, getType(wanted), value, Value(),
        builder.getDenseI64ArrayAttr(*getReshapeEntries(kept, wanted)),
        IntegerAttr());
  if (SmallVector<int64_t> units = getUnitDims(shape); !units.empty())
    value = builder.create<UnsqueezeOp>(loc, getType(shape), value, Value(),
                                        builder.getDenseI64ArrayAttr(units));
  return value;
}

Value StoredOpBuilder::viewOperand(unsigned index,
                                   ArrayRef<std::optional<Atom>> view) {
  auto physical = dyn_cast<RankedTensorType>(operands[index].getType());
  if (!physical)
    return operands[index];
  AtomSequence order = getOperandOrder(index);
  SmallVector<int64_t> shape;
  for (const std::optional<Atom> &atom : view) {
    const Atom *own = atom ? llvm::find(order, *atom) : order.end();
    shape.push_back(
        own == order.end() ? 1 : physical.getDimSize(own - order.begin()));
  }
  return createView(operands[index], shape);
}

Value StoredOpBuilder::alignOperand(unsigned index, Type type,
                                    ArrayRef<Atom> order) {
  return viewOperand(index, alignAtoms(op->getOperand(index).getType(),
                                       form.operands[index], type, order));
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Operation *StoredOpBuilder::create(ValueRange operands,
                                   ArrayRef<NamedAttribute> changed) {
  NamedAttrList attributes(op->getAttrDictionary());
  for (NamedAttribute attribute : changed)
    attributes.set(attribute.getName(), attribute.getValue());
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(
        UnrankedTensorType::get(cast<TensorType>(type).getElementType()));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(attributes.getAttrs());
  Operation *created = builder.create(state);
  LogicalResult inferred = refineResultTypes(created);
  assert(succeeded(inferred) && "the form is one that the operator admits");
  (void)inferred;
  return created;
}

/// Whether a tensor of shape `a` needs no view to have shape `b`: they differ
/// in what is known only. Where each has a unit dimension that the other lacks,
/// one has moved.
static bool isSameShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() != b.size())
    return false;
  bool onlyInA = false, onlyInB = false;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    if (x != y && !ShapedType::isDynamic(x) && !ShapedType::isDynamic(y))
      return false;
    onlyInA |= x == 1 && y != 1;
    onlyInB |= y == 1 && x != 1;
  }
  return !(onlyInA && onlyInB);
}

void StoredOpBuilder::setResult(unsigned index, Value value) {
  auto wanted = dyn_cast<RankedTensorType>(
      getPhysicalType(op->getResult(index).getType()));
  auto actual = dyn_cast<RankedTensorType>(value.getType());
  if (!wanted ||
      (actual && isSameShape(actual.getShape(), wanted.getShape()))) {
    if (wanted && value.getDefiningOp())
      value.setType(cast<TensorType>(meetTypes(value.getType(), wanted)));
    results[index] = value;
    return;
  }
  results[index] = actual ? createView(value, wanted.getShape()) : Value();
}

void StoredOpBuilder::setResults(Operation *created) {
  for (auto [i, value] : llvm::enumerate(created->getResults()))
    setResult(i, value);
}
