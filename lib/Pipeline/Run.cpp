//===- Run.cpp - inlay run ------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Run.h"
#include "RangeCells.h"
#include "TensorDump.h"
#include "inlay/Codegen/StepReference.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/FileSystem.h"

using namespace inlay;
using namespace mlir;

SmallVector<HostTensor> FedModel::getTensors() const {
  return llvm::map_to_vector(
      inputs, [](const GraphInput &input) { return input.tensor; });
}

llvm::Expected<FedModel> inlay::loadFedModel(MLIRContext &context,
                                             StringRef path,
                                             const ImportOptions &import,
                                             ArrayRef<std::string> inputs) {
  auto module = loadModel(context, path, import);
  if (!module)
    return module.takeError();
  auto graph = getGraph(**module);
  if (!graph)
    return graph.takeError();
  auto read = readInputs(*graph, inputs);
  if (!read)
    return read.takeError();
  return FedModel{std::move(*module), std::move(*read)};
}

llvm::Expected<std::vector<NamedTensor>>
inlay::nameOutputs(ModuleOp module, ArrayRef<HostTensor> tensors) {
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  std::vector<NamedTensor> outputs;
  for (auto [i, tensor] : llvm::enumerate(tensors))
    outputs.push_back({getOutputName(*graph, i).str(), tensor});
  return outputs;
}

llvm::Expected<std::vector<NamedTensor>>
inlay::runGraph(ModuleOp module, ArrayRef<GraphInput> inputs,
                const ProgressFunction &progress, const VisitFunction &visit) {
  SmallVector<HostTensor> tensors;
  for (const GraphInput &input : inputs)
    tensors.push_back(input.tensor);
  ExecuteOptions options;
  if (progress)
    options.progress = [&](uint64_t done, uint64_t all) {
      progress("executing", done, all);
    };
  options.visit = visit;
  auto results = execute(module, tensors, options);
  if (!results)
    return addAssumedExtents(results.takeError(), getAssumedExtents(inputs));
  return nameOutputs(module, *results);
}

