//===- FloatExtremes.h - The larger of two floats ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bound is kept by a comparison and a choice, so that NaN stays: two
// instructions, of which arm64 does half as many in a cycle as of its own one,
// which x86-64 does not have.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_FLOATEXTREMES_H
#define INLAY_LIB_CODEGEN_FLOATEXTREMES_H

namespace llvm {
class Module;
} // namespace llvm

namespace inlay {

/// Choices between a float and a bound that is a number become the larger or
/// the smaller of both; of two zeros the larger is the positive one.
void useFloatExtremes(llvm::Module &module);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_FLOATEXTREMES_H
