//===- KernelWrites.h - What kernels write to -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_CODEGEN_KERNELWRITES_H
#define INLAY_UNITTESTS_CODEGEN_KERNELWRITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace inlay::testing {

/// A kernel is one nest of loops: its function calls nobody, and writes only to
/// buffers that `mayWrite` allows and to memory of its own, of which it has 256
/// KiB at most. A message where it does more.
std::string checkWrites(mlir::func::FuncOp kernel,
                        llvm::function_ref<bool(unsigned buffer)> mayWrite);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_CODEGEN_KERNELWRITES_H
