//===- ConvOps.cpp - Convolutions -----------------------------------------===//
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
#include "inlay/IR/Windows.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {
/// The shapes of input and weight, of one rank; unknown extents where a tensor
/// is not ranked.
struct ConvShapes {
  SmallVector<int64_t> x, w;
  /// The weight's spatial extents as far as it or `kernel_shape` gives them.
  SmallVector<int64_t> kernel;

  int64_t getRank() const { return x.size(); }
  ArrayRef<int64_t> getSpatial() const { return ArrayRef(x).drop_front(2); }
};

/// Input and result channels, as far as they are known.
struct ConvChannels {
  int64_t in, out;
};
} // namespace

/// Nothing when neither tensor is ranked.
static FailureOr<std::optional<ConvShapes>>
getConvShapes(TypeInference &inference, Value x, Value w) {
  MaybeShape xShape = getShape(x), wShape = getShape(w);
  if (!xShape && !wShape)
    return std::optional<ConvShapes>();
  size_t rank = xShape ? xShape->size() : wShape->size();
  SmallVector<int64_t> unknown(rank, ShapedType::kDynamic);
  ConvShapes shapes{xShape.value_or(unknown), wShape.value_or(unknown), {}};
  if (shapes.w.size() != rank)
    return inference.error("weight has rank " + Twine(shapes.w.size()) +
                           ", input has rank " + Twine(rank));
  if (rank < 3)
    return inference.error("input must have at least 3 dimensions, found " +
                           Twine(rank));
  return std::optional(std::move(shapes));
}

/// Fills in the kernel from the weight and `kernel_shape`.
static LogicalResult inferKernel(TypeInference &inference, ConvShapes &shapes,
                                 std::optional<ArrayRef<int64_t>> kernelShape) {
  shapes.kernel.assign(shapes.w.begin() + 2, shapes.w.end());
  if (!kernelShape || kernelShape->empty())
    return success();
  if (kernelShape->size() != shapes.kernel.size())
    return inference.error("'kernel_shape' has " + Twine(kernelShape->size()) +
                           " entries, input has " +
                           Twine(shapes.kernel.size()) + " spatial dimensions");
  for (auto [extent, wanted] : llvm::zip_equal(shapes.kernel, *kernelShape)) {
    if (!areCompatibleExtents(extent, wanted))
      return inference.error("'kernel_shape' is " +
                             formatExtents(*kernelShape) +
                             ", weight has shape " + formatExtents(shapes.w));
    extent = meetExtents(extent, wanted);
  }
  return success();
}

/// `inner` is the weight's extent of channels per group, `outer` the other one.
/// A convolution has its input channels inside, a transposed one its output
/// channels.
static FailureOr<ConvChannels> inferChannels(TypeInference &inference,
                                             const ConvShapes &shapes,
                                             int64_t group, bool transposed) {
  if (group < 1)
    return inference.error("'group' must be positive, found " + Twine(group));
  int64_t outer = shapes.w[0], inner = mulExtents(shapes.w[1], group);
  if (!isUnknown(outer) && outer % group != 0)
    return inference.error("weight has " + Twine(outer) + " channels, which " +
                           Twine(group) + " groups do not divide");
  ConvChannels channels{transposed ? outer : inner, transposed ? inner : outer};
  if (!areCompatibleExtents(shapes.x[1], channels.in))
    return inference.error("input has " + Twine(shapes.x[1]) +
                           " channels, weight and groups need " +
                           Twine(channels.in));
  return channels;
}

/// Reports a vector that has not one element per output channel.
static LogicalResult checkPerChannel(TypeInference &inference, StringRef name,
                                     Value value, int64_t channels) {
  if (!value)
    return success();
  if (failed(checkRank(inference, name, value, 1)))
    return failure();
  MaybeShape shape = getShape(value);
  if (shape && !areCompatibleExtents(shape->front(), channels))
    return inference.error(name + " has " + Twine(shape->front()) +
                           " elements, the result has " + Twine(channels) +
                           " channels");
  return success();
}

