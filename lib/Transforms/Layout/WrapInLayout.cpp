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

//===----------------------------------------------------------------------===//
// Other numbers of channels
//===----------------------------------------------------------------------===//

/// Gives `orders` the dimensions where the model has them; false where the
/// factors of one do not lie together.
static bool putInPlace(TypeRange types, MutableArrayRef<AtomSequence> orders) {
  for (auto [type, order] : llvm::zip_equal(types, orders)) {
    if (order.empty())
      continue;
    if (!getDimOrder(order))
      return false;
    unsigned rank = cast<RankedTensorType>(type).getRank();
    order = arrangeDims(order, llvm::to_vector(llvm::seq(0u, rank)));
  }
  return true;
}

/// Whether the tensors of `op` have other numbers along their dimensions, which
/// the operator takes as they are.
static bool isRenumbered(Operation *op) {
  StoredForm form = StoredForm::of(op);
  return form.isFactored() && !form.isBlocked() &&
         putInPlace(op->getOperandTypes(), form.operands) &&
         putInPlace(op->getResultTypes(), form.results) &&
         admitsStored(op, form);
}

/// `type` with the factors of each dimension as one.
static Type joinFactors(Type type) {
  ArrayRef<Atom> order = getStorageOrder(type);
  if (order.empty())
    return type;
  auto ranked = cast<RankedTensorType>(type);
  SmallVector<unsigned> dims = *getDimOrder(order);
  AtomSequence whole;
  for (unsigned dim : dims)
    whole.push_back({dim});
  StringRef axes = cast<LayoutAttr>(ranked.getEncoding()).getLayout().getAxes();
  Layout layout = llvm::cantFail(
      axes.empty() ? Layout::getUnnamed(LayoutClass::Tensor, std::move(whole))
                   : Layout::getNamed(axes, std::move(whole)));
  return RankedTensorType::get(ranked.getShape(), ranked.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

namespace {
/// The types of the tensors around an operator as its wrapper sees them.
class SeenTypes {
public:
  explicit SeenTypes(Operation *op) : joins(isRenumbered(op)) {}

  Type operator()(Value value) const {
    return joins ? joinFactors(value.getType()) : value.getType();
  }

  /// The operands so; nothing where a view cannot be expressed.
  std::optional<SmallVector<Value>> viewOperands(StoredOpBuilder &stored) const;

private:
  bool joins;
};
} // namespace

std::optional<SmallVector<Value>>
SeenTypes::viewOperands(StoredOpBuilder &stored) const {
  SmallVector<Value> operands(stored.getOperands());
  for (auto [operand, value] :
       llvm::zip_equal(stored.getOperation()->getOperands(), operands)) {
    auto type = dyn_cast<RankedTensorType>(getPhysicalType((*this)(operand)));
    if (!joins || !type)
      continue;
    value = stored.createView(value, type.getShape());
    if (!value)
      return std::nullopt;
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// Wrapping
//===----------------------------------------------------------------------===//

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
                               ArrayRef<OpResult> results,
                               const SeenTypes &getSeen) {
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  StoredOpBuilder inner(builder, op, body.getArguments());
  SmallVector<Value> operands;
  for (auto [operand, argument] :
       llvm::zip_equal(op->getOperands(), body.getArguments())) {
    Type type = getPaddedType(getSeen(operand));
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
                                    getPaddedType(getSeen(result)),
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
  SeenTypes getSeen(op);
  auto operands = getSeen.viewOperands(stored);
  if (!operands)
    return failure();
  for (Value operand : op->getOperands())
    names.push_back(getOrderName(getSeen(operand)));
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    results.push_back(result);
    types.push_back(getPhysicalType(getSeen(result)));
    names.push_back(getOrderName(getSeen(result)));
  }
  OpBuilder &builder = stored.getBuilder();
  SmallVector<StringRef> layouts(names.begin(), names.end());
  auto wrapper =
      builder.create<InLayoutOp>(op->getLoc(), types, target, getOnnxOpType(op),
                                 *operands, builder.getStrArrayAttr(layouts));
  Block &body = wrapper.getBody().emplaceBlock();
  for (Value operand : *operands)
    body.addArgument(operand.getType(), builder.getUnknownLoc());
  if (failed(buildBody(body, op, results, getSeen))) {
    wrapper.erase();
    return failure();
  }
  for (auto [result, value] : llvm::zip_equal(results, wrapper.getOutputs()))
    stored.setResult(result.getResultNumber(), value);
  return success();
}
