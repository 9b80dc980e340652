//===- ModuleText.h - Modules as files of MLIR ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_MODULETEXT_H
#define INLAY_IR_MODULETEXT_H

#include "inlay/Support/MappedFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace inlay {

/// What was written.
struct ModuleTextSummary {
  uint64_t textBytes = 0;
  /// Zero without a data file.
  uint64_t dataBytes = 0;
  std::string dataPath;
};

/// Writes the module as text, with names and locations, and what constants
/// refer to into a data file beside it. The module refers to that file
/// afterwards. Nothing is written unless all is.
llvm::Expected<ModuleTextSummary> writeModule(mlir::ModuleOp module,
                                              llvm::StringRef path);

/// Reads a module that writeModule wrote, wherever it and its data file lie
/// now. The text is untrusted: what is not a graph of the dialect, refers to
/// bytes of another file, or cannot be parsed is a model error that says where.
/// Groups that were outlined are groups again.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
readModule(mlir::MLIRContext &context, std::shared_ptr<const MappedFile> file,
           llvm::ArrayRef<std::string> dataRoots = {});

} // namespace inlay

#endif // INLAY_IR_MODULETEXT_H
