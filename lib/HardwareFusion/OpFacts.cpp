//===- OpFacts.cpp - What target files may ask about operators ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/OpFacts.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/Window.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

/// Numbers of a constant beyond which it is not read.
static constexpr int64_t maxNumbers = 4096;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool inlay::isConstantValue(Value value) {
  while (auto relayout = value.getDefiningOp<RelayoutOp>())
    value = relayout.getInput();
  return value.getDefiningOp<ConstantOp>();
}

bool inlay::exchangesOperands(Operation *op) {
  return isa<AddOp, MulOp, AndOp, OrOp, XorOp, BitwiseAndOp, BitwiseOrOp,
             BitwiseXorOp, EqualOp, SumOp, MeanOp, MaxOp, MinOp, ConcatOp>(op);
}

SmallVector<unsigned, 2> inlay::getDataOperands(Operation *op) {
  SmallVector<unsigned, 2> operands;
  if (exchangesOperands(op))
    for (OpOperand &operand : op->getOpOperands())
      if (!isConstantValue(operand.get()))
        operands.push_back(operand.getOperandNumber());
  if (operands.empty() && op->getNumOperands() != 0)
    operands.push_back(0);
  return operands;
}

/// The dimension that holds the channels of a feature, if it has any.
static std::optional<unsigned> getChannelDim(RankedTensorType type) {
  if (auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding()))
    if (size_t at = layout.getLayout().getAxes().find('C');
        at != StringRef::npos)
      return at;
  return type.getRank() >= 2 ? std::optional(1u) : std::nullopt;
}

static bool isPerChannel(RankedTensorType data, RankedTensorType side) {
  std::optional<unsigned> channel = getChannelDim(data);
  int64_t offset = data.getRank() - side.getRank();
  if (!channel || offset < 0 || int64_t(*channel) < offset)
    return false;
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    bool isChannel = dim + offset == int64_t(*channel);
    int64_t expected = isChannel ? data.getDimSize(*channel) : 1;
    if (side.getDimSize(dim) != expected || ShapedType::isDynamic(expected))
      return false;
  }
  return true;
}

SideShape inlay::getSideShape(Value data, Value side) {
  auto dataType = dyn_cast<RankedTensorType>(data.getType());
  auto sideType = dyn_cast<RankedTensorType>(side.getType());
  if (!sideType)
    return SideShape::Other;
  if (sideType.hasStaticShape() && sideType.getNumElements() == 1)
    return SideShape::Scalar;
  if (!dataType)
    return SideShape::Other;
  if (data == side ||
      (dataType.hasStaticShape() && dataType.getShape() == sideType.getShape()))
    return SideShape::Same;
  return isPerChannel(dataType, sideType) ? SideShape::Channel
                                          : SideShape::Other;
}

//===----------------------------------------------------------------------===//
// Attributes
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

static AttributeFact makeText(StringRef text) {
  AttributeFact fact;
  fact.isPresent = true;
  fact.text = text.str();
  return fact;
}

static AttributeFact makeFact(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return makeNumbers(ArrayRef<int64_t>{integer.getInt()});
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return makeNumbers(ArrayRef<double>{number.getValueAsDouble()});
  if (auto ints = dyn_cast<DenseI64ArrayAttr>(attribute))
    return makeNumbers(ints.asArrayRef());
  if (auto floats = dyn_cast<DenseF32ArrayAttr>(attribute))
    return makeNumbers(floats.asArrayRef());
  if (auto text = dyn_cast<StringAttr>(attribute))
    return makeText(text.getValue());
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

/// The filters of a convolution, or null.
static Value getFilters(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<ConvOp, ConvTransposeOp, ConvIntegerOp, QLinearConvOp>(
          [](auto conv) { return conv.getW(); })
      .Default(Value());
}

static bool isGlobalPool(Operation *op) {
  return isa<GlobalMaxPoolOp, GlobalAveragePoolOp, GlobalLpPoolOp>(op);
}

static SmallVector<int64_t> getSpatialExtents(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() < 2)
    return {};
  return SmallVector<int64_t>(type.getShape().drop_front(2));
}

/// The extents of an operator's window, or nothing when it has none. Unknown
/// ones are dynamic.
static std::optional<SmallVector<int64_t>> getKernel(Operation *op) {
  if (auto shape = op->getAttrOfType<DenseI64ArrayAttr>("kernel_shape"))
    return SmallVector<int64_t>(shape.asArrayRef());
  if (Value filters = getFilters(op))
    return getSpatialExtents(filters);
  if (isGlobalPool(op))
    return getSpatialExtents(op->getOperand(0));
  return std::nullopt;
}

