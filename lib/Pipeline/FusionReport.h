//===- FusionReport.h - Groups in words -------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_FUSIONREPORT_H
#define INLAY_LIB_PIPELINE_FUSIONREPORT_H

#include "inlay/Report/Report.h"
#include "inlay/Transforms/Hardware/FusionRecord.h"

namespace inlay {

/// How many groups there are and the bytes that cross their borders; for
/// programs, and with `isVerbose` for people, each group, each operator outside
/// and each edge between groups.
void addFusion(const FusionRecord &record, Report &report, bool isVerbose);

/// Why values cross borders. For programs, and for people where they ask for
/// all or for a node, also the group and stages of each operator, or why it has
/// none, and how groups grew. With `node` only what concerns that node.
void explainFusion(const FusionRecord &record, llvm::StringRef node, bool all,
                   Report &report);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_FUSIONREPORT_H
