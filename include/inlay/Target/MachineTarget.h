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

/// The section `machine`: the CPU that runs what is compiled.
struct MachineTarget {
  /// "native", "generic" or the name of a level.
  std::string cpu = "native";
  /// Elements of 32 bits in a vector, and how many vectors the CPU holds; as
  /// the CPU has them where nothing is said.
  std::optional<unsigned> lanes, registers;

  bool operator==(const MachineTarget &) const = default;
};

} // namespace inlay

#endif // INLAY_TARGET_MACHINETARGET_H
