//===- Inputs.cpp - Inputs as the command line gives them -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Inputs.h"
#include "inlay/Analysis/InputDemands.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/Runtime/RandomInputs.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace mlir;

namespace {
/// Collects the values of a graph's inputs from one spec after the other.
class InputReader {
public:
  explicit InputReader(func::FuncOp graph);

  llvm::Error addSpec(StringRef spec);
  /// Fills what is missing.
  llvm::Error finish(func::FuncOp like, bool hasSpecs);

  std::vector<GraphInput> takeInputs() { return std::move(inputs); }

private:
  llvm::Error addRandom(StringRef spec);
  llvm::Error addNamed(StringRef name, StringRef file);
  llvm::Error addFile(StringRef file);
  llvm::Error set(StringRef name, const HostTensor &tensor, StringRef source);
  llvm::Error addRandomValues(func::FuncOp like);
  MaybeShape findGivenShape(unsigned index, func::FuncOp like) const;
  llvm::Error checkComplete() const;
  std::optional<StringRef> findName(StringRef spec) const;
  std::string listNames() const;

  func::FuncOp graph;
  std::vector<GraphInput> inputs;
  llvm::StringMap<unsigned> indices;
  std::optional<uint64_t> seed;
};
} // namespace

InputReader::InputReader(func::FuncOp graph) : graph(graph) {
  for (unsigned i = 0; i < graph.getNumArguments(); ++i) {
    inputs.push_back({getInputName(graph, i).str(), HostTensor(), ""});
    indices[inputs.back().name] = i;
  }
}

std::string InputReader::listNames() const {
  std::string all;
  for (const auto &[i, input] : llvm::enumerate(inputs))
    all += (i ? ", " : "") + input.name;
  return all;
}

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

llvm::Error InputReader::set(StringRef name, const HostTensor &tensor,
                             StringRef source) {
  auto it = indices.find(name);
  if (it == indices.end())
    return usageError("the model has no input '" + name + "' (from '" + source +
                      "'); its inputs are " + listNames());
  GraphInput &input = inputs[it->second];
  if (!input.source.empty())
    return usageError("input '" + name + "' is given twice: by '" +
                      input.source + "' and by '" + source + "'");
  input.tensor = tensor;
  input.source = source.str();
  return llvm::Error::success();
}

llvm::Error InputReader::addRandom(StringRef spec) {
  uint64_t value;
  if (spec.drop_front(strlen("random:")).getAsInteger(10, value))
    return usageError("'" + spec +
                      "' is not random:SEED, where SEED is a "
                      "number");
  if (seed)
    return usageError("'" + spec + "': random inputs are asked for twice");
  seed = value;
  return llvm::Error::success();
}

/// NAME of NAME=FILE. Names of inputs may hold '=' themselves.
std::optional<StringRef> InputReader::findName(StringRef spec) const {
  for (size_t at = spec.find('='); at != StringRef::npos;
       at = spec.find('=', at + 1))
    if (indices.contains(spec.take_front(at)))
      return spec.take_front(at);
  return std::nullopt;
}

llvm::Error InputReader::addNamed(StringRef name, StringRef file) {
  auto tensors = readTensors(file);
  if (!tensors)
    return tensors.takeError();
  if (llvm::sys::path::extension(file) != ".npz")
    return set(name, tensors->front().tensor, file);
  for (const NamedTensor &tensor : *tensors)
    if (tensor.name == name || unescapeMemberName(tensor.name) == name)
      return set(name, tensor.tensor, file);
  return usageError("'" + file + "' has no tensor '" + name + "'");
}

llvm::Error InputReader::addFile(StringRef file) {
  auto tensors = readTensors(file);
  if (!tensors)
    return tensors.takeError();
  if (llvm::sys::path::extension(file) == ".npz") {
    for (const NamedTensor &tensor : *tensors) {
      std::string plain = unescapeMemberName(tensor.name);
      bool isEscaped =
          !indices.contains(tensor.name) && indices.contains(plain);
      if (llvm::Error error =
              set(isEscaped ? plain : tensor.name, tensor.tensor, file))
        return error;
    }
    return llvm::Error::success();
  }
  const NamedTensor &tensor = tensors->front();
  if (inputs.size() == 1)
    return set(inputs.front().name, tensor.tensor, file);
  if (!indices.contains(tensor.name))
    return usageError("'" + file + "' names no input: write NAME=" + file +
                      " with one of " + listNames());
  return set(tensor.name, tensor.tensor, file);
}

llvm::Error InputReader::addSpec(StringRef spec) {
  if (spec.starts_with("random:"))
    return addRandom(spec);
  if (std::optional<StringRef> name = findName(spec))
    return addNamed(*name, spec.drop_front(name->size() + 1));
  auto [name, file] = spec.split('=');
  // A mistyped name rather than a file with '=' in its name.
  if (!file.empty() && isTensorFileName(file) && !name.contains('/'))
    return usageError("the model has no input '" + name + "'; its inputs are " +
                      listNames());
  return addFile(spec);
}

