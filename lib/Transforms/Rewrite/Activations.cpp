//===- Activations.cpp - Activations that were taken apart ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of one tensor, as exporters write them for opsets that lack the
// operator. Constants stand where they like: 0.5 * x * (1 + t), x * (0.5 * t +
// 0.5) and x * (1 + t) / 2 are one product.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Replace.h"
#include "inlay/Analysis/Patterns/Gelu.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

static NamedAttribute getFloat(RewriteContext &context, StringRef name,
                               double value) {
  return context.builder.getNamedAttr(
      name, context.builder.getF32FloatAttr(float(value)));
}

/// The operation that computes `product` when it is nothing else.
template <typename OpT> static OpT getSole(const Product &product) {
  Value value = product.coefficient == 1 ? product.getSingle() : Value();
  return value ? value.getDefiningOp<OpT>() : OpT();
}

//===----------------------------------------------------------------------===//
// Sigmoid and Swish
//===----------------------------------------------------------------------===//

/// 1 + exp(y): gives exp.
static ExpOp getOnePlusExp(Value value) {
  Sum sum = getSum(value);
  return sum.offset == 1 ? getSole<ExpOp>(sum.product) : ExpOp();
}

/// x of -x.
static Value getNegated(Value value) {
  if (auto neg = value.getDefiningOp<NegOp>())
    return neg.getInput();
  auto mul = value.getDefiningOp<MulOp>();
  for (unsigned i : {0, 1})
    if (mul && getScalarOperand(mul, i) == -1.0)
      return mul->getOperand(1 - i);
  return {};
}

/// 1 / (1 + exp(-x)). Where exp overflows both are zero.
static bool findSigmoid(Operation *root, RewriteContext &context) {
  Product product = getProduct(root);
  if (product.factors.size() != 1 || product.factors[0].exponent != -1 ||
      product.coefficient != 1)
    return context.refuse("it is no reciprocal of a single value");
  ExpOp exp = getOnePlusExp(product.factors[0].base);
  Value x = exp ? getNegated(exp.getInput()) : Value();
  if (!x)
    return context.refuse("the divisor is not 1 + exp(-x)");
  return replaceBy<SigmoidOp>(root, context, x);
}

/// The a of sigmoid(a * x) or 1 / (1 + exp(-a * x)).
static std::optional<double> getGate(const Factor &factor, Value x) {
  Product inner;
  double sign = 1;
  if (auto sigmoid = factor.base.getDefiningOp<SigmoidOp>();
      sigmoid && factor.exponent == 1) {
    inner = getProduct(sigmoid.getInput());
  } else if (factor.exponent == -1) {
    ExpOp exp = getOnePlusExp(factor.base);
    if (!exp)
      return std::nullopt;
    inner = getProduct(exp.getInput());
    sign = -1;
  }
  if (!inner.isPower(x, 1))
    return std::nullopt;
  return sign * inner.coefficient;
}

/// x * sigmoid(a * x).
static bool findSwish(Operation *root, RewriteContext &context) {
  Product product = getProduct(root);
  if (product.coefficient != 1)
    return context.refuse("there is a factor beside x and its sigmoid");
  context.refuse("it is no product of two values");
  return findOrder(product, [&](const Factor &x, const Factor &gate) {
    std::optional<double> alpha =
        x.exponent == 1 ? getGate(gate, x.base) : std::nullopt;
    if (!alpha)
      return context.refuse("no factor is the sigmoid of the other");
    return replaceBy<SwishOp>(root, context, x.base,
                              getFloat(context, "alpha", *alpha));
  });
}

//===----------------------------------------------------------------------===//
// HardSigmoid and HardSwish
//===----------------------------------------------------------------------===//

namespace {
/// clip(slope * input + offset, 0, height).
struct Ramp {
  Value input;
  double slope;
  double offset;
  double height;
};
} // namespace

/// The value that `value` is bounded of, from 0 to `height`: Clip, Min of Max,
/// Max of Min, Relu in place of Max.
static Value getBounded(Value value, double &height) {
  if (auto clip = value.getDefiningOp<ClipOp>()) {
    std::optional<double> max =
        clip.getMax() ? getScalar(clip.getMax()) : std::nullopt;
    if (!clip.getMin() || getScalar(clip.getMin()) != 0.0 || !max)
      return {};
    height = *max;
    return clip.getInput();
  }
  Value bounded = value;
  std::optional<double> low, high;
  for (unsigned i = 0; i != 2; ++i) {
    Operation *op = bounded.getDefiningOp();
    if (isa_and_present<ReluOp>(op)) {
      low = 0;
      bounded = op->getOperand(0);
    } else if (isa_and_present<MinOp, MaxOp>(op) && op->getNumOperands() == 2) {
      unsigned scalar = getScalarOperand(op, 0) ? 0 : 1;
      (isa<MinOp>(op) ? high : low) = getScalarOperand(op, scalar);
      bounded = op->getOperand(1 - scalar);
    }
  }
  if (low != 0.0 || !high || bounded.getType() != value.getType())
    return {};
  height = *high;
  return bounded;
}

