//===- Commands.h - The verbs -----------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_COMMANDS_H
#define INLAY_TOOLS_INLAY_COMMANDS_H

#include "CommandLine.h"
#include "inlay/Pipeline/Resources.h"

namespace inlay {

/// What a command ends with when it does not fail.
struct CommandResult {
  Report report;
  ExitCode code = ExitCode::Success;
};

/// Runs a verb with its arguments.
llvm::Expected<CommandResult> runVerb(const VerbInfo &verb,
                                      const Arguments &arguments,
                                      const ProgressFunction &progress);

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_COMMANDS_H
