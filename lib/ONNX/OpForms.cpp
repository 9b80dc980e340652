//===- OpForms.cpp - Which operator stands for which ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpForms.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>

using namespace inlay;
using namespace inlay::onnx;

// clang-format off
static std::vector<OpForm> getBuiltinForms() {
  // ONNX operator, inputs, outputs, results, parameters, the first opset that
  // has the operator, by this or another name.
  return {
    {"Abs", 1, 1, 1, {}},
    {"Acos", 1, 1, 1, {}, 7},
    {"Acosh", 1, 1, 1, {}, 9},
    {"Add", 2, 1, 1, {}},
    {"And", 2, 1, 1, {}},
    {"ArgMax", 1, 1, 1, {}},
    {"ArgMin", 1, 1, 1, {}},
    {"Asin", 1, 1, 1, {}, 7},
    {"Asinh", 1, 1, 1, {}, 9},
    {"Atan", 1, 1, 1, {}, 7},
    {"Atanh", 1, 1, 1, {}, 9},
    {"Attention", 7, 1, 4, {}, 23},
    {"AveragePool", 1, 1, 1, {}},
    {"BatchNormalization", 5, 1, 3, {}},
    {"BitShift", 2, 1, 1, {}, 11},
    {"BitwiseAnd", 2, 1, 1, {}, 18},
    {"BitwiseNot", 1, 1, 1, {}, 18},
    {"BitwiseOr", 2, 1, 1, {}, 18},
    {"BitwiseXor", 2, 1, 1, {}, 18},
    {"Cast", 1, 1, 1, {}},
    {"CastLike", 2, 1, 1, {}, 15},
    {"Ceil", 1, 1, 1, {}},
    {"Celu", 1, 1, 1, {}, 12},
    {"Clip", 3, 1, 1, {}},
    {"Concat", 0, 1, 1, {}},
    {"ConstantOfShape", 1, 1, 1, {{"shape", 1}}, 9},
    {"Conv", 3, 1, 1, {}},
    {"ConvInteger", 4, 1, 1, {}, 10},
    {"ConvTranspose", 3, 1, 1, {}},
    {"Cos", 1, 1, 1, {}, 7},
    {"Cosh", 1, 1, 1, {}, 9},
    {"CumSum", 2, 1, 1, {{"axis", 1}}, 11},
    {"DepthToSpace", 1, 1, 1, {}},
    {"DequantizeLinear", 3, 1, 1, {}, 10},
    {"Div", 2, 1, 1, {}},
    {"Dropout", 3, 1, 2, {{"ratio", 12}, {"training_mode", 12}}},
    {"DynamicQuantizeLinear", 1, 3, 3, {}, 11},
    {"Einsum", 0, 1, 1, {}, 12},
    {"Elu", 1, 1, 1, {}},
    {"Equal", 2, 1, 1, {}},
    {"Erf", 1, 1, 1, {}, 9},
    {"Exp", 1, 1, 1, {}},
    {"Expand", 2, 1, 1, {{"shape", 1}}, 8},
    {"EyeLike", 1, 1, 1, {}, 9},
    {"Flatten", 1, 1, 1, {}},
    {"Floor", 1, 1, 1, {}},
    {"GRU", 6, 0, 2, {}},
    {"Gather", 2, 1, 1, {}},
    {"GatherElements", 2, 1, 1, {}, 11},
    {"GatherND", 2, 1, 1, {}, 11},
    {"Gelu", 1, 1, 1, {}, 20},
    {"Gemm", 3, 1, 1, {}},
    {"GlobalAveragePool", 1, 1, 1, {}},
    {"GlobalLpPool", 1, 1, 1, {}},
    {"GlobalMaxPool", 1, 1, 1, {}},
    {"Greater", 2, 1, 1, {}},
    {"GreaterOrEqual", 2, 1, 1, {}, 12},
    {"GridSample", 2, 1, 1, {}, 16},
    {"GroupNormalization", 3, 1, 1, {}, 18},
    {"HardSigmoid", 1, 1, 1, {}},
    {"HardSwish", 1, 1, 1, {}, 14},
    {"Hardmax", 1, 1, 1, {}},
    {"Identity", 1, 1, 1, {}},
    {"InstanceNormalization", 3, 1, 1, {}},
    {"IsInf", 1, 1, 1, {}, 10},
    {"IsNaN", 1, 1, 1, {}, 9},
    {"LRN", 1, 1, 1, {}},
    {"LSTM", 8, 0, 3, {}},
    {"LayerNormalization", 3, 1, 3, {}, 17},
    {"LeakyRelu", 1, 1, 1, {}},
    {"Less", 2, 1, 1, {}},
    {"LessOrEqual", 2, 1, 1, {}, 12},
    {"Log", 1, 1, 1, {}},
    {"LogSoftmax", 1, 1, 1, {}},
    {"LpNormalization", 1, 1, 1, {}},
    {"LpPool", 1, 1, 1, {}},
    {"MatMul", 2, 1, 1, {}},
    {"MatMulInteger", 4, 1, 1, {}, 10},
    {"Max", 0, 1, 1, {}},
    {"MaxPool", 1, 1, 2, {}},
    {"Mean", 0, 1, 1, {}},
    {"MeanVarianceNormalization", 1, 1, 1, {}, 9},
    {"Min", 0, 1, 1, {}},
    {"Mish", 1, 1, 1, {}, 18},
    {"Mod", 2, 1, 1, {}, 10},
    {"Mul", 2, 1, 1, {}},
    {"Neg", 1, 1, 1, {}},
    {"NegativeLogLikelihoodLoss", 3, 1, 1, {}, 12},
    {"NonMaxSuppression", 5, 1, 1, {}, 10},
    {"NonZero", 1, 1, 1, {}, 9},
    {"Not", 1, 1, 1, {}},
    {"OneHot", 3, 1, 1, {}, 9},
    {"Or", 2, 1, 1, {}},
    {"PRelu", 2, 1, 1, {}},
    {"Pad", 4, 1, 1, {{"pads", 11}, {"axes", 18}}},
    {"Pow", 2, 1, 1, {}},
    {"QLinearConv", 9, 1, 1, {}, 10},
    {"QLinearMatMul", 8, 1, 1, {}, 10},
    {"QuantizeLinear", 3, 1, 1, {}, 10},
    {"RMSNormalization", 2, 1, 1, {}, 23},
    {"RNN", 6, 0, 2, {}},
    {"Range", 3, 1, 1, {}, 11},
    {"Reciprocal", 1, 1, 1, {}},
    {"ReduceL1", 2, 1, 1, {{"axes", 18}}},
    {"ReduceL2", 2, 1, 1, {{"axes", 18}}},
    {"ReduceLogSum", 2, 1, 1, {{"axes", 18}}},
    {"ReduceLogSumExp", 2, 1, 1, {{"axes", 18}}},
    {"ReduceMax", 2, 1, 1, {{"axes", 18}}},
    {"ReduceMean", 2, 1, 1, {{"axes", 18}}},
    {"ReduceMin", 2, 1, 1, {{"axes", 18}}},
    {"ReduceProd", 2, 1, 1, {{"axes", 18}}},
    {"ReduceSum", 2, 1, 1, {{"axes", 13}}},
    {"ReduceSumSquare", 2, 1, 1, {{"axes", 18}}},
    {"Relu", 1, 1, 1, {}},
    {"Reshape", 2, 1, 1, {{"shape", 1}}},
    {"Resize", 4, 1, 1, {{"roi", 11}, {"scales", 11}, {"sizes", 11}}, 7},
    {"RoiAlign", 3, 1, 1, {}, 10},
    {"RotaryEmbedding", 4, 1, 1, {}, 23},
    {"Round", 1, 1, 1, {}, 11},
    {"ScatterElements", 3, 1, 1, {}, 9},
    {"ScatterND", 3, 1, 1, {}, 11},
    {"Selu", 1, 1, 1, {}},
    {"Shape", 1, 1, 1, {}},
    {"Shrink", 1, 1, 1, {}, 9},
    {"Sigmoid", 1, 1, 1, {}},
    {"Sign", 1, 1, 1, {}, 9},
    {"Sin", 1, 1, 1, {}, 7},
    {"Sinh", 1, 1, 1, {}, 9},
    {"Size", 1, 1, 1, {}},
    {"Slice", 5, 1, 1, {{"starts", 10}, {"ends", 10}, {"axes", 10}, {"steps", 10}}},
    {"Softmax", 1, 1, 1, {}},
    {"SoftmaxCrossEntropyLoss", 3, 1, 2, {}, 12},
    {"Softplus", 1, 1, 1, {}},
    {"Softsign", 1, 1, 1, {}},
    {"SpaceToDepth", 1, 1, 1, {}},
    {"Split", 2, 1, 0, {{"split", 13}}},
    {"Sqrt", 1, 1, 1, {}},
    {"Squeeze", 2, 1, 1, {{"axes", 13}}},
    {"Sub", 2, 1, 1, {}},
    {"Sum", 0, 1, 1, {}},
    {"Swish", 1, 1, 1, {}, 24},
    {"Tan", 1, 1, 1, {}, 7},
    {"Tanh", 1, 1, 1, {}},
    {"ThresholdedRelu", 1, 1, 1, {}, 10},
    {"Tile", 2, 1, 1, {{"repeats", 1}}},
    {"TopK", 2, 2, 2, {{"k", 10}}},
    {"Transpose", 1, 1, 1, {}},
    {"Trilu", 2, 1, 1, {{"k", 1}}, 14},
    {"Unsqueeze", 2, 1, 1, {{"axes", 13}}},
    {"Where", 3, 1, 1, {}, 9},
    {"Xor", 2, 1, 1, {}},
  };
}