static std::optional<Ramp> getRamp(Value value) {
  if (auto op = value.getDefiningOp<HardSigmoidOp>())
    return Ramp{op.getInput(), op.getAlpha().convertToFloat(),
                op.getBeta().convertToFloat(), 1};
  double height = 0;
  Value bounded = getBounded(value, height);
  if (!bounded || height <= 0)
    return std::nullopt;
  Sum sum = getSum(bounded);
  if (Value input = sum.product.getSingle())
    return Ramp{input, sum.product.coefficient, sum.offset, height};
  return Ramp{sum.term, sum.sign, sum.offset, height};
}

/// c * clip(a * x + b, 0, 1 / c). Not clip(x, 0, 1), which is simple enough.
static bool findHardSigmoid(Operation *root, RewriteContext &context) {
  Product product = getProduct(root);
  Value value = product.getSingle();
  std::optional<Ramp> ramp = value ? getRamp(value) : std::nullopt;
  if (!ramp || value.getDefiningOp<HardSigmoidOp>())
    return context.refuse("nothing is bounded by 0 and a number");
  double scale = product.coefficient;
  double alpha = scale * ramp->slope, beta = scale * ramp->offset;
  if (!isNear(scale * ramp->height, 1, getElementType(value)))
    return context.refuse("it does not end at 1");
  if (alpha == 1 && beta == 0)
    return context.refuse("it is a Clip, which is simple enough");
  return replaceBy<HardSigmoidOp>(
      root, context, ramp->input,
      {getFloat(context, "alpha", alpha), getFloat(context, "beta", beta)});
}

/// c * x * clip(a * x + b, 0, 1 / c) with a * c = 1/6 and b * c = 1/2.
static bool findHardSwish(Operation *root, RewriteContext &context) {
  Product product = getProduct(root);
  context.refuse("it is no product of two values");
  return findOrder(product, [&](const Factor &x, const Factor &factor) {
    if (x.exponent != 1 || factor.exponent != 1)
      return context.refuse("it is no product but a quotient or a power");
    std::optional<Ramp> ramp = getRamp(factor.base);
    if (!ramp || ramp->input != x.base)
      return context.refuse("no factor is the other one, bounded");
    double scale = product.coefficient;
    Type type = getElementType(x.base);
    if (!isNear(scale * ramp->height, 1, type) ||
        !isNear(scale * ramp->slope, 1.0 / 6, type) ||
        !isNear(scale * ramp->offset, 0.5, type))
      return context.refuse("the bounded factor is not x / 6 + 1 / 2");
    return replaceBy<HardSwishOp>(root, context, x.base);
  });
}

//===----------------------------------------------------------------------===//
// Gelu
//===----------------------------------------------------------------------===//

static bool findGelu(Operation *root, RewriteContext &context) {
  Value x = readGelu(root, context);
  return x && replaceBy<GeluOp>(root, context, x);
}

static bool findGeluTanh(Operation *root, RewriteContext &context) {
  StringAttr tanh = context.builder.getStringAttr("tanh");
  Value x = readGeluTanh(root, context);
  return x &&
         replaceBy<GeluOp>(root, context, x,
                           context.builder.getNamedAttr("approximate", tanh));
}

//===----------------------------------------------------------------------===//
// Mish
//===----------------------------------------------------------------------===//

/// log(1 + exp(x)): gives x.
static Value getSoftplusInput(Value value) {
  if (auto softplus = value.getDefiningOp<SoftplusOp>())
    return softplus.getInput();
  auto log = value.getDefiningOp<LogOp>();
  ExpOp exp = log ? getOnePlusExp(log.getInput()) : ExpOp();
  return exp ? exp.getInput() : Value();
}

/// x * tanh(softplus(x)). Where exp overflows tanh is one in both.
static bool findMish(Operation *root, RewriteContext &context) {
  Product product = getProduct(root);
  if (product.coefficient != 1)
    return context.refuse("there is a factor beside x and its tanh");
  context.refuse("it is no product of two values");
  return findOrder(product, [&](const Factor &x, const Factor &factor) {
    auto tanh = factor.base.getDefiningOp<TanhOp>();
    if (x.exponent != 1 || factor.exponent != 1 || !tanh ||
        getSoftplusInput(tanh.getInput()) != x.base)
      return context.refuse("no factor is tanh(softplus(x)) of the other");
    return replaceBy<MishOp>(root, context, x.base);
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr Rewrite table[] = {
    {"gelu", "x / 2 * (1 + Erf(x / sqrt(2))) = Gelu(x)", "inlay.mul inlay.div",
     findGelu},
    {"gelu-tanh",
     "x / 2 * (1 + Tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) = Gelu(x), "
     "approximate tanh",
     "inlay.mul inlay.div", findGeluTanh},
    {"hard-swish", "x * HardSigmoid(x / 6 + 1 / 2) = HardSwish(x)",
     "inlay.mul inlay.div", findHardSwish},
    {"mish", "x * Tanh(Softplus(x)) = Mish(x)", "inlay.mul", findMish},
    {"swish", "x * Sigmoid(a * x) = Swish(x), alpha a", "inlay.mul inlay.div",
     findSwish},
    {"sigmoid", "1 / (1 + Exp(-x)) = Sigmoid(x)",
     "inlay.div inlay.reciprocal inlay.pow", findSigmoid},
    {"hard-sigmoid",
     "c * Clip(a * x + b, 0, 1 / c) = HardSigmoid(x), alpha c * a, beta c * b",
     "inlay.clip inlay.min inlay.max inlay.mul inlay.div", findHardSigmoid},
};

llvm::ArrayRef<Rewrite> rewrites::getActivations() { return table; }
