//===- Bisect.cpp - inlay bisect ------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Bisect.h"
#include "CompareReport.h"
#include "LayerRun.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/GraphPart.h"
#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

/// Tensors behind the first difference that people are shown; programs get all.
static constexpr size_t maxShown = 10;
/// Nodes of a stretch that are named at the most.
static constexpr size_t maxNamed = 20;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static StringRef getWord(LayerVerdict verdict) {
  switch (verdict) {
  case LayerVerdict::Equal:
    return "equal";
  case LayerVerdict::Close:
    return "close";
  case LayerVerdict::Differs:
    return "differs";
  case LayerVerdict::NotCompared:
    return "not compared";
  }
  llvm_unreachable("no such verdict");
}

static std::string getOpType(Value value) {
  OriginAttr origin = getFirstOrigin(value.getLoc());
  return origin ? origin.getOpType().str() : "";
}

static Table makeLayerTable() {
  return Table({{"name", "tensor"},
                {"node", "node"},
                {"op_type", "operator"},
                {"type", "type"},
                {"shape", "shape"},
                {"max_abs_error", "max |a-b|"},
                {"relative_error", "relative"},
                {"verdict", "verdict"},
                {"reason", "why"}});
}

static void addLayer(const Layer &layer, Table &table) {
  const TensorComparison &own = layer.comparison;
  bool isKnown = own.type != ElementType::Undefined;
  // As the model says, not as it was computed here.
  ElementType type = own.type;
  if (auto tensor = dyn_cast<TensorType>(layer.a.getType()))
    type = getOnnxElementType(tensor.getElementType()).value_or(type);
  bool isCompared = layer.verdict != LayerVerdict::NotCompared;
  std::string why = own.reason;
  if (why.empty() && isCompared && !layer.blank.empty())
    why = layer.blank;
  if (why.empty() && layer.isReordered)
    why = "in another order of dimensions";
  if (why.empty() && !isCompared)
    why = "not computed";
  table.addRow({Cell::text(layer.name),
                Cell::text(getNodeName(layer.a.getDefiningOp())),
                Cell::text(getOpType(layer.a)),
                isKnown ? Cell::text(getName(type)) : Cell::none(),
                isKnown ? Cell::dims(own.shape) : Cell::none(),
                isCompared ? Cell::number(own.maxAbsError) : Cell::none(),
                isCompared ? Cell::number(own.relativeError) : Cell::none(),
                Cell::text(getWord(layer.verdict)),
                why.empty() ? Cell::none() : Cell::text(why)});
}

static void addLayers(const LayerComparison &layers, Report &report) {
  Table table = makeLayerTable();
  for (const Layer &layer : layers.layers)
    addLayer(layer, table);
  report.addTable("layers", "tensors", std::move(table));
}

static void addCounts(const LayerRun &run, Report &report) {
  const LayerComparison &layers = run.layers;
  report.addField("compared_tensors", "tensors of both models",
                  Cell::count(layers.layers.size()));
  for (auto [verdict, key, title] :
       {std::tuple(LayerVerdict::Equal, "equal_tensors", "of these equal"),
        std::tuple(LayerVerdict::Close, "close_tensors", "close"),
        std::tuple(LayerVerdict::Differs, "different_tensors", "different"),
        std::tuple(LayerVerdict::NotCompared, "not_compared_tensors",
                   "not compared")})
    report.addField(key, title, Cell::count(layers.count(verdict)));
  report.addField("unshared_tensors", "of the first model only",
                  Cell::count(layers.numUnshared));
  if (!run.loneOutputs.empty())
    report.addList("lone_outputs", "outputs of one model only",
                   run.loneOutputs);
  if (!run.lacking.empty())
    report.addField("not_executed", "not executed", Cell::text(run.lacking));
}

//===----------------------------------------------------------------------===//
// The first difference
//===----------------------------------------------------------------------===//

/// Where the difference ends up: what is behind the first node and differs.
static void addGrowth(const LayerComparison &layers, Report &report) {
  SmallVector<const Layer *> behind;
  for (const Layer &layer : ArrayRef(layers.layers).drop_front(*layers.first))
    if (layer.verdict == LayerVerdict::Differs)
      behind.push_back(&layer);
  Table all = makeLayerTable(), shown = makeLayerTable();
  for (const Layer *layer : behind)
    addLayer(*layer, all);
  // Every so manyth, the last one included.
  size_t count = std::min(maxShown, behind.size());
  for (size_t i = 0; i < count; ++i)
    addLayer(*behind[count == 1 ? 0 : i * (behind.size() - 1) / (count - 1)],
             shown);
  report.addTable("growth", "", std::move(all));
  report.addTable("growth_shown",
                  behind.size() > count
                      ? "the difference on its way (some of " +
                            formatCount(behind.size()) + " tensors)"
                      : "the difference on its way",
                  std::move(shown), TableForm::TextOnly);
  auto largest = llvm::max_element(behind, [](const Layer *a, const Layer *b) {
    return a->comparison.relativeError < b->comparison.relativeError;
  });
  if (largest != behind.end())
    report.addField("largest_error", "largest",
                    Cell::number((*largest)->comparison.relativeError));
}

