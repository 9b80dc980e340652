//===- Embedded.h - Files inside of Inlay -----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_EMBEDDED_H
#define INLAY_LIB_CODEGEN_EMBEDDED_H

#include "llvm/ADT/StringRef.h"

namespace inlay {

/// What libraries of one architecture are linked with.
struct EmbeddedRuntime {
  /// The runtime as an object file.
  llvm::StringRef object;
  /// Libraries that only say which functions libc and libm have.
  llvm::StringRef libc, libm;
};

/// Of "x86_64" or "aarch64".
EmbeddedRuntime getEmbeddedRuntime(llvm::StringRef arch);

/// The text of NativeRuntime/Model.h.
llvm::StringRef getModelHeader();

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_EMBEDDED_H
