//===- NodeForm.cpp - A node between opset and dialect --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeForm.h"
#include "FormCheck.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"
#include <limits>

using namespace inlay;
using namespace inlay::onnx;
using namespace mlir;

/// Bytes up to which the elements of a constant input are looked at.
static constexpr uint64_t maxConstantBytes = 8192;

HostTensor onnx::getConstant(const NodeForm::Input &input) {
  if (input.constant || !input.value)
    return input.constant;
  Attribute value = getConstantValue(input.value);
  if (!value || getByteSize(value) > maxConstantBytes)
    return {};
  auto tensor = getHostTensor(value);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return {};
  }
  return *tensor;
}

//===----------------------------------------------------------------------===//
// Parameters: inputs of new opsets, attributes of old ones
//===----------------------------------------------------------------------===//

/// The parameters of the operation that a form stands for.
static ArrayRef<Parameter> getParameters(MLIRContext *context,
                                         const OpForm &form) {
  auto name = RegisteredOperationName::lookup(form.opName, context);
  auto *model = name ? name->getInterface<ParameterOpInterface>() : nullptr;
  return model ? model->getParameters() : ArrayRef<Parameter>();
}

/// An empty list where Resize means "not given", constant or not.
static bool isPlaceholder(const NodeForm &form, const NodeForm::Input &input) {
  if (form.opType != "Resize")
    return false;
  if (HostTensor tensor = getConstant(input))
    return tensor.getNumElements() == 0;
  auto type = input.value ? dyn_cast<RankedTensorType>(input.value.getType())
                          : RankedTensorType();
  return type && llvm::is_contained(type.getShape(), 0);
}

static void takeParameters(MLIRContext *context, NodeForm &form,
                           ArrayRef<Parameter> parameters) {
  for (const Parameter &parameter : parameters) {
    NodeForm::Input input = form.getInput(parameter.operand);
    if (isPlaceholder(form, input)) {
      form.inputs[parameter.operand] = {};
      continue;
    }
    HostTensor tensor = getConstant(input);
    if (!tensor)
      continue;
    Attribute attribute = getParameterAttr(context, parameter.kind, tensor);
    if (!attribute)
      continue;
    form.attributes.set(parameter.name, attribute);
    form.inputs[parameter.operand] = {};
  }
}

/// Whether the integer parameters that are values are of 32 bits: those of one
/// node must agree.
static bool hasInt32Params(const NodeForm &form,
                           ArrayRef<Parameter> parameters) {
  return llvm::any_of(parameters, [&](const Parameter &parameter) {
    Value value = form.getInput(parameter.operand).value;
    Type element = value ? getElementType(value) : Type();
    return parameter.kind == ParameterKind::Ints && element &&
           element.isInteger(32);
  });
}

static HostTensor toInt32(const HostTensor &tensor) {
  HostTensor narrow(ElementType::Int32, tensor.getShape());
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    narrow.setInt(i, std::clamp<int64_t>(tensor.getInt(i),
                                         std::numeric_limits<int32_t>::min(),
                                         std::numeric_limits<int32_t>::max()));
  return narrow;
}

