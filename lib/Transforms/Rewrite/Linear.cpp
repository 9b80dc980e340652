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
/// Views that features are followed through; simplification leaves fewer.
static constexpr unsigned maxViews = 4;

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
  // What was computed before is not rounded in between.
  auto tensor = getExactTensor(constant);
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

/// Whether nothing but `user`, an operation of the same block, reads `value`.
static bool isReadOnlyBy(Value value, Operation *user) {
  Operation *op = value.getDefiningOp();
  return op && value.hasOneUse() && op->getBlock() == user->getBlock();
}

/// A MatMul and a number or a vector that is added to its columns.
std::optional<LinearOp> LinearOp::matchSum(AddOp sum) {
  for (unsigned place : {0, 1}) {
    Value product = sum->getOperand(place), bias = sum->getOperand(1 - place);
    if (!product.getDefiningOp<MatMulOp>() || !getConstantValue(bias))
      continue;
    std::optional<LinearOp> linear = match(product, sum);
    if (!linear)
      continue;
    linear->sum = sum;
    linear->bias = bias;
    return linear;
  }
  return std::nullopt;
}

std::optional<LinearOp> LinearOp::match(Value value, Operation *user) {
  if (!isReadOnlyBy(value, user))
    return std::nullopt;
  if (auto sum = value.getDefiningOp<AddOp>())
    return matchSum(sum);
  LinearOp linear;
  linear.op = value.getDefiningOp();
  if (!isa<ConvOp, ConvTransposeOp, GemmOp, MatMulOp>(linear.op))
    return std::nullopt;
  if (linear.op->getNumOperands() > 2)
    linear.bias = linear.op->getOperand(2);
  MaybeShape weight = getShape(linear.getWeight());
  std::optional<int64_t> rank = getRank(value);
  Type element = inlay::getElementType(value);
  if (!weight || !rank || !element || !(element.isF32() || element.isF64()) ||
      !getConstantValue(linear.getWeight()) ||
      (linear.bias && !getConstantValue(linear.bias)))
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
  if (!bias)
    return std::vector<double>(numFeatures, 0);
  // That of a convolution is a vector, others stretch to the result.
  bool isVector = isa<ConvOp, ConvTransposeOp>(op);
  auto numbers =
      isVector ? readPerFeature(bias, 1, 0, numFeatures)
               : readPerFeature(bias, resultRank, featureAxis, numFeatures);
  if (auto gemm = dyn_cast<GemmOp>(op); gemm && numbers)
    for (double &number : *numbers)
      number *= gemm.getBeta().convertToDouble();
  return numbers;
}

/// `numbers` in f32 or f64; null where one is out of range.
static TypedAttr getVector(ArrayRef<double> numbers, Type element) {
  for (double number : numbers)
    if (!std::isfinite(number) ||
        (element.isF32() && !std::isfinite(float(number))))
      return {};
  HostTensor exact = HostTensor::get<double>(
      ElementType::Double, {int64_t(numbers.size())}, numbers);
  return getRoundedAttr(element.getContext(), exact, element);
}

Value LinearOp::copy(ValueRange operands, Location loc,
                     RewriteContext &context) const {
  OperationState state(loc, op->getName());
  state.addOperands(operands);
  state.addAttributes(op->getAttrs());
  state.addTypes(op->getResultTypes());
  Operation *other = context.builder.create(state);
  // The new bias holds the factor of the old one.
  if (auto gemm = dyn_cast<GemmOp>(other))
    gemm.removeBetaAttr();
  return other->getResult(0);
}

