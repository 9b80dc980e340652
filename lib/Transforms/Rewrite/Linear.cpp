//===- Linear.cpp - Operators that are linear in constant weights ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Linear.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/ScaledConstants.h"
#include "inlay/Tensor/Dispatch.h"
#include <cmath>

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

/// Factors beyond this, or below its reciprocal, could take weights of a
/// sensible size out of the range of f32.
static constexpr double maxFactor = 0x1p60;
/// Half of the digits of f32 are left behind it.
static constexpr double maxTerm = 0x1p12;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

bool rewrites::fits(double value, Type element) {
  if (value == 0)
    return true;
  if (element.isF64())
    return std::isnormal(value);
  return element.isF32() && std::isnormal(float(value));
}

bool rewrites::isSensibleFactor(double factor) {
  double size = std::fabs(factor);
  return size == 0 || (size <= maxFactor && size >= 1 / maxFactor);
}

bool rewrites::isSensibleTerm(double term) {
  return std::fabs(term) <= maxTerm;
}

static std::optional<HostTensor> readFloats(Value value) {
  Attribute constant = getConstantValue(value);
  if (!constant || !isa_and_nonnull<FloatType>(inlay::getElementType(value)))
    return std::nullopt;
  auto tensor = getHostTensor(constant);
  if (tensor)
    return *tensor;
  // A file that cannot be read is reported when it is written.
  llvm::consumeError(tensor.takeError());
  return std::nullopt;
}

std::optional<std::vector<double>>
rewrites::readPerFeature(Value value, int64_t rank, int64_t axis,
                         int64_t numFeatures) {
  MaybeShape shape = getShape(value);
  if (!shape || int64_t(shape->size()) > rank || !getConstantValue(value))
    return std::nullopt;
  // Dimensions are aligned at the last one.
  int64_t missing = rank - shape->size();
  for (auto [dim, extent] : llvm::enumerate(*shape))
    if (extent != 1 &&
        (int64_t(dim) + missing != axis || extent != numFeatures))
      return std::nullopt;
  std::optional<HostTensor> tensor = readFloats(value);
  if (!tensor)
    return std::nullopt;
  std::vector<double> numbers = toDoubles(*tensor);
  if (int64_t(numbers.size()) != numFeatures)
    numbers.assign(numFeatures, numbers.front());
  return numbers;
}

