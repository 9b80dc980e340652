//===- TargetFacts.cpp - What descriptions of hardware may ask ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operator answers by functions that are overloaded for those that have
// more to say than others.
//
//===----------------------------------------------------------------------===//

#include "ContributedOps.h"
#include "Demands.h"
#include "OpLists.h"
#include "WindowConcepts.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Windows.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;
using namespace mlir;

/// Numbers of a constant beyond which it is not read.
static constexpr int64_t maxNumbers = 4096;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

template <typename Range> static AttributeFact makeNumbers(const Range &range) {
  AttributeFact fact;
  fact.isPresent = true;
  for (auto number : range)
    fact.numbers.push_back(double(number));
  return fact;
}

static AttributeFact makeUnknown() {
  AttributeFact fact;
  fact.isPresent = fact.isUnknown = true;
  return fact;
}

static AttributeFact makeExtents(ArrayRef<int64_t> extents) {
  return llvm::any_of(extents, ShapedType::isDynamic) ? makeUnknown()
                                                      : makeNumbers(extents);
}

static AttributeFact makeFact(StringRef text) {
  AttributeFact fact;
  fact.isPresent = true;
  fact.text = text.str();
  return fact;
}

static AttributeFact makeFact(const llvm::APFloat &number) {
  return makeNumbers(ArrayRef<double>{number.convertToDouble()});
}

static AttributeFact makeFact(uint64_t number) {
  return makeNumbers(ArrayRef<int64_t>{int64_t(number)});
}

/// An operand of the name that is an attribute elsewhere.
static AttributeFact makeFact(Value) { return {}; }

template <typename T> static AttributeFact makeFact(std::optional<T> value) {
  return value ? makeFact(*value) : AttributeFact();
}

static AttributeFact makeFact(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return makeFact(uint64_t(integer.getInt()));
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return makeFact(number.getValue());
  if (auto ints = dyn_cast<DenseI64ArrayAttr>(attribute))
    return makeNumbers(ints.asArrayRef());
  if (auto floats = dyn_cast<DenseF32ArrayAttr>(attribute))
    return makeNumbers(floats.asArrayRef());
  if (auto text = dyn_cast<StringAttr>(attribute))
    return makeFact(text.getValue());
  return makeUnknown();
}

/// The elements of a constant.
static AttributeFact readConstant(Value value) {
  Attribute attribute = getConstantValue(value);
  if (!attribute)
    return makeUnknown();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() > maxNumbers)
    return makeUnknown();
  auto tensor = getHostTensor(attribute);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return makeUnknown();
  }
  AttributeFact fact;
  fact.isPresent = true;
  for (int64_t i = 0; i < tensor->getNumElements(); ++i)
    fact.numbers.push_back(tensor->getDouble(i));
  return fact;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> getSpatialExtents(Value value,
                                              bool channelsLast = false) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() < 2)
    return {};
  return llvm::map_to_vector(getPooledDims(type.getRank(), channelsLast),
                             [&](int64_t dim) { return type.getDimSize(dim); });
}

/// Whether the channels of an operator's data are said to be last.
template <typename OpT> static bool hasChannelsLast(OpT op) {
  if constexpr (requires { op.getChannelsLast(); })
    return op.getChannelsLast() != 0;
  return false;
}

static MaybeShape findWindow(Operation *) { return std::nullopt; }

template <HasKernel OpT> static MaybeShape findWindow(OpT op) {
  return SmallVector<int64_t>(op.getKernelShape());
}

template <HasFilters OpT> static MaybeShape findWindow(OpT op) {
  if (std::optional<ArrayRef<int64_t>> kernel = op.getKernelShape())
    return SmallVector<int64_t>(*kernel);
  return getSpatialExtents(op.getW());
}

template <IsGlobal OpT> static MaybeShape findWindow(OpT op) {
  return getSpatialExtents(op.getInput(), hasChannelsLast(op));
}

static AttributeFact findWindowPads(Operation *) { return {}; }

template <HasKernel OpT> static AttributeFact findWindowPads(OpT op) {
  MaybeShape kernel = findWindow(op);
  SmallVector<int64_t> spatial =
      getSpatialExtents(op->getOperand(0), hasChannelsLast(op));
  if (spatial.size() != kernel->size())
    return makeUnknown();
  auto pads = resolvePads(getWindowAttributes(op, *kernel), spatial);
  if (pads)
    return makeExtents(*pads);
  llvm::consumeError(pads.takeError());
  return makeUnknown();
}

