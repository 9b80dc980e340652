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
#include "Reshape.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace inlay;
using namespace mlir;

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// SqueezeOp
//===----------------------------------------------------------------------===//

/// The dimensions to remove: `axes`, or for none all that are one.
static llvm::Expected<llvm::SmallBitVector>
getSqueezedDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  llvm::SmallBitVector dims(shape.size());
  if (axes.empty()) {
    for (auto [i, extent] : llvm::enumerate(shape))
      if (extent == 1)
        dims.set(i);
    return dims;
  }
  auto normal = Evaluation::getAxes(axes, shape.size());
  if (!normal)
    return normal.takeError();
  for (int64_t axis : *normal) {
    if (!areCompatibleExtents(shape[axis], 1))
      return modelError("dimension " + Twine(axis) +
                        " cannot be squeezed, its extent is " +
                        Twine(shape[axis]));
    dims.set(axis);
  }
  return dims;
}

static llvm::Expected<Extents> inferSqueeze(ArrayRef<int64_t> shape,
                                            ArrayRef<int64_t> axes) {
  auto dims = getSqueezedDims(shape, axes);
  if (!dims)
    return dims.takeError();
  Extents result;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (!dims->test(i))
      result.push_back(extent);
  return result;
}

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

llvm::Error SqueezeOp::evaluate(Evaluation &evaluation) {
  const HostTensor &x = evaluation[getInput()];
  auto axes = evaluation.getInts(getAxes(), getAxesOperand());
  auto shape = inferSqueeze(x.getShape(), axes.value_or(Extents()));
  if (!shape)
    return shape.takeError();
  return evaluation.set(getResult(), reshape(x, *shape));
}

//===----------------------------------------------------------------------===//
// UnsqueezeOp
//===----------------------------------------------------------------------===//

/// Which dimensions of the result are inserted ones.
static llvm::Expected<llvm::SmallBitVector>
getInsertedDims(int64_t inputRank, ArrayRef<int64_t> axes) {
  int64_t rank = inputRank + axes.size();
  auto normal = Evaluation::getAxes(axes, rank);
  if (!normal)
    return normal.takeError();
  llvm::SmallBitVector dims(rank);
  for (int64_t axis : *normal)
    dims.set(axis);
  return dims;
}

static llvm::Expected<Extents> inferUnsqueeze(ArrayRef<int64_t> shape,
                                              ArrayRef<int64_t> axes) {
  auto dims = getInsertedDims(shape.size(), axes);
  if (!dims)
    return dims.takeError();
  Extents result;
  for (unsigned i = 0; i < dims->size(); ++i) {
    result.push_back(dims->test(i) ? 1 : shape.front());
    if (!dims->test(i))
      shape = shape.drop_front();
  }
  return result;
}

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

llvm::Error UnsqueezeOp::evaluate(Evaluation &evaluation) {
  const HostTensor &x = evaluation[getInput()];
  auto axes = evaluation.getInts(getAxes(), getAxesOperand());
  auto shape = inferUnsqueeze(x.getShape(), axes.value_or(Extents()));
  if (!shape)
    return shape.takeError();
  return evaluation.set(getResult(), reshape(x, *shape));
}