/// Operators of com.microsoft. Those that ONNX has too are the same operation,
/// which remembers the domain.
static std::vector<OpForm> getContributedForms() {
  return {
    {"BiasGelu", 2, 1, 1, {}},
    {"DequantizeLinear", 3, 1, 1, {}},
    {"FastGelu", 2, 1, 1, {}},
    {"Gelu", 1, 1, 1, {}},
    {"MultiHeadAttention", 6, 1, 1, {}},
    {"QGemm", 9, 1, 1, {}},
    {"QLinearAdd", 8, 1, 1, {}},
    {"QLinearAveragePool", 5, 1, 1, {}},
    {"QLinearConcat", 0, 1, 1, {}},
    {"QLinearGlobalAveragePool", 5, 1, 1, {}},
    {"QLinearLeakyRelu", 5, 1, 1, {}},
    {"QLinearMul", 8, 1, 1, {}},
    {"QLinearSigmoid", 5, 1, 1, {}},
    {"QLinearSoftmax", 5, 1, 1, {}},
    {"QuantizeLinear", 3, 1, 1, {}},
    {"SkipLayerNormalization", 5, 1, 4, {}},
  };
}
// clang-format on

namespace {
/// Both directions.
class FormTable {
public:
  FormTable();

  bool add(OpForm form);
  /// Adds one more way to write an operation that has a form.
  void addSpelling(OpForm form);

