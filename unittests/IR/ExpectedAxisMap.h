//===- ExpectedAxisMap.h - An axis map and its proof ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_IR_EXPECTEDAXISMAP_H
#define INLAY_UNITTESTS_IR_EXPECTEDAXISMAP_H

#include "AxisMapChecker.h"

namespace inlay::testing {

/// The axis map prints as `expected`, and what it claims is true.
inline void expectAxisMap(llvm::StringRef arguments, llvm::StringRef operation,
                          llvm::StringRef expected) {
  EXPECT_EQ(printAxisMap(arguments, operation), expected);
  EXPECT_TRUE(axisMapHolds(arguments, operation));
}

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_IR_EXPECTEDAXISMAP_H