/// An attribute that has one number per dimension of a window, 1 by default.
static AttributeFact getWindowFact(Operation *op, const MaybeShape &window,
                                   StringRef name) {
  if (!window)
    return {};
  if (auto ints = op->getAttrOfType<DenseI64ArrayAttr>(name))
    return makeNumbers(ints.asArrayRef());
  return makeNumbers(SmallVector<int64_t>(window->size(), 1));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

template <typename OpT> static AttributeFact findPads(OpT op) {
  return findWindowPads(op);
}

static AttributeFact findPads(PadOp op) {
  return op.getPads() ? makeNumbers(*op.getPads()) : makeUnknown();
}

static AttributeFact findSlope(Operation *) { return {}; }
static AttributeFact findSlope(LeakyReluOp op) {
  return makeFact(op.getAlpha());
}
static AttributeFact findSlope(QLinearLeakyReluOp op) {
  return makeFact(op.getAlpha());
}
static AttributeFact findSlope(PReluOp op) {
  return readConstant(op.getSlope());
}

static AttributeFact findScale(Operation *) { return {}; }

/// The factors by which a resize stretches its dimensions.
static AttributeFact findScale(ResizeOp op) {
  if (auto scales = op.getScales())
    return makeNumbers(*scales);
  auto from = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto to = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
      from.getRank() != to.getRank())
    return makeUnknown();
  AttributeFact fact;
  fact.isPresent = true;
  for (auto [before, after] : llvm::zip_equal(from.getShape(), to.getShape()))
    fact.numbers.push_back(before == 0 ? 1 : double(after) / double(before));
  return fact;
}

/// What the definition of the operator says of an attribute that is not given.
template <typename OpT> static AttributeFact getDefault(OpT op, StringRef of) {
  if (!llvm::is_contained(OpT::getAttributeNames(), of))
    return {};
#define INLAY_DEFAULT(NAME, ACCESSOR)                                          \
  if constexpr (requires { op.ACCESSOR(); })                                   \
    if (of == (NAME))                                                          \
      return makeFact(op.ACCESSOR());
  INLAY_DEFAULT("align_corners", getAlignCorners)
  INLAY_DEFAULT("allowzero", getAllowzero)
  INLAY_DEFAULT("alpha", getAlpha)
  INLAY_DEFAULT("antialias", getAntialias)
  INLAY_DEFAULT("approximate", getApproximate)
  INLAY_DEFAULT("auto_pad", getAutoPad)
  INLAY_DEFAULT("axis", getAxis)
  INLAY_DEFAULT("batch_dims", getBatchDims)
  INLAY_DEFAULT("beta", getBeta)
  INLAY_DEFAULT("bias", getBias)
  INLAY_DEFAULT("ceil_mode", getCeilMode)
  INLAY_DEFAULT("center_point_box", getCenterPointBox)
  INLAY_DEFAULT("channels_last", getChannelsLast)
  INLAY_DEFAULT("coordinate_transformation_mode",
                getCoordinateTransformationMode)
  INLAY_DEFAULT("count_include_pad", getCountIncludePad)
  INLAY_DEFAULT("cubic_coeff_a", getCubicCoeffA)
  INLAY_DEFAULT("detect_negative", getDetectNegative)
  INLAY_DEFAULT("detect_positive", getDetectPositive)
  INLAY_DEFAULT("direction", getDirection)
  INLAY_DEFAULT("epsilon", getEpsilon)
  INLAY_DEFAULT("exclude_outside", getExcludeOutside)
  INLAY_DEFAULT("exclusive", getExclusive)
  INLAY_DEFAULT("extrapolation_value", getExtrapolationValue)
  INLAY_DEFAULT("fmod", getFmod)
  INLAY_DEFAULT("gamma", getGamma)
  INLAY_DEFAULT("group", getGroup)
  INLAY_DEFAULT("input_forget", getInputForget)
  INLAY_DEFAULT("interleaved", getInterleaved)
  INLAY_DEFAULT("is_causal", getIsCausal)
  INLAY_DEFAULT("keep_aspect_ratio_policy", getKeepAspectRatioPolicy)
  INLAY_DEFAULT("keepdims", getKeepdims)
  INLAY_DEFAULT("lambd", getLambd)
  INLAY_DEFAULT("largest", getLargest)
  INLAY_DEFAULT("layout", getLayout)
  INLAY_DEFAULT("linear_before_reset", getLinearBeforeReset)
  INLAY_DEFAULT("mode", getMode)
  INLAY_DEFAULT("momentum", getMomentum)
  INLAY_DEFAULT("nearest_mode", getNearestMode)
  INLAY_DEFAULT("noop_with_empty_axes", getNoopWithEmptyAxes)
  INLAY_DEFAULT("output_height", getOutputHeight)
  INLAY_DEFAULT("output_width", getOutputWidth)
  INLAY_DEFAULT("p", getP)
  INLAY_DEFAULT("padding_mode", getPaddingMode)
  INLAY_DEFAULT("reduction", getReduction)
  INLAY_DEFAULT("reverse", getReverse)
  INLAY_DEFAULT("sampling_ratio", getSamplingRatio)
  INLAY_DEFAULT("saturate", getSaturate)
  INLAY_DEFAULT("select_last_index", getSelectLastIndex)
  INLAY_DEFAULT("softcap", getSoftcap)
  INLAY_DEFAULT("sorted", getSorted)
  INLAY_DEFAULT("spatial_scale", getSpatialScale)
  INLAY_DEFAULT("stash_type", getStashType)
  INLAY_DEFAULT("storage_order", getStorageOrder)
  INLAY_DEFAULT("training_mode", getTrainingMode)
  INLAY_DEFAULT("transA", getTransA)
  INLAY_DEFAULT("transB", getTransB)
  INLAY_DEFAULT("upper", getUpper)
#undef INLAY_DEFAULT
  // Nothing is added to any dimension.
  return of == "output_padding" ? makeFact(uint64_t(0)) : AttributeFact();
}

