//===- OpTypeNamer.h - What operations are called in ONNX -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_OPTYPENAMER_H
#define INLAY_ANALYSIS_OPTYPENAMER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace inlay {

/// What an operation is called in ONNX: "Conv", "com.acme::Swirl".
using OpTypeNamer = llvm::function_ref<std::string(mlir::Operation *)>;

} // namespace inlay

#endif // INLAY_ANALYSIS_OPTYPENAMER_H
