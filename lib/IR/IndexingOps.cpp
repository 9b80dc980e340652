//===- IndexingOps.cpp - Gather and indices as values ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scatters are in ScatterOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "IndexTuples.h"
#include "Inference.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/IndexingOps.cpp.inc"

using Extents = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

/// `dims` with dimension `axis` replaced by `inserted`.
template <typename List>
static List replaceDim(const List &dims, int64_t axis, const List &inserted) {
  List result(dims.begin(), dims.begin() + axis);
  result.append(inserted.begin(), inserted.end());
  result.append(dims.begin() + axis + 1, dims.end());
  return result;
}

LogicalResult GatherOp::inferTypes(TypeInference &inference) {
  Type element = inlay::getElementType(getData());
  MaybeShape data = getShape(getData()), indices = getShape(getIndices());
  if (!data || !indices) {
    inference.set(getResult(), element, std::nullopt);
    return success();
  }
  auto axis = inference.getAxis(getAxis(), data->size());
  if (failed(axis))
    return failure();
  inference.set(getResult(), element, replaceDim(*data, *axis, *indices));
  return success();
}

AxisMap GatherOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getData());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank) : std::nullopt;
  if (!axis || !getRank(getIndices()))
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes data = map.axesOf(getData()), indices = map.axesOf(getIndices());
  map.setKind(data[*axis].front(), AxisKind::Indexed);
  map.bind(getData(), data);
  map.bind(getIndices(), indices);
  map.bind(getResult(), replaceDim(data, *axis, indices));
  return map.build();
}

FusionClass GatherOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// GatherElementsOp
//===----------------------------------------------------------------------===//

LogicalResult GatherElementsOp::inferTypes(TypeInference &inference) {
  if (failed(
          checkElementIndices(inference, getData(), getIndices(), getAxis())))
    return failure();
  MaybeShape shape = getShape(getIndices());
  if (!shape)
    if (std::optional<int64_t> rank = getRank(getData()))
      shape.emplace(*rank, ShapedType::kDynamic);
  inference.set(getResult(), inlay::getElementType(getData()), shape);
  return success();
}

AxisMap GatherElementsOp::getAxisMap() {
  AxisMapBuilder map(*this);
  auto axes = getElementAxes(map, getData(), getIndices(), getAxis());
  if (!axes)
    return AxisMap::opaque();
  map.bind(getData(), axes->data);
  map.bind(getIndices(), axes->indices);
  map.bind(getResult(), axes->indices);
  return map.build();
}

FusionClass GatherElementsOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// GatherNDOp
//===----------------------------------------------------------------------===//

LogicalResult GatherNDOp::inferTypes(TypeInference &inference) {
  auto shape =
      inferTupleShape(inference, getData(), getIndices(), getBatchDims());
  if (failed(shape))
    return failure();
  inference.set(getResult(), inlay::getElementType(getData()), *shape);
  return success();
}

AxisMap GatherNDOp::getAxisMap() {
  AxisMapBuilder map(*this);
  auto axes = getTupleAxes(map, getData(), getIndices(), getBatchDims());
  if (!axes)
    return AxisMap::opaque();
  map.bind(getData(), axes->data);
  map.bind(getIndices(), axes->indices);
  map.bind(getResult(), axes->slices);
  return map.build();
}

FusionClass GatherNDOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// NonZeroOp
//===----------------------------------------------------------------------===//

/// Inference counts the elements of constants up to this size; it runs often.
static constexpr uint64_t maxCountedBytes = 1 << 18;

/// The number of elements that are not zero, if the input is a small constant.
static int64_t countNonZero(NonZeroOp op) {
  Attribute constant = getConstantValue(op.getInput());
  if (!constant || getByteSize(constant) > maxCountedBytes)
    return ShapedType::kDynamic;
  auto tensor = getHostTensor(constant);
  if (!tensor)
    return llvm::consumeError(tensor.takeError()), ShapedType::kDynamic;
  Evaluation evaluation(op, *tensor);
  auto evaluable = cast<EvaluateOpInterface>(op.getOperation());
  if (llvm::Error error = evaluable.evaluate(evaluation))
    return llvm::consumeError(std::move(error)), ShapedType::kDynamic;
  return evaluation.getResults().front().getDim(1);
}

LogicalResult NonZeroOp::inferTypes(TypeInference &inference) {
  // A scalar counts as a vector.
  int64_t rank = ShapedType::kDynamic;
  if (std::optional<int64_t> known = getRank(getInput()))
    rank = std::max<int64_t>(*known, 1);
  inference.set(getResult(), IntegerType::get(getContext(), 64),
                Extents{rank, countNonZero(*this)});
  return success();
}

/// The places come in the order of the elements: no dimension may move.
AxisMap NonZeroOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass NonZeroOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// OneHotOp
//===----------------------------------------------------------------------===//

/// The extent of the new dimension.
static FailureOr<int64_t> inferDepth(TypeInference &inference, Value depth) {
  if (failed(checkOneElement(inference, "depth", depth)))
    return failure();
  MaybeInts known = getKnownInts(depth);
  if (!known || known->size() != 1 || isUnknown(known->front()))
    return ShapedType::kDynamic;
  if (known->front() < 1)
    return inference.error("'depth' must be positive, found " +
                           Twine(known->front()));
  return known->front();
}

LogicalResult OneHotOp::inferTypes(TypeInference &inference) {
  if (failed(checkRank(inference, "values", getValues(), 1)))
    return failure();
  MaybeShape values = getShape(getValues());
  if (values && !areCompatibleExtents(values->front(), 2))
    return inference.error("values must have 2 elements, found " +
                           Twine(values->front()));
  auto depth = inferDepth(inference, getDepth());
  if (failed(depth))
    return failure();
  MaybeShape shape = getShape(getIndices());
  if (shape) {
    auto axis = inference.getAxis(getAxis(), shape->size() + 1);
    if (failed(axis))
      return failure();
    shape->insert(shape->begin() + *axis, *depth);
  }
  inference.set(getResult(), inlay::getElementType(getValues()), shape);
  return success();
}

AxisMap OneHotOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getIndices());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank + 1) : std::nullopt;
  MaybeShape result = getShape(getResult());
  if (!axis || !result || int64_t(result->size()) != *rank + 1)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes indices = map.axesOf(getIndices()), dims = indices;
  dims.insert(dims.begin() + *axis,
              DimAxes{map.axis(AxisKind::Created, (*result)[*axis])});
  map.bind(getIndices(), indices);
  map.bind(getResult(), dims);
  return map.build();
}

FusionClass OneHotOp::getFusionClass() { return FusionClass::Opaque; }