//===----------------------------------------------------------------------===//
// Parts and obstacles
//===----------------------------------------------------------------------===//

static bool findBias(Operation *) { return false; }
static bool findBias(ConvOp op) { return bool(op.getB()); }
static bool findBias(ConvTransposeOp op) { return bool(op.getB()); }
static bool findBias(QLinearConvOp op) { return bool(op.getB()); }
static bool findBias(QGemmOp op) { return bool(op.getC()); }
static bool findBias(GemmOp op) { return bool(op.getC()); }
static bool findBias(BatchNormalizationOp) { return true; }

static std::string describeObstacle(Operation *) { return ""; }

static std::string describeObstacle(BatchNormalizationOp op) {
  if (op.getTrainingMode() == 0)
    return "";
  return "training_mode must be 0, found " +
         std::to_string(op.getTrainingMode());
}

static bool isNotZero(double number) { return number != 0; }

/// Padding that pipelines do not do: of batches or channels, with something
/// other than zero.
static std::string describeObstacle(PadOp pad) {
  if (Value value = pad.getConstantValue()) {
    AttributeFact fact = readConstant(value);
    if (fact.isUnknown || llvm::any_of(fact.numbers, isNotZero))
      return "pads with a value other than zero";
  }
  auto type = dyn_cast<RankedTensorType>(pad.getInput().getType());
  ArrayRef<int64_t> pads = pad.getPads().value_or(ArrayRef<int64_t>());
  if (!type || pads.empty())
    return "its pads are computed at run time";
  SmallVector<int64_t> axes(pad.getAxes().value_or(ArrayRef<int64_t>()));
  if (axes.empty())
    axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t dim = axis < 0 ? axis + type.getRank() : axis;
    if (dim < 2 && (pads[i] != 0 || pads[i + axes.size()] != 0))
      return llvm::formatv("pads dimension {0}, which is not spatial", dim);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

template <typename OpT>
concept Exchanges =
    llvm::is_one_of<OpT, AddOp, MulOp, AndOp, OrOp, XorOp, BitwiseAndOp,
                    BitwiseOrOp, BitwiseXorOp, EqualOp, SumOp, MeanOp, MaxOp,
                    MinOp, ConcatOp, QLinearAddOp, QLinearMulOp,
                    QLinearConcatOp>::value;

namespace {
template <typename OpT>
struct TargetFacts
    : TargetFactsOpInterface::ExternalModel<TargetFacts<OpT>, OpT> {
  bool exchangesOperands(Operation *) const { return Exchanges<OpT>; }
  MaybeShape getWindow(Operation *op) const {
    return findWindow(cast<OpT>(op));
  }
  AttributeFact getWindowPads(Operation *op) const {
    return findWindowPads(cast<OpT>(op));
  }
  bool hasBias(Operation *op) const { return findBias(cast<OpT>(op)); }
  bool takesParameters(Operation *op) const {
    return std::is_same_v<OpT, ClipOp> || isa<ParameterOpInterface>(op);
  }
  bool yieldsData(Operation *) const { return std::is_same_v<OpT, SplitOp>; }
  std::string findObstacle(Operation *op) const {
    return describeObstacle(cast<OpT>(op));
  }
  AttributeFact getFact(Operation *op, StringRef name) const;
};
} // namespace

template <typename OpT>
AttributeFact TargetFacts<OpT>::getFact(Operation *op, StringRef name) const {
  auto own = cast<OpT>(op);
  MaybeShape window = findWindow(own);
  if (name == "kernel")
    return window ? makeExtents(*window) : AttributeFact();
  if (name == "stride")
    return getWindowFact(op, window, "strides");
  if (name == "dilation")
    return getWindowFact(op, window, "dilations");
  if (name == "pads")
    return findPads(own);
  if (name == "slope")
    return findSlope(own);
  if (name == "scale")
    return findScale(own);
  if (Attribute given = op->getAttr(name))
    return makeFact(given);
  return getDefault(own, name);
}

template <typename... OpTs>
static void attachFacts(OpList<OpTs...>, MLIRContext &context) {
  (OpTs::template attachInterface<TargetFacts<OpTs>>(context), ...);
}

void inlay::registerTargetFacts(MLIRContext &context) {
  attachFacts(NamedOps(), context);
  attachFacts(ContributedOps(), context);
  attachFacts(StructuralOps(), context);
}
