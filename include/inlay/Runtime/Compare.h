//===- Compare.h - Whether two tensors are equal enough ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The error of an element is |a - b| / max|a|, the maximum being that of all
// elements that are not more than 1024 times as large as it (or as the smaller
// elements of the tensor): what a mask has made very large says nothing of the
// others. NaNs and infinities must be at the same positions, integers, booleans
// and strings equal.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_RUNTIME_COMPARE_H
#define INLAY_RUNTIME_COMPARE_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay {

struct CompareOptions {
  /// The largest error of float and double, or of every float type when the
  /// user gave it. Without it, float16 and bfloat16 may differ by two units in
  /// the last place of max|a|, narrower floats not at all.
  double tolerance = 1e-6;
  bool isExplicit = false;
  /// By how much integers may differ.
  double steps = 0;
  /// By how much float and double may always differ.
  double least = 0;
  /// By how much each element may always differ; empty where nothing is known.
  llvm::ArrayRef<double> allowed = {};
};

/// How a tensor differs from the one it is compared with.
struct TensorComparison {
  std::string name;
  ElementType type = ElementType::Undefined;
  HostTensor::Shape shape;

  bool isEqual = true;
  /// Why, where the tensors cannot be compared by element.
  std::string reason;
  /// max|a - b|, infinite where only one of them is finite.
  double maxAbsError = 0;
  /// The largest error of an element.
  double relativeError = 0;
  /// The largest |a - b| that was allowed there.
  double limit = 0;
  /// Elements beyond their limit.
  uint64_t numMismatches = 0;
  /// The index with the largest error, where there is any difference.
  HostTensor::Shape worst;
  bool hasWorst = false;
  /// Both elements there, where they are real numbers.
  double worstA = 0, worstB = 0;
};

TensorComparison compareTensors(llvm::StringRef name, const HostTensor &a,
                                const HostTensor &b,
                                const CompareOptions &options = {});

/// Why a tensor that equals another one shows nothing about how both were
/// computed: it is "empty", "all NaN" or, with several elements, "constant"
/// but for NaNs. An empty string where it shows something.
llvm::StringRef findBlank(const HostTensor &tensor);

/// The distance between neighbours at the magnitude of `value` in a type of
/// floats of 16 bits or fewer.
double getUnitInLastPlace(ElementType type, double value);

} // namespace inlay

#endif // INLAY_RUNTIME_COMPARE_H
