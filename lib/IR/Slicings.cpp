//===- Slicings.cpp - Tensors that subgraphs see slice by slice -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Slicings.h"
#include "Bodies.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

/// Adds what `from` becomes, where both are ranked and `axis` is a dimension of
/// the whole.
static void addSlicing(SmallVectorImpl<Slicing> &slicings, Slicing slicing) {
  std::optional<int64_t> rank = getRank(slicing.getWhole());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(slicing.axis, *rank) : std::nullopt;
  if (!axis || getRank(slicing.getSlice()) != *rank - 1)
    return;
  slicing.axis = *axis;
  slicings.push_back(slicing);
}

SmallVector<Slicing> inlay::getSlicings(Operation *op) {
  SmallVector<Slicing> slicings;
  auto scan = dyn_cast<ScanOp>(op);
  YieldOp yield = scan ? getYield(scan.getBody()) : YieldOp();
  if (!yield)
    return slicings;
  unsigned numScans = scan.getNumScanInputs();
  unsigned numStates = scan.getInputs().size() - numScans;
  for (unsigned i = 0; i < numScans; ++i)
    addSlicing(slicings,
               {&op->getOpOperand(numStates + i),
                scan.getBody().getArgument(numStates + i), /*isTaken=*/true,
                getEntryOr(scan.getScanInputAxes(), i, 0), i});
  for (unsigned i = 0; i + numStates < scan.getNumResults(); ++i)
    addSlicing(slicings,
               {&yield->getOpOperand(numStates + i),
                scan.getResult(numStates + i), /*isTaken=*/false,
                getEntryOr(scan.getScanOutputAxes(), i, 0), numScans + i});
  return slicings;
}

/// `list`, or zeros, with one entry replaced.
static SmallVector<int64_t> replaceEntry(std::optional<ArrayRef<int64_t>> list,
                                         size_t size, size_t index,
                                         int64_t value) {
  SmallVector<int64_t> entries(size, 0);
  if (list)
    entries.assign(list->begin(), list->end());
  entries.resize(size, 0);
  entries[index] = value;
  return entries;
}

void inlay::setSlicedAxis(Operation *op, const Slicing &slicing, int64_t axis) {
  auto scan = cast<ScanOp>(op);
  size_t numScans = scan.getNumScanInputs();
  size_t numCollected =
      scan.getNumResults() - (scan.getInputs().size() - numScans);
  if (slicing.isTaken)
    scan.setScanInputAxes(
        replaceEntry(scan.getScanInputAxes(), numScans, slicing.number, axis));
  else
    scan.setScanOutputAxes(replaceEntry(scan.getScanOutputAxes(), numCollected,
                                        slicing.number - numScans, axis));
}

std::optional<AtomSequence> inlay::getSliceOrder(ArrayRef<Atom> order,
                                                 int64_t axis) {
  AtomSequence slice;
  bool isRowMajor = true;
  for (Atom atom : order) {
    if (atom.factor != 0)
      return std::nullopt;
    if (int64_t(atom.dim) == axis)
      continue;
    atom.dim -= int64_t(atom.dim) > axis;
    isRowMajor &= atom.dim == slice.size();
    slice.push_back(atom);
  }
  return isRowMajor ? AtomSequence() : slice;
}
