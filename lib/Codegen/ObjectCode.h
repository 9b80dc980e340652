//===- ObjectCode.h - Kernels as object files -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_OBJECTCODE_H
#define INLAY_LIB_CODEGEN_OBJECTCODE_H

#include "inlay/Codegen/CompileJobs.h"
#include "inlay/Codegen/KernelCode.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class Module;
} // namespace llvm

namespace inlay {

using ObjectCode = std::unique_ptr<llvm::MemoryBuffer>;

/// Kernels that become one object file: of one alone LLVM has little to do, and
/// all of a program could only be compiled one after another.
struct CodeChunk {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// What they are, for the cache.
  std::string text;
  unsigned numKernels = 0;
};

struct CompiledChunks {
  std::vector<ObjectCode> objects;
  unsigned numCached = 0;
};

/// The functions of chunks, which are consumed, as object files of code that
/// may lie anywhere. Nobody outside of a library sees them. The files do not
/// depend on how they were made.
llvm::Expected<CompiledChunks> compileChunks(std::vector<CodeChunk> chunks,
                                             const Machine &machine,
                                             const CompileJobs &jobs);

/// A module of LLVM as it is. Sets its triple and data layout.
llvm::Expected<ObjectCode> compileModule(llvm::Module &module,
                                         const Machine &machine);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_OBJECTCODE_H
