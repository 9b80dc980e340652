//===- ElementwiseForms.cpp - Storage orders of elementwise operators -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "StorageForms.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Operands that broadcast to the result
//===----------------------------------------------------------------------===//

/// Whether an operand is stored as the result is, where it is not broadcast.
static bool isAligned(Type operand, ArrayRef<Atom> operandOrder, Type result,
                      ArrayRef<Atom> resultOrder) {
  auto from = dyn_cast<RankedTensorType>(operand);
  auto to = dyn_cast<RankedTensorType>(result);
  return from && to && from.getRank() <= to.getRank() &&
         isViewOf(operand, operandOrder,
                  alignAtoms(operand, operandOrder, result, resultOrder));
}

/// Whether an operand of unknown extent may be broadcast along a dimension that
/// the result stores in parts: it has no such parts then.
static bool mayStretchParts(Type operand, Type result,
                            ArrayRef<Atom> resultOrder) {
  auto from = cast<RankedTensorType>(operand);
  unsigned shift = cast<RankedTensorType>(result).getRank() - from.getRank();
  return llvm::any_of(resultOrder, [&](const Atom &atom) {
    return atom.factor != 0 && atom.dim >= shift &&
           from.isDynamicDim(atom.dim - shift);
  });
}

bool inlay::admitsElementwise(Operation *op, const StoredForm &form) {
  Type result = op->getResult(0).getType();
  for (auto [type, order] :
       llvm::zip_equal(op->getOperandTypes(), form.operands)) {
    if (!isAligned(type, order, result, form.results[0]))
      return false;
    if (op->getNumOperands() > 1 &&
        mayStretchParts(type, result, form.results[0]))
      return false;
  }
  return true;
}

LogicalResult inlay::buildElementwise(StoredOpBuilder &stored) {
  Type result = stored.getOperation()->getResult(0).getType();
  SmallVector<Value> operands;
  for (unsigned i = 0; i < stored.getOperands().size(); ++i) {
    operands.push_back(
        stored.alignOperand(i, result, stored.getForm().results[0]));
    if (!operands.back())
      return failure();
  }
  stored.setResults(stored.create(operands));
  return success();
}

//===----------------------------------------------------------------------===//
// One operand and parameters
//===----------------------------------------------------------------------===//

bool inlay::admitsUnary(Operation *op, const StoredForm &form) {
  return getCommonOrder(op, form).has_value();
}

LogicalResult inlay::buildUnary(StoredOpBuilder &stored) {
  AtomSequence order = *getCommonOrder(stored.getOperation(), stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  setResultsIn(stored, stored.create(*operands), order);
  return success();
}

bool ClipOp::admitsForm(const StoredForm &form) {
  return admitsUnary(*this, form);
}

LogicalResult ClipOp::buildStored(StoredOpBuilder &stored) {
  return buildUnary(stored);
}

bool DropoutOp::admitsForm(const StoredForm &form) {
  return !mayBeRandom() && admitsUnary(*this, form);
}

LogicalResult DropoutOp::buildStored(StoredOpBuilder &stored) {
  return buildUnary(stored);
}

/// Of the second operand only the element type counts, however it is stored.
static StoredForm withoutTarget(const StoredForm &form) {
  StoredForm own = form;
  own.operands[1].clear();
  return own;
}

bool CastLikeOp::admitsForm(const StoredForm &form) {
  return admitsUnary(*this, withoutTarget(form));
}

LogicalResult CastLikeOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = *getCommonOrder(*this, withoutTarget(stored.getForm()));
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  setResultsIn(stored, stored.create(*operands), order);
  return success();
}

//===----------------------------------------------------------------------===//
// PRelu
//===----------------------------------------------------------------------===//

/// Whether the slope is one number per channel although it does not broadcast.
static bool isPerChannel(PReluOp op) {
  return !mayBroadcastTo(*getShape(op.getSlope()), *getShape(op.getInput()));
}

