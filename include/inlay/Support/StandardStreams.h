//===- StandardStreams.h - "-" in place of a file ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_STANDARDSTREAMS_H
#define INLAY_SUPPORT_STANDARDSTREAMS_H

#include "inlay/Support/MappedFile.h"

namespace inlay {

/// Whether a path stands for standard input or output. A file of that name is
/// "./-".
inline bool isStandardStream(llvm::StringRef path) { return path == "-"; }

/// What messages call standard input. It lies in the working folder.
constexpr llvm::StringLiteral standardInputName = "<stdin>";

/// All of standard input, in memory. It can be read once: whoever asks again
/// gets the same.
llvm::Expected<std::shared_ptr<const MappedFile>> readStandardInput();

} // namespace inlay

#endif // INLAY_SUPPORT_STANDARDSTREAMS_H
