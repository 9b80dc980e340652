//===- PlanText.cpp - Plans of kernels in words ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;

static std::string describe(const Tiles &tiles) {
  return llvm::formatv("{0}x{1}", tiles.rows, tiles.getColumns());
}

static llvm::StringRef describeRows(const ContractionPlan &plan) {
  if (plan.panel.isCopied())
    return plan.packsRows ? "copied and packed" : "copied";
  return plan.packsRows ? "packed" : "in place";
}

std::string inlay::describe(const ContractionPlan &plan) {
  std::string text;
  if (plan.getNumProducts() != 1)
    text = llvm::formatv("{0} of ", plan.getNumProducts());
  int64_t rows = plan.contraction.getCount(plan.roles.rows);
  text += llvm::formatv("{0}x{1}x{2}: {3}", rows, plan.columns.count,
                        plan.getDepth(), ::describe(plan.columns.tiles));
  if (plan.getLineRows() != rows)
    text += llvm::formatv(", lines of {0}", plan.getLineRows());
  text += llvm::formatv(", rows {0}", describeRows(plan));
  if (plan.packedBlocks != 1)
    text += llvm::formatv(", {0} blocks", plan.packedBlocks);
  if (plan.numTermParts != 1)
    text += llvm::formatv(", sums in {0} parts", plan.numTermParts);
  return text;
}

std::string inlay::describe(const WinogradPlan &plan) {
  const WinogradBlocks &blocks = plan.blocks;
  return llvm::formatv("{0} tiles, {1} at once: {2}, {3} kept", blocks.all,
                       blocks.perBlock, ::describe(plan.columns.tiles),
                       blocks.keepsData ? "data" : "sums");
}

std::string inlay::describe(const AttentionPlan &plan) {
  std::string text;
  if (plan.getNumProducts() != 1)
    text = llvm::formatv("{0} of ", plan.getNumProducts());
  return text +
         llvm::formatv("{0}x{1} over {2} keys of {3}: {4} and {5}, {6} rows",
                       plan.getNumRows(), plan.valueColumns.count,
                       plan.getNumKeys(), plan.getDepth(),
                       ::describe(plan.keyColumns.tiles),
                       ::describe(plan.valueColumns.tiles), plan.blockRows)
             .str();
}
