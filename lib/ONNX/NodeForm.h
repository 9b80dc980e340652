//===- NodeForm.h - A node between opset and dialect ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_NODEFORM_H
#define INLAY_LIB_ONNX_NODEFORM_H

#include "OpForms.h"
#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Value.h"

namespace inlay::onnx {

/// A node of ONNX's own domain on its way in or out: in the form of the model's
/// opset, or in the dialect's, which is that of the newest opset with known
/// parameters as attributes.
struct NodeForm {
  /// A value, a constant that does not exist as a value yet, or neither.
  struct Input {
    mlir::Value value;
    HostTensor constant;

    bool isAbsent() const { return !value && !constant; }
  };

  std::string opType;
  llvm::SmallVector<Input, 4> inputs;
  mlir::NamedAttrList attributes;
  unsigned numOutputs = 1;

  /// The input at `index`, which may lie past the end.
  Input getInput(unsigned index) const {
    return index < inputs.size() ? inputs[index] : Input();
  }
  void setInput(unsigned index, Input input) {
    if (index >= inputs.size())
      inputs.resize(index + 1);
    inputs[index] = std::move(input);
  }
  void dropTrailingInputs() {
    while (!inputs.empty() && inputs.back().isAbsent())
      inputs.pop_back();
  }
};

/// The constant elements of an input, or an empty tensor.
HostTensor getConstant(const NodeForm::Input &input);

/// From the form of `opset` to the dialect's. False when the node says
/// something that the dialect does not model.
bool upgradeForm(mlir::MLIRContext *context, NodeForm &form, unsigned opset);

/// From the dialect's form to that of `opset`. Fails when the opset cannot say
/// it.
llvm::Error downgradeForm(mlir::MLIRContext *context, NodeForm &form,
                          unsigned opset);

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_NODEFORM_H
