//===- DataResources.h - Buffers of constants in the text -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constant that a pass computed refers to a buffer of the dialect. In the
// text the buffer is a resource: a key where it is used, its bytes at the end.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_DATARESOURCES_H
#define INLAY_LIB_IR_DATARESOURCES_H

#include "inlay/IR/InlayDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SetVector.h"

namespace inlay {

/// A buffer, as the printer and the parser pass it around.
struct DataBufferHandle
    : mlir::AsmDialectResourceHandleBase<
          DataBufferHandle, const DataFiles::Buffer, InlayDialect> {
  DataBufferHandle(const DataFiles::Buffer &buffer, InlayDialect *dialect)
      : AsmDialectResourceHandleBase({const_cast<DataFiles::Buffer *>(&buffer),
                                      mlir::TypeID::get<DataBufferHandle>(),
                                      dialect}) {}
  DataBufferHandle(mlir::AsmDialectResourceHandle handle)
      : AsmDialectResourceHandleBase(handle) {}
};

/// Declares the buffers of a text, fills them, and writes those in use.
class DataResources final : public mlir::OpAsmDialectInterface {
public:
  using OpAsmDialectInterface::OpAsmDialectInterface;

  mlir::FailureOr<mlir::AsmDialectResourceHandle>
  declareResource(llvm::StringRef key) const override;
  std::string
  getResourceKey(const mlir::AsmDialectResourceHandle &handle) const override;
  mlir::LogicalResult
  parseResource(mlir::AsmParsedResourceEntry &entry) const override;
  void buildResources(
      mlir::Operation *op,
      const llvm::SetVector<mlir::AsmDialectResourceHandle> &referenced,
      mlir::AsmResourceBuilder &builder) const override;
};

} // namespace inlay

MLIR_DECLARE_EXPLICIT_TYPE_ID(inlay::DataBufferHandle)

#endif // INLAY_LIB_IR_DATARESOURCES_H
