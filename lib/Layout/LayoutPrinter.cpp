//===- LayoutPrinter.cpp - Writing the notation of layouts ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

namespace {
class LayoutPrinter {
public:
  LayoutPrinter(const Layout &layout, llvm::raw_ostream &os)
      : layout(layout), os(os) {}

  void print();

private:
  void printOrder();
  void printSizes(bool isBlockedWanted);
  void printDim(unsigned dim);
  void printExtent(const AtomExtent &extent);

  bool isDivided(unsigned dim) const {
    return layout.getFactors(dim).size() > 1;
  }
  bool isBlocked(unsigned dim) const {
    return isDivided(dim) && layout.getFactors(dim).front().isRest();
  }
  std::optional<int64_t> getCommonBlock(llvm::ArrayRef<unsigned> dims) const;

  const Layout &layout;
  llvm::raw_ostream &os;
};
} // namespace

/// The block size, where all of `dims` are blocked once and by the same.
std::optional<int64_t>
LayoutPrinter::getCommonBlock(llvm::ArrayRef<unsigned> dims) const {
  llvm::SmallVector<AtomExtent> first = layout.getFactors(dims.front());
  bool isCommon = llvm::all_of(
      dims, [&](unsigned dim) { return layout.getFactors(dim) == first; });
  if (!isCommon || first.size() != 2 || !first.back().isKnown())
    return std::nullopt;
  return first.back().getValue();
}

/// Whether the parser reads `text` as one word.
static bool isWord(llvm::StringRef text) {
  return !llvm::isDigit(text.front()) && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
}

void LayoutPrinter::printDim(unsigned dim) {
  if (layout.getAxes().empty())
    os << dim;
  else
    os << layout.getAxes()[dim];
}

void LayoutPrinter::printExtent(const AtomExtent &extent) {
  if (!extent.isSymbol()) {
    os << extent.getValue();
  } else if (isWord(extent.getSymbol())) {
    os << extent.getSymbol();
  } else {
    os << '"';
    llvm::printEscapedString(extent.getSymbol(), os);
    os << '"';
  }
}

void LayoutPrinter::printOrder() {
  bool isNamed = !layout.getAxes().empty();
  os << (isNamed ? " as " : " as (");
  auto printAtom = [&](const Atom &atom) {
    printDim(atom.dim);
    if (isDivided(atom.dim))
      os << (isNamed ? "" : ":") << atom.factor;
  };
  llvm::interleave(layout.getOrder(), os, printAtom, isNamed ? "" : ",");
  os << (isNamed ? "" : ")");
}

/// "block" or "split" with the dimensions that are so divided.
void LayoutPrinter::printSizes(bool isBlockedWanted) {
  llvm::SmallVector<unsigned> dims;
  for (unsigned dim = 0, rank = layout.getRank().value_or(0); dim != rank;
       ++dim)
    if (isDivided(dim) && isBlocked(dim) == isBlockedWanted)
      dims.push_back(dim);
  if (dims.empty())
    return;
  os << (isBlockedWanted ? " block " : " split ");
  std::optional<int64_t> common =
      isBlockedWanted ? getCommonBlock(dims) : std::nullopt;
  if (common) {
    os << *common;
    return;
  }
  llvm::interleaveComma(dims, os, [&](unsigned dim) {
    printDim(dim);
    os << '=';
    llvm::SmallVector<AtomExtent> sizes = layout.getFactors(dim);
    llvm::interleave(
        llvm::ArrayRef(sizes).drop_front(isBlockedWanted), os,
        [&](const AtomExtent &extent) { printExtent(extent); }, "*");
  });
}

void LayoutPrinter::print() {
  if (layout.getAxes().empty())
    os << getName(layout.getClass());
  else
    os << layout.getAxes();
  if (layout.isRowMajor())
    return;
  printOrder();
  printSizes(true);
  printSizes(false);
  if (layout.getPadding() == Padding::Zero)
    os << " pad zero";
}

void Layout::print(llvm::raw_ostream &os) const {
  LayoutPrinter(*this, os).print();
}

std::string Layout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}
