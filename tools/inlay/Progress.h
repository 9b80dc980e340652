//===- Progress.h - What a command is doing, on a terminal ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_PROGRESS_H
#define INLAY_TOOLS_INLAY_PROGRESS_H

#include "Messages.h"
#include "inlay/Pipeline/Resources.h"
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace inlay {

/// While it lives, shows on standard error what was last reported to it: only
/// on a terminal, and only once a second has passed. With LogLevel::Debug each
/// phase is a line instead, wherever that goes.
class Progress {
public:
  explicit Progress(LogLevel level);
  ~Progress();

  /// For a command; empty where nothing would be shown.
  ProgressFunction getFunction();

private:
  void show();
  void report(llvm::StringRef phase, uint64_t done, uint64_t all);
  void log(llvm::StringRef phase);

  bool isLogged, isEnabled;
  Stopwatch watch;
  bool isDone = false;
  bool isShown = false;
  std::string text;
  std::mutex mutex;
  std::condition_variable wakeUp;
  std::thread thread;
};

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_PROGRESS_H
