//===- FusionReport.cpp - Groups in words ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace inlay;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The operators of a group: for people "Conv Relu", for programs a list.
static Cell getOps(const FusedGroup &group) {
  std::string words;
  llvm::json::Array list;
  for (const FusedOp &op : group.ops) {
    words += (words.empty() ? "" : " ") + op.opType;
    list.push_back(
        llvm::json::Object{{"node", llvm::json::fixUTF8(op.node)},
                           {"op_type", llvm::json::fixUTF8(op.opType)},
                           {"stages", llvm::json::fixUTF8(op.stages)}});
  }
  return Cell::list(std::move(list), words);
}

static Cell getStages(const FusedGroup &group) {
  std::string words;
  llvm::json::Array list;
  for (const FusedOp &op : group.ops) {
    if (op.stages.empty())
      continue;
    words += (words.empty() ? "" : " ") + op.stages;
    list.push_back(llvm::json::fixUTF8(op.stages));
  }
  return Cell::list(std::move(list), words);
}

static Table getGroupTable(const FusionResult &result) {
  Table table({{"name", "group"},
               {"ops", "operators"},
               {"stages", "stages"},
               {"inputs", "inputs"},
               {"outputs", "outputs"},
               {"bytes_in", "bytes in"},
               {"bytes_out", "bytes out"},
               {"on_chip_peak", "on chip"}});
  for (const FusedGroup &group : result.groups)
    table.addRow({Cell::text(group.name), getOps(group), getStages(group),
                  Cell::count(group.numInputs), Cell::count(group.numOutputs),
                  Cell::bytes(group.bytesIn), Cell::bytes(group.bytesOut),
                  Cell::bytes(group.onChipPeak)});
  return table;
}

static Table getUngroupedTable(const FusionResult &result) {
  Table table({{"node", "node"},
               {"op_type", "operator"},
               {"code", "code"},
               {"reason", "reason"}});
  for (const UngroupedOp &op : result.ungrouped)
    table.addRow({Cell::text(op.node), Cell::text(op.opType),
                  Cell::text(getName(op.reason.code)),
                  Cell::text(op.reason.text)});
  return table;
}

