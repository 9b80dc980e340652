//===- OpWords.h - What target files may say of an operator -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers about operators by their type in ONNX ("Conv"), as their definitions
// have it: no operation is needed. Of an operator that nothing is known of,
// anything may be said.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_OPWORDS_H
#define INLAY_IR_OPWORDS_H

#include "llvm/ADT/StringRef.h"

namespace inlay {

/// Whether operators of the type have what target files call `word`: an
/// attribute ("kernel", "mode"), a "weight", an "operand" beside the data.
bool hasWord(llvm::StringRef onnxType, llvm::StringRef word);

/// Whether the attribute `word` of such an operator may be `text`.
bool mayBe(llvm::StringRef onnxType, llvm::StringRef word,
           llvm::StringRef text);

} // namespace inlay

#endif // INLAY_IR_OPWORDS_H
