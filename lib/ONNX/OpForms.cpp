//===- OpForms.cpp - Which operator stands for which ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpForms.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace inlay;
using namespace inlay::onnx;

// clang-format off
llvm::ArrayRef<OpForm> onnx::getOpForms() {
  // ONNX operator, operation, inputs, outputs, results, parameters, the first
  // opset that has the operator, by this or another name.
  static const std::vector<OpForm> forms = {
    {"Abs", "inlay.abs", 1, 1, 1, {}},
    {"Acos", "inlay.acos", 1, 1, 1, {}, 7},
    {"Acosh", "inlay.acosh", 1, 1, 1, {}, 9},
    {"Add", "inlay.add", 2, 1, 1, {}},
    {"And", "inlay.and", 2, 1, 1, {}},
    {"ArgMax", "inlay.argmax", 1, 1, 1, {}},
    {"ArgMin", "inlay.argmin", 1, 1, 1, {}},
    {"Asin", "inlay.asin", 1, 1, 1, {}, 7},
    {"Asinh", "inlay.asinh", 1, 1, 1, {}, 9},
    {"Atan", "inlay.atan", 1, 1, 1, {}, 7},
    {"Atanh", "inlay.atanh", 1, 1, 1, {}, 9},
    {"Attention", "inlay.attention", 7, 1, 4, {}, 23},
    {"AveragePool", "inlay.average_pool", 1, 1, 1, {}},
    {"BatchNormalization", "inlay.batch_normalization", 5, 1, 3, {}},
    {"BitShift", "inlay.bit_shift", 2, 1, 1, {}, 11},
    {"BitwiseAnd", "inlay.bitwise_and", 2, 1, 1, {}, 18},
    {"BitwiseNot", "inlay.bitwise_not", 1, 1, 1, {}, 18},
    {"BitwiseOr", "inlay.bitwise_or", 2, 1, 1, {}, 18},
    {"BitwiseXor", "inlay.bitwise_xor", 2, 1, 1, {}, 18},
    {"Cast", "inlay.cast", 1, 1, 1, {}},
    {"CastLike", "inlay.cast_like", 2, 1, 1, {}, 15},
    {"Ceil", "inlay.ceil", 1, 1, 1, {}},
    {"Celu", "inlay.celu", 1, 1, 1, {}, 12},
    {"Clip", "inlay.clip", 3, 1, 1, {}},
    {"Concat", "inlay.concat", 0, 1, 1, {}},
    {"ConstantOfShape", "inlay.constant_of_shape", 1, 1, 1, {{"shape", 1}}, 9},
    {"Conv", "inlay.conv", 3, 1, 1, {}},
    {"ConvInteger", "inlay.conv_integer", 4, 1, 1, {}, 10},
    {"ConvTranspose", "inlay.conv_transpose", 3, 1, 1, {}},
    {"Cos", "inlay.cos", 1, 1, 1, {}, 7},
    {"Cosh", "inlay.cosh", 1, 1, 1, {}, 9},
    {"CumSum", "inlay.cumsum", 2, 1, 1, {{"axis", 1}}, 11},
    {"DepthToSpace", "inlay.depth_to_space", 1, 1, 1, {}},
    {"DequantizeLinear", "inlay.dequantize_linear", 3, 1, 1, {}, 10},
    {"Div", "inlay.div", 2, 1, 1, {}},
    {"Dropout", "inlay.dropout", 3, 1, 2, {{"ratio", 12}, {"training_mode", 12}}},
    {"DynamicQuantizeLinear", "inlay.dynamic_quantize_linear", 1, 3, 3, {}, 11},
    {"Einsum", "inlay.einsum", 0, 1, 1, {}, 12},
    {"Elu", "inlay.elu", 1, 1, 1, {}},
    {"Equal", "inlay.equal", 2, 1, 1, {}},
    {"Erf", "inlay.erf", 1, 1, 1, {}, 9},
    {"Exp", "inlay.exp", 1, 1, 1, {}},
    {"Expand", "inlay.expand", 2, 1, 1, {{"shape", 1}}, 8},
    {"EyeLike", "inlay.eye_like", 1, 1, 1, {}, 9},
    {"Flatten", "inlay.flatten", 1, 1, 1, {}},
    {"Floor", "inlay.floor", 1, 1, 1, {}},
    {"Gather", "inlay.gather", 2, 1, 1, {}},
    {"GatherElements", "inlay.gather_elements", 2, 1, 1, {}, 11},
    {"GatherND", "inlay.gather_nd", 2, 1, 1, {}, 11},
    {"Gelu", "inlay.gelu", 1, 1, 1, {}, 20},
    {"Gemm", "inlay.gemm", 3, 1, 1, {}},
    {"GlobalAveragePool", "inlay.global_average_pool", 1, 1, 1, {}},
    {"GlobalLpPool", "inlay.global_lp_pool", 1, 1, 1, {}},
    {"GlobalMaxPool", "inlay.global_max_pool", 1, 1, 1, {}},
    {"Greater", "inlay.greater", 2, 1, 1, {}},
    {"GreaterOrEqual", "inlay.greater_or_equal", 2, 1, 1, {}, 12},
    {"GridSample", "inlay.grid_sample", 2, 1, 1, {}, 16},
    {"GroupNormalization", "inlay.group_normalization", 3, 1, 1, {}, 18},
    {"HardSigmoid", "inlay.hard_sigmoid", 1, 1, 1, {}},
    {"HardSwish", "inlay.hard_swish", 1, 1, 1, {}, 14},
    {"Hardmax", "inlay.hardmax", 1, 1, 1, {}},
    {"Identity", "inlay.identity", 1, 1, 1, {}},
    {"InstanceNormalization", "inlay.instance_normalization", 3, 1, 1, {}},
    {"IsInf", "inlay.is_inf", 1, 1, 1, {}, 10},
    {"IsNaN", "inlay.is_nan", 1, 1, 1, {}, 9},
    {"LRN", "inlay.lrn", 1, 1, 1, {}},
    {"LayerNormalization", "inlay.layer_normalization", 3, 1, 3, {}, 17},
    {"LeakyRelu", "inlay.leaky_relu", 1, 1, 1, {}},
    {"Less", "inlay.less", 2, 1, 1, {}},
    {"LessOrEqual", "inlay.less_or_equal", 2, 1, 1, {}, 12},
    {"Log", "inlay.log", 1, 1, 1, {}},
    {"LogSoftmax", "inlay.log_softmax", 1, 1, 1, {}},
    {"LpNormalization", "inlay.lp_normalization", 1, 1, 1, {}},
    {"LpPool", "inlay.lp_pool", 1, 1, 1, {}},
    {"MatMul", "inlay.matmul", 2, 1, 1, {}},
    {"MatMulInteger", "inlay.matmul_integer", 4, 1, 1, {}, 10},
    {"Max", "inlay.max", 0, 1, 1, {}},
    {"MaxPool", "inlay.max_pool", 1, 1, 2, {}},
    {"Mean", "inlay.mean", 0, 1, 1, {}},
    {"MeanVarianceNormalization", "inlay.mean_variance_normalization", 1, 1, 1, {}, 9},
    {"Min", "inlay.min", 0, 1, 1, {}},
    {"Mish", "inlay.mish", 1, 1, 1, {}, 18},
    {"Mod", "inlay.mod", 2, 1, 1, {}, 10},
    {"Mul", "inlay.mul", 2, 1, 1, {}},
    {"Neg", "inlay.neg", 1, 1, 1, {}},
    {"NegativeLogLikelihoodLoss", "inlay.negative_log_likelihood_loss", 3, 1, 1, {}, 12},
    {"NonZero", "inlay.non_zero", 1, 1, 1, {}, 9},
    {"Not", "inlay.not", 1, 1, 1, {}},
    {"OneHot", "inlay.one_hot", 3, 1, 1, {}, 9},
    {"Or", "inlay.or", 2, 1, 1, {}},
    {"PRelu", "inlay.prelu", 2, 1, 1, {}},
    {"Pad", "inlay.pad", 4, 1, 1, {{"pads", 11}, {"axes", 18}}},
    {"Pow", "inlay.pow", 2, 1, 1, {}},
    {"QLinearConv", "inlay.qlinear_conv", 9, 1, 1, {}, 10},
    {"QLinearMatMul", "inlay.qlinear_matmul", 8, 1, 1, {}, 10},
    {"QuantizeLinear", "inlay.quantize_linear", 3, 1, 1, {}, 10},
    {"RMSNormalization", "inlay.rms_normalization", 2, 1, 1, {}, 23},
    {"Range", "inlay.range", 3, 1, 1, {}, 11},
    {"Reciprocal", "inlay.reciprocal", 1, 1, 1, {}},
    {"ReduceL1", "inlay.reduce_l1", 2, 1, 1, {{"axes", 18}}},
    {"ReduceL2", "inlay.reduce_l2", 2, 1, 1, {{"axes", 18}}},
    {"ReduceLogSum", "inlay.reduce_log_sum", 2, 1, 1, {{"axes", 18}}},
    {"ReduceLogSumExp", "inlay.reduce_log_sum_exp", 2, 1, 1, {{"axes", 18}}},
    {"ReduceMax", "inlay.reduce_max", 2, 1, 1, {{"axes", 18}}},
    {"ReduceMean", "inlay.reduce_mean", 2, 1, 1, {{"axes", 18}}},
    {"ReduceMin", "inlay.reduce_min", 2, 1, 1, {{"axes", 18}}},
    {"ReduceProd", "inlay.reduce_prod", 2, 1, 1, {{"axes", 18}}},
    {"ReduceSum", "inlay.reduce_sum", 2, 1, 1, {{"axes", 13}}},
    {"ReduceSumSquare", "inlay.reduce_sum_square", 2, 1, 1, {{"axes", 18}}},
    {"Relu", "inlay.relu", 1, 1, 1, {}},
    {"Reshape", "inlay.reshape", 2, 1, 1, {{"shape", 1}}},
    {"Resize", "inlay.resize", 4, 1, 1, {{"roi", 11}, {"scales", 11}, {"sizes", 11}}, 7},
    {"RotaryEmbedding", "inlay.rotary_embedding", 4, 1, 1, {}, 23},
    {"Round", "inlay.round", 1, 1, 1, {}, 11},
    {"ScatterElements", "inlay.scatter_elements", 3, 1, 1, {}, 9},
    {"ScatterND", "inlay.scatter_nd", 3, 1, 1, {}, 11},
    {"Selu", "inlay.selu", 1, 1, 1, {}},
    {"Shape", "inlay.shape", 1, 1, 1, {}},
    {"Shrink", "inlay.shrink", 1, 1, 1, {}, 9},
    {"Sigmoid", "inlay.sigmoid", 1, 1, 1, {}},
    {"Sign", "inlay.sign", 1, 1, 1, {}, 9},
    {"Sin", "inlay.sin", 1, 1, 1, {}, 7},
    {"Sinh", "inlay.sinh", 1, 1, 1, {}, 9},
    {"Size", "inlay.size", 1, 1, 1, {}},
    {"Slice", "inlay.slice", 5, 1, 1, {{"starts", 10}, {"ends", 10}, {"axes", 10}, {"steps", 10}}},
    {"Softmax", "inlay.softmax", 1, 1, 1, {}},
    {"SoftmaxCrossEntropyLoss", "inlay.softmax_cross_entropy_loss", 3, 1, 2, {}, 12},
    {"Softplus", "inlay.softplus", 1, 1, 1, {}},
    {"Softsign", "inlay.softsign", 1, 1, 1, {}},
    {"SpaceToDepth", "inlay.space_to_depth", 1, 1, 1, {}},
    {"Split", "inlay.split", 2, 1, 0, {{"split", 13}}},
    {"Sqrt", "inlay.sqrt", 1, 1, 1, {}},
    {"Squeeze", "inlay.squeeze", 2, 1, 1, {{"axes", 13}}},
    {"Sub", "inlay.sub", 2, 1, 1, {}},
    {"Sum", "inlay.sum", 0, 1, 1, {}},
    {"Swish", "inlay.swish", 1, 1, 1, {}, 24},
    {"Tan", "inlay.tan", 1, 1, 1, {}, 7},
    {"Tanh", "inlay.tanh", 1, 1, 1, {}},
    {"ThresholdedRelu", "inlay.thresholded_relu", 1, 1, 1, {}, 10},
    {"Tile", "inlay.tile", 2, 1, 1, {{"repeats", 1}}},
    {"TopK", "inlay.topk", 2, 2, 2, {{"k", 10}}},
    {"Transpose", "inlay.transpose", 1, 1, 1, {}},
    {"Trilu", "inlay.trilu", 2, 1, 1, {{"k", 1}}, 14},
    {"Unsqueeze", "inlay.unsqueeze", 2, 1, 1, {{"axes", 13}}},
    {"Where", "inlay.where", 3, 1, 1, {}, 9},
    {"Xor", "inlay.xor", 2, 1, 1, {}},
  };
  return forms;
}
// clang-format on

namespace {
/// Both directions, built once.
struct Index {
  Index() {
    for (const OpForm &form : getOpForms()) {
      byOnnxName[form.onnxName] = &form;
      byOpName[form.opName] = &form;
    }
  }
  llvm::StringMap<const OpForm *> byOnnxName, byOpName;
};
} // namespace

static const Index &getIndex() {
  static const Index index;
  return index;
}

unsigned OpForm::getSince(llvm::StringRef param) const {
  for (const ParamVersion &version : params)
    if (version.name == param)
      return version.since;
  return 1;
}

const OpForm *onnx::lookupByOnnxName(llvm::StringRef onnxName) {
  return getIndex().byOnnxName.lookup(onnxName);
}

const OpForm *onnx::lookupByOpName(llvm::StringRef opName) {
  return getIndex().byOpName.lookup(opName);
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
