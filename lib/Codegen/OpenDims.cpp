//===- OpenDims.cpp - Dimensions of an open length ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation keeps elements of a length where they are: a view that has the
// same number of elements in front of and behind each such dimension, or an
// operator whose axes say so. Where it does not, they meet. Along a window's
// axis another length follows.
//
//===----------------------------------------------------------------------===//

#include "OpenDims.h"
#include "GraphComparison.h"
#include "IndexMaps.h"
#include "KernelBody.h"
#include "OpenWindows.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include <numeric>

using namespace inlay;
using namespace mlir;

namespace inlay {
class OpenDimFinder {
public:
  llvm::Error compare(func::FuncOp graph, ArrayRef<int64_t> largest,
                      ArrayRef<OpenDims::Probe> probes);
  llvm::Error follow(func::FuncOp graph);

  OpenDims found;

private:
  /// By axis, the length that it has.
  using AxisLengths = llvm::SmallDenseMap<unsigned, unsigned>;

  void addLength(const OpenDims::Length &length, SmallVector<int64_t> extents);
  std::optional<unsigned> find(Value value, unsigned dim) const;
  bool assign(Value value, unsigned dim, unsigned number);
  ArrayRef<unsigned> getOpen(Value value) const;
  bool assignLike(Value value, Value other);
  llvm::Error visit(Operation *op);
  llvm::Error enter(Operation *op);
  bool hasOpenDims(Operation *op) const;
  bool assignView(Operation *op);
  bool areOnOneAxis(ValueRange values,
                    ArrayRef<std::optional<TensorAxes>> tensors) const;
  bool addAxes(ValueRange values, ArrayRef<std::optional<TensorAxes>> tensors,
               bool areConstants, AxisLengths &axes);
  bool assignResults(Operation *op, const AxisMap &map, AxisLengths &axes);
  std::optional<unsigned> getLength(Operation *op, unsigned dim,
                                    const Axis &axis, unsigned number);
  std::optional<unsigned> getWindowed(Operation *op, unsigned dim,
                                      unsigned number);
  bool areAllOpen(ValueRange values,
                  ArrayRef<std::optional<TensorAxes>> tensors,
                  const AxisLengths &axes) const;
  void findMeeting(Operation *op, AxisKind kind);
  llvm::Error followAxes(Operation *op);

  GraphComparison comparison;
  ArrayRef<OpenDims::Probe> probes;
  /// By length: its extents in the probes.
  std::vector<SmallVector<int64_t>> extents;
};
} // namespace inlay

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

static llvm::Error cannotStayOpen(Operation *op, StringRef why) {
  return unsupportedError(
      "the length cannot stay open: " + describeNodeAround(op) + " " + why +
      " (give it with --dim)");
}

void OpenDimFinder::addLength(const OpenDims::Length &length,
                              SmallVector<int64_t> own) {
  found.lengths.push_back(length);
  extents.push_back(std::move(own));
}

llvm::Error OpenDimFinder::compare(func::FuncOp graph,
                                   ArrayRef<int64_t> largest,
                                   ArrayRef<OpenDims::Probe> given) {
  probes = given;
  for (auto [number, length] : llvm::enumerate(largest)) {
    SmallVector<int64_t> own;
    for (const OpenDims::Probe &probe : probes)
      own.push_back(probe.length == number ? probe.extent : length);
    addLength({length}, std::move(own));
  }
  for (const OpenDims::Probe &probe : probes)
    if (llvm::Error error =
            comparison.compare(graph, largest[probe.length], probe))
      return error;
  return llvm::Error::success();
}

/// The first length that has the extents of a dimension.
std::optional<unsigned> OpenDimFinder::find(Value value, unsigned dim) const {
  for (unsigned number = 0; number < extents.size(); ++number)
    if (found.lengths[number].largest == getExtents(value)[dim] &&
        extents[number] == comparison.getExtentsOf(value, dim))
      return number;
  return std::nullopt;
}

/// False where it has other extents.
bool OpenDimFinder::assign(Value value, unsigned dim, unsigned number) {
  SmallVector<unsigned, 2> &dims = found.dims[value];
  if (!llvm::is_contained(dims, dim)) {
    dims.push_back(dim);
    llvm::sort(dims);
  }
  found.numbers[{value, dim}] = number;
  return found.lengths[number].largest == getExtents(value)[dim] &&
         extents[number] == comparison.getExtentsOf(value, dim);
}

