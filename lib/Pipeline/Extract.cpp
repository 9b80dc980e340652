//===- Extract.cpp - inlay extract ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Extract.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleText.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The part
//===----------------------------------------------------------------------===//

/// ONNX says of every input what it is.
static llvm::Error checkType(Value input) {
  if (!isa<UnknownType>(input.getType()))
    return llvm::Error::success();
  return unsupportedError(
      "tensor " + quoteForMessage(getPartName(input)) +
      " cannot be an input: nothing is known of its type, behind " +
      describeNode(input.getDefiningOp()));
}

static llvm::Error checkInputs(const GraphPart &part,
                               const PartOperations &needed) {
  for (Value input : part.inputs) {
    if (part.outputs.contains(input))
      return usageError("tensor " + quoteForMessage(getPartName(input)) +
                        " is an input and an output: nothing lies between");
    if (!needed.used.contains(input))
      return usageError("input " + quoteForMessage(getPartName(input)) +
                        " is not needed: no output depends on it, or only by "
                        "way of other inputs");
    if (llvm::Error error = checkType(input))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<GraphPart> inlay::findPart(func::FuncOp graph,
                                          ArrayRef<std::string> inputs,
                                          ArrayRef<std::string> outputs) {
  TensorNames names(graph);
  auto from = names.findAll(inputs), to = names.findAll(outputs);
  if (!from || !to)
    return llvm::joinErrors(from.takeError(), to.takeError());
  if (to->empty())
    return usageError("no output is named");
  GraphPart part;
  part.inputs.insert(from->begin(), from->end());
  part.outputs.insert(to->begin(), to->end());
  PartOperations needed = findOperations(part);
  for (BlockArgument argument : graph.getArguments()) {
    if (!needed.missing.contains(argument))
      continue;
    bool isGiven = getInputDefault(graph, argument.getArgNumber()) != nullptr;
    if (!from->empty() && !isGiven)
      return usageError("the outputs need input " +
                        quoteForMessage(getPartName(argument)) +
                        " of the model, too: add it to the inputs, or a "
                        "tensor behind it");
    part.inputs.insert(argument);
    needed.used.insert(argument);
  }
  if (llvm::Error error = checkInputs(part, needed))
    return error;
  return part;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static Table getTensorTable(const llvm::SetVector<Value> &values) {
  Table table({{"name", "name"}, {"type", "type"}, {"shape", "shape"}});
  for (Value value : values) {
    auto tensor = dyn_cast<TensorType>(value.getType());
    std::optional<ElementType> element;
    if (tensor)
      element = getOnnxElementType(tensor.getElementType());
    std::optional<std::vector<std::string>> dims;
    if (tensor && tensor.hasRank()) {
      dims.emplace();
      for (int64_t extent : tensor.getShape())
        dims->push_back(ShapedType::isDynamic(extent) ? "?"
                                                      : std::to_string(extent));
    }
    table.addRow({Cell::text(getPartName(value)),
                  element ? Cell::text(getName(*element)) : Cell::none(),
                  Cell::dims(dims)});
  }
  return table;
}

static uint64_t countWeightBytes(ModuleOp module) {
  uint64_t total = 0;
  module.walk([&](ConstantOp op) { total += getByteSize(op.getValue()); });
  return total;
}

static llvm::Error writePart(const ExtractOptions &options, ModuleOp module,
                             Report &report) {
  uint64_t bytes = 0;
  std::string dataPath;
  if (llvm::sys::path::extension(options.output) == ".mlir") {
    auto written = writeModule(module, options.output);
    if (!written)
      return written.takeError();
    bytes = written->textBytes + written->dataBytes;
    dataPath = written->dataPath;
  } else {
    auto written = exportModel(module, options.output, options.exportOptions);
    if (!written)
      return written.takeError();
    bytes = written->modelBytes + written->dataBytes;
    dataPath = written->dataPath;
  }
  report.addField("output", "written to", Cell::text(options.output));
  if (!dataPath.empty())
    report.addField("data", "weights in", Cell::text(dataPath));
  report.addField("file_bytes", "size", Cell::bytes(bytes));
  return llvm::Error::success();
}

llvm::Expected<Report> inlay::extract(const ExtractOptions &options) {
  std::unique_ptr<MLIRContext> context = createContext();
  if (options.progress)
    options.progress("importing", 0, 0);
  auto module = loadModel(*context, options.model, options.import);
  if (!module)
    return module.takeError();
  auto graph = getGraph(**module);
  if (!graph)
    return graph.takeError();
  if (llvm::Error error =
          checkOutputPath(*context, options.model, options.output))
    return error;
  auto part = findPart(*graph, options.inputs, options.outputs);
  if (!part)
    return addContext(options.model + ": ", part.takeError());
  OwningOpRef<ModuleOp> copy = copyPart(**module, *part);
  Report report;
  report.addField("model", "", Cell::text(options.model));
  report.addTable("inputs", "inputs", getTensorTable(part->inputs));
  report.addTable("outputs", "outputs", getTensorTable(part->outputs));
  report.addField("nodes", "nodes",
                  Cell::count(findOperations(*part).countNodes()));
  report.addField("weight_bytes", "weights",
                  Cell::bytes(countWeightBytes(*copy)));
  if (options.progress)
    options.progress("writing", 0, 0);
  if (llvm::Error error = writePart(options, *copy, report))
    return error;
  return report;
}