/// The dimensions of the slope against those of the input.
static AtomView alignSlope(PReluOp op, const StoredForm &form) {
  Type slope = op.getSlope().getType(), input = op.getInput().getType();
  if (!isPerChannel(op))
    return alignAtoms(slope, form.operands[1], input, form.results[0]);
  AtomView view;
  for (const Atom &atom : writeOut(form.results[0], input)) {
    bool isChannel = atom.dim == 1;
    if (!view.empty() || isChannel)
      view.push_back(isChannel
                         ? std::optional(Atom{0, atom.factor, atom.extent})
                         : std::nullopt);
  }
  return view;
}

bool PReluOp::admitsForm(const StoredForm &form) {
  // An opaque map means that it is not known what the slope belongs to.
  if (getAxisMap().isOpaque())
    return false;
  Type slope = getSlope().getType(), input = getInput().getType();
  return isViewOf(input, form.operands[0], writeOut(form.results[0], input)) &&
         isViewOf(slope, form.operands[1], alignSlope(*this, form)) &&
         (isPerChannel(*this) ||
          !mayStretchParts(slope, input, form.results[0]));
}

LogicalResult PReluOp::buildStored(StoredOpBuilder &stored) {
  Value input = stored.viewOperand(0, stored.getResultOrder(0));
  Value slope = stored.viewOperand(1, alignSlope(*this, stored.getForm()));
  if (!input || !slope)
    return failure();
  stored.setResults(stored.create({input, slope}));
  return success();
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

/// How many of the first operands are stored alike: with one scale per block
/// the scales and zero points are.
static unsigned countAlike(Operation *op, int64_t blockSize) {
  return blockSize != 0 ? op->getNumOperands() : 1;
}

/// Whether one scale holds for the whole tensor.
static bool isPerTensor(Value scale, int64_t blockSize) {
  MaybeShape shape = getShape(scale);
  return blockSize == 0 && shape &&
         llvm::all_of(*shape, [](int64_t extent) { return extent == 1; });
}

/// The parts of dimension `axis` of an order, as those of a vector along it.
static AtomView alignScales(ArrayRef<Atom> order, int64_t axis) {
  AtomView view;
  for (const Atom &atom : order) {
    bool isOwn = int64_t(atom.dim) == axis;
    if (!view.empty() || isOwn)
      view.push_back(isOwn ? std::optional(Atom{0, atom.factor, atom.extent})
                           : std::nullopt);
  }
  return view;
}

template <typename OpT>
static bool admitsQuantizeForm(OpT op, const StoredForm &form) {
  if (op.getAxisMap().isOpaque())
    return false;
  if (isPerTensor(op.getScale(), op.getBlockSize()))
    return admitsUnary(op, form);
  return admitsAlongAxis(op, form, op.getAxis(),
                         countAlike(op, op.getBlockSize()));
}

template <typename OpT>
static LogicalResult buildQuantize(OpT op, StoredOpBuilder &stored) {
  if (isPerTensor(op.getScale(), op.getBlockSize()))
    return buildUnary(stored);
  return buildAlongAxis(stored, op.getAxis(),
                        countAlike(op, op.getBlockSize()));
}

bool QuantizeLinearOp::admitsForm(const StoredForm &form) {
  return admitsQuantizeForm(*this, form);
}

LogicalResult QuantizeLinearOp::buildStored(StoredOpBuilder &stored) {
  return buildQuantize(*this, stored);
}

/// Whether all zero points are known to be 0.
static bool isCentered(DequantizeLinearOp op) {
  Attribute value =
      op.getZeroPoint() ? getConstantValue(op.getZeroPoint()) : Attribute();
  if (!value)
    return !op.getZeroPoint();
  auto tensor = getHostTensor(value);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return false;
  }
  for (int64_t i = 0; i < tensor->getNumElements(); ++i)
    if (tensor->getDouble(i) != 0)
      return false;
  return true;
}

/// Whether the parts of dimension `axis` lie as in a row-major vector along it:
/// the outer ones first, and without padding.
static bool isInSequence(ArrayRef<Atom> order, int64_t axis) {
  SmallVector<unsigned> factors;
  for (const Atom &atom : order)
    if (int64_t(atom.dim) == axis)
      factors.push_back(atom.factor);
  return !isBlocked(order) && llvm::is_sorted(factors, std::greater<>());
}