static AttributeFact makeExtents(ArrayRef<int64_t> extents) {
  return llvm::any_of(extents, ShapedType::isDynamic) ? makeUnknown()
                                                      : makeNumbers(extents);
}

/// An attribute of a window that has one number per dimension, 1 by default.
static AttributeFact getWindowFact(Operation *op, StringRef name) {
  std::optional<SmallVector<int64_t>> kernel = getKernel(op);
  if (!kernel)
    return {};
  if (auto ints = op->getAttrOfType<DenseI64ArrayAttr>(name))
    return makeNumbers(ints.asArrayRef());
  return makeNumbers(SmallVector<int64_t>(kernel->size(), 1));
}

static ArrayRef<int64_t> getInts(Operation *op, StringRef name) {
  auto ints = op->getAttrOfType<DenseI64ArrayAttr>(name);
  return ints ? ints.asArrayRef() : ArrayRef<int64_t>();
}

/// The pads of a window, those that `auto_pad` gives included.
static AttributeFact getWindowPads(Operation *op) {
  std::optional<SmallVector<int64_t>> kernel = getKernel(op);
  if (!kernel || isGlobalPool(op))
    return {};
  auto name = op->getAttrOfType<StringAttr>("auto_pad");
  std::optional<AutoPad> autoPad =
      name ? parseAutoPad(name.getValue()) : AutoPad::NotSet;
  SmallVector<int64_t> spatial = getSpatialExtents(op->getOperand(0));
  if (!autoPad || spatial.size() != kernel->size())
    return makeUnknown();
  auto pads =
      resolvePads(*autoPad, spatial,
                  {*kernel, getInts(op, "strides"), getInts(op, "dilations")},
                  getInts(op, "pads"));
  if (!pads) {
    llvm::consumeError(pads.takeError());
    return makeUnknown();
  }
  return makeExtents(*pads);
}

static AttributeFact getPads(Operation *op) {
  if (!isa<PadOp>(op))
    return getWindowPads(op);
  Attribute pads = op->getAttr("pads");
  return pads ? makeFact(pads) : makeUnknown();
}

/// The factors by which a resize stretches its dimensions.
static AttributeFact getScale(Operation *op) {
  auto resize = dyn_cast<ResizeOp>(op);
  if (!resize)
    return {};
  if (auto scales = resize.getScales())
    return makeNumbers(*scales);
  auto from = dyn_cast<RankedTensorType>(resize.getInput().getType());
  auto to = dyn_cast<RankedTensorType>(resize.getResult().getType());
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
      from.getRank() != to.getRank())
    return makeUnknown();
  AttributeFact fact;
  fact.isPresent = true;
  for (auto [before, after] : llvm::zip_equal(from.getShape(), to.getShape()))
    fact.numbers.push_back(before == 0 ? 1 : double(after) / double(before));
  return fact;
}

static AttributeFact getSlope(Operation *op) {
  if (auto leaky = dyn_cast<LeakyReluOp>(op))
    return makeNumbers(ArrayRef<double>{leaky.getAlpha().convertToDouble()});
  if (auto prelu = dyn_cast<PReluOp>(op))
    return readConstant(prelu.getSlope());
  return {};
}

/// What ONNX says of an attribute that is not given.
static AttributeFact getDefault(Operation *op, StringRef name) {
  if (!llvm::is_contained(op->getName().getAttributeNames(), name))
    return {};
  auto number = [](double value) {
    return makeNumbers(ArrayRef<double>{value});
  };
  if (name == "mode")
    return makeText(isa<PadOp>(op)          ? "constant"
                    : isa<ResizeOp>(op)     ? "nearest"
                    : isa<GridSampleOp>(op) ? "linear"
                                            : "DCR");
  if (name == "alpha")
    return number(isa<LeakyReluOp>(op)     ? 0.01f
                  : isa<HardSigmoidOp>(op) ? 0.2f
                  : isa<LRNOp>(op)         ? 1e-4f
                  : isa<SeluOp>(op)        ? 1.67326319217681884765625
                                           : 1.0);
  if (name == "beta")
    return number(isa<HardSigmoidOp>(op) ? 0.5 : isa<LRNOp>(op) ? 0.75 : 1.0);
  StringRef text = llvm::StringSwitch<StringRef>(name)
                       .Case("auto_pad", "NOTSET")
                       .Case("approximate", "none")
                       .Case("coordinate_transformation_mode", "half_pixel")
                       .Case("nearest_mode", "round_prefer_floor")
                       .Case("padding_mode", "zeros")
                       .Default("");
  if (!text.empty())
    return makeText(text);
  double value = llvm::StringSwitch<double>(name)
                     .Cases("group", "keepdims", 1)
                     .Case("p", 2)
                     .Case("epsilon", 1e-5f)
                     .Case("gamma", 1.05070102214813232421875)
                     .Cases("ceil_mode", "count_include_pad", "storage_order",
                            "transA", "transB", "output_padding", 0)
                     .Default(NAN);
  return std::isnan(value) ? AttributeFact() : number(value);
}

