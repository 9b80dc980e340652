//===- ModelPair.h - Two models on the same inputs --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_MODELPAIR_H
#define INLAY_LIB_PIPELINE_MODELPAIR_H

#include "inlay/Pipeline/Compare.h"
#include "inlay/Pipeline/Inputs.h"

namespace inlay {

/// Two models and the values of their inputs, which correspond by name.
struct ModelPair {
  mlir::OwningOpRef<mlir::ModuleOp> a, b;
  std::vector<GraphInput> inputsA, inputsB;
};
llvm::Expected<ModelPair> loadPair(mlir::MLIRContext &context,
                                   const CompareRequest &request);

/// The inputs of `graph`, taken by name from those of another one.
llvm::Expected<std::vector<GraphInput>>
selectInputs(mlir::func::FuncOp graph, llvm::ArrayRef<GraphInput> given);

llvm::SmallVector<HostTensor> getTensors(llvm::ArrayRef<GraphInput> inputs);

/// Says where the values of inputs come from.
void reportInputs(llvm::ArrayRef<GraphInput> inputs, Report &report);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_MODELPAIR_H