/// Which dimensions of what is read are of lengths.
ArrayRef<unsigned> OpenDimFinder::getOpen(Value value) const {
  return value.getDefiningOp<ConstantOp>() ? comparison.getDims(value)
                                           : found.get(value);
}

/// What has another name, and the same shape.
bool OpenDimFinder::assignLike(Value value, Value other) {
  // What is assigned may move what is known of others.
  for (unsigned dim : llvm::to_vector(getOpen(other))) {
    std::optional<unsigned> number = other.getDefiningOp<ConstantOp>()
                                         ? find(other, dim)
                                         : found.getNumber(other, dim);
    if (!number || !assign(value, dim, *number))
      return false;
  }
  return llvm::equal(found.get(value), getOpen(other));
}

//===----------------------------------------------------------------------===//
// Where elements meet
//===----------------------------------------------------------------------===//

bool OpenDimFinder::hasOpenDims(Operation *op) const {
  return llvm::any_of(op->getOperands(),
                      [&](Value value) { return !getOpen(value).empty(); }) ||
         llvm::any_of(op->getResults(), [&](Value value) {
           return !comparison.getDims(value).empty();
         });
}

/// The elements in front of the first dimension of a length, between it and
/// the next, and so on.
static SmallVector<int64_t> countBetween(Value value, ArrayRef<unsigned> open) {
  SmallVector<int64_t> counts = {1};
  for (auto [i, extent] : llvm::enumerate(getExtents(value)))
    if (llvm::is_contained(open, i))
      counts.push_back(1);
    else
      counts.back() *= extent;
  return counts;
}

/// Finds each dimension of a length of the operand in the result, with as many
/// elements in front of it; false where one is not there.
bool OpenDimFinder::assignView(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  SmallVector<unsigned> dims;
  auto count = [](ArrayRef<int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                           std::multiplies<>());
  };
  ArrayRef<int64_t> shape = getExtents(from), other = getExtents(to);
  for (unsigned dim : getOpen(from)) {
    unsigned found = 0;
    while (found < other.size() &&
           (other[found] != shape[dim] ||
            count(other.take_front(found)) != count(shape.take_front(dim))))
      ++found;
    if (found == other.size() || from.getDefiningOp<ConstantOp>())
      return false;
    pairs.push_back({dim, found});
    dims.push_back(found);
  }
  if (countBetween(from, getOpen(from)) != countBetween(to, dims))
    return false;
  for (auto [dim, place] : pairs)
    if (!assign(to, place, found.getNumber(from, dim)))
      return false;
  return true;
}

/// False where a dimension of a length has several axes or none.
bool OpenDimFinder::areOnOneAxis(
    ValueRange values, ArrayRef<std::optional<TensorAxes>> tensors) const {
  for (auto [value, tensor] : llvm::zip_equal(values, tensors))
    for (unsigned dim : getOpen(value))
      if (!tensor || (*tensor)[dim].size() != 1)
        return false;
  return true;
}

/// Finds the lengths of axes by operands; false where an axis has several.
/// Constants have those of what they are computed with, or such as have their
/// extents.
bool OpenDimFinder::addAxes(ValueRange values,
                            ArrayRef<std::optional<TensorAxes>> tensors,
                            bool areConstants, AxisLengths &axes) {
  for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
    bool isConstant = value.getDefiningOp<ConstantOp>() != nullptr;
    for (unsigned dim : llvm::to_vector(getOpen(value))) {
      if (isConstant != areConstants)
        continue;
      unsigned axis = (*tensor)[dim].front();
      auto it = axes.find(axis);
      std::optional<unsigned> number;
      if (!isConstant && found.numbers.contains({value, dim}))
        number = found.getNumber(value, dim);
      else if (isConstant)
        number = it != axes.end() ? it->second : find(value, dim);
      if (!number || (it != axes.end() && it->second != *number) ||
          !assign(value, dim, *number))
        return false;
      axes.insert({axis, *number});
    }
  }
  return true;
}

