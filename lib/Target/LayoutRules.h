//===- LayoutRules.h - The list 'layouts' of a target file ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_LAYOUTRULES_H
#define INLAY_LIB_TARGET_LAYOUTRULES_H

#include "YamlTree.h"
#include "inlay/Target/Format.h"

namespace inlay {

/// Reads the rules of `node`, whose orders may be names of `formats`; those
/// with faults are left out.
std::vector<OpLayout>
readLayoutRules(const YamlNode &node, llvm::ArrayRef<llvm::StringRef> knownOps,
                OpFormLookup getForms,
                const std::map<std::string, Format, std::less<>> &formats,
                FaultList &faults);

/// Reads the list 'candidates'.
std::vector<std::string> readCandidates(const YamlNode &node,
                                        FaultList &faults);

} // namespace inlay

#endif // INLAY_LIB_TARGET_LAYOUTRULES_H
