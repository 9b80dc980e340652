//===- Reduce.cpp - inlay reduce ------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Reduce.h"
#include "FaultCheck.h"
#include "LayerRun.h"
#include "Shrink.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/Run.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/DeltaDebugging.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/Path.h"
#include <numeric>

using namespace inlay;
using namespace mlir;

/// Bytes of tensors of the model that are kept; others become random.
static constexpr uint64_t maxKeptBytes = uint64_t(4) << 30;
/// Models with more elements are not shrunk any further.
static constexpr uint64_t maxShrunkElements = uint64_t(1) << 24;

namespace {
class Reducer {
public:
  explicit Reducer(const ReduceOptions &options)
      : options(options), context(createContext()) {}

  llvm::Expected<ReduceResult> run();

private:
  llvm::Error load();
  llvm::Error recordTensors();
  llvm::Error compareBoth();
  bool shows(const Candidate &candidate);
  llvm::Error keep(Candidate candidate);
  llvm::Error reduceNodes();
  llvm::Error shrinkShapes();
  llvm::Error fillWeights();
  llvm::Error write();
  Report report(StringRef fault) const;
  void tell(StringRef what) const;

  const ReduceOptions &options;
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> a, b;
  std::vector<GraphInput> inputs;
  DenseMap<Value, HostTensor> tensors;
  std::optional<LayerComparison> layers;
  std::optional<CandidateSource> source;
  std::unique_ptr<FaultCheck> check;
  std::optional<Candidate> best;
  unsigned numTries = 0, numNodes = 0;
  std::string inputsPath, otherPath;
};
} // namespace

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

llvm::Error Reducer::load() {
  if (options.kind == FaultKind::Differs) {
    CompareRequest request;
    request.a = options.model;
    request.b = options.other;
    request.import = options.import;
    request.inputs = options.inputs;
    auto pair = loadPair(*context, request);
    if (!pair)
      return pair.takeError();
    a = std::move(pair->a);
    b = std::move(pair->b);
    inputs = std::move(pair->inputsA);
    return llvm::Error::success();
  }
  auto module = loadModel(*context, options.model, options.import);
  if (!module)
    return module.takeError();
  a = std::move(*module);
  auto graph = getGraph(*a);
  if (!graph)
    return graph.takeError();
  auto read = readInputs(*graph, options.inputs);
  if (!read)
    return read.takeError();
  inputs = std::move(*read);
  return llvm::Error::success();
}

/// What the model computes, as far as it can be executed. Compiling needs no
/// tensors.
llvm::Error Reducer::recordTensors() {
  func::FuncOp graph = llvm::cantFail(getGraph(*a));
  for (auto [i, input] : llvm::enumerate(inputs))
    tensors[graph.getArgument(i)] = input.tensor;
  if (options.kind == FaultKind::Crashes)
    return llvm::Error::success();
  uint64_t kept = 0;
  ExecuteOptions execution;
  execution.isPartial = true;
  execution.visit = [&](Value value, HostTensor &tensor) {
    if (kept + tensor.getBytes().size() > maxKeptBytes)
      return;
    kept += tensor.getBytes().size();
    tensors[value] = tensor;
  };
  if (options.progress)
    execution.progress = [&](uint64_t done, uint64_t all) {
      options.progress("executing", done, all);
    };
  auto outputs = execute(*a, getTensors(inputs), execution);
  return outputs ? checkCancelled() : outputs.takeError();
}

