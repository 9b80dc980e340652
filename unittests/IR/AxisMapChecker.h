//===- AxisMapChecker.h - Axis maps against what is computed ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operation under test is written as text, the last one of a function whose
// arguments are its operands:
//
//   EXPECT_EQ(printAxisMap("%x: tensor<2x3xf32>",
//                          "inlay.softmax %x : (tensor<2x3xf32>) -> ..."),
//             "...");
//   EXPECT_TRUE(axisMapHolds(arguments, operation));
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_IR_AXISMAPCHECKER_H
#define INLAY_UNITTESTS_IR_AXISMAPCHECKER_H

#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>
#include <string>

namespace inlay::testing {

/// The axis map of an operation as AxisMap::print writes it, or why there is
/// none.
std::string printAxisMap(llvm::StringRef arguments, llvm::StringRef operation);

/// Whether the axis map is well formed and true. Its claims are tested by
/// changing one element of an operand at a time: along a parallel axis only
/// results at the same position may change. Integer operands are drawn from
/// 0 and 1.
::testing::AssertionResult axisMapHolds(llvm::StringRef arguments,
                                        llvm::StringRef operation);

/// Whether the operation's axis map is opaque.
::testing::AssertionResult axisMapIsOpaque(llvm::StringRef arguments,
                                           llvm::StringRef operation);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_IR_AXISMAPCHECKER_H
