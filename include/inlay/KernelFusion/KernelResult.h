//===- KernelResult.h - What became of operators as kernels -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_KERNELFUSION_KERNELRESULT_H
#define INLAY_KERNELFUSION_KERNELRESULT_H

#include "inlay/KernelFusion/KernelPlan.h"

namespace inlay {

struct DescribedKernel {
  std::string name;
  FusionClass kind = FusionClass::Elementwise;
  /// Names of the nodes, in the order of the body.
  std::vector<std::string> nodes;
  /// Their ONNX operator types.
  std::vector<std::string> opTypes;
  KernelTraffic traffic;
};

/// A value that one kernel writes and another one reads.
struct UnfusedValue {
  std::string fromNode, toNode;
  /// The name that the model gives to the value; may be empty.
  std::string value;
  uint64_t bytes = 0;
  KernelReasonCode code = KernelReasonCode::Opaque;
  std::string reason;
};

struct KernelResult {
  KernelStrategy strategy = KernelStrategy::Greedy;
  /// Kernels of more than one operator; listed where that was asked for.
  uint64_t numKernels = 0;
  std::vector<DescribedKernel> kernels;
  std::vector<UnfusedValue> edges;
  /// Bodies of If, Loop and Scan that kernels were planned in.
  uint64_t numBodies = 0;
  /// Operators that compute or move something, before and after, of the graph
  /// and of all bodies; a kernel is one.
  uint64_t numBefore = 0, numAfter = 0;
  /// A body counts once, however often it runs, and what it captures is read by
  /// its operators, not by the one that it is of.
  KernelTraffic before, after;
  /// No kernels of the operators, as they were expanded and copied, have less
  /// traffic; of `optimal` only, and not where copies became one again.
  std::optional<uint64_t> bound;
  /// Composite operators that were expanded: into one kernel, into several, and
  /// in vain.
  unsigned numInside = 0, numSplit = 0, numRestored = 0;
  /// Operators that were copied to where their results are used.
  unsigned numCloned = 0;
};

} // namespace inlay

#endif // INLAY_KERNELFUSION_KERNELRESULT_H
