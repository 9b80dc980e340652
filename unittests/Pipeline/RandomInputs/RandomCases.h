//===- RandomCases.h - How many cases are drawn -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMINPUTS_RANDOMCASES_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMINPUTS_RANDOMCASES_H

#include <cstdint>

namespace inlay::testing {

/// As the command line says.
extern uint64_t numCases, firstSeed;

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMINPUTS_RANDOMCASES_H
