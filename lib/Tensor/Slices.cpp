//===- Slices.cpp - Sizes of parts of a dimension -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Slices.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using llvm::Expected;
using llvm::Twine;

SliceRange inlay::clampSlice(int64_t dim, int64_t start, int64_t end,
                             int64_t step) {
  assert(dim >= 0 && step != 0);
  // A backward slice may end before the first element but not start there, a
  // forward one may start after the last and has none then.
  int64_t high = step > 0 ? dim : dim - 1;
  auto clamp = [&](int64_t index, int64_t low) {
    if (index < 0)
      index += dim;
    return std::clamp(index, std::min(low, high), high);
  };
  start = clamp(start, 0);
  end = clamp(end, step > 0 ? 0 : -1);
  uint64_t span = step > 0 ? std::max<int64_t>(end - start, 0)
                           : std::max<int64_t>(start - end, 0);
  uint64_t stride = step > 0 ? uint64_t(step) : -uint64_t(step);
  return {start, int64_t(span / stride + (span % stride != 0)), step};
}

Expected<llvm::SmallVector<int64_t>> inlay::getSplitSizes(int64_t dim,
                                                          int64_t parts) {
  // Each part is an output of a node, so there cannot be many.
  constexpr int64_t maxParts = 1 << 20;
  if (dim < 0 || parts <= 0 || parts > maxParts)
    return modelError("cannot split a size of " + Twine(dim) + " into " +
                      Twine(parts) + " parts");
  int64_t whole = llvm::divideCeil(dim, parts);
  llvm::SmallVector<int64_t> sizes;
  for (int64_t i = 0, left = dim; i < parts; ++i) {
    sizes.push_back(std::min(whole, left));
    left -= sizes.back();
  }
  return sizes;
}
