//===- GraphComparison.cpp - A graph beside smaller ones ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphComparison.h"
#include "KernelBody.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

llvm::Error GraphComparison::differs(Operation *op,
                                     const llvm::Twine &what) const {
  return unsupportedError(
      "the length cannot stay open: what is computed for " +
      llvm::Twine(largest) + " and for " + llvm::Twine(other) + " differs at " +
      describeNodeAround(op) + ", " + what + " (give it with --dim)");
}

llvm::Error GraphComparison::compareValues(Value own, Value match,
                                           Operation *where) {
  matched[own] = match;
  if (own.getType() == match.getType())
    return llvm::Error::success();
  auto type = dyn_cast<RankedTensorType>(own.getType()),
       matchType = dyn_cast<RankedTensorType>(match.getType());
  if (!type || !matchType || type.getRank() != matchType.getRank() ||
      type.getElementType() != matchType.getElementType() ||
      type.getEncoding() != matchType.getEncoding())
    return differs(where, "in more than extents");
  SmallVector<unsigned, 2> &open = dims[own];
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip_equal(type.getShape(), matchType.getShape())))
    if (std::get<0>(pair) != std::get<1>(pair) &&
        !llvm::is_contained(open, unsigned(i)))
      open.push_back(i);
  llvm::sort(open);
  auto &known = shapes[own];
  if (known.empty() || known.back().first != numProbes)
    known.push_back({numProbes, matchType.getShape()});
  return llvm::Error::success();
}

SmallVector<int64_t> GraphComparison::getExtentsOf(Value value,
                                                   unsigned dim) const {
  SmallVector<int64_t> extents(numProbes, getExtents(value)[dim]);
  if (auto it = shapes.find(value); it != shapes.end())
    for (auto [probe, shape] : it->second)
      extents[probe] = shape[dim];
  return extents;
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

llvm::Error GraphComparison::compareConstants(ConstantOp own,
                                              ConstantOp other) {
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

bool inlay::isView(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::View &&
         op->getNumOperands() == 1 && op->getNumResults() == 1;
}

/// Whether a type says all that the attributes do.
static bool isSaidByTypes(Operation *op) {
  return isView(op) || isa<ExpandOp, GroupOp>(op);
}

/// Constants stand anywhere in front of what reads them.
llvm::Error GraphComparison::compareOperands(Operation *own, Operation *other) {
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

llvm::Error GraphComparison::compareOps(Operation *own, Operation *other) {
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

llvm::Error GraphComparison::compareBodies(Block &graph, Block &probe) {
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
llvm::Error GraphComparison::compare(func::FuncOp graph, int64_t extent,
                                     const OpenDims::Probe &probe) {
  largest = extent;
  other = probe.extent;
  matched.clear();
  SmallVector<std::pair<Block *, Block *>> pending = {
      {&graph.getBody().front(),
       &const_cast<func::FuncOp &>(probe.graph).getBody().front()}};
  while (!pending.empty()) {
    auto [block, match] = pending.pop_back_val();
    if (llvm::Error error = compareBodies(*block, *match))
      return error;
    for (auto [op, otherOp] :
         llvm::zip_equal(getComputing(*block), getComputing(*match)))
      for (auto [region, otherRegion] :
           llvm::zip_equal(op->getRegions(), otherOp->getRegions()))
        for (auto [inner, otherInner] : llvm::zip(region, otherRegion))
          pending.push_back({&inner, &otherInner});
  }
  ++numProbes;
  return llvm::Error::success();
}
