//===- OpForms.h - Which operator stands for which --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_OPFORMS_H
#define INLAY_ONNX_OPFORMS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inlay::onnx {

/// Nodes pass the parameter `name` as an input from opset `since` on and as an
/// attribute before.
struct ParamVersion {
  llvm::StringRef name;
  unsigned since;
};

/// How an ONNX operator (in the form of the newest opset) and an operation of
/// a dialect correspond. Inputs are operands in the same order, attributes
/// keep their names.
struct OpForm {
  /// "Conv", "com.acme::Swirl" for one of a foreign domain.
  std::string onnxName;
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
  /// The operation, "inlay.conv"; one of any dialect.
  std::string opName = {};

  /// The first opset in which a parameter is an input.
  unsigned getSince(llvm::StringRef param) const;
};

/// Adds a form: nodes of the type are imported as the operation where a dialect
/// that is loaded has it, and written again as such nodes. An error where the
/// type or the operation has a form already. Not while models are read.
llvm::Error registerOpForm(OpForm form);

} // namespace inlay::onnx

#endif // INLAY_ONNX_OPFORMS_H
