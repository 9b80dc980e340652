//===- Einsum.cpp - Reference Einsum --------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The equation becomes labels, one per axis of each operand. Operands are then
// folded into one from the left: labels that neither the result nor a later
// operand has are summed over as soon as both their owners are multiplied, as
// a stack of matrix products.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/EinsumEquation.h"
#include "inlay/Tensor/Kernels/Contraction.h"
#include "inlay/Tensor/Kernels/Creation.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include "inlay/Tensor/Strides.h"
#include "llvm/ADT/SmallSet.h"

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

using Label = EinsumEquation::Label;
using Labels = EinsumEquation::Labels;

namespace {
/// A tensor whose axes carry labels, each at most once.
struct Term {
  HostTensor data;
  Labels labels;
};
} // namespace

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// Converts to the type sums are taken in: double or int64.
static Expected<HostTensor> widen(const HostTensor &x) {
  bool isDouble = isFloat(x.getType());
  Expected<HostTensor> wide = HostTensor::allocate(
      isDouble ? ElementType::Double : ElementType::Int64, x.getShape());
  if (!wide)
    return wide;
  if (isDouble)
    loadElements(x, 0, wide->getMutable<double>());
  else
    loadElements(x, 0, wide->getMutable<int64_t>());
  return wide;
}

static Expected<HostTensor> narrow(const HostTensor &wide, ElementType type) {
  Expected<HostTensor> result = HostTensor::allocate(type, wide.getShape());
  if (!result)
    return result;
  if (isFloat(type))
    storeElements(*result, 0, wide.getData<double>());
  else
    storeElements(*result, 0, wide.getData<int64_t>());
  return result;
}

/// Reads the diagonal where an operand has a label twice.
static Expected<Term> makeTerm(const HostTensor &x, ArrayRef<Label> labels) {
  Expected<HostTensor> wide = widen(x);
  if (!wide)
    return wide.takeError();
  Term term;
  HostTensor::Shape shape;
  Strides strides, all = getRowMajorStrides(x.getShape());
  for (auto [i, label] : llvm::enumerate(labels)) {
    auto *seen = llvm::find(term.labels, label);
    size_t at = seen - term.labels.begin();
    if (seen == term.labels.end()) {
      term.labels.push_back(label);
      shape.push_back(x.getDim(i));
      strides.push_back(all[i]);
      continue;
    }
    if (shape[at] != x.getDim(i))
      return modelError("a diagonal needs equal sizes, found " +
                        formatShape(x.getShape()));
    strides[at] += all[i];
  }
  if (term.labels.size() == labels.size()) {
    term.data = std::move(*wide);
    return term;
  }
  Expected<HostTensor> diagonal = HostTensor::allocate(wide->getType(), shape);
  if (!diagonal)
    return diagonal.takeError();
  copyStrided(shape, *wide, {0, strides}, *diagonal,
              {0, getRowMajorStrides(shape)});
  term.data = std::move(*diagonal);
  return term;
}

/// The term with its axes in the order of `order`, which names them all.
static Expected<HostTensor> inOrder(const Term &term, ArrayRef<Label> order) {
  llvm::SmallVector<int64_t, 6> perm;
  for (Label label : order)
    perm.push_back(llvm::find(term.labels, label) - term.labels.begin());
  if (perm.empty())
    return term.data;
  return transpose(term.data, perm);
}

static int64_t getSize(const Term &term, Label label) {
  return term.data.getDim(llvm::find(term.labels, label) - term.labels.begin());
}

static int64_t getSize(const Term &term, ArrayRef<Label> labels) {
  int64_t size = 1;
  for (Label label : labels)
    size *= getSize(term, label);
  return size;
}

/// Sums over the labels that are not in `kept`.
static Expected<Term> sumOthers(Term term,
                                const llvm::SmallSet<Label, 8> &kept) {
  Labels stay, go;
  for (Label label : term.labels)
    (kept.contains(label) ? stay : go).push_back(label);
  if (go.empty())
    return term;
  Labels order = stay;
  order.append(go);
  Expected<HostTensor> ordered = inOrder(term, order);
  if (!ordered)
    return ordered.takeError();
  HostTensor::Shape shape;
  for (Label label : stay)
    shape.push_back(getSize(term, label));
  int64_t rows = product(shape), length = getSize(term, go);
  // An empty tensor may claim a length that no vector of ones can have.
  if (rows == 0)
    return Term{term.data.reshaped(shape), stay};
  HostTensor one(term.data.getType(), {});
  one.setInt(0, 1);
  Expected<HostTensor> ones = constantOfShape(length, one);
  if (!ones)
    return ones.takeError();
  Expected<HostTensor> sums = matmul(ordered->reshaped({rows, length}), *ones);
  if (!sums)
    return sums.takeError();
  return Term{sums->reshaped(shape), stay};
}

