//===- PaddedForms.cpp - Operations on tensors with padding ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/PaddedForm.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Blocked axes
//===----------------------------------------------------------------------===//

namespace {
/// A tensor of an operation in a form.
struct FormTensor {
  Type type;
  ArrayRef<Atom> order;
  const std::optional<TensorAxes> &axes;

  bool isBlockedDim(unsigned dim) const {
    return llvm::any_of(order, [&](const Atom &atom) {
      return atom.dim == dim && countsBlocks(atom);
    });
  }
};

/// The axes of an operation that a form blocks.
class BlockedAxes {
public:
  BlockedAxes(Operation *op, const StoredForm &form);

  /// Whether every tensor that has a blocked axis has it with the same padding,
  /// as a dimension of its own.
  bool agree() const;
  /// The extent with padding, or nothing for an axis that is not blocked.
  std::optional<int64_t> getExtent(unsigned axis) const {
    return extents[axis] ? std::optional(extents[axis]) : std::nullopt;
  }
  const AxisMap &getMap() const { return map; }
  ArrayRef<FormTensor> getTensors() const { return tensors; }

private:
  bool addTensor(const FormTensor &tensor);
  bool hasPadding(const FormTensor &tensor) const;

  AxisMap map;
  SmallVector<FormTensor> tensors;
  SmallVector<int64_t> extents;
  bool isConsistent = true;
};
} // namespace

/// Further results (indices, masks) that nothing reads are not made.
static bool hasSay(OpResult result) {
  return result.getResultNumber() == 0 || !result.use_empty();
}

BlockedAxes::BlockedAxes(Operation *op, const StoredForm &form)
    : map(isa<AxisMapOpInterface>(op)
              ? cast<AxisMapOpInterface>(op).getAxisMap()
              : AxisMap::opaque()),
      extents(map.getAxes().size(), 0), isConsistent(!map.isOpaque()) {
  if (!isConsistent)
    return;
  for (auto [type, order, axes] :
       llvm::zip_equal(op->getOperandTypes(), form.operands, map.getOperands()))
    tensors.push_back({type, order, axes});
  for (auto [result, order, axes] :
       llvm::zip_equal(op->getResults(), form.results, map.getResults()))
    if (hasSay(result))
      tensors.push_back({result.getType(), order, axes});
  isConsistent = llvm::all_of(
      tensors, [&](const FormTensor &tensor) { return addTensor(tensor); });
}

bool BlockedAxes::addTensor(const FormTensor &tensor) {
  if (!isBlocked(tensor.order))
    return true;
  auto type = dyn_cast<RankedTensorType>(tensor.type);
  if (!type)
    return false;
  // What only says a type is not looked at.
  if (!tensor.axes)
    return true;
  SmallVector<int64_t> padded = getPaddedShape(tensor.order, type.getShape());
  for (auto [dim, axes] : llvm::enumerate(*tensor.axes)) {
    if (!tensor.isBlockedDim(dim))
      continue;
    if (axes.size() != 1 || ShapedType::isDynamic(padded[dim]))
      return false;
    int64_t &extent = extents[axes.front()];
    if (extent != 0 && extent != padded[dim])
      return false;
    extent = padded[dim];
  }
  return true;
}

/// Whether all blocked axes that `tensor` has are blocked in it.
bool BlockedAxes::hasPadding(const FormTensor &tensor) const {
  // What has no rank may have such an axis.
  if (!tensor.axes)
    return !isa<UnrankedTensorType>(tensor.type) ||
           llvm::all_of(extents, [](int64_t extent) { return extent == 0; });
  for (auto [dim, axes] : llvm::enumerate(*tensor.axes))
    for (unsigned axis : axes)
      if (extents[axis] && !tensor.isBlockedDim(dim))
        return false;
  return true;
}

bool BlockedAxes::agree() const {
  return isConsistent && llvm::all_of(tensors, [&](const FormTensor &tensor) {
           return hasPadding(tensor);
         });
}

//===----------------------------------------------------------------------===//
// What operations make of padding
//===----------------------------------------------------------------------===//

