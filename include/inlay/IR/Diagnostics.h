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
#include "mlir/IR/Operation.h"
#include <optional>

namespace inlay {

/// "node 'conv1' (Conv): message", by the origin of the diagnostic's location.
std::string formatDiagnostic(mlir::Diagnostic &diagnostic);

/// While it lives, keeps the errors that MLIR reports so that they can be
/// returned.
class ErrorCollector {
public:
  explicit ErrorCollector(mlir::MLIRContext *context);

  /// The collected messages as one error, the first ones in full; an internal
  /// error when there are none. Its code is that of the first `reportError`, or
  /// else `code`.
  llvm::Error take(ExitCode code);

private:
  mlir::ScopedDiagnosticHandler handler;
  std::optional<ExitCode> reported;
  llvm::SmallVector<std::string> messages;
};

/// Says what `error` says, at `op`; an ErrorCollector gets its exit code back.
mlir::LogicalResult reportError(mlir::Operation *op, llvm::Error error);

} // namespace inlay

#endif // INLAY_IR_DIAGNOSTICS_H