/// The shape of a row-major vector along `axis` of a tensor that is stored in
/// `order`, in the given extents.
static SmallVector<int64_t> getScaleShape(ArrayRef<int64_t> extents,
                                          ArrayRef<Atom> order, int64_t axis) {
  SmallVector<int64_t> shape;
  for (auto [atom, extent] : llvm::zip_equal(order, extents)) {
    bool isOwn = int64_t(atom.dim) == axis;
    if (!shape.empty() || isOwn)
      shape.push_back(isOwn ? extent : 1);
  }
  return shape;
}

/// The order of input and result where the axis that scales belong to is stored
/// in parts, as are the scales. ONNX has no such operator: it becomes one with
/// the scale 1 and a product.
static std::optional<AtomSequence> getPartedOrder(DequantizeLinearOp op,
                                                  const StoredForm &form) {
  Type input = op.getInput().getType(), scale = op.getScale().getType();
  std::optional<int64_t> rank = getRank(op.getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  Type element = inlay::getElementType(op.getResult());
  bool isPlain = op.getBlockSize() == 0 && op.getOutputDtype() == 0 &&
                 element && element.isF32() && getRank(op.getScale()) == 1 &&
                 !isPerTensor(op.getScale(), 0);
  if (!axis || !isPlain || !isCentered(op))
    return std::nullopt;
  std::optional<AtomSequence> order = mergeOrders(
      {{input, form.operands[0]}, {op.getResult().getType(), form.results[0]}});
  if (!order || isWhole(*order, *axis))
    return std::nullopt;
  bool isStored = isViewOf(scale, form.operands[1], alignScales(*order, *axis));
  bool isRowMajor = form.operands[1].empty() && isInSequence(*order, *axis);
  return isStored || isRowMajor ? order : std::nullopt;
}

bool DequantizeLinearOp::admitsForm(const StoredForm &form) {
  return admitsQuantizeForm(*this, form) ||
         (!getAxisMap().isOpaque() && getPartedOrder(*this, form));
}

/// A scale that changes nothing.
static Value createOne(OpBuilder &builder, Location loc) {
  HostTensor one(ElementType::Float, {});
  one.setDouble(0, 1);
  TypedAttr value = getConstantAttr(builder.getContext(), one);
  return builder.create<ConstantOp>(loc, value.getType(), value);
}

LogicalResult DequantizeLinearOp::buildStored(StoredOpBuilder &stored) {
  std::optional<AtomSequence> order = getPartedOrder(*this, stored.getForm());
  if (!order)
    return buildQuantize(*this, stored);
  Value input = stored.viewOperand(0, *order);
  if (!input)
    return failure();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  int64_t axis = *normalizeAxis(getAxis(), *getRank(getInput()));
  Value scale = stored.getForm().operands[1].empty()
                    ? stored.createView(stored.getOperands()[1],
                                        getScaleShape(shape, *order, axis))
                    : stored.viewOperand(1, alignScales(*order, axis));
  if (!scale)
    return failure();
  OpBuilder &builder = stored.getBuilder();
  Type type = RankedTensorType::get(shape, builder.getF32Type());
  auto real = builder.create<DequantizeLinearOp>(
      getLoc(), type, input, createOne(builder, builder.getUnknownLoc()),
      Value(), IntegerAttr(), IntegerAttr(), IntegerAttr());
  stored.setResult(0, builder.create<MulOp>(getLoc(), type, real, scale));
  return success();
}

bool DynamicQuantizeLinearOp::admitsForm(const StoredForm &form) {
  // Padding must not count for the range.
  Type type = getInput().getType();
  return !form.isBlocked() && isa<RankedTensorType>(type) &&
         isViewOf(type, form.operands[0], writeOut(form.results[0], type));
}

LogicalResult DynamicQuantizeLinearOp::buildStored(StoredOpBuilder &stored) {
  Value input = stored.viewOperand(0, stored.getResultOrder(0));
  if (!input)
    return failure();
  stored.setResults(stored.create(input));
  return success();
}
