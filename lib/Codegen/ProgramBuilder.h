//===- ProgramBuilder.h - From a graph to steps -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_PROGRAMBUILDER_H
#define INLAY_LIB_CODEGEN_PROGRAMBUILDER_H

#include "ObjectCode.h"
#include "ProgramState.h"
#include "inlay/Codegen/Library.h"

namespace inlay {

/// A program whose kernels are code that nobody has compiled yet.
struct BuiltProgram {
  std::unique_ptr<NativeProgram::State> state;
  std::vector<CodeChunk> code;
};

/// `lengths`: those that stay open, of which `module` is for the largest.
llvm::Expected<BuiltProgram>
buildProgram(mlir::ModuleOp module, const CodeTarget &target,
             llvm::ArrayRef<OpenLength> lengths = {});

/// What the function of a step's kernel is called, and that of its packing.
std::string getKernelName(const ProgramStep &step);
std::string getPackingName(const ProgramStep &step);

/// Packs the constants that a step reads into `memory`, by code of this
/// machine.
llvm::Error packConstants(const ProgramStep &step, KernelFunction pack,
                          char *memory);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_PROGRAMBUILDER_H
