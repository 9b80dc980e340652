//===- BestTime.h - The fastest of several runs -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_BENCH_KERNELS_BESTTIME_H
#define INLAY_BENCH_KERNELS_BESTTIME_H

#include "inlay/Support/Stopwatch.h"
#include <algorithm>
#include <limits>

namespace inlay::benching {

/// The fastest of several runs, since others may use the machine meanwhile. The
/// time is that on the wall: the processor time of a thread is not known for
/// microseconds where the machine is a virtual one.
class BestTime {
public:
  /// Seconds of this run.
  template <typename F> double add(F &&run) {
    Stopwatch watch;
    run();
    double seconds = watch.lap();
    best = std::min(best, seconds);
    return seconds;
  }

  /// Runs it for so many seconds.
  template <typename F> void addFor(double seconds, F &&run) {
    for (Stopwatch watch; watch.getTotal() < seconds;)
      add(run);
  }

  bool isKnown() const { return best < std::numeric_limits<double>::max(); }
  double getSeconds() const { return best; }

private:
  double best = std::numeric_limits<double>::max();
};

} // namespace inlay::benching

#endif // INLAY_BENCH_KERNELS_BESTTIME_H