//===----------------------------------------------------------------------===//
// What is not given
//===----------------------------------------------------------------------===//

llvm::Error InputReader::checkComplete() const {
  SmallVector<StringRef> missing;
  for (const GraphInput &input : inputs)
    if (input.source.empty())
      missing.push_back(input.name);
  if (missing.empty())
    return llvm::Error::success();
  return usageError("no value is given for " +
                    Twine(missing.size() == 1 ? "input " : "inputs ") +
                    llvm::join(missing, ", ") +
                    ": add --input random:SEED for random ones");
}

/// The shape of the input of that name in another graph.
static MaybeShape findShape(func::FuncOp graph, StringRef name) {
  for (unsigned i = 0; graph && i < graph.getNumArguments(); ++i)
    if (getInputName(graph, i) == name)
      return getShape(graph.getArgument(i));
  return std::nullopt;
}

static bool isDynamic(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && !ranked.hasStaticShape();
}

/// What is known of an input's shape beyond its type.
MaybeShape InputReader::findGivenShape(unsigned index,
                                       func::FuncOp like) const {
  const GraphInput &input = inputs[index];
  if (input.tensor)
    return SmallVector<int64_t>(input.tensor.getShape());
  return findShape(like, input.name);
}

/// Random values for what is not given yet.
llvm::Error InputReader::addRandomValues(func::FuncOp like) {
  SmallVector<MaybeShape> given;
  for (unsigned i = 0; i < inputs.size(); ++i)
    given.push_back(findGivenShape(i, like));
  InputShapes shapes = chooseInputShapes(graph, given);
  // Tables have extents where shapes are known.
  OwningOpRef<func::FuncOp> shaped;
  if (llvm::any_of(graph.getArgumentTypes(), isDynamic))
    shaped = specializeGraph(graph, shapes.shapes);
  std::vector<ValueDemand> demands = findInputDemands(shaped ? *shaped : graph);
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!input.source.empty())
      continue;
    RandomOptions options;
    options.seed = *seed;
    if (shapes.shapes[i])
      options.fallback = *shapes.shapes[i];
    options.demand = demands[i];
    auto tensor = getRandomInput(graph, i, options);
    if (!tensor)
      return tensor.takeError();
    input.tensor = std::move(*tensor);
    input.source = "random:" + std::to_string(*seed);
    for (const AssumedExtent &extent : shapes.assumed)
      if (extent.input == input.name)
        input.assumed.push_back(extent);
  }
  return llvm::Error::success();
}

llvm::Error InputReader::finish(func::FuncOp like, bool hasSpecs) {
  if (!hasSpecs)
    seed = 0;
  for (auto [i, input] : llvm::enumerate(inputs))
    if (input.source.empty() && getInputDefault(graph, i))
      input.source = "default";
  bool isComplete = llvm::none_of(
      inputs, [](const GraphInput &input) { return input.source.empty(); });
  if (seed && !isComplete)
    if (llvm::Error error = addRandomValues(like))
      return error;
  return checkComplete();
}

llvm::Expected<std::vector<GraphInput>>
inlay::readInputs(func::FuncOp graph, ArrayRef<std::string> specs,
                  func::FuncOp like) {
  InputReader reader(graph);
  for (const std::string &spec : specs)
    if (llvm::Error error = reader.addSpec(spec))
      return error;
  if (llvm::Error error = reader.finish(like, !specs.empty()))
    return error;
  return reader.takeInputs();
}

//===----------------------------------------------------------------------===//
// What was chosen
//===----------------------------------------------------------------------===//

std::vector<AssumedExtent>
inlay::getAssumedExtents(ArrayRef<GraphInput> inputs) {
  std::vector<AssumedExtent> extents;
  for (const GraphInput &input : inputs)
    extents.insert(extents.end(), input.assumed.begin(), input.assumed.end());
  return extents;
}

llvm::Error inlay::addAssumedExtents(llvm::Error error,
                                     ArrayRef<AssumedExtent> extents) {
  if (!error || extents.empty())
    return error;
  std::string message;
  ExitCode code = takeError(std::move(error), message);
  return makeError(code, message + " (" + describeExtents(extents) + ")");
}

void inlay::reportAssumedExtents(ArrayRef<AssumedExtent> extents,
                                 Report &report) {
  if (extents.empty())
    return;
  Table table({{"name", "name"},
               {"input", "input"},
               {"dim", "dimension"},
               {"extent", "extent"}});
  for (const AssumedExtent &extent : extents)
    table.addRow(
        {extent.symbol.empty() ? Cell::none() : Cell::text(extent.symbol),
         Cell::text(extent.input), Cell::count(extent.dim),
         Cell::count(uint64_t(extent.extent))});
  report.addTable("assumed_dims", "", table);
  report.addNote(describeExtents(extents));
}