/// Reports a quantization parameter that is neither one number nor one per
/// output channel.
static LogicalResult checkMaybePerChannel(TypeInference &inference,
                                          StringRef name, Value value,
                                          int64_t channels) {
  MaybeShape shape = value ? getShape(value) : std::nullopt;
  if (!shape || shape->empty() || (shape->size() == 1 && shape->front() == 1))
    return success();
  return checkPerChannel(inference, name, value, channels);
}

static SmallVector<int64_t> concatShape(int64_t batch, int64_t channels,
                                        ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> shape{batch, channels};
  shape.append(spatial.begin(), spatial.end());
  return shape;
}

/// The result's shape of all but the transposed convolution.
template <typename OpT>
static FailureOr<MaybeShape> inferConvShape(OpT op, TypeInference &inference) {
  auto shapes = getConvShapes(inference, op.getX(), op.getW());
  if (failed(shapes))
    return failure();
  if (!*shapes)
    return MaybeShape();
  if (failed(inferKernel(inference, **shapes, op.getKernelShape())))
    return failure();
  auto channels =
      inferChannels(inference, **shapes, op.getGroup(), /*transposed=*/false);
  if (failed(channels))
    return failure();
  auto sizes = report(
      inference, inferWindowSizes(getWindowAttributes(op, (*shapes)->kernel),
                                  (*shapes)->getSpatial()));
  if (failed(sizes))
    return failure();
  return MaybeShape(concatShape((*shapes)->x[0], channels->out, *sizes));
}

//===----------------------------------------------------------------------===//
// Axis maps
//===----------------------------------------------------------------------===//

namespace {
/// Builds the map of a convolution:
///
///   [n, (g c), s...], [(g m), c, k...], [(g m)] -> [n, (g m), s...]
///
/// A transposed one has [(g c), m, k...] for its weight.
class ConvAxisMap {
public:
  ConvAxisMap(Operation *op, int64_t group) : map(op), group(group) {}

  /// `pointwise` holds the spatial dimensions along which every window is one
  /// element, in its own place.
  AxisMap build(Value x, Value w, Value result, bool transposed,
                ArrayRef<bool> pointwise = {});

  /// Binds an operand that has one element per output channel, if it has. To be
  /// called before build, in the order of the operands.
  void addPerChannel(Value value) {
    if (value && getRank(value) == 1)
      perChannel.push_back(value);
  }

private:
  /// The axes of a dimension that runs over groups and `inner`.
  DimAxes join(DimAxes inner);
  DimAxes addAxis(AxisKind kind, int64_t extent);

  AxisMapBuilder map;
  int64_t group;
  DimAxes groups;
  SmallVector<Value> perChannel;
};
} // namespace

/// What is left of a channel extent per group.
static int64_t divideExtent(int64_t extent, int64_t group) {
  return isUnknown(extent) ? extent : extent / group;
}

DimAxes ConvAxisMap::addAxis(AxisKind kind, int64_t extent) {
  // Factors of one would only clutter grouped maps.
  if (group != 1 && extent == 1)
    return {};
  return {map.axis(kind, extent)};
}

DimAxes ConvAxisMap::join(DimAxes inner) {
  DimAxes dim = groups;
  dim.append(inner.begin(), inner.end());
  return dim;
}

