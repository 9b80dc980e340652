//===- TypeHistory.h - Element types that opsets admit ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_TYPEHISTORY_H
#define INLAY_LIB_ONNX_TYPEHISTORY_H

#include "inlay/Tensor/ElementType.h"
#include "llvm/ADT/StringRef.h"

namespace inlay::onnx {

/// The first opset in which the operator works on elements of `type`: those of
/// the input at `getTypedInput`, or what Constant and ConstantOfShape give.
/// Nothing where none does; 1 for operators that are not in the table.
std::optional<unsigned> getFirstOpset(llvm::StringRef onnxName,
                                      ElementType type);

/// The input whose elements tell the form of the operator: others agree with
/// it, or have a type that never changed.
unsigned getTypedInput(llvm::StringRef onnxName);

} // namespace inlay::onnx

#endif // INLAY_LIB_ONNX_TYPEHISTORY_H