Value rewrites::buildConstant(TypedAttr value, ArrayRef<Value> used,
                              RewriteContext &context) {
  SmallVector<Operation *> ops;
  for (Value constant : used)
    if (constant && constant.hasOneUse())
      ops.push_back(constant.getDefiningOp());
  return context.builder.create<ConstantOp>(context.merge(ops), value.getType(),
                                            value);
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

Value LinearOp::getBias() const {
  return op->getNumOperands() > 2 ? op->getOperand(2) : Value();
}

/// The number of features by the weight's shape, and the dimension of the
/// result that they lie along.
static std::optional<std::pair<int64_t, int64_t>>
getFeatures(Operation *op, ArrayRef<int64_t> weight, int64_t resultRank) {
  if (auto conv = dyn_cast<ConvOp>(op))
    return std::pair(weight[0], int64_t(1));
  if (auto conv = dyn_cast<ConvTransposeOp>(op))
    return std::pair(weight[1] * conv.getGroup(), int64_t(1));
  if (auto gemm = dyn_cast<GemmOp>(op))
    return std::pair(weight[gemm.getTransB() ? 0 : 1], int64_t(1));
  // The right one of several matrices has the columns of the result.
  if (isa<MatMulOp>(op) && weight.size() >= 2)
    return std::pair(weight.back(), resultRank - 1);
  return std::nullopt;
}

std::optional<LinearOp> LinearOp::match(Value value, Operation *user) {
  LinearOp linear;
  linear.op = value.getDefiningOp();
  if (!isa_and_nonnull<ConvOp, ConvTransposeOp, GemmOp, MatMulOp>(linear.op) ||
      !value.hasOneUse() || linear.op->getBlock() != user->getBlock())
    return std::nullopt;
  MaybeShape weight = getShape(linear.getWeight());
  std::optional<int64_t> rank = getRank(value);
  Type element = inlay::getElementType(value);
  if (!weight || !rank || !element || !(element.isF32() || element.isF64()) ||
      !getConstantValue(linear.getWeight()) ||
      (linear.getBias() && !getConstantValue(linear.getBias())))
    return std::nullopt;
  auto features = getFeatures(linear.op, *weight, *rank);
  if (!features)
    return std::nullopt;
  std::tie(linear.numFeatures, linear.featureAxis) = *features;
  linear.resultRank = *rank;
  return linear;
}

//===----------------------------------------------------------------------===//
// Weights and biases
//===----------------------------------------------------------------------===//

/// One factor per feature as a tensor that stretches to the weight.
HostTensor LinearOp::getFactors(ArrayRef<double> scale) const {
  SmallVector<int64_t> weight = *getShape(getWeight());
  HostTensor::Shape shape(weight.size(), 1);
  auto conv = dyn_cast<ConvTransposeOp>(op);
  if (conv && conv.getGroup() > 1) {
    // Input channels by those features that are in one group with them.
    shape[0] = weight[0];
    shape[1] = weight[1];
    HostTensor factors(ElementType::Double, shape);
    int64_t perGroup = weight[0] / conv.getGroup();
    auto out = factors.getMutable<double>();
    for (int64_t i = 0; i < weight[0]; ++i)
      for (int64_t j = 0; j < weight[1]; ++j)
        out[i * weight[1] + j] = scale[i / perGroup * weight[1] + j];
    return factors;
  }
  int64_t axis = 0;
  if (auto gemm = dyn_cast<GemmOp>(op))
    axis = gemm.getTransB() ? 0 : 1;
  else if (!isa<ConvOp>(op))
    axis = isa<MatMulOp>(op) ? weight.size() - 1 : 1;
  shape[axis] = numFeatures;
  return HostTensor::get<double>(ElementType::Double, shape, scale);
}

std::optional<std::vector<double>> LinearOp::readBias() const {
  if (!getBias())
    return std::vector<double>(numFeatures, 0);
  // Of a Gemm it may also be a number, or a matrix of one row.
  bool isVector = !isa<GemmOp>(op);
  auto bias = readPerFeature(getBias(), isVector ? 1 : 2, isVector ? 0 : 1,
                             numFeatures);
  if (auto gemm = dyn_cast<GemmOp>(op); gemm && bias)
    for (double &number : *bias)
      number *= gemm.getBeta().convertToDouble();
  return bias;
}

/// `numbers` in f32 or f64; nothing where one is out of range.
static std::optional<HostTensor> getVector(ArrayRef<double> numbers,
                                           Type element) {
  HostTensor tensor(*getOnnxElementType(element), {int64_t(numbers.size())});
  for (auto [i, number] : llvm::enumerate(numbers)) {
    if (!std::isfinite(number) ||
        (element.isF32() && !std::isfinite(float(number))))
      return std::nullopt;
    tensor.setDouble(i, number);
  }
  return tensor;
}

Operation *LinearOp::copy(ValueRange operands, Location loc,
                          RewriteContext &context) const {
  OperationState state(loc, op->getName());
  state.addOperands(operands);
  state.addAttributes(op->getAttrs());
  state.addTypes(op->getResultTypes());
  Operation *other = context.builder.create(state);
  // The new bias holds the factor of the old one.
  if (auto gemm = dyn_cast<GemmOp>(other))
    gemm.removeBetaAttr();
  return other;
}

Value LinearOp::build(const FeatureMap &map, Operation *root,
                      ArrayRef<Value> used, RewriteContext &context) const {
  Type element = inlay::getElementType(op->getResult(0));
  std::optional<std::vector<double>> bias = readBias();
  if (!bias || element != inlay::getElementType(root->getResult(0)) ||
      !llvm::all_of(map.scale, isSensibleFactor))
    return {};
  for (auto [number, scale, shift] :
       llvm::zip_equal(*bias, map.scale, map.shift))
    number = number * scale + shift;
  std::optional<HostTensor> vector = getVector(*bias, element);
  if (!vector)
    return {};
  TypedAttr weight =
      getScaledAttr(getConstantValue(getWeight()), getFactors(map.scale));
  if (!weight)
    return {};

  SmallVector<Value> operands = {op->getOperand(0), getWeight()};
  if (map.scales())
    operands[1] = buildConstant(weight, getWeight(), context);
  if (!getBias() && !map.shifts())
    return copy(operands, context.merge({root, op}), context)->getResult(0);
  SmallVector<Value> parts;
  if (getBias())
    parts.push_back(getBias());
  llvm::append_range(parts, used);
  operands.push_back(buildConstant(getConstantAttr(root->getContext(), *vector),
                                   parts, context));
  if (takesBias())
    return copy(operands, context.merge({root, op}), context)->getResult(0);
  Value bare = copy(ArrayRef(operands).drop_back(),
                    context.mergeInner({op, root}, "scaled"), context)
                   ->getResult(0);
  return context.builder.create<AddOp>(
      context.mergeInner({root, op}, "shifted"), bare.getType(), bare,
      operands.back());
}
