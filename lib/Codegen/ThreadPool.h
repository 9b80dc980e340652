//===- ThreadPool.h - Threads that share the turns of a loop ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_THREADPOOL_H
#define INLAY_LIB_CODEGEN_THREADPOOL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace inlay {

/// The caller and `threads` - 1 others. They look for work for a while and
/// then sleep: a pool that only looks starves when others need the cores.
class ThreadPool {
public:
  using Task = llvm::function_ref<void(int64_t begin, int64_t end)>;

  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Runs `task` over 0 to `extent` in parts of whole grains of turns, which
  /// whoever is free takes, and returns when all have run. The first parts are
  /// large, since what a kernel prepares it prepares for each part; the last
  /// ones are single grains, so that all are done at about the same time.
  void run(int64_t extent, int64_t grain, Task task);

private:
  void work();
  int64_t getShare(int64_t left) const;
  void takeParts();

  std::vector<std::thread> workers;
  /// Counts the loops that were given out; sleepers wait for it to change.
  std::atomic<uint32_t> loop = 0;
  std::atomic<bool> isOver = false;
  const Task *task = nullptr;
  int64_t extent = 0, grain = 1;
  std::atomic<int64_t> next = 0;
  /// Workers that have not finished the loop that is running.
  std::atomic<uint32_t> busy = 0;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_THREADPOOL_H
