//===- Layers.h - Every tensor that two graphs share ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What two graphs compute under one name is compared, tensor by tensor. The
// first one that differs is not always what is wrong: a tensor in another order
// of dimensions is equal as such, and what reads it may or may not know of the
// order. Whether a node is at fault is found out by evaluating it on what the
// first graph computes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_RUNTIME_LAYERS_H
#define INLAY_RUNTIME_LAYERS_H

#include "inlay/Runtime/FirstDifference.h"
#include "mlir/IR/Value.h"

namespace inlay {

enum class LayerVerdict {
  Equal,
  /// Beyond what f64 allows and within the tolerance.
  Close,
  Differs,
  /// Of another type, stored in blocks, or not computed. An output differs
  /// then.
  NotCompared,
};

/// A tensor of two graphs.
struct Layer {
  std::string name;
  mlir::Value a, b;
  LayerVerdict verdict = LayerVerdict::NotCompared;
  /// Why not, where it was not compared.
  TensorComparison comparison;
  /// Why it shows nothing, or empty.
  std::string blank;
  /// Whether the second graph has it in another order of dimensions.
  bool isReordered = false;
};

struct LayerComparison {
  /// In the order of the first graph.
  std::vector<Layer> layers;
  /// What the first graph computes and the second one does not have.
  uint64_t numUnshared = 0;
  /// Which layer is the first that is wrong.
  std::optional<size_t> first;
  /// Whether it is wrong though what it reads is as it should be: what is in
  /// another order of dimensions in front of it is meant to be so.
  bool isProven = false;

  unsigned count(LayerVerdict verdict) const;
};

/// Executes both graphs with f32 in f64 and compares all that they share.
/// Tensors that are equal are the same in what follows, so that what differs
/// does not follow from rounding. What is within the tolerance is close.
llvm::Expected<LayerComparison> compareLayers(const JudgedGraph &a,
                                              const JudgedGraph &b,
                                              const CompareOptions &options);

/// How a tensor compares with the one of another graph, in whichever order of
/// dimensions; nothing where none fits.
struct OrderedComparison {
  TensorComparison comparison;
  bool isReordered = false;
};
std::optional<OrderedComparison>
compareInAnyOrder(llvm::StringRef name, const HostTensor &a,
                  const HostTensor &b, const CompareOptions &options);

/// What lies between a tensor of a graph and the nearest ones that are
/// `settled`.
struct Stretch {
  /// Operations, the last ones first; no constants.
  llvm::SmallVector<mlir::Operation *> ops;
  /// What they read: settled tensors and inputs of the graph.
  llvm::SmallVector<mlir::Value> borders;
};
Stretch findStretch(mlir::Value value,
                    llvm::function_ref<bool(mlir::Value)> isSettled);

/// The stretch in front of the first layer that is wrong.
Stretch findStretch(const LayerComparison &layers);

} // namespace inlay

#endif // INLAY_RUNTIME_LAYERS_H
