//===- Compile.cpp - inlay compile ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Compile.h"
#include "CompileReport.h"
#include "FileNodes.h"
#include "RunPhases.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/ModuleText.h"
#include "inlay/Pipeline/Backend.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Support/Error.h"
#include "inlay/Target/LetterOrder.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace mlir;

/// Hands the module over to the back end.
static llvm::Expected<uint64_t> emitByBackend(const CompiledModule &compiled,
                                              const CompileOptions &options) {
  const Backend *backend = BackendRegistry::get().find(options.backend);
  return backend->emit({*compiled.module, compiled.target,
                        getBackendSection(compiled.target, options.backend),
                        options.output});
}

/// The target's, unless the user names another one.
static llvm::Expected<Machine> chooseMachine(const MachineTarget &target,
                                             const LibraryRequest &request) {
  auto machine = Machine::get(request.triple,
                              request.cpu.empty() ? *target.cpu : request.cpu);
  if (!machine)
    return machine.takeError();
  machine->unit.lanes = target.lanes.value_or(machine->unit.lanes);
  machine->unit.registers = target.registers.value_or(machine->unit.registers);
  return machine;
}

static bool isOpen(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && !ranked.hasStaticShape();
}

/// Looks for samples in what computing what is known leaves of the graph: there
/// are no shapes in it that depend on how many there are, as a rule.
static llvm::Expected<std::optional<Samples>>
findSimpleSamples(ModuleOp module, const CompileOptions &options) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto target = loadKnownTarget(options.layouts.target);
  if (!target)
    return target.takeError();
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  PhaseTimes times;
  if (llvm::Error error =
          runPhases(*copy, options, *target, {Phase::Simplify, Phase::Simplify},
                    options.progress, times))
    return std::move(error);
  auto graph = getGraph(*copy);
  if (!graph)
    return graph.takeError();
  return findSamples(*graph);
}

/// Inputs and outputs may be stored in another order only if samples stay one
/// behind the other.
static llvm::Error checkOrders(func::FuncOp graph, const Samples &samples,
                               ArrayRef<std::string> ioLayouts) {
  llvm::StringMap<int64_t> ranks;
  for (auto [i, type] : llvm::enumerate(graph.getArgumentTypes()))
    if (samples.inputs[i] != 0)
      ranks[getInputName(graph, i)] = cast<RankedTensorType>(type).getRank();
  for (auto [i, type] : llvm::enumerate(graph.getResultTypes()))
    if (auto ranked = dyn_cast<RankedTensorType>(type);
        ranked && samples.outputs[i] != 0)
      ranks[getOutputName(graph, i)] = ranked.getRank();
  for (StringRef spec : ioLayouts) {
    auto [name, order] = spec.rsplit(':');
    auto known = ranks.find(name);
    if (known == ranks.end())
      continue;
    auto axes = getDataAxes(known->second);
    if (axes && !axes->empty() &&
        !order.starts_with(StringRef(*axes).take_front()))
      return unsupportedError("--io-layout '" + spec + "': the samples of '" +
                              name +
                              "' would not be one behind the other, as they "
                              "are in a library for any number of them (give "
                              "the dimension with --dim or --shape)");
  }
  return llvm::Error::success();
}

/// Makes the graph that of one sample where the first dimension of inputs is
/// open: a library runs it for each.
static llvm::Error takeSamples(ModuleOp module, const CompileOptions &options,
                               CompileSummary &summary) {
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  if (llvm::none_of(graph->getArgumentTypes(), isOpen))
    return llvm::Error::success();
  auto samples = findSimpleSamples(module, options);
  if (!samples)
    return samples.takeError();
  if (*samples) {
    if (llvm::Error error =
            checkOrders(*graph, **samples, options.layouts.ioLayouts))
      return error;
    module.insert(*graph, getSampleGraph(*graph, **samples).release());
    graph->erase();
  }
  summary.samples = std::move(*samples);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Libraries of an open length
//===----------------------------------------------------------------------===//

/// Below that nothing could be told from lengths of shorter runs.
static constexpr int64_t leastLength = 8;
/// Below that, dimensions of the length are like those of other extents.
static constexpr int64_t leastProbe = 5;

/// The extents of all lengths, by their names.
using Extents = llvm::MapVector<StringRef, int64_t>;

/// The input that has no dimension of one of these.
static llvm::Error findMissing(const Extents &extents,
                               const llvm::StringSet<> &found) {
  for (const auto &[symbol, extent] : extents)
    if (!found.contains(symbol))
      return usageError("--dim " + symbol +
                        "=1..N: no input has a dimension '" + symbol +
                        "' that is open");
  return llvm::Error::success();
}

/// The model for some lengths; an error where the inputs have no such
/// dimension, or another one that is open.
static llvm::Expected<OwningOpRef<ModuleOp>>
getModuleOfLengths(ModuleOp module, const Extents &extents) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto graph = getGraph(*copy);
  if (!graph)
    return graph.takeError();
  std::vector<MaybeShape> shapes;
  llvm::StringSet<> found;
  std::string other;
  for (auto [i, type] : llvm::enumerate(graph->getArgumentTypes())) {
    MaybeShape &shape = shapes.emplace_back();
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked)
      continue;
    shape = SmallVector<int64_t>(ranked.getShape());
    SmallVector<StringRef> dims = getInputDims(*graph, i);
    for (auto [dim, extent] : llvm::enumerate(*shape)) {
      if (!ShapedType::isDynamic(extent))
        continue;
      auto it = extents.find(dims[dim]);
      if (it != extents.end()) {
        found.insert(dims[dim]);
        extent = it->second;
      } else if (other.empty()) {
        other = ("dimension " + Twine(dim) + " of input '" +
                 getInputName(*graph, i) + "'")
                    .str();
      }
    }
  }
  if (llvm::Error error = findMissing(extents, found))
    return std::move(error);
  if (!other.empty())
    return unsupportedError(
        other + " is open beside '" + extents.front().first +
        "' (give it with --dim, as one number or NAME=1..N, or with --shape)");
  copy->insert(*graph, getGraphFor(*graph, shapes).release());
  graph->erase();
  return copy;
}

