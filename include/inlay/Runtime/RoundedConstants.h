//===- RoundedConstants.h - Whether constants are rounded once --*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_RUNTIME_ROUNDEDCONSTANTS_H
#define INLAY_RUNTIME_ROUNDEDCONSTANTS_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay {

/// Where an element of `written` is farther than one unit in its last place
/// from that of `exact`, f64 and of the same shape: "[3] is 0.1, f64 gives
/// 0.2"; empty where none is.
std::string findRoundingError(const HostTensor &exact,
                              const HostTensor &written);

/// Computes every constant of floats that is an expression in f64, from its
/// definition and element by element, and looks for one that is written
/// differently: "constant 'w' at [3] is 0.1, f64 gives 0.2". Empty where there
/// is none.
llvm::Expected<std::string> checkComputedConstants(mlir::ModuleOp module);

} // namespace inlay

#endif // INLAY_RUNTIME_ROUNDEDCONSTANTS_H
