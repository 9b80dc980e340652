//===- Diagnostics.h - Diagnostics as errors --------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_DIAGNOSTICS_H
#define INLAY_IR_DIAGNOSTICS_H

#include "inlay/Support/Error.h"
#include "mlir/IR/Diagnostics.h"

namespace inlay {

/// "node 'conv1' (Conv): message", by the origin of the diagnostic's location.
std::string formatDiagnostic(mlir::Diagnostic &diagnostic);

/// While it lives, keeps the errors that MLIR reports so that they can be
/// returned.
class ErrorCollector {
public:
  explicit ErrorCollector(mlir::MLIRContext *context);

  /// The collected messages as one error, the first ones in full; an internal
  /// error when there are none.
  llvm::Error take(ExitCode code);

private:
  mlir::ScopedDiagnosticHandler handler;
  llvm::SmallVector<std::string> messages;
};

} // namespace inlay

#endif // INLAY_IR_DIAGNOSTICS_H
