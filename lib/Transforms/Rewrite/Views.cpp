//===- Views.cpp - Views of views -----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

static bool isView(Operation *op) {
  auto fusion = dyn_cast_if_present<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::View;
}

static bool mergeViews(Operation *root, RewriteContext &context) {
  Value middle = root->getOperand(0);
  Operation *inner = middle.getDefiningOp();
  MaybeShape shape = getShape(root->getResult(0));
  if (!isView(inner) || inner->getBlock() != root->getBlock() ||
      !middle.hasOneUse())
    return context.refuse("its input is no view, or has another user");
  if (!shape || !getShape(inner->getOperand(0)))
    return context.refuse("a rank is not known");
  // One extent follows from the others, but not from none at all.
  unsigned numUnknown = llvm::count_if(*shape, ShapedType::isDynamic);
  if (numUnknown > 1 || llvm::is_contained(*shape, 0))
    return context.refuse("more than one extent is unknown, or one is 0");
  Value input = inner->getOperand(0);
  Type type = root->getResult(0).getType();
  if (input.getType() == type && numUnknown == 0) {
    context.replace(root, input);
    return true;
  }
  std::replace(shape->begin(), shape->end(), ShapedType::kDynamic, int64_t(-1));
  auto view = context.builder.create<ReshapeOp>(
      context.merge({root, inner}), type, input, Value(),
      context.builder.getDenseI64ArrayAttr(*shape), IntegerAttr());
  context.replace(root, view.getResult());
  return true;
}

static constexpr Rewrite table[] = {
    {"reshape-reshape", "Reshape(Reshape(x)) = Reshape(x)",
     "inlay.reshape inlay.squeeze inlay.unsqueeze inlay.flatten", mergeViews,
     /*rounds=*/false},
};

llvm::ArrayRef<Rewrite> rewrites::getViews() { return table; }
