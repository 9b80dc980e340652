//===- ElementwiseOps.cpp - Evaluating element by element -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Elementwise.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static llvm::Error evaluate(IdentityOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(), evaluation[op.getInput()]);
}

template <typename OpT, kernels::UnaryFunction function>
static llvm::Error evaluateUnary(OpT op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::unary(function, evaluation[op.getInput()]));
}

template <typename OpT, kernels::UnaryFunction function>
static void attachUnary(MLIRContext &context) {
  attachEvaluation<OpT, evaluateUnary<OpT, function>>(context);
}

static void registerUnary(MLIRContext &context) {
  using enum kernels::UnaryFunction;
  attachUnary<AbsOp, Abs>(context);
  attachUnary<NegOp, Neg>(context);
  attachUnary<SignOp, Sign>(context);
  attachUnary<CeilOp, Ceil>(context);
  attachUnary<FloorOp, Floor>(context);
  attachUnary<RoundOp, Round>(context);
  attachUnary<SqrtOp, Sqrt>(context);
  attachUnary<ExpOp, Exp>(context);
  attachUnary<LogOp, Log>(context);
  attachUnary<ReciprocalOp, Reciprocal>(context);
  attachUnary<ErfOp, Erf>(context);
  attachUnary<SinOp, Sin>(context);
  attachUnary<CosOp, Cos>(context);
  attachUnary<TanOp, Tan>(context);
  attachUnary<AsinOp, Asin>(context);
  attachUnary<AcosOp, Acos>(context);
  attachUnary<AtanOp, Atan>(context);
  attachUnary<SinhOp, Sinh>(context);
  attachUnary<CoshOp, Cosh>(context);
  attachUnary<TanhOp, Tanh>(context);
  attachUnary<AsinhOp, Asinh>(context);
  attachUnary<AcoshOp, Acosh>(context);
  attachUnary<AtanhOp, Atanh>(context);
  attachUnary<SigmoidOp, Sigmoid>(context);
  attachUnary<ReluOp, Relu>(context);
  attachUnary<SoftplusOp, Softplus>(context);
  attachUnary<SoftsignOp, Softsign>(context);
  attachUnary<HardSwishOp, HardSwish>(context);
  attachUnary<MishOp, Mish>(context);
  attachUnary<NotOp, Not>(context);
  attachUnary<BitwiseNotOp, BitwiseNot>(context);
  attachUnary<IsNaNOp, IsNaN>(context);
}

//===----------------------------------------------------------------------===//
// One operand and attributes
//===----------------------------------------------------------------------===//

static llvm::Error evaluate(LeakyReluOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::leakyRelu(evaluation[op.getInput()],
                                           op.getAlpha().convertToFloat()));
}

static llvm::Error evaluate(EluOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::elu(evaluation[op.getInput()], op.getAlpha().convertToFloat()));
}

static llvm::Error evaluate(SeluOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::selu(evaluation[op.getInput()],
                                      op.getAlpha().convertToFloat(),
                                      op.getGamma().convertToFloat()));
}

static llvm::Error evaluate(CeluOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::celu(evaluation[op.getInput()], op.getAlpha().convertToFloat()));
}

static llvm::Error evaluate(ThresholdedReluOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(), kernels::thresholdedRelu(evaluation[op.getInput()],
                                               op.getAlpha().convertToFloat()));
}

static llvm::Error evaluate(HardSigmoidOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::hardSigmoid(evaluation[op.getInput()],
                                             op.getAlpha().convertToFloat(),
                                             op.getBeta().convertToFloat()));
}

static llvm::Error evaluate(ShrinkOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::shrink(evaluation[op.getInput()],
                                        op.getBias().convertToFloat(),
                                        op.getLambd().convertToFloat()));
}

static llvm::Error evaluate(SwishOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::swish(evaluation[op.getInput()],
                                       op.getAlpha().convertToFloat()));
}

static llvm::Error evaluate(GeluOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::gelu(evaluation[op.getInput()], op.getApproximate() == "tanh"));
}

static llvm::Error evaluate(IsInfOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::isInf(evaluation[op.getInput()],
                                       op.getDetectNegative() != 0,
                                       op.getDetectPositive() != 0));
}

/// Whether a run with these operands draws random numbers.
static bool isRandom(DropoutOp op, Evaluation &evaluation) {
  auto getNumber = [&](Value operand, double otherwise) {
    const HostTensor *tensor = evaluation.lookup(operand);
    return tensor && tensor->getNumElements() == 1 ? tensor->getDouble(0)
                                                   : otherwise;
  };
  double training =
      getNumber(op.getTrainingModeOperand(), op.getTrainingMode().value_or(0));
  std::optional<APFloat> ratio = op.getRatio();
  return training != 0 && getNumber(op.getRatioOperand(),
                                    ratio ? ratio->convertToFloat() : 0.5) != 0;
}

