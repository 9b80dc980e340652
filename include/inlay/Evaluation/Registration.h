//===- Registration.h - Operators that compute ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect declares EvaluateOpInterface; what implements it, and with it the
// reference kernels, is attached from here. Type inference, constant folding
// and the executor ask for it: a context that works on models needs it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_EVALUATION_REGISTRATION_H
#define INLAY_EVALUATION_REGISTRATION_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace inlay {

/// Attaches EvaluateOpInterface to the operators of the dialect when it is
/// loaded.
void registerEvaluation(mlir::DialectRegistry &registry);

/// The same for a context that exists, whether or not the dialect is loaded.
void registerEvaluation(mlir::MLIRContext &context);

} // namespace inlay

#endif // INLAY_EVALUATION_REGISTRATION_H
