//===- CodeChoices.h - How machine code computes ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_CODECHOICES_H
#define INLAY_CODEGEN_CODECHOICES_H

#include <cstdint>
#include <optional>

namespace inlay {

/// Whether convolutions of 3 x 3 taps are computed by Winograd's products:
/// where a model of the time says so, never, or always by tiles of 2 x 2 or
/// 4 x 4 results.
enum class WinogradUse : uint8_t { Auto, Off, Tiles2, Tiles4 };

/// What whoever asks for code may choose.
struct CodeChoices {
  WinogradUse winograd = WinogradUse::Auto;
  /// Bytes that weights and tensors may take in all.
  std::optional<uint64_t> memory = {};
};

} // namespace inlay

#endif // INLAY_CODEGEN_CODECHOICES_H
