//===- TypeHistory.cpp - Element types that opsets admit ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts of the ONNX specification, opsets 7 to 26. The test oracle-schemas asks
// ONNX Runtime about each.
//
//===----------------------------------------------------------------------===//

#include "TypeHistory.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;
using namespace inlay::onnx;

namespace {
/// One bit per element type.
using TypeSet = uint32_t;

/// Types that operators admit from an opset on.
struct Step {
  unsigned since;
  TypeSet added;
};

/// Operators that went the same way.
struct History {
  llvm::StringLiteral ops;
  llvm::SmallVector<Step, 4> steps;
};
} // namespace

template <typename... Types> static constexpr TypeSet setOf(Types... types) {
  return ((TypeSet(1) << unsigned(types)) | ...);
}

static constexpr TypeSet floats =
    setOf(ElementType::Float, ElementType::Double, ElementType::Float16);
static constexpr TypeSet wide = setOf(ElementType::Int32, ElementType::Int64,
                                      ElementType::UInt32, ElementType::UInt64);
static constexpr TypeSet bytes = setOf(ElementType::Int8, ElementType::UInt8);
static constexpr TypeSet narrow =
    bytes | setOf(ElementType::Int16, ElementType::UInt16);
static constexpr TypeSet signedInts =
    setOf(ElementType::Int8, ElementType::Int16, ElementType::Int32,
          ElementType::Int64);
static constexpr TypeSet numeric = floats | wide | narrow;
static constexpr TypeSet boolean = setOf(ElementType::Bool);
static constexpr TypeSet text = setOf(ElementType::String);
static constexpr TypeSet all =
    numeric | boolean | text |
    setOf(ElementType::Complex64, ElementType::Complex128);
static constexpr TypeSet f32 = setOf(ElementType::Float);
static constexpr TypeSet f64 = setOf(ElementType::Double);
static constexpr TypeSet f16 = setOf(ElementType::Float16);
static constexpr TypeSet bf16 = setOf(ElementType::BFloat16);
static constexpr TypeSet int32 = setOf(ElementType::Int32);
static constexpr TypeSet int64 = setOf(ElementType::Int64);
static constexpr TypeSet float8 =
    setOf(ElementType::Float8E4M3FN, ElementType::Float8E4M3FNUZ,
          ElementType::Float8E5M2, ElementType::Float8E5M2FNUZ);
static constexpr TypeSet int4 = setOf(ElementType::UInt4, ElementType::Int4);
static constexpr TypeSet float4 = setOf(ElementType::Float4E2M1);
static constexpr TypeSet exponents = setOf(ElementType::Float8E8M0);
static constexpr TypeSet int2 = setOf(ElementType::UInt2, ElementType::Int2);

