//===- Softmaxes.cpp - Softmax and LogSoftmax -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only what subtracts the largest element first: without that, exp overflows
// where the operator does not. For the same reason Log(Softmax(x)), which is
// -inf where Softmax is zero, is not LogSoftmax(x).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Replace.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

namespace {
/// A tensor along one axis of which is reduced.
struct Along {
  Value input;
  int64_t axis;
};
} // namespace

/// The input and axis of a reduction along one axis.
template <typename OpT> static std::optional<Along> getAlong(Value value) {
  std::optional<Reduction> reduction = getReduction<OpT>(value);
  if (!reduction || reduction->axes.size() != 1)
    return std::nullopt;
  return Along{reduction->input, reduction->axes.front()};
}

/// Whether `value` is max(x) along the axis.
static bool isMax(Value value, const Along &x) {
  std::optional<Along> max = getAlong<ReduceMaxOp>(value);
  return max && max->input == x.input && max->axis == x.axis;
}

/// x of x - max(x) along `axis`.
static Value getShifted(Value value, int64_t axis) {
  auto sub = value.getDefiningOp<SubOp>();
  bool isShifted = sub && isMax(sub.getRhs(), {sub.getLhs(), axis});
  return isShifted ? sub.getLhs() : Value();
}

/// y and the axis of sum(exp(y)).
template <typename OpT> static std::optional<Along> getSumOfExp(Value value) {
  std::optional<Along> sum = getAlong<OpT>(value);
  auto exp = sum ? sum->input.getDefiningOp<ExpOp>() : ExpOp();
  return exp ? std::optional<Along>({exp.getInput(), sum->axis}) : std::nullopt;
}

/// y and the axis of log(sum(exp(y))).
static std::optional<Along> getLogSumOfExp(Value value) {
  if (auto log = value.getDefiningOp<LogOp>())
    return getSumOfExp<ReduceSumOp>(log.getInput());
  return getSumOfExp<ReduceLogSumOp>(value);
}

static NamedAttribute getAxisAttr(RewriteContext &context, const Along &x) {
  int64_t rank = *getRank(x.input);
  return context.builder.getNamedAttr(
      "axis", context.builder.getI64IntegerAttr(x.axis - rank));
}

/// e / sum(e), e = exp(x - max(x)).
static bool findSoftmax(Operation *root, RewriteContext &context) {
  Product product = getProduct(root);
  if (product.coefficient != 1)
    return context.refuse("there is a factor beside e and its sum");
  context.refuse("it is no quotient of two values");
  return findOrder(product, [&](const Factor &e, const Factor &divisor) {
    std::optional<Along> sum = getAlong<ReduceSumOp>(divisor.base);
    auto exp = e.base.getDefiningOp<ExpOp>();
    if (e.exponent != 1 || divisor.exponent != -1 || !sum || !exp ||
        sum->input != e.base)
      return context.refuse("it is not e / sum(e), e = exp(y)");
    Value x = getShifted(exp.getInput(), sum->axis);
    if (!x)
      return context.refuse("the exponent is not x - max(x)");
    return replaceBy<SoftmaxOp>(root, context, x,
                                getAxisAttr(context, {x, sum->axis}));
  });
}

/// x of y - log(sum(exp(y))) with y = x - max(x), or of x - y where y is
/// max(x) + log(sum(exp(x - max(x)))) or ReduceLogSumExp(x).
static std::optional<Along> getLogSoftmax(SubOp root) {
  Value x = root.getLhs(), y = root.getRhs();
  if (std::optional<Along> sum = getLogSumOfExp(y); sum && sum->input == x) {
    Value shifted = getShifted(x, sum->axis);
    return shifted ? std::optional<Along>({shifted, sum->axis}) : std::nullopt;
  }
  if (std::optional<Along> whole = getAlong<ReduceLogSumExpOp>(y))
    return whole->input == x ? whole : std::nullopt;
  auto add = y.getDefiningOp<AddOp>();
  for (unsigned i : {0, 1}) {
    std::optional<Along> sum =
        add ? getLogSumOfExp(add->getOperand(i)) : std::nullopt;
    if (sum && getShifted(sum->input, sum->axis) == x &&
        isMax(add->getOperand(1 - i), {x, sum->axis}))
      return Along{x, sum->axis};
  }
  return std::nullopt;
}

static bool findLogSoftmax(Operation *root, RewriteContext &context) {
  std::optional<Along> x = getLogSoftmax(cast<SubOp>(root));
  if (!x)
    return context.refuse("nothing is subtracted that is log(sum(exp(x)))");
  return replaceBy<LogSoftmaxOp>(root, context, x->input,
                                 getAxisAttr(context, *x));
}

static constexpr Rewrite table[] = {
    {"softmax", "e / ReduceSum(e) = Softmax(x), e = Exp(x - ReduceMax(x))",
     "inlay.mul inlay.div", findSoftmax},
    {"log-softmax",
     "y - Log(ReduceSum(Exp(y))) = LogSoftmax(x), y = x - ReduceMax(x)",
     "inlay.sub", findLogSoftmax},
};

llvm::ArrayRef<Rewrite> rewrites::getSoftmaxes() { return table; }
