//===- RaiseOpset.cpp - Writing a model in a newer opset ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/ONNX/RaiseOpset.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/Origin.h"
#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;
using namespace mlir;

/// Nodes that an error lists; the others are counted.
static constexpr size_t maxListed = 10;

//===----------------------------------------------------------------------===//
// When definitions changed
//===----------------------------------------------------------------------===//

namespace {
struct Revision {
  unsigned opset;
  /// Operators that were there before and got another definition, if only for
  /// more element types.
  StringLiteral ops;
};
} // namespace

// clang-format off
static constexpr Revision revisions[] = {
    {8, "Max MaxPool Mean Min Scan Sum"},
    {9, "BatchNormalization Cast Constant Flatten Gemm Greater Less MatMul PRelu Scan Upsample"},
    {10, "AveragePool Dropout MaxPool Slice TopK Upsample"},
    {11, "ArgMax ArgMin AveragePool Clip Compress Concat Constant Conv ConvTranspose DepthToSpace Equal Flatten Gather "
         "Gemm Hardmax If LogSoftmax Loop LpPool MaxPool MaxUnpool NonMaxSuppression OneHot Pad ReduceL1 ReduceL2 "
         "ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Resize Scan "
         "Scatter Slice Softmax Split Squeeze TopK Unsqueeze"},
    {12, "ArgMax ArgMin Clip Constant Dropout GatherND Max MaxPool Min Pow ReduceMax ReduceMin"},
    {13, "Abs Add ArgMax ArgMin Cast Ceil Clip Concat Constant DepthToSpace DequantizeLinear Div Dropout Equal Erf Exp "
         "Expand Flatten Floor Gather GatherElements GatherND Gemm Greater Hardmax Identity If IsNaN LRN Less Log "
         "LogSoftmax Loop MatMul Max Mean MeanVarianceNormalization Min Mod Mul Neg NegativeLogLikelihoodLoss NonZero "
         "Pad Pow QuantizeLinear Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean "
         "ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize ScatterElements ScatterND Shape Sigmoid "
         "Sign Size Slice Softmax SoftmaxCrossEntropyLoss SpaceToDepth Split Sqrt Squeeze Sub Sum Tanh Tile Transpose "
         "Unsqueeze"},
    {14, "Add BatchNormalization CumSum Div GRU Identity LSTM Mul RNN Relu Reshape Sub"},
    {15, "BatchNormalization Pow Shape"},
    {16, "GreaterOrEqual Identity If LeakyRelu LessOrEqual Loop PRelu RoiAlign Scan ScatterElements ScatterND Where"},
    {18, "LpPool OptionalGetElement OptionalHasElement Pad ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax "
         "ReduceMean ReduceMin ReduceProd ReduceSumSquare Resize ScatterElements ScatterND Split"},
    {19, "AveragePool Cast CastLike Constant DequantizeLinear Equal Identity If Loop Pad QuantizeLinear Reshape Resize "
         "Scan Shape Size"},
    {20, "ConstantOfShape DFT GridSample IsInf IsNaN ReduceMax ReduceMin"},
    {21, "Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten GroupNormalization Identity If Loop Pad "
         "QLinearMatMul QuantizeLinear Reshape Scan Shape Size Squeeze Transpose Unsqueeze"},
    {22, "Acos Acosh Asin Asinh Atan Atanh AveragePool Bernoulli Conv ConvTranspose Cos Cosh DeformConv Det Dropout Elu "
         "EyeLike GRU GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample HardSigmoid HardSwish "
         "InstanceNormalization LSTM LpNormalization LpPool MaxPool MaxRoiPool MaxUnpool Mish Multinomial "
         "NegativeLogLikelihoodLoss RNN RandomNormal RandomNormalLike RandomUniform RandomUniformLike RoiAlign Round "
         "Selu Sin Sinh Softplus Softsign Tan ThresholdedRelu"},
    {23, "Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten Identity If Loop Pad QuantizeLinear Reshape "
         "Scan Shape Size Squeeze Transpose Unsqueeze"},
    {24, "Attention Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten Identity If Loop Pad QuantizeLinear "
         "Reshape Scan Shape Size SplitToSequence Squeeze TopK Transpose Unsqueeze"},
    {25, "Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten Identity If Loop Pad QuantizeLinear Reshape "
         "Scan Shape Size Squeeze Transpose Unsqueeze"},
};
// clang-format on

