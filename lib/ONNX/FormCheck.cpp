//===- FormCheck.cpp - What an opset can say ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operator that an opset has may lack what was added later: element types
// (TypeHistory.cpp), attributes, broadcasting, inputs that may be left out.
//
//===----------------------------------------------------------------------===//

#include "FormCheck.h"
#include "TypeHistory.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace inlay::onnx;
using namespace mlir;

static llvm::Error refuse(const NodeForm &form, unsigned opset,
                          const llvm::Twine &what) {
  return unsupportedError("opset " + llvm::Twine(opset) + " has no " +
                          form.opType + " " + what);
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static std::optional<ElementType> getElement(const NodeForm::Input &input) {
  if (input.constant)
    return input.constant.getType();
  Type element = input.value ? inlay::getElementType(input.value) : Type();
  return element ? getOnnxElementType(element) : std::nullopt;
}

static llvm::Error checkElement(const NodeForm &form, unsigned opset,
                                std::optional<ElementType> type,
                                llvm::StringRef relation) {
  if (!type)
    return llvm::Error::success();
  std::optional<unsigned> first = getFirstOpset(form.opType, *type);
  if (first && opset >= *first)
    return llvm::Error::success();
  return refuse(form, opset,
                relation + " " + getName(*type) +
                    (first ? ", opset " + llvm::Twine(*first) + " is the first"
                           : llvm::Twine("")));
}

/// What ConstantOfShape fills with.
static std::optional<ElementType> getFilling(const NodeForm &form) {
  auto value = dyn_cast_or_null<TypedAttr>(form.attributes.get("value"));
  auto type = value ? dyn_cast<TensorType>(value.getType()) : TensorType();
  return type ? getOnnxElementType(type.getElementType()) : std::nullopt;
}

/// Exponents may be of another type since opset 12, of bfloat16 since 15.
static llvm::Error checkExponent(const NodeForm &form, unsigned opset) {
  std::optional<ElementType> exponent = getElement(form.getInput(1));
  if (opset < 12 && getElement(form.getInput(0)) != exponent)
    return refuse(form, opset, "of two element types");
  if (opset < 15 && exponent == ElementType::BFloat16)
    return refuse(form, opset,
                  "with an exponent of bfloat16, opset 15 is the first");
  return llvm::Error::success();
}

static llvm::Error checkTypes(const NodeForm &form, unsigned opset) {
  if (form.opType == "ConstantOfShape")
    return checkElement(form, opset, getFilling(form), "of");
  NodeForm::Input input = form.getInput(getTypedInput(form.opType));
  if (llvm::Error error = checkElement(form, opset, getElement(input), "of"))
    return error;
  if (form.opType == "Cast")
    if (auto to = dyn_cast_or_null<IntegerAttr>(form.attributes.get("to")))
      return checkElement(form, opset, inlay::getElementType(to.getInt()),
                          "to");
  return form.opType == "Pow" ? checkExponent(form, opset)
                              : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
/// An attribute that nodes may have from opset `since` on, and what they mean
/// without it.
struct AttributeStep {
  StringLiteral op;
  StringLiteral attribute;
  unsigned since;
  /// Text, or a number; "" where nothing stands for its absence.
  StringLiteral absent;
};
} // namespace

// clang-format off
static constexpr AttributeStep attributeSteps[] = {
    {"ArgMax", "select_last_index", 12, "0"},
    {"ArgMin", "select_last_index", 12, "0"},
    {"AveragePool", "ceil_mode", 10, "0"},
    {"AveragePool", "dilations", 19, "1"},
    {"BatchNormalization", "training_mode", 14, "0"},
    {"Cast", "round_mode", 24, "up"},
    {"Cast", "saturate", 19, "1"},
    {"CastLike", "round_mode", 24, "up"},
    {"CastLike", "saturate", 19, "1"},
    {"DepthToSpace", "mode", 11, "DCR"},
    {"DequantizeLinear", "axis", 13, "1"},
    {"DequantizeLinear", "block_size", 21, "0"},
    {"DequantizeLinear", "output_dtype", 23, "0"},
    {"Dropout", "seed", 12, ""},
    {"GatherND", "batch_dims", 12, "0"},
    {"GRU", "layout", 14, "0"},
    {"GroupNormalization", "stash_type", 21, "1"},
    {"LSTM", "layout", 14, "0"},
    {"LpPool", "ceil_mode", 18, "0"},
    {"LpPool", "dilations", 18, "1"},
    {"MaxPool", "ceil_mode", 10, "0"},
    {"MaxPool", "dilations", 10, "1"},
    {"MaxPool", "storage_order", 8, "0"},
    {"QuantizeLinear", "axis", 13, "1"},
    {"QuantizeLinear", "block_size", 21, "0"},
    {"QuantizeLinear", "output_dtype", 21, "0"},
    {"QuantizeLinear", "precision", 23, "0"},
    {"QuantizeLinear", "saturate", 19, "1"},
    {"RNN", "layout", 14, "0"},
    {"ReduceL1", "noop_with_empty_axes", 18, "0"},
    {"ReduceL2", "noop_with_empty_axes", 18, "0"},
    {"ReduceLogSum", "noop_with_empty_axes", 18, "0"},
    {"ReduceLogSumExp", "noop_with_empty_axes", 18, "0"},
    {"ReduceMax", "noop_with_empty_axes", 18, "0"},
    {"ReduceMean", "noop_with_empty_axes", 18, "0"},
    {"ReduceMin", "noop_with_empty_axes", 18, "0"},
    {"ReduceProd", "noop_with_empty_axes", 18, "0"},
    {"ReduceSum", "noop_with_empty_axes", 13, "0"},
    {"ReduceSumSquare", "noop_with_empty_axes", 18, "0"},
    {"Reshape", "allowzero", 14, "0"},
    {"Resize", "antialias", 18, "0"},
    {"Resize", "axes", 18, ""},
    {"Resize", "keep_aspect_ratio_policy", 18, "stretch"},
    {"RoiAlign", "coordinate_transformation_mode", 16, "output_half_pixel"},
    {"ScatterElements", "reduction", 16, "none"},
    {"ScatterND", "reduction", 16, "none"},
    {"Shape", "end", 15, ""},
    {"Shape", "start", 15, "0"},
    {"Split", "num_outputs", 18, ""},
    {"TopK", "largest", 11, "1"},
    {"TopK", "sorted", 11, "1"},
};
// clang-format on

/// Whether the attribute says `text`, each element of a list.
static bool says(Attribute value, StringRef text) {
  if (auto string = dyn_cast<StringAttr>(value))
    return string.getValue() == text;
  int64_t number;
  if (text.getAsInteger(10, number))
    return false;
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getInt() == number;
  auto ints = dyn_cast<DenseI64ArrayAttr>(value);
  return ints && llvm::all_of(ints.asArrayRef(), [&](int64_t element) {
           return element == number;
         });
}

static llvm::Error checkAttributes(NodeForm &form, unsigned opset) {
  // Without the attribute regions are shifted, which they were not before.
  if (form.opType == "RoiAlign" && opset < 16 &&
      !form.attributes.get("coordinate_transformation_mode"))
    return refuse(form, opset,
                  "that shifts regions by half a pixel, opset 16 is the first");
  for (const AttributeStep &step : attributeSteps) {
    if (opset >= step.since || form.opType != step.op)
      continue;
    Attribute value = form.attributes.get(step.attribute);
    if (!value)
      continue;
    if (!says(value, step.absent))
      return refuse(form, opset,
                    "with " + step.attribute + ", opset " +
                        llvm::Twine(step.since) + " is the first");
    form.attributes.erase(step.attribute);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Whether two operands are known to have different shapes. A single number
/// beside what may be anything is taken for different: nobody writes it for
/// another number.
static bool differ(Value a, Value b) {
  MaybeShape first = getShape(a), second = getShape(b);
  if (!first || !second)
    return (first && first->empty()) || (second && second->empty());
  if (first->size() != second->size())
    return true;
  return llvm::any_of(llvm::zip(*first, *second), [](auto extents) {
    auto [one, other] = extents;
    return !ShapedType::isDynamic(one) && !ShapedType::isDynamic(other) &&
           one != other;
  });
}

static llvm::Error checkInputs(const NodeForm &form, unsigned opset) {
  StringRef op = form.opType;
  bool isVariadic = op == "Max" || op == "Min" || op == "Mean" || op == "Sum";
  if (isVariadic && opset < 8)
    for (const NodeForm::Input &input : form.inputs)
      if (differ(form.inputs.front().value, input.value))
        return refuse(form, opset, "that broadcasts, opset 8 is the first");
  if (op == "Gemm" && opset < 11 && form.getInput(2).isAbsent())
    return refuse(form, opset, "of two operands, opset 11 is the first");
  return llvm::Error::success();
}

/// Before the first opset that is modelled, operators that are written are
/// those that have not changed; besides them, what moves data.
static llvm::Error checkEarly(const NodeForm &form, unsigned opset) {
  static constexpr std::pair<StringLiteral, unsigned> movements[] = {
      {"Concat", 4}, {"Gather", 1},  {"Identity", 1},
      {"Pad", 2},    {"Reshape", 5}, {"Slice", 1},
      {"Split", 2},  {"Squeeze", 1}, {"Unsqueeze", 1}};
  if (isUnchanged(form.opType, opset))
    return llvm::Error::success();
  for (auto [op, since] : movements)
    if (form.opType == op && opset >= since)
      return llvm::Error::success();
  return refuse(form, opset, "as later opsets have it");
}

llvm::Error onnx::checkForm(NodeForm &form, unsigned opset) {
  if (opset == 0)
    return llvm::Error::success();
  if (opset < minOpset)
    if (llvm::Error error = checkEarly(form, opset))
      return error;
  if (llvm::Error error = checkTypes(form, opset))
    return error;
  if (llvm::Error error = checkAttributes(form, opset))
    return error;
  return checkInputs(form, opset);
}
