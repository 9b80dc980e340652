//===- ThreadPool.cpp - Threads that share the turns of a loop ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadPool.h"
#include <algorithm>
#include <chrono>

using namespace inlay;
using Clock = std::chrono::steady_clock;

/// How long a thread looks for work before it sleeps. Waking one takes about
/// as long as this.
static constexpr auto patience = std::chrono::microseconds(50);

/// Waits until `value` is no longer `old`.
static void waitForChange(const std::atomic<uint32_t> &value, uint32_t old) {
  auto end = Clock::now() + patience;
  while (value.load(std::memory_order_acquire) == old) {
    std::this_thread::yield();
    if (Clock::now() > end)
      return value.wait(old, std::memory_order_acquire);
  }
}

ThreadPool::ThreadPool(unsigned threads) {
  for (unsigned i = 1; i < threads; ++i)
    workers.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  isOver = true;
  ++loop;
  loop.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

/// Half of what everybody would get of `left` turns, in whole grains.
int64_t ThreadPool::getShare(int64_t left) const {
  int64_t people = 2 * (int64_t(workers.size()) + 1);
  return std::max<int64_t>(left / grain / people, 1) * grain;
}

void ThreadPool::takeParts() {
  for (int64_t begin = next.load(std::memory_order_relaxed); begin < extent;) {
    int64_t left = extent - begin;
    int64_t end = begin + std::min(getShare(left), left);
    if (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed))
      continue;
    (*task)(begin, end);
    begin = next.load(std::memory_order_relaxed);
  }
}

void ThreadPool::work() {
  for (uint32_t seen = 0;;) {
    waitForChange(loop, seen);
    ++seen;
    if (isOver)
      return;
    takeParts();
    if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1)
      busy.notify_one();
  }
}

void ThreadPool::run(int64_t extent, int64_t grain, Task task) {
  if (workers.empty() || extent <= grain)
    return task(0, extent);
  this->task = &task;
  this->extent = extent;
  this->grain = grain;
  next.store(0, std::memory_order_relaxed);
  busy.store(workers.size(), std::memory_order_relaxed);
  loop.fetch_add(1, std::memory_order_release);
  loop.notify_all();
  takeParts();
  for (uint32_t left = busy.load(std::memory_order_acquire); left != 0;
       left = busy.load(std::memory_order_acquire))
    waitForChange(busy, left);
}
