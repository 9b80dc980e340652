//===- FormCheck.h - What an opset can say ----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_FORMCHECK_H
#define INLAY_LIB_ONNX_FORMCHECK_H

#include "NodeForm.h"

namespace inlay::onnx {

/// Says why a node of `opset` cannot have these elements, inputs and
/// attributes, although the opset has the operator. Attributes that it lacks
/// and that say what goes without saying are dropped. The form is still the
/// dialect's.
llvm::Error checkForm(NodeForm &form, unsigned opset);

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_FORMCHECK_H
