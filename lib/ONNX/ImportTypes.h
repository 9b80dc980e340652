//===- ImportTypes.h - Types, tensors and attributes ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_IMPORTTYPES_H
#define INLAY_LIB_ONNX_IMPORTTYPES_H

#include "inlay/ONNX/Proto.h"
#include "inlay/ONNX/TensorData.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace inlay::onnx {

/// A TypeProto as a type: !inlay.unknown when nothing is declared.
llvm::Expected<mlir::Type> importType(mlir::MLIRContext *context,
                                      const proto::Type *type);

/// The symbols of the dimensions as an array of strings, or null when there are
/// none.
mlir::ArrayAttr importDimNames(mlir::MLIRContext *context,
                               const proto::Type *type);

/// Key-value pairs as a dictionary, or null when there are none.
mlir::DictionaryAttr importMetadata(mlir::MLIRContext *context,
                                    llvm::ArrayRef<proto::StringEntry> entries);

/// Messages kept as they are.
mlir::ArrayAttr importRaw(mlir::MLIRContext *context,
                          llvm::ArrayRef<proto::Raw> messages);

/// Turns tensors and attributes of one model into attributes.
class AttributeImporter {
public:
  AttributeImporter(mlir::MLIRContext *context,
                    std::shared_ptr<const MappedFile> file,
                    llvm::ArrayRef<std::string> dataRoots);

  /// The elements of a tensor: inline when small, else a reference.
  llvm::Expected<mlir::TypedAttr> importTensor(const proto::Tensor &tensor);

  /// Any attribute but a graph. Kinds that are not modelled are kept as bytes.
  llvm::Expected<mlir::Attribute>
  importAttribute(const proto::Attribute &attribute);

private:
  mlir::MLIRContext *context;
  std::shared_ptr<const MappedFile> file;
  ExternalFiles externals;
};

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_IMPORTTYPES_H