/// More elements are not worth computing to know what zeros become.
static constexpr int64_t maxProbeElements = 1 << 20;

/// Zeros in the shape of an operand's padding: one element along blocked
/// dimensions, and along those of unknown extent where elements do not meet.
static std::optional<HostTensor> makeZeros(const AxisMap &map,
                                           const FormTensor &tensor) {
  auto ranked = cast<RankedTensorType>(tensor.type);
  auto element = getOnnxElementType(ranked.getElementType());
  if (!element || *element == ElementType::String || !tensor.axes)
    return std::nullopt;
  SmallVector<int64_t> shape(ranked.getShape());
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    bool isOpen = ShapedType::isDynamic(extent);
    if (isOpen && !llvm::all_of((*tensor.axes)[dim], [&](unsigned axis) {
          return map.getAxes()[axis].kind == AxisKind::Parallel;
        }))
      return std::nullopt;
    if (isOpen || tensor.isBlockedDim(dim))
      extent = 1;
  }
  std::optional<int64_t> count = getNumElements(shape);
  if (!count || *count > maxProbeElements)
    return std::nullopt;
  return HostTensor(*element, shape);
}

/// What an operand is where its padding, if it has some, is zero; nothing where
/// that is not known before it is computed.
static std::optional<HostTensor> getProbe(Value operand, const AxisMap &map,
                                          const FormTensor &tensor) {
  if (!isa<RankedTensorType>(operand.getType()))
    return HostTensor();
  if (isBlocked(tensor.order))
    return makeZeros(map, tensor);
  Attribute value = getConstantValue(operand);
  if (!value || getByteSize(value) > maxProbeElements)
    return std::nullopt;
  auto constant = getHostTensor(value);
  if (constant)
    return *constant;
  llvm::consumeError(constant.takeError());
  return std::nullopt;
}

static bool isZero(const HostTensor &tensor) {
  if (!tensor)
    return true;
  if (tensor.getType() == ElementType::String || isComplex(tensor.getType()))
    return false;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    if (tensor.getDouble(i) != 0)
      return false;
  return true;
}

/// Evaluates `op` where the padding of its operands is zero; nothing where what
/// it takes besides is not known, or it does not take it.
static std::optional<SmallVector<Padding, 1>>
evaluateOnZeros(Operation *op, const BlockedAxes &blocked) {
  SmallVector<HostTensor> operands;
  for (auto [value, tensor] :
       llvm::zip(op->getOperands(), blocked.getTensors())) {
    std::optional<HostTensor> probe = getProbe(value, blocked.getMap(), tensor);
    if (!probe)
      return std::nullopt;
    operands.push_back(std::move(*probe));
  }
  Evaluation evaluation(op, operands);
  if (llvm::Error error = cast<EvaluateOpInterface>(op).evaluate(evaluation)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  SmallVector<Padding, 1> padding;
  for (const HostTensor &result : evaluation.getResults())
    padding.push_back(isZero(result) ? Padding::Zero : Padding::Any);
  return padding;
}

SmallVector<Padding, 1> inlay::getResultPadding(Operation *op,
                                                const StoredForm &form) {
  SmallVector<Padding, 1> unknown(op->getNumResults(), Padding::Any);
  bool hasBlocks = false;
  for (const AtomSequence &order : form.operands) {
    hasBlocks |= isBlocked(order);
    if (isBlocked(order) && getPadding(order) == Padding::Any)
      return unknown;
  }
  auto evaluated = dyn_cast<EvaluateOpInterface>(op);
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!hasBlocks || !evaluated || !evaluated.isUnambiguous() || !fusion)
    return unknown;
  BlockedAxes blocked(op, form);
  if (!blocked.agree())
    return unknown;
  if (auto padding = evaluateOnZeros(op, blocked))
    return *padding;
  // A reshape does not take the shape of padding, but only moves.
  FusionClass own = fusion.getFusionClass();
  bool moves = (own == FusionClass::Transform || own == FusionClass::View) &&
               op->getNumOperands() == 1;
  return moves ? SmallVector<Padding, 1>(op->getNumResults(), Padding::Zero)
               : unknown;
}