  llvm::StringMap<const OpForm *> byOnnxName, byOpName;

private:
  /// They stay where they are.
  std::deque<OpForm> forms;
};
} // namespace

bool FormTable::add(OpForm form) {
  if (byOnnxName.contains(form.onnxName) || byOpName.contains(form.opName))
    return false;
  const OpForm &own = forms.emplace_back(std::move(form));
  byOnnxName[own.onnxName] = &own;
  byOpName[own.opName] = &own;
  return true;
}

void FormTable::addSpelling(OpForm form) {
  const OpForm &own = forms.emplace_back(std::move(form));
  byOnnxName[own.onnxName] = &own;
}

FormTable::FormTable() {
  for (OpForm form : getBuiltinForms()) {
    form.opName = getOperationName(form.onnxName).str();
    add(std::move(form));
  }
  for (OpForm form : getContributedForms()) {
    std::string type = form.onnxName;
    form.onnxName = contributedDomain + ("::" + type);
    form.opName = getOperationName(form.onnxName).str();
    if (!form.opName.empty()) {
      add(std::move(form));
      continue;
    }
    form.opName = getOperationName(type).str();
    addSpelling(std::move(form));
  }
}

static FormTable &getTable() {
  static FormTable table;
  return table;
}

llvm::Error onnx::registerOpForm(OpForm form) {
  std::string onnxName = form.onnxName, opName = form.opName;
  if (!getTable().add(std::move(form)) || !addOnnxOpType(onnxName, opName))
    return usageError("operator '" + onnxName + "' or operation '" + opName +
                      "' has a form already");
  return llvm::Error::success();
}

unsigned OpForm::getSince(llvm::StringRef param) const {
  for (const ParamVersion &version : params)
    if (version.name == param)
      return version.since;
  return 1;
}

const OpForm *onnx::lookupByOnnxName(llvm::StringRef onnxName) {
  return getTable().byOnnxName.lookup(onnxName);
}

const OpForm *onnx::lookupForm(mlir::Operation *op) {
  const OpForm *own = getTable().byOpName.lookup(op->getName().getStringRef());
  auto domain = op->getAttrOfType<mlir::StringAttr>(attrs::nodeDomain);
  if (!own || !domain)
    return own;
  return lookupByOnnxName((domain.getValue() + "::" + own->onnxName).str());
}

llvm::StringRef onnx::getNodeDomain(const OpForm &form) {
  auto [domain, type] = llvm::StringRef(form.onnxName).rsplit("::");
  return type.empty() ? llvm::StringRef() : domain;
}

llvm::StringRef onnx::getSpelledDomain(const OpForm &form) {
  const OpForm *own = getTable().byOpName.lookup(form.opName);
  return own == &form ? llvm::StringRef() : getNodeDomain(form);
}

bool onnx::isUnchanged(llvm::StringRef opType, int64_t opset) {
  static const llvm::StringSet<> names = {"Abs",
                                          "ArgMax",
                                          "ArgMin",
                                          "Ceil",
                                          "Elu",
                                          "Exp",
                                          "Floor",
                                          "GlobalAveragePool",
                                          "GlobalMaxPool",
                                          "HardSigmoid",
                                          "Identity",
                                          "InstanceNormalization",
                                          "LeakyRelu",
                                          "Log",
                                          "Neg",
                                          "Not",
                                          "Reciprocal",
                                          "ReduceL1",
                                          "ReduceL2",
                                          "ReduceLogSum",
                                          "ReduceLogSumExp",
                                          "ReduceMax",
                                          "ReduceMean",
                                          "ReduceMin",
                                          "ReduceProd",
                                          "ReduceSum",
                                          "ReduceSumSquare",
                                          "Relu",
                                          "Selu",
                                          "Sigmoid",
                                          "Softplus",
                                          "Softsign",
                                          "Sqrt",
                                          "Tanh",
                                          "Transpose"};
  // The defaults of Selu were given with four digits before opset 6.
  return names.contains(opType) && (opType != "Selu" || opset >= 6);
}
