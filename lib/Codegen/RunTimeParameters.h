//===- RunTimeParameters.h - Shapes that are known too late -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axes, shapes and the like may be computed, and the shape of the result be
// known nevertheless, because the model says it. Code is made for that shape:
// before it runs, what the parameters are has to fit.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_RUNTIMEPARAMETERS_H
#define INLAY_LIB_CODEGEN_RUNTIMEPARAMETERS_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// Whether what shapes the result, or has to be in some range, is computed.
bool hasRunTimeParameters(mlir::Operation *op);

/// All that is computed and has to fit, as bytes.
std::string getParameterBytes(mlir::Operation *op,
                              llvm::ArrayRef<HostTensor> operands);

/// Whether the results are known to have the shapes that their types say when
/// `operands` are what the operator reads.
bool doParametersFit(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_RUNTIMEPARAMETERS_H
