//===- CostReader.h - The section 'costs' of a target file ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_COSTREADER_H
#define INLAY_LIB_TARGET_COSTREADER_H

#include "Fields.h"

namespace inlay {

/// Reads the costs of `node`; entries with faults are left out. `getForms` says
/// what may be asked of an operator; null: anything.
TargetCosts readCosts(const YamlNode &node,
                      llvm::ArrayRef<llvm::StringRef> knownOps,
                      OpFormLookup getForms, FaultList &faults);

/// A number of at least one, in thousandths.
std::optional<CostFactor> readFactor(const YamlNode &node, FaultList &faults);

} // namespace inlay

#endif // INLAY_LIB_TARGET_COSTREADER_H
