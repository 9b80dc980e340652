//===- Lockstep.h - Two graphs, tensor by tensor ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes one graph after another and compares what both call by one name, on
// the way to their outputs.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_RUNTIME_LOCKSTEP_H
#define INLAY_LIB_RUNTIME_LOCKSTEP_H

#include "SharedValues.h"
#include "inlay/Runtime/Judge.h"
#include "inlay/Runtime/Layers.h"

namespace inlay {

struct LockstepTensor {
  SharedValue value;
  /// Nothing where the two cannot be compared: another type, or a storage order
  /// that is more than an order of dimensions.
  std::optional<TensorComparison> comparison;
  /// Then, where both were computed, why.
  std::optional<TensorComparison> mismatch = std::nullopt;
  /// Why it shows nothing, or empty.
  llvm::StringRef blank = "";
  /// Whether some elements are the neighbours of those of the first graph,
  /// which quantises what the second one computes in integers.
  bool isOneStepOff = false;
  /// Whether it equals the first graph's in another order of dimensions.
  bool isReordered = false;
};

struct Lockstep {
  llvm::SmallVector<HostTensor> outputsA, outputsB;
  /// In the order of the first graph.
  std::vector<LockstepTensor> tensors;
  /// What the first graph has computed, by its place in `tensors`; empty unless
  /// it is asked for.
  llvm::DenseMap<unsigned, HostTensor> kept;
};

/// With `isWide` f32 is computed in f64 on both sides (see ExecuteOptions), and
/// a tensor of the first graph that the second one's equals takes its place:
/// what rounds, compares or sorts in the second one then starts from the same
/// numbers and cannot make much of little. An integer operator rounds once
/// where floats are rounded before they are quantised: there, one step is
/// equal.
llvm::Expected<Lockstep> runInLockstep(const JudgedGraph &a,
                                       const JudgedGraph &b,
                                       const CompareOptions &options,
                                       bool isWide, bool keepsTensors = false);

/// Compares two tensors in all orders of dimensions that fit.
std::optional<OrderedComparison> matchTensors(llvm::StringRef name,
                                              const HostTensor &a,
                                              const HostTensor &b,
                                              const CompareOptions &options);

/// The first tensor that differs by more than `tolerance` of its largest
/// element, and the node behind it.
llvm::Expected<std::optional<FirstDifference>>
describeFirst(const JudgedGraph &a, const Lockstep &lockstep, double tolerance);

} // namespace inlay

#endif // INLAY_LIB_RUNTIME_LOCKSTEP_H
