//===- ContributedForms.cpp - Storage orders of com.microsoft -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContributedOps.h"
#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// One quantised operand
//===----------------------------------------------------------------------===//

bool QLinearSigmoidOp::admitsForm(const StoredForm &form) {
  return admitsUnary(*this, form);
}

LogicalResult QLinearSigmoidOp::buildStored(StoredOpBuilder &stored) {
  return buildUnary(stored);
}

bool QLinearLeakyReluOp::admitsForm(const StoredForm &form) {
  return admitsUnary(*this, form);
}

LogicalResult QLinearLeakyReluOp::buildStored(StoredOpBuilder &stored) {
  return buildUnary(stored);
}

bool QLinearSoftmaxOp::admitsForm(const StoredForm &form) {
  // Before opset 13, rows are what lies behind the axis.
  bool isOneAxis = getOpset() >= 13;
  return !form.isBlocked() && admitsAlongAxis(*this, form, getAxis()) &&
         (isOneAxis || form.isRowMajor());
}

LogicalResult QLinearSoftmaxOp::buildStored(StoredOpBuilder &stored) {
  return buildAlongAxis(stored, getAxis());
}

//===----------------------------------------------------------------------===//
// Quantised pools: channels may be last
//===----------------------------------------------------------------------===//

/// The other order that a pool has, for a tensor of the order that it says.
static AtomSequence getOtherOrder(int64_t rank, bool channelsLast) {
  AtomSequence order{Atom{0}};
  if (channelsLast)
    order.push_back({unsigned(rank) - 1});
  for (int64_t dim : getPooledDims(rank, channelsLast))
    order.push_back({unsigned(dim)});
  if (!channelsLast)
    order.push_back({1});
  return order;
}

/// Whether input and result are stored in `order`, all else row-major.
static bool areStoredIn(Operation *op, const StoredForm &form,
                        ArrayRef<Atom> order) {
  return areRowMajorFrom(form, 1) &&
         isViewOf(op->getOperand(0).getType(), form.operands[0], order) &&
         isViewOf(op->getResult(0).getType(), form.results[0], order);
}

template <typename OpT>
static bool admitsEitherOrder(OpT op, const StoredForm &form) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || !isa<RankedTensorType>(op.getResult().getType()))
    return form.isRowMajor();
  return areStoredIn(op, form, writeOut({}, type)) ||
         areStoredIn(op, form,
                     getOtherOrder(type.getRank(), op.getChannelsLast() != 0));
}

template <typename OpT>
static LogicalResult buildEitherOrder(OpT op, StoredOpBuilder &stored) {
  Type type = op.getInput().getType();
  int64_t rank = *getRank(op.getInput());
  AtomSequence order = writeOut({}, type);
  bool isLast = op.getChannelsLast() != 0;
  bool isOther = !areStoredIn(op, stored.getForm(), order);
  if (isOther)
    order = getOtherOrder(rank, isLast);
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  stored.setResults(stored.create(
      *operands, isOther ? SmallVector{stored.getAttr(
                               "channels_last", stored.getI64(isLast ? 0 : 1))}
                         : SmallVector<NamedAttribute>()));
  return success();
}

bool QLinearAveragePoolOp::admitsForm(const StoredForm &form) {
  return admitsEitherOrder(*this, form);
}

LogicalResult QLinearAveragePoolOp::buildStored(StoredOpBuilder &stored) {
  return buildEitherOrder(*this, stored);
}

bool QLinearGlobalAveragePoolOp::admitsForm(const StoredForm &form) {
  return admitsEitherOrder(*this, form);
}

LogicalResult QLinearGlobalAveragePoolOp::buildStored(StoredOpBuilder &stored) {
  return buildEitherOrder(*this, stored);
}

//===----------------------------------------------------------------------===//
// QLinearConcat
//===----------------------------------------------------------------------===//

/// The order that all tensors that are joined have, with the axis whole.
static std::optional<AtomSequence> getJoinedOrder(QLinearConcatOp op,
                                                  const StoredForm &form) {
  SmallVector<StoredTensor> tensors{
      {op.getResult().getType(), form.results[0]}};
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    if (i >= 2 && i % 3 == 2)
      tensors.push_back({op->getOperand(i).getType(), form.operands[i]});
    else if (!form.operands[i].empty())
      return std::nullopt;
  }
  std::optional<AtomSequence> order = mergeOrders(tensors);
  std::optional<int64_t> rank = getRank(op.getResult());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  return order && axis && isWhole(*order, *axis) ? order : std::nullopt;
}

bool QLinearConcatOp::admitsForm(const StoredForm &form) {
  return getJoinedOrder(*this, form).has_value();
}

