//===- Format.cpp - Blocked storage orders by name ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;

int64_t Format::getBlock(char axis, llvm::StringRef elementType) const {
  auto ofType = blocksOfType.find(elementType);
  if (ofType != blocksOfType.end())
    if (auto own = ofType->second.find(axis); own != ofType->second.end())
      return own->second;
  auto common = blocks.find(axis);
  return common == blocks.end() ? 1 : common->second;
}

std::string inlay::getFormatAxes(llvm::StringRef order) {
  std::string axes;
  for (char c : llvm::reverse(order))
    if (!llvm::isDigit(c) && !llvm::is_contained(axes, c))
      axes.insert(axes.begin(), c);
  return axes;
}

/// `order` for a tensor of `rank`: its run of spatial letters is replaced.
static std::optional<std::string> expandFormat(llvm::StringRef order,
                                               unsigned rank) {
  unsigned written = getFormatAxes(order).size();
  if (written == rank)
    return order.str();
  auto from = getSpatialLetters(written - 2);
  auto to = rank < 2 ? std::nullopt : getSpatialLetters(rank - 2);
  size_t begin = from && !from->empty() ? order.find(*from) : order.npos;
  if (!to || begin == order.npos)
    return std::nullopt;
  return (order.take_front(begin) + *to +
          order.drop_front(begin + from->size()))
      .str();
}

std::optional<AtomSequence> inlay::getFormatOrder(const Format &format,
                                                  llvm::StringRef axes,
                                                  llvm::StringRef elementType) {
  std::optional<std::string> order = expandFormat(format.order, axes.size());
  if (!order)
    return std::nullopt;
  AtomSequence atoms;
  for (size_t i = 0; i < order->size(); ++i) {
    char letter = (*order)[i];
    size_t dim = axes.find(letter);
    if (dim == llvm::StringRef::npos)
      return std::nullopt;
    bool isFactor = i + 1 < order->size() && llvm::isDigit((*order)[i + 1]);
    if (!isFactor) {
      atoms.push_back({unsigned(dim)});
      continue;
    }
    unsigned factor = (*order)[++i] - '0';
    atoms.push_back({unsigned(dim), factor,
                     factor == 0
                         ? AtomExtent::of(format.getBlock(letter, elementType))
                         : AtomExtent::rest()});
  }
  return atoms;
}
