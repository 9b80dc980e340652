//===- Move.h - What a copy into another order moves ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axes that stand together in both orders move as one, and those of one element
// do not count. By example, for a tensor of shape [1, 56, 56, 64]:
//
//   (0,1,2,3) to (0,3,1,2)    one axis moves, runs of 1 element
//   (0,1,2,3) to (0,2,1,3)    one axis moves, runs of 64 elements
//   (0,1,2,3) to (0,3,2,1)    two axes move, runs of 1 element
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUT_MOVE_H
#define INLAY_LAYOUT_MOVE_H

#include "inlay/Layout/Layout.h"

namespace inlay {

struct Move {
  /// How many axes have to be put elsewhere at least.
  unsigned numMoved = 0;
  /// Elements that are together before and after: all of them where nothing
  /// moves.
  int64_t run = 1;

  bool operator==(const Move &) const = default;
};

/// The move between two storage orders of a tensor of `shape`, empty ones being
/// row-major. Extents are known, padding is moved too. Orders whose factors
/// have none in common move many axes, element by element.
Move findMove(llvm::ArrayRef<Atom> from, llvm::ArrayRef<Atom> to,
              llvm::ArrayRef<int64_t> shape);

} // namespace inlay

#endif // INLAY_LAYOUT_MOVE_H