AxisMap ConvAxisMap::build(Value x, Value w, Value result, bool transposed,
                           ArrayRef<bool> pointwise) {
  MaybeShape xShape = getShape(x), wShape = getShape(w);
  if (!xShape || !wShape || !getRank(result) || group < 1)
    return AxisMap::opaque();
  DimAxes batch{map.axis(AxisKind::Parallel, (*xShape)[0])};
  if (group != 1)
    groups = {map.axis(AxisKind::Parallel, group)};
  int64_t outer = divideExtent((*wShape)[0], group), inner = (*wShape)[1];
  DimAxes c = addAxis(AxisKind::Contracted, transposed ? outer : inner);
  DimAxes m = addAxis(AxisKind::Parallel, transposed ? inner : outer);

  TensorAxes xDims{batch, join(c)}, yDims{batch, join(m)};
  TensorAxes wDims =
      transposed ? TensorAxes{join(c), m} : TensorAxes{join(m), c};
  for (size_t i = 2; i < xShape->size(); ++i) {
    bool isPointwise = i - 2 < pointwise.size() && pointwise[i - 2];
    DimAxes spatial{map.axis(
        isPointwise ? AxisKind::Parallel : AxisKind::Window, (*xShape)[i])};
    xDims.push_back(spatial);
    yDims.push_back(spatial);
    unsigned kernel = map.axis(AxisKind::Reduced, (*wShape)[i]);
    map.setLeader(kernel, spatial.front());
    wDims.push_back({kernel});
  }
  map.bind(x, xDims);
  map.bind(w, wDims);
  for (Value value : perChannel)
    map.bind(value, {getShape(value)->front() == 1 ? DimAxes{} : yDims[1]});
  map.bind(result, yDims);
  return map.build();
}

/// Which spatial dimensions have windows of one element in its own place.
template <typename OpT> static SmallVector<bool> getPointwiseDims(OpT op) {
  MaybeShape x = getShape(op.getX()), w = getShape(op.getW());
  if (!x || !w || x->size() != w->size() || x->size() < 3)
    return {};
  ArrayRef<int64_t> kernel = ArrayRef(*w).drop_front(2);
  WindowAttributes window = getWindowAttributes(op, kernel);
  auto pads = resolvePads(window, ArrayRef(*x).drop_front(2));
  if (!pads) {
    llvm::consumeError(pads.takeError());
    return {};
  }
  SmallVector<bool> pointwise;
  for (size_t i = 0; i < kernel.size(); ++i) {
    bool isDense = window.strides.empty() || window.strides[i] == 1;
    pointwise.push_back(kernel[i] == 1 && isDense && (*pads)[i] == 0 &&
                        (*pads)[kernel.size() + i] == 0);
  }
  return pointwise;
}

//===----------------------------------------------------------------------===//
// ConvOp
//===----------------------------------------------------------------------===//

LogicalResult ConvOp::inferTypes(TypeInference &inference) {
  auto element = inference.getSameElementType(getOperands());
  if (failed(element))
    return failure();
  auto shape = inferConvShape(*this, inference);
  if (failed(shape))
    return failure();
  int64_t channels = *shape ? (**shape)[1] : ShapedType::kDynamic;
  inference.set(getResult(), *element, *shape);
  return checkPerChannel(inference, "bias", getB(), channels);
}

AxisMap ConvOp::getAxisMap() {
  ConvAxisMap map(*this, getGroup());
  map.addPerChannel(getB());
  return map.build(getX(), getW(), getResult(), /*transposed=*/false,
                   getPointwiseDims(*this));
}

FusionClass ConvOp::getFusionClass() { return FusionClass::Contraction; }

//===----------------------------------------------------------------------===//
// ConvTransposeOp
//===----------------------------------------------------------------------===//

static llvm::Expected<Sizes> inferOutputSizes(ConvTransposeOp op,
                                              const ConvShapes &shapes) {
  auto pads = resolveOutputPads(op, shapes.getSpatial(), shapes.kernel);
  if (!pads)
    return pads.takeError();
  // What the model asks for, it gets, even from unknown sizes.
  ArrayRef<int64_t> wanted = getOutputSpatial(op, shapes.getRank());
  if (!wanted.empty())
    return Sizes(wanted);
  WindowAttributes window = getWindowAttributes(op, shapes.kernel);
  return inferTransposeSizes(shapes.getSpatial(), window.getShape(), pads->pads,
                             pads->outputPadding);
}

