//===- StoredFormCases.h - Operators to build permuted ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_IR_STOREDFORMCASES_H
#define INLAY_UNITTESTS_IR_STOREDFORMCASES_H

#include "StoredFormChecker.h"

namespace inlay::testing {

// By family, with the variants of their attributes.
std::vector<FormCase> getElementwiseCases();
std::vector<FormCase> getQuantizeCases();
std::vector<FormCase> getViewCases();
std::vector<FormCase> getMovementCases();
std::vector<FormCase> getIndexingCases();
std::vector<FormCase> getReduceCases();
std::vector<FormCase> getNormalizationCases();
std::vector<FormCase> getContractionCases();
std::vector<FormCase> getWindowCases();
std::vector<FormCase> getContributedCases();

/// Operators with parameters that are computed at run time.
std::vector<FormCase> getComputedCases();

/// Operators that are row-major as they stand.
std::vector<FormCase> getRefusedCases();

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_IR_STOREDFORMCASES_H
