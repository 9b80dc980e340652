//===- Models.h - Models as the commands name them --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_MODELS_H
#define INLAY_PIPELINE_MODELS_H

#include "inlay/Analysis/ModelStats.h"
#include "inlay/ONNX/Import.h"

namespace inlay {

/// The file of a model; "-" is standard input.
llvm::Expected<std::shared_ptr<const MappedFile>>
openModel(llvm::StringRef path);

/// Whether it is MLIR.
bool isModule(const MappedFile &file);

/// Opens and imports a model, or reads a module that was written earlier where
/// the file is named .mlir; "-" is standard input, which may be either. Names
/// in `options` that the model does not have are usage errors that list the
/// ones it has, and so are extents of 0 that leave an output without elements.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
loadModel(mlir::MLIRContext &context, llvm::StringRef path,
          const ImportOptions &options);

/// The same for a file that is open, or bytes that are in none.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
loadModel(mlir::MLIRContext &context, std::shared_ptr<const MappedFile> file,
          const ImportOptions &options);

/// Its numbers, with ONNX's names for operators.
llvm::Expected<ModelStats> getModelStats(mlir::ModuleOp module);

/// The bytes of a model's file and of the external data that the context's
/// constants are read from.
uint64_t getInputBytes(mlir::MLIRContext &context, llvm::StringRef path);

/// A usage error where `output` is a file that holds weights which are still
/// read. The model itself may be replaced by what is made of it.
llvm::Error checkOutputPath(mlir::MLIRContext &context, llvm::StringRef model,
                            llvm::StringRef output);

} // namespace inlay

#endif // INLAY_PIPELINE_MODELS_H
