//===- KernelReport.cpp - Kernels in reports ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

/// For people "Conv Relu", for programs a list.
static Cell getOps(const DescribedKernel &kernel) {
  std::string words;
  llvm::json::Array list;
  for (auto [node, opType] : llvm::zip_equal(kernel.nodes, kernel.opTypes)) {
    words += (words.empty() ? "" : " ") + opType;
    list.push_back(
        llvm::json::Object{{"node", llvm::json::fixUTF8(node)},
                           {"op_type", llvm::json::fixUTF8(opType)}});
  }
  return Cell::list(std::move(list), words);
}

static Table getKernelTable(const KernelResult &result, llvm::StringRef node) {
  Table table({{"name", "kernel"},
               {"class", "class"},
               {"ops", "operators"},
               {"bytes_read", "bytes read"},
               {"bytes_written", "bytes written"}});
  for (const DescribedKernel &kernel : result.kernels)
    if (node.empty() || llvm::is_contained(kernel.nodes, node))
      table.addRow({Cell::text(kernel.name), Cell::text(getName(kernel.kind)),
                    getOps(kernel), Cell::bytes(kernel.traffic.read),
                    Cell::bytes(kernel.traffic.written)});
  return table;
}

static Table getValueTable(const KernelResult &result, llvm::StringRef node) {
  Table table({{"from", "from"},
               {"to", "to"},
               {"value", "value"},
               {"bytes", "bytes"},
               {"code", "code"},
               {"reason", "reason"}});
  for (const UnfusedValue &edge : result.edges)
    if (node.empty() || edge.fromNode == node || edge.toNode == node ||
        edge.value == node)
      table.addRow({Cell::text(edge.fromNode), Cell::text(edge.toNode),
                    Cell::text(edge.value), Cell::bytes(edge.bytes),
                    Cell::text(getName(edge.code)), Cell::text(edge.reason)});
  return table;
}

/// "31 (greedy); 128 operators became 74".
static std::string describeKernels(const KernelResult &result,
                                   llvm::StringRef strategy) {
  return formatCount(result.numKernels) + " (" + strategy.str() + "); " +
         formatCount(result.numBefore) + " operators became " +
         formatCount(result.numAfter);
}

/// What was looked at and what was not, for all that is proved of kernels.
static constexpr llvm::StringLiteral provedOver =
    "all kernels of these operators that the rules allow, as they were "
    "expanded and copied";
static std::vector<std::string> getNotLookedAt() {
  return {
      "other composite operators expanded, or others left whole",
      "other operators copied to where their results are used",
      "other layouts and rewrites",
      "operators moved into or out of subgraphs of If, Loop and Scan",
      "how often subgraphs run: each counts once",
  };
}

static void addBound(const KernelResult &result, Report &report) {
  uint64_t gap = result.after.getTotal() - *result.bound;
  std::string words = gap == 0 ? "proved best among "
                               : "best found, at most " + formatBytes(gap) +
                                     " from the least among ";
  report.addField("kernel_bytes_bound", "", Cell::bytes(*result.bound));
  report.addVerdict("kernels_proved", "kernels are", gap == 0,
                    words + provedOver.str(), Tone::Open);
  report.addField("kernels_proved_over", "", Cell::text(provedOver));
  report.addList("kernels_not_looked_at", "", getNotLookedAt());
}

static void addTraffic(const KernelResult &result, Report &report) {
  auto add = [&](llvm::StringRef key, llvm::StringRef title, uint64_t before,
                 uint64_t after) {
    report.addField((key + "_before").str(), "", Cell::bytes(before));
    report.addField((key + "_after").str(), title,
                    Cell::bytes(after).withText(formatBytes(before) +
                                                " before, " +
                                                formatBytes(after) + " after"));
  };
  add("kernel_bytes_read", "bytes read", result.before.read, result.after.read);
  add("kernel_bytes_written", "bytes written", result.before.written,
      result.after.written);
  add("kernel_bytes", "", result.before.getTotal(), result.after.getTotal());
  if (result.bound)
    addBound(result, report);
}

static void addTotals(const KernelResult &result, Report &report) {
  llvm::StringRef strategy =
      result.strategy == KernelStrategy::Greedy ? "greedy" : "optimal";
  report.addField("kernel_strategy", "", Cell::text(strategy));
  report.addField("kernels", "kernels",
                  Cell::count(result.numKernels)
                      .withText(describeKernels(result, strategy)));
  report.addField("kernel_bodies", "", Cell::count(result.numBodies));
  report.addField("kernel_ops_before", "", Cell::count(result.numBefore));
  report.addField("kernel_ops_after", "", Cell::count(result.numAfter));
  addTraffic(result, report);
  report.addField("expanded_inside", "", Cell::count(result.numInside));
  report.addField("expanded_split", "", Cell::count(result.numSplit));
  report.addField("expanded_restored", "", Cell::count(result.numRestored));
  report.addField("cloned_ops", "", Cell::count(result.numCloned));
}

void inlay::addKernels(const KernelResult &result, Report &report,
                       bool isVerbose) {
  addTotals(result, report);
  auto add = [&](llvm::StringRef key, llvm::StringRef heading, Table table) {
    report.addTable(key, isVerbose ? heading : "", std::move(table));
  };
  add("kernel_list", "kernels", getKernelTable(result, ""));
  add("kernel_edges", "values between kernels", getValueTable(result, ""));
}

void inlay::explainKernels(const KernelResult &result, llvm::StringRef node,
                           Report &report) {
  addTotals(result, report);
  report.addTable("kernel_list", "kernels", getKernelTable(result, node));
  report.addTable("kernel_edges", "values between kernels, and why",
                  getValueTable(result, node));
}
