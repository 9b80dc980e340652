//===- InputShapes.h - Extents for unknown dimensions -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_INPUTSHAPES_H
#define INLAY_ANALYSIS_INPUTSHAPES_H

#include "inlay/IR/TypeInference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace inlay {

/// An extent that was taken for a dimension which nobody gave one.
struct AssumedExtent {
  /// The dimension's symbol; empty where it has none.
  std::string symbol;
  /// Where it stands first.
  std::string input;
  unsigned dim = 0;
  int64_t extent = 0;

  bool operator==(const AssumedExtent &) const = default;
};

/// "height and width were taken as 64: set --dim"; empty for none.
std::string describeExtents(llvm::ArrayRef<AssumedExtent> extents);

struct InputShapes {
  /// One per input; nothing where not even the rank is known.
  std::vector<MaybeShape> shapes;
  std::vector<AssumedExtent> assumed;
};

/// Extents for every unknown dimension of a graph's inputs, such that shapes
/// fit together and nothing becomes empty, as far as type inference can tell.
/// `given` has what is known of each input beyond its type, where that has its
/// rank. Dimensions of one symbol have one extent, and a symbol "a + b" is the
/// sum.
InputShapes chooseInputShapes(mlir::func::FuncOp graph,
                              llvm::ArrayRef<MaybeShape> given);

/// A copy of the graph whose inputs have `shapes`, with the types that follow.
mlir::OwningOpRef<mlir::func::FuncOp>
specializeGraph(mlir::func::FuncOp graph, llvm::ArrayRef<MaybeShape> shapes);

/// The same for graphs that are compiled: their own results have the types that
/// follow, too.
mlir::OwningOpRef<mlir::func::FuncOp>
getGraphFor(mlir::func::FuncOp graph, llvm::ArrayRef<MaybeShape> shapes);

} // namespace inlay

#endif // INLAY_ANALYSIS_INPUTSHAPES_H
