//===- QuantizeOps.cpp - Linear quantisation ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/QuantizeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What a scale holds for
//===----------------------------------------------------------------------===//

namespace {
enum class Granularity : uint8_t { Tensor, Axis, Block, Unknown };
} // namespace

/// What a scale of this shape holds for, whether or not it fits.
static Granularity getGranularity(ArrayRef<int64_t> scale, int64_t blockSize) {
  if (blockSize != 0)
    return Granularity::Block;
  if (llvm::all_of(scale, [](int64_t extent) { return extent == 1; }))
    return Granularity::Tensor;
  return scale.size() == 1 && ShapedType::isDynamic(scale[0])
             ? Granularity::Unknown
             : Granularity::Axis;
}

/// Reports a scale that does not have one element per block of the input.
static LogicalResult checkBlocks(TypeInference &inference, Value scale,
                                 MaybeShape shape, int64_t axis,
                                 int64_t blockSize) {
  int64_t &extent = (*shape)[axis];
  if (!ShapedType::isDynamic(extent))
    extent = extent / blockSize + (extent % blockSize != 0);
  return checkShape(inference, "scale", scale, *shape);
}

static LogicalResult checkScale(TypeInference &inference, Value input,
                                Value scale, int64_t givenAxis,
                                int64_t blockSize) {
  if (blockSize < 0)
    return inference.error("'block_size' must not be negative but is " +
                           Twine(blockSize));
  MaybeShape scaleShape = getShape(scale), shape = getShape(input);
  if (!scaleShape || !shape)
    return success();
  Granularity granularity = getGranularity(*scaleShape, blockSize);
  if (granularity == Granularity::Tensor || granularity == Granularity::Unknown)
    return success();
  FailureOr<int64_t> axis = inference.getAxis(givenAxis, shape->size());
  if (failed(axis))
    return failure();
  if (granularity == Granularity::Block)
    return checkBlocks(inference, scale, shape, *axis, blockSize);
  return checkShape(inference, "scale", scale, {(*shape)[*axis]});
}

/// Reports a zero point that does not have the scale's shape. A scalar and a
/// tensor of one element are as good as each other.
static LogicalResult checkZeroPoint(TypeInference &inference, Value scale,
                                    Value zeroPoint) {
  MaybeShape shape = getShape(scale);
  if (!shape)
    return success();
  Granularity granularity = getGranularity(*shape, /*blockSize=*/0);
  if (granularity == Granularity::Unknown)
    return success();
  if (granularity == Granularity::Tensor)
    return checkOneElement(inference, "zero point", zeroPoint);
  return checkShape(inference, "zero point", zeroPoint, *shape);
}

/// The axes of the scale along those of the input, splitting an axis that is
/// blocked; nothing where they do not follow.
static std::optional<TensorAxes> bindScale(AxisMapBuilder &map,
                                           TensorAxes &dims, Value input,
                                           Value scale, int64_t givenAxis,
                                           int64_t blockSize) {
  MaybeShape shape = getShape(input), scaleShape = getShape(scale);
  if (!shape || !scaleShape)
    return std::nullopt;
  std::optional<int64_t> axis = normalizeAxis(givenAxis, shape->size());
  switch (getGranularity(*scaleShape, blockSize)) {
  case Granularity::Tensor:
    return TensorAxes(scaleShape->size());
  case Granularity::Unknown:
    return std::nullopt;
  case Granularity::Axis:
    return axis ? std::optional(TensorAxes{dims[*axis]}) : std::nullopt;
  case Granularity::Block:
    break;
  }
  int64_t extent = axis ? (*shape)[*axis] : ShapedType::kDynamic;
  if (ShapedType::isDynamic(extent) || blockSize < 1 || extent % blockSize != 0)
    return std::nullopt;
  unsigned block = map.axis(AxisKind::Parallel, extent / blockSize);
  unsigned inner = map.axis(AxisKind::Parallel, blockSize);
  dims[*axis] = {block, inner};
  TensorAxes scaleDims = dims;
  scaleDims[*axis] = {block};
  return scaleDims;
}

