//===- Messages.h - What is said besides results ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_MESSAGES_H
#define INLAY_TOOLS_INLAY_MESSAGES_H

#include "CommandLine.h"

namespace inlay {

/// How much is said on standard error, and how much each message matters.
enum class LogLevel { Error, Warning, Info, Debug };

/// --log-level, or --quiet.
llvm::Expected<LogLevel> getLogLevel(const Arguments &arguments);

/// Whether a stream is a terminal that obeys escape sequences.
bool obeysEscapes(llvm::raw_fd_ostream &stream);
/// Whether colours are wanted there: see https://no-color.org.
bool showsColours(llvm::raw_fd_ostream &stream);

/// "inlay: error: TEXT" on standard error. Lines may hold names from a file:
/// their control characters do not reach a terminal.
void printMessage(LogLevel kind, llvm::StringRef text);

/// What a report has to say besides its results, as far as `level` asks.
void printMessages(const Report &report, LogLevel level);

/// Whether the report itself is asked for. Where -o names what a verb makes,
/// --quiet does without it.
bool wantsReport(const VerbInfo &verb, const Arguments &arguments);

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_MESSAGES_H
