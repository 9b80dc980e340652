//===- CompareReport.h - Comparisons as tables ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_COMPAREREPORT_H
#define INLAY_LIB_PIPELINE_COMPAREREPORT_H

#include "inlay/Report/Report.h"
#include "inlay/Runtime/FirstDifference.h"

namespace inlay {

/// "equal", "differs", or why tensors cannot be compared.
std::string getVerdict(const TensorComparison &result);

/// A table of comparisons, and a row of it.
Table makeResultTable();
void addRow(const TensorComparison &result, llvm::StringRef verdict,
            Table &table);

/// The first node that differs, and what it reads.
void addFirstDifference(const FirstDifference &first, Report &report);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_COMPAREREPORT_H
