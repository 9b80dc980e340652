//===- Progress.cpp - What a command is doing, on a terminal --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "inlay/Report/Cell.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;
using namespace std::chrono_literals;

/// Returns to the line's beginning and clears it.
static constexpr char clearLine[] = "\r\033[K";

Progress::Progress(LogLevel level)
    : isLogged(level == LogLevel::Debug),
      isEnabled(level == LogLevel::Info && obeysEscapes(llvm::errs())) {
  if (isEnabled)
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!isEnabled)
    return;
  {
    std::lock_guard lock(mutex);
    isDone = true;
  }
  wakeUp.notify_one();
  thread.join();
  if (isShown)
    llvm::errs() << clearLine;
}

void Progress::show() {
  std::unique_lock lock(mutex);
  auto wait = 1000ms;
  while (!wakeUp.wait_for(lock, wait, [this] { return isDone; })) {
    llvm::errs() << clearLine << text;
    isShown = true;
    wait = 200ms;
  }
}

void Progress::report(llvm::StringRef phase, uint64_t done, uint64_t all) {
  std::string now = phase.str();
  if (all != 0)
    now += " " + formatCount(done) + " of " + formatCount(all) + " nodes";
  std::lock_guard lock(mutex);
  text = std::move(now);
}

/// A phase is told of many times, and entered once.
void Progress::log(llvm::StringRef phase) {
  std::lock_guard lock(mutex);
  if (text == phase)
    return;
  text = phase.str();
  printMessage(LogLevel::Debug,
               phase.str() + ", after " + formatSeconds(watch.getTotal()));
}

ProgressFunction Progress::getFunction() {
  if (isLogged)
    return [this](llvm::StringRef phase, uint64_t, uint64_t) { log(phase); };
  if (!isEnabled)
    return nullptr;
  return [this](llvm::StringRef phase, uint64_t done, uint64_t all) {
    report(phase, done, all);
  };
}
