//===- LayoutReport.h - Layouts in words ------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_LAYOUTREPORT_H
#define INLAY_LIB_PIPELINE_LAYOUTREPORT_H

#include "inlay/Report/Report.h"
#include "inlay/Transforms/Layout/Preset.h"

namespace inlay {

/// Whether the solution is proved to be the cheapest, in which round and by
/// what, or how far it may be from it; and what that does not speak of. Does
/// nothing where a strategy has no certificate.
void addCertificate(const PresetResult &result, Report &report);

/// The operators that are row-major whatever stands around them.
void addBarriers(llvm::ArrayRef<std::string> barriers, Report &report,
                 bool isForPeople = true);

/// The extents that costs assume for unknown dimensions, if there are any.
void addAssumptions(const std::map<std::string, int64_t> &assumptions,
                    Report &report);

/// What became of the transposes.
void addLedger(const PresetResult &result, Report &report);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_LAYOUTREPORT_H
