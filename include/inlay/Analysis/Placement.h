//===- Placement.h - Offsets for what lives for a while ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_PLACEMENT_H
#define INLAY_ANALYSIS_PLACEMENT_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace inlay {

/// Bytes that are needed from one step to another, both included.
struct LiveBytes {
  uint64_t size;
  unsigned first, last;

  bool overlaps(const LiveBytes &other) const {
    return first <= other.last && other.first <= last;
  }
};

struct Placement {
  /// One per piece.
  std::vector<uint64_t> offsets;
  /// Where the last of them ends.
  uint64_t total = 0;
};

/// The most bytes that are needed at one step: no placement has fewer.
uint64_t getMostLive(llvm::ArrayRef<LiveBytes> pieces);

/// Offsets at which no two pieces share a byte at a step. The same every time.
/// Finding the fewest bytes is hard: several orders are tried, what ends last
/// is brought to the front, and that stops at the bound or after a fixed amount
/// of work.
Placement placePieces(llvm::ArrayRef<LiveBytes> pieces);

} // namespace inlay

#endif // INLAY_ANALYSIS_PLACEMENT_H
