//===- ScaleShiftFolding.cpp - Arithmetic in weights ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mul, Div, Add and Sub by a constant, one number for all or one per feature,
// go into the weights and the bias in front of them; transposes and reshapes in
// between that keep the features together stay.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Linear.h"

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

/// What `root` does to its operand at `place`, the other one being `constant`.
static std::optional<FeatureMap> getMap(Operation *root, unsigned place,
                                        std::vector<double> constant) {
  std::vector<double> ones(constant.size(), 1), zeros(constant.size(), 0);
  auto each = [&](auto compute) {
    std::vector<double> result;
    result.reserve(constant.size());
    for (double number : constant)
      result.push_back(compute(number));
    return result;
  };
  if (isa<MulOp>(root))
    return FeatureMap{std::move(constant), zeros};
  if (isa<AddOp>(root))
    return FeatureMap{ones, std::move(constant)};
  if (isa<SubOp>(root) && place == 0)
    return FeatureMap{ones, each([](double number) { return -number; })};
  if (isa<SubOp>(root))
    return FeatureMap{each([](double) { return -1.0; }), std::move(constant)};
  if (isa<DivOp>(root) && place == 0)
    return FeatureMap{each([](double number) { return 1 / number; }), zeros};
  return std::nullopt;
}

template <typename OpT>
static bool foldConstant(Operation *root, RewriteContext &context) {
  for (unsigned place : {0, 1}) {
    Value constant = root->getOperand(1 - place);
    std::optional<FeaturePath> path =
        FeaturePath::match(root->getOperand(place), root);
    if (!path || !isa<OpT>(path->getLinear().getOperation())) {
      context.refuse("no such operator with a constant weight is in front of "
                     "it, for it alone");
      continue;
    }
    auto numbers =
        readPerFeature(constant, path->getRank(), path->getFeatureAxis(),
                       path->getNumFeatures());
    std::optional<FeatureMap> map =
        numbers ? getMap(root, place, std::move(*numbers)) : std::nullopt;
    if (!map || !llvm::all_of(map->shift, isSensibleTerm)) {
      context.refuse("the other operand is no constant per feature, or one "
                     "that is there to round");
      continue;
    }
    // A MatMul with an Add is what there would be again.
    if (map->shifts() && !path->getLinear().takesBias()) {
      context.refuse("the operator has no bias to add to");
      continue;
    }
    Value value = path->build(*map, root, constant, context);
    if (!value) {
      context.refuse("the weights would leave the range of their type");
      continue;
    }
    context.replace(root, value);
    return true;
  }
  return false;
}

static constexpr Rewrite table[] = {
    {"conv-mul", "Mul(Conv(x, W, b), c) = Conv(x, W * c, b * c)", "inlay.mul",
     foldConstant<ConvOp>},
    {"conv-div", "Div(Conv(x, W, b), c) = Conv(x, W / c, b / c)", "inlay.div",
     foldConstant<ConvOp>},
    {"conv-add", "Add(Conv(x, W, b), c) = Conv(x, W, b + c)", "inlay.add",
     foldConstant<ConvOp>},
    {"conv-sub",
     "Sub(Conv(x, W, b), c) = Conv(x, W, b - c); Sub(c, Conv(x, W, b)) = "
     "Conv(x, -W, c - b)",
     "inlay.sub", foldConstant<ConvOp>},
    {"conv-transpose-mul",
     "Mul(ConvTranspose(x, W, b), c) = ConvTranspose(x, W * c, b * c)",
     "inlay.mul", foldConstant<ConvTransposeOp>},
    {"conv-transpose-div",
     "Div(ConvTranspose(x, W, b), c) = ConvTranspose(x, W / c, b / c)",
     "inlay.div", foldConstant<ConvTransposeOp>},
    {"conv-transpose-add",
     "Add(ConvTranspose(x, W, b), c) = ConvTranspose(x, W, b + c)", "inlay.add",
     foldConstant<ConvTransposeOp>},
    {"conv-transpose-sub",
     "Sub(ConvTranspose(x, W, b), c) = ConvTranspose(x, W, b - c); Sub(c, "
     "ConvTranspose(x, W, b)) = ConvTranspose(x, -W, c - b)",
     "inlay.sub", foldConstant<ConvTransposeOp>},
    {"gemm-mul", "Mul(Gemm(x, W, b), c) = Gemm(x, W * c, b * c)", "inlay.mul",
     foldConstant<GemmOp>},
    {"gemm-div", "Div(Gemm(x, W, b), c) = Gemm(x, W / c, b / c)", "inlay.div",
     foldConstant<GemmOp>},
    {"gemm-add", "Add(Gemm(x, W, b), c) = Gemm(x, W, b + c)", "inlay.add",
     foldConstant<GemmOp>},
    {"gemm-sub",
     "Sub(Gemm(x, W, b), c) = Gemm(x, W, b - c); Sub(c, Gemm(x, W, b)) = "
     "Gemm(x, -W, c - b)",
     "inlay.sub", foldConstant<GemmOp>},
    {"matmul-mul",
     "Mul(MatMul(x, W), c) = MatMul(x, W * c); Mul(Add(MatMul(x, W), b), c) = "
     "Add(MatMul(x, W * c), b * c)",
     "inlay.mul", foldConstant<MatMulOp>},
    {"matmul-div",
     "Div(MatMul(x, W), c) = MatMul(x, W / c); Div(Add(MatMul(x, W), b), c) = "
     "Add(MatMul(x, W / c), b / c)",
     "inlay.div", foldConstant<MatMulOp>},
    {"matmul-add-add",
     "Add(Add(MatMul(x, W), b), c) = Add(MatMul(x, W), b + c)", "inlay.add",
     foldConstant<MatMulOp>},
    {"matmul-add-sub",
     "Sub(Add(MatMul(x, W), b), c) = Add(MatMul(x, W), b - c); Sub(c, "
     "Add(MatMul(x, W), b)) = Add(MatMul(x, -W), c - b)",
     "inlay.sub", foldConstant<MatMulOp>},
};

llvm::ArrayRef<Rewrite> rewrites::getScaleShiftFolding() { return table; }
