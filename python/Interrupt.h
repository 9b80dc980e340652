//===- Interrupt.h - Long work that Python can interrupt --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PYTHON_INTERRUPT_H
#define INLAY_PYTHON_INTERRUPT_H

#include "inlay/Support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <mutex>

namespace inlay::python {

/// What becomes inlay.Error.
struct Failure {
  ExitCode code;
  std::string message;
};

/// Runs `work` on a thread of its own, with the interpreter free for others and
/// `mutex` held, and looks for signals meanwhile: an interrupt cancels the work
/// and is raised when that has ended. Throws a Failure where `work` fails.
void runInterruptibly(std::mutex &mutex,
                      llvm::function_ref<llvm::Error()> work);

/// Runs `work` on this thread, with the interpreter free for others and `mutex`
/// held. Throws a Failure where it fails.
void runAlone(std::mutex &mutex, llvm::function_ref<llvm::Error()> work);

} // namespace inlay::python

#endif // INLAY_PYTHON_INTERRUPT_H
