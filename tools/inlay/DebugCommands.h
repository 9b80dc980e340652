//===- DebugCommands.h - The verbs that look for faults ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_DEBUGCOMMANDS_H
#define INLAY_TOOLS_INLAY_DEBUGCOMMANDS_H

#include "Commands.h"

namespace inlay {

llvm::Expected<CommandResult> runExtract(const Arguments &arguments,
                                         ImportOptions import,
                                         const ProgressFunction &progress);

llvm::Expected<CommandResult> runReduce(const Arguments &arguments,
                                        ImportOptions import,
                                        const ProgressFunction &progress);

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_DEBUGCOMMANDS_H
