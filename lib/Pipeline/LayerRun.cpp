//===- LayerRun.cpp - Two models, tensor by tensor ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerRun.h"
#include "TensorDump.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Pipeline/Run.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringSet.h"

using namespace inlay;
using namespace mlir;

llvm::Expected<DenseMap<Value, HostTensor>>
inlay::collectTensors(ModuleOp module, ArrayRef<GraphInput> inputs,
                      ArrayRef<Value> values, bool isPartial) {
  DenseMap<Value, HostTensor> tensors;
  for (Value value : values) {
    tensors[value] = HostTensor();
    if (auto argument = dyn_cast<BlockArgument>(value))
      tensors[value] = inputs[argument.getArgNumber()].tensor;
  }
  ExecuteOptions options;
  options.isPartial = isPartial;
  options.visit = [&](Value value, HostTensor &tensor) {
    if (auto it = tensors.find(value); it != tensors.end())
      it->second = tensor;
  };
  auto outputs = execute(module, getTensors(inputs), options);
  if (!outputs)
    return outputs.takeError();
  return tensors;
}

/// Names of outputs that only one of two graphs has.
static std::vector<std::string> findLoneOutputs(func::FuncOp a,
                                                func::FuncOp b) {
  auto getNames = [](func::FuncOp graph) {
    llvm::StringSet<> names;
    for (unsigned i = 0; i < graph.getNumResults(); ++i)
      names.insert(getOutputName(graph, i));
    return names;
  };
  llvm::StringSet<> namesA = getNames(a), namesB = getNames(b);
  std::vector<std::string> lone;
  for (auto [graph, others] : {std::pair(a, &namesB), std::pair(b, &namesA)})
    for (unsigned i = 0; i < graph.getNumResults(); ++i)
      if (StringRef name = getOutputName(graph, i); !others->contains(name))
        lone.push_back(name.str());
  return lone;
}

//===----------------------------------------------------------------------===//
// Two models
//===----------------------------------------------------------------------===//

static llvm::Expected<LayerRun>
runPair(MLIRContext &context, const CompareRequest &request, Report &report) {
  auto pair = loadPair(context, request);
  if (!pair)
    return pair.takeError();
  reportInputs(pair->inputsA, report);
  auto progress = [&](uint64_t done, uint64_t all) {
    if (request.progress)
      request.progress("executing", done, all);
  };
  SmallVector<HostTensor> tensorsA = getTensors(pair->inputsA);
  SmallVector<HostTensor> tensorsB = getTensors(pair->inputsB);
  JudgedGraph a{request.a, *pair->a, tensorsA, progress};
  JudgedGraph b{request.b, *pair->b, tensorsB, progress};
  LayerRun run;
  auto layers = compareLayers(a, b, request.options);
  if (!layers) {
    // What cannot be executed is no reason to compare nothing, and what the
    // second one fails at may be what is looked for.
    ExitCode code = takeError(layers.takeError(), run.lacking);
    if (isCancelled())
      return makeError(code, run.lacking);
    a.isPartial = b.isPartial = true;
    layers = compareLayers(a, b, request.options);
    if (!layers)
      return layers.takeError();
  }
  run.loneOutputs = findLoneOutputs(llvm::cantFail(getGraph(*pair->a)),
                                    llvm::cantFail(getGraph(*pair->b)));
  // The second module goes, and what points into it.
  for (Layer &layer : layers->layers)
    layer.b = Value();
  run.layers = std::move(*layers);
  run.module = std::move(pair->a);
  run.inputs = std::move(pair->inputsA);
  return run;
}

//===----------------------------------------------------------------------===//
// A model and machine code
//===----------------------------------------------------------------------===//

namespace {
/// Compares what steps compute with what the reference has computed.
class LayerObserver : public StepObserver {
public:
  LayerObserver(LayerComparison &layers, const CompareOptions &options)
      : layers(layers), options(options) {}

  /// Looks for these tensors of the graph among what steps compute.
  void share(ArrayRef<Value> computed, ArrayRef<Value> stepValues);
  void keep(Value value, const HostTensor &tensor);
  llvm::Error afterStep(const NativeStep &step,
                        ArrayRef<HostTensor> results) override;

private:
  LayerComparison &layers;
  CompareOptions options;
  DenseMap<Value, size_t> byValue;
  llvm::StringMap<size_t> byName;
  std::vector<HostTensor> kept;
};
} // namespace