LogicalResult QLinearConcatOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = *getJoinedOrder(*this, stored.getForm());
  SmallVector<Value> operands(stored.getOperands());
  for (unsigned i : getJoined()) {
    operands[i] = stored.viewOperand(i, order);
    if (!operands[i])
      return failure();
  }
  int64_t position = getPosition(order, getAxis(), *getRank(getResult()));
  stored.setResults(stored.create(
      operands, {stored.getAttr("axis", stored.getI64(position))}));
  return success();
}

//===----------------------------------------------------------------------===//
// Vectors along the last dimension
//===----------------------------------------------------------------------===//

/// `order` with the last dimension of a tensor of `type` last; nothing where it
/// lies elsewhere or in parts. Dimensions of one element may move.
static std::optional<AtomSequence> putLast(AtomSequence order, Type type,
                                           ArrayRef<Atom> stored) {
  unsigned last = cast<RankedTensorType>(type).getRank() - 1;
  if (!isWhole(order, last))
    return std::nullopt;
  llvm::erase_if(order, [&](const Atom &atom) { return atom.dim == last; });
  order.push_back({last});
  return isViewOf(type, stored, order) ? std::optional(order) : std::nullopt;
}

/// The order of an elementwise operator with a vector along the last dimension.
static std::optional<AtomSequence> getBiasedOrder(Operation *op,
                                                  const StoredForm &form) {
  std::optional<AtomSequence> order = getCommonOrder(op, form);
  if (!order || op->getNumOperands() == 1)
    return order;
  Type type = op->getOperand(0).getType();
  return putLast(*order, type, form.operands[0]);
}

static LogicalResult buildBiased(StoredOpBuilder &stored) {
  auto operands = viewOperands(
      stored, *getBiasedOrder(stored.getOperation(), stored.getForm()));
  if (!operands)
    return failure();
  stored.setResults(stored.create(*operands));
  return success();
}

bool FastGeluOp::admitsForm(const StoredForm &form) {
  return getBiasedOrder(*this, form).has_value();
}

LogicalResult FastGeluOp::buildStored(StoredOpBuilder &stored) {
  return buildBiased(stored);
}

bool BiasGeluOp::admitsForm(const StoredForm &form) {
  return getBiasedOrder(*this, form).has_value();
}

LogicalResult BiasGeluOp::buildStored(StoredOpBuilder &stored) {
  return buildBiased(stored);
}

//===----------------------------------------------------------------------===//
// SkipLayerNormalization
//===----------------------------------------------------------------------===//

/// Whether the skip may have fewer rows than the input.
static bool mayRepeatSkip(SkipLayerNormalizationOp op) {
  auto skip = dyn_cast<RankedTensorType>(op.getSkip().getType());
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  return !skip || !input || !skip.hasStaticShape() ||
         skip.getShape() != input.getShape();
}

/// Whether nothing but dimensions of one element lies elsewhere.
static bool isRowMajorButForUnits(Operation *op, const StoredForm &form) {
  auto isRowMajor = [](auto tensor) {
    auto [value, order] = tensor;
    Type type = value.getType();
    return order.empty() || isViewOf(type, order, writeOut({}, type));
  };
  return llvm::all_of(llvm::zip(op->getOperands(), form.operands),
                      isRowMajor) &&
         llvm::all_of(llvm::zip(op->getResults(), form.results), isRowMajor);
}

/// The order of input, skip and results, of as many dimensions as before: the
/// runtime takes two or three. A skip that is repeated has its place.
static std::optional<AtomSequence> getSkipOrder(SkipLayerNormalizationOp op,
                                                const StoredForm &form) {
  Type type = op.getInput().getType();
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || form.isBlocked() || !areRowMajorFrom(form, 2))
    return std::nullopt;
  if (mayRepeatSkip(op))
    return isRowMajorButForUnits(op, form) ? std::optional(writeOut({}, type))
                                           : std::nullopt;
  std::optional<AtomSequence> order =
      mergeOrders({{type, form.operands[0]},
                   {op.getSkip().getType(), form.operands[1]},
                   {op.getResult().getType(), form.results[0]},
                   {op.getSum().getType(), form.results[3]}});
  if (order)
    order = putLast(*order, type, form.operands[0]);
  if (!order || order->size() != size_t(ranked.getRank()))
    return std::nullopt;
  // The statistics have one element in the last dimension.
  for (unsigned i : {1, 2})
    if (!isViewOf(op->getResult(i).getType(), form.results[i],
                  ArrayRef<Atom>(*order).drop_back()))
      return std::nullopt;
  return order;
}

bool SkipLayerNormalizationOp::admitsForm(const StoredForm &form) {
  return getSkipOrder(*this, form).has_value();
}

LogicalResult SkipLayerNormalizationOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = *getSkipOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order, 1);
  Value skip = stored.viewOperand(
      1, mayRepeatSkip(*this) ? writeOut({}, getSkip().getType()) : order);
  if (!operands || !skip)
    return failure();
  (*operands)[1] = skip;
  stored.setResults(stored.create(*operands));
  return success();
}