llvm::Expected<JudgedRun> inlay::runForJudge(ModuleOp module,
                                             ArrayRef<GraphInput> inputs,
                                             const ProgressFunction &progress) {
  auto outputs = runGraph(module, inputs, progress);
  JudgedRun run;
  if (outputs) {
    for (NamedTensor &output : *outputs)
      run.outputs.push_back(std::move(output.tensor));
    return run;
  }
  ExitCode code = takeError(outputs.takeError(), run.lacking);
  if (code != ExitCode::Unsupported)
    return makeError(code, run.lacking);
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  run.outputs.resize(graph->getNumResults());
  return run;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static Table getInputTable(ArrayRef<GraphInput> inputs) {
  Table table({{"name", "name"},
               {"type", "type"},
               {"shape", "shape"},
               {"source", "from"}});
  for (const GraphInput &input : inputs) {
    bool isGiven = bool(input.tensor);
    table.addRow(
        {Cell::text(input.name),
         isGiven ? Cell::text(getName(input.tensor.getType())) : Cell::none(),
         isGiven ? Cell::dims(input.tensor.getShape()) : Cell::none(),
         Cell::text(input.source)});
  }
  return table;
}

static Table getOutputTable(ArrayRef<NamedTensor> outputs,
                            ArrayRef<std::string> files) {
  SmallVector<Column> columns = {{"name", "name"},   {"type", "type"},
                                 {"shape", "shape"}, {"min", "min"},
                                 {"max", "max"},     {"mean", "mean"}};
  if (!files.empty())
    columns.push_back({"file", "file"});
  Table table(columns);
  for (auto [i, output] : llvm::enumerate(outputs)) {
    RangeCells range = measureRange(output.tensor);
    SmallVector<Cell> row = {Cell::text(output.name),
                             Cell::text(getName(output.tensor.getType())),
                             Cell::dims(output.tensor.getShape()),
                             range.min,
                             range.max,
                             range.mean};
    if (!files.empty())
      row.push_back(Cell::text(files[i]));
    table.addRow(row);
  }
  return table;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static llvm::Expected<std::vector<std::string>>
writeOutputs(ArrayRef<NamedTensor> outputs, StringRef folder) {
  std::vector<std::string> names, files;
  for (const NamedTensor &output : outputs)
    names.push_back(output.name);
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return ioError("cannot make folder '" + folder + "': " + code.message());
  for (auto [output, stem] : llvm::zip_equal(outputs, chooseFileNames(names))) {
    auto file = writeTensor(folder, stem, output);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  return files;
}

/// Kernels that are listed at the most, those of the largest error.
static constexpr size_t maxListed = 10;

static Table getCheckTable(ArrayRef<StepChecker::Finding> findings) {
  Table table({{"operators", "operators"},
               {"tensor", "tensor"},
               {"shape", "shape"},
               {"relative_error", "error"},
               {"equal", "equal"}});
  for (const StepChecker::Finding &finding : findings.take_front(maxListed))
    table.addRow({Cell::text(getOpTypes(finding.step->op)),
                  Cell::text(finding.comparison.name),
                  Cell::dims(finding.comparison.shape),
                  Cell::number(finding.comparison.relativeError),
                  Cell::flag(finding.comparison.isEqual)});
  return table;
}

/// Adds what the check found; false where a kernel is wrong.
static bool reportCheck(StepChecker &checker, Report &report) {
  std::vector<StepChecker::Finding> findings = checker.takeFindings();
  uint64_t numWrong = llvm::count_if(findings, [](const auto &finding) {
    return !finding.comparison.isEqual;
  });
  report.addField("checked_kernels", "kernels checked",
                  Cell::count(findings.size()));
  report.addField("wrong_kernels", "of these wrong", Cell::count(numWrong));
  if (!findings.empty())
    report.addTable("worst", "largest errors", getCheckTable(findings));
  return numWrong == 0;
}

/// Writes what the nodes of the model compute, where that is asked for.
static llvm::Expected<std::vector<NamedTensor>>
runReference(const RunOptions &options, const FedModel &model,
             RunResult &result) {
  if (options.dumpFolder.empty())
    return runGraph(*model.module, model.inputs, options.progress);
  auto graph = getGraph(*model.module);
  if (!graph)
    return graph.takeError();
  auto dump = TensorDump::create(getComputedValues(*graph), options.dumpFolder,
                                 options.dumpOnly);
  if (!dump)
    return dump.takeError();
  auto outputs = runGraph(
      *model.module, model.inputs, options.progress,
      [&](Value value, HostTensor &tensor) { (*dump)->add(value, tensor); });
  if (!outputs)
    return outputs.takeError();
  if (llvm::Error error = (*dump)->finish(result.report))
    return error;
  return outputs;
}

static llvm::Expected<std::vector<NamedTensor>>
runNatively(MLIRContext &context, const RunOptions &options,
            const FedModel &model, RunResult &result) {
  auto native = compileNative(context,
                              {options.model, options.import, options.threads,
                               options.jobs, options.progress, options.choices},
                              model.inputs);
  if (!native)
    return native.takeError();
  reportProgram(native->program, result.report);
  CompareOptions limits;
  limits.tolerance = nativeTolerance;
  StepChecker checker(limits);
  std::unique_ptr<TensorDump> dump;
  if (!options.dumpFolder.empty()) {
    auto created = TensorDump::create(getComputedValues(native->program),
                                      options.dumpFolder, options.dumpOnly);
    if (!created)
      return created.takeError();
    dump = std::move(*created);
  }
  StepObserver *observer = options.isChecked ? &checker : nullptr;
  Stopwatch watch;
  auto results =
      native->program.run(model.getTensors(), dump ? dump.get() : observer);
  if (!results)
    return results.takeError();
  result.report.addField("run_seconds", "run", Cell::seconds(watch.lap()));
  if (options.isChecked)
    result.isEqual = reportCheck(checker, result.report);
  if (dump)
    if (llvm::Error error = dump->finish(result.report))
      return error;
  return nameOutputs(*native->compiled.module, *results);
}

llvm::Expected<RunResult> inlay::run(const RunOptions &options) {
  Stopwatch watch;
  std::unique_ptr<MLIRContext> context = createContext();
  auto model =
      loadFedModel(*context, options.model, options.import, options.inputs);
  if (!model)
    return model.takeError();
  watch.lap();
  RunResult result;
  Report &report = result.report;
  report.addField("model", "", Cell::text(options.model));
  report.addTable("inputs", "inputs", getInputTable(model->inputs));
  reportAssumedExtents(getAssumedExtents(model->inputs), report);
  auto outputs = options.isNative
                     ? runNatively(*context, options, *model, result)
                     : runReference(options, *model, result);
  if (!outputs)
    return addContext(options.model + ": ", outputs.takeError());
  double seconds = watch.lap();
  std::vector<std::string> files;
  if (!options.outputFolder.empty()) {
    auto written = writeOutputs(*outputs, options.outputFolder);
    if (!written)
      return written.takeError();
    files = std::move(*written);
  }
  report.addTable("outputs", "outputs", getOutputTable(*outputs, files));
  report.addField("seconds", "time", Cell::seconds(seconds));
  report.addField("peak_memory_bytes", "peak memory",
                  Cell::bytes(getPeakMemory()));
  return result;
}
