//===- FileKind.h - What a file is that is no model -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_FILEKIND_H
#define INLAY_LIB_ONNX_FILEKIND_H

#include "llvm/ADT/StringRef.h"

namespace inlay {

/// What the bytes seem to be, in words that follow "it seems to be"; empty
/// where they could be a damaged model as well.
llvm::StringRef guessFileKind(llvm::StringRef bytes);

} // namespace inlay

#endif // INLAY_LIB_ONNX_FILEKIND_H
