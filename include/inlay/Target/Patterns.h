//===- Patterns.h - What a target computes as one ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TARGET_PATTERNS_H
#define INLAY_TARGET_PATTERNS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace inlay {

/// Operators that runtimes look for to compute them as one.
enum class PatternKind : uint8_t {
  /// LayerNormalization or RMSNormalization out of means, squares and roots.
  LayerNorm,
  /// Gelu out of Erf or Tanh.
  Gelu,
  /// Two products with a softmax between them.
  Attention,
  /// A Conv and the activation behind it.
  ConvActivation,
};

/// "layer-norm", as target files write it.
llvm::StringRef getName(PatternKind kind);
llvm::ArrayRef<PatternKind> getPatternKinds();

} // namespace inlay

#endif // INLAY_TARGET_PATTERNS_H
