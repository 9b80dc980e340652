//===- ElementwiseForms.cpp - Storage orders of elementwise operators -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "StorageForms.h"
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

bool DequantizeLinearOp::admitsForm(const StoredForm &form) {
  return admitsQuantizeForm(*this, form);
}

LogicalResult DequantizeLinearOp::buildStored(StoredOpBuilder &stored) {
  return buildQuantize(*this, stored);
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
