//===- CodeTesting.h - Functions of few operators as code -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_CODEGEN_CODETESTING_H
#define INLAY_UNITTESTS_CODEGEN_CODETESTING_H

#include "NativeChecker.h"
#include <gtest/gtest.h>

namespace inlay::testing {

/// A tensor of numbers that are easily got wrong, and others.
HostTensor makeInput(mlir::Type type, unsigned seed);

/// Checks a function that `body` is of, with arguments %a, %b and so on of
/// these types and a result %y of the last one; the steps that have code.
unsigned check(llvm::ArrayRef<llvm::StringRef> types, llvm::StringRef body,
               double tolerance = 0);
/// The same with numbers between -2 and 2, of which sums are good.
unsigned checkModerate(llvm::ArrayRef<llvm::StringRef> types,
                       llvm::StringRef body, double tolerance);
/// The same: whether all steps have code, however many an operator became.
bool isAllCode(llvm::ArrayRef<llvm::StringRef> types, llvm::StringRef body,
               double tolerance);

/// The same: how many steps tiles compute, too.
unsigned countTiles(llvm::ArrayRef<llvm::StringRef> types, llvm::StringRef body,
                    double tolerance);

/// The same: how the last step is computed.
std::string getPlan(llvm::ArrayRef<llvm::StringRef> types, llvm::StringRef body,
                    double tolerance);

/// The same of all steps.
std::vector<std::string> getPlans(llvm::ArrayRef<llvm::StringRef> types,
                                  llvm::StringRef body, double tolerance);

/// The code of such a function's last step for a vector unit, as text.
std::string getCode(llvm::ArrayRef<llvm::StringRef> types, llvm::StringRef body,
                    const VectorUnit &unit);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_CODEGEN_CODETESTING_H
