//===- Judge.h - Whether two graphs compute the same ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outputs decide, where they show anything. An output that is empty, constant
// or all NaN is equal in many a graph that is wrong: the nearest tensors in
// front of it that both graphs name are compared instead. What differs by more
// than f32 may is computed again in f64, where rounding vanishes and errors do
// not. Integer operators in the place of quantised floats may be one step off.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_RUNTIME_JUDGE_H
#define INLAY_RUNTIME_JUDGE_H

#include "inlay/Runtime/FirstDifference.h"

namespace inlay {

/// The largest relative error of what is computed in f64: sums in another order
/// differ by less, and no change of a model that matters is so small.
constexpr double wideTolerance = 1e-9;

struct OutputJudgement {
  TensorComparison comparison;
  /// Why it shows nothing, or empty. An output that cannot be computed is one
  /// that shows nothing.
  std::string blank;
  /// The tensors in front of it that were compared instead, but for those that
  /// are in front of an output before it, too.
  std::vector<TensorComparison> inFront;
};

struct Judgement {
  /// Those of both graphs in the order of the first one, then what only one of
  /// them has.
  std::vector<OutputJudgement> outputs;
  /// Whether f64 decided: the errors are those in f64, and the largest of f32
  /// is this.
  bool isWide = false;
  double narrowError = 0;
  /// Tensors that the first graph quantises and the second one computes in
  /// integers, some of which are one step off. What follows them was computed
  /// from those of the first graph.
  unsigned numOneStepOff = 0;
  std::optional<FirstDifference> first;

  /// Whether nothing that was compared differs.
  bool isEqual() const;
  /// How many tensors showed something.
  unsigned countCompared() const;
  /// The largest relative error of all that was compared.
  double getLargestError() const;
};

/// Judges by the outputs that both graphs gave in f32, and by executing them
/// again where that does not suffice. Outputs of the same name correspond. A
/// tolerance that the user gave decides alone: nothing is computed in f64 then
/// but to find the first difference.
llvm::Expected<Judgement> judge(const JudgedGraph &a,
                                llvm::ArrayRef<HostTensor> outputsA,
                                const JudgedGraph &b,
                                llvm::ArrayRef<HostTensor> outputsB,
                                const CompareOptions &options);

} // namespace inlay

#endif // INLAY_RUNTIME_JUDGE_H
