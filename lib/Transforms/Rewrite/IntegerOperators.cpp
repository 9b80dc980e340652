//===- IntegerOperators.cpp - Operators between quantisers ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is dequantised, computed in floats and quantised again is one integer
// operator. It rounds once where the model rounds in floats and then to
// integers: where that is a tie, the two differ by one step. So these equations
// hold for targets whose pipeline takes the integer operator and not the one of
// floats.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "QuantizedParts.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/OpTypes.h"
#include <cmath>

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

static constexpr llvm::StringLiteral notQuantised =
    "no such operator, for it alone, gives what it quantises to 8 bits by one "
    "scale";
static constexpr llvm::StringLiteral notDequantised =
    "an operand is not dequantised from 8 bits, in a way that the integer "
    "operator has";
static constexpr llvm::StringLiteral notWanted =
    "the target's pipeline does not take the integer operator alone";
static constexpr llvm::StringLiteral otherTypes =
    "the runtime has no such operator for these element types";

/// The operands of `op` that are dequantised by one scale each, all of the type
/// that is quantised to; empty where one is not.
static SmallVector<Quantized> readOperands(const QuantizedResult &result) {
  SmallVector<Quantized> operands;
  for (Value operand : result.op->getOperands()) {
    auto from = readDequantized(operand);
    if (!from || !from->isPerTensor() ||
        from->getElementType() != result.to.getElementType())
      return {};
    operands.push_back(*from);
  }
  return operands;
}

/// Puts `op` into the place of the quantiser.
static bool finish(const QuantizedResult &result, Operation *op,
                   RewriteContext &context) {
  context.replace(result.root, op->getResults());
  return true;
}

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// Whether ONNX Runtime multiplies data and weights of these types: signed data
/// only by signed weights.
static bool areMultiplied(const Quantized &x, const Quantized &w,
                          const Quantized &y) {
  bool areBytes = x.getElementType().isInteger(8) &&
                  w.getElementType().isInteger(8) && x.isPerTensor();
  return areBytes && x.getElementType() == y.getElementType() &&
         (x.getElementType().isUnsignedInteger() ||
          !w.getElementType().isUnsignedInteger());
}

/// scale of x * scale of w, one number per feature.
static std::optional<std::vector<double>>
getProductScales(const Quantized &x, const Quantized &w, size_t numFeatures) {
  auto data = readNumbers(x.scale), weights = readNumbers(w.scale);
  if (!data || !weights || data->size() != 1 ||
      (weights->size() != 1 && weights->size() != numFeatures))
    return std::nullopt;
  std::vector<double> scales(numFeatures, weights->front());
  if (weights->size() == numFeatures)
    scales = *weights;
  for (double &scale : scales)
    scale = float(scale) * float(data->front());
  return scales;
}

/// A bias as numbers; nothing where it is computed or no vector.
static std::optional<std::vector<double>> readBias(Value bias) {
  std::optional<int64_t> rank = getRank(bias);
  if (rank != 1)
    return std::nullopt;
  auto from = readDequantized(bias);
  if (!from)
    return readNumbers(bias);
  auto numbers = readElements(from->tensor), scales = readNumbers(from->scale);
  auto zeros =
      from->zeroPoint ? readElements(from->zeroPoint) : std::vector<double>{0};
  if (!numbers || !scales || !zeros)
    return std::nullopt;
  auto at = [](const std::vector<double> &list, size_t i) {
    return list.size() == 1 ? list.front() : list[i];
  };
  for (auto [i, number] : llvm::enumerate(*numbers))
    number = (number - at(*zeros, i)) * at(*scales, i);
  return numbers;
}

/// The bias as 32-bit integers of the scale that the products have; nothing
/// where it is not known or does not fit, a null value where there is none.
static std::optional<Value> buildBias(Value bias, const Quantized &x,
                                      const Quantized &w,
                                      RewriteContext &context) {
  if (!bias)
    return Value();
  auto numbers = readBias(bias);
  auto scales = numbers ? getProductScales(x, w, numbers->size())
                        : std::optional<std::vector<double>>();
  if (!scales)
    return std::nullopt;
  HostTensor integers(ElementType::Int32, {int64_t(numbers->size())});
  for (auto [i, number] : llvm::enumerate(*numbers)) {
    double integer = std::nearbyint(number / (*scales)[i]);
    if (!(std::abs(integer) < 2147483648.0))
      return std::nullopt;
    integers.setInt(i, int64_t(integer));
  }
  OpBuilder &builder = context.builder;
  TypedAttr value = getConstantAttr(builder.getContext(), integers);
  return builder.create<ConstantOp>(builder.getUnknownLoc(), value.getType(),
                                    value);
}

