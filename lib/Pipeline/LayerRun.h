//===- LayerRun.h - Two models, tensor by tensor ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_LAYERRUN_H
#define INLAY_LIB_PIPELINE_LAYERRUN_H

#include "ModelPair.h"
#include "inlay/Runtime/Layers.h"

namespace inlay {

/// What two models, or a model and its machine code, compute.
struct LayerRun {
  /// The first model and its inputs.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<GraphInput> inputs;
  LayerComparison layers;
  /// Outputs that only one of them has.
  std::vector<std::string> loneOutputs;
  /// Why not everything was executed; empty where all was.
  std::string lacking;
};
llvm::Expected<LayerRun> runLayers(mlir::MLIRContext &context,
                                   const CompareRequest &request,
                                   Report &report);

/// The tensors of values that a graph computes, by executing it.
llvm::Expected<llvm::DenseMap<mlir::Value, HostTensor>>
collectTensors(mlir::ModuleOp module, llvm::ArrayRef<GraphInput> inputs,
               llvm::ArrayRef<mlir::Value> values, bool isPartial);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_LAYERRUN_H
