//===- Resources.h - Time and memory that a command takes -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_RESOURCES_H
#define INLAY_PIPELINE_RESOURCES_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <cstdint>
#include <functional>

namespace inlay {

/// Told what a command is doing: a phase, and within it the steps done and all
/// of them (0 where that is unknown).
using ProgressFunction =
    std::function<void(llvm::StringRef phase, uint64_t done, uint64_t all)>;

/// The most memory this process has had resident, in bytes.
uint64_t getPeakMemory();

/// Measures one phase after the other.
class Stopwatch {
public:
  /// Seconds since construction or the last call.
  double lap();
  /// Seconds since construction.
  double getTotal() const;

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  Clock::time_point last = start;
};

} // namespace inlay

#endif // INLAY_PIPELINE_RESOURCES_H
