//===- ProgramOutputs.h - What programs compute, judged ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_CODEGEN_PROGRAMOUTPUTS_H
#define INLAY_UNITTESTS_CODEGEN_PROGRAMOUTPUTS_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay::testing {

/// A message where one of the outputs that were found is not what is expected,
/// but for `tolerance` of the largest element: which one, and how. Where
/// numbers cancel that are equal but for their rounding, that is all there is:
/// what moves as far when inputs and constants do by their last bits is right.
std::string judgeOutputs(mlir::ModuleOp module,
                         llvm::ArrayRef<HostTensor> inputs,
                         llvm::ArrayRef<HostTensor> expected,
                         llvm::ArrayRef<HostTensor> found, double tolerance);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_CODEGEN_PROGRAMOUTPUTS_H
