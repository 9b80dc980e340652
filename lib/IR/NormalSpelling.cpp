//===- NormalSpelling.cpp - One spelling of equal operations --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/NormalSpelling.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace inlay;
using namespace mlir;

/// Attributes of an operation in their normal spelling; none where nothing is
/// known of it, or where there is one spelling only.
using Spelling = SmallVector<NamedAttribute, 4>;

static NamedAttribute spellInt(Operation *op, StringRef name, int64_t value) {
  Builder builder(op->getContext());
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
}

static NamedAttribute spellInts(Operation *op, StringRef name,
                                ArrayRef<int64_t> values) {
  Builder builder(op->getContext());
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
}

/// `axis` counts the dimensions of `counted`.
static Spelling spellAxis(Operation *op, int64_t axis, Value counted) {
  std::optional<int64_t> rank = getRank(counted);
  auto normal = rank ? normalizeAxis(axis, *rank) : std::nullopt;
  return normal ? Spelling{spellInt(op, "axis", *normal)} : Spelling();
}

/// `axes` as dimensions of `counted`; nothing where one is none of them.
static std::optional<SmallVector<int64_t>> getDims(ArrayRef<int64_t> axes,
                                                   Value counted) {
  std::optional<int64_t> rank = getRank(counted);
  SmallVector<int64_t> dims;
  for (int64_t axis : axes)
    if (auto dim = rank ? normalizeAxis(axis, *rank) : std::nullopt)
      dims.push_back(*dim);
  return dims.size() == axes.size() ? std::optional(dims) : std::nullopt;
}

/// The order of the axes does not matter, and none are all.
template <typename OpT> static Spelling spellReduce(OpT op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (op.getAxesOperand() || !rank)
    return {};
  auto dims =
      getDims(op.getAxes().value_or(ArrayRef<int64_t>()), op.getInput());
  if (!dims || (dims->empty() && op.getNoopWithEmptyAxes()))
    return {};
  if (dims->empty())
    llvm::append_range(*dims, llvm::seq<int64_t>(0, *rank));
  llvm::sort(*dims);
  return {spellInts(op, "axes", *dims),
          spellInt(op, "keepdims", op.getKeepdims()),
          spellInt(op, "noop_with_empty_axes", 0)};
}

/// Sorted by dimension, with steps.
static Spelling spellSlice(SliceOp op) {
  if (op->getNumOperands() != 1 || !op.getStarts() || !op.getEnds())
    return {};
  size_t count = op.getStarts()->size();
  auto axes = op.getAxes() ? llvm::to_vector(*op.getAxes())
                           : llvm::to_vector(llvm::seq<int64_t>(0, count));
  auto dims = getDims(axes, op.getInput());
  SmallVector<int64_t> steps(count, 1);
  if (op.getSteps())
    steps.assign(op.getSteps()->begin(), op.getSteps()->end());
  if (!dims || dims->size() != count || op.getEnds()->size() != count ||
      steps.size() != count)
    return {};
  auto places = llvm::to_vector(llvm::seq<size_t>(0, count));
  llvm::sort(places,
             [&](size_t a, size_t b) { return (*dims)[a] < (*dims)[b]; });
  auto spell = [&](StringRef name, ArrayRef<int64_t> values) {
    return spellInts(op, name, llvm::map_to_vector(places, [&](size_t place) {
                       return values[place];
                     }));
  };
  return {spell("axes", *dims), spell("starts", *op.getStarts()),
          spell("ends", *op.getEnds()), spell("steps", steps)};
}

static Spelling spellTranspose(TransposeOp op) {
  if (!getRank(op.getInput()))
    return {};
  return {spellInts(op, "perm", op.getPermutation())};
}

static Spelling getNormalAttrs(Operation *op) {
  return llvm::TypeSwitch<Operation *, Spelling>(op)
      .Case<ConcatOp, SplitOp, GatherOp, GatherElementsOp, ScatterElementsOp,
            ArgMaxOp, ArgMinOp, TopKOp, SoftmaxOp, LogSoftmaxOp, HardmaxOp,
            LayerNormalizationOp, RMSNormalizationOp, LpNormalizationOp>(
          [](auto each) {
            return spellAxis(each, each.getAxis(), each->getOperand(0));
          })
      .Case<OneHotOp>([](OneHotOp each) {
        return spellAxis(each, each.getAxis(), each.getResult());
      })
      .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp,
            ReduceL1Op, ReduceL2Op, ReduceLogSumOp, ReduceLogSumExpOp,
            ReduceSumSquareOp>([](auto each) { return spellReduce(each); })
      .Case<SliceOp>(spellSlice)
      .Case<TransposeOp>(spellTranspose)
      .Default(Spelling());
}

static bool isNormalReshape(Operation *op, ArrayRef<int64_t> shape) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  return reshape && reshape.getShape() == shape && !reshape.getAllowzeroAttr();
}

/// Every view of one tensor in one known shape has the same elements.
static OwningOpRef<Operation *> spellView(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || isNormalReshape(op, type.getShape()))
    return {};
  OpBuilder builder(op->getContext());
  Operation *view = builder.create<ReshapeOp>(
      op->getLoc(), type, op->getOperand(0), Value(),
      builder.getDenseI64ArrayAttr(type.getShape()), IntegerAttr());
  view->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return view;
}

OwningOpRef<Operation *> inlay::spellNormally(Operation *op) {
  if (isa<ReshapeOp, SqueezeOp, UnsqueezeOp, FlattenOp>(op))
    return spellView(op);
  Spelling normal = getNormalAttrs(op);
  if (llvm::all_of(normal, [&](NamedAttribute attr) {
        return op->getAttr(attr.getName()) == attr.getValue();
      }))
    return {};
  OwningOpRef<Operation *> copy = op->clone();
  for (NamedAttribute attr : normal)
    (*copy)->setAttr(attr.getName(), attr.getValue());
  return copy;
}
