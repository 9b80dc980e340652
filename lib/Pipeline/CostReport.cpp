//===- CostReport.cpp - What nodes cost, for reports ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostReport.h"
#include "inlay/Analysis/ModelCosts.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Native.h"
#include "llvm/Support/Format.h"

using namespace inlay;
using namespace mlir;

/// Nodes that people get unless they ask for all.
static constexpr size_t maxListed = 20;

static StringRef getName(Bound bound) {
  switch (bound) {
  case Bound::Nothing:
    return "";
  case Bound::Compute:
    return "compute";
  case Bound::Memory:
    return "memory";
  }
  llvm_unreachable("covered switch");
}

/// "3.64 GFLOP".
static std::string formatFlops(uint64_t flops) {
  double number = double(flops);
  StringRef units[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"};
  size_t unit = 0;
  for (; number >= 1000 && unit + 1 < std::size(units); ++unit)
    number /= 1000;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format(unit == 0 ? "%.0f " : "%.3g ", number) << units[unit];
  return text;
}

static Cell getFlopsCell(std::optional<uint64_t> flops) {
  return flops ? Cell::count(*flops).withText(formatFlops(*flops)) : Cell();
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

/// "at least " where something is not known.
static Cell getSumCell(const ModelCosts &costs,
                       std::optional<uint64_t> NodeCost::*what,
                       llvm::function_ref<Cell(uint64_t)> makeCell) {
  uint64_t numUnknown = 0;
  Cell cell = makeCell(costs.sum(what, &numUnknown));
  if (numUnknown == 0)
    return cell;
  return cell.withText("at least " + cell.getText().str() + " (" +
                       formatCount(numUnknown) +
                       " nodes of unknown size; --dim fixes dimensions)");
}

static void addTotals(const ModelCosts &costs, Report &report) {
  auto makeBytes = [](uint64_t bytes) { return Cell::bytes(bytes); };
  report.addField("flops", "work",
                  getSumCell(costs, &NodeCost::flops, [](uint64_t flops) {
                    return getFlopsCell(flops);
                  }));
  report.addField("weight_bytes_read", "weights read",
                  getSumCell(costs, &NodeCost::weightBytes, makeBytes));
  report.addField("activation_bytes_moved", "activations read and written",
                  getSumCell(costs, &NodeCost::activationBytes, makeBytes));
  if (costs.hasBodies)
    report.addNote("bodies of If, Loop and Scan are counted once");
}

static void addTime(const ModelCosts &costs, const MachineRates &rates,
                    Report &report) {
  double total = 0, computing = 0;
  uint64_t numUnknown = 0;
  for (const NodeCost &node : costs.nodes) {
    std::optional<TimeEstimate> time = estimateTime(node, rates);
    numUnknown += !time;
    total += time ? time->seconds : 0;
    computing += time && time->bound == Bound::Compute ? time->seconds : 0;
  }
  std::string share;
  llvm::raw_string_ostream(share)
      << llvm::format("%.0f", total == 0 ? 0 : 100 * computing / total);
  std::string words = formatSeconds(total) + ", " + share +
                      " % of it bound by computing, the rest by memory";
  if (numUnknown != 0)
    words = "at least " + words;
  report.addField("estimated_seconds", "estimated time",
                  Cell::seconds(total).withText(words));
  report.addField("estimated_compute_seconds", "", Cell::seconds(computing));
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {
struct Row {
  const NodeCost *cost;
  std::optional<TimeEstimate> time;
};
} // namespace

static Cell getIntensityCell(const NodeCost &cost) {
  std::optional<double> intensity = cost.getIntensity();
  if (!intensity)
    return Cell::none();
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", *intensity);
  return Cell::number(*intensity).withText(text);
}

static Table getTable(ArrayRef<Row> rows, bool hasTimes) {
  SmallVector<Column> columns = {{"node", "node"},
                                 {"operators", "operators"},
                                 {"flops", "work"},
                                 {"weight_bytes", "weights"},
                                 {"activation_bytes", "activations"},
                                 {"intensity", "FLOP/byte"},
                                 {"live_bytes", "alive"}};
  if (hasTimes)
    columns.append({{"seconds", "time"}, {"bound", "bound by"}});
  Table table(columns);
  for (const Row &row : rows) {
    const NodeCost &cost = *row.cost;
    SmallVector<Cell> cells = {Cell::text(getNodeName(cost.op)),
                               Cell::text(getOpTypes(cost.op)),
                               getFlopsCell(cost.flops),
                               Cell::bytes(cost.weightBytes),
                               Cell::bytes(cost.activationBytes),
                               getIntensityCell(cost),
                               cost.liveBytes ? Cell::bytes(*cost.liveBytes)
                                              : Cell::none()};
    if (hasTimes) {
      cells.push_back(row.time ? Cell::seconds(row.time->seconds) : Cell());
      cells.push_back(
          Cell::text(row.time ? getName(row.time->bound) : StringRef()));
    }
    table.addRow(cells);
  }
  return table;
}

/// By time, or by work and bytes where nothing is known of time. Of equal ones
/// the first comes first.
static bool isCostlier(const Row &a, const Row &b) {
  auto getKey = [](const Row &row) {
    return std::tuple(row.time ? row.time->seconds : 0,
                      row.cost->flops.value_or(0),
                      row.cost->getBytes().value_or(0));
  };
  auto keyA = getKey(a), keyB = getKey(b);
  return keyA == keyB ? a.cost < b.cost : keyA > keyB;
}

void inlay::reportCosts(func::FuncOp graph, const Target &target, bool all,
                        Report &report) {
  MachineRates rates = target.machine ? target.machine->rates : MachineRates();
  ModelCosts costs = getModelCosts(graph, rates.onChip);
  addTotals(costs, report);
  bool hasTimes = rates.flops && rates.bandwidth;
  if (hasTimes)
    addTime(costs, rates, report);
  std::vector<Row> rows;
  rows.reserve(costs.nodes.size());
  for (const NodeCost &cost : costs.nodes)
    rows.push_back({&cost, estimateTime(cost, rates)});
  report.addTable("costs", "", getTable(rows, hasTimes));
  std::string heading = "costs, in the order of nodes";
  if (!all) {
    llvm::sort(rows, isCostlier);
    rows.resize(std::min(rows.size(), maxListed));
    heading = rows.size() < costs.nodes.size()
                  ? "the " + std::to_string(rows.size()) + " costliest of " +
                        formatCount(costs.nodes.size()) +
                        " nodes (--verbose lists all)"
                  : "costs, the costliest first";
  }
  report.addTable("costs", heading, getTable(rows, hasTimes),
                  TableForm::TextOnly);
}
