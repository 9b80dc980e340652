//===- Cancellation.h - Results that nobody waits for -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever asked for a result may cease to want it. Loops that may take long ask
// `isCancelled()` and end early, with whatever they have; who called them asks
// again before it uses that.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_CANCELLATION_H
#define INLAY_SUPPORT_CANCELLATION_H

#include "llvm/Support/Error.h"
#include <atomic>

namespace inlay {

/// Any thread, and a handler of a signal, may request it. There is no way back.
class Cancellation {
public:
  void request() { requested.store(true, std::memory_order_relaxed); }
  bool isRequested() const { return requested.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> requested = false;
};

/// While it lives, `cancellation` is for what this thread computes, besides
/// those of scopes around it.
class CancellationScope {
public:
  explicit CancellationScope(const Cancellation &cancellation);
  CancellationScope(const CancellationScope &) = delete;
  CancellationScope &operator=(const CancellationScope &) = delete;
  ~CancellationScope();

  bool isCancelled() const;

private:
  const Cancellation &cancellation;
  const CancellationScope *outer;
};

/// Whether what this thread computes is not wanted any more.
bool isCancelled();

/// "cancelled", with the exit code of it, where it is not wanted any more.
llvm::Error checkCancelled();

} // namespace inlay

#endif // INLAY_SUPPORT_CANCELLATION_H
