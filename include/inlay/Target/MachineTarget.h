//===- MachineTarget.h - What native code is made for -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TARGET_MACHINETARGET_H
#define INLAY_TARGET_MACHINETARGET_H

#include <optional>
#include <string>

namespace inlay {

/// How fast a machine is, where that is said.
struct MachineRates {
  /// Operations and bytes per second; a product that is summed is two
  /// operations.
  std::optional<double> flops, bandwidth;
  /// Tensors of at most so many bytes need not leave the chip.
  uint64_t onChip = 0;

  bool operator==(const MachineRates &) const = default;
};

/// The section `machine`: what runs what is compiled.
struct MachineTarget {
  /// "native", "generic" or the name of a level; nothing where it is no CPU
  /// that Inlay makes code for.
  std::optional<std::string> cpu;
  /// Elements of 32 bits in a vector, and how many vectors the CPU holds; as
  /// the CPU has them where nothing is said.
  std::optional<unsigned> lanes, registers;
  MachineRates rates;

  bool operator==(const MachineTarget &) const = default;
};

} // namespace inlay

#endif // INLAY_TARGET_MACHINETARGET_H
