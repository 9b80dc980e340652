//===- ConstantChains.cpp - Constants that follow one another -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Linear.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/ScaledConstants.h"
#include "inlay/Tensor/Broadcast.h"

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

/// Elements of a constant that is computed here.
static constexpr int64_t maxElements = 1 << 16;

namespace {
/// A binary operator of a value and a constant.
struct Step {
  Operation *op;
  Value input;
  Value constant;
  HostTensor numbers;
  /// Whether it is a Div or Sub: the constant counts as its inverse.
  bool isInverse;
};
} // namespace

static std::optional<HostTensor> readConstant(Value value) {
  Attribute constant = getConstantValue(value);
  Type element = inlay::getElementType(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!constant || !(element.isF32() || element.isF64()) || !type ||
      !type.hasStaticShape() || type.getNumElements() > maxElements)
    return std::nullopt;
  auto tensor = getExactTensor(constant);
  if (tensor)
    return *tensor;
  llvm::consumeError(tensor.takeError());
  return std::nullopt;
}

/// `op` as a step, where it is a DirectOp, or an InverseOp by a constant.
template <typename DirectOp, typename InverseOp>
static std::optional<Step> matchStep(Operation *op) {
  if (!isa_and_nonnull<DirectOp, InverseOp>(op))
    return std::nullopt;
  bool isInverse = isa<InverseOp>(op);
  for (unsigned place : {1, 0}) {
    if (place == 0 && isInverse)
      return std::nullopt;
    if (auto numbers = readConstant(op->getOperand(place)))
      return Step{op, op->getOperand(1 - place), op->getOperand(place),
                  std::move(*numbers), isInverse};
  }
  return std::nullopt;
}

/// The constant that does what both do; nothing where numbers leave their
/// range, or would be more than before.
template <typename F>
static std::optional<HostTensor> combine(const Step &inner, const Step &outer,
                                         Type element, F compute) {
  auto shape =
      broadcastShapes(inner.numbers.getShape(), outer.numbers.getShape());
  if (!shape) {
    llvm::consumeError(shape.takeError());
    return std::nullopt;
  }
  HostTensor result(ElementType::Double, *shape);
  if (result.getNumElements() >
      std::max(inner.numbers.getNumElements(), outer.numbers.getNumElements()))
    return std::nullopt;
  BroadcastLoop loop(*shape,
                     {inner.numbers.getShape(), outer.numbers.getShape()});
  bool isFine = true;
  loop.forEachRow([&](int64_t at, ArrayRef<int64_t> from) {
    for (int64_t i = 0; i < loop.getRowLength(); ++i) {
      double number =
          compute(inner.numbers.getDouble(from[0] + i * loop.getStep(0)),
                  outer.numbers.getDouble(from[1] + i * loop.getStep(1)));
      isFine &= number == 0 || fits(number, element);
      result.setDouble(at + i, number);
    }
  });
  return isFine ? std::optional(result) : std::nullopt;
}

/// DirectOp(DirectOp(x, a), b) = DirectOp(x, a o b), and the same with inverses
/// in either place.
template <typename DirectOp, typename InverseOp, typename F>
static bool merge(Operation *root, RewriteContext &context, F compute) {
  auto outer = matchStep<DirectOp, InverseOp>(root);
  if (!outer)
    return context.refuse("no operand is a constant that may be read");
  if (!outer->input.hasOneUse())
    return context.refuse("the other operand has another user");
  auto inner = matchStep<DirectOp, InverseOp>(outer->input.getDefiningOp());
  if (!inner || inner->op->getBlock() != root->getBlock())
    return context.refuse("the other operand is no such step by a constant");
  Type element = inlay::getElementType(root->getResult(0));
  auto numbers = combine(*inner, *outer, element, [&](double a, double b) {
    return compute(a, inner->isInverse, b, outer->isInverse);
  });
  if (!numbers)
    return context.refuse("together they leave the range of numbers, or are "
                          "more of them than before");
  Value constant = rewrites::buildConstant(
      getRoundedAttr(root->getContext(), *numbers, element),
      {inner->constant, outer->constant}, context);
  context.replace(root, context.builder
                            .create<DirectOp>(context.merge({root, inner->op}),
                                              root->getResult(0).getType(),
                                              inner->input, constant)
                            ->getResults());
  return true;
}

static bool mergeFactors(Operation *root, RewriteContext &context) {
  auto compute = [](double a, bool isADivided, double b, bool isBDivided) {
    if (!isSensibleFactor(a) || !isSensibleFactor(b))
      return std::numeric_limits<double>::quiet_NaN();
    // One division where there is one: 1 / 3 is no number.
    if (isADivided)
      return isBDivided ? 1 / (a * b) : b / a;
    return isBDivided ? a / b : a * b;
  };
  return merge<MulOp, DivOp>(root, context, compute);
}

static bool mergeTerms(Operation *root, RewriteContext &context) {
  auto compute = [](double a, bool isASubtracted, double b,
                    bool isBSubtracted) {
    if (!isSensibleTerm(a) || !isSensibleTerm(b))
      return std::numeric_limits<double>::quiet_NaN();
    return (isASubtracted ? -a : a) + (isBSubtracted ? -b : b);
  };
  return merge<AddOp, SubOp>(root, context, compute);
}

static constexpr Rewrite table[] = {
    {"mul-mul",
     "Mul(Mul(x, a), b) = Mul(x, a * b); Mul(Div(x, a), b) = "
     "Mul(x, b / a)",
     "inlay.mul", mergeFactors},
    {"mul-div",
     "Div(Mul(x, a), b) = Mul(x, a / b); Div(Div(x, a), b) = Mul(x, "
     "1 / (a * b))",
     "inlay.div", mergeFactors},
    {"add-add",
     "Add(Add(x, a), b) = Add(x, a + b); Add(Sub(x, a), b) = "
     "Add(x, b - a)",
     "inlay.add", mergeTerms},
    {"add-sub",
     "Sub(Add(x, a), b) = Add(x, a - b); Sub(Sub(x, a), b) = Add(x, "
     "-a - b)",
     "inlay.sub", mergeTerms},
};

llvm::ArrayRef<Rewrite> rewrites::getConstantChains() { return table; }
