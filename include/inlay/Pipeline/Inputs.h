//===- Inputs.h - Inputs as the command line gives them ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_INPUTS_H
#define INLAY_PIPELINE_INPUTS_H

#include "inlay/Analysis/InputShapes.h"
#include "inlay/Report/Report.h"
#include "inlay/Tensor/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// A value for one of a graph's inputs.
struct GraphInput {
  std::string name;
  /// Empty where the model's own default is to be used.
  HostTensor tensor;
  /// Where it comes from: a path, "random:0", "default".
  std::string source;
  /// The extents of random values that nobody gave, each at the first input
  /// that has it.
  std::vector<AssumedExtent> assumed = {};
};

/// Values for all inputs of `graph`, in order. Every spec is one of
///
///   NAME=FILE     the tensor of a .npy or .pb file, or NAME's in a .npz
///   FILE.npz      every tensor of the file, by name; names that were escaped
///                 (escapeMemberName) are taken as they were
///   FILE          a .npy or .pb for the input it is named after, or for the
///                 only input there is
///   random:SEED   for all inputs that are not given otherwise
///
/// Without any spec, inputs are random:0. An input without a value that has no
/// default either is an error. `like`, when it is not null, is another graph
/// with inputs of the same names: it says how large random inputs are where
/// `graph` leaves that open. What both leave open is chosen so that shapes fit
/// together, and random values so that the graph can use them.
llvm::Expected<std::vector<GraphInput>>
readInputs(mlir::func::FuncOp graph, llvm::ArrayRef<std::string> specs,
           mlir::func::FuncOp like = nullptr);

/// The extents that were chosen for all of them.
std::vector<AssumedExtent> getAssumedExtents(llvm::ArrayRef<GraphInput> inputs);

/// `error` with the extents that were chosen, which it may follow from.
llvm::Error addAssumedExtents(llvm::Error error,
                              llvm::ArrayRef<AssumedExtent> extents);

/// Says in a report which extents were chosen, if any were.
void reportAssumedExtents(llvm::ArrayRef<AssumedExtent> extents,
                          Report &report);

} // namespace inlay

#endif // INLAY_PIPELINE_INPUTS_H
