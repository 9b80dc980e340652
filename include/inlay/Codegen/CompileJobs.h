//===- CompileJobs.h - How code is compiled ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_COMPILEJOBS_H
#define INLAY_CODEGEN_COMPILEJOBS_H

#include "inlay/Codegen/ObjectCache.h"
#include <functional>

namespace inlay {

/// None of this changes a bit of what is made.
struct CompileJobs {
  /// How many object files are compiled at once; 0: as many as there are cores.
  unsigned count = 0;
  /// Null: everything is compiled.
  std::shared_ptr<ObjectCache> cache;
  /// Is told how many object files there are, and how many are done.
  std::function<void(uint64_t done, uint64_t all)> progress;
};

} // namespace inlay

#endif // INLAY_CODEGEN_COMPILEJOBS_H
