//===- AxisParameters.cpp - Axes that are left out ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/AxisParameters.h"
#include "llvm/ADT/Sequence.h"

using namespace inlay;
using namespace mlir;

static SmallVector<int64_t> getFirst(int64_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(0, count));
}

SmallVector<int64_t> inlay::getAxesOrFirst(const MaybeInts &axes,
                                           int64_t count) {
  return axes ? *axes : getFirst(count);
}

SmallVector<int64_t> inlay::resolveReducedAxes(ArrayRef<int64_t> given,
                                               bool noop, int64_t rank) {
  return given.empty() && !noop ? getFirst(rank) : SmallVector<int64_t>(given);
}

std::optional<int64_t> inlay::normalizeSoftmaxAxis(int64_t axis, int64_t rank,
                                                   bool coerce2D) {
  if (coerce2D && axis == rank)
    return rank;
  return normalizeAxis(axis, rank);
}

int64_t inlay::getEntryOr(std::optional<ArrayRef<int64_t>> list, size_t index,
                          int64_t fallback) {
  return list && index < list->size() ? (*list)[index] : fallback;
}
