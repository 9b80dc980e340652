//===- Compare.cpp - inlay compare ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Compare.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Inputs.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/Run.h"
#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace mlir;

using Tensors = std::vector<NamedTensor>;

//===----------------------------------------------------------------------===//
// The tensors of both sides
//===----------------------------------------------------------------------===//

namespace {
struct Sides {
  Tensors a, b;
};
} // namespace

/// The inputs of `graph`, taken by name from those of another one.
static llvm::Expected<std::vector<GraphInput>>
selectInputs(func::FuncOp graph, ArrayRef<GraphInput> given) {
  llvm::StringMap<const GraphInput *> byName;
  for (const GraphInput &input : given)
    byName[input.name] = &input;
  std::vector<GraphInput> inputs;
  for (unsigned i = 0; i < graph.getNumArguments(); ++i) {
    StringRef name = getInputName(graph, i);
    if (const GraphInput *input = byName.lookup(name))
      inputs.push_back(*input);
    else if (getInputDefault(graph, i))
      inputs.push_back({name.str(), HostTensor(), "default"});
    else
      return usageError("has an input '" + name +
                        "' that the other model does not have");
  }
  return inputs;
}

static llvm::Expected<Sides> runModels(const CompareRequest &request,
                                       Report &report) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto a = loadModel(*context, request.a, request.import);
  if (!a)
    return a.takeError();
  auto b = loadModel(*context, request.b, {});
  if (!b)
    return b.takeError();
  auto graphA = getGraph(**a), graphB = getGraph(**b);
  if (!graphA || !graphB)
    return llvm::joinErrors(graphA.takeError(), graphB.takeError());
  auto inputsA = readInputs(*graphA, request.inputs, *graphB);
  if (!inputsA)
    return inputsA.takeError();
  auto inputsB = selectInputs(*graphB, *inputsA);
  if (!inputsB)
    return addContext(request.b + ": ", inputsB.takeError());
  std::vector<std::string> sources;
  for (const GraphInput &input : *inputsA)
    sources.push_back(input.name + "=" + input.source);
  report.addList("inputs", "inputs", sources);

  Sides sides;
  auto outputsA = runGraph(**a, *inputsA, request.progress);
  if (!outputsA)
    return addContext(request.a + ": ", outputsA.takeError());
  sides.a = std::move(*outputsA);
  auto outputsB = runGraph(**b, *inputsB, request.progress);
  if (!outputsB)
    return addContext(request.b + ": ", outputsB.takeError());
  sides.b = std::move(*outputsB);
  return sides;
}

static bool isFolder(StringRef path) {
  return llvm::sys::fs::is_directory(path);
}

static bool holdsTensors(StringRef path) {
  return isTensorFileName(path) || isFolder(path);
}

static llvm::Expected<Sides> readSides(const CompareRequest &request) {
  if (isFolder(request.a) != isFolder(request.b))
    return usageError("one of '" + request.a + "' and '" + request.b +
                      "' is a folder, the other is not");
  auto read = isFolder(request.a) ? readTensorFolder : readTensors;
  auto a = read(request.a);
  if (!a)
    return a.takeError();
  auto b = read(request.b);
  if (!b)
    return b.takeError();
  // Two single tensors correspond, whatever they are called.
  bool areSingle = a->size() == 1 && b->size() == 1 && !isFolder(request.a);
  if (areSingle)
    b->front().name = a->front().name;
  return Sides{std::move(*a), std::move(*b)};
}

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

static TensorComparison getMissing(const NamedTensor &tensor, StringRef where) {
  TensorComparison result;
  result.name = tensor.name;
  result.type = tensor.tensor.getType();
  result.shape.assign(tensor.tensor.getShape().begin(),
                      tensor.tensor.getShape().end());
  result.isEqual = false;
  result.reason = ("missing in " + where).str();
  return result;
}

static std::vector<TensorComparison> compareAll(const Sides &sides,
                                                const CompareRequest &request) {
  llvm::StringMap<const NamedTensor *> rest;
  for (const NamedTensor &tensor : sides.b)
    rest[tensor.name] = &tensor;
  std::vector<TensorComparison> results;
  for (const NamedTensor &tensor : sides.a) {
    const NamedTensor *other = rest.lookup(tensor.name);
    rest.erase(tensor.name);
    results.push_back(other ? compareTensors(tensor.name, tensor.tensor,
                                             other->tensor, request.options)
                            : getMissing(tensor, request.b));
  }
  for (const NamedTensor &tensor : sides.b)
    if (rest.contains(tensor.name))
      results.push_back(getMissing(tensor, request.a));
  return results;
}

static std::string formatIndex(ArrayRef<int64_t> index) {
  std::string text = "[";
  for (auto [i, at] : llvm::enumerate(index))
    text += (i ? "," : "") + std::to_string(at);
  return text + "]";
}

static Cell getVerdict(const TensorComparison &result) {
  if (!result.reason.empty())
    return Cell::text(result.reason);
  return Cell::text(result.isEqual ? "equal" : "differs");
}

static Table getResultTable(ArrayRef<TensorComparison> results) {
  Table table({{"name", "name"},
               {"type", "type"},
               {"shape", "shape"},
               {"max_abs_error", "max |a-b|"},
               {"relative_error", "relative"},
               {"limit", "limit"},
               {"mismatches", "beyond"},
               {"worst", "worst at"},
               {"verdict", "verdict"}});
  for (const TensorComparison &result : results)
    table.addRow(
        {Cell::text(result.name), Cell::text(getName(result.type)),
         Cell::dims(result.shape), Cell::number(result.maxAbsError),
         Cell::number(result.relativeError), Cell::number(result.limit),
         Cell::count(result.numMismatches),
         result.hasWorst
             ? Cell::dims(result.worst).withText(formatIndex(result.worst))
             : Cell::none(),
         getVerdict(result)});
  return table;
}

llvm::Expected<CompareResult> inlay::compare(const CompareRequest &request) {
  bool areTensors = holdsTensors(request.a);
  if (areTensors != holdsTensors(request.b))
    return usageError("one of '" + request.a + "' and '" + request.b +
                      "' is a model, the other holds tensors");
  if (areTensors && !request.inputs.empty())
    return usageError("inputs are for models, and tensors are compared");
  CompareResult result;
  result.report.addField("a", "", Cell::text(request.a));
  result.report.addField("b", "", Cell::text(request.b));
  auto sides =
      areTensors ? readSides(request) : runModels(request, result.report);
  if (!sides)
    return sides.takeError();
  std::vector<TensorComparison> results = compareAll(*sides, request);
  size_t numDifferent = llvm::count_if(
      results, [](const TensorComparison &each) { return !each.isEqual; });
  result.isEqual = numDifferent == 0;
  result.report.addTable("outputs", areTensors ? "tensors" : "outputs",
                         getResultTable(results));
  std::string words = result.isEqual
                          ? "equal"
                          : formatCount(numDifferent) + " of " +
                                formatCount(results.size()) + " differ";
  result.report.addField("equal", "verdict",
                         Cell::flag(result.isEqual).withText(words));
  return result;
}