/// The models for lengths between, of one of them.
static llvm::Expected<OpenLength> makeProbes(ModuleOp module, Extents extents,
                                             const LengthRequest &request) {
  OpenLength open{request.symbol, request.largest};
  auto add = [&](std::vector<OpenLength::Probe> &probes,
                 int64_t length) -> llvm::Error {
    extents[request.symbol] = length;
    auto probe = getModuleOfLengths(module, extents);
    if (!probe)
      return probe.takeError();
    probes.push_back({length, std::move(*probe)});
    return llvm::Error::success();
  };
  if (llvm::Error error = add(open.probes, request.largest - 1))
    return std::move(error);
  for (int64_t length = request.largest / 2 + 1; length < request.largest - 1;
       length += llvm::divideCeil(request.largest - length, 2))
    if (llvm::Error error = add(open.probes, length))
      return std::move(error);
  for (int64_t length = request.largest; length >= leastProbe; length /= 2)
    if (llvm::Error error = add(open.simplified, length))
      return std::move(error);
  return open;
}

/// Takes the model for the largest lengths in the place of `module`; the others
/// are for lengths between.
static llvm::Error takeLengths(OwningOpRef<ModuleOp> &module,
                               ArrayRef<LengthRequest> requests,
                               CompileSummary &summary) {
  Extents largest;
  for (const LengthRequest &request : requests) {
    if (request.largest < leastLength)
      return usageError("--dim " + request.symbol + "=1.." +
                        Twine(request.largest) + ": expected " +
                        Twine(leastLength) + " or more, or one number");
    largest[request.symbol] = request.largest;
  }
  for (const LengthRequest &request : requests) {
    auto open = makeProbes(*module, largest, request);
    if (!open)
      return open.takeError();
    summary.lengths.push_back(std::move(*open));
  }
  auto whole = getModuleOfLengths(*module, largest);
  if (!whole)
    return whole.takeError();
  module = std::move(*whole);
  return llvm::Error::success();
}

static llvm::Error compileProbe(const CompilerOptions &options,
                                OpenLength::Probe &probe) {
  auto compiled = Compiler(options).compile(std::move(probe.module));
  if (!compiled)
    return compiled.takeError();
  probe.module = std::move(compiled->module);
  return llvm::Error::success();
}

/// Keeps the longest, and the shortest there is: windows may not fit into less.
static llvm::Error compileLengths(const CompilerOptions &options,
                                  std::vector<OpenLength::Probe> &probes) {
  if (llvm::Error error = compileProbe(options, probes.front()))
    return error;
  llvm::Error first = llvm::Error::success();
  for (OpenLength::Probe &probe : llvm::drop_begin(probes)) {
    llvm::Error error = compileProbe(options, probe);
    if (!error) {
      llvm::consumeError(std::move(first));
      std::swap(probes[1], probe);
      probes.resize(2);
      return llvm::Error::success();
    }
    if (first)
      llvm::consumeError(std::move(error));
    else
      first = std::move(error);
  }
  return first;
}

/// Simplifies the model for shorter and shorter lengths, as long as there is
/// one: a run of what windows do not fit into is refused.
static llvm::Error simplifyProbes(const CompilerOptions &options,
                                  std::vector<OpenLength::Probe> &probes) {
  for (size_t i = 0; i < probes.size(); ++i) {
    llvm::Error error = compileProbe(options, probes[i]);
    if (!error)
      continue;
    if (i == 0)
      return error;
    llvm::consumeError(std::move(error));
    probes.resize(i);
  }
  return llvm::Error::success();
}

