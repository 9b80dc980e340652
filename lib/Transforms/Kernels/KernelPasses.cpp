//===- KernelPasses.cpp - Aggregation and reconstruction ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Kernels/Kernels.h"
#include "inlay/Transforms/Kernels/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_AGGREGATE
#define GEN_PASS_DEF_RECONSTRUCT
#include "inlay/Transforms/Kernels/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

namespace {
class AggregatePass : public inlay::impl::AggregateBase<AggregatePass> {
public:
  using AggregateBase::AggregateBase;

  void runOnOperation() override {
    auto loaded = loadTarget(target, getOnnxOpTypes());
    if (loaded)
      return aggregateKernels(getOperation(), *loaded);
    getOperation().emitError() << llvm::toString(loaded.takeError());
    signalPassFailure();
  }
};

class ReconstructPass : public inlay::impl::ReconstructBase<ReconstructPass> {
public:
  using ReconstructBase::ReconstructBase;

  void runOnOperation() override {
    if (llvm::Error error = reconstruct()) {
      getOperation().emitError() << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error reconstruct();
  void emit(const KernelResult &result);
};
} // namespace

llvm::Error ReconstructPass::reconstruct() {
  auto loaded = loadTarget(target, getOnnxOpTypes());
  if (!loaded)
    return loaded.takeError();
  KernelOptions options;
  options.describe = emitRemarks;
  if (strategy != "greedy" && strategy != "optimal")
    return usageError("unknown strategy '" + strategy +
                      "', expected greedy or optimal");
  if (strategy == "optimal")
    options.strategy = KernelStrategy::Optimal;
  auto result = reconstructKernels(getOperation(), *loaded, options);
  if (!result)
    return result.takeError();
  if (emitRemarks)
    emit(*result);
  return llvm::Error::success();
}

void ReconstructPass::emit(const KernelResult &result) {
  Location loc = getOperation().getLoc();
  for (const UnfusedValue &edge : result.edges)
    mlir::emitRemark(loc) << "'" << edge.fromNode << "' and '" << edge.toNode
                          << "' are not fused: " << inlay::getName(edge.code)
                          << ": " << edge.reason;
  mlir::emitRemark(loc) << "operators: " << result.numBefore << " before, "
                        << result.numAfter << " after";
  mlir::emitRemark(loc) << "bytes read: " << result.before.read << " before, "
                        << result.after.read
                        << " after; written: " << result.before.written
                        << " before, " << result.after.written << " after";
  if (result.bound)
    mlir::emitRemark(loc) << "no kernels have less traffic than "
                          << *result.bound << " bytes";
}
