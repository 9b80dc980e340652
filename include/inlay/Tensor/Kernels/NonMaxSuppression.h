//===- NonMaxSuppression.h - Reference NonMaxSuppression --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Areas are computed in the precision of the boxes, which ONNX has in float:
// which of them are chosen depends on how a quotient rounds.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_NONMAXSUPPRESSION_H
#define INLAY_TENSOR_KERNELS_NONMAXSUPPRESSION_H

#include "inlay/Tensor/HostTensor.h"
#include <optional>

namespace inlay::kernels {

struct SuppressionOptions {
  /// Boxes of a class of a batch that are chosen at most.
  int64_t maxPerClass = 0;
  /// The share of the common area from which on, exclusively, a box gives way
  /// to a better one.
  double iouThreshold = 0;
  /// What a box must score more than, if anything.
  std::optional<double> scoreThreshold = {};
  /// Whether boxes are (x, y, width, height) of their centres, not two corners
  /// (y, x, y, x).
  bool areCentered = false;
};

/// Rows (batch, class, box) of the chosen among `boxes` (batch, boxes, 4) with
/// `scores` (batch, classes, boxes): by batch, by class, the best first and of
/// equal ones the first.
llvm::Expected<HostTensor> nonMaxSuppression(const HostTensor &boxes,
                                             const HostTensor &scores,
                                             const SuppressionOptions &options);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_NONMAXSUPPRESSION_H
