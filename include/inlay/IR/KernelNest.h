//===- KernelNest.h - The loops that a kernel is ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `#inlay.kernel` holds. As text:
//
//   contraction, anchor = 1, space = [1, 64, ?, 3], reduced = [3],
//       reads = [prologue, anchor, epilogue]
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_KERNELNEST_H
#define INLAY_IR_KERNELNEST_H

#include "inlay/IR/FusionClass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace inlay {

/// Where a kernel reads a value: a set, as it may do so several times.
enum class KernelRead : uint8_t {
  None = 0,
  /// Of a kernel without an anchor: only where it writes what it makes of it.
  Same = 1,
  /// Of a kernel without an anchor: at other places, too.
  Other = 2,
  /// For what is computed where the anchor reads.
  Prologue = 4,
  /// By the anchor itself.
  Anchor = 8,
  /// For what is computed of the anchor's result or beside it.
  Epilogue = 16,
};

constexpr KernelRead operator|(KernelRead a, KernelRead b) {
  return KernelRead(uint8_t(a) | uint8_t(b));
}
/// Whether `all` has all of `some`.
constexpr bool contains(KernelRead all, KernelRead some) {
  return (all | some) == all;
}

/// "prologue|anchor".
std::string formatRead(KernelRead read);
/// One word of it.
std::optional<KernelRead> parseRead(llvm::StringRef word);

struct KernelNest {
  FusionClass kind = FusionClass::Elementwise;
  /// The operator whose loops the kernel's are: its number in the body,
  /// constants not counted. A contraction, window or reduction has one.
  std::optional<unsigned> anchor = std::nullopt;
  /// The extents of the loops, unknown ones `dynamicExtent`; nothing where not
  /// even their number is known. Those of the anchor's result and then those
  /// that it sums over, of a reduction those of what it reduces, else those of
  /// the first result.
  std::optional<llvm::SmallVector<int64_t, 4>> space = std::nullopt;
  /// The loops that are summed over, ascending.
  llvm::SmallVector<unsigned, 2> reduced = {};
  /// Of every input of the kernel, in their order.
  llvm::SmallVector<KernelRead, 4> reads = {};

  bool operator==(const KernelNest &) const = default;
  friend llvm::hash_code hash_value(const KernelNest &nest);

  void print(llvm::raw_ostream &os) const;
  std::string str() const;
};

} // namespace inlay

#endif // INLAY_IR_KERNELNEST_H
