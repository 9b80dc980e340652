//===- DerivedNames.h - Names of what becomes of a node ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_DERIVEDNAMES_H
#define INLAY_IR_DERIVEDNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace inlay {

/// Bytes of an origin's name that derived names repeat. One node may become a
/// million, and its name may be as long as the file.
inline constexpr size_t maxDerivedBytes = 256;

/// The beginning of `name` that derived names begin with, in whole characters.
llvm::StringRef shortenName(llvm::StringRef name);

/// "conv1/Transpose": what a new node of node "conv1" is called.
std::string deriveName(llvm::StringRef origin, llvm::StringRef part);

} // namespace inlay

#endif // INLAY_IR_DERIVEDNAMES_H
