//===- Interrupt.cpp - Long work that Python can interrupt ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"
#include "inlay/Support/Cancellation.h"
#include <condition_variable>
#include <pybind11/pybind11.h>
#include <thread>

using namespace inlay;
using namespace inlay::python;
namespace py = pybind11;

/// How long a signal waits to be seen.
static constexpr auto patience = std::chrono::milliseconds(50);

namespace {
/// Work that runs beside the interpreter.
class Worker {
public:
  Worker(std::mutex &mutex, llvm::function_ref<llvm::Error()> work)
      : thread([this, &mutex, work] { run(mutex, work); }) {}
  ~Worker() { thread.join(); }

  void cancel() { cancellation.request(); }
  /// Whether it ended in time.
  bool wait() {
    std::unique_lock lock(own);
    return ended.wait_for(lock, patience, [this] { return hasEnded; });
  }
  std::optional<Failure> takeFailure() { return std::move(failure); }

private:
  void run(std::mutex &mutex, llvm::function_ref<llvm::Error()> work);

  std::mutex own;
  std::condition_variable ended;
  bool hasEnded = false;
  Cancellation cancellation;
  std::optional<Failure> failure;
  /// The last member: it uses the others.
  std::thread thread;
};
} // namespace

static std::optional<Failure> getFailure(llvm::Error error) {
  if (!error)
    return std::nullopt;
  Failure failure;
  failure.code = takeError(std::move(error), failure.message);
  return failure;
}

void Worker::run(std::mutex &mutex, llvm::function_ref<llvm::Error()> work) {
  {
    std::lock_guard lock(mutex);
    CancellationScope scope(cancellation);
    failure = getFailure(work());
  }
  std::lock_guard lock(own);
  hasEnded = true;
  ended.notify_one();
}

void python::runInterruptibly(std::mutex &mutex,
                              llvm::function_ref<llvm::Error()> work) {
  bool isInterrupted = false;
  std::optional<Failure> failure;
  {
    py::gil_scoped_release release;
    Worker worker(mutex, work);
    while (!worker.wait()) {
      py::gil_scoped_acquire acquire;
      if (isInterrupted || PyErr_CheckSignals() == 0)
        continue;
      isInterrupted = true;
      worker.cancel();
    }
    failure = worker.takeFailure();
  }
  if (isInterrupted)
    throw py::error_already_set();
  if (failure)
    throw Failure(std::move(*failure));
}

void python::runAlone(std::mutex &mutex,
                      llvm::function_ref<llvm::Error()> work) {
  std::optional<Failure> failure;
  {
    py::gil_scoped_release release;
    std::lock_guard lock(mutex);
    failure = getFailure(work());
  }
  if (failure)
    throw Failure(std::move(*failure));
}
