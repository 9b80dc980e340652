//===- ObjectCode.h - Kernels as object files -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_OBJECTCODE_H
#define INLAY_LIB_CODEGEN_OBJECTCODE_H

#include "inlay/Codegen/KernelCode.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class Module;
} // namespace llvm

namespace inlay {

using ObjectCode = std::unique_ptr<llvm::MemoryBuffer>;

/// The functions of `module`, which is consumed, as an object file of code that
/// may lie anywhere. Nobody outside of a library sees them.
llvm::Expected<ObjectCode>
compileKernels(mlir::OwningOpRef<mlir::ModuleOp> module,
               const Machine &machine);

/// A module of LLVM as it is. Sets its triple and data layout.
llvm::Expected<ObjectCode> compileModule(llvm::Module &module,
                                         const Machine &machine);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_OBJECTCODE_H
