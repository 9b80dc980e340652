//===- Import.h - From ONNX to the dialect ----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_IMPORT_H
#define INLAY_ONNX_IMPORT_H

#include "inlay/Support/MappedFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

namespace inlay {

/// The opsets that are modelled. Nodes of older ones (down to 1) are kept
/// verbatim: operators broadcast by other rules there.
constexpr int64_t minOpset = 7, maxOpset = 26;
constexpr int64_t maxIRVersion = 13;

struct ImportOptions {
  /// Extents for dimension names of the graph's inputs.
  llvm::StringMap<int64_t> dims;
  /// Whole shapes for inputs, by name.
  llvm::StringMap<llvm::SmallVector<int64_t>> shapes;
  /// Calls of functions that were exported from inlay.in_layout or inlay.group
  /// become that again where they are of this target, or of any when there is
  /// none. All other functions are inlined.
  std::optional<std::string> target;
  /// Folders below which external data may lie, besides the model's own.
  std::vector<std::string> dataRoots;
};

/// Reads a model, in a context that has an evaluation of operators
/// (Evaluation/Registration.h). The constants of the module refer to the file,
/// which stays mapped for as long as the context lives. Every failure is an
/// error with exit code 3 (the model) or 6 (the file) that says where.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importModel(mlir::MLIRContext &context, std::shared_ptr<const MappedFile> file,
            const ImportOptions &options = {});

/// Opens and reads a model.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importModelFile(mlir::MLIRContext &context, llvm::StringRef path,
                const ImportOptions &options = {});

} // namespace inlay

#endif // INLAY_ONNX_IMPORT_H
