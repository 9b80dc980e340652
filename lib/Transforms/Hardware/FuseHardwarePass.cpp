//===- FuseHardwarePass.cpp - The pass inlay-fuse-hardware ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApplyGroups.h"
#include "Strict.h"
#include "inlay/Analysis/AssumedShapes.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Transforms/Hardware/Fuse.h"
#include "inlay/Transforms/Hardware/FusionRecord.h"
#include "inlay/Transforms/Hardware/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_FUSEHARDWARE
#define GEN_PASS_DEF_MEASUREGROUPS
#include "inlay/Transforms/Hardware/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

/// The number behind the last group of a function that was fused before.
static unsigned findFirstName(func::FuncOp func) {
  unsigned next = 0;
  func.walk([&](GroupOp group) {
    StringRef name = group.getName();
    unsigned number = 0;
    if (name.consume_front("group_") && !name.getAsInteger(10, number))
      next = std::max(next, number + 1);
  });
  return next;
}

/// Groups are named from `firstName` on in the IR.
static void rename(FusionResult &result, unsigned firstName) {
  if (firstName == 0)
    return;
  auto shift = [&](std::string &name) {
    unsigned number = 0;
    if (!StringRef(name)
             .drop_front(name.empty() ? 0 : 6)
             .getAsInteger(10, number))
      name = "group_" + std::to_string(number + firstName);
  };
  for (FusedGroup &group : result.groups)
    shift(group.name);
  for (UnfusedEdge &edge : result.edges) {
    shift(edge.fromGroup);
    shift(edge.toGroup);
  }
}

llvm::Expected<FusionResult> inlay::fuseHardware(func::FuncOp func,
                                                 const Target &target,
                                                 const FuseOptions &options) {
  FusionResult result;
  if (target.dataFlow && !func.isExternal()) {
    AssumedShapes shapes(func, target);
    Block &block = func.getBody().front();
    DFG graph = DFG::Creator(block, getOnnxOpType, [&](Value value) {
                  return shapes.getBytes(value);
                }).create();
    HDFG pipeline = HDFG::create(*target.dataFlow);
    pipeline.mapNodes(graph);
    auto plan = planFusion(graph, pipeline, options.strategy, options.explains);
    if (!plan)
      return plan.takeError();
    unsigned firstName = findFirstName(func);
    if (options.describe)
      result = describePlan(graph, pipeline, *plan);
    applyGroups(block, target.name, graph, pipeline, *plan, firstName);
    rename(result, firstName);
  }
  result.target = target.name;
  result.strategy = getName(options.strategy).str();
  return result;
}

namespace {
class FuseHardware : public inlay::impl::FuseHardwareBase<FuseHardware> {
public:
  using FuseHardwareBase::FuseHardwareBase;

  void runOnOperation() override {
    if (llvm::Error error = fuse()) {
      (void)reportError(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error fuse();
  bool hasGroups();
  void emit(const FusionResult &result);
};
} // namespace

llvm::Error FuseHardware::fuse() {
  auto target = getTarget(getOperation());
  if (!target)
    return target.takeError();
  if (isModuleFinished(getOperation()) || (once && hasGroups()))
    return llvm::Error::success();
  bool describes = emitRemarks || strict || record != RecordDetail::None;
  bool explains = emitRemarks || record == RecordDetail::All;
  auto result =
      fuseHardware(getOperation(), **target, {strategy, describes, explains});
  if (!result)
    return result.takeError();
  if (strict)
    if (llvm::Error error = checkAllTaken(*result))
      return error;
  if (emitRemarks)
    emit(*result);
  writeFusion(getOperation(), std::move(*result), record);
  return llvm::Error::success();
}

bool FuseHardware::hasGroups() {
  return getOperation()
      .walk([](GroupOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

void FuseHardware::emit(const FusionResult &result) {
  for (const std::string &line : result.trace)
    mlir::emitRemark(getOperation().getLoc()) << line;
  for (const UngroupedOp &op : result.ungrouped)
    mlir::emitRemark(op.op->getLoc())
        << "in no group: " << inlay::getName(op.reason.code) << ": "
        << op.reason.text;
  for (const UnfusedEdge &edge : result.edges)
    mlir::emitRemark(getOperation().getLoc())
        << "'" << edge.fromNode << "' and '" << edge.toNode
        << "' are not fused: " << inlay::getName(edge.reason.code) << ": "
        << edge.reason.text;
  std::string bound =
      result.bound ? ", at least " + std::to_string(*result.bound) : "";
  mlir::emitRemark(getOperation().getLoc())
      << "bytes that cross borders: " << result.bytesBefore << " before, "
      << result.bytesAfter << " after" << bound;
}

//===----------------------------------------------------------------------===//
// Measuring again
//===----------------------------------------------------------------------===//

namespace {
class MeasureGroupsPass
    : public inlay::impl::MeasureGroupsBase<MeasureGroupsPass> {
  void runOnOperation() override {
    auto record = readFusion(getOperation());
    if (!record)
      return;
    auto target = getTarget(getOperation());
    if (!target) {
      (void)reportError(getOperation(), target.takeError());
      return signalPassFailure();
    }
    measureGroups(getOperation(), **target, record->result);
    writeFusion(getOperation(), *record);
  }
};
} // namespace
