//===- MatchReason.h - Why a subgraph is not what is looked for -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_PATTERNS_MATCHREASON_H
#define INLAY_ANALYSIS_PATTERNS_MATCHREASON_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace inlay {

/// Hears the reasons of guards. The last one counts. It is about the last
/// operation of the subgraph, which is "it".
class MatchReason {
public:
  /// What every guard returns: false.
  bool refuse(llvm::StringLiteral why) {
    reason = why;
    return false;
  }
  /// The same for guards that find something.
  std::nullopt_t findNothing(llvm::StringLiteral why) {
    reason = why;
    return std::nullopt;
  }
  /// Whether a guard that was tried before has given one.
  bool hasReason() const { return !reason.empty(); }

  llvm::StringRef getReason() const { return reason; }
  void clearReason() { reason = {}; }

private:
  llvm::StringRef reason;
};

} // namespace inlay

#endif // INLAY_ANALYSIS_PATTERNS_MATCHREASON_H
