//===- Manual.h - Manual pages and completions ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_MANUAL_H
#define INLAY_TOOLS_INLAY_MANUAL_H

#include "CommandLine.h"

namespace inlay {

/// inlay(1), or inlay-VERB(1), for man.
void printManual(llvm::raw_ostream &os);
void printManual(llvm::raw_ostream &os, const VerbInfo &verb);

/// A script that makes a shell complete verbs, options and their values; false
/// where the shell is neither bash nor zsh.
bool printCompletion(llvm::raw_ostream &os, llvm::StringRef shell);

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_MANUAL_H