/// The opsets in which each operator was revised, in order.
static ArrayRef<unsigned> getRevisions(StringRef opType) {
  static const llvm::StringMap<SmallVector<unsigned, 4>> index = [] {
    llvm::StringMap<SmallVector<unsigned, 4>> all;
    for (const Revision &revision : revisions)
      for (StringRef op : llvm::split(revision.ops, ' '))
        all[op].push_back(revision.opset);
    return all;
  }();
  auto it = index.find(opType);
  return it == index.end() ? ArrayRef<unsigned>() : ArrayRef(it->second);
}

/// The first opset after `from` and up to `to` that changed the operator. What
/// came before the first opset that is read as it is meant counts as changed.
static std::optional<unsigned> findChange(StringRef opType, unsigned from,
                                          unsigned to) {
  if (from < minOpset && from != to)
    return minOpset;
  for (unsigned opset : getRevisions(opType))
    if (opset > from && opset <= to)
      return opset;
  return std::nullopt;
}

static llvm::Error checkOpaque(ModuleOp module, unsigned from, unsigned to) {
  std::string list;
  size_t numChanged = 0;
  module.walk<WalkOrder::PreOrder>([&](OpaqueOp op) {
    if (!op.getDomain().empty())
      return;
    auto changed = findChange(op.getOpType(), from, to);
    if (changed && ++numChanged <= maxListed)
      list += "\nnode '" + getNodeName(op) + "' (" + op.getOpType().str() +
              "): changed in opset " + std::to_string(*changed);
  });
  if (numChanged == 0)
    return llvm::Error::success();
  if (numChanged > maxListed)
    list += "\n... and " + std::to_string(numChanged - maxListed) + " more";
  return unsupportedError("opset " + llvm::Twine(to) +
                          ": nodes that are kept as they were read mean "
                          "something else, or are not known, after opset " +
                          llvm::Twine(from) + ":" + list);
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

/// The IR version that came with an opset.
static int64_t getIRVersionOf(unsigned opset) {
  static constexpr std::pair<unsigned, int64_t> lastOpsets[] = {
      {8, 3},  {9, 4},  {10, 5},  {11, 6},  {14, 7},
      {18, 8}, {20, 9}, {22, 10}, {23, 11}, {24, 12}};
  for (auto [last, version] : lastOpsets)
    if (opset <= last)
      return version;
  return 13;
}

llvm::Error inlay::raiseOpset(ModuleOp module, unsigned opset) {
  unsigned own = getOpset(module);
  if (own == 0)
    return usageError("--opset " + llvm::Twine(opset) +
                      ": the model does not say which opset it has");
  if (opset < own || opset > maxOpset)
    return usageError("--opset " + llvm::Twine(opset) + ": expected " +
                      llvm::Twine(own) + ", which is the model's, to " +
                      llvm::Twine(maxOpset));
  if (llvm::Error error = checkOpaque(module, own, opset))
    return error;
  Builder builder(module.getContext());
  NamedAttrList opsets(module->getAttrOfType<DictionaryAttr>(attrs::opsets));
  opsets.set("ai.onnx", builder.getI64IntegerAttr(opset));
  module->setAttr(attrs::opsets, opsets.getDictionary(module.getContext()));
  auto version = module->getAttrOfType<IntegerAttr>(attrs::irVersion);
  int64_t wanted = getIRVersionOf(opset);
  if (opset != own && version && version.getInt() < wanted)
    module->setAttr(attrs::irVersion, builder.getI64IntegerAttr(wanted));
  return llvm::Error::success();
}
