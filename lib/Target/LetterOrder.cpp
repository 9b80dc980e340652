//===- LetterOrder.cpp - Storage orders by the letters of axes ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/LetterOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

/// From the outermost; a tensor has the last of them.
static constexpr llvm::StringLiteral spatialLetters = "TDHW";

static bool isSpatial(char letter) { return spatialLetters.contains(letter); }

static llvm::StringRef getRoleLetters(OrderRole role) {
  return role == OrderRole::Data ? "NC" : "OI";
}

std::optional<llvm::StringRef> inlay::getSpatialLetters(unsigned count) {
  if (count > maxSpatialAxes)
    return std::nullopt;
  return llvm::StringRef(spatialLetters).take_back(count);
}

static std::optional<std::string> getAxes(OrderRole role, unsigned rank) {
  if (rank < 2 || rank > 2 + maxSpatialAxes)
    return std::nullopt;
  return getRoleLetters(role).str() + getSpatialLetters(rank - 2)->str();
}

std::optional<std::string> inlay::getDataAxes(unsigned rank) {
  return getAxes(OrderRole::Data, rank);
}

std::optional<std::string> inlay::getWeightAxes(unsigned rank) {
  return getAxes(OrderRole::Weight, rank);
}

std::optional<std::string> inlay::expandForRank(llvm::StringRef order,
                                                unsigned rank) {
  if (order.size() == rank)
    return order.str();
  if (rank < 2 || rank > 2 + maxSpatialAxes)
    return std::nullopt;
  llvm::StringRef written = *getSpatialLetters(
      std::min<unsigned>(llvm::count_if(order, isSpatial), maxSpatialAxes));
  size_t begin = order.find(written);
  if (written.empty() || begin == order.npos)
    return std::nullopt;
  llvm::StringRef before = order.take_front(begin);
  llvm::StringRef after = order.drop_front(begin + written.size());
  return (before + *getSpatialLetters(rank - 2) + after).str();
}

std::optional<Layout> inlay::getOrderLayout(llvm::StringRef axes,
                                            llvm::StringRef order) {
  std::optional<std::string> expanded = expandForRank(order, axes.size());
  if (!expanded)
    return std::nullopt;
  return llvm::expectedToOptional(
      Layout::parse((axes + " as " + *expanded).str()));
}

std::optional<AtomSequence> inlay::getRuleOrder(llvm::StringRef axes,
                                                llvm::StringRef letters) {
  std::optional<std::string> expanded = expandForRank(letters, axes.size());
  if (!expanded)
    return std::nullopt;
  AtomSequence order;
  for (char letter : *expanded) {
    size_t dim = axes.find(letter);
    Atom atom{unsigned(dim)};
    // Each axis once.
    if (dim == llvm::StringRef::npos || llvm::is_contained(order, atom))
      return std::nullopt;
    order.push_back(atom);
  }
  bool isRowMajor = *expanded == axes;
  return isRowMajor ? AtomSequence() : order;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static llvm::StringRef describe(OrderRole role) {
  return role == OrderRole::Data ? "data" : "a weight";
}

static OrderRole getOther(OrderRole role) {
  return role == OrderRole::Data ? OrderRole::Weight : OrderRole::Data;
}

static std::string checkLetter(llvm::StringRef order, char letter,
                               OrderRole role) {
  std::string name = std::string("'") + letter + "'";
  OrderRole other = getOther(role);
  if (getRoleLetters(other).contains(letter))
    return name + " is an axis of " + describe(other).str() + ", not of " +
           describe(role).str();
  llvm::StringRef own = getRoleLetters(role);
  if (!own.contains(letter) && !isSpatial(letter))
    return name + " is no axis of " + describe(role).str() + ", which has " +
           own[0] + ", " + own[1] + " and the spatial W, HW, DHW or TDHW";
  if (order.count(letter) > 1)
    return "axis " + name + " occurs more than once";
  return "";
}

/// H without W is no order: which axis of a rank is missing?
static std::string checkSpatial(llvm::StringRef order) {
  std::string found;
  for (char letter : order)
    if (isSpatial(letter))
      found += letter;
  if (found.empty())
    return "a spatial axis is missing, expected W, HW, DHW or TDHW";
  llvm::StringRef expected =
      getSpatialLetters(std::min<unsigned>(found.size(), maxSpatialAxes))
          .value();
  for (char letter : expected)
    if (!llvm::StringRef(found).contains(letter))
      return "the spatial axes of " + std::to_string(order.size()) +
             " dimensions are " + expected.str() + ", found " + found;
  return "";
}

std::string inlay::checkOrder(llvm::StringRef order, OrderRole role) {
  if (order.empty())
    return "it has no axes";
  for (char letter : order)
    if (std::string fault = checkLetter(order, letter, role); !fault.empty())
      return fault;
  for (char letter : getRoleLetters(role))
    if (!order.contains(letter))
      return std::string("axis '") + letter + "' is missing";
  return checkSpatial(order);
}