static bool formConv(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  auto conv = result ? dyn_cast<ConvOp>(result->op) : ConvOp();
  if (!conv)
    return context.refuse(notQuantised);
  auto x = readDequantized(conv.getX()), w = readDequantized(conv.getW());
  if (!x || !w || w->axis.value_or(0) != 0)
    return context.refuse(notDequantised);
  if (!areMultiplied(*x, *w, result->to))
    return context.refuse(otherTypes);
  if (!wantsInteger(context, "QLinearConv", "Conv", x->getElementType()))
    return context.refuse(notWanted);
  auto bias = buildBias(conv.getB(), *x, *w, context);
  if (!bias)
    return context.refuse("its bias or a scale is not constant, or too large");
  SmallVector<Value> operands{x->tensor,
                              x->scale,
                              getZeroPoint(*x, context),
                              w->tensor,
                              w->scale,
                              getZeroPoint(*w, context),
                              result->to.scale,
                              getZeroPoint(result->to, context)};
  if (*bias)
    operands.push_back(*bias);
  OperationState state(result->merge({*x, *w}, context),
                       QLinearConvOp::getOperationName());
  state.addOperands(operands);
  state.addAttributes(conv->getAttrs());
  state.addTypes(root->getResult(0).getType());
  return finish(*result, context.builder.create(state), context);
}