// clang-format off
static llvm::ArrayRef<History> getHistories() {
  static const History histories[] = {
    {"Abs ArgMax ArgMin", {{7, numeric}, {13, bf16}}},
    {"Acos Asin Atan AveragePool Conv ConvTranspose Cos Elu GlobalAveragePool GlobalLpPool GlobalMaxPool HardSigmoid "
     "InstanceNormalization LpNormalization LpPool Selu Sin Softplus Softsign Tan", {{7, floats}, {22, bf16}}},
    {"Acosh Asinh Atanh Cosh Sinh", {{9, floats}, {22, bf16}}},
    {"Add Div Mul Sub", {{7, floats | wide}, {13, bf16}, {14, narrow}}},
    {"And Not Or Xor", {{7, boolean}}},
    {"Attention RMSNormalization", {{23, floats | bf16}}},
    {"BatchNormalization", {{7, floats}, {14, bf16}}},
    {"BitShift", {{11, (wide | narrow) & ~signedInts}}},
    {"BitwiseAnd BitwiseNot BitwiseOr BitwiseXor", {{18, wide | narrow}}},
    {"Cast", {{7, numeric | boolean}, {9, text}, {13, bf16}, {19, float8}, {21, int4}, {23, float4}, {24, exponents}, {25, int2}}},
    {"CastLike", {{15, numeric | boolean | text | bf16}, {19, float8}, {21, int4}, {23, float4}, {24, exponents}, {25, int2}}},
    {"Ceil Exp Floor Hardmax LRN Log LogSoftmax Mean Reciprocal Sigmoid Softmax Sqrt Sum Tanh", {{7, floats}, {13, bf16}}},
    {"Celu", {{12, f32}}},
    {"Clip", {{7, floats}, {12, wide | narrow}, {16, bf16}}},
    {"Concat DepthToSpace Gather Resize Slice SpaceToDepth Split Tile", {{7, all}, {13, bf16}}},
    {"Constant", {{7, floats}, {9, all}, {13, bf16}, {19, float8}, {21, int4}, {23, float4}, {24, exponents}, {25, int2}}},
    {"ConstantOfShape", {{9, numeric | boolean}, {20, bf16 | float8}, {21, int4}, {23, float4}, {24, exponents}, {25, int2}}},
    {"ConvInteger MatMulInteger QLinearConv", {{10, bytes}}},
    {"CumSum", {{11, f32 | f64 | wide}, {14, f16 | bf16}}},
    {"DequantizeLinear", {{10, bytes | int32}, {19, float8}, {21, narrow | int4}, {23, float4}, {25, int2}}},
    {"Dropout", {{7, floats}, {13, bf16}, {22, float8}}},
    {"DynamicQuantizeLinear", {{11, f32}}},
    {"Einsum", {{12, numeric}}},
    {"Equal", {{7, int32 | int64 | boolean}, {11, numeric}, {13, bf16}, {19, text}}},
    {"Erf Sign", {{9, numeric}, {13, bf16}}},
    {"Expand", {{8, all}, {13, bf16}}},
    {"EyeLike", {{9, numeric | boolean}, {22, bf16}}},
    {"Flatten", {{7, floats}, {9, all}, {13, bf16}, {21, float8 | int4}, {23, float4}, {24, exponents}, {25, int2}}},
    {"GRU LSTM RNN", {{7, floats}, {22, bf16}}},
    {"GatherElements GatherND ScatterND", {{11, all}, {13, bf16}}},
    {"Gelu", {{20, floats | bf16}}},
    {"Gemm MatMul", {{7, floats}, {9, wide}, {13, bf16}}},
    {"Greater Less", {{7, floats}, {9, numeric}, {13, bf16}}},
    {"GreaterOrEqual LessOrEqual", {{12, numeric}, {16, bf16}}},
    {"GridSample", {{16, all}, {22, bf16}}},
    {"GroupNormalization", {{18, floats | bf16}}},
    {"HardSwish", {{14, floats}, {22, bf16}}},
    {"Identity Reshape Shape Size", {{7, all}, {13, bf16}, {19, float8}, {21, int4}, {23, float4}, {24, exponents}, {25, int2}}},
    {"IsInf", {{10, f32 | f64}, {20, f16 | bf16 | float8}}},
    {"IsNaN", {{9, floats}, {13, bf16}, {20, float8}}},
    {"LayerNormalization", {{17, floats | bf16}}},
    {"LeakyRelu", {{7, floats}, {16, bf16}}},
    {"Max Min", {{7, floats}, {12, wide | narrow}, {13, bf16}}},
    {"MaxPool", {{7, floats}, {12, bytes}, {22, bf16}}},
    {"MeanVarianceNormalization", {{9, floats}, {13, bf16}}},
    {"Mish", {{18, floats}, {22, bf16}}},
    {"Mod", {{10, numeric}, {13, bf16}}},
    {"Neg", {{7, floats | signedInts}, {13, bf16}}},
    {"NegativeLogLikelihoodLoss", {{12, floats}, {22, bf16}}},
    {"NonMaxSuppression", {{10, f32}}},
    {"NonZero ScatterElements", {{9, all}, {13, bf16}}},
    {"OneHot", {{9, all}}},
    {"PRelu", {{7, floats}, {9, wide}, {16, bf16}}},
    {"Pad", {{7, floats}, {11, numeric}, {13, all | bf16}, {21, float8 | int4}, {23, float4}, {24, exponents}, {25, int2}}},
    {"Pow", {{7, floats}, {12, int32 | int64}, {13, bf16}}},
    {"QLinearMatMul", {{10, bytes}, {21, float8}}},
    {"QuantizeLinear", {{10, f32 | int32}, {19, f16 | bf16}}},
    {"RotaryEmbedding", {{23, f32 | f16 | bf16}}},
    {"Range", {{11, f32 | f64 | (signedInts & ~bytes)}}},
    {"ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMean ReduceProd ReduceSum ReduceSumSquare",
     {{7, floats | wide}, {13, bf16}}},
    {"ReduceMax ReduceMin", {{7, floats | wide}, {12, bytes}, {13, bf16}, {20, boolean}}},
    {"Relu", {{7, floats}, {13, bf16}, {14, signedInts}}},
    {"RoiAlign", {{10, floats}, {22, bf16}}},
    {"Round", {{11, floats}, {22, bf16}}},
    {"Shrink", {{9, numeric}}},
    {"SoftmaxCrossEntropyLoss", {{12, floats}, {13, bf16}}},
    {"Squeeze Transpose Unsqueeze", {{7, all}, {13, bf16}, {21, float8 | int4}, {23, float4}, {24, exponents}, {25, int2}}},
    {"Swish", {{24, floats | bf16}}},
    {"ThresholdedRelu", {{10, floats}, {22, bf16}}},
    {"TopK", {{7, floats}, {11, numeric}, {24, bf16}}},
    {"Trilu", {{14, all | bf16}}},
    {"Where", {{9, all}, {16, bf16}}},
  };
  return histories;
}
// clang-format on

static const History *lookup(llvm::StringRef onnxName) {
  static const llvm::StringMap<const History *> index = [] {
    llvm::StringMap<const History *> all;
    for (const History &history : getHistories())
      for (llvm::StringRef op : llvm::split(history.ops, ' '))
        all[op] = &history;
    return all;
  }();
  return index.lookup(onnxName);
}

std::optional<unsigned> onnx::getFirstOpset(llvm::StringRef onnxName,
                                            ElementType type) {
  const History *history = lookup(onnxName);
  if (!history)
    return 1;
  for (const Step &step : history->steps)
    if (step.added & setOf(type)) // What came before is not told apart.
      return step.since == 7 ? 1 : step.since;
  return std::nullopt;
}

unsigned onnx::getTypedInput(llvm::StringRef onnxName) {
  if (onnxName == "Where")
    return 1;
  return onnxName == "OneHot" ? 2 : 0;
}
