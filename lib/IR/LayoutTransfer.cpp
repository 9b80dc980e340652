//===- LayoutTransfer.cpp - Layouts from one tensor to another ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/LayoutTransfer.h"
#include "llvm/ADT/SmallBitVector.h"
#include <tuple>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Making and ordering layouts
//===----------------------------------------------------------------------===//

/// `first`, which is two letters, and then the spatial axes.
static LayoutAttr getNamedLayout(MLIRContext *context, StringRef first,
                                 int64_t rank) {
  constexpr StringRef spatial = "TDHW";
  if (rank < 3 || rank > int64_t(2 + spatial.size()))
    return {};
  std::string axes = first.str();
  axes += spatial.take_back(rank - 2);
  return LayoutAttr::get(context, llvm::cantFail(Layout::getNamed(axes)));
}

LayoutAttr inlay::getFeatureLayout(MLIRContext *context, int64_t rank) {
  return getNamedLayout(context, "NC", rank);
}

LayoutAttr inlay::getWeightLayout(MLIRContext *context, int64_t rank,
                                  bool transposed) {
  return getNamedLayout(context, transposed ? "IO" : "OI", rank);
}

LayoutAttr inlay::getNTensorLayout(MLIRContext *context) {
  return LayoutAttr::get(context, Layout::getNTensor());
}

LayoutAttr inlay::getTensorLayout(MLIRContext *context) {
  return LayoutAttr::get(context, Layout::getTensor());
}

LayoutAttr inlay::getStronger(LayoutAttr a, LayoutAttr b) {
  if (!a || !b || a == b)
    return a ? a : b;
  auto getKey = [](LayoutAttr attr) {
    const Layout &layout = attr.getLayout();
    return std::make_pair(layout.getClass(), layout.getAxes());
  };
  return getKey(a) < getKey(b) ? a : b;
}

//===----------------------------------------------------------------------===//
// Along the axes
//===----------------------------------------------------------------------===//

/// The dimension of `dims` that runs along exactly the axes of `dim`.
static std::optional<size_t> findDim(const TensorAxes &dims,
                                     const DimAxes &dim) {
  const auto *found = dim.empty() ? dims.end() : llvm::find(dims, dim);
  if (found == dims.end())
    return std::nullopt;
  return found - dims.begin();
}

/// Whether both tensors have the same axes in the same order, as the two sides
/// of a reshape have.
static bool haveSameAxes(const TensorAxes &from, const TensorAxes &to) {
  auto flatten = [](const TensorAxes &dims) {
    SmallVector<unsigned> axes;
    for (const DimAxes &dim : dims)
      axes.append(dim.begin(), dim.end());
    return axes;
  };
  return flatten(from) == flatten(to);
}

LayoutAttr inlay::transferLayout(LayoutAttr layout, const TensorAxes &from,
                                 const TensorAxes &to) {
  if (from.size() != to.size())
    return {};
  StringRef axes = layout.getLayout().getAxes();
  if (axes.empty())
    return layout;
  std::string names(to.size(), 0);
  llvm::SmallBitVector taken(from.size());
  for (auto [name, dim] : llvm::zip_equal(names, to))
    if (std::optional<size_t> source = findDim(from, dim)) {
      name = axes[*source];
      taken.set(*source);
    }
  bool isReshape = haveSameAxes(from, to);
  for (auto [i, name] : llvm::enumerate(names)) {
    if (name)
      continue;
    // Dimensions that a reshape cuts anew mean nothing that has a name.
    bool isCutAnew = isReshape && !(from[i].empty() && to[i].empty());
    if (taken.test(i) || isCutAnew)
      return {};
    name = axes[i];
  }
  if (names == axes)
    return layout;
  return LayoutAttr::get(layout.getContext(),
                         llvm::cantFail(Layout::getNamed(names)));
}

/// Whether some dimension of the operand is one element that is repeated along
/// the result's.
static bool isBroadcast(const TensorAxes &operand, const TensorAxes &result) {
  return llvm::any_of(llvm::zip(operand, result), [](auto dims) {
    return std::get<0>(dims).empty() && !std::get<1>(dims).empty();
  });
}

void inlay::inferOperandLayoutsByAxes(const AxisMap &map,
                                      ArrayRef<LayoutAttr> results,
                                      MutableArrayRef<LayoutAttr> operands) {
  if (map.isOpaque())
    return;
  for (auto [layout, from] : llvm::zip_equal(results, map.getResults())) {
    if (!layout || !from)
      continue;
    for (auto [operand, to] : llvm::zip_equal(operands, map.getOperands()))
      if (to && !isBroadcast(*to, *from))
        operand = getStronger(operand, transferLayout(layout, *from, *to));
  }
}

void inlay::inferResultLayoutsByAxes(const AxisMap &map,
                                     ArrayRef<LayoutAttr> operands,
                                     MutableArrayRef<LayoutAttr> results) {
  if (map.isOpaque())
    return;
  for (auto [result, to] : llvm::zip_equal(results, map.getResults())) {
    if (!to)
      continue;
    for (auto [layout, from] : llvm::zip_equal(operands, map.getOperands()))
      if (layout && from)
        result = getStronger(result, transferLayout(layout, *from, *to));
  }
}
