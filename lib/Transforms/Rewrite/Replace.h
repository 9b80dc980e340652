//===- Replace.h - One operator for a left side -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_REPLACE_H
#define INLAY_LIB_TRANSFORMS_REWRITE_REPLACE_H

#include "inlay/Analysis/Patterns/Match.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"

namespace inlay::rewrites {

/// Puts OpT(inputs) with `attributes` into the place of the left side, when it
/// is one and the type is the same.
template <typename OpT>
bool replaceBy(mlir::Operation *root, RewriteContext &context,
               llvm::ArrayRef<mlir::Value> inputs,
               llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
  auto ops = patterns::getLeftSide(root, inputs);
  if (!ops)
    return context.refuse("what is computed on the way is used elsewhere, or "
                          "read from elsewhere");
  mlir::Type type = inputs.front().getType();
  if (root->getResult(0).getType() != type)
    return context.refuse("the result is of another type than the input");
  auto op = context.builder.create<OpT>(context.merge(*ops), type, inputs,
                                        attributes);
  context.replace(root, op->getResults());
  return true;
}

} // namespace inlay::rewrites

#endif // INLAY_LIB_TRANSFORMS_REWRITE_REPLACE_H
