//===- NormalizationSteps.cpp - What stands around normalisations ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A normalisation n, as it was in the model or as it was found, with its
// parameters: where it has none of its own (a scale of ones, a bias of zeros or
// none) it takes those that stand behind it.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Normalizations.h"
#include "inlay/Analysis/Patterns/Match.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace inlay::rewrites;
using namespace mlir;

static bool hasUnitScale(Operation *op) {
  return getScalar(op->getOperand(1)) == 1.0;
}

static bool hasZeroBias(Operation *op) {
  return op->getNumOperands() == 2 || getScalar(op->getOperand(2)) == 0.0;
}

/// The normalisation that operand `i` of a sum or product of the same shape is.
static Operation *getOperator(Operation *root, unsigned i) {
  Operation *op = root->getOperand(i).getDefiningOp();
  bool isSame = isNormalization(op) &&
                root->getResult(0).getType() == op->getOperand(0).getType();
  return isSame ? op : nullptr;
}

/// Gives `op` what the root combines it with as operand `place`.
static bool absorb(Operation *root, RewriteContext &context, Operation *op,
                   Value value, unsigned place) {
  std::optional<Dims> dims = getParameterDims(op);
  Value parameter =
      dims ? createParameter(context.builder, value, op->getOperand(0), *dims)
           : Value();
  if (!parameter)
    return context.refuse("what it combines the normalisation with is no "
                          "parameter of the normalised dimensions");
  SmallVector<Value> operands(op->getOperands());
  operands.resize(std::max<size_t>(operands.size(), place + 1));
  operands[place] = parameter;
  replaceByNormalization(context, {root, op}, op->getName().getStringRef(),
                         operands, op->getAttrs());
  return true;
}

static constexpr llvm::StringLiteral noNormalization =
    "no operand is a normalisation of its type, for it alone, without such a "
    "parameter";

static bool absorbScale(Operation *root, RewriteContext &context) {
  context.refuse(noNormalization);
  for (unsigned i : {0, 1})
    if (Operation *op = getOperator(root, i);
        op && hasUnitScale(op) && hasZeroBias(op) &&
        absorb(root, context, op, root->getOperand(1 - i), 1))
      return true;
  return false;
}

static bool absorbBias(Operation *root, RewriteContext &context) {
  context.refuse(noNormalization);
  for (unsigned i : {0, 1})
    if (Operation *op = getOperator(root, i);
        op && !isa<RMSNormalizationOp>(op) && hasZeroBias(op) &&
        absorb(root, context, op, root->getOperand(1 - i), 2))
      return true;
  return false;
}

/// What is narrower than f32 outside, and computed in f32 inside, is what the
/// operator does with its default for stash_type.
static bool absorbCasts(Operation *root, RewriteContext &context) {
  Operation *op = root->getOperand(0).getDefiningOp();
  Type narrow = getElementType(root->getResult(0));
  if (!isNormalization(op) || isa<InstanceNormalizationOp>(op))
    return context.refuse("its input is no normalisation that computes in f32, "
                          "for it alone");
  if (!(narrow.isF16() || narrow.isBF16()) ||
      !getElementType(op->getOperand(0)).isF32() ||
      !op->getOperand(0).getDefiningOp<CastOp>())
    return context.refuse("nothing is cast from f16 or bf16 to f32 and back");
  if (!llvm::all_of(op->getOperands(),
                    [&](Value value) { return canNarrow(value, narrow); }))
    return context.refuse("a parameter would lose digits");
  SmallVector<Value> operands;
  SmallVector<Operation *> ops = {root, op};
  for (Value operand : op->getOperands()) {
    operands.push_back(createNarrow(context.builder, operand, narrow));
    if (auto cast = operand.getDefiningOp<CastOp>(); cast && cast->hasOneUse())
      ops.push_back(cast);
  }
  replaceByNormalization(context, ops, op->getName().getStringRef(), operands,
                         op->getAttrs());
  return true;
}

static constexpr Rewrite table[] = {
    {"norm-scale",
     "n(x, 1) * s = n(x, s), n one of LayerNormalization, RMSNormalization, "
     "InstanceNormalization, GroupNormalization",
     "inlay.mul", absorbScale},
    {"norm-bias",
     "n(x, s, 0) + b = n(x, s, b), n one of LayerNormalization, "
     "InstanceNormalization, GroupNormalization",
     "inlay.add", absorbBias},
    {"norm-cast",
     "Cast(n(Cast(x), s, b)) = n(x, s, b), x of f16 or bf16, n one of "
     "LayerNormalization, RMSNormalization, GroupNormalization",
     "inlay.cast", absorbCasts},
};

llvm::ArrayRef<Rewrite> rewrites::getNormalizationSteps() { return table; }
