//===- FusionRecord.cpp - What a function says about its groups -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Hardware/FusionRecord.h"
#include "inlay/IR/Record.h"

using namespace inlay;
using namespace mlir;

namespace inlay {

template <typename Visitor>
static void visitFields(FusionReason &reason, Visitor &&visit) {
  visit("code", reason.code);
  visit("text", reason.text);
}

template <typename Visitor>
static void visitFields(FusedOp &op, Visitor &&visit) {
  visit("node", op.node);
  visit("type", op.opType);
  visit("stages", op.stages);
}

template <typename Visitor>
static void visitFields(FusedGroup &group, Visitor &&visit) {
  visit("name", group.name);
  visit("ops", group.ops);
  visit("inputs", group.numInputs);
  visit("outputs", group.numOutputs);
  visit("bytes_in", group.bytesIn);
  visit("bytes_out", group.bytesOut);
  visit("on_chip_peak", group.onChipPeak);
  visit("attributed", group.attributed);
  visit("trace", group.trace);
}

template <typename Visitor>
static void visitFields(UngroupedOp &op, Visitor &&visit) {
  visit("node", op.node);
  visit("type", op.opType);
  visit("reason", op.reason);
}

template <typename Visitor>
static void visitFields(UnfusedEdge &edge, Visitor &&visit) {
  visit("from", edge.fromNode);
  visit("to", edge.toNode);
  visit("from_group", edge.fromGroup);
  visit("to_group", edge.toGroup);
  visit("value", edge.value);
  visit("bytes", edge.bytes);
  visit("reason", edge.reason);
}

template <typename Visitor>
static void visitFields(FusionRecord &record, Visitor &&visit) {
  FusionResult &result = record.result;
  visit("target", result.target);
  visit("strategy", result.strategy);
  visit("num_groups", record.numGroups);
  visit("num_ops", record.numOps);
  visit("num_ungrouped", record.numUngrouped);
  visit("bytes_before", result.bytesBefore);
  visit("bytes_after", result.bytesAfter);
  visit("bound", result.bound);
  visit("planned_bytes", result.plannedBytes);
  visit("groups", result.groups);
  visit("ungrouped", result.ungrouped);
  visit("edges", result.edges);
  visit("trace", result.trace);
}

} // namespace inlay

void inlay::writeFusion(func::FuncOp func, FusionResult result,
                        RecordDetail detail) {
  if (detail == RecordDetail::None)
    return;
  FusionRecord record{std::move(result)};
  FusionResult &kept = record.result;
  record.numGroups = kept.groups.size();
  for (const FusedGroup &group : kept.groups)
    record.numOps += group.ops.size();
  record.numUngrouped = kept.ungrouped.size();
  if (detail == RecordDetail::Totals) {
    kept.groups.clear();
    kept.ungrouped.clear();
    kept.edges.clear();
    kept.trace.clear();
  }
  writeRecord(func, groupsAttr, std::move(record));
}

void inlay::writeFusion(func::FuncOp func, const FusionRecord &record) {
  writeRecord(func, groupsAttr, record);
}

std::optional<FusionRecord> inlay::readFusion(func::FuncOp func) {
  return readRecord<FusionRecord>(func, groupsAttr);
}
