//===- EinsumEquation.cpp - Einsum's notation -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/EinsumEquation.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Window.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

using Label = EinsumEquation::Label;
using Labels = EinsumEquation::Labels;
static constexpr Label ellipsisEnd = EinsumEquation::ellipsisEnd;

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
static Labels getImplicitResult(const EinsumEquation &equation,
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

static Error checkResult(const EinsumEquation &equation) {
  llvm::SmallSet<Label, 8> known, seen;
  for (const Labels &labels : equation.operands)
    known.insert(labels.begin(), labels.end());
  for (Label label : equation.result)
    if (!known.contains(label) || !seen.insert(label).second)
      return modelError("labels of an einsum's result must be distinct and "
                        "those of operands");
  return Error::success();
}

Expected<EinsumEquation> inlay::parseEinsum(StringRef text,
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
  EinsumEquation equation;
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

Expected<std::map<EinsumEquation::Label, int64_t>>
inlay::getLabelSizes(const EinsumEquation &equation,
                     ArrayRef<ArrayRef<int64_t>> shapes) {
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
inlay::inferEinsumShape(StringRef equation,
                        ArrayRef<ArrayRef<int64_t>> shapes) {
  llvm::SmallVector<int64_t> ranks;
  for (ArrayRef<int64_t> shape : shapes)
    ranks.push_back(shape.size());
  Expected<EinsumEquation> parsed = parseEinsum(equation, ranks);
  if (!parsed)
    return parsed.takeError();
  Expected<std::map<Label, int64_t>> sizes = getLabelSizes(*parsed, shapes);
  if (!sizes)
    return sizes.takeError();
  HostTensor::Shape shape;
  for (Label label : parsed->result)
    shape.push_back((*sizes)[label]);
  return shape;
}
