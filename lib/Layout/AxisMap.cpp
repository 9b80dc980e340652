//===- AxisMap.cpp - How an operator relates dimensions -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/AxisMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

unsigned AxisMap::addAxis(Axis axis) {
  axes.push_back(axis);
  return axes.size() - 1;
}

//===----------------------------------------------------------------------===//
// Validity
//===----------------------------------------------------------------------===//

static bool usesAxesOnce(const std::optional<TensorAxes> &tensor,
                         unsigned numAxes) {
  if (!tensor)
    return true;
  llvm::SmallBitVector seen(numAxes);
  for (const DimAxes &dim : *tensor)
    for (unsigned axis : dim) {
      if (axis >= numAxes || seen.test(axis))
        return false;
      seen.set(axis);
    }
  return true;
}

bool AxisMap::isValid() const {
  auto valid = [&](const std::optional<TensorAxes> &tensor) {
    return usesAxesOnce(tensor, axes.size());
  };
  return llvm::all_of(operands, valid) && llvm::all_of(results, valid);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static llvm::StringRef getName(AxisKind kind) {
  switch (kind) {
  case AxisKind::Parallel:
    return "parallel";
  case AxisKind::Window:
    return "window";
  case AxisKind::Reduced:
    return "reduced";
  case AxisKind::Contracted:
    return "contracted";
  case AxisKind::Concatenated:
    return "concatenated";
  case AxisKind::Indexed:
    return "indexed";
  case AxisKind::Created:
    return "created";
  }
  return "";
}

static void printTensor(llvm::raw_ostream &os,
                        const std::optional<TensorAxes> &tensor) {
  if (!tensor) {
    os << '_';
    return;
  }
  os << '[';
  llvm::interleaveComma(*tensor, os, [&](const DimAxes &dim) {
    if (dim.size() != 1)
      os << '(';
    llvm::interleave(dim, os, [&](unsigned axis) { os << 'd' << axis; }, " ");
    if (dim.size() != 1)
      os << ')';
  });
  os << ']';
}

void AxisMap::print(llvm::raw_ostream &os) const {
  if (unknown) {
    os << "opaque";
    return;
  }
  llvm::interleaveComma(llvm::enumerate(axes), os, [&](auto indexed) {
    os << getName(indexed.value().kind) << " d" << indexed.index();
    if (indexed.value().extent != dynamicExtent)
      os << '=' << indexed.value().extent;
  });
  os << " : ";
  auto print = [&](const auto &tensor) { printTensor(os, tensor); };
  llvm::interleaveComma(operands, os, print);
  os << " -> ";
  llvm::interleaveComma(results, os, print);
}

//===----------------------------------------------------------------------===//
// Common factors of two shapes
//===----------------------------------------------------------------------===//

static bool hasAtMostOneUnknown(llvm::ArrayRef<int64_t> shape) {
  return llvm::count(shape, dynamicExtent) <= 1;
}

namespace {
/// Walks the dimensions of one shape, taking factors off the current one.
class FactorCursor {
public:
  explicit FactorCursor(llvm::ArrayRef<int64_t> shape)
      : shape(shape), dims(shape.size()) {
    skipUnits();
  }

  bool atEnd() const { return dim == shape.size(); }
  int64_t getRest() const { return rest; }

  void take(int64_t factor, unsigned axis) {
    dims[dim].push_back(axis);
    rest = factor == rest ? 1 : rest / factor;
    if (rest == 1) {
      ++dim;
      skipUnits();
    }
  }

  TensorAxes takeDims() { return std::move(dims); }

private:
  void skipUnits() {
    while (dim < shape.size() && shape[dim] == 1)
      ++dim;
    rest = dim < shape.size() ? shape[dim] : 1;
  }

  llvm::ArrayRef<int64_t> shape;
  TensorAxes dims;
  size_t dim = 0;
  int64_t rest = 1;
};
} // namespace

/// The factor that two rests share at their major end, or nothing.
static std::optional<int64_t> getCommonFactor(int64_t a, int64_t b) {
  if (a == b)
    return a;
  if (a == dynamicExtent || b == dynamicExtent || a == 0 || b == 0)
    return std::nullopt;
  int64_t smaller = std::min(a, b);
  if (std::max(a, b) % smaller != 0)
    return std::nullopt;
  return smaller;
}

std::optional<CommonFactors> inlay::factorShapes(llvm::ArrayRef<int64_t> from,
                                                 llvm::ArrayRef<int64_t> to) {
  // Two unknown extents on one side may be anything as long as their product
  // is right.
  if (!hasAtMostOneUnknown(from) || !hasAtMostOneUnknown(to))
    return std::nullopt;
  CommonFactors result;
  FactorCursor a(from), b(to);
  while (!a.atEnd() && !b.atEnd()) {
    std::optional<int64_t> factor = getCommonFactor(a.getRest(), b.getRest());
    if (!factor)
      return std::nullopt;
    unsigned axis = result.factors.size();
    result.factors.push_back(*factor);
    a.take(*factor, axis);
    b.take(*factor, axis);
  }
  if (!a.atEnd() || !b.atEnd())
    return std::nullopt;
  result.from = a.takeDims();
  result.to = b.takeDims();
  return result;
}
