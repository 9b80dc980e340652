//===- TensorWriter.h - Constants as TensorProto messages -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_TENSORWRITER_H
#define INLAY_LIB_ONNX_TENSORWRITER_H

#include "inlay/IR/InlayDialect.h"
#include "inlay/ONNX/ProtoWriter.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace inlay::onnx {

/// Writes the elements of constants, into the message or into a data file
/// beside the model.
class TensorWriter {
public:
  /// From now on large tensors go to `file`, which messages call `location`.
  void useDataFile(OutputFile &file, llvm::StringRef location);
  bool hasDataFile() const { return dataFile != nullptr; }

  /// A TensorProto with the elements of a constant's attribute.
  llvm::Error writeTensor(MessageWriter &message, llvm::StringRef name,
                          mlir::Attribute value);
  llvm::Error writeTensor(MessageWriter &message, llvm::StringRef name,
                          const HostTensor &tensor);

private:
  llvm::Error writeData(MessageWriter &message, const FileRange &range);
  llvm::Error writeExpression(MessageWriter &message, mlir::Attribute value);
  /// Whether `size` bytes go to the data file.
  bool isExternal(uint64_t size) const;
  /// Puts what `write` writes, `size` bytes, into the data file.
  llvm::Error writeExternal(MessageWriter &message, uint64_t size,
                            llvm::function_ref<llvm::Error()> write);

  OutputFile *dataFile = nullptr;
  std::string location;
};

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_TENSORWRITER_H
