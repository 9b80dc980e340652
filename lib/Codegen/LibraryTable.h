//===- LibraryTable.h - A program as the runtime reads it -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of NativeRuntime/Program.h as constants of LLVM, and the functions
// that C programs call.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_LIBRARYTABLE_H
#define INLAY_LIB_CODEGEN_LIBRARYTABLE_H

#include "LibraryWeights.h"
#include "inlay/Analysis/Samples.h"
#include "llvm/IR/Module.h"

namespace inlay {

/// What a library says of itself.
struct LibraryFacts {
  std::string prefix;
  /// "x86-64-v3".
  std::string cpu;
  uint32_t requiredCpu = 0;
  /// The name of the file with the weights; empty: they are in the library.
  std::string weightsName;
  uint64_t weightsChecksum = 0;
  /// What of inputs and outputs is of one sample; nothing: all.
  std::optional<Samples> samples;
  uint32_t samplesAtOnce = 1;
  /// What open lengths are called, in their order.
  std::vector<std::string> lengths;
  /// The weights, where the library has them.
  llvm::ArrayRef<char> weights;
};

std::unique_ptr<llvm::Module> makeTable(llvm::LLVMContext &context,
                                        const NativeProgram::State &program,
                                        const LibraryWeights &weights,
                                        const LibraryFacts &facts);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_LIBRARYTABLE_H