/// The length behind a window along a dimension of its operand.
std::optional<unsigned> OpenDimFinder::getWindowed(Operation *op, unsigned dim,
                                                   unsigned number) {
  std::optional<OpenDims::Length> following = getFollowing(op, dim, number);
  if (!following)
    return number;
  OpenDims::Length length = *following;
  if (length.add == 0 && length.divide == 1)
    return number;
  auto follow = [&](int64_t extent) {
    return (extent + length.add) / length.divide;
  };
  length.largest = follow(found.lengths[number].largest);
  auto it = llvm::find(found.lengths, length);
  if (it != found.lengths.end())
    return it - found.lengths.begin();
  SmallVector<int64_t> own;
  for (int64_t extent : extents[number])
    own.push_back(follow(extent));
  addLength(length, std::move(own));
  return found.lengths.size() - 1;
}

/// The length of a dimension of a result; nothing where it has another extent.
std::optional<unsigned> OpenDimFinder::getLength(Operation *op, unsigned dim,
                                                 const Axis &axis,
                                                 unsigned number) {
  return axis.kind == AxisKind::Window ? getWindowed(op, dim, number)
                                       : std::optional(number);
}

/// Along the same axes as operands; what only results have is of a length that
/// has its extents.
bool OpenDimFinder::assignResults(Operation *op, const AxisMap &map,
                                  AxisLengths &axes) {
  for (auto [result, tensor] :
       llvm::zip_equal(op->getResults(), map.getResults())) {
    ArrayRef<unsigned> differing = comparison.getDims(result);
    size_t rank = tensor ? tensor->size() : 0;
    if (!tensor && !differing.empty())
      return false;
    for (unsigned dim = 0; dim < rank; ++dim) {
      ArrayRef<unsigned> own = (*tensor)[dim];
      auto isOpen = [&](unsigned axis) { return axes.contains(axis); };
      bool isOn = llvm::any_of(own, isOpen);
      if (!isOn && !llvm::is_contained(differing, dim))
        continue;
      if (own.size() != 1)
        return false;
      std::optional<unsigned> number =
          isOn ? getLength(op, dim, map.getAxes()[own.front()],
                           axes.lookup(own.front()))
               : find(result, dim);
      if (!number || !assign(result, dim, *number))
        return false;
      axes.insert({own.front(), *number});
    }
  }
  return true;
}

/// Whether all that lies on these axes is of a length.
bool OpenDimFinder::areAllOpen(ValueRange values,
                               ArrayRef<std::optional<TensorAxes>> tensors,
                               const AxisLengths &axes) const {
  for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
    if (!tensor)
      continue;
    for (auto [dim, own] : llvm::enumerate(*tensor)) {
      bool isOn =
          llvm::any_of(own, [&](unsigned axis) { return axes.contains(axis); });
      if (isOn && !llvm::is_contained(getOpen(value), dim))
        return false;
    }
  }
  return true;
}

/// Whether only the first element is taken, which there is for every length.
static bool takesFirst(Operation *op) {
  std::optional<IndexOperand> own = getIndexOperand(op);
  MaybeInts ints = own ? getKnownInts(own->indices) : MaybeInts();
  return ints && llvm::all_of(*ints, [](int64_t i) { return i == 0; });
}

void OpenDimFinder::findMeeting(Operation *op, AxisKind kind) {
  if (kind == AxisKind::Window
          ? !hasWindowsOfOne(op)
          : kind == AxisKind::Reduced || kind == AxisKind::Contracted)
    found.meetings.insert(op);
}

llvm::Error OpenDimFinder::followAxes(Operation *op) {
  auto mapped = dyn_cast<AxisMapOpInterface>(op);
  AxisMap map = mapped ? mapped.getAxisMap() : AxisMap::opaque();
  if (map.isOpaque() || !areOnOneAxis(op->getOperands(), map.getOperands()))
    return cannotStayOpen(op, "does not say where elements along it go");
  AxisLengths axes;
  bool isKnown = addAxes(op->getOperands(), map.getOperands(),
                         /*areConstants=*/false, axes) &&
                 addAxes(op->getOperands(), map.getOperands(),
                         /*areConstants=*/true, axes);
  for (auto [axis, number] : axes) {
    AxisKind kind = map.getAxes()[axis].kind;
    if (kind == AxisKind::Concatenated)
      return cannotStayOpen(op, "puts something else in front of or behind it");
    if (kind == AxisKind::Indexed && !takesFirst(op))
      return cannotStayOpen(op, "takes elements along it that not every length "
                                "has");
    findMeeting(op, kind);
  }
  if (!isKnown || !areAllOpen(op->getOperands(), map.getOperands(), axes) ||
      !assignResults(op, map, axes))
    return cannotStayOpen(op, "has other extents along it");
  return llvm::Error::success();
}

