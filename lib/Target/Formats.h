//===- Formats.h - The section 'formats' of a target file -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_FORMATS_H
#define INLAY_LIB_TARGET_FORMATS_H

#include "YamlTree.h"
#include "inlay/Target/Format.h"

namespace inlay {

/// Reads the formats of `node`; those with faults are left out.
std::map<std::string, Format, std::less<>> readFormats(const YamlNode &node,
                                                       FaultList &faults);

} // namespace inlay

#endif // INLAY_LIB_TARGET_FORMATS_H
