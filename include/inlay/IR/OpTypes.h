//===- OpTypes.h - What operations are called in ONNX -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_OPTYPES_H
#define INLAY_IR_OPTYPES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace inlay {

/// "Conv" for inlay.conv, "com.acme::Swirl" for an opaque node of a foreign
/// domain, the operation's own name for one that ONNX has no operator for.
std::string getOnnxOpType(mlir::Operation *op);

/// The types of all operators that are modelled by an operation of their own,
/// sorted, as the newest opset calls them. Valid until one is added.
llvm::ArrayRef<llvm::StringRef> getOnnxOpTypes();

/// The operation that models an operator, "inlay.conv", or nothing.
llvm::StringRef getOperationName(llvm::StringRef onnxType);

/// Makes `opName`, an operation of any dialect, the one that models `onnxType`,
/// "com.acme::Swirl". False where there is one already. Not while others look.
bool addOnnxOpType(llvm::StringRef onnxType, llvm::StringRef opName);

/// What targets call the elements of a tensor of `type`, or `type` itself:
/// "f32", "ui8"; empty for null.
std::string getElementWord(mlir::Type type);

} // namespace inlay

#endif // INLAY_IR_OPTYPES_H
