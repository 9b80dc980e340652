//===- Inspect.cpp - inlay inspect ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Inspect.h"
#include "CostReport.h"
#include "FileNodes.h"
#include "StatsCells.h"
#include "inlay/Analysis/BufferPlan.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

/// Opaque nodes that are listed unless all are asked for.
static constexpr size_t maxListed = 20;

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static StringRef getText(Operation *op, StringRef name) {
  auto text = op->getAttrOfType<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

static void addText(Report &report, StringRef key, StringRef title,
                    StringRef text) {
  if (!text.empty())
    report.addField(key, title, Cell::text(text));
}

static void addOpsets(ModuleOp module, Report &report) {
  auto opsets = module->getAttrOfType<DictionaryAttr>(attrs::opsets);
  if (!opsets)
    return;
  Table table({{"domain", "domain"}, {"version", "version"}});
  std::vector<std::string> words;
  for (NamedAttribute entry : opsets) {
    int64_t version = cast<IntegerAttr>(entry.getValue()).getInt();
    table.addRow({Cell::text(entry.getName()), Cell::count(uint64_t(version))});
    words.push_back((entry.getName().strref() + " " + Twine(version)).str());
  }
  report.addField("opset", "opset", Cell::text(llvm::join(words, ", ")));
  report.addTable("opsets", "", table);
}

static void addModel(ModuleOp module, func::FuncOp graph, Report &report) {
  if (auto version = module->getAttrOfType<IntegerAttr>(attrs::irVersion))
    report.addField("ir_version", "IR version",
                    Cell::count(uint64_t(version.getInt())));
  addOpsets(module, report);
  StringRef version = getText(module, attrs::producerVersion);
  std::string producer = getText(module, attrs::producerName).str();
  if (!version.empty())
    producer += (producer.empty() ? "" : " ") + version.str();
  addText(report, "producer", "producer", producer);
  addText(report, "domain", "domain", getText(module, attrs::domain));
  addText(report, "graph", "graph", getText(graph, attrs::graphName));
}

//===----------------------------------------------------------------------===//
// The numbers
//===----------------------------------------------------------------------===//

/// "2 (the file has 3: 1 Constant is a constant here)".
static void addNodes(const ModelStats &stats,
                     const std::optional<FileNodes> &file, Report &report) {
  std::string words = formatCount(stats.numNodes);
  if (std::string why = file ? file->describe() : ""; !why.empty())
    words += " (" + why + ")";
  report.addField("nodes", "nodes",
                  Cell::count(stats.numNodes).withText(words));
  report.addField("file_nodes", "",
                  file ? Cell::count(file->numNodes) : Cell::none());
}

static void addTotals(const ModelStats &stats, Report &report) {
  report.addField("groups", stats.numGroups == 0 ? "" : "groups",
                  Cell::count(stats.numGroups));
  std::string transposes = formatCount(stats.numTransposes);
  if (stats.numTransposes != 0)
    transposes += (", which move " + getTransposeBytes(stats).getText()).str();
  report.addField("transposes", "transposes",
                  Cell::count(stats.numTransposes).withText(transposes));
  report.addField("transpose_bytes", "", Cell::bytes(stats.transposeBytes));
  report.addField("unsized_transposes", "",
                  Cell::count(stats.numUnsizedTransposes));
  report.addField("constants", "constants",
                  Cell::count(stats.numConstants)
                      .withText(formatCount(stats.numConstants) + " with " +
                                formatCount(stats.numParameters) +
                                " elements, " +
                                formatBytes(stats.weightBytes)));
  report.addField("parameters", "", Cell::count(stats.numParameters));
  report.addField("weight_bytes", "", Cell::bytes(stats.weightBytes));
  report.addField("activation_bytes", "peak memory of activations",
                  Cell::bytes(stats.peakActivationBytes));
}

static std::string countOf(uint64_t count, StringRef what) {
  return formatCount(count) + " " + what.str() + (count == 1 ? "" : "s");
}

/// "393 kB for 12 tensors, the least; 3 views, 5 written over an operand".
static std::string describeArena(const BufferPlan &plan) {
  std::string text = formatBytes(plan.arenaBytes) + " for " +
                     countOf(plan.numBuffers, "tensor") + ", ";
  text +=
      plan.isLeast() ? "the least" : "at least " + formatBytes(plan.boundBytes);
  text += "; " + countOf(plan.numViews, "view") + ", " +
          formatCount(plan.numInPlace) + " written over an operand";
  if (plan.numOnHeap != 0)
    text += "; " + formatCount(plan.numOnHeap) +
            " of unknown size are allocated when they are computed";
  return text;
}

static llvm::Error addArena(func::FuncOp graph, Report &report) {
  BufferPlan plan = planBuffers(graph);
  if (llvm::Error error = checkBuffers(graph, plan))
    return addContext("the plan of buffers is wrong: ", std::move(error));
  report.addField("arena_bytes", "arena",
                  Cell::bytes(plan.arenaBytes).withText(describeArena(plan)));
  report.addField("arena_bound_bytes", "", Cell::bytes(plan.boundBytes));
  report.addField("arena_tensors", "", Cell::count(plan.numBuffers));
  report.addField("arena_views", "", Cell::count(plan.numViews));
  report.addField("arena_in_place", "", Cell::count(plan.numInPlace));
  report.addField("heap_tensors", "", Cell::count(plan.numOnHeap));
  return llvm::Error::success();
}

static Table getPortTable(ArrayRef<PortInfo> ports) {
  Table table({{"name", "name"}, {"type", "type"}, {"shape", "shape"}});
  for (const PortInfo &port : ports) {
    Cell dims = Cell::dims(port.dims);
    if (port.hasDefault)
      dims = dims.withText(dims.getText().str() + " (has a default)");
    table.addRow({Cell::text(port.name), Cell::text(port.type), dims});
  }
  return table;
}

/// The most frequent first; names decide ties.
static Table getKindTable(const ModelStats &stats) {
  std::vector<std::pair<std::string, uint64_t>> kinds(stats.nodesByKind.begin(),
                                                      stats.nodesByKind.end());
  llvm::sort(kinds, [](const auto &a, const auto &b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  Table table({{"kind", ""}, {"count", "count"}});
  for (const auto &[kind, count] : kinds)
    table.addRow({Cell::text(kind), Cell::count(count)});
  return table;
}

static Table getOpaqueTable(ArrayRef<OpaqueNode> nodes) {
  Table table({{"kind", "operator"}, {"name", "node"}});
  for (const OpaqueNode &node : nodes)
    table.addRow({Cell::text(node.opType), Cell::text(node.name)});
  return table;
}

static void addOpaque(const ModelStats &stats, bool verbose, Report &report) {
  ArrayRef<OpaqueNode> nodes = stats.opaqueNodes;
  report.addTable("opaque", "", getOpaqueTable(nodes));
  ArrayRef<OpaqueNode> listed = verbose ? nodes : nodes.take_front(maxListed);
  std::string heading = "opaque nodes (kept as they are)";
  if (listed.size() < nodes.size())
    heading += ", " + std::to_string(listed.size()) + " of " +
               formatCount(nodes.size());
  report.addTable("opaque", heading, getOpaqueTable(listed),
                  TableForm::TextOnly);
}

/// The target whose rates are used. Asking for one that has none is a mistake.
static llvm::Expected<Target> getCostTarget(const InspectOptions &options) {
  if (options.target.empty())
    return Target();
  auto target = loadKnownTarget(options.target);
  if (!target)
    return target.takeError();
  bool hasRates = target->machine && target->machine->rates.flops &&
                  target->machine->rates.bandwidth;
  if (!hasRates)
    return usageError("target '" + target->name +
                      "' says nothing of time: it needs 'flops' and "
                      "'bandwidth' in a section 'machine'");
  return target;
}

llvm::Expected<Report> inlay::inspect(const InspectOptions &options) {
  auto target = getCostTarget(options);
  if (!target)
    return target.takeError();
  if (options.progress)
    options.progress("importing", 0, 0);
  std::unique_ptr<MLIRContext> context = createContext();
  auto module = loadModel(*context, options.model, options.import);
  if (!module)
    return module.takeError();
  auto graph = getGraph(**module);
  if (!graph)
    return graph.takeError();
  auto stats = getModelStats(**module);
  if (!stats)
    return stats.takeError();
  Report report;
  report.addField("model", "model", Cell::text(options.model));
  report.addField("file_bytes", "file size",
                  Cell::bytes(getInputBytes(*context, options.model)));
  addModel(**module, *graph, report);
  auto fileNodes = countFileNodes(options.model);
  if (!fileNodes)
    return fileNodes.takeError();
  addNodes(*stats, *fileNodes, report);
  addTotals(*stats, report);
  if (llvm::Error error = addArena(*graph, report))
    return error;
  report.addTable("inputs", "inputs", getPortTable(stats->inputs));
  report.addTable("outputs", "outputs", getPortTable(stats->outputs));
  report.addTable("operators", "operators", getKindTable(*stats),
                  TableForm::ByRow);
  addOpaque(*stats, options.verbose, report);
  if (options.costs)
    reportCosts(*graph, *target, options.verbose, report);
  return report;
}
