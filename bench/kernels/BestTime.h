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
#include <ctime>
#include <limits>

namespace inlay::benching {

/// The fastest of several runs of something that one thread does. Others may
/// use the machine meanwhile, so that of long runs counts what is less, the
/// time of the thread or that on the wall. That of the thread is not known for
/// microseconds where the machine is a virtual one.
class BestTime {
public:
  /// Seconds of this run.
  template <typename F> double add(F &&run) {
    double begin = getThreadTime();
    Stopwatch watch;
    run();
    double seconds = watch.lap();
    if (seconds > longRun)
      seconds = std::min(seconds, getThreadTime() - begin);
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
  static constexpr double longRun = 1e-3;

  static double getThreadTime() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
  }

  double best = std::numeric_limits<double>::max();
};

} // namespace inlay::benching

#endif // INLAY_BENCH_KERNELS_BESTTIME_H
