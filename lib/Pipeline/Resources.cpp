//===- Resources.cpp - Time and memory that a command takes ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Resources.h"
#include <sys/resource.h>

using namespace inlay;

uint64_t inlay::getPeakMemory() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage))
    return 0;
  // Linux counts in units of 1024 bytes.
  return uint64_t(usage.ru_maxrss) * 1024;
}
