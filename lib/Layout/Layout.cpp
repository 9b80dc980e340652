//===- Layout.cpp - How a tensor is stored --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/Layout.h"
#include "inlay/Support/CheckedMath.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <mutex>
#include <set>

using namespace inlay;

const std::string *AtomExtent::internSymbol(llvm::StringRef name) {
  if (name.empty())
    return nullptr;
  static std::mutex mutex;
  static std::set<std::string, std::less<>> symbols;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = symbols.find(std::string_view(name));
  if (it == symbols.end())
    it = symbols.insert(name.str()).first;
  return &*it;
}

llvm::StringRef inlay::getName(LayoutClass layoutClass) {
  switch (layoutClass) {
  case LayoutClass::Feature:
    return "Feature";
  case LayoutClass::Weight:
    return "Weight";
  case LayoutClass::NTensor:
    return "NTensor";
  case LayoutClass::Tensor:
    return "Tensor";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Factors of a dimension
//===----------------------------------------------------------------------===//

/// The atoms of one dimension, minor first.
using Factors = llvm::SmallVector<const Atom *, 2>;

static Factors collectFactors(llvm::ArrayRef<Atom> order, unsigned dim) {
  Factors factors;
  for (const Atom &atom : order)
    if (atom.dim == dim)
      factors.push_back(&atom);
  llvm::sort(factors, [](const Atom *a, const Atom *b) {
    return a->factor < b->factor;
  });
  return factors;
}

namespace {
struct Product {
  /// The product of the extents that are numbers.
  int64_t value = 1;
  /// Whether those are all.
  bool isKnown = true;
};
} // namespace

/// The product of the extents, or nothing when it does not fit.
static std::optional<Product> multiply(llvm::ArrayRef<const Atom *> factors) {
  Product product;
  for (const Atom *atom : factors) {
    if (!atom->extent.isKnown()) {
      product.isKnown = false;
      continue;
    }
    auto value = checkedMul(product.value, atom->extent.getValue());
    if (!value)
      return std::nullopt;
    product.value = *value;
  }
  return product;
}

/// The product of the factors of `atom`'s dimension that are minor to it. It
/// fits, since setOrder has checked the order.
static Product getStride(llvm::ArrayRef<Atom> order, const Atom &atom) {
  Factors factors = collectFactors(order, atom.dim);
  return *multiply(llvm::ArrayRef(factors).take_front(atom.factor));
}

//===----------------------------------------------------------------------===//
// Blocks and their padding
//===----------------------------------------------------------------------===//

std::optional<llvm::SmallVector<unsigned>>
inlay::getDimOrder(llvm::ArrayRef<Atom> order) {
  llvm::SmallVector<unsigned> dims;
  for (const Atom &atom : order) {
    if (!dims.empty() && dims.back() == atom.dim)
      continue;
    if (llvm::is_contained(dims, atom.dim))
      return std::nullopt;
    dims.push_back(atom.dim);
  }
  return dims;
}

AtomSequence inlay::arrangeDims(llvm::ArrayRef<Atom> order,
                                llvm::ArrayRef<unsigned> dims) {
  AtomSequence arranged;
  for (unsigned dim : dims)
    llvm::copy_if(order, std::back_inserter(arranged),
                  [&](const Atom &atom) { return atom.dim == dim; });
  bool isRowMajor = llvm::all_of(llvm::enumerate(arranged), [](auto entry) {
    return entry.value() == Atom{unsigned(entry.index())};
  });
  return isRowMajor ? AtomSequence() : arranged;
}

bool inlay::isBlocked(llvm::ArrayRef<Atom> order) {
  return llvm::any_of(order, countsBlocks);
}

Padding inlay::getPadding(llvm::ArrayRef<Atom> order) {
  bool isZero =
      isBlocked(order) && llvm::all_of(order, [](const Atom &atom) {
        return !countsBlocks(atom) || atom.extent.getPadding() == Padding::Zero;
      });
  return isZero ? Padding::Zero : Padding::Any;
}

AtomSequence inlay::withPadding(llvm::ArrayRef<Atom> order, Padding padding) {
  AtomSequence atoms(order);
  for (Atom &atom : atoms)
    if (countsBlocks(atom))
      atom.extent = AtomExtent::rest(padding);
  return atoms;
}

std::optional<AtomSequence>
inlay::resolveBlocks(llvm::ArrayRef<Atom> order,
                     llvm::ArrayRef<int64_t> shape) {
  AtomSequence atoms(order);
  for (Atom &atom : atoms) {
    if (!countsBlocks(atom))
      continue;
    Product block = getStride(order, atom);
    int64_t extent = shape[atom.dim];
    if (extent == dynamicExtent || extent == 0 || !block.isKnown)
      return std::nullopt;
    if (extent % block.value == 0)
      atom.extent = AtomExtent::of(extent / block.value);
  }
  return atoms;
}

llvm::SmallVector<int64_t>
inlay::getPaddedShape(llvm::ArrayRef<Atom> order,
                      llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> padded(shape);
  for (const Atom &atom : order) {
    if (!countsBlocks(atom))
      continue;
    Product block = getStride(order, atom);
    int64_t &extent = padded[atom.dim];
    if (extent == dynamicExtent || !block.isKnown)
      extent = dynamicExtent;
    else if (int64_t beyond = extent % block.value)
      extent += block.value - beyond;
  }
  return padded;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

std::string inlay::describeDim(llvm::StringRef axes, unsigned dim) {
  if (axes.empty())
    return "dimension " + std::to_string(dim);
  return std::string("axis ") + axes[dim];
}

static llvm::Expected<LayoutClass> getClassOf(llvm::StringRef axes) {
  for (size_t i = 0; i != axes.size(); ++i) {
    if (!llvm::isUpper(axes[i]))
      return usageError("axes must be upper-case letters, found '" + axes +
                        "'");
    if (axes.find(axes[i], i + 1) != llvm::StringRef::npos)
      return usageError("axis " + llvm::Twine(axes[i]) + " occurs twice in " +
                        axes);
  }
  bool isFeature = axes.contains('N') && axes.contains('C');
  bool isWeight = axes.contains('O') && axes.contains('I');
  if (isFeature == isWeight)
    return usageError("axes must have either N and C or O and I, found '" +
                      axes + "'");
  return isFeature ? LayoutClass::Feature : LayoutClass::Weight;
}

/// The factors of each dimension occur once each, numbered without gaps.
static llvm::Error checkNumbers(llvm::ArrayRef<const Atom *> factors,
                                llvm::StringRef name) {
  if (factors.empty())
    return usageError("storage order lacks " + name);
  for (auto [number, atom] : llvm::enumerate(factors)) {
    if (atom->factor < number)
      return usageError("factor " + llvm::Twine(atom->factor) + " of " + name +
                        " occurs twice in the storage order");
    if (atom->factor > number)
      return usageError("storage order lacks factor " + llvm::Twine(number) +
                        " of " + name);
  }
  return llvm::Error::success();
}

/// Only the major factor may be what the others leave, and the rest multiply to
/// something that can be counted.
static llvm::Error checkExtents(llvm::ArrayRef<const Atom *> factors,
                                llvm::StringRef name) {
  if (factors.size() == 1 && !factors.front()->extent.isRest())
    return usageError(name + " is divided into one factor");
  for (const Atom *atom : factors) {
    if (atom->extent.isRest() && atom != factors.back())
      return usageError("factor " + llvm::Twine(atom->factor) + " of " + name +
                        " has no extent");
    if (atom->extent.isKnown() && atom->extent.getValue() <= 0)
      return usageError("sizes of " + name + " must be positive, found " +
                        llvm::Twine(atom->extent.getValue()));
  }
  if (!multiply(factors))
    return usageError("product of the sizes of " + name + " overflows");
  return llvm::Error::success();
}

static llvm::Error checkOrder(llvm::ArrayRef<Atom> order,
                              llvm::StringRef axes) {
  if (order.size() > Layout::maxAtoms)
    return usageError("storage order must have at most " +
                      llvm::Twine(Layout::maxAtoms) + " atoms, found " +
                      llvm::Twine(order.size()));
  unsigned rank = axes.size();
  for (const Atom &atom : order) {
    if (atom.dim >= (axes.empty() ? order.size() : axes.size()))
      return usageError("dimension " + llvm::Twine(atom.dim) +
                        " is out of range for a storage order of " +
                        llvm::Twine(order.size()) + " atoms");
    rank = std::max(rank, atom.dim + 1);
  }
  for (unsigned dim = 0; dim != rank; ++dim) {
    Factors factors = collectFactors(order, dim);
    std::string name = describeDim(axes, dim);
    if (llvm::Error error = checkNumbers(factors, name))
      return error;
    if (llvm::Error error = checkExtents(factors, name))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// Whether the atoms lie as row-major order has them.
static bool isLogicalOrder(llvm::ArrayRef<Atom> order) {
  return llvm::is_sorted(order, [](const Atom &a, const Atom &b) {
    return a.dim != b.dim ? a.dim < b.dim : a.factor > b.factor;
  });
}

llvm::Error Layout::setOrder(AtomSequence atoms, Padding state) {
  order = std::move(atoms);
  if (llvm::Error error = checkOrder(order, axes))
    return error;
  // One state holds for all blocked dimensions.
  if (state == Padding::Any)
    state = inlay::getPadding(order);
  order = withPadding(order, state);
  if (state == Padding::Zero && !isBlocked())
    return usageError("padding is stated, but nothing is blocked");
  if (!isBlocked() && isLogicalOrder(order))
    order.clear();
  return llvm::Error::success();
}

llvm::Expected<Layout> Layout::getNamed(llvm::StringRef axes,
                                        AtomSequence order, Padding padding) {
  auto layoutClass = getClassOf(axes);
  if (!layoutClass)
    return layoutClass.takeError();
  Layout layout(*layoutClass);
  layout.axes = axes.str();
  if (order.empty())
    order = layout.getAtoms(axes.size());
  if (llvm::Error error = layout.setOrder(std::move(order), padding))
    return error;
  return layout;
}

llvm::Expected<Layout> Layout::getUnnamed(LayoutClass layoutClass,
                                          AtomSequence order, Padding padding) {
  assert((layoutClass == LayoutClass::Tensor ||
          layoutClass == LayoutClass::NTensor) &&
         "Feature and Weight have named axes");
  Layout layout(layoutClass);
  if (llvm::Error error = layout.setOrder(std::move(order), padding))
    return error;
  return layout;
}

llvm::hash_code inlay::hash_value(const Layout &layout) {
  return llvm::hash_combine(
      layout.layoutClass, layout.axes,
      llvm::hash_combine_range(layout.order.begin(), layout.order.end()));
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

AtomSequence Layout::getAtoms(unsigned rank) const {
  if (!order.empty())
    return order;
  AtomSequence atoms(rank);
  for (unsigned dim = 0; dim != rank; ++dim)
    atoms[dim].dim = dim;
  return atoms;
}

llvm::SmallVector<AtomExtent> Layout::getFactors(unsigned dim) const {
  if (order.empty())
    return {AtomExtent::rest()};
  Factors factors = collectFactors(order, dim);
  return llvm::map_to_vector(llvm::reverse(factors),
                             [](const Atom *atom) { return atom->extent; });
}

std::optional<unsigned> Layout::getRank() const {
  if (!axes.empty())
    return axes.size();
  if (order.empty())
    return std::nullopt;
  unsigned last = 0;
  for (const Atom &atom : order)
    last = std::max(last, atom.dim);
  return last + 1;
}

std::optional<llvm::SmallVector<unsigned>>
Layout::getPermutation(unsigned rank) const {
  if (llvm::any_of(order, [](const Atom &atom) { return atom.factor > 0; }))
    return std::nullopt;
  llvm::SmallVector<unsigned> permutation;
  for (const Atom &atom : getAtoms(rank))
    permutation.push_back(atom.dim);
  return permutation;
}

//===----------------------------------------------------------------------===//
// Shapes and indices
//===----------------------------------------------------------------------===//

/// What is wrong with storing `extent` elements along `factors`, or nothing.
static std::string findFault(llvm::ArrayRef<const Atom *> factors,
                             int64_t extent) {
  if (extent == dynamicExtent || factors.back()->extent.isRest())
    return "";
  Product product = *multiply(factors);
  bool fits =
      product.isKnown ? extent == product.value : extent % product.value == 0;
  if (fits)
    return "";
  return std::string("extent ") + (product.isKnown ? "" : "a multiple of ") +
         std::to_string(product.value) + ", found " + std::to_string(extent);
}

llvm::Error Layout::verify(llvm::ArrayRef<int64_t> shape) const {
  std::optional<unsigned> rank = getRank();
  if (rank && *rank != shape.size())
    return modelError("layout " + str() + " needs rank " + llvm::Twine(*rank) +
                      ", found " + llvm::Twine(shape.size()));
  if (order.empty())
    return llvm::Error::success();
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    std::string fault = findFault(collectFactors(order, dim), extent);
    if (!fault.empty())
      return modelError("layout " + str() + " needs " + describeDim(axes, dim) +
                        " of " + fault);
  }
  return llvm::Error::success();
}

/// How many blocks of `size` elements hold `extent` elements.
static int64_t countBlocks(int64_t extent, Product size) {
  if (extent == dynamicExtent || !size.isKnown)
    return dynamicExtent;
  return extent / size.value + (extent % size.value != 0);
}

llvm::SmallVector<int64_t>
Layout::getPhysicalShape(llvm::ArrayRef<int64_t> shape) const {
  if (order.empty())
    return llvm::SmallVector<int64_t>(shape);
  llvm::SmallVector<int64_t> extents;
  for (const Atom &atom : order)
    extents.push_back(atom.extent.isRest()
                          ? countBlocks(shape[atom.dim], getStride(order, atom))
                          : atom.extent.getValue());
  return extents;
}

std::optional<llvm::SmallVector<int64_t>>
Layout::getPhysicalIndex(llvm::ArrayRef<int64_t> index) const {
  if (order.empty())
    return llvm::SmallVector<int64_t>(index);
  llvm::SmallVector<int64_t> position;
  for (const Atom &atom : order) {
    bool isMajor = collectFactors(order, atom.dim).back() == &atom;
    Product stride = getStride(order, atom);
    if (!stride.isKnown || (!isMajor && !atom.extent.isKnown()))
      return std::nullopt;
    int64_t quotient = index[atom.dim] / stride.value;
    position.push_back(isMajor ? quotient : quotient % atom.extent.getValue());
  }
  return position;
}
