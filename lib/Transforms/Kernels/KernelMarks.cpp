//===- KernelMarks.cpp - Kernels that are planned -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMarks.h"
#include "inlay/Analysis/NeedOrder.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

static constexpr llvm::StringLiteral plannedAttr = "inlay.planned_kernels";
static constexpr llvm::StringLiteral kernelAttr = "inlay.in_kernel";

void KernelMarks::add(ArrayRef<Operation *> ops, StringRef name,
                      StringRef kind) {
  kernels.push_back({name.str(), kind.str(), SmallVector<Operation *>(ops)});
}

/// For each operator, how many of `ops` stand in front of it in the block;
/// empty where they are in the order of the block.
static SmallVector<int64_t> getPlaces(ArrayRef<Operation *> ops) {
  SmallVector<Operation *> sorted(ops);
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (llvm::equal(sorted, ops))
    return {};
  llvm::DenseMap<Operation *, int64_t> places;
  for (auto [place, op] : llvm::enumerate(sorted))
    places[op] = int64_t(place);
  return llvm::map_to_vector(ops, [&](Operation *op) { return places[op]; });
}

void inlay::forgetKernelMarks(func::FuncOp func) {
  if (!func->removeAttr(plannedAttr))
    return;
  for (Block *block : findBodies(func.getBody().front()))
    for (Operation &op : *block) {
      op.removeAttr(kernelAttr);
      op.removeAttr(wholeAttr);
    }
}

void KernelMarks::write(func::FuncOp func) const {
  Builder builder(func.getContext());
  SmallVector<Attribute> planned;
  for (const PlannedKernel &kernel : kernels) {
    // One attribute for all operators of a kernel: there may be a million.
    auto number = builder.getI64IntegerAttr(planned.size());
    for (Operation *op : kernel.ops)
      op->setAttr(kernelAttr, number);
    SmallVector<Attribute> entry = {builder.getStringAttr(kernel.name),
                                    builder.getStringAttr(kernel.kind)};
    if (SmallVector<int64_t> places = getPlaces(kernel.ops); !places.empty())
      entry.push_back(builder.getDenseI64ArrayAttr(places));
    planned.push_back(builder.getArrayAttr(entry));
  }
  func->setAttr(plannedAttr, builder.getArrayAttr(planned));
}

bool inlay::hasKernelMarks(func::FuncOp func) {
  return func->hasAttrOfType<ArrayAttr>(plannedAttr);
}

/// An entry of the function's list; nothing where it is none.
static std::optional<PlannedKernel> readEntry(Attribute attribute) {
  auto entry = dyn_cast<ArrayAttr>(attribute);
  if (!entry || entry.size() < 2 || entry.size() > 3)
    return std::nullopt;
  auto name = dyn_cast<StringAttr>(entry[0]);
  auto kind = dyn_cast<StringAttr>(entry[1]);
  bool isOrdered =
      entry.size() == 2 || isa<DenseI64ArrayAttr>(entry.getValue().back());
  if (!name || !kind || !isOrdered)
    return std::nullopt;
  return PlannedKernel{name.str(), kind.str(), {}};
}

static llvm::Error refuseList() {
  return modelError("'" + plannedAttr +
                    "' lists something else than kernels of the function");
}

/// The kernels that the function lists, without operators.
static llvm::Expected<std::vector<PlannedKernel>> readList(ArrayAttr list) {
  std::vector<PlannedKernel> kernels;
  for (Attribute attribute : list) {
    std::optional<PlannedKernel> kernel = readEntry(attribute);
    if (!kernel)
      return refuseList();
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}

/// Brings operators, which are in the order of the block, into that of their
/// places; false where these are no places of theirs.
static bool arrange(SmallVector<Operation *> &ops, ArrayRef<int64_t> places) {
  SmallVector<Operation *> arranged;
  llvm::DenseSet<int64_t> seen;
  for (int64_t place : places) {
    if (uint64_t(place) >= ops.size() || !seen.insert(place).second)
      return false;
    arranged.push_back(ops[place]);
  }
  std::swap(ops, arranged);
  return ops.size() == arranged.size();
}

/// Gives each kernel its operators, in the order of the block, and removes
/// their marks.
static llvm::Error takeOperators(Block &block,
                                 std::vector<PlannedKernel> &kernels) {
  for (Operation &op : block.without_terminator()) {
    auto mark = op.getAttrOfType<IntegerAttr>(kernelAttr);
    if (!mark)
      continue;
    if (uint64_t(mark.getInt()) >= kernels.size())
      return modelError("'" + kernelAttr + "' of '" +
                        op.getName().getStringRef() +
                        "' names no kernel of the function");
    SmallVectorImpl<Operation *> &ops = kernels[mark.getInt()].ops;
    if (!ops.empty() && ops.front()->getBlock() != &block)
      return modelError("'" + kernelAttr + "' of '" +
                        op.getName().getStringRef() +
                        "' names a kernel with operators of another body");
    ops.push_back(&op);
    op.removeAttr(kernelAttr);
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<PlannedKernel>>
KernelMarks::take(func::FuncOp func) {
  auto list = func->getAttrOfType<ArrayAttr>(plannedAttr);
  auto kernels = readList(list);
  if (!kernels)
    return kernels.takeError();
  for (Block *block : findBodies(func.getBody().front()))
    if (llvm::Error error = takeOperators(*block, *kernels))
      return std::move(error);
  for (auto [kernel, entry] : llvm::zip_equal(*kernels, list))
    if (auto places = dyn_cast<DenseI64ArrayAttr>(
            cast<ArrayAttr>(entry).getValue().back());
        places && !arrange(kernel.ops, places))
      return refuseList();
  func->removeAttr(plannedAttr);
  return kernels;
}