LogicalResult ConvTransposeOp::inferTypes(TypeInference &inference) {
  auto element = inference.getSameElementType(getOperands());
  if (failed(element))
    return failure();
  auto shapes = getConvShapes(inference, getX(), getW());
  if (failed(shapes))
    return failure();
  if (!*shapes) {
    inference.set(getResult(), *element, std::nullopt);
    return success();
  }
  if (failed(inferKernel(inference, **shapes, getKernelShape())))
    return failure();
  auto channels =
      inferChannels(inference, **shapes, getGroup(), /*transposed=*/true);
  if (failed(channels))
    return failure();
  auto sizes = report(inference, inferOutputSizes(*this, **shapes));
  if (failed(sizes))
    return failure();
  inference.set(getResult(), *element,
                concatShape((*shapes)->x[0], channels->out, *sizes));
  return checkPerChannel(inference, "bias", getB(), channels->out);
}

AxisMap ConvTransposeOp::getAxisMap() {
  ConvAxisMap map(*this, getGroup());
  map.addPerChannel(getB());
  return map.build(getX(), getW(), getResult(), /*transposed=*/true);
}

FusionClass ConvTransposeOp::getFusionClass() {
  return FusionClass::Contraction;
}

//===----------------------------------------------------------------------===//
// ConvIntegerOp
//===----------------------------------------------------------------------===//

LogicalResult ConvIntegerOp::inferTypes(TypeInference &inference) {
  auto shape = inferConvShape(*this, inference);
  if (failed(shape))
    return failure();
  inference.set(getResult(), IntegerType::get(getContext(), 32), *shape);
  if (getXZeroPoint() &&
      failed(checkOneElement(inference, "x_zero_point", getXZeroPoint())))
    return failure();
  int64_t channels = *shape ? (**shape)[1] : ShapedType::kDynamic;
  return checkMaybePerChannel(inference, "w_zero_point", getWZeroPoint(),
                              channels);
}

AxisMap ConvIntegerOp::getAxisMap() {
  ConvAxisMap map(*this, getGroup());
  map.addPerChannel(getWZeroPoint());
  return map.build(getX(), getW(), getResult(), /*transposed=*/false,
                   getPointwiseDims(*this));
}

FusionClass ConvIntegerOp::getFusionClass() { return FusionClass::Contraction; }

//===----------------------------------------------------------------------===//
// QLinearConvOp
//===----------------------------------------------------------------------===//

LogicalResult QLinearConvOp::inferTypes(TypeInference &inference) {
  auto shape = inferConvShape(*this, inference);
  if (failed(shape))
    return failure();
  inference.set(getResult(), inlay::getElementType(getYZeroPoint()), *shape);
  for (auto [name, value] :
       {std::pair<StringRef, Value>("x_scale", getXScale()),
        {"x_zero_point", getXZeroPoint()},
        {"y_scale", getYScale()},
        {"y_zero_point", getYZeroPoint()}})
    if (failed(checkOneElement(inference, name, value)))
      return failure();
  int64_t channels = *shape ? (**shape)[1] : ShapedType::kDynamic;
  if (failed(
          checkMaybePerChannel(inference, "w_scale", getWScale(), channels)) ||
      failed(checkMaybePerChannel(inference, "w_zero_point", getWZeroPoint(),
                                  channels)))
    return failure();
  return checkPerChannel(inference, "bias", getB(), channels);
}

AxisMap QLinearConvOp::getAxisMap() {
  ConvAxisMap map(*this, getGroup());
  map.addPerChannel(getWScale());
  map.addPerChannel(getWZeroPoint());
  map.addPerChannel(getB());
  return map.build(getX(), getW(), getResult(), /*transposed=*/false,
                   getPointwiseDims(*this));
}

FusionClass QLinearConvOp::getFusionClass() { return FusionClass::Contraction; }
