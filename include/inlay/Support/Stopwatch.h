//===- Stopwatch.h - The time of phases -------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_STOPWATCH_H
#define INLAY_SUPPORT_STOPWATCH_H

#include <chrono>

namespace inlay {

/// Measures one phase after the other.
class Stopwatch {
public:
  /// Seconds since construction or the last call.
  double lap() {
    Clock::time_point now = Clock::now();
    double seconds = getSeconds(now - last);
    last = now;
    return seconds;
  }
  /// Seconds since construction.
  double getTotal() const { return getSeconds(Clock::now() - start); }

private:
  using Clock = std::chrono::steady_clock;
  static double getSeconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
  }

  Clock::time_point start = Clock::now();
  Clock::time_point last = start;
};

} // namespace inlay

#endif // INLAY_SUPPORT_STOPWATCH_H
