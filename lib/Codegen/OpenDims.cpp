//===- OpenDims.cpp - Dimensions of an open length ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Both graphs have the same operations, one by one, and types that differ
//    in extents which are the length. Constants are the same, or begin alike
//    along such dimensions; attributes are the same but for those that say no
//    more than a type does.
// 2. An operation keeps elements of the length where they are: a view that has
//    the same number of elements in front of and behind each such dimension, or
//    an operator whose axes say so. Where it does not, they meet.
//
//===----------------------------------------------------------------------===//

#include "OpenDims.h"
#include "IndexMaps.h"
#include "KernelBody.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

namespace inlay {
class OpenDimFinder {
public:
  OpenDimFinder(int64_t length, int64_t probeLength)
      : probeLength(probeLength) {
    found.length = length;
  }

  llvm::Error compare(Block &graph, Block &probe);
  llvm::Error follow(Block &graph);

  OpenDims found;

private:
  llvm::Error compareBodies(Block &graph, Block &probe);
  llvm::Error compareOps(Operation *own, Operation *other);
  llvm::Error compareOperands(Operation *own, Operation *other);
  llvm::Error compareValues(Value own, Value other, Operation *where);
  llvm::Error compareConstants(ConstantOp own, ConstantOp other);
  llvm::Error visit(Operation *op);
  bool hasOpenDims(Operation *op) const;
  bool isKeptByView(Operation *op) const;
  bool addOpenAxes(ValueRange values,
                   ArrayRef<std::optional<TensorAxes>> tensors,
                   llvm::SmallDenseSet<unsigned> &axes) const;
  bool areAllOpen(ValueRange values,
                  ArrayRef<std::optional<TensorAxes>> tensors,
                  const llvm::SmallDenseSet<unsigned> &axes) const;
  llvm::Error followAxes(Operation *op);
  llvm::Error differs(Operation *op, const llvm::Twine &what) const;

  int64_t probeLength;
  llvm::DenseMap<Value, Value> matched;
};
} // namespace inlay

//===----------------------------------------------------------------------===//
// Two graphs
//===----------------------------------------------------------------------===//

llvm::Error OpenDimFinder::differs(Operation *op,
                                   const llvm::Twine &what) const {
  return unsupportedError("the length cannot stay open: what is computed for " +
                          llvm::Twine(found.length) + " and for " +
                          llvm::Twine(probeLength) + " differs at " +
                          describeNode(op) + ", " + what +
                          " (give it with --dim)");
}

llvm::Error OpenDimFinder::compareValues(Value own, Value other,
                                         Operation *where) {
  matched[own] = other;
  if (own.getType() == other.getType())
    return llvm::Error::success();
  auto type = dyn_cast<RankedTensorType>(own.getType()),
       otherType = dyn_cast<RankedTensorType>(other.getType());
  if (!type || !otherType || type.getRank() != otherType.getRank() ||
      type.getElementType() != otherType.getElementType() ||
      type.getEncoding() != otherType.getEncoding())
    return differs(where, "in more than extents");
  for (auto [i, pair] : llvm::enumerate(
           llvm::zip_equal(type.getShape(), otherType.getShape()))) {
    auto [extent, otherExtent] = pair;
    if (extent == otherExtent)
      continue;
    if (extent != found.length || otherExtent != probeLength)
      return differs(where, "where dimension " + llvm::Twine(i) + " is " +
                                llvm::Twine(extent) + " and " +
                                llvm::Twine(otherExtent));
    found.dims[own].push_back(i);
  }
  return llvm::Error::success();
}

/// Whether `part` is what `whole` begins with along each dimension.
static bool beginsWith(const HostTensor &whole, const HostTensor &part) {
  ArrayRef<int64_t> shape = part.getShape();
  size_t width = getHostByteWidth(part.getType());
  int64_t line = shape.back(), numLines = part.getNumElements() / line;
  for (int64_t i = 0; i < numLines; ++i) {
    int64_t place = 0, stride = whole.getShape().back(), rest = i;
    for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim) {
      place += rest % shape[dim] * stride;
      rest /= shape[dim];
      stride *= whole.getShape()[dim];
    }
    if (whole.getBytes().slice(place * width, line * width) !=
        part.getBytes().slice(i * line * width, line * width))
      return false;
  }
  return true;
}

