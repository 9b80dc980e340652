//===- KernelTarget.h - Kernels that a target generates ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TARGET_KERNELTARGET_H
#define INLAY_TARGET_KERNELTARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inlay {

/// What operators one kernel may hold besides elementwise ones.
enum class KernelRule : uint8_t {
  /// Reductions, with what computes their operand.
  Reduce,
  /// The result of a reduction used in all elements that were reduced.
  Reuse,
  /// Operators that repeat elements.
  Broadcast,
  /// Operators that move elements.
  Transform,
  /// What is computed where a contraction or window reads.
  Prologue,
  /// What is computed from the result of a contraction or window.
  Epilogue,
};
/// In the order of the enumeration: "reduce", "reuse", ...
llvm::ArrayRef<llvm::StringRef> getKernelRuleNames();

/// Of one kernel; nothing means any number. More operators than there are by
/// default would make code that no one has registers for.
struct KernelLimits {
  std::optional<uint64_t> inputs;
  std::optional<uint64_t> outputs;
  std::optional<uint64_t> ops = 64;
  /// Elements that a reduction combines whose result is used in them again.
  std::optional<uint64_t> row;

  bool operator==(const KernelLimits &) const = default;
};

/// A value type.
struct KernelTarget {
  /// ONNX operator types that run as they are and are not expanded.
  std::vector<std::string> native;
  /// A bit per rule.
  unsigned rules = ~0u;
  KernelLimits limits;

  bool allows(KernelRule rule) const { return rules >> unsigned(rule) & 1; }
  bool operator==(const KernelTarget &) const = default;
};

} // namespace inlay

#endif // INLAY_TARGET_KERNELTARGET_H
