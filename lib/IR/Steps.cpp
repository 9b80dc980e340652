//===- Steps.cpp - Operators that can be computed in steps ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Steps.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace inlay;
using namespace mlir;

/// Whether the parts of a Split are known when it is compiled.
static bool hasKnownParts(SplitOp op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  return axis && llvm::all_of(op.getOutputs(), [&](Value output) {
           MaybeShape shape = getShape(output);
           return shape && !ShapedType::isDynamic((*shape)[*axis]);
         });
}

Steps inlay::getSteps(Operation *op) {
  return llvm::TypeSwitch<Operation *, Steps>(op)
      .Case<ConcatOp>([](auto) { return Steps::Join; })
      .Case<SumOp, MaxOp, MinOp>([](auto) { return Steps::Fold; })
      .Case<MeanOp>([](auto) { return Steps::Average; })
      .Case([](SplitOp split) {
        return hasKnownParts(split) ? Steps::Cut : Steps::None;
      })
      .Default([](Operation *) { return Steps::None; });
}
