//===- LayoutRecord.cpp - What a function says about its layouts ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Layout/LayoutRecord.h"
#include "inlay/IR/Record.h"

using namespace inlay;
using namespace mlir;

namespace inlay {

template <typename Visitor>
static void visitFields(Cost &cost, Visitor &&visit) {
  visit("bytes", cost.bytes);
  visit("count", cost.count);
}

template <typename Visitor>
static void visitFields(TransposeLedger &ledger, Visitor &&visit) {
  visit("in", ledger.in);
  visit("removed", ledger.removed);
  visit("moved", ledger.moved);
  visit("kept", ledger.kept);
  visit("added", ledger.added);
}

template <typename Visitor>
static void visitFields(Surcharge &surcharge, Visitor &&visit) {
  visit("copies", surcharge.copies);
  visit("forms", surcharge.forms);
}

template <typename Visitor>
static void visitFields(Unsearched &unsearched, Visitor &&visit) {
  visit("what", unsearched.what);
  visit("tensors", unsearched.tensors);
}

template <typename Visitor>
static void visitFields(Certificate &certificate, Visitor &&visit) {
  visit("best", certificate.best);
  visit("bound", certificate.bound);
  visit("open_nets", certificate.numOpenNets);
  visit("free_variables", certificate.numFreeVariables);
  visit("presolved", certificate.numPresolved);
  visit("components", certificate.numComponents);
  visit("minimum_cut", certificate.numMinimumCut);
  visit("elimination", certificate.numElimination);
  visit("branch_and_bound", certificate.numBranchAndBound);
  visit("local_search", certificate.numLocalSearch);
  visit("largest_treewidth", certificate.largestTreewidth);
}

template <typename Visitor>
static void visitFields(PresetResult &result, Visitor &&visit) {
  visit("cost", result.cost);
  visit("is_applied", result.isApplied);
  visit("round", result.round);
  visit("is_unsettled", result.isUnsettled);
  visit("is_only_round", result.isOnlyRound);
  visit("cancelled", result.cancelled);
  visit("ledger", result.ledger);
  visit("surcharge_in", result.surchargeIn);
  visit("surcharge_out", result.surchargeOut);
  visit("reordered_sums", result.numReorderedSums);
  visit("assumptions", result.assumptions);
  visit("certificate", result.certificate);
  visit("barriers", result.barriers);
  visit("unsearched", result.unsearched);
}

} // namespace inlay

void inlay::writeLayouts(func::FuncOp func, const PresetResult &result) {
  writeRecord(func, layoutsAttr, result);
}

std::optional<PresetResult> inlay::readLayouts(func::FuncOp func) {
  return readRecord<PresetResult>(func, layoutsAttr);
}