Value LinearOp::build(const FeatureMap &map, Operation *root, bool isRoot,
                      ArrayRef<Value> used, RewriteContext &context) const {
  Type element = inlay::getElementType(op->getResult(0));
  std::optional<std::vector<double>> numbers = readBias();
  if (!numbers || element != inlay::getElementType(root->getResult(0)) ||
      !llvm::all_of(map.scale, isSensibleFactor))
    return {};
  for (auto [number, scale, shift] :
       llvm::zip_equal(*numbers, map.scale, map.shift))
    number = number * scale + shift;
  TypedAttr vector = getVector(*numbers, element);
  TypedAttr weight = vector ? getScaledAttr(getConstantValue(getWeight()),
                                            getFactors(map.scale))
                            : TypedAttr();
  if (!weight)
    return {};

  auto getLoc = [&](ArrayRef<Operation *> parts, bool isLast,
                    StringRef suffix) {
    SmallVector<Operation *> all(parts);
    all.insert(isLast ? all.begin() : all.end(), root);
    return isLast ? context.merge(all) : context.mergeInner(all, suffix);
  };
  SmallVector<Value> operands = {op->getOperand(0), getWeight()};
  if (map.scales())
    operands[1] = buildConstant(weight, getWeight(), context);
  if (!bias && !map.shifts())
    return copy(operands, getLoc({op}, isRoot, "scaled"), context);
  SmallVector<Value> parts;
  if (bias)
    parts.push_back(bias);
  llvm::append_range(parts, used);
  Value newBias = buildConstant(vector, parts, context);
  if (!isa<MatMulOp>(op)) {
    operands.push_back(newBias);
    return copy(operands, getLoc({op}, isRoot, "scaled"), context);
  }
  Value bare = copy(operands, getLoc({op}, false, "scaled"), context);
  SmallVector<Operation *> last;
  if (sum)
    last.push_back(sum);
  return context.builder.create<AddOp>(getLoc(last, isRoot, "shifted"),
                                       bare.getType(), bare, newBias);
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// Where dimension `axis` of the input of a view is in its result; nothing
/// where it is torn apart, or `op` is no view.
static std::optional<int64_t> follow(Operation *op, int64_t axis) {
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    std::optional<ArrayRef<int64_t>> perm = transpose.getPerm();
    if (!perm)
      return *rank - 1 - axis;
    return llvm::find(*perm, axis) - perm->begin();
  }
  auto reshape = dyn_cast<ReshapeOp>(op);
  MaybeShape from = getShape(op->getOperand(0));
  MaybeShape to = getShape(op->getResult(0));
  // The last dimension is of its own when it is of its own size.
  if (!reshape || !from || !to || to->empty() || axis + 1 != *rank ||
      from->back() != to->back() || ShapedType::isDynamic(to->back()))
    return std::nullopt;
  return to->size() - 1;
}

std::optional<FeaturePath> FeaturePath::match(Value value, Operation *user) {
  SmallVector<Operation *> views;
  while (views.size() < maxViews && isReadOnlyBy(value, user) &&
         isa<TransposeOp, ReshapeOp>(value.getDefiningOp())) {
    user = value.getDefiningOp();
    views.push_back(user);
    value = user->getOperand(0);
  }
  std::optional<LinearOp> linear = LinearOp::match(value, user);
  if (!linear)
    return std::nullopt;
  FeaturePath path(*linear);
  path.featureAxis = linear->getFeatureAxis();
  path.rank = linear->getResultRank();
  for (Operation *view : llvm::reverse(views)) {
    std::optional<int64_t> axis = follow(view, path.featureAxis);
    std::optional<int64_t> rank = inlay::getRank(view->getResult(0));
    if (!axis || !rank)
      return std::nullopt;
    path.featureAxis = *axis;
    path.rank = *rank;
    path.views.push_back(view);
  }
  return path;
}

Value FeaturePath::build(const FeatureMap &map, Operation *root,
                         ArrayRef<Value> used, RewriteContext &context) const {
  Value value = linear.build(map, root, views.empty(), used, context);
  for (Operation *view : views) {
    if (!value)
      break;
    Operation *copy = context.builder.clone(*view);
    copy->setOperand(0, value);
    copy->setLoc(view == views.back() ? context.merge({root, view})
                                      : context.mergeInner({view}, "view"));
    value = copy->getResult(0);
  }
  return value;
}