AttributeFact inlay::getAttributeFact(Operation *op, StringRef attribute) {
  if (attribute == "kernel") {
    std::optional<SmallVector<int64_t>> kernel = getKernel(op);
    return kernel ? makeExtents(*kernel) : AttributeFact();
  }
  if (attribute == "stride")
    return getWindowFact(op, "strides");
  if (attribute == "dilation")
    return getWindowFact(op, "dilations");
  if (attribute == "pads")
    return getPads(op);
  if (attribute == "slope")
    return getSlope(op);
  if (attribute == "scale")
    return getScale(op);
  if (Attribute own = op->getAttr(attribute))
    return makeFact(own);
  return getDefault(op, attribute);
}

//===----------------------------------------------------------------------===//
// Parts and obstacles
//===----------------------------------------------------------------------===//

/// Whether the operator adds something per channel after it has multiplied.
static bool hasBias(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ConvOp, ConvTransposeOp, QLinearConvOp>(
          [](auto conv) { return bool(conv.getB()); })
      .Case<GemmOp>([](GemmOp gemm) { return bool(gemm.getC()); })
      .Case<BatchNormalizationOp>([](auto) { return true; })
      .Default(false);
}

bool inlay::hasPart(Operation *op, OpPart part) {
  switch (part) {
  case OpPart::Pads: {
    AttributeFact pads = getWindowPads(op);
    return pads.isUnknown ||
           llvm::any_of(pads.numbers, [](double pad) { return pad != 0; });
  }
  case OpPart::Bias:
    return hasBias(op);
  }
  return false;
}

bool inlay::changesElementType(Operation *op) {
  if (op->getNumOperands() == 0)
    return false;
  auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
  return llvm::any_of(op->getResultTypes(), [&](Type other) {
    auto result = dyn_cast<ShapedType>(other);
    return !type || !result || result.getElementType() != type.getElementType();
  });
}

/// Whether operands behind the first are parameters rather than data.
static bool takesParameters(Operation *op) {
  return isa<ParameterOpInterface, ClipOp>(op);
}

/// Padding that pipelines do not do: of batches or channels, with something
/// other than zero.
static std::string findPadObstacle(PadOp pad) {
  if (Value value = pad.getConstantValue()) {
    AttributeFact fact = readConstant(value);
    if (fact.isUnknown ||
        llvm::any_of(fact.numbers, [](double number) { return number != 0; }))
      return "pads with a value other than zero";
  }
  auto type = dyn_cast<RankedTensorType>(pad.getInput().getType());
  ArrayRef<int64_t> pads = getInts(pad, "pads");
  if (!type || pads.empty())
    return "its pads are computed at run time";
  SmallVector<int64_t> axes(getInts(pad, "axes"));
  if (axes.empty())
    axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t dim = axis < 0 ? axis + type.getRank() : axis;
    if (dim < 2 && (pads[i] != 0 || pads[i + axes.size()] != 0))
      return llvm::formatv("pads dimension {0}, which is not spatial", dim);
  }
  return "";
}

std::string inlay::findObstacle(Operation *op) {
  if (takesParameters(op))
    for (unsigned i = 1; i < op->getNumOperands(); ++i)
      if (!isConstantValue(op->getOperand(i)))
        return llvm::formatv("operand {0} must be constant, found one that is "
                             "computed at run time",
                             i);
  if (auto pad = dyn_cast<PadOp>(op))
    if (std::string text = findPadObstacle(pad); !text.empty())
      return text;
  if (auto norm = dyn_cast<BatchNormalizationOp>(op);
      norm && norm.getTrainingMode() != 0)
    return "training_mode must be 0, found " +
           std::to_string(norm.getTrainingMode());
  // All results of a split are data.
  if (!isa<SplitOp>(op))
    for (OpResult result : op->getResults().drop_front(
             std::min<unsigned>(op->getNumResults(), 1)))
      if (!result.use_empty())
        return llvm::formatv("only its first result may be used, found a use "
                             "of result {0}",
                             result.getResultNumber());
  return "";
}
