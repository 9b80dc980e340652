//===- OpForms.h - Looking up which operator stands for which ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_OPFORMS_H
#define INLAY_LIB_ONNX_OPFORMS_H

#include "inlay/ONNX/OpForms.h"
#include "mlir/IR/Operation.h"

namespace inlay::onnx {

/// Of the operators that ONNX Runtime contributes.
inline constexpr char contributedDomain[] = "com.microsoft";

/// The form of an operator, "Conv" or "com.acme::Swirl"; null when it is not
/// modelled.
const OpForm *lookupByOnnxName(llvm::StringRef onnxName);
/// The form that an operation is written in, that of its domain where it
/// remembers one; null when it has none.
const OpForm *lookupForm(mlir::Operation *op);

/// The domain of a form's nodes, empty for ONNX's own.
llvm::StringRef getNodeDomain(const OpForm &form);

/// The domain that an operation read in this form has to remember, because it
/// has another form as well; else empty.
llvm::StringRef getSpelledDomain(const OpForm &form);

/// Operators that have meant the same since opset 1. Their early attributes
/// that are gone (consumed_inputs) make a node opaque as any unknown one does.
bool isUnchanged(llvm::StringRef onnxName, int64_t opset);

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_OPFORMS_H