static llvm::Error giveParameters(NodeForm &form, const OpForm &opForm,
                                  ArrayRef<Parameter> parameters,
                                  unsigned opset) {
  bool isNarrow = hasInt32Params(form, parameters);
  for (const Parameter &parameter : parameters) {
    if (opset < opForm.getSince(parameter.name)) {
      if (form.getInput(parameter.operand).value)
        return unsupportedError("opset " + llvm::Twine(opset) + " has no " +
                                form.opType + " with computed " +
                                parameter.name);
      continue;
    }
    Attribute attribute = form.attributes.get(parameter.name);
    if (!attribute)
      continue;
    HostTensor tensor = getParameterTensor(parameter.kind, attribute);
    if (isNarrow && tensor.getType() == ElementType::Int64)
      tensor = toInt32(tensor);
    form.attributes.erase(parameter.name);
    form.setInput(parameter.operand, {{}, tensor});
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Forms that changed otherwise, operator by operator
//===----------------------------------------------------------------------===//

static int64_t getInt(const NodeForm &form, StringRef name, int64_t fallback) {
  auto attribute = dyn_cast_or_null<IntegerAttr>(form.attributes.get(name));
  return attribute ? attribute.getInt() : fallback;
}

static HostTensor makeScalar(Type element, double value) {
  std::optional<ElementType> type = getOnnxElementType(element);
  if (!type || !isFloat(*type))
    return {};
  HostTensor scalar(*type, {});
  scalar.setDouble(0, value);
  return scalar;
}

/// Turns a float attribute into a scalar input of the type of input 0.
static bool moveToInput(NodeForm &form, StringRef name, unsigned index) {
  auto attribute = dyn_cast_or_null<FloatAttr>(form.attributes.get(name));
  if (!attribute)
    return !form.attributes.get(name);
  Value data = form.getInput(0).value;
  HostTensor scalar = makeScalar(data ? getElementType(data) : Type(),
                                 attribute.getValueAsDouble());
  if (!scalar)
    return false;
  form.attributes.erase(name);
  form.setInput(index, {{}, scalar});
  return true;
}

/// The reverse; fails when the input is not constant.
static llvm::Error moveToAttribute(MLIRContext *context, NodeForm &form,
                                   StringRef name, unsigned index) {
  NodeForm::Input input = form.getInput(index);
  if (input.isAbsent())
    return llvm::Error::success();
  HostTensor tensor = getConstant(input);
  if (!tensor || tensor.getNumElements() != 1)
    return unsupportedError("the model's opset has no " + form.opType +
                            " with computed " + name);
  form.attributes.set(
      name, Builder(context).getF32FloatAttr(float(tensor.getDouble(0))));
  form.inputs[index] = {};
  return llvm::Error::success();
}

/// Upsample and the first Resize: scales behind the data, one way of rounding.
static void upgradeUpsample(MLIRContext *context, NodeForm &form) {
  Builder builder(context);
  form.opType = "Resize";
  form.attributes.set("coordinate_transformation_mode",
                      builder.getStringAttr("asymmetric"));
  form.attributes.set("nearest_mode", builder.getStringAttr("floor"));
  if (form.inputs.size() > 1)
    form.inputs.insert(form.inputs.begin() + 1, NodeForm::Input());
}

static bool upgradeBatchNormalization(NodeForm &form, unsigned opset) {
  // Before opset 14 further outputs are those of another training mode.
  if (getInt(form, "spatial", 1) != 1 || (opset < 14 && form.numOutputs > 1))
    return false;
  form.attributes.erase("spatial");
  return true;
}

static bool upgradeSoftmax(MLIRContext *context, NodeForm &form,
                           unsigned opset) {
  if (opset >= 13)
    return true;
  Builder builder(context);
  if (!form.attributes.get("axis"))
    form.attributes.set("axis", builder.getI64IntegerAttr(1));
  form.attributes.set("coerce_2d", builder.getUnitAttr());
  return true;
}

static bool upgradeGroupNormalization(MLIRContext *context, NodeForm &form,
                                      unsigned opset) {
  if (opset < 21)
    form.attributes.set("per_group_scale", UnitAttr::get(context));
  return true;
}

/// Regions were not shifted by half a pixel before they could be.
static bool upgradeRoiAlign(MLIRContext *context, NodeForm &form,
                            unsigned opset) {
  StringRef mode = "coordinate_transformation_mode";
  if (opset >= 16)
    return true;
  if (form.attributes.get(mode))
    return false;
  form.attributes.set(mode, StringAttr::get(context, "output_half_pixel"));
  return true;
}

static std::optional<int64_t> getInputRank(const NodeForm &form, unsigned at) {
  Value value = form.getInput(at).value;
  return value ? getRank(value) : std::nullopt;
}

/// Whether a MultiHeadAttention is of the kind that is modelled: query, key and
/// value apart, no past, a mask that says which keys count.
static bool isPlainAttention(const NodeForm &form) {
  if (form.inputs.size() < 3 || form.inputs.size() > 6 || form.numOutputs != 1)
    return false;
  for (unsigned at : {0, 1, 2})
    if (form.getInput(at).isAbsent())
      return false;
  std::optional<int64_t> key = getInputRank(form, 1);
  bool hasBias = !form.getInput(3).isAbsent();
  bool hasMask = !form.getInput(4).isAbsent();
  return getInputRank(form, 0) == 3 && key == getInputRank(form, 2) &&
         (key == 3 || (key == 4 && !hasBias)) &&
         (!hasMask || getInputRank(form, 4) == 2);
}

/// What is required of contributed operators that ONNX has no checker for:
/// whatever lacks it stays as it is.
static bool isModelled(const NodeForm &form) {
  StringRef type = StringRef(form.opType).rsplit("::").second;
  auto areGiven = [&](ArrayRef<unsigned> places) {
    return llvm::none_of(
        places, [&](unsigned at) { return form.getInput(at).isAbsent(); });
  };
  if (type == "MultiHeadAttention")
    return isPlainAttention(form) && form.attributes.get("num_heads");
  if (type == "SkipLayerNormalization")
    return areGiven({0, 1, 2});
  if (type == "QLinearAdd" || type == "QLinearMul")
    return areGiven({0, 1, 3, 4, 6});
  if (type == "QGemm")
    return areGiven({0, 1, 2, 3, 4, 5});
  if (type == "QLinearConcat")
    return form.inputs.size() >= 5 && form.inputs.size() % 3 == 2 &&
           llvm::isa_and_present<IntegerAttr>(form.attributes.get("axis"));
  if (type == "QLinearSoftmax" && !form.attributes.get("opset"))
    return false;
  if (type == "QLinearAveragePool" && !form.attributes.get("kernel_shape"))
    return false;
  return !type.starts_with("QLinear") || areGiven({0, 1, 3});
}

static bool upgradeOperator(MLIRContext *context, NodeForm &form,
                            unsigned opset) {
  StringRef op = form.opType;
  if (op.starts_with(contributedDomain))
    return isModelled(form);
  if (op == "Softmax" || op == "LogSoftmax" || op == "Hardmax")
    return upgradeSoftmax(context, form, opset);
  if (op == "GroupNormalization")
    return upgradeGroupNormalization(context, form, opset);
  if (op == "RoiAlign")
    return upgradeRoiAlign(context, form, opset);
  if (op == "BatchNormalization")
    return upgradeBatchNormalization(form, opset);
  if ((op == "Upsample" && opset < 10) || (op == "Resize" && opset == 10))
    return upgradeUpsample(context, form), true;
  if (op == "Scatter" && opset < 11)
    return form.opType = "ScatterElements", true;
  if (op == "Clip" && opset < 11)
    return moveToInput(form, "min", 1) && moveToInput(form, "max", 2);
  if (op == "Pad" && opset < 11)
    return moveToInput(form, "value", 2);
  // The mask was a tensor of floats.
  if (op == "Dropout" && opset < 10)
    return form.numOutputs == 1;
  // What the attribute says, no model says.
  if (op == "Attention")
    return opset >= 23 && !form.attributes.get("masked_rows");
  if (op == "RotaryEmbedding")
    return opset >= 23;
  // It was defined by a single flag.
  if (op == "MeanVarianceNormalization")
    return opset >= 9;
  return true;
}

static llvm::Error downgradeResize(NodeForm &form, unsigned opset) {
  if (opset >= 13)
    return llvm::Error::success();
  if (opset >= 11) {
    // roi and scales could not be left out yet.
    HostTensor none(ElementType::Float, {0});
    for (unsigned index : {1, 2})
      if (form.getInput(index).isAbsent())
        form.setInput(index, {{}, none});
    return llvm::Error::success();
  }
  for (StringRef name : {"coordinate_transformation_mode", "nearest_mode"})
    form.attributes.erase(name);
  if (opset < 10)
    form.opType = "Upsample";
  if (opset < 9) // The scales are an attribute, which they still are.
    return llvm::Error::success();
  if (Attribute scales = form.attributes.erase("scales"))
    form.setInput(1, {{}, getParameterTensor(ParameterKind::Floats, scales)});
  else
    form.setInput(1, form.getInput(2));
  form.inputs.truncate(2);
  return llvm::Error::success();
}

static llvm::Error downgradeAttention(NodeForm &form, unsigned opset) {
  auto rows =
      dyn_cast_or_null<StringAttr>(form.attributes.erase("masked_rows"));
  if (rows && rows.getValue() != "zero")
    return unsupportedError("ONNX has no Attention with masked rows other than "
                            "zero");
  if (opset != 0 && opset < 24 && !form.getInput(6).isAbsent())
    return unsupportedError("opset " + llvm::Twine(opset) +
                            " has no Attention with nonpad_kv_seqlen");
  return llvm::Error::success();
}

/// Softmax meant one row from `axis` on before opset 13, one axis since. Along
/// the last axis both are the same.
static llvm::Error downgradeSoftmax(MLIRContext *context, NodeForm &form,
                                    unsigned opset) {
  bool isFlat = static_cast<bool>(form.attributes.erase("coerce_2d"));
  if (opset == 0 || isFlat == (opset < 13))
    return llvm::Error::success();
  Value input = form.getInput(0).value;
  std::optional<int64_t> rank = input ? getRank(input) : std::nullopt;
  int64_t axis = getInt(form, "axis", -1);
  if (!rank || normalizeAxis(axis, *rank) != *rank - 1)
    return unsupportedError("opset " + llvm::Twine(opset) + " has no " +
                            form.opType +
                            (isFlat ? " over several axes" : " along axis ") +
                            (isFlat ? "" : std::to_string(axis)));
  form.attributes.set("axis", Builder(context).getI64IntegerAttr(*rank - 1));
  return llvm::Error::success();
}

/// Scales were those of groups before opset 21, those of channels since.
static llvm::Error downgradeGroupNormalization(NodeForm &form, unsigned opset) {
  bool isPerGroup = static_cast<bool>(form.attributes.erase("per_group_scale"));
  if (opset == 0 || isPerGroup == (opset < 21))
    return llvm::Error::success();
  return unsupportedError("opset " + llvm::Twine(opset) + " has no " +
                          form.opType + " with one scale per " +
                          (isPerGroup ? "group" : "channel"));
}

/// The modes were called after images before there were other inputs.
static void downgradeGridSample(MLIRContext *context, NodeForm &form,
                                unsigned opset) {
  auto mode = dyn_cast_or_null<StringAttr>(form.attributes.get("mode"));
  if (!mode || opset == 0)
    return;
  StringRef name = mode.getValue();
  bool hasPrefix = name.consume_front("bi");
  if (name == "nearest" || hasPrefix == (opset < 20))
    return;
  form.attributes.set(
      "mode", StringAttr::get(context, (opset < 20 ? "bi" : "") + name));
}

/// Axes count from the end since opset 11.
static void downgradeFlatten(MLIRContext *context, NodeForm &form) {
  Value input = form.getInput(0).value;
  std::optional<int64_t> rank = input ? getRank(input) : std::nullopt;
  int64_t axis = getInt(form, "axis", 1);
  if (rank && axis < 0)
    form.attributes.set("axis",
                        Builder(context).getI64IntegerAttr(axis + *rank));
}

static llvm::Error downgradeOperator(MLIRContext *context, NodeForm &form,
                                     unsigned opset) {
  StringRef op = form.opType;
  if (op == "GridSample")
    downgradeGridSample(context, form, opset);
  if (op == "Flatten" && opset < 11)
    downgradeFlatten(context, form);
  // Since opset 18 a node says into how many parts it splits.
  if (op == "Split" && opset >= 18 && form.getInput(1).isAbsent())
    form.attributes.set("num_outputs",
                        Builder(context).getI64IntegerAttr(form.numOutputs));
  if (op == "Softmax" || op == "LogSoftmax" || op == "Hardmax")
    return downgradeSoftmax(context, form, opset);
  if (op == "GroupNormalization")
    return downgradeGroupNormalization(form, opset);
  if (op == "Resize")
    return downgradeResize(form, opset);
  if (op == "Attention")
    return downgradeAttention(form, opset);
  if (op == "ScatterElements" && opset < 11)
    form.opType = "Scatter";
  // Parameters that were no attributes before they were inputs.
  if (op == "Slice" && opset < 10 && form.attributes.get("steps"))
    return unsupportedError("opset " + llvm::Twine(opset) +
                            " has no Slice with steps");
  if (op == "Pad" && opset < 18 && form.attributes.get("axes"))
    return unsupportedError("opset " + llvm::Twine(opset) +
                            " has no Pad with axes");
  if (op == "Pad" && opset < 11)
    return moveToAttribute(context, form, "value", 2);
  if (op == "Clip" && opset < 11) {
    if (llvm::Error error = moveToAttribute(context, form, "min", 1))
      return error;
    return moveToAttribute(context, form, "max", 2);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Both together
//===----------------------------------------------------------------------===//

bool onnx::upgradeForm(MLIRContext *context, NodeForm &form, unsigned opset) {
  if (!upgradeOperator(context, form, opset))
    return false;
  const OpForm *op = lookupByOnnxName(form.opType);
  if (!op)
    return false;
  takeParameters(context, form, getParameters(context, *op));
  form.dropTrailingInputs();
  return true;
}

llvm::Error onnx::downgradeForm(MLIRContext *context, NodeForm &form,
                                unsigned opset) {
  const OpForm *op = lookupByOnnxName(form.opType);
  assert(op && "an operator of the dialect");
  if (opset != 0 && opset < op->firstOpset)
    return unsupportedError("opset " + llvm::Twine(opset) + " has no " +
                            form.opType + ", opset " +
                            llvm::Twine(op->firstOpset) + " is the first");
  if (llvm::Error error = checkForm(form, opset))
    return error;
  // The first Resize and Upsample pass scales at a place of their own.
  bool isOldResize = form.opType == "Resize" && opset < 11;
  if (!isOldResize)
    if (llvm::Error error =
            giveParameters(form, *op, getParameters(context, *op), opset))
      return error;
  if (llvm::Error error = downgradeOperator(context, form, opset))
    return error;
  form.dropTrailingInputs();
  return llvm::Error::success();
}
