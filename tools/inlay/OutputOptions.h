//===- OutputOptions.h - Where models are written to ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_OUTPUTOPTIONS_H
#define INLAY_TOOLS_INLAY_OUTPUTOPTIONS_H

#include "CommandLine.h"
#include "inlay/ONNX/Export.h"

namespace inlay {

/// --external-data. On standard output there is no place for a second file.
llvm::Error readExternalData(const Arguments &arguments,
                             ExportOptions &options);

/// That bytes which are no text do not go to a terminal.
llvm::Error checkBinaryOutput(const Arguments &arguments);

/// Whether standard output is for what the verb makes, and its report goes
/// elsewhere.
bool writesToStandardOutput(const VerbInfo &verb, llvm::StringRef output);

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_OUTPUTOPTIONS_H