static llvm::Error evaluate(DropoutOp op, Evaluation &evaluation) {
  if (isRandom(op, evaluation))
    return unsupportedError("dropout in training mode is random");
  const HostTensor &input = evaluation[op.getInput()];
  if (evaluation.isUsed(op.getMask())) {
    auto mask = HostTensor::allocate(ElementType::Bool, input.getShape());
    if (!mask)
      return mask.takeError();
    MutableArrayRef<uint8_t> elements = mask->getMutable<uint8_t>();
    std::fill(elements.begin(), elements.end(), 1);
    if (llvm::Error error = evaluation.set(op.getMask(), std::move(*mask)))
      return error;
  }
  return evaluation.set(op.getOutput(), input);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

template <typename OpT>
static llvm::Error evaluateBinary(OpT op, Evaluation &evaluation,
                                  kernels::BinaryFunction function) {
  return evaluation.set(op.getResult(),
                        kernels::binary(function, evaluation[op.getLhs()],
                                        evaluation[op.getRhs()]));
}

template <typename OpT, kernels::BinaryFunction function>
static llvm::Error evaluateBinary(OpT op, Evaluation &evaluation) {
  return evaluateBinary(op, evaluation, function);
}

static llvm::Error evaluate(ModOp op, Evaluation &evaluation) {
  using enum kernels::BinaryFunction;
  return evaluateBinary(op, evaluation, op.getFmod() ? FMod : Mod);
}

static llvm::Error evaluate(BitShiftOp op, Evaluation &evaluation) {
  using enum kernels::BinaryFunction;
  bool isLeft = op.getDirection() == "LEFT";
  return evaluateBinary(op, evaluation, isLeft ? ShiftLeft : ShiftRight);
}

static llvm::Error evaluate(PReluOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::prelu(evaluation[op.getInput()], evaluation[op.getSlope()]));
}

template <typename OpT, kernels::BinaryFunction function>
static void attachBinary(MLIRContext &context) {
  attachEvaluation<OpT, evaluateBinary<OpT, function>>(context);
}

static void registerBinary(MLIRContext &context) {
  using enum kernels::BinaryFunction;
  attachBinary<AddOp, Add>(context);
  attachBinary<SubOp, Sub>(context);
  attachBinary<MulOp, Mul>(context);
  attachBinary<DivOp, Div>(context);
  attachBinary<PowOp, Pow>(context);
  attachBinary<AndOp, And>(context);
  attachBinary<OrOp, Or>(context);
  attachBinary<XorOp, Xor>(context);
  attachBinary<BitwiseAndOp, BitwiseAnd>(context);
  attachBinary<BitwiseOrOp, BitwiseOr>(context);
  attachBinary<BitwiseXorOp, BitwiseXor>(context);
  attachBinary<EqualOp, Equal>(context);
  attachBinary<LessOp, Less>(context);
  attachBinary<LessOrEqualOp, LessOrEqual>(context);
  attachBinary<GreaterOp, Greater>(context);
  attachBinary<GreaterOrEqualOp, GreaterOrEqual>(context);
}

//===----------------------------------------------------------------------===//
// Several operands
//===----------------------------------------------------------------------===//

static llvm::Error evaluate(ClipOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::clip(evaluation[op.getInput()],
                                      evaluation.lookup(op.getMin()),
                                      evaluation.lookup(op.getMax())));
}

static llvm::Error evaluate(WhereOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::where(evaluation[op.getCondition()],
                                       evaluation[op.getX()],
                                       evaluation[op.getY()]));
}

template <typename OpT, kernels::VariadicFunction function>
static llvm::Error evaluateVariadic(OpT op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::variadic(function, evaluation.getAll(op.getInputs())));
}

template <typename OpT, kernels::VariadicFunction function>
static void attachVariadic(MLIRContext &context) {
  attachEvaluation<OpT, evaluateVariadic<OpT, function>>(context);
}

static void registerVariadic(MLIRContext &context) {
  using enum kernels::VariadicFunction;
  attachVariadic<SumOp, Sum>(context);
  attachVariadic<MeanOp, Mean>(context);
  attachVariadic<MaxOp, Max>(context);
  attachVariadic<MinOp, Min>(context);
}

void inlay::registerElementwiseEvaluation(MLIRContext &context) {
  registerUnary(context);
  registerBinary(context);
  registerVariadic(context);
  attachEvaluation<IdentityOp, evaluate>(context);
  attachEvaluation<LeakyReluOp, evaluate>(context);
  attachEvaluation<EluOp, evaluate>(context);
  attachEvaluation<SeluOp, evaluate>(context);
  attachEvaluation<CeluOp, evaluate>(context);
  attachEvaluation<ThresholdedReluOp, evaluate>(context);
  attachEvaluation<HardSigmoidOp, evaluate>(context);
  attachEvaluation<ShrinkOp, evaluate>(context);
  attachEvaluation<SwishOp, evaluate>(context);
  attachEvaluation<GeluOp, evaluate>(context);
  attachEvaluation<IsInfOp, evaluate>(context);
  attachEvaluation<DropoutOp, evaluate>(context);
  attachEvaluation<ModOp, evaluate>(context);
  attachEvaluation<BitShiftOp, evaluate>(context);
  attachEvaluation<PReluOp, evaluate>(context);
  attachEvaluation<ClipOp, evaluate>(context);
  attachEvaluation<WhereOp, evaluate>(context);
}
