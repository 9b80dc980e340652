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
#include "inlay/Tensor/Kernels/Contraction.h"
#include "inlay/Tensor/Kernels/Creation.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include "inlay/Tensor/Strides.h"
#include "inlay/Tensor/Window.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// A letter, or an axis of the ellipsis: `ellipsisEnd` - i is the i-th from the
/// right.
using Label = int;
constexpr Label ellipsisEnd = 1 << 16;

using Labels = llvm::SmallVector<Label, 6>;

struct Equation {
  llvm::SmallVector<Labels, 2> operands;
  Labels result;
};

/// A tensor whose axes carry labels, each at most once.
struct Term {
  HostTensor data;
  Labels labels;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// Labels of one comma-separated part. The ellipsis stands for `rank` axes.
static Expected<Labels> parseTerm(StringRef text, int64_t ellipsisRank) {
  Labels labels;
  bool hasEllipsis = false;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      if (std::exchange(hasEllipsis, true))
        return modelError("a term of an einsum may have one ellipsis");
      for (int64_t i = ellipsisRank; i > 0; --i)
        labels.push_back(ellipsisEnd - i);
      continue;
    }
    if (!llvm::isAlpha(text.front()))
      return modelError("labels of an einsum must be letters, found '" +
                        text.take_front() + "'");
    labels.push_back(text.front());
    text = text.drop_front();
  }
  return labels;
}

/// Axes of an operand that its ellipsis stands for; 0 without one.
static Expected<int64_t> getEllipsisRank(StringRef text, int64_t rank) {
  bool hasEllipsis = text.contains("...");
  int64_t letters = int64_t(text.size()) - (hasEllipsis ? 3 : 0);
  if (letters > rank || (letters < rank && !hasEllipsis))
    return modelError("term '" + text + "' of an einsum does not fit rank " +
                      Twine(rank));
  return rank - letters;
}

/// Without "->": the ellipsis, then labels that occur once, sorted.
static Labels getImplicitResult(const Equation &equation,
                                int64_t ellipsisRank) {
  std::map<Label, int> counts;
  for (const Labels &labels : equation.operands)
    for (Label label : labels)
      ++counts[label];
  Labels result;
  for (int64_t i = ellipsisRank; i > 0; --i)
    result.push_back(ellipsisEnd - i);
  for (auto [label, count] : counts)
    if (count == 1 && label < ellipsisEnd - ellipsisRank)
      result.push_back(label);
  return result;
}

static Error checkResult(const Equation &equation) {
  llvm::SmallSet<Label, 8> known, seen;
  for (const Labels &labels : equation.operands)
    known.insert(labels.begin(), labels.end());
  for (Label label : equation.result)
    if (!known.contains(label) || !seen.insert(label).second)
      return modelError("labels of an einsum's result must be distinct and "
                        "those of operands");
  return Error::success();
}

static Expected<Equation> parseEquation(StringRef text,
                                        ArrayRef<int64_t> ranks) {
  std::string compact;
  llvm::copy_if(text, std::back_inserter(compact),
                [](char c) { return c != ' '; });
  auto [left, right] = StringRef(compact).split("->");
  bool isExplicit = StringRef(compact).contains("->");
  llvm::SmallVector<StringRef> parts;
  left.split(parts, ',');
  if (parts.size() != ranks.size())
    return modelError("einsum has " + Twine(parts.size()) + " terms for " +
                      Twine(ranks.size()) + " operands");
  Equation equation;
  int64_t largest = 0;
  for (auto [part, rank] : llvm::zip(parts, ranks)) {
    Expected<int64_t> ellipsisRank = getEllipsisRank(part, rank);
    if (!ellipsisRank)
      return ellipsisRank.takeError();
    largest = std::max(largest, *ellipsisRank);
    Expected<Labels> labels = parseTerm(part, *ellipsisRank);
    if (!labels)
      return labels.takeError();
    equation.operands.push_back(*labels);
  }
  if (!isExplicit) {
    equation.result = getImplicitResult(equation, largest);
    return equation;
  }
  Expected<Labels> result = parseTerm(right, largest);
  if (!result)
    return result.takeError();
  equation.result = *result;
  if (Error error = checkResult(equation))
    return std::move(error);
  return equation;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The size of every label: sizes of 1 stretch, unknown ones give way.
static Expected<std::map<Label, int64_t>>
getSizes(const Equation &equation, ArrayRef<ArrayRef<int64_t>> shapes) {
  std::map<Label, int64_t> sizes;
  for (auto [labels, shape] : llvm::zip(equation.operands, shapes)) {
    for (auto [label, dim] : llvm::zip(labels, shape)) {
      int64_t &size = sizes.try_emplace(label, dim).first->second;
      if (size == dim || dim == 1)
        continue;
      if (size == 1 || size == unknownDim)
        size = dim;
      else if (dim != unknownDim)
        return modelError("sizes " + Twine(size) + " and " + Twine(dim) +
                          " of one label of an einsum differ");
    }
  }
  return sizes;
}

Expected<HostTensor::Shape>
kernels::inferEinsumShape(StringRef equation,
                          ArrayRef<ArrayRef<int64_t>> shapes) {
  llvm::SmallVector<int64_t> ranks;
  for (ArrayRef<int64_t> shape : shapes)
    ranks.push_back(shape.size());
  Expected<Equation> parsed = parseEquation(equation, ranks);
  if (!parsed)
    return parsed.takeError();
  Expected<std::map<Label, int64_t>> sizes = getSizes(*parsed, shapes);
  if (!sizes)
    return sizes.takeError();
  HostTensor::Shape shape;
  for (Label label : parsed->result)
    shape.push_back((*sizes)[label]);
  return shape;
}

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
static Expected<Term> fold(const Equation &equation,
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
  Expected<Equation> parsed = parseEquation(equation, ranks);
  if (!parsed)
    return parsed.takeError();
  Expected<std::map<Label, int64_t>> sizes = getSizes(*parsed, shapes);
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