llvm::Error OpenDimFinder::compareConstants(ConstantOp own, ConstantOp other) {
  if (llvm::Error error = compareValues(own, other, own))
    return error;
  if (own.getValue() == other.getValue())
    return llvm::Error::success();
  auto whole = getHostTensor(own.getValue());
  if (!whole)
    return whole.takeError();
  auto part = getHostTensor(other.getValue());
  if (!part)
    return part.takeError();
  bool isKnown = whole->getType() != ElementType::String;
  bool areAlike = isKnown && part->getNumElements() != 0 &&
                  (part->getRank() == 0 ? whole->getBytes() == part->getBytes()
                                        : beginsWith(*whole, *part));
  return areAlike ? llvm::Error::success()
                  : differs(own, "a constant that depends on the length");
}

static bool isView(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::View &&
         op->getNumOperands() == 1 && op->getNumResults() == 1;
}

/// Whether a type says all that the attributes do.
static bool isSaidByTypes(Operation *op) {
  return isView(op) || isa<ExpandOp, GroupOp>(op);
}

/// Constants stand anywhere in front of what reads them.
llvm::Error OpenDimFinder::compareOperands(Operation *own, Operation *other) {
  for (auto [operand, otherOperand] :
       llvm::zip_equal(own->getOperands(), other->getOperands())) {
    if (matched.lookup(operand) == otherOperand)
      continue;
    auto constant = operand.getDefiningOp<ConstantOp>(),
         otherConstant = otherOperand.getDefiningOp<ConstantOp>();
    if (!constant || !otherConstant)
      return differs(own, "which reads something else");
    if (llvm::Error error = compareConstants(constant, otherConstant))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error OpenDimFinder::compareOps(Operation *own, Operation *other) {
  if (own->getName() != other->getName() ||
      own->getNumOperands() != other->getNumOperands() ||
      own->getNumResults() != other->getNumResults() ||
      own->getNumRegions() != other->getNumRegions())
    return differs(own, "which the other has not");
  if (!isSaidByTypes(own) &&
      own->getAttrDictionary() != other->getAttrDictionary())
    return differs(own, "which depends on the length");
  if (llvm::Error error = compareOperands(own, other))
    return error;
  for (auto [result, otherResult] :
       llvm::zip_equal(own->getResults(), other->getResults()))
    if (llvm::Error error = compareValues(result, otherResult, own))
      return error;
  return llvm::Error::success();
}

static SmallVector<Operation *> getComputing(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (!isa<ConstantOp>(op))
      ops.push_back(&op);
  return ops;
}

llvm::Error OpenDimFinder::compareBodies(Block &graph, Block &probe) {
  SmallVector<Operation *> own = getComputing(graph),
                           other = getComputing(probe);
  if (graph.getNumArguments() != probe.getNumArguments() ||
      own.size() != other.size())
    return differs(own.front(), "in the number of nodes");
  for (auto [argument, otherArgument] :
       llvm::zip_equal(graph.getArguments(), probe.getArguments()))
    if (llvm::Error error = compareValues(argument, otherArgument, own.front()))
      return error;
  for (auto [op, otherOp] : llvm::zip_equal(own, other))
    if (llvm::Error error = compareOps(op, otherOp))
      return error;
  return llvm::Error::success();
}

/// The graph, then what is inside of its kernels.
llvm::Error OpenDimFinder::compare(Block &graph, Block &probe) {
  SmallVector<std::pair<Block *, Block *>> pending = {{&graph, &probe}};
  while (!pending.empty()) {
    auto [block, other] = pending.pop_back_val();
    if (llvm::Error error = compareBodies(*block, *other))
      return error;
    for (auto [op, otherOp] :
         llvm::zip_equal(getComputing(*block), getComputing(*other)))
      for (auto [region, otherRegion] :
           llvm::zip_equal(op->getRegions(), otherOp->getRegions()))
        for (auto [inner, otherInner] : llvm::zip(region, otherRegion))
          pending.push_back({&inner, &otherInner});
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Where elements meet
//===----------------------------------------------------------------------===//

bool OpenDimFinder::hasOpenDims(Operation *op) const {
  auto isOpen = [&](Value value) { return !found.get(value).empty(); };
  return llvm::any_of(op->getOperands(), isOpen) ||
         llvm::any_of(op->getResults(), isOpen);
}

/// The elements in front of the first dimension of the length, between it and
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

bool OpenDimFinder::isKeptByView(Operation *op) const {
  Value from = op->getOperand(0), to = op->getResult(0);
  return countBetween(from, found.get(from)) == countBetween(to, found.get(to));
}

/// The axes that dimensions of the length lie on; false where one has several
/// or none.
bool OpenDimFinder::addOpenAxes(ValueRange values,
                                ArrayRef<std::optional<TensorAxes>> tensors,
                                llvm::SmallDenseSet<unsigned> &axes) const {
  for (auto [value, tensor] : llvm::zip_equal(values, tensors))
    for (unsigned dim : found.get(value)) {
      if (!tensor || (*tensor)[dim].size() != 1)
        return false;
      axes.insert((*tensor)[dim].front());
    }
  return true;
}

/// Whether all that lies on these axes is of the length.
bool OpenDimFinder::areAllOpen(
    ValueRange values, ArrayRef<std::optional<TensorAxes>> tensors,
    const llvm::SmallDenseSet<unsigned> &axes) const {
  for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
    if (!tensor)
      continue;
    for (auto [dim, own] : llvm::enumerate(*tensor)) {
      bool isOn =
          llvm::any_of(own, [&](unsigned axis) { return axes.contains(axis); });
      if (isOn && !llvm::is_contained(found.get(value), dim))
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

llvm::Error OpenDimFinder::followAxes(Operation *op) {
  auto fail = [&](StringRef why) {
    return unsupportedError("the length cannot stay open: " + describeNode(op) +
                            " " + why + " (give it with --dim)");
  };
  auto mapped = dyn_cast<AxisMapOpInterface>(op);
  AxisMap map = mapped ? mapped.getAxisMap() : AxisMap::opaque();
  llvm::SmallDenseSet<unsigned> axes;
  if (map.isOpaque() ||
      !addOpenAxes(op->getOperands(), map.getOperands(), axes) ||
      !addOpenAxes(op->getResults(), map.getResults(), axes))
    return fail("does not say where elements along it go");
  for (unsigned axis : axes) {
    AxisKind kind = map.getAxes()[axis].kind;
    if (kind == AxisKind::Concatenated)
      return fail("puts something else in front of or behind it");
    if (kind == AxisKind::Indexed && !takesFirst(op))
      return fail("takes elements along it that not every length has");
    if (kind == AxisKind::Window || kind == AxisKind::Reduced ||
        kind == AxisKind::Contracted)
      found.meetings.insert(op);
  }
  if (!areAllOpen(op->getOperands(), map.getOperands(), axes) ||
      !areAllOpen(op->getResults(), map.getResults(), axes))
    return fail("has other extents along it");
  return llvm::Error::success();
}

llvm::Error OpenDimFinder::visit(Operation *op) {
  bool isPlain = isa<ConstantOp, IdentityOp, GroupOp>(op) ||
                 op->hasTrait<OpTrait::IsTerminator>();
  if (isPlain || !hasOpenDims(op) || (isView(op) && isKeptByView(op)))
    return llvm::Error::success();
  return followAxes(op);
}

llvm::Error OpenDimFinder::follow(Block &graph) {
  llvm::Error error = llvm::Error::success();
  graph.walk([&](Operation *op) {
    if (llvm::Error own = visit(op)) {
      error = llvm::joinErrors(std::move(error), std::move(own));
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return error;
}

//===----------------------------------------------------------------------===//
// What was found
//===----------------------------------------------------------------------===//

bool OpenDims::meetsInside(Operation *step) const {
  return step
      ->walk([&](Operation *op) {
        return meets(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool OpenDims::isOutermost(Value value) const {
  ArrayRef<unsigned> open = get(value);
  return open.size() == 1 &&
         llvm::all_of(getExtents(value).take_front(open.front()),
                      [](int64_t extent) { return extent == 1; });
}

llvm::Error OpenDims::compare(func::FuncOp graph, int64_t length,
                              func::FuncOp probe, int64_t probeLength) {
  return OpenDimFinder(length, probeLength)
      .compare(graph.getBody().front(), probe.getBody().front());
}

llvm::Expected<OpenDims> OpenDims::find(func::FuncOp graph, int64_t length,
                                        func::FuncOp probe,
                                        int64_t probeLength) {
  OpenDimFinder finder(length, probeLength);
  Block &body = graph.getBody().front();
  if (llvm::Error error = finder.compare(body, probe.getBody().front()))
    return std::move(error);
  if (llvm::Error error = finder.follow(body))
    return std::move(error);
  return std::move(finder.found);
}
