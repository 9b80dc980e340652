//===- Export.h - From the dialect to ONNX ----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_EXPORT_H
#define INLAY_ONNX_EXPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Whether weights go into a file of their own.
enum class ExternalData {
  /// Above `autoExternalBytes` of them.
  Auto,
  Always,
  Never,
};

/// Protobuf ends at 2 GiB.
constexpr uint64_t autoExternalBytes = uint64_t(1) << 30;

struct ExportOptions {
  ExternalData externalData = ExternalData::Auto;
};

/// What was written.
struct ExportSummary {
  uint64_t modelBytes = 0;
  /// Zero without a data file.
  uint64_t dataBytes = 0;
  std::string dataPath;
  /// Of the graph and graphs in its nodes; a call of a function is one.
  uint64_t numNodes = 0;
};

/// Writes the module's graph in the model's own opset and IR version. The same
/// module gives the same bytes. Nothing is written unless all is; the files
/// that the model was read from are not changed (the model itself may be
/// replaced).
llvm::Expected<ExportSummary> exportModel(mlir::ModuleOp module,
                                          llvm::StringRef path,
                                          const ExportOptions &options = {});

/// The version of ONNX's own opset that the model is written in; 0 where the
/// module does not say.
unsigned getOpset(mlir::ModuleOp module);

/// Says why the opset has no node for the operator, success where it has.
llvm::Error checkExpressible(mlir::Operation *op, unsigned opset);

/// Whether ONNX Runtime refuses the operator in an opset that has it: it has no
/// kernel, and takes it apart in the opset that defined it only. A model that
/// has it is written as it is; none gets it.
bool isRefusedByRuntime(mlir::Operation *op, unsigned opset);

} // namespace inlay

#endif // INLAY_ONNX_EXPORT_H