template <typename OpT> static AxisMap getQuantizeAxisMap(OpT op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!rank)
    return AxisMap::opaque();
  AxisMapBuilder map(op);
  TensorAxes dims = map.axesOf(op.getInput());
  std::optional<TensorAxes> scale = bindScale(
      map, dims, op.getInput(), op.getScale(), op.getAxis(), op.getBlockSize());
  if (!scale)
    return AxisMap::opaque();
  map.bind(op.getInput(), dims);
  map.bind(op.getResult(), dims);
  map.bind(op.getScale(), *scale);
  if (op.getZeroPoint() && getRank(op.getZeroPoint()) == scale->size())
    map.bind(op.getZeroPoint(), *scale);
  return map.build();
}

//===----------------------------------------------------------------------===//
// QuantizeLinear
//===----------------------------------------------------------------------===//

/// The result's element type: as the attribute says, or the zero point's, or
/// uint8; null while it is unknown.
static FailureOr<Type> inferQuantizedType(QuantizeLinearOp op,
                                          TypeInference &inference) {
  MLIRContext *context = op.getContext();
  Value zeroPoint = op.getZeroPoint();
  Type given = zeroPoint ? getElementType(zeroPoint) : Type();
  if (op.getOutputDtype() == 0)
    return zeroPoint ? given : getMlirElementType(context, ElementType::UInt8);
  FailureOr<ElementType> output =
      checkElementType(inference, "output_dtype", op.getOutputDtype());
  if (failed(output))
    return failure();
  Type element = getMlirElementType(context, *output);
  if (given && given != element)
    return inference.error("'output_dtype' is " + getName(*output) +
                           " but the zero point has another type");
  return element;
}

LogicalResult QuantizeLinearOp::inferTypes(TypeInference &inference) {
  if (failed(checkScale(inference, getInput(), getScale(), getAxis(),
                        getBlockSize())) ||
      failed(checkZeroPoint(inference, getScale(), getZeroPoint())))
    return failure();
  if (getPrecision() != 0 &&
      failed(checkElementType(inference, "precision", getPrecision())))
    return failure();
  FailureOr<Type> element = inferQuantizedType(*this, inference);
  if (failed(element))
    return failure();
  inference.set(getResult(), *element, getShape(getInput()));
  return success();
}

AxisMap QuantizeLinearOp::getAxisMap() { return getQuantizeAxisMap(*this); }

FusionClass QuantizeLinearOp::getFusionClass() {
  return FusionClass::Elementwise;
}

//===----------------------------------------------------------------------===//
// DequantizeLinear
//===----------------------------------------------------------------------===//

LogicalResult DequantizeLinearOp::inferTypes(TypeInference &inference) {
  if (failed(checkScale(inference, getInput(), getScale(), getAxis(),
                        getBlockSize())) ||
      failed(checkZeroPoint(inference, getScale(), getZeroPoint())))
    return failure();
  Type element = getElementType(getScale());
  if (getOutputDtype() != 0) {
    FailureOr<ElementType> output =
        checkElementType(inference, "output_dtype", getOutputDtype());
    if (failed(output))
      return failure();
    element = getMlirElementType(getContext(), *output);
  }
  inference.set(getResult(), element, getShape(getInput()));
  return success();
}

AxisMap DequantizeLinearOp::getAxisMap() { return getQuantizeAxisMap(*this); }

FusionClass DequantizeLinearOp::getFusionClass() {
  return FusionClass::Elementwise;
}

//===----------------------------------------------------------------------===//
// DynamicQuantizeLinear
//===----------------------------------------------------------------------===//

LogicalResult DynamicQuantizeLinearOp::inferTypes(TypeInference &inference) {
  SmallVector<int64_t> scalar;
  inference.set(getScale(),
                getMlirElementType(getContext(), ElementType::Float), scalar);
  inference.set(getZeroPoint(),
                getMlirElementType(getContext(), ElementType::UInt8), scalar);
  return inferSameShape(*this, inference, ElementType::UInt8);
}

AxisMap DynamicQuantizeLinearOp::getAxisMap() {
  // Every element counts for the range.
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank)
    return AxisMap::opaque();
  return getWindowAxisMap(*this, llvm::to_vector(llvm::seq<int64_t>(0, *rank)));
}

FusionClass DynamicQuantizeLinearOp::getFusionClass() {
  return FusionClass::Opaque;
}
