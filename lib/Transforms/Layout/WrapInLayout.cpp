//===- WrapInLayout.cpp - Operators ONNX has in one order only ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrapInLayout.h"
#include "BuildRelayout.h"
#include "PaddedRelayout.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/PaddedForm.h"

using namespace inlay;
using namespace inlay::layout;
using namespace mlir;

std::string layout::getOrderName(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  auto layout = ranked ? dyn_cast_if_present<LayoutAttr>(ranked.getEncoding())
                       : LayoutAttr();
  if (!layout || layout.getLayout().isRowMajor())
    return "";
  return StringRef(layout.getLayout().str()).split(" as ").second.str();
}

/// `type` without its encoding: the tensor as ONNX's operator sees it.
static Type getLogicalType(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked
             ? RankedTensorType::get(ranked.getShape(), ranked.getElementType())
             : type;
}

/// Nodes of bodies have no names: equal bodies are one function.
static void dropLocations(Block &body) {
  Location unknown = UnknownLoc::get(body.getParentOp()->getContext());
  for (Operation &op : body)
    op.setLoc(unknown);
}

/// What the operator writes to the padding of a result that is known to be zero
/// is zero, whatever infinities it multiplied with zeros. `value` is row-major
/// and as long as the blocks.
static Value clearPadding(StoredOpBuilder &stored, Value value, Type type) {
  if (getPadding(getStorageOrder(type)) != Padding::Zero)
    return value;
  auto ranked = cast<RankedTensorType>(type);
  for (int64_t dim = 0; dim < ranked.getRank(); ++dim)
    if (!ranked.isDynamicDim(dim))
      value = buildZeroBeyond(stored, value, dim, ranked.getDimSize(dim));
  return value;
}

/// Fills `body`, whose arguments are the operands: relayouts, the operator
/// itself, relayouts of `results`. Blocked tensors keep their padding, so that
/// what it holds counts.
static LogicalResult buildBody(Block &body, Operation *op,
                               ArrayRef<OpResult> results) {
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  StoredOpBuilder inner(builder, op, body.getArguments());
  SmallVector<Value> operands;
  for (auto [operand, argument] :
       llvm::zip_equal(op->getOperands(), body.getArguments())) {
    Type type = getPaddedType(operand.getType());
    Value stored = argument;
    if (isBlocked(getStorageOrder(operand.getType())))
      stored = viewPhysical(inner, argument, type);
    operands.push_back(stored ? buildRelayout(inner, stored, type,
                                              getLogicalType(type),
                                              /*alwaysTranspose=*/true)
                              : Value());
    if (!operands.back())
      return failure();
  }
  StoredForm form = StoredForm::of(op);
  Operation *wrapped = form.isBlocked()
                           ? createPadded(builder, op, form, operands)
                           : builder.clone(*op);
  if (!wrapped)
    return failure();
  if (!form.isBlocked()) {
    wrapped->setOperands(operands);
    for (OpResult result : wrapped->getResults())
      result.setType(getLogicalType(result.getType()));
  }
  SmallVector<Value> yielded;
  for (OpResult result : results) {
    Value logical = clearPadding(
        inner, wrapped->getResult(result.getResultNumber()), result.getType());
    yielded.push_back(buildRelayout(inner, logical, logical.getType(),
                                    getPaddedType(result.getType()),
                                    /*alwaysTranspose=*/true));
    if (yielded.back() && isBlocked(getStorageOrder(result.getType())))
      yielded.back() = viewPhysical(inner, yielded.back(), result.getType());
    if (!yielded.back())
      return failure();
  }
  builder.create<YieldOp>(op->getLoc(), yielded);
  dropLocations(body);
  return success();
}

LogicalResult layout::wrapInLayout(StoredOpBuilder &stored, StringRef target) {
  Operation *op = stored.getOperation();
  if (op->getNumRegions() != 0)
    return failure();
  SmallVector<Type> types;
  SmallVector<OpResult> results;
  SmallVector<std::string> names;
  for (Value operand : op->getOperands())
    names.push_back(getOrderName(operand.getType()));
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    results.push_back(result);
    types.push_back(getPhysicalType(result.getType()));
    names.push_back(getOrderName(result.getType()));
  }
  OpBuilder &builder = stored.getBuilder();
  SmallVector<StringRef> layouts(names.begin(), names.end());
  auto wrapper = builder.create<InLayoutOp>(
      op->getLoc(), types, target, getOnnxOpType(op), stored.getOperands(),
      builder.getStrArrayAttr(layouts));
  Block &body = wrapper.getBody().emplaceBlock();
  for (Value operand : stored.getOperands())
    body.addArgument(operand.getType(), builder.getUnknownLoc());
  if (failed(buildBody(body, op, results))) {
    wrapper.erase();
    return failure();
  }
  for (auto [result, value] : llvm::zip_equal(results, wrapper.getOutputs()))
    stored.setResult(result.getResultNumber(), value);
  return success();
}
