//===- ModelPair.cpp - Two models on the same inputs ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelPair.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/Pipeline/Compiler.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;
using namespace mlir;

llvm::Expected<std::vector<GraphInput>>
inlay::selectInputs(func::FuncOp graph, ArrayRef<GraphInput> given) {
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

SmallVector<HostTensor> inlay::getTensors(ArrayRef<GraphInput> inputs) {
  return llvm::map_to_vector(
      inputs, [](const GraphInput &input) { return input.tensor; });
}

void inlay::reportInputs(ArrayRef<GraphInput> inputs, Report &report) {
  std::vector<std::string> sources;
  for (const GraphInput &input : inputs)
    sources.push_back(input.name + "=" + input.source);
  report.addList("inputs", "inputs", sources);
  reportAssumedExtents(getAssumedExtents(inputs), report);
}

static llvm::Expected<OwningOpRef<ModuleOp>>
loadSecond(MLIRContext &context, const CompareRequest &request) {
  ImportOptions import;
  import.dataRoots = request.import.dataRoots;
  return loadModel(context, request.b, import);
}

/// The first model as `inlay compile` would write it.
static llvm::Expected<OwningOpRef<ModuleOp>>
loadCompiled(MLIRContext &context, const CompareRequest &request) {
  CompilerOptions options;
  static_cast<PipelineOptions &>(options) = *request.compiled;
  options.import = request.import;
  // That it computes the same is what is asked here.
  options.verify = VerifyMode::Off;
  Compiler compiler(options);
  compiler.setProgress(request.progress);
  auto module = compiler.read(context, request.a);
  if (!module)
    return module;
  auto compiled = compiler.compile(std::move(*module));
  if (!compiled)
    return compiled.takeError();
  if (llvm::Error error = restoreGroups(*compiled->module))
    return std::move(error);
  return std::move(compiled->module);
}

llvm::Expected<ModelPair> inlay::loadPair(MLIRContext &context,
                                          const CompareRequest &request) {
  auto a = loadModel(context, request.a, request.import);
  if (!a)
    return a.takeError();
  auto b = request.compiled ? loadCompiled(context, request)
                            : loadSecond(context, request);
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
  return ModelPair{std::move(*a), std::move(*b), std::move(*inputsA),
                   std::move(*inputsB)};
}