/// Drops the labels of size 1 that the other term stretches.
static void dropStretched(Term &term, const Term &other) {
  Labels labels;
  HostTensor::Shape shape;
  for (auto [label, dim] : llvm::zip(term.labels, term.data.getShape())) {
    if (dim == 1 && llvm::is_contained(other.labels, label) &&
        getSize(other, label) != 1)
      continue;
    labels.push_back(label);
    shape.push_back(dim);
  }
  term = Term{term.data.reshaped(shape), labels};
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// Multiplies two terms and sums over what is not in `kept`.
static Expected<Term> contract(Term left, Term right,
                               const llvm::SmallSet<Label, 8> &kept) {
  dropStretched(left, right);
  dropStretched(right, left);
  llvm::SmallSet<Label, 8> leftKept = kept, rightKept = kept;
  leftKept.insert(right.labels.begin(), right.labels.end());
  rightKept.insert(left.labels.begin(), left.labels.end());
  Expected<Term> a = sumOthers(std::move(left), leftKept);
  if (!a)
    return a;
  Expected<Term> b = sumOthers(std::move(right), rightKept);
  if (!b)
    return b;

  Labels batch, summed, rows, columns;
  for (Label label : a->labels) {
    bool shared = llvm::is_contained(b->labels, label);
    (!shared ? rows : kept.contains(label) ? batch : summed).push_back(label);
  }
  for (Label label : b->labels)
    if (!llvm::is_contained(a->labels, label))
      columns.push_back(label);
  auto join = [](const Labels &x, const Labels &y, const Labels &z) {
    Labels all = x;
    all.append(y);
    all.append(z);
    return all;
  };
  Expected<HostTensor> stackA = inOrder(*a, join(batch, rows, summed));
  if (!stackA)
    return stackA.takeError();
  Expected<HostTensor> stackB = inOrder(*b, join(batch, summed, columns));
  if (!stackB)
    return stackB.takeError();
  int64_t count = getSize(*a, batch), depth = getSize(*a, summed);
  Expected<HostTensor> product =
      matmul(stackA->reshaped({count, getSize(*a, rows), depth}),
             stackB->reshaped({count, depth, getSize(*b, columns)}));
  if (!product)
    return product.takeError();
  HostTensor::Shape shape;
  for (Label label : batch)
    shape.push_back(getSize(*a, label));
  for (Label label : rows)
    shape.push_back(getSize(*a, label));
  for (Label label : columns)
    shape.push_back(getSize(*b, label));
  return Term{product->reshaped(shape), join(batch, rows, columns)};
}

/// Multiplies all terms. What the result and later operands do not need is
/// summed over at each step.
static Expected<Term> fold(const EinsumEquation &equation,
                           ArrayRef<HostTensor> operands) {
  Expected<Term> term = makeTerm(operands[0], equation.operands[0]);
  for (size_t i = 1; term && i < operands.size(); ++i) {
    Expected<Term> next = makeTerm(operands[i], equation.operands[i]);
    if (!next)
      return next;
    llvm::SmallSet<Label, 8> kept;
    kept.insert(equation.result.begin(), equation.result.end());
    for (size_t later = i + 1; later < operands.size(); ++later)
      kept.insert(equation.operands[later].begin(),
                  equation.operands[later].end());
    term = contract(std::move(*term), std::move(*next), kept);
  }
  if (!term)
    return term;
  llvm::SmallSet<Label, 8> kept;
  kept.insert(equation.result.begin(), equation.result.end());
  return sumOthers(std::move(*term), kept);
}

Expected<HostTensor> kernels::einsum(StringRef equation,
                                     ArrayRef<HostTensor> operands) {
  if (operands.empty())
    return modelError("einsum needs an operand");
  llvm::SmallVector<int64_t> ranks;
  llvm::SmallVector<ArrayRef<int64_t>> shapes;
  ElementType type = operands[0].getType();
  for (const HostTensor &x : operands) {
    if (x.getType() != type || !(isFloat(type) || isInteger(type)))
      return modelError("operands of an einsum must be numbers of one type, "
                        "found " +
                        getName(type) + " and " + getName(x.getType()));
    ranks.push_back(x.getRank());
    shapes.push_back(x.getShape());
  }
  Expected<EinsumEquation> parsed = parseEinsum(equation, ranks);
  if (!parsed)
    return parsed.takeError();
  Expected<std::map<Label, int64_t>> sizes = getLabelSizes(*parsed, shapes);
  if (!sizes)
    return sizes.takeError();
  Expected<Term> term = fold(*parsed, operands);
  if (!term)
    return term.takeError();
  Expected<HostTensor> ordered = inOrder(*term, parsed->result);
  if (!ordered)
    return ordered;
  return narrow(*ordered, type);
}
