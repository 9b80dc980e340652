//===- KernelMarks.cpp - Kernels that are planned -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMarks.h"
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

void KernelMarks::write(func::FuncOp func) const {
  Builder builder(func.getContext());
  SmallVector<Attribute> planned;
  for (const PlannedKernel &kernel : kernels) {
    int64_t number = planned.size();
    planned.push_back(builder.getStrArrayAttr({kernel.name, kernel.kind}));
    for (auto [place, op] : llvm::enumerate(kernel.ops))
      op->setAttr(kernelAttr,
                  builder.getDenseI64ArrayAttr({number, int64_t(place)}));
  }
  func->setAttr(plannedAttr, builder.getArrayAttr(planned));
}

bool inlay::hasKernelMarks(func::FuncOp func) {
  return func->hasAttrOfType<ArrayAttr>(plannedAttr);
}

/// The kernels that the function lists, without operators.
static llvm::Expected<std::vector<PlannedKernel>> readList(ArrayAttr list) {
  std::vector<PlannedKernel> kernels;
  for (Attribute entry : list) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    auto name =
        pair && pair.size() == 2 ? dyn_cast<StringAttr>(pair[0]) : StringAttr();
    auto kind = name ? dyn_cast<StringAttr>(pair[1]) : StringAttr();
    if (!kind)
      return modelError("'" + plannedAttr +
                        "' lists something else than names and classes");
    kernels.push_back({name.str(), kind.str(), {}});
  }
  return kernels;
}

using PlacedOp = std::pair<int64_t, Operation *>;

/// The operators of each kernel with their places, their marks removed.
static llvm::Expected<std::vector<SmallVector<PlacedOp>>>
takePlaces(Block &block, size_t numKernels) {
  std::vector<SmallVector<PlacedOp>> places(numKernels);
  for (Operation &op : block.without_terminator()) {
    auto mark = op.getAttrOfType<DenseI64ArrayAttr>(kernelAttr);
    if (!mark)
      continue;
    if (mark.size() != 2 || mark[0] < 0 || uint64_t(mark[0]) >= numKernels)
      return modelError("'" + kernelAttr + "' of '" +
                        op.getName().getStringRef() +
                        "' names no kernel of the function");
    places[mark[0]].push_back({mark[1], &op});
    op.removeAttr(kernelAttr);
  }
  return places;
}

llvm::Expected<std::vector<PlannedKernel>>
KernelMarks::take(func::FuncOp func) {
  auto kernels = readList(func->getAttrOfType<ArrayAttr>(plannedAttr));
  if (!kernels)
    return kernels.takeError();
  func->removeAttr(plannedAttr);
  auto places = takePlaces(func.getBody().front(), kernels->size());
  if (!places)
    return places.takeError();
  for (auto [kernel, placed] : llvm::zip_equal(*kernels, *places)) {
    llvm::stable_sort(placed, llvm::less_first());
    kernel.ops.assign(llvm::make_second_range(placed).begin(),
                      llvm::make_second_range(placed).end());
  }
  return kernels;
}
