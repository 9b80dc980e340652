//===- LinkLibrary.h - Object files as a shared library ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_LINKLIBRARY_H
#define INLAY_LIB_CODEGEN_LINKLIBRARY_H

#include "inlay/Codegen/Machine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace inlay {

/// The bytes of a library called `name` of these objects and the runtime; it
/// needs libc and libm. Nothing of this machine is read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
linkLibrary(llvm::ArrayRef<llvm::MemoryBufferRef> objects,
            const Machine &machine, llvm::StringRef name);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_LINKLIBRARY_H
