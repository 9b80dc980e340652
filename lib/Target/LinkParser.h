//===- LinkParser.h - Links of stages, as arrows ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TARGET_LINKPARSER_H
#define INLAY_LIB_TARGET_LINKPARSER_H

#include "YamlTree.h"

namespace inlay {

struct LinkWord {
  llvm::StringRef name;
  YamlLocation location;
};

/// Each stage of a step is linked to each of the next one.
using LinkChain = std::vector<llvm::SmallVector<LinkWord, 1>>;

/// Parses "a -> b -> [c, d]", where words refer to the text of `node`; empty
/// after a fault.
LinkChain parseLinks(const YamlNode &node, FaultList &faults);

} // namespace inlay

#endif // INLAY_LIB_TARGET_LINKPARSER_H