static bool formMatMul(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  auto product = result ? dyn_cast<MatMulOp>(result->op) : MatMulOp();
  if (!product)
    return context.refuse(notQuantised);
  auto a = readDequantized(product.getA()), b = readDequantized(product.getB());
  std::optional<int64_t> rank = getRank(product.getB());
  bool isPerColumn = b && rank == 2 && b->axis == 1;
  if (!a || !b || (!b->isPerTensor() && !isPerColumn))
    return context.refuse(notDequantised);
  if (!areMultiplied(*a, *b, result->to))
    return context.refuse(otherTypes);
  if (!wantsInteger(context, "QLinearMatMul", "MatMul", a->getElementType()))
    return context.refuse(notWanted);
  Value operands[] = {a->tensor,
                      a->scale,
                      getZeroPoint(*a, context),
                      b->tensor,
                      b->scale,
                      getZeroPoint(*b, context),
                      result->to.scale,
                      getZeroPoint(result->to, context)};
  OperationState state(result->merge({*a, *b}, context),
                       QLinearMatMulOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(root->getResult(0).getType());
  return finish(*result, context.builder.create(state), context);
}

static bool formGemm(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  auto gemm = result ? dyn_cast<GemmOp>(result->op) : GemmOp();
  if (!gemm)
    return context.refuse(notQuantised);
  auto a = readDequantized(gemm.getA()), b = readDequantized(gemm.getB());
  int64_t columns = gemm.getTransB() != 0 ? 0 : 1;
  if (!a || !b || b->axis.value_or(columns) != columns)
    return context.refuse(notDequantised);
  if (!areMultiplied(*a, *b, result->to))
    return context.refuse(otherTypes);
  if (!wantsInteger(context, "com.microsoft::QGemm", "Gemm",
                    a->getElementType()))
    return context.refuse(notWanted);
  if (gemm.getAlpha().convertToFloat() != 1 ||
      (gemm.getC() && gemm.getBeta().convertToFloat() != 1))
    return context.refuse("it has factors besides the scales");
  auto bias = buildBias(gemm.getC(), *a, *b, context);
  if (!bias)
    return context.refuse("its bias or a scale is not constant, or too large");
  auto product = context.builder.create<QGemmOp>(
      result->merge({*a, *b}, context), root->getResult(0).getType(), a->tensor,
      a->scale, getZeroPoint(*a, context), b->tensor, b->scale,
      getZeroPoint(*b, context), *bias, result->to.scale,
      getZeroPoint(result->to, context), FloatAttr(), gemm.getTransAAttr(),
      gemm.getTransBAttr());
  return finish(*result, product, context);
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

template <typename OpT, typename IntegerT>
static bool formBinary(Operation *root, RewriteContext &context,
                       StringRef integerType, StringRef floatType) {
  auto result = QuantizedResult::match(root);
  if (!result || !isa<OpT>(result->op))
    return context.refuse(notQuantised);
  SmallVector<Quantized> from = readOperands(*result);
  if (from.size() != 2)
    return context.refuse(notDequantised);
  if (!wantsInteger(context, integerType, floatType, from[0].getElementType()))
    return context.refuse(notWanted);
  const Quantized &to = result->to;
  auto made = context.builder.create<IntegerT>(
      result->merge(from, context), root->getResult(0).getType(),
      from[0].tensor, from[0].scale, from[0].zeroPoint, from[1].tensor,
      from[1].scale, from[1].zeroPoint, to.scale, to.zeroPoint);
  return finish(*result, made, context);
}

static bool formAdd(Operation *root, RewriteContext &context) {
  return formBinary<AddOp, QLinearAddOp>(root, context,
                                         "com.microsoft::QLinearAdd", "Add");
}

static bool formMul(Operation *root, RewriteContext &context) {
  return formBinary<MulOp, QLinearMulOp>(root, context,
                                         "com.microsoft::QLinearMul", "Mul");
}

/// The integer operator of one operand, with `attributes`.
template <typename IntegerT>
static bool replaceUnary(const QuantizedResult &result, RewriteContext &context,
                         StringRef integerType, StringRef floatType,
                         ArrayRef<NamedAttribute> attributes) {
  auto from = readDequantized(result.op->getOperand(0));
  if (!from || !from->isPerTensor() ||
      from->getElementType() != result.to.getElementType())
    return context.refuse(notDequantised);
  if (!wantsInteger(context, integerType, floatType, from->getElementType()))
    return context.refuse(notWanted);
  OpBuilder &builder = context.builder;
  OperationState state(result.merge({*from}, context),
                       IntegerT::getOperationName());
  state.addOperands({from->tensor, from->scale, getZeroPoint(*from, context),
                     result.to.scale, getZeroPoint(result.to, context)});
  state.addAttributes(attributes);
  state.addAttribute("operandSegmentSizes",
                     builder.getDenseI32ArrayAttr({1, 1, 1, 1, 1}));
  state.addTypes(result.to.tensor.getType());
  return finish(result, builder.create(state), context);
}

static bool formSigmoid(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  if (!result || !isa<SigmoidOp>(result->op))
    return context.refuse(notQuantised);
  return replaceUnary<QLinearSigmoidOp>(
      *result, context, "com.microsoft::QLinearSigmoid", "Sigmoid", {});
}

/// Relu is LeakyRelu without a slope.
static bool formLeakyRelu(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  if (!result || !isa<LeakyReluOp, ReluOp>(result->op))
    return context.refuse(notQuantised);
  auto leaky = dyn_cast<LeakyReluOp>(result->op);
  float alpha = leaky ? leaky.getAlpha().convertToFloat() : 0;
  Builder builder(root->getContext());
  return replaceUnary<QLinearLeakyReluOp>(
      *result, context, "com.microsoft::QLinearLeakyRelu",
      leaky ? "LeakyRelu" : "Relu",
      builder.getNamedAttr("alpha", builder.getF32FloatAttr(alpha)));
}

static bool formSoftmax(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  auto softmax = result ? dyn_cast<SoftmaxOp>(result->op) : SoftmaxOp();
  if (!softmax)
    return context.refuse(notQuantised);
  if (softmax->hasAttr("coerce_2d"))
    return context.refuse("it is a Softmax over several axes");
  Builder builder(root->getContext());
  return replaceUnary<QLinearSoftmaxOp>(
      *result, context, "com.microsoft::QLinearSoftmax", "Softmax",
      {builder.getNamedAttr("axis",
                            builder.getI64IntegerAttr(softmax.getAxis())),
       builder.getNamedAttr("opset", builder.getI64IntegerAttr(13))});
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static bool formAveragePool(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  auto pool = result ? dyn_cast<AveragePoolOp>(result->op) : AveragePoolOp();
  if (!pool)
    return context.refuse(notQuantised);
  if (pool.getDilations())
    return context.refuse("its windows have dilations");
  return replaceUnary<QLinearAveragePoolOp>(
      *result, context, "com.microsoft::QLinearAveragePool", "AveragePool",
      llvm::to_vector(pool->getAttrs()));
}

static bool formGlobalPool(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  if (!result || !isa<GlobalAveragePoolOp>(result->op))
    return context.refuse(notQuantised);
  return replaceUnary<QLinearGlobalAveragePoolOp>(
      *result, context, "com.microsoft::QLinearGlobalAveragePool",
      "GlobalAveragePool", {});
}

/// Operators that give elements of their operand, the largest of a window or
/// all of them, give the same of the integers.
static bool moveIntegers(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  if (!result || result->activation ||
      !isa<MaxPoolOp, FlattenOp, ReshapeOp, TransposeOp, SqueezeOp,
           UnsqueezeOp>(result->op))
    return context.refuse(notQuantised);
  auto from = readDequantized(result->op->getOperand(0));
  if (!from || !areAlike(*from, result->to))
    return context.refuse("it does not quantise by the scale and zero point "
                          "that were there before");
  if (wantsFloats(context, getOnnxOpType(result->op), from->getElementType()))
    return context.refuse("the target's pipeline takes it on floats only");
  OpBuilder &builder = context.builder;
  Operation *made = builder.clone(*result->op);
  made->setLoc(result->merge({*from}, context));
  made->setOperand(0, from->tensor);
  made->getResult(0).setType(root->getResult(0).getType());
  context.replace(root, made->getResult(0));
  return true;
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

static bool formConcat(Operation *root, RewriteContext &context) {
  auto result = QuantizedResult::match(root);
  auto concat = result ? dyn_cast<ConcatOp>(result->op) : ConcatOp();
  if (!concat)
    return context.refuse(notQuantised);
  SmallVector<Quantized> from = readOperands(*result);
  if (from.empty())
    return context.refuse(notDequantised);
  if (!wantsInteger(context, "com.microsoft::QLinearConcat", "Concat",
                    from[0].getElementType()))
    return context.refuse(notWanted);
  SmallVector<Value> inputs;
  for (const Quantized &part : from)
    inputs.append({part.tensor, part.scale, getZeroPoint(part, context)});
  auto joined = context.builder.create<QLinearConcatOp>(
      result->merge(from, context), root->getResult(0).getType(),
      result->to.scale, getZeroPoint(result->to, context), inputs,
      concat.getAxisAttr());
  return finish(*result, joined, context);
}

static constexpr Rewrite table[] = {
    {"qdq-conv",
     "QuantizeLinear(Conv(DequantizeLinear(x), DequantizeLinear(W), b)) = "
     "QLinearConv(x, W, b), up to one step",
     "inlay.quantize_linear", formConv},
    {"qdq-matmul",
     "QuantizeLinear(MatMul(DequantizeLinear(a), DequantizeLinear(b))) = "
     "QLinearMatMul(a, b), up to one step",
     "inlay.quantize_linear", formMatMul},
    {"qdq-gemm",
     "QuantizeLinear(Gemm(DequantizeLinear(a), DequantizeLinear(b), c)) = "
     "QGemm(a, b, c), up to one step",
     "inlay.quantize_linear", formGemm},
    {"qdq-add",
     "QuantizeLinear(Add(DequantizeLinear(a), DequantizeLinear(b))) = "
     "QLinearAdd(a, b), up to one step",
     "inlay.quantize_linear", formAdd},
    {"qdq-mul",
     "QuantizeLinear(Mul(DequantizeLinear(a), DequantizeLinear(b))) = "
     "QLinearMul(a, b), up to one step",
     "inlay.quantize_linear", formMul},
    {"qdq-sigmoid",
     "QuantizeLinear(Sigmoid(DequantizeLinear(x))) = QLinearSigmoid(x), up to "
     "one step",
     "inlay.quantize_linear", formSigmoid},
    {"qdq-leaky-relu",
     "QuantizeLinear(LeakyRelu(DequantizeLinear(x))) = QLinearLeakyRelu(x), up "
     "to one step; the same for Relu",
     "inlay.quantize_linear", formLeakyRelu},
    {"qdq-softmax",
     "QuantizeLinear(Softmax(DequantizeLinear(x))) = QLinearSoftmax(x), up to "
     "one step",
     "inlay.quantize_linear", formSoftmax},
    {"qdq-average-pool",
     "QuantizeLinear(AveragePool(DequantizeLinear(x))) = "
     "QLinearAveragePool(x), up to one step",
     "inlay.quantize_linear", formAveragePool},
    {"qdq-global-average-pool",
     "QuantizeLinear(GlobalAveragePool(DequantizeLinear(x))) = "
     "QLinearGlobalAveragePool(x), up to one step",
     "inlay.quantize_linear", formGlobalPool},
    {"qdq-concat",
     "QuantizeLinear(Concat(DequantizeLinear(a), ...)) = QLinearConcat(a, "
     "...), up to one step",
     "inlay.quantize_linear", formConcat},
    {"qdq-move",
     "QuantizeLinear(f(DequantizeLinear(x))) = f(x), same scale and zero "
     "point, f a MaxPool, Flatten, Reshape, Transpose, Squeeze or Unsqueeze",
     "inlay.quantize_linear", moveIntegers, /*rounds=*/false},
};

llvm::ArrayRef<Rewrite> rewrites::getIntegerOperators() { return table; }
