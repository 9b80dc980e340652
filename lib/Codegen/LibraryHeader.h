//===- LibraryHeader.h - What C programs include ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_LIBRARYHEADER_H
#define INLAY_LIB_CODEGEN_LIBRARYHEADER_H

#include "OpenDims.h"
#include "inlay/Codegen/Library.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace inlay {

/// "resnet-18.onnx" as "resnet_18_onnx".
std::string makeIdentifier(llvm::StringRef text);
bool isIdentifier(llvm::StringRef text);

/// The header of the library of a graph, complete in itself. `length`: what
/// `open` is of, or null.
std::string makeHeader(mlir::func::FuncOp graph, llvm::StringRef prefix,
                       const std::optional<Samples> &samples,
                       llvm::ArrayRef<OpenLength> lengths,
                       const OpenDims &open);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_LIBRARYHEADER_H