llvm::Error Reducer::compareBoth() {
  if (!b)
    return llvm::Error::success();
  tell("comparing");
  auto inputsB = selectInputs(llvm::cantFail(getGraph(*b)), inputs);
  if (!inputsB)
    return inputsB.takeError();
  SmallVector<HostTensor> tensorsA = getTensors(inputs);
  SmallVector<HostTensor> tensorsB = getTensors(*inputsB);
  auto compared =
      compareLayers({"a", *a, tensorsA, nullptr, true},
                    {"b", *b, tensorsB, nullptr, true}, options.options);
  if (!compared)
    return compared.takeError();
  if (llvm::Error error = checkCancelled())
    return error;
  layers = std::move(*compared);
  source->pairWith(*b, *layers);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Reducer::tell(StringRef what) const {
  if (!options.progress)
    return;
  std::string text = what.str();
  if (best)
    text += ": " + std::to_string(best->countNodes()) + " of " +
            std::to_string(numNodes) + " nodes left, " +
            std::to_string(numTries) + " tries";
  options.progress(text, 0, 0);
}

bool Reducer::shows(const Candidate &candidate) {
  ++numTries;
  return check->shows(candidate);
}

llvm::Error Reducer::keep(Candidate candidate) {
  best = std::move(candidate);
  return write();
}

llvm::Error Reducer::write() {
  auto written = exportModel(best->a.get(), options.output);
  if (!written)
    return written.takeError();
  if (best->b) {
    auto other = exportModel(best->b.get(), otherPath);
    if (!other)
      return other.takeError();
  }
  return writeInputs(inputsPath, best->inputs);
}

llvm::Error Reducer::reduceNodes() {
  std::vector<unsigned> all(source->getNumUnits());
  std::iota(all.begin(), all.end(), 0);
  // Files cannot be written while others are tried: what fails then is said at
  // the end.
  llvm::Error failure = llvm::Error::success();
  auto tryUnits = [&](ArrayRef<unsigned> units) {
    tell("reducing");
    std::optional<Candidate> candidate = source->cut(units);
    if (failure || !candidate || !shows(*candidate))
      return false;
    failure = keep(std::move(*candidate));
    return true;
  };
  // The first node that differs is mostly all.
  std::optional<unsigned> first;
  if (layers && layers->first)
    first = source->findUnit(layers->layers[*layers->first].a);
  if (!first || !tryUnits(*first))
    findLeast(std::move(all), tryUnits);
  return failure;
}

llvm::Error Reducer::shrinkShapes() {
  for (int64_t extent : findExtents(*best)) {
    // One element first, then as few as halves lead to.
    for (int64_t from = extent, to = 1; from > 1;) {
      if (isCancelled() || best->countElements() > maxShrunkElements)
        return llvm::Error::success();
      tell("shrinking");
      auto candidate = shrinkExtent(*best, from, to, check->getFolder());
      if (!candidate)
        llvm::consumeError(candidate.takeError());
      bool isSmaller = candidate && shows(*candidate);
      if (isSmaller)
        if (llvm::Error error = keep(std::move(*candidate)))
          return error;
      if (to == 1 && isSmaller)
        break;
      if (to == 1) {
        to = (from + 1) / 2;
        if (to == from || to == 1)
          break;
        continue;
      }
      if (!isSmaller)
        break;
      from = to;
      to = (from + 1) / 2;
      if (to == 1)
        break;
    }
  }
  return llvm::Error::success();
}

llvm::Error Reducer::fillWeights() {
  if (best->countElements() > maxShrunkElements)
    return llvm::Error::success();
  for (const std::string &name : findWeights(*best))
    for (double number : {0.0, 1.0}) {
      if (isCancelled())
        return llvm::Error::success();
      tell("simplifying");
      Candidate candidate = fillWeight(*best, name, number);
      if (!shows(candidate))
        continue;
      if (llvm::Error error = keep(std::move(candidate)))
        return error;
      break;
    }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

Report Reducer::report(StringRef fault) const {
  Report result;
  result.addField("model", "", Cell::text(options.model));
  result.addField("fault", "fault", Cell::text(fault));
  result.addField("nodes_before", "nodes", Cell::count(numNodes));
  result.addField("nodes", "nodes of the part",
                  Cell::count(best ? best->countNodes() : numNodes));
  result.addField("tries", "tries", Cell::count(numTries));
  if (!best)
    return result;
  std::vector<std::string> names;
  func::FuncOp graph = llvm::cantFail(getGraph(best->a.get()));
  for (Operation &op : graph.getBody().front().without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>())
      names.push_back(getNodeName(&op));
  // A part may be all that there is.
  if (names.size() > 20)
    names.resize(20);
  result.addList("node_names", "which are", names);
  result.addField("elements", "elements of inputs and weights",
                  Cell::count(best->countElements()));
  result.addField("output", "written to", Cell::text(options.output));
  if (best->b)
    result.addField("other_output", "the other model's part",
                    Cell::text(otherPath));
  result.addField("inputs", "its inputs", Cell::text(inputsPath));
  return result;
}

static std::string replaceExtension(StringRef path, StringRef extension) {
  SmallString<128> result(path);
  llvm::sys::path::replace_extension(result, extension);
  return result.str().str();
}

llvm::Expected<ReduceResult> Reducer::run() {
  inputsPath = replaceExtension(options.output, "npz");
  otherPath = replaceExtension(options.output, "other.onnx");
  tell("importing");
  if (llvm::Error error = load())
    return error;
  for (const std::string &path : {options.output, inputsPath, otherPath})
    if (llvm::Error error = checkOutputPath(*context, "", path))
      return error;
  if (llvm::Error error = recordTensors())
    return error;
  source.emplace(*a, std::move(tensors));
  if (llvm::Error error = compareBoth())
    return error;
  source->findUnits();
  auto created = FaultCheck::create(options);
  if (!created)
    return created.takeError();
  check = std::move(*created);
  std::vector<unsigned> all(source->getNumUnits());
  std::iota(all.begin(), all.end(), 0);
  std::optional<Candidate> whole = source->cut(all);
  if (!whole)
    return unsupportedError(options.model +
                            ": has no part that could be tried");
  numNodes = whole->countNodes();
  std::optional<std::string> fault = check->begin(*whole);
  if (llvm::Error error = checkCancelled())
    return error;
  ReduceResult result;
  if (!fault) {
    result.report = report("does not show: there is nothing to reduce");
    return result;
  }
  whole.reset();
  if (llvm::Error error = reduceNodes())
    return error;
  if (best && !isCancelled())
    if (llvm::Error error = shrinkShapes())
      return error;
  if (best && !isCancelled())
    if (llvm::Error error = fillWeights())
      return error;
  // What could not be made smaller is its own smallest part.
  if (!best && !isCancelled())
    if (llvm::Error error = keep(std::move(*source->cut(all))))
      return error;
  if (!best)
    return checkCancelled();
  result.hasFault = true;
  result.isInterrupted = isCancelled();
  result.report = report(*fault);
  return result;
}

llvm::Expected<ReduceResult> inlay::reduce(const ReduceOptions &options) {
  return Reducer(options).run();
}
