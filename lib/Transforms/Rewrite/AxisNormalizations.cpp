//===- AxisNormalizations.cpp - LayerNormalization and RMSNormalization ---===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scale and the bias behind what is found here, and conversions around it,
// are equations of their own (NormalizationSteps.cpp).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Normalizations.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

static SmallVector<NamedAttribute> getAttrs(OpBuilder &builder,
                                            const AxisNormalization &found) {
  int64_t axis = found.dims.begin - found.dims.end;
  return {builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)),
          builder.getNamedAttr("epsilon",
                               builder.getF32FloatAttr(float(found.epsilon)))};
}

/// Puts OpT into the place of what was found, if it was.
template <typename OpT>
static bool replaceFound(RewriteContext &context,
                         const std::optional<AxisNormalization> &found) {
  if (!found)
    return false;
  OpBuilder &builder = context.builder;
  auto create = [&](Value value) {
    return createParameter(builder, value, found->x, found->dims);
  };
  SmallVector<Value> operands{
      found->x, found->scale ? create(found->scale)
                             : createFilled(builder, found->coefficient,
                                            found->x, found->dims)};
  if (found->bias)
    operands.push_back(create(found->bias));
  replaceByNormalization(context, found->ops, OpT::getOperationName(), operands,
                         getAttrs(builder, *found));
  return true;
}

static bool findLayerNorm(Operation *root, RewriteContext &context) {
  return replaceFound<LayerNormalizationOp>(context,
                                            readLayerNorm(root, context));
}

static bool findShiftedLayerNorm(Operation *root, RewriteContext &context) {
  return replaceFound<LayerNormalizationOp>(
      context, readShiftedLayerNorm(root, context));
}

static bool findRmsNorm(Operation *root, RewriteContext &context) {
  return replaceFound<RMSNormalizationOp>(context, readRmsNorm(root, context));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr Rewrite table[] = {
    {"layer-norm",
     "d / Sqrt(ReduceMean(d^2) + e) * s = LayerNormalization(x, s), "
     "d = x - ReduceMean(x)",
     "inlay.mul inlay.div", findLayerNorm},
    {"layer-norm-shifted",
     "x * m + (b - ReduceMean(x) * m) = LayerNormalization(x, s, b), "
     "m = s / Sqrt(ReduceMean(d^2) + e), d = x - ReduceMean(x)",
     "inlay.add", findShiftedLayerNorm},
    {"rms-norm", "x / Sqrt(ReduceMean(x^2) + e) * s = RMSNormalization(x, s)",
     "inlay.mul inlay.div", findRmsNorm},
};

llvm::ArrayRef<Rewrite> rewrites::getAxisNormalizations() { return table; }
