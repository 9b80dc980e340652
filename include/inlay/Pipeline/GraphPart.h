//===- GraphPart.h - A part of a graph as a model ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_GRAPHPART_H
#define INLAY_PIPELINE_GRAPHPART_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace inlay {

/// The tensors of a graph by their names: inputs, weights and results of nodes,
/// but not what is inside of subgraphs.
class TensorNames {
public:
  explicit TensorNames(mlir::func::FuncOp graph);

  /// The tensor, or null where the graph has none or several of that name.
  mlir::Value lookup(llvm::StringRef name) const { return values.lookup(name); }
  /// The tensor; a usage error that says what may have been meant.
  llvm::Expected<mlir::Value> find(llvm::StringRef name) const;
  /// What a list of the command line names: "a,b", or one name that has a comma
  /// itself.
  llvm::Expected<std::vector<mlir::Value>>
  findAll(llvm::ArrayRef<std::string> lists) const;

private:
  /// In the graph's order; null for a name that is there twice.
  llvm::MapVector<llvm::StringRef, mlir::Value> values;
  /// Names inside of subgraphs, with the node that has the subgraph.
  llvm::StringMap<mlir::Operation *> inside;
};

/// Words that are near enough to have been meant: ", did you mean 'x'?"; empty
/// where there is none.
std::string suggest(llvm::StringRef word,
                    llvm::ArrayRef<llvm::StringRef> known);

/// What computes some tensors of a graph from others.
struct GraphPart {
  llvm::SetVector<mlir::Value> inputs, outputs;
};

/// The operations that a part consists of, weights included.
struct PartOperations {
  llvm::DenseSet<mlir::Operation *> ops;
  /// Inputs of the graph that are needed and no inputs of the part.
  llvm::SetVector<mlir::BlockArgument> missing;
  /// Inputs of the part that are needed.
  llvm::DenseSet<mlir::Value> used;

  /// Without weights.
  unsigned countNodes() const;
};
PartOperations findOperations(const GraphPart &part);

/// A module of that part alone, in the model's opset, with the names that
/// tensors have. Weights that it does not need are left behind. No input of the
/// graph may be missing.
mlir::OwningOpRef<mlir::ModuleOp> copyPart(mlir::ModuleOp module,
                                           const GraphPart &part);

/// What a tensor is called, "tensor_3" where it has no name; names differ where
/// tensors do.
std::string getPartName(mlir::Value value);

} // namespace inlay

#endif // INLAY_PIPELINE_GRAPHPART_H
