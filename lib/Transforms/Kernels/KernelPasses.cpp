//===- KernelPasses.cpp - Aggregation and reconstruction ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/Analysis/NeedOrder.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/Transforms/Kernels/KernelRecord.h"
#include "inlay/Transforms/Kernels/Kernels.h"
#include "inlay/Transforms/Kernels/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_AGGREGATE
#define GEN_PASS_DEF_PLANKERNELS
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
    auto target = getTarget(getOperation());
    if (target)
      return aggregateKernels(getOperation(), **target);
    (void)reportError(getOperation(), target.takeError());
    signalPassFailure();
  }
};

class PlanKernelsPass : public inlay::impl::PlanKernelsBase<PlanKernelsPass> {
public:
  using PlanKernelsBase::PlanKernelsBase;

  void runOnOperation() override {
    if (llvm::Error error = plan()) {
      (void)reportError(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error plan();
  void emit(const KernelResult &result);
};

class ReconstructPass : public inlay::impl::ReconstructBase<ReconstructPass> {
public:
  using ReconstructBase::ReconstructBase;

  void runOnOperation() override {
    if (llvm::Error error = reconstruct()) {
      (void)reportError(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error reconstruct() {
    auto target = getTarget(getOperation());
    if (!target)
      return target.takeError();
    return makePlannedKernels(getOperation(), **target);
  }
};
} // namespace

/// Operators beyond which kernels are not listed: a table of that length helps
/// nobody.
static constexpr size_t maxDescribedOps = 50'000;

llvm::Error PlanKernelsPass::plan() {
  auto target = getTarget(getOperation());
  if (!target)
    return target.takeError();
  if (isModuleFinished(getOperation()) || getOperation().isExternal())
    return llvm::Error::success();
  size_t numOps = 0;
  for (Block *block : findBodies(getOperation().getBody().front()))
    numOps += block->getOperations().size();
  KernelOptions options;
  options.strategy = strategy;
  options.describe =
      emitRemarks || (record == RecordDetail::All && numOps <= maxDescribedOps);
  auto result = chooseKernels(getOperation(), **target, options);
  if (!result)
    return result.takeError();
  if (emitRemarks)
    emit(*result);
  if (record != RecordDetail::None)
    writeKernels(getOperation(), *result);
  return llvm::Error::success();
}

void PlanKernelsPass::emit(const KernelResult &result) {
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