static Table getEdgeTable(llvm::ArrayRef<UnfusedEdge> edges,
                          llvm::StringRef node) {
  Table table({{"from", "from"},
               {"from_group", "group"},
               {"to", "to"},
               {"to_group", "group"},
               {"value", "value"},
               {"bytes", "bytes"},
               {"code", "code"},
               {"reason", "reason"}});
  auto getGroup = [](const std::string &group) {
    return group.empty() ? Cell::none() : Cell::text(group);
  };
  for (const UnfusedEdge &edge : edges)
    if (node.empty() || edge.fromNode == node || edge.toNode == node ||
        edge.value == node)
      table.addRow({Cell::text(edge.fromNode), getGroup(edge.fromGroup),
                    Cell::text(edge.toNode), getGroup(edge.toGroup),
                    Cell::text(edge.value), Cell::bytes(edge.bytes),
                    Cell::text(getName(edge.reason.code)),
                    Cell::text(edge.reason.text)});
  return table;
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

/// "54 (greedy), which hold 174 operators; 12 operators stand outside".
static std::string describeGroups(const FusionRecord &record) {
  uint64_t inside = record.numOps, outside = record.numUngrouped;
  auto count = [](uint64_t number, llvm::StringRef noun) {
    return formatCount(number) + " " + noun.str() + (number == 1 ? "" : "s");
  };
  return formatCount(record.numGroups) + " (" + record.result.strategy +
         "), which hold " + count(inside, "operator") + "; " +
         count(outside, "operator") +
         (outside == 1 ? " stands outside" : " stand outside");
}

/// What was looked at and what was not, for all that is proved of groups.
static constexpr llvm::StringLiteral provedOver =
    "all groups of these operators that the pipeline takes, layouts and "
    "splits being what they are";
static std::vector<std::string> getNotLookedAt() {
  return {
      "other layouts, which would leave other relayouts between groups",
      "other splits of operators beyond a limit",
      "computing an operator in two groups",
      "groups inside of subgraphs of If, Loop and Scan",
  };
}

static std::string describeProof(const FusionResult &result) {
  std::optional<uint64_t> gap = result.getGap();
  if (gap == 0)
    return "proved best among " + provedOver.str();
  if (gap)
    return "best found, at most " + formatBytes(*gap) +
           " from the least among " + provedOver.str();
  return "not proved: they were chosen with " +
         formatBytes(*result.plannedBytes) +
         " across borders, which is not what is written";
}

/// What is known of the least number of bytes.
static void addBound(const FusionResult &result, Report &report) {
  report.addField("border_bytes_bound", "", Cell::bytes(result.bound));
  if (!result.bound && !result.plannedBytes)
    return;
  report.addField("border_bytes_planned", "",
                  Cell::bytes(result.plannedBytes.value_or(result.bytesAfter)));
  report.addVerdict("groups_proved", "groups are", result.getGap() == 0,
                    describeProof(result), Tone::Open);
  report.addField("groups_proved_over", "", Cell::text(provedOver));
  report.addList("groups_not_looked_at", "", getNotLookedAt());
}

static void addTotals(const FusionRecord &record, Report &report) {
  const FusionResult &result = record.result;
  report.addField("fusion_strategy", "", Cell::text(result.strategy));
  report.addField(
      "num_groups", "groups",
      Cell::count(record.numGroups).withText(describeGroups(record)));
  report.addField("grouped_ops", "", Cell::count(record.numOps));
  report.addField("ungrouped_ops", "", Cell::count(record.numUngrouped));
  report.addField("border_bytes_before", "", Cell::bytes(result.bytesBefore));
  report.addField("border_bytes_after", "bytes that cross borders",
                  Cell::bytes(result.bytesAfter)
                      .withText(formatBytes(result.bytesBefore) + " before, " +
                                formatBytes(result.bytesAfter) + " after"));
  addBound(result, report);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

void inlay::addFusion(const FusionRecord &record, Report &report,
                      bool isVerbose) {
  const FusionResult &result = record.result;
  addTotals(record, report);
  auto add = [&](llvm::StringRef key, llvm::StringRef heading, Table table) {
    report.addTable(key, isVerbose ? heading : "", std::move(table));
  };
  add("groups", "groups", getGroupTable(result));
  add("ungrouped", "operators outside of groups", getUngroupedTable(result));
  add("unfused_edges", "values that cross borders",
      getEdgeTable(result.edges, ""));
}

static Table getOperatorTable(const FusionResult &result,
                              llvm::StringRef node) {
  Table table({{"node", "node"},
               {"op_type", "operator"},
               {"group", "group"},
               {"stages", "stages"},
               {"reason", "reason"}});
  for (const FusedGroup &group : result.groups)
    for (const FusedOp &op : group.ops)
      if (node.empty() || op.node == node)
        table.addRow({Cell::text(op.node), Cell::text(op.opType),
                      Cell::text(group.name),
                      Cell::text(op.stages.empty() ? "(collected)" : op.stages),
                      Cell::none()});
  for (const UngroupedOp &op : result.ungrouped)
    if (node.empty() || op.node == node)
      table.addRow({Cell::text(op.node), Cell::text(op.opType), Cell::none(),
                    Cell::none(), Cell::text(op.reason.text)});
  return table;
}

/// How the groups that hold the node grew; all decisions without one.
static std::vector<std::string> getTrace(const FusionResult &result,
                                         llvm::StringRef node) {
  if (node.empty())
    return result.trace;
  std::vector<std::string> trace;
  for (const FusedGroup &group : result.groups)
    if (llvm::any_of(group.ops,
                     [&](const FusedOp &op) { return op.node == node; }))
      llvm::append_range(trace, group.trace);
  return trace;
}

//===----------------------------------------------------------------------===//
// In short
//===----------------------------------------------------------------------===//

namespace {
/// Turns reasons into what they have in common: names of nodes and groups are
/// left out.
class CommonReasons {
public:
  explicit CommonReasons(const FusionResult &result);

  std::string get(llvm::StringRef reason) const;

private:
  llvm::StringSet<> nodes, groups;
};

/// Values that cross borders for the same reason.
struct ReasonTotal {
  llvm::StringRef code;
  std::string reason;
  uint64_t count = 0, bytes = 0;
};
} // namespace

CommonReasons::CommonReasons(const FusionResult &result) {
  for (const FusedGroup &group : result.groups) {
    groups.insert(group.name);
    for (const FusedOp &op : group.ops)
      nodes.insert(op.node);
  }
  for (const UngroupedOp &op : result.ungrouped)
    nodes.insert(op.node);
}

std::string CommonReasons::get(llvm::StringRef reason) const {
  std::string common;
  while (!reason.empty()) {
    bool isQuoted = reason.front() == '\'';
    size_t end = isQuoted ? reason.find('\'', 1) : reason.find_first_of(" ,;'");
    if (isQuoted && end != llvm::StringRef::npos &&
        nodes.contains(reason.slice(1, end))) {
      common += common.empty() ? "the node" : "another node";
      reason = reason.drop_front(end + 1);
      continue;
    }
    // One character at least.
    end = std::max<size_t>(std::min(end, reason.size()), 1);
    llvm::StringRef word = reason.take_front(end);
    common += groups.contains(word) ? "another group" : word;
    reason = reason.drop_front(end);
  }
  return common;
}

/// By bytes, the most first.
static Table getReasonTable(const FusionResult &result) {
  CommonReasons reasons(result);
  std::map<std::string, ReasonTotal> totals;
  for (const UnfusedEdge &edge : result.edges) {
    std::string reason = reasons.get(edge.reason.text);
    ReasonTotal &total = totals[reason];
    total.code = getName(edge.reason.code);
    total.reason = reason;
    ++total.count;
    total.bytes += edge.bytes;
  }
  std::vector<ReasonTotal> sorted;
  sorted.reserve(totals.size());
  for (const auto &[reason, total] : totals)
    sorted.push_back(total);
  llvm::sort(sorted, [](const ReasonTotal &a, const ReasonTotal &b) {
    return std::tie(b.bytes, a.reason) < std::tie(a.bytes, b.reason);
  });
  Table table({{"values", "values"},
               {"bytes", "bytes"},
               {"code", "code"},
               {"reason", "reason"}});
  for (const ReasonTotal &total : sorted)
    table.addRow({Cell::count(total.count), Cell::bytes(total.bytes),
                  Cell::text(total.code), Cell::text(total.reason)});
  return table;
}

/// Values that are listed where not all are.
static constexpr size_t maxListed = 10;

static std::vector<UnfusedEdge> getCostliest(const FusionResult &result) {
  std::vector<UnfusedEdge> edges(result.edges);
  llvm::sort(edges, [](const UnfusedEdge &a, const UnfusedEdge &b) {
    return std::tuple(b.bytes, llvm::StringRef(a.value),
                      llvm::StringRef(a.toNode)) <
           std::tuple(a.bytes, llvm::StringRef(b.value),
                      llvm::StringRef(b.toNode));
  });
  edges.resize(std::min(edges.size(), maxListed));
  return edges;
}

static void explainInShort(const FusionResult &result, Report &report) {
  report.addTable("unfused_reasons", "why values cross borders",
                  getReasonTable(result));
  std::vector<UnfusedEdge> costliest = getCostliest(result);
  report.addTable("unfused_edges",
                  costliest.size() < result.edges.size()
                      ? "the costliest of " + formatCount(result.edges.size()) +
                            " values that cross borders"
                      : "values that cross borders",
                  getEdgeTable(costliest, ""), TableForm::TextOnly);
  report.addText("", "--all lists every operator with its group, how groups "
                     "grew, and every value\nthat crosses a border; a node's "
                     "name, what concerns it.\n");
}

//===----------------------------------------------------------------------===//
// In full
//===----------------------------------------------------------------------===//

void inlay::explainFusion(const FusionRecord &record, llvm::StringRef node,
                          bool all, Report &report) {
  const FusionResult &result = record.result;
  bool isFull = all || !node.empty();
  addTotals(record, report);
  report.addTable("operators", isFull ? "operators and their groups" : "",
                  getOperatorTable(result, node));
  std::vector<std::string> trace = getTrace(result, node);
  report.addList("trace", "", trace);
  std::string lines;
  for (const std::string &line : trace)
    lines += line + "\n";
  if (isFull && !lines.empty())
    report.addText("", "how groups grew\n" + lines);
  report.addTable("unfused_edges",
                  isFull ? "values that cross borders, and why" : "",
                  getEdgeTable(result.edges, node));
  if (!isFull)
    explainInShort(result, report);
}
