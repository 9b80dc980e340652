//===- Constants.h - The elements of constants ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_CONSTANTS_H
#define INLAY_IR_CONSTANTS_H

#include "inlay/IR/InlayDialect.h"
#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace inlay {

/// Bytes up to which constants are kept in the IR itself, where they print as
/// numbers; larger ones are referred to.
constexpr uint64_t maxInlineBytes = 512;

/// The value of a constant as a tensor, without copying where its bytes can be
/// used as they lie.
llvm::Expected<HostTensor> getHostTensor(mlir::Attribute value);

/// The bytes that a constant refers to.
llvm::Expected<FileRange> getFileRange(DataAttr value);

/// The value of `value` if it is defined by an inlay.constant, else null.
mlir::Attribute getConstantValue(mlir::Value value);

/// A constant's attribute for `tensor`: inline when small, else a buffer of the
/// dialect.
mlir::TypedAttr getConstantAttr(mlir::MLIRContext *context,
                                const HostTensor &tensor);

/// The constant's packed size in a file, in bytes.
uint64_t getByteSize(mlir::Attribute value);
/// The packed size of a tensor of static shape; nothing otherwise.
std::optional<uint64_t> getByteSize(mlir::Type type);

} // namespace inlay

#endif // INLAY_IR_CONSTANTS_H