/// They are compiled like the model itself, but not executed.
static llvm::Error compileProbes(const CompileOptions &options,
                                 CompileSummary &summary) {
  CompilerOptions own = options;
  own.verify = VerifyMode::Off;
  CompilerOptions simplify = own;
  simplify.stopAfter = "inlay-simplify";
  for (OpenLength &length : summary.lengths) {
    if (llvm::Error error = compileLengths(own, length.probes))
      return error;
    if (llvm::Error error = simplifyProbes(simplify, length.simplified))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error emitLibrary(const CompileOptions &options,
                               CompileSummary &summary) {
  const LibraryRequest &request = options.library;
  auto machine = chooseMachine(*summary.compiled.target.machine, request);
  if (!machine)
    return machine.takeError();
  LibraryOptions library{std::move(*machine),
                         options.output,
                         request.prefix,
                         request.weights,
                         tellProgress(request.jobs, options.progress),
                         request.choices,
                         summary.samples,
                         std::move(summary.lengths)};
  auto written = writeLibrary(*summary.compiled.module, library);
  if (!written)
    return written.takeError();
  summary.dataPath = written->weights;
  summary.bytesAfter = written->libraryBytes +
                       (written->weights.empty() ? 0 : written->weightsBytes);
  summary.library = std::move(*written);
  return llvm::Error::success();
}

static llvm::Error writeOutput(const CompileOptions &options,
                               CompileSummary &summary) {
  ModuleOp module = *summary.compiled.module;
  if (options.emit == EmitKind::Backend) {
    auto written = emitByBackend(summary.compiled, options);
    if (!written)
      return written.takeError();
    summary.bytesAfter = *written;
    return llvm::Error::success();
  }
  if (options.emit == EmitKind::Native)
    return emitLibrary(options, summary);
  if (options.emit == EmitKind::Mlir) {
    auto written = writeModule(module, options.output);
    if (!written)
      return written.takeError();
    summary.bytesAfter = written->textBytes + written->dataBytes;
    summary.dataPath = written->dataPath;
    return llvm::Error::success();
  }
  auto written = exportModel(module, options.output, options.exportOptions);
  if (!written)
    return written.takeError();
  summary.bytesAfter = written->modelBytes + written->dataBytes;
  summary.nodesAfter = written->numNodes;
  summary.dataPath = written->dataPath;
  return llvm::Error::success();
}

/// The files that may be written.
static SmallVector<std::string> getOutputs(const CompileOptions &options) {
  SmallVector<std::string> outputs = {options.output};
  if (options.emit == EmitKind::Native)
    for (StringRef extension : {"h", "weights"}) {
      SmallString<128> path(options.output);
      llvm::sys::path::replace_extension(path, extension);
      outputs.push_back(path.str().str());
    }
  return outputs;
}

static void enter(const CompileOptions &options, StringRef phase) {
  if (options.progress)
    options.progress(phase, 0, 0);
}

/// What is folded must not depend on how large it is for one length.
static CompileOptions foldForAnyLength(CompileOptions options) {
  if (!options.library.lengths.empty() && options.simplifyOptions.foldLimit < 0)
    options.simplifyOptions.foldLimit = int64_t(1) << 40;
  return options;
}

llvm::Expected<Report> inlay::compile(const CompileOptions &given) {
  const CompileOptions options = foldForAnyLength(given);
  Stopwatch watch;
  std::unique_ptr<MLIRContext> context = createContext();
  CompileSummary summary;
  Compiler compiler(options);
  compiler.setProgress(options.progress);
  enter(options, "importing");
  auto module = compiler.read(*context, options.model);
  if (!module)
    return module.takeError();
  for (const std::string &output : getOutputs(options))
    if (llvm::Error error = checkOutputPath(*context, options.model, output))
      return error;
  summary.bytesBefore = getInputBytes(*context, options.model);
  // Before it may be written over.
  auto fileNodes = countFileNodes(options.model);
  if (!fileNodes)
    return fileNodes.takeError();
  if (*fileNodes)
    summary.nodesBefore = (*fileNodes)->numNodes;
  if (options.emit == EmitKind::Native)
    if (llvm::Error error =
            !options.library.lengths.empty()
                ? takeLengths(*module, options.library.lengths, summary)
                : takeSamples(**module, options, summary))
      return error;
  summary.importSeconds = watch.lap();

  auto compiled = compiler.compile(std::move(*module));
  if (!compiled)
    return compiled.takeError();
  summary.compiled = std::move(*compiled);
  summary.target = options.layouts.target == defaultTarget
                       ? summary.compiled.target.name
                       : options.layouts.target;
  if (llvm::Error error = compileProbes(options, summary))
    return error;
  watch.lap();

  enter(options, "writing");
  if (llvm::Error error = writeOutput(options, summary))
    return error;
  summary.exportSeconds = watch.lap();
  summary.totalSeconds = watch.getTotal();
  return buildReport(options, summary);
}
