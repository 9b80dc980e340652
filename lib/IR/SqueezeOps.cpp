//===- SqueezeOps.cpp - Squeeze and Unsqueeze -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "Parameters.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Reshapes.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// SqueezeOp
//===----------------------------------------------------------------------===//

/// Which dimensions go must be known for the rank to be known.
LogicalResult SqueezeOp::inferTypes(TypeInference &inference) {
  if (failed(checkGivenOnce(inference, "axes", getAxes().has_value(),
                            getAxesOperand())))
    return failure();
  Type element = inlay::getElementType(getInput());
  MaybeShape input = getShape(getInput());
  MaybeInts axes = getEntries(inference, getAxes(), getAxesOperand());
  if (!axes && !getAxesOperand())
    axes.emplace();
  bool removesUnits = axes && axes->empty();
  if (!input || !axes || (removesUnits && !areAllKnown(*input))) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  if (!areAllKnown(*axes)) {
    if (axes->size() > input->size())
      return inference.error("'axes' has " + Twine(axes->size()) +
                             " entries for rank " + Twine(input->size()));
    inference.set(getResult(), element,
                  Extents(input->size() - axes->size(), ShapedType::kDynamic));
    return success();
  }
  auto shape = report(inference, inferSqueeze(*input, *axes));
  if (failed(shape))
    return failure();
  inference.set(getResult(), element, *shape);
  return success();
}

AxisMap SqueezeOp::getAxisMap() {
  MaybeShape shape = getShape(getInput());
  if (!shape || getAxesOperand())
    return AxisMap::opaque();
  auto squeezed =
      getSqueezedDims(*shape, getAxes().value_or(ArrayRef<int64_t>()));
  if (!squeezed) {
    llvm::consumeError(squeezed.takeError());
    return AxisMap::opaque();
  }
  AxisMapBuilder map(*this);
  TensorAxes from, to;
  for (auto [i, extent] : llvm::enumerate(*shape)) {
    from.emplace_back();
    if (squeezed->test(i))
      continue;
    from.back().push_back(map.axis(AxisKind::Parallel, extent));
    to.push_back(from.back());
  }
  map.bind(getInput(), from);
  map.bind(getResult(), to);
  return map.build();
}

FusionClass SqueezeOp::getFusionClass() { return FusionClass::View; }

OpFoldResult SqueezeOp::fold(FoldAdaptor) {
  // A dimension that goes takes the rank down.
  bool keepsRank = isa<RankedTensorType>(getResult().getType()) &&
                   getInput().getType() == getResult().getType();
  return keepsRank ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// UnsqueezeOp
//===----------------------------------------------------------------------===//

LogicalResult UnsqueezeOp::inferTypes(TypeInference &inference) {
  if (failed(checkRequired(inference, "axes", getAxes().has_value(),
                           getAxesOperand())))
    return failure();
  Type element = inlay::getElementType(getInput());
  MaybeShape input = getShape(getInput());
  MaybeInts axes = getEntries(inference, getAxes(), getAxesOperand());
  if (!input || !axes) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  if (!areAllKnown(*axes)) {
    inference.set(getResult(), element,
                  Extents(input->size() + axes->size(), ShapedType::kDynamic));
    return success();
  }
  auto shape = report(inference, inferUnsqueeze(*input, *axes));
  if (failed(shape))
    return failure();
  inference.set(getResult(), element, *shape);
  return success();
}

AxisMap UnsqueezeOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank || !getAxes())
    return AxisMap::opaque();
  auto inserted = getInsertedDims(*rank, *getAxes());
  if (!inserted) {
    llvm::consumeError(inserted.takeError());
    return AxisMap::opaque();
  }
  AxisMapBuilder map(*this);
  TensorAxes from = map.axesOf(getInput()), to;
  for (unsigned i = 0, next = 0; i < inserted->size(); ++i)
    to.push_back(inserted->test(i) ? DimAxes{} : from[next++]);
  map.bind(getInput(), from);
  map.bind(getResult(), to);
  return map.build();
}

FusionClass UnsqueezeOp::getFusionClass() { return FusionClass::View; }

OpFoldResult UnsqueezeOp::fold(FoldAdaptor) {
  bool keepsRank = isa<RankedTensorType>(getResult().getType()) &&
                   getInput().getType() == getResult().getType();
  return keepsRank ? getInput() : Value();
}