/// Values by their names; null for a name that is there twice.
static llvm::StringMap<Value> getByName(ArrayRef<Value> values) {
  llvm::StringMap<Value> byName;
  for (Value value : values) {
    auto [it, isNew] = byName.try_emplace(getValueName(value), value);
    if (!isNew)
      it->second = Value();
  }
  return byName;
}

void LayerObserver::share(ArrayRef<Value> computed,
                          ArrayRef<Value> stepValues) {
  llvm::StringMap<Value> own = getByName(computed);
  llvm::StringMap<Value> native = getByName(stepValues);
  for (Value value : computed) {
    StringRef name = getValueName(value);
    if (name.empty() || !own.lookup(name) || !native.lookup(name)) {
      ++layers.numUnshared;
      continue;
    }
    byValue[value] = byName[name] = layers.layers.size();
    Layer layer;
    layer.name = layer.comparison.name = name.str();
    layer.a = value;
    layers.layers.push_back(std::move(layer));
  }
  kept.resize(layers.layers.size());
}

void LayerObserver::keep(Value value, const HostTensor &tensor) {
  if (auto it = byValue.find(value); it != byValue.end())
    kept[it->second] = tensor;
}

llvm::Error LayerObserver::afterStep(const NativeStep &step,
                                     ArrayRef<HostTensor> results) {
  for (auto [value, tensor] : llvm::zip_equal(step.results, results)) {
    auto it = byName.find(getValueName(value));
    if (it == byName.end() || !tensor || !kept[it->second])
      continue;
    Layer &layer = layers.layers[it->second];
    auto found =
        compareInAnyOrder(layer.name, kept[it->second], tensor, options);
    if (!found) {
      layer.comparison =
          compareTensors(layer.name, kept[it->second], tensor, options);
      continue;
    }
    layer.comparison = found->comparison;
    layer.isReordered = found->isReordered;
    layer.blank = findBlank(kept[it->second]).str();
    layer.verdict =
        layer.comparison.isEqual ? LayerVerdict::Equal : LayerVerdict::Differs;
  }
  return llvm::Error::success();
}

static llvm::Expected<LayerRun>
runNative(MLIRContext &context, const CompareRequest &request, Report &report) {
  auto model = loadFedModel(context, request.a, request.import, request.inputs);
  if (!model)
    return model.takeError();
  reportInputs(model->inputs, report);
  auto native = compileNative(context,
                              {request.b, request.import, request.threads,
                               request.jobs, request.progress, request.choices},
                              model->inputs);
  if (!native)
    return addContext(request.b + ": ", native.takeError());
  func::FuncOp graph = llvm::cantFail(getGraph(*model->module));
  LayerRun run;
  LayerObserver observer(run.layers, request.options);
  observer.share(getComputedValues(graph), getComputedValues(native->program));
  auto outputs = runGraph(
      *model->module, model->inputs, request.progress,
      [&](Value value, HostTensor &tensor) { observer.keep(value, tensor); });
  if (!outputs)
    return addContext(request.a + ": ", outputs.takeError());
  auto results = native->program.run(model->getTensors(), &observer);
  if (!results)
    return addContext(request.b + ": ", results.takeError());
  for (auto [i, layer] : llvm::enumerate(run.layers.layers))
    if (layer.verdict == LayerVerdict::Differs) {
      run.layers.first = i;
      break;
    }
  auto compiled = getGraph(*native->compiled.module);
  if (!compiled)
    return compiled.takeError();
  run.loneOutputs = findLoneOutputs(graph, *compiled);
  run.module = std::move(model->module);
  run.inputs = std::move(model->inputs);
  return run;
}

llvm::Expected<LayerRun> inlay::runLayers(MLIRContext &context,
                                          const CompareRequest &request,
                                          Report &report) {
  if (!request.isNative)
    return runPair(context, request, report);
  CompareRequest native = request;
  if (!request.options.isExplicit)
    native.options.tolerance = nativeTolerance;
  return runNative(context, native, report);
}
