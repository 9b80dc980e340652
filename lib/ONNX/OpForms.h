//===- OpForms.h - Which operator stands for which --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_OPFORMS_H
#define INLAY_LIB_ONNX_OPFORMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace inlay::onnx {

/// Nodes pass the parameter `name` as an input from opset `since` on and as an
/// attribute before.
struct ParamVersion {
  llvm::StringLiteral name;
  unsigned since;
};

/// How an ONNX operator (in the form of the newest opset) and an operation of
/// the dialect correspond. Inputs are operands in the same order, attributes
/// keep their names.
struct OpForm {
  llvm::StringLiteral onnxName;
  llvm::StringLiteral opName;
  /// Inputs at the most; 0 when there may be any number.
  unsigned numInputs;
  /// Outputs that a node must name.
  unsigned numOutputs;
  /// Results of the operation, those of optional outputs included; 0 when there
  /// are as many as the node has outputs.
  unsigned numResults;
  llvm::SmallVector<ParamVersion, 1> params;
  /// The first opset that has the operator.
  unsigned firstOpset = 1;

  /// The first opset in which a parameter is an input.
  unsigned getSince(llvm::StringRef param) const;
};

/// The form of an operator of ONNX's own domain; null when it is not modelled.
const OpForm *lookupByOnnxName(llvm::StringRef onnxName);
/// The form of an operation of the dialect ("inlay.conv"), or null.
const OpForm *lookupByOpName(llvm::StringRef opName);

/// Operators that have meant the same since opset 1. Their early attributes
/// that are gone (consumed_inputs) make a node opaque as any unknown one does.
bool isUnchanged(llvm::StringRef onnxName, int64_t opset);

/// Every form, by ONNX name.
llvm::ArrayRef<OpForm> getOpForms();

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_OPFORMS_H
