//===- GemmForming.cpp - Matrix products with what is around them ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

/// Gemm adds to matrices of these everywhere that ONNX runs.
static bool isGemmType(Type element) {
  return element && (element.isF16() || element.isF32() || element.isF64());
}

/// Whether `c` stretches to the matrix `product` and not the other way round;
/// only what is known counts.
static bool stretchesTo(Value c, Value product) {
  MaybeShape from = getShape(c), to = getShape(product);
  if (!from || !to || to->size() != 2 || from->size() > 2)
    return false;
  ArrayRef<int64_t> aligned = ArrayRef(*to).take_back(from->size());
  return llvm::all_of(llvm::zip_equal(*from, aligned), [](auto pair) {
    auto [extent, wanted] = pair;
    return extent == 1 || (extent == wanted && !ShapedType::isDynamic(extent));
  });
}

/// The operand of an Add that is an OpT nothing else reads, and the other one.
template <typename OpT>
static std::optional<std::pair<OpT, Value>> matchSum(Operation *root) {
  for (unsigned place : {0, 1}) {
    Value product = root->getOperand(place), c = root->getOperand(1 - place);
    auto op = product.getDefiningOp<OpT>();
    if (op && product.hasOneUse() && op->getBlock() == root->getBlock() &&
        isGemmType(inlay::getElementType(product)) && stretchesTo(c, product))
      return std::pair(op, c);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static bool formGemm(Operation *root, RewriteContext &context) {
  auto sum = matchSum<MatMulOp>(root);
  if (!sum)
    return context.refuse("no operand is a product, for it alone, that the "
                          "other one stretches to");
  // A pipeline that multiplies matrices may know no other form of it.
  if (context.hasStage("MatMul") && !context.hasStage("Gemm"))
    return context.refuse("the target's pipeline takes MatMul, not Gemm");
  auto [product, c] = *sum;
  if (getRank(product.getA()) != 2 || getRank(product.getB()) != 2)
    return context.refuse("the product is not one of matrices");
  OperationState state(context.merge({root, product}),
                       GemmOp::getOperationName());
  state.addOperands({product.getA(), product.getB(), c});
  state.addTypes(root->getResult(0).getType());
  context.replace(root, context.builder.create(state)->getResults());
  return true;
}

static bool addBias(Operation *root, RewriteContext &context) {
  auto sum = matchSum<GemmOp>(root);
  if (!sum)
    return context.refuse("no operand is a Gemm, for it alone, that the other "
                          "one stretches to");
  if (sum->first.getC())
    return context.refuse("the Gemm has a C already");
  auto [product, c] = *sum;
  OperationState state(context.merge({root, product}), product->getName());
  state.addOperands({product.getA(), product.getB(), c});
  state.addAttributes(product->getAttrs());
  state.addTypes(root->getResult(0).getType());
  auto gemm = cast<GemmOp>(context.builder.create(state));
  // It had nothing to multiply.
  gemm.removeBetaAttr();
  context.replace(root, gemm->getResults());
  return true;
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

/// The Transpose of a matrix behind `value`, which nothing else reads, or null.
static TransposeOp getTranspose(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose || !value.hasOneUse() || getRank(value) != 2)
    return {};
  auto perm = transpose.getPerm();
  bool isIdentity = perm && (*perm)[0] == 0;
  return isIdentity ? TransposeOp() : transpose;
}

static bool absorbTransposes(Operation *root, RewriteContext &context) {
  auto gemm = cast<GemmOp>(root);
  TransposeOp a = getTranspose(gemm.getA()), b = getTranspose(gemm.getB());
  if (!a && !b)
    return context.refuse("no operand is a transpose, for it alone");
  SmallVector<Operation *> parts = {root};
  auto copy = cast<GemmOp>(context.builder.clone(*root));
  if (a) {
    parts.push_back(a);
    copy.getAMutable().assign(a.getInput());
    copy.setTransA(gemm.getTransA() == 0);
  }
  if (b) {
    parts.push_back(b);
    copy.getBMutable().assign(b.getInput());
    copy.setTransB(gemm.getTransB() == 0);
  }
  copy->setLoc(context.merge(parts));
  context.replace(root, copy->getResults());
  return true;
}

static constexpr Rewrite table[] = {
    {"matmul-add", "Add(MatMul(a, b), c) = Gemm(a, b, c), a and b matrices",
     "inlay.add", formGemm},
    {"gemm-bias", "Add(Gemm(a, b), c) = Gemm(a, b, c)", "inlay.add", addBias},
    {"gemm-transpose",
     "Gemm(Transpose(a), b, c) = Gemm(a, b, c, transA = 1 - transA); the same "
     "for b",
     "inlay.gemm", absorbTransposes, /*rounds=*/false},
};

llvm::ArrayRef<Rewrite> rewrites::getGemmForming() { return table; }
