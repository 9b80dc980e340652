//===- RandomMain.h - What a random test is called with ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_RANDOMMAIN_H
#define INLAY_UNITTESTS_RANDOMMAIN_H

#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>
#include <gtest/gtest.h>

namespace inlay {

/// The `main` of a random test. Its arguments are how many cases it draws and
/// the seed of the first one, where there is `firstSeed`; what is not given
/// stays as it is.
inline int runRandomTests(int argc, char **argv, uint64_t &numCases,
                          uint64_t *firstSeed = nullptr) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  ::testing::InitGoogleTest(&argc, argv);
  if (argc > 1)
    numCases = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2 && firstSeed)
    *firstSeed = std::strtoull(argv[2], nullptr, 10);
  return RUN_ALL_TESTS();
}

} // namespace inlay

#endif // INLAY_UNITTESTS_RANDOMMAIN_H
