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

namespace inlay::onnx {

/// The form of an operator, "Conv" or "com.acme::Swirl"; null when it is not
/// modelled.
const OpForm *lookupByOnnxName(llvm::StringRef onnxName);
/// The form of an operation of the dialect ("inlay.conv"), or null.
const OpForm *lookupByOpName(llvm::StringRef opName);

/// Operators that have meant the same since opset 1. Their early attributes
/// that are gone (consumed_inputs) make a node opaque as any unknown one does.
bool isUnchanged(llvm::StringRef onnxName, int64_t opset);

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_OPFORMS_H
