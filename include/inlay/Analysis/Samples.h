//===- Samples.h - Graphs that compute one sample like the next -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the first dimension of inputs is open and every operator computes what
// belongs to a sample from what belongs to it alone, a graph of one sample that
// runs for each of them gives what the whole would give:
//
//   %y = matmul %x, %w      [?, 8], [8, 4] -> [?, 4]   y is one line per sample
//   %z = reshape %x         [?, 8] -> [?, 2]           z is four
//   %s = reduce_mean %x     over dimension 0           samples meet: an error
//
// Inside, samples may be parts of any dimension. What depends on none of them
// is the same for all.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_SAMPLES_H
#define INLAY_ANALYSIS_SAMPLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace inlay {

/// Which inputs and outputs have samples one behind the other.
struct Samples {
  /// What the open dimension is called; empty where it has no name.
  std::string symbol;
  /// How many of the first dimension are one sample's; 0 of what all share.
  llvm::SmallVector<int64_t> inputs, outputs;
};

/// Nothing where no input is open; an error of exit code 5 says which dimension
/// or node keeps samples from being computed one by one.
llvm::Expected<std::optional<Samples>> findSamples(mlir::func::FuncOp graph);

/// A copy of the graph for one sample.
mlir::OwningOpRef<mlir::func::FuncOp> getSampleGraph(mlir::func::FuncOp graph,
                                                     const Samples &samples);

} // namespace inlay

#endif // INLAY_ANALYSIS_SAMPLES_H
