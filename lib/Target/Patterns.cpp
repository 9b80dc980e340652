//===- Patterns.cpp - What a target computes as one -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Target/Patterns.h"
#include "llvm/Support/ErrorHandling.h"

using namespace inlay;

llvm::StringRef inlay::getName(PatternKind kind) {
  switch (kind) {
  case PatternKind::LayerNorm:
    return "layer-norm";
  case PatternKind::Gelu:
    return "gelu";
  case PatternKind::Attention:
    return "attention";
  case PatternKind::ConvActivation:
    return "conv-activation";
  }
  llvm_unreachable("unknown kind of pattern");
}

llvm::ArrayRef<PatternKind> inlay::getPatternKinds() {
  static constexpr PatternKind kinds[] = {
      PatternKind::LayerNorm, PatternKind::Gelu, PatternKind::Attention,
      PatternKind::ConvActivation};
  return kinds;
}
