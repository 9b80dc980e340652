//===- KernelRecord.cpp - What a function says about its kernels ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Kernels/KernelRecord.h"
#include "inlay/IR/Record.h"

using namespace inlay;
using namespace mlir;

namespace inlay {

template <typename Visitor>
static void visitFields(KernelTraffic &traffic, Visitor &&visit) {
  visit("read", traffic.read);
  visit("written", traffic.written);
}

template <typename Visitor>
static void visitFields(DescribedKernel &kernel, Visitor &&visit) {
  visit("name", kernel.name);
  visit("kind", kernel.kind);
  visit("nodes", kernel.nodes);
  visit("types", kernel.opTypes);
  visit("traffic", kernel.traffic);
}

template <typename Visitor>
static void visitFields(UnfusedValue &edge, Visitor &&visit) {
  visit("from", edge.fromNode);
  visit("to", edge.toNode);
  visit("value", edge.value);
  visit("bytes", edge.bytes);
  visit("code", edge.code);
  visit("reason", edge.reason);
}

template <typename Visitor>
static void visitFields(KernelResult &result, Visitor &&visit) {
  visit("strategy", result.strategy);
  visit("num_kernels", result.numKernels);
  visit("bodies", result.numBodies);
  visit("ops_before", result.numBefore);
  visit("ops_after", result.numAfter);
  visit("before", result.before);
  visit("after", result.after);
  visit("bound", result.bound);
  visit("inside", result.numInside);
  visit("split", result.numSplit);
  visit("restored", result.numRestored);
  visit("cloned", result.numCloned);
  visit("kernels", result.kernels);
  visit("edges", result.edges);
}

} // namespace inlay

void inlay::writeKernels(func::FuncOp func, const KernelResult &result) {
  writeRecord(func, kernelsAttr, result);
}

std::optional<KernelResult> inlay::readKernels(func::FuncOp func) {
  return readRecord<KernelResult>(func, kernelsAttr);
}
