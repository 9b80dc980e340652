//===- Resources.h - Time and memory that a command takes -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_RESOURCES_H
#define INLAY_PIPELINE_RESOURCES_H

#include "inlay/Support/Error.h"
#include "inlay/Support/Stopwatch.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>

namespace inlay {

/// Told what a command is doing: a phase, and within it the steps done and all
/// of them (0 where that is unknown).
using ProgressFunction =
    std::function<void(llvm::StringRef phase, uint64_t done, uint64_t all)>;

/// A process that is out of memory, threads or CPU time ends with it; no error
/// carries it.
constexpr ExitCode machineLimit = ExitCode(71);

/// The most memory this process has had resident, in bytes.
uint64_t getPeakMemory();

} // namespace inlay

#endif // INLAY_PIPELINE_RESOURCES_H