/// What is inside has other names for what an operation reads.
llvm::Error OpenDimFinder::enter(Operation *op) {
  auto inLayout = dyn_cast<InLayoutOp>(op);
  if (!inLayout)
    return llvm::Error::success();
  for (auto [argument, operand] : llvm::zip_equal(
           inLayout.getBody().front().getArguments(), inLayout.getInputs()))
    if (!assignLike(argument, operand))
      return cannotStayOpen(op, "has other extents along it");
  return llvm::Error::success();
}

llvm::Error OpenDimFinder::visit(Operation *op) {
  if (isa<ConstantOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      !hasOpenDims(op))
    return llvm::Error::success();
  bool areAlike = true;
  if (isa<GroupOp, InLayoutOp>(op)) {
    Operation *end = op->getRegion(0).front().getTerminator();
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), end->getOperands()))
      areAlike &= assignLike(result, value);
  } else if (isa<IdentityOp>(op)) {
    areAlike = assignLike(op->getResult(0), op->getOperand(0));
  } else if (!isView(op) || !assignView(op)) {
    return followAxes(op);
  }
  return areAlike ? llvm::Error::success()
                  : cannotStayOpen(op, "has other extents along it");
}

/// What is inside of an operation is followed before its results are.
llvm::Error OpenDimFinder::follow(func::FuncOp graph) {
  for (Value argument : graph.getArguments())
    for (unsigned dim : comparison.getDims(argument)) {
      std::optional<unsigned> number = find(argument, dim);
      if (!number || !assign(argument, dim, *number))
        return unsupportedError("dimension " + llvm::Twine(dim) +
                                " of an input is of no length");
    }
  llvm::Error error = llvm::Error::success();
  graph->walk([&](Operation *op, const WalkStage &stage) {
    if (op == graph)
      return WalkResult::advance();
    llvm::Error own =
        stage.isBeforeAllRegions() ? enter(op) : llvm::Error::success();
    if (!own && stage.isAfterAllRegions())
      own = visit(op);
    if (!own)
      return WalkResult::advance();
    error = llvm::joinErrors(std::move(error), std::move(own));
    return WalkResult::interrupt();
  });
  return error;
}

//===----------------------------------------------------------------------===//
// What was found
//===----------------------------------------------------------------------===//

SmallVector<uint32_t> OpenDims::getNumbers(Value value) const {
  SmallVector<uint32_t> all(getExtents(value).size());
  for (unsigned dim : get(value))
    all[dim] = getNumber(value, dim) + 1;
  return all;
}

SmallVector<Operation *> OpenDims::getMeetings(Operation *step) const {
  SmallVector<Operation *> all;
  step->walk([&](Operation *op) {
    if (meets(op))
      all.push_back(op);
  });
  return all;
}

bool OpenDims::isOutermost(Value value) const {
  ArrayRef<unsigned> open = get(value);
  return !open.empty() &&
         llvm::all_of(getExtents(value).take_front(open.front()),
                      [](int64_t extent) { return extent == 1; });
}

llvm::Error OpenDims::compare(func::FuncOp graph, int64_t extent,
                              const Probe &probe) {
  return GraphComparison().compare(graph, extent, probe);
}

llvm::Expected<OpenDims> OpenDims::find(func::FuncOp graph,
                                        ArrayRef<int64_t> largest,
                                        ArrayRef<Probe> probes) {
  OpenDimFinder finder;
  if (llvm::Error error = finder.compare(graph, largest, probes))
    return std::move(error);
  if (llvm::Error error = finder.follow(graph))
    return std::move(error);
  return std::move(finder.found);
}
