//===- EinsumExpansion.cpp - Einsum ---------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Term.h"
#include "inlay/Tensor/EinsumEquation.h"

using namespace inlay;
using namespace mlir;

using Labels = EinsumEquation::Labels;

/// The diagonal of two dimensions of one extent, as the last dimension.
static Value takeDiagonal(Expansion &expansion, Value value, int64_t a,
                          int64_t b) {
  MaybeShape shape = getStaticShape(value);
  int64_t extent = (*shape)[a];
  if ((*shape)[b] != extent || llvm::is_contained(*shape, 0))
    return {};
  SmallVector<int64_t> perm, flat;
  for (auto [dim, own] : llvm::enumerate(*shape))
    if (int64_t(dim) != a && int64_t(dim) != b) {
      perm.push_back(dim);
      flat.push_back(own);
    }
  perm.append({a, b});
  flat.push_back(extent * extent);
  Value moved =
      createReshape(expansion, createTranspose(expansion, value, perm), flat);
  return expansion.create<SliceOp>(
      moved, Value(), Value(), Value(), Value(), expansion.getInts({0}),
      expansion.getInts({extent * extent}),
      expansion.getInts({int64_t(flat.size()) - 1}),
      expansion.getInts({extent + 1}));
}

/// Each label once; null where extents of one label differ.
static Value dropRepeated(Expansion &expansion, Value value, Labels &labels) {
  for (size_t i = 0; i < labels.size(); ++i)
    for (size_t k = i + 1; k < labels.size(); ++k) {
      if (labels[i] != labels[k])
        continue;
      value = takeDiagonal(expansion, value, i, k);
      if (!value)
        return {};
      int label = labels[i];
      llvm::erase(labels, label);
      labels.push_back(label);
      return dropRepeated(expansion, value, labels);
    }
  return value;
}

/// The operand with a dimension for each of `all`, of one element where it has
/// none.
static Value align(Expansion &expansion, Value value, const Labels &labels,
                   ArrayRef<int> all) {
  SmallVector<int64_t> perm, missing;
  for (auto [dim, label] : llvm::enumerate(all)) {
    const auto *own = llvm::find(labels, label);
    if (own == labels.end())
      missing.push_back(dim);
    else
      perm.push_back(own - labels.begin());
  }
  return createUnsqueeze(expansion, createTranspose(expansion, value, perm),
                         missing);
}

/// Products of all operands, summed over what the result does not have.
static LogicalResult expandEinsum(EinsumOp op, Expansion &expansion) {
  SmallVector<int64_t> ranks;
  for (Value input : op.getInputs()) {
    MaybeShape shape = getStaticShape(input);
    if (!expansion.isRequested() || !shape)
      return failure();
    ranks.push_back(shape->size());
  }
  auto equation = parseEinsum(op.getEquation(), ranks);
  if (!equation) {
    llvm::consumeError(equation.takeError());
    return failure();
  }
  Labels all = equation->result;
  for (const Labels &labels : equation->operands)
    for (int label : labels)
      if (!llvm::is_contained(all, label))
        all.push_back(label);
  std::optional<Term> product;
  for (auto [input, labels] :
       llvm::zip_equal(op.getInputs(), equation->operands)) {
    Value wide = isFloatTensor(input) ? expansion.widen(input) : input;
    Value single = dropRepeated(expansion, wide, labels);
    if (!single)
      return failure();
    Term factor(expansion, align(expansion, single, labels, all));
    product = product ? *product * factor : factor;
  }
  expansion.set(
      op.getResult(),
      reduce<ReduceSumOp>(expansion, *product,
                          getRange(equation->result.size(), all.size()),
                          /*keepDims=*/false));
  return success();
}

void inlay::registerEinsumExpansion(MLIRContext &context) {
  attachExpansion<EinsumOp, expandEinsum>(context);
}
