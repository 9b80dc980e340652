//===- FeatureNormalizations.cpp - InstanceNormalization and groups -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters write GroupNormalization as a normalisation of (N, G, ...) between
// two reshapes, and with the scale and bias per channel behind it; the last two
// are taken by NormalizationSteps.cpp.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Normalizations.h"
#include "inlay/Analysis/Patterns/Match.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

static FloatAttr getEpsilon(Operation *op) {
  return op->getAttrOfType<FloatAttr>("epsilon");
}

static SmallVector<NamedAttribute> getCommonAttrs(OpBuilder &builder,
                                                  Operation *op) {
  SmallVector<NamedAttribute> attributes;
  if (FloatAttr epsilon = getEpsilon(op))
    attributes.push_back(builder.getNamedAttr("epsilon", epsilon));
  return attributes;
}

/// Whether `op` normalises (N, C, ...) over all dimensions from the third on,
/// and does nothing else.
static bool isPlainPerChannel(Operation *op) {
  if (!isNormalization(op) || getScalar(op->getOperand(1)) != 1.0)
    return false;
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  if (!rank || *rank < 3)
    return false;
  if (auto layer = dyn_cast<LayerNormalizationOp>(op))
    return !layer.getBias() && normalizeAxis(layer.getAxis(), *rank) == 2;
  return isa<InstanceNormalizationOp>(op) &&
         getScalar(op->getOperand(2)) == 0.0;
}

/// LayerNormalization(x, 1) over the spatial dimensions * s, per channel.
static bool findInstanceNorm(Operation *root, RewriteContext &context) {
  for (unsigned i : {0, 1}) {
    auto layer = root->getOperand(i).getDefiningOp<LayerNormalizationOp>();
    if (!layer || !isPlainPerChannel(layer) ||
        root->getResult(0).getType() != layer.getInput().getType()) {
      context.refuse("no operand is a LayerNormalization per channel without "
                     "scale and bias");
      continue;
    }
    Value x = layer.getInput();
    Value scale =
        createParameter(context.builder, root->getOperand(1 - i), x, {1, 2});
    if (!scale) {
      context.refuse("the other operand is no scale per channel");
      continue;
    }
    Value bias = createFilled(context.builder, 0, x, {1, 2});
    replaceByNormalization(
        context, {root, layer}, InstanceNormalizationOp::getOperationName(),
        {x, scale, bias}, getCommonAttrs(context.builder, layer));
    return true;
  }
  return false;
}

/// The elements of one batch, when all dimensions but the first are known.
static std::optional<int64_t> countPerBatch(RankedTensorType type) {
  if (type.getRank() < 2 ||
      ShapedType::isDynamicShape(type.getShape().drop_front()))
    return std::nullopt;
  return ShapedType::getNumElements(type.getShape().drop_front());
}

/// Whether one is a view of the other with the same batches: what lies behind
/// the first dimension is as much, so that the first one is the same.
static bool haveSameBatches(Type a, Type b) {
  auto first = dyn_cast<RankedTensorType>(a);
  auto second = dyn_cast<RankedTensorType>(b);
  if (!first || !second)
    return false;
  std::optional<int64_t> count = countPerBatch(first);
  return count && *count > 0 && count == countPerBatch(second);
}

/// Reshape(n(Reshape(x))) over (N, G, ...).
static bool findGroupNorm(Operation *root, RewriteContext &context) {
  Operation *op = root->getOperand(0).getDefiningOp();
  if (!isa_and_present<LayerNormalizationOp, InstanceNormalizationOp>(op) ||
      !isPlainPerChannel(op))
    return context.refuse("its input is no normalisation per channel without "
                          "scale and bias");
  auto grouped = op->getOperand(0).getDefiningOp<ReshapeOp>();
  if (!grouped || !grouped->hasOneUse())
    return context.refuse("what is normalised is no Reshape, or is used "
                          "elsewhere");
  Value x = grouped.getInput();
  if (x.getType() != root->getResult(0).getType())
    return context.refuse("it does not go back to the first shape");
  if (!haveSameBatches(x.getType(), grouped.getType()))
    return context.refuse("groups would reach over batches");
  int64_t groups = cast<RankedTensorType>(grouped.getType()).getDimSize(1);
  auto type = cast<RankedTensorType>(x.getType());
  if (type.getRank() < 3 || type.getDimSize(1) % groups != 0)
    return context.refuse("the channels are no multiple of the groups");
  OpBuilder &builder = context.builder;
  SmallVector<NamedAttribute> attributes = getCommonAttrs(builder, op);
  attributes.push_back(
      builder.getNamedAttr("num_groups", builder.getI64IntegerAttr(groups)));
  replaceByNormalization(context, {root, op, grouped},
                         GroupNormalizationOp::getOperationName(),
                         {x, createFilled(builder, 1, x, {1, 2}),
                          createFilled(builder, 0, x, {1, 2})},
                         attributes);
  return true;
}

static constexpr Rewrite table[] = {
    {"instance-norm",
     "LayerNormalization(x, 1) * s = InstanceNormalization(x, s, 0), over all "
     "but batch and channels, s per channel",
     "inlay.mul", findInstanceNorm},
    {"group-norm",
     "Reshape(n(Reshape(x))) = GroupNormalization(x, 1, 0), n "
     "InstanceNormalization or LayerNormalization of (N, G, ...)",
     "inlay.reshape", findGroupNorm},
};

llvm::ArrayRef<Rewrite> rewrites::getFeatureNormalizations() { return table; }