/// Whether every result's padding is what `form` promises.
static bool leavesPadding(Operation *op, const StoredForm &form) {
  bool promises = llvm::any_of(form.results, [](const AtomSequence &order) {
    return getPadding(order) == Padding::Zero;
  });
  if (!promises)
    return true;
  for (auto [order, padding] :
       llvm::zip_equal(form.results, getResultPadding(op, form)))
    if (getPadding(order) == Padding::Zero && padding == Padding::Any)
      return false;
  return true;
}

/// Whether `operand` may hold anything where there is padding. Integers after
/// the first operand may be divisors or indices, which fail on some values.
static bool takesPadding(OpOperand &operand) {
  Type element = getElementType(operand.get());
  return operand.getOperandNumber() == 0 || !element ||
         !element.isIntOrIndex() || element.isInteger(1);
}

bool inlay::admitsStored(Operation *op, const StoredForm &form) {
  auto storage = dyn_cast<StorageOpInterface>(op);
  if (!storage)
    return false;
  if (!form.isBlocked())
    return storage.admitsForm(form);
  if (!storage.admitsFactors() || !storage.admitsForm(form.withoutPadding()))
    return false;
  BlockedAxes blocked(op, form);
  if (!blocked.agree())
    return false;
  for (auto [i, axis] : llvm::enumerate(blocked.getMap().getAxes()))
    if (blocked.getExtent(i) && axis.kind != AxisKind::Parallel)
      return false;
  // What only says a type is not read.
  for (auto [operand, axes] :
       llvm::zip_equal(op->getOpOperands(), blocked.getMap().getOperands()))
    if (axes && isBlocked(form.operands[operand.getOperandNumber()]) &&
        !takesPadding(operand))
      return false;
  return leavesPadding(op, form);
}

//===----------------------------------------------------------------------===//
// Operations over tensors as long as their blocks
//===----------------------------------------------------------------------===//

Type inlay::getPaddedType(Type type) {
  ArrayRef<Atom> order = getStorageOrder(type);
  if (!isBlocked(order))
    return type;
  auto ranked = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape = getPaddedShape(order, ranked.getShape());
  std::optional<AtomSequence> exact = resolveBlocks(order, shape);
  if (!exact)
    return type;
  Layout layout = llvm::cantFail(
      Layout::getUnnamed(LayoutClass::Tensor, std::move(*exact)));
  return RankedTensorType::get(shape, ranked.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

/// The shape of a tensor with its padding, stored row-major.
static Type getPaddedPlainType(Type type, ArrayRef<Atom> order) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked
             ? RankedTensorType::get(getPaddedShape(order, ranked.getShape()),
                                     ranked.getElementType())
             : type;
}

/// As many groups as a blocked axis of groups has with its padding.
static void updateGroups(Operation *op, const BlockedAxes &blocked) {
  auto group = op->getAttrOfType<IntegerAttr>("group");
  if (!group)
    return;
  for (auto [i, axis] : llvm::enumerate(blocked.getMap().getAxes()))
    if (blocked.getExtent(i) && axis.kind == AxisKind::Parallel &&
        group.getInt() > 1 && axis.extent == group.getInt())
      op->setAttr("group",
                  IntegerAttr::get(group.getType(), *blocked.getExtent(i)));
}

Operation *inlay::createPadded(OpBuilder &builder, Operation *op,
                               const StoredForm &form, ValueRange operands) {
  Operation *padded = builder.clone(*op);
  padded->setOperands(operands);
  for (OpResult result : padded->getResults())
    if (auto type = dyn_cast<TensorType>(result.getType()))
      result.setType(UnrankedTensorType::get(type.getElementType()));
  updateGroups(padded, BlockedAxes(op, form));
  ScopedDiagnosticHandler silence(op->getContext(),
                                  [](Diagnostic &) { return success(); });
  bool isValid = succeeded(refineResultTypes(padded));
  for (auto [result, order] : llvm::zip_equal(op->getResults(), form.results)) {
    Value own = padded->getResult(result.getResultNumber());
    Type wanted = getPaddedPlainType(result.getType(), order);
    if (!hasSay(result))
      continue;
    isValid &= succeeded(verifyCompatibleShape(own.getType(), wanted));
    own.setType(cast<TensorType>(wanted));
  }
  if (isValid)
    return padded;
  padded->erase();
  return nullptr;
}

static bool takesPaddedTensors(Operation *op, const StoredForm &form) {
  Block block;
  for (auto [type, order] :
       llvm::zip_equal(op->getOperandTypes(), form.operands))
    block.addArgument(getPaddedPlainType(type, order), op->getLoc());
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&block);
  return createPadded(builder, op, form, block.getArguments());
}