static std::vector<std::string> getNames(ArrayRef<Value> values) {
  std::vector<std::string> names;
  for (Value value : values)
    names.push_back(getPartName(value));
  return names;
}

static void addStretch(const Stretch &stretch, StringRef output,
                       Report &report) {
  std::vector<std::string> nodes;
  for (Operation *op : llvm::reverse(stretch.ops))
    nodes.push_back(getNodeName(op));
  report.addList("stretch", "", nodes);
  if (nodes.size() > 1) {
    std::vector<std::string> shown(
        nodes.begin(), nodes.begin() + std::min(nodes.size(), maxNamed));
    if (shown.size() < nodes.size())
      shown.push_back(formatCount(nodes.size() - shown.size()) + " more");
    report.addList("", "nodes since the last tensor that is equal", shown);
  }
  report.addList("stretch_inputs", "", getNames(stretch.borders));
  report.addField("stretch_output", "", Cell::text(output));
}

/// Writes what the first node reads.
static llvm::Error save(ArrayRef<NamedTensor> tensors, StringRef path,
                        Report &report) {
  if (path.empty())
    return llvm::Error::success();
  std::vector<NamedTensor> members;
  for (const NamedTensor &tensor : tensors)
    members.push_back({escapeMemberName(tensor.name), tensor.tensor});
  if (llvm::Error error = writeNpz(path, members))
    return error;
  report.addField("shown_by", "its inputs are in", Cell::text(path));
  return llvm::Error::success();
}

static llvm::Error addFirst(const LayerRun &run, StringRef shownBy,
                            Report &report) {
  const Layer &layer = run.layers.layers[*run.layers.first];
  Stretch stretch = findStretch(run.layers);
  auto collected = collectTensors(*run.module, run.inputs, stretch.borders,
                                  !run.lacking.empty());
  if (!collected)
    return collected.takeError();
  std::vector<NamedTensor> tensors;
  FirstDifference first{getNodeName(layer.a.getDefiningOp()),
                        getOpType(layer.a),
                        layer.comparison,
                        {}};
  for (Value border : stretch.borders)
    if (const HostTensor &tensor = (*collected)[border]) {
      tensors.push_back({getPartName(border), tensor});
      first.operands.push_back(measureTensor(tensors.back().name, tensor));
    }
  addFirstDifference(first, report);
  if (!layer.comparison.reason.empty())
    report.addField("reason", "why", Cell::text(layer.comparison.reason));
  addStretch(stretch, layer.name, report);
  addGrowth(run.layers, report);
  return save(tensors, shownBy, report);
}

//===----------------------------------------------------------------------===//
// The verdict
//===----------------------------------------------------------------------===//

static std::string describeVerdict(const LayerRun &run, bool &isEqual) {
  isEqual = false;
  if (run.layers.first) {
    const Layer &layer = run.layers.layers[*run.layers.first];
    return "differs, first at " + describeNode(layer.a.getDefiningOp());
  }
  if (!run.loneOutputs.empty())
    return "differs: outputs of one model only";
  bool hasCompared = llvm::any_of(run.layers.layers, [](const Layer &layer) {
    return layer.verdict != LayerVerdict::NotCompared && layer.blank.empty();
  });
  if (!hasCompared)
    return run.layers.layers.empty()
               ? "not compared: the models share no tensor by name"
               : "not compared: no tensor of both shows anything";
  isEqual = true;
  return "equal";
}

llvm::Expected<CompareResult>
inlay::compareByLayer(const CompareRequest &request, StringRef shownBy) {
  std::unique_ptr<MLIRContext> context = createContext();
  CompareResult result;
  Report &report = result.report;
  report.addField("a", "", Cell::text(request.a));
  report.addField("b", "", Cell::text(request.b));
  auto run = runLayers(*context, request, report);
  if (!run)
    return run.takeError();
  if (request.showsLayers)
    addLayers(run->layers, report);
  if (run->layers.first)
    if (llvm::Error error = addFirst(*run, shownBy, report))
      return error;
  addCounts(*run, report);
  std::string words = describeVerdict(*run, result.isEqual);
  report.addVerdict("equal", "verdict", result.isEqual, words, Tone::Bad);
  return result;
}
