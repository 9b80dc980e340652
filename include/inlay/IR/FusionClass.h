//===- FusionClass.h - Classes of operators for fusion ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_FUSIONCLASS_H
#define INLAY_IR_FUSIONCLASS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace inlay {

class Expansion;

/// What kind of loop nest an operator is; rules about fusion ask for this.
enum class FusionClass : uint8_t {
  /// One result element from the operand elements at the same place; operands
  /// may be broadcast.
  Elementwise,
  /// Repeats elements: Expand, Tile.
  Broadcast,
  /// Combines elements along axes.
  Reduce,
  /// Combines elements of a neighbourhood: pools.
  Window,
  /// Moves elements without computing: Transpose, Concat, Slice.
  Transform,
  /// The same elements in the same order: Reshape, Squeeze.
  View,
  /// Sums products: convolutions and matrix products.
  Contraction,
  /// Anything else.
  Opaque,
};

llvm::StringRef getName(FusionClass fusionClass);

} // namespace inlay

#endif // INLAY_IR_FUSIONCLASS_H