/// Whether factors of a dimension stand side by side as they do in it.
static bool hasNeighbours(ArrayRef<Atom> atoms) {
  for (auto [atom, next] : llvm::zip(atoms, atoms.drop_front()))
    if (atom.dim == next.dim && atom.factor == next.factor + 1)
      return true;
  return false;
}

bool inlay::canCutBlocks(Type type, ArrayRef<Atom> order) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return order.empty();
  SmallVector<int64_t> whole = getPaddedShape(order, ranked.getShape()), pieces;
  AtomSequence atoms = writeOut(order, type);
  SmallVector<int64_t> physical = getPhysicalShape(type, order);
  SmallVector<unsigned> places =
      llvm::to_vector(llvm::seq<unsigned>(0, atoms.size()));
  llvm::sort(places, [&](unsigned a, unsigned b) {
    return std::pair(atoms[a].dim, ~atoms[a].factor) <
           std::pair(atoms[b].dim, ~atoms[b].factor);
  });
  for (unsigned place : places)
    pieces.push_back(physical[place]);
  bool areKnown = llvm::all_of(atoms, [&](const Atom &atom) {
    return isWhole(atoms, atom.dim) || !ranked.isDynamicDim(atom.dim);
  });
  bool areViews = canView(whole, pieces) && canView(pieces, whole);
  if (ranked.getNumDynamicDims() < 2)
    return areKnown || areViews;
  // Beside others an unknown extent cannot be computed, and factors that lie
  // row-major are not moved, but viewed where they are.
  return areKnown && (areViews || !hasNeighbours(atoms));
}

/// Whether products with padding are zero: both factors are, and numbers other
/// than floats may stand for others than themselves.
static bool sumsZeros(const BlockedAxes &blocked, unsigned axis) {
  return llvm::all_of(blocked.getTensors(), [&](const FormTensor &tensor) {
    bool hasAxis =
        tensor.axes && llvm::any_of(*tensor.axes, [&](const DimAxes &axes) {
          return llvm::is_contained(axes, axis);
        });
    return !hasAxis ||
           (getPadding(tensor.order) == Padding::Zero &&
            isa<FloatType>(cast<TensorType>(tensor.type).getElementType()));
  });
}

bool inlay::admitsWrapped(Operation *op, const StoredForm &form) {
  if (op->getNumRegions() != 0)
    return false;
  if (!form.isFactored())
    return true;
  for (auto [type, order] :
       llvm::zip_equal(op->getOperandTypes(), form.operands))
    if (!canCutBlocks(type, order))
      return false;
  for (auto [type, order] : llvm::zip_equal(op->getResultTypes(), form.results))
    if (!canCutBlocks(type, order))
      return false;
  if (!form.isBlocked())
    return true;
  BlockedAxes blocked(op, form);
  bool areTracked =
      llvm::all_of(blocked.getTensors(), [](const FormTensor &tensor) {
        return tensor.axes || !isBlocked(tensor.order);
      });
  if (!blocked.agree() || !areTracked)
    return false;
  for (auto [i, axis] : llvm::enumerate(blocked.getMap().getAxes())) {
    if (!blocked.getExtent(i) || axis.kind == AxisKind::Parallel)
      continue;
    if (axis.kind != AxisKind::Contracted || !sumsZeros(blocked, i))
      return false;
  }
  return takesPaddedTensors(op, form);
}
