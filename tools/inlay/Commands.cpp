//===- Commands.cpp - The verbs -------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each turns its arguments into the options of an entry point of the pipeline.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "DebugCommands.h"
#include "OutputOptions.h"
#include "Values.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Pipeline/Backend.h"
#include "inlay/Pipeline/Bench.h"
#include "inlay/Pipeline/Bisect.h"
#include "inlay/Pipeline/Compare.h"
#include "inlay/Pipeline/Compile.h"
#include "inlay/Pipeline/Doctor.h"
#include "inlay/Pipeline/Explain.h"
#include "inlay/Pipeline/Inspect.h"
#include "inlay/Pipeline/ModelPage.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Pipeline/Rewriting.h"
#include "inlay/Pipeline/Run.h"
#include "inlay/Pipeline/Targets.h"
#include "inlay/Support/StandardStreams.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <limits>

using namespace inlay;

/// The result of an entry point that has no negative one.
static llvm::Expected<CommandResult> toResult(llvm::Expected<Report> report) {
  if (!report)
    return report.takeError();
  return CommandResult{std::move(*report)};
}

//===----------------------------------------------------------------------===//
// compile
//===----------------------------------------------------------------------===//

static llvm::Error readLayouts(const Arguments &arguments,
                               LayoutOptions &options) {
  if (arguments.has(OPT_target))
    options.target = arguments.get(OPT_target).str();
  auto strategy = arguments.getChoice(
      OPT_layout_strategy, {"per-op", "region", "region-plus", "optimal"}, 3);
  if (!strategy)
    return strategy.takeError();
  options.strategy = allStrategies[*strategy];
  auto minimize = arguments.getChoice(OPT_minimize, {"bytes", "count"}, 0);
  if (!minimize)
    return minimize.takeError();
  options.objective = *minimize == 0 ? Objective::Bytes : Objective::Count;
  options.ioLayouts = arguments.getAll(OPT_io_layout);
  return llvm::Error::success();
}

static llvm::Error readFusion(const Arguments &arguments,
                              FusionOptions &options) {
  auto strategy =
      arguments.getChoice(OPT_fusion_strategy, {"greedy", "optimal", "off"}, 0);
  if (!strategy)
    return strategy.takeError();
  static constexpr std::optional<FusionStrategy> strategies[] = {
      FusionStrategy::Greedy, FusionStrategy::Optimal, std::nullopt};
  options.strategy = strategies[*strategy];
  return llvm::Error::success();
}

static llvm::Error readKernels(const Arguments &arguments,
                               const FusionOptions &fusion,
                               GraphKernelOptions &options) {
  auto kernels = arguments.getChoice(OPT_graph_kernels, {"on", "off"}, 1);
  if (!kernels)
    return kernels.takeError();
  options.isEnabled = *kernels == 0;
  if (fusion.strategy == FusionStrategy::Optimal)
    options.strategy = KernelStrategy::Optimal;
  return llvm::Error::success();
}

static llvm::Error readRewrites(const Arguments &arguments,
                                RewriteOptions &options) {
  auto rewrites = parseRewrites(arguments.get(OPT_rewrite, "off"));
  if (!rewrites)
    return addContext("--rewrite: ", rewrites.takeError());
  options = std::move(*rewrites);
  return llvm::Error::success();
}

/// "all", or names of operators.
static llvm::Error readExpand(const Arguments &arguments,
                              CompileOptions &options) {
  llvm::SmallVector<llvm::StringRef> names;
  arguments.get(OPT_expand).split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names) {
    if (name == "all") {
      options.expandAll = true;
      continue;
    }
    if (llvm::Error error =
            checkWord("--expand", name, "operator", getOnnxOpTypes()))
      return error;
    options.expand.push_back(name.str());
  }
  return llvm::Error::success();
}

/// What every verb that compiles is told of rewrites, layouts, groups and
/// kernels.
static llvm::Error readPipeline(const Arguments &arguments,
                                PipelineOptions &options) {
  if (llvm::Error error = readRewrites(arguments, options.rewrites))
    return error;
  if (llvm::Error error = readLayouts(arguments, options.layouts))
    return error;
  if (llvm::Error error = readFusion(arguments, options.fusion))
    return error;
  if (llvm::Error error =
          readKernels(arguments, options.fusion, options.kernels))
    return error;
  return llvm::Error::success();
}

static llvm::Error readTransforms(const Arguments &arguments,
                                  CompileOptions &options) {
  auto simplify = arguments.getChoice(OPT_simplify, {"on", "off"}, 0);
  if (!simplify)
    return simplify.takeError();
  options.simplify = *simplify == 0;
  if (llvm::Error error = readPipeline(arguments, options))
    return error;
  options.fusion.isStrict = arguments.has(OPT_strict);
  if (llvm::Error error = readExpand(arguments, options))
    return error;
  auto verify = arguments.getChoice(OPT_verify, {"auto", "on", "off"}, 0);
  if (!verify)
    return verify.takeError();
  static constexpr VerifyMode modes[] = {VerifyMode::Auto, VerifyMode::On,
                                         VerifyMode::Off};
  options.verify = modes[*verify];
  if (!arguments.has(OPT_fold_limit))
    return llvm::Error::success();
  auto limit = parseBytes("--fold-limit", arguments.get(OPT_fold_limit));
  if (!limit)
    return limit.takeError();
  options.simplifyOptions.foldLimit =
      int64_t(std::min<uint64_t>(*limit, std::numeric_limits<int64_t>::max()));
  return llvm::Error::success();
}

static llvm::Error readOpset(const Arguments &arguments,
                             CompileOptions &options) {
  if (!arguments.has(OPT_opset))
    return llvm::Error::success();
  llvm::StringRef text = arguments.get(OPT_opset);
  if (text.getAsInteger(10, options.opset) || options.opset == 0)
    return usageError("--opset: expected a number, found '" + text + "'");
  return llvm::Error::success();
}

/// ONNX, MLIR, a library, or what a back end writes that the user has loaded.
static llvm::Error readEmit(const Arguments &arguments,
                            CompileOptions &options) {
  BackendRegistry &backends = BackendRegistry::get();
  for (const std::string &path : arguments.getAll(OPT_backend))
    if (llvm::Error error = backends.load(path))
      return error;
  llvm::SmallVector<llvm::StringRef> choices{"onnx", "mlir", "library"};
  llvm::append_range(choices, backends.getNames());
  llvm::StringRef extension = llvm::sys::path::extension(options.output);
  unsigned usual = extension == ".mlir" ? 1 : extension == ".so" ? 2 : 0;
  auto emit = arguments.getChoice(OPT_emit, choices, usual);
  if (!emit)
    return emit.takeError();
  constexpr EmitKind ours[] = {EmitKind::Onnx, EmitKind::Mlir,
                               EmitKind::Native};
  bool isOurs = *emit < std::size(ours);
  options.emit = isOurs ? ours[*emit] : EmitKind::Backend;
  if (!isOurs)
    options.backend = choices[*emit].str();
  return llvm::Error::success();
}

/// What is written only in part is MLIR.
static llvm::Error readStop(const Arguments &arguments,
                            CompileOptions &options) {
  options.stopAfter = arguments.get(OPT_stop_after).str();
  if (arguments.has(OPT_stop_after) && options.emit != EmitKind::Mlir)
    return usageError("--stop-after writes MLIR: name the file .mlir or add "
                      "--emit mlir");
  return llvm::Error::success();
}

/// A library has a header beside it, and is mapped where it lies.
static llvm::Error checkStandardOutput(const Arguments &arguments,
                                       EmitKind emit) {
  if (emit == EmitKind::Onnx)
    return checkBinaryOutput(arguments);
  if (emit == EmitKind::Mlir || !isStandardStream(arguments.get(OPT_output)))
    return llvm::Error::success();
  return usageError(
      llvm::Twine(emit == EmitKind::Native ? "a library" : "a back end") +
      " is written to files, not to standard output: name one");
}

static llvm::Error readOutput(const Arguments &arguments,
                              CompileOptions &options) {
  if (!arguments.has(OPT_print_pipeline))
    if (llvm::Error error = arguments.requireOption(OPT_output, "-o"))
      return error;
  options.output = arguments.get(OPT_output).str();
  if (arguments.has(OPT_output) && options.output.empty())
    return usageError("-o is empty, expected a file");
  if (llvm::Error error = readEmit(arguments, options))
    return error;
  if (llvm::Error error = readStop(arguments, options))
    return error;
  if (llvm::Error error = readExternalData(arguments, options.exportOptions))
    return error;
  if (llvm::Error error = checkStandardOutput(arguments, options.emit))
    return error;
  return readOpset(arguments, options);
}

/// How machine code is compiled. A folder that nobody named may be missing.
static llvm::Error readJobs(const Arguments &arguments, CompileJobs &jobs) {
  if (arguments.has(OPT_jobs)) {
    auto count = parseThreads("--jobs", arguments.get(OPT_jobs));
    if (!count)
      return count.takeError();
    jobs.count = *count;
  }
  if (!arguments.has(OPT_cache)) {
    jobs.cache = ObjectCache::openDefault();
    return llvm::Error::success();
  }
  llvm::StringRef folder = arguments.get(OPT_cache);
  if (folder == "off")
    return llvm::Error::success();
  auto cache = ObjectCache::open(folder);
  if (!cache)
    return cache.takeError();
  jobs.cache = std::move(*cache);
  return llvm::Error::success();
}

/// How machine code computes.
static llvm::Error readChoices(const Arguments &arguments,
                               CodeChoices &choices) {
  auto choice = arguments.getChoice(OPT_winograd, {"on", "off"}, 0);
  if (!choice)
    return choice.takeError();
  choices.winograd = *choice == 0 ? WinogradUse::Auto : WinogradUse::Off;
  if (!arguments.has(OPT_memory))
    return llvm::Error::success();
  auto memory = parseBytes("--memory", arguments.get(OPT_memory));
  if (!memory)
    return memory.takeError();
  choices.memory = *memory;
  return llvm::Error::success();
}

/// The dimensions that a library leaves open up to an extent.
static llvm::Error readLengths(const Arguments &arguments,
                               LibraryRequest &request) {
  auto open = arguments.getOpenDims();
  if (!open)
    return open.takeError();
  for (const auto &dim : *open)
    request.lengths.push_back({dim.name, dim.extent});
  return llvm::Error::success();
}

/// Everything but libraries has one extent for each dimension.
static llvm::Error checkNoLength(const Arguments &arguments) {
  auto open = arguments.getOpenDims();
  if (!open)
    return open.takeError();
  if (open->empty())
    return llvm::Error::success();
  return usageError("--dim " + open->front().name +
                    "=1..N is for libraries (compile -o M.so): expected one "
                    "number");
}

static llvm::Error readLibrary(const Arguments &arguments,
                               LibraryRequest &request) {
  request.cpu = arguments.get(OPT_cpu).str();
  request.triple = arguments.get(OPT_triple).str();
  // Another machine's CPU is not this one.
  if (arguments.has(OPT_triple) && !arguments.has(OPT_cpu))
    request.cpu = "generic";
  request.prefix = arguments.get(OPT_prefix).str();
  auto weights =
      arguments.getChoice(OPT_weights, {"auto", "file", "inside"}, 0);
  if (!weights)
    return weights.takeError();
  static constexpr WeightsHome homes[] = {WeightsHome::Auto, WeightsHome::File,
                                          WeightsHome::Inside};
  request.weights = homes[*weights];
  if (llvm::Error error = readLengths(arguments, request))
    return error;
  if (llvm::Error error = readJobs(arguments, request.jobs))
    return error;
  if (llvm::Error error = readChoices(arguments, request.choices))
    return error;
  auto machine = Machine::get(request.triple,
                              request.cpu.empty() ? "native" : request.cpu);
  return machine ? llvm::Error::success() : machine.takeError();
}

/// A library has everything that makes it faster, unless told otherwise.
static llvm::Error readNativeTransforms(const Arguments &arguments,
                                        CompileOptions &options) {
  if (options.emit != EmitKind::Native) {
    for (auto [option, name] :
         {std::pair(OPT_cpu, "--cpu"), std::pair(OPT_triple, "--triple"),
          std::pair(OPT_prefix, "--prefix"),
          std::pair(OPT_weights, "--weights"), std::pair(OPT_cache, "--cache"),
          std::pair(OPT_jobs, "--jobs"), std::pair(OPT_winograd, "--winograd"),
          std::pair(OPT_memory, "--memory")})
      if (arguments.has(option))
        return usageError(llvm::Twine(name) +
                          " is for libraries: name the file .so or add "
                          "--emit library");
    return checkNoLength(arguments);
  }
  CompilerOptions native = getNativeOptions();
  if (!arguments.has(OPT_target))
    options.layouts.target = native.layouts.target;
  if (!arguments.has(OPT_rewrite))
    options.rewrites = native.rewrites;
  if (!arguments.has(OPT_graph_kernels))
    options.kernels.isEnabled = native.kernels.isEnabled;
  return readLibrary(arguments, options.library);
}

/// The passes, instead of what they do.
static llvm::Expected<Report> describePipeline(const CompileOptions &options) {
  auto text = printPipeline(options);
  if (!text)
    return text.takeError();
  Report report;
  report.addField("pipeline", "", Cell::text(*text));
  report.addText("", *text + "\n");
  return report;
}

static llvm::Expected<CommandResult>
runCompile(const Arguments &arguments, ImportOptions import,
           const ProgressFunction &progress) {
  CompileOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  options.verbose = arguments.has(OPT_verbose);
  options.progress = progress;
  if (llvm::Error error = readOutput(arguments, options))
    return error;
  if (llvm::Error error = readTransforms(arguments, options))
    return error;
  if (llvm::Error error = readNativeTransforms(arguments, options))
    return error;
  auto format = arguments.getFormat();
  if (!format)
    return format.takeError();
  // Reasons take longer than groups; only these show them.
  bool showsReasons = options.verbose || *format == ReportFormat::Json ||
                      arguments.has(OPT_report_json);
  options.fusion.explains = options.kernels.describes = showsReasons;
  return toResult(arguments.has(OPT_print_pipeline) ? describePipeline(options)
                                                    : compile(options));
}

//===----------------------------------------------------------------------===//
// inspect, run, compare
//===----------------------------------------------------------------------===//

static llvm::Expected<CommandResult>
runInspect(const Arguments &arguments, ImportOptions import,
           const ProgressFunction &progress) {
  InspectOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  options.verbose = arguments.has(OPT_verbose);
  options.costs = arguments.has(OPT_cost);
  options.target = arguments.get(OPT_target).str();
  if (!options.target.empty() && !options.costs)
    return usageError("inspect takes --target for --cost only");
  options.progress = progress;
  return toResult(inspect(options));
}

/// Whether and on how many threads a model runs as machine code.
template <typename OptionsT>
static llvm::Error readNative(const Arguments &arguments, OptionsT &options) {
  options.isNative = arguments.has(OPT_native);
  for (auto [option, name] :
       {std::pair(OPT_threads, "--threads"), std::pair(OPT_cache, "--cache"),
        std::pair(OPT_jobs, "--jobs"), std::pair(OPT_winograd, "--winograd"),
        std::pair(OPT_memory, "--memory")})
    if (arguments.has(option) && !options.isNative)
      return usageError(llvm::Twine(name) + " is for --native");
  if (options.isNative)
    if (llvm::Error error = readJobs(arguments, options.jobs))
      return error;
  if (llvm::Error error = readChoices(arguments, options.choices))
    return error;
  if (!arguments.has(OPT_threads))
    return llvm::Error::success();
  auto threads = parseThreads("--threads", arguments.get(OPT_threads));
  if (!threads)
    return threads.takeError();
  options.threads = *threads;
  return llvm::Error::success();
}

static llvm::Expected<CommandResult> runRun(const Arguments &arguments,
                                            ImportOptions import,
                                            const ProgressFunction &progress) {
  RunOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  options.inputs = arguments.getAll(OPT_input);
  options.outputFolder = arguments.get(OPT_output).str();
  if (isStandardStream(options.outputFolder))
    return usageError("-o of 'inlay run' is a folder, not standard output");
  options.progress = progress;
  if (llvm::Error error = readNative(arguments, options))
    return error;
  options.isChecked = arguments.has(OPT_check);
  if (options.isChecked && !options.isNative)
    return usageError("--check is for --native");
  options.dumpFolder = arguments.get(OPT_dump_to).str();
  options.dumpOnly = arguments.getAll(OPT_only);
  if (arguments.has(OPT_dump_to) && options.dumpFolder.empty())
    return usageError("--dump is empty, expected a folder");
  if (!options.dumpOnly.empty() && options.dumpFolder.empty())
    return usageError("--only is for --dump");
  if (options.isChecked && !options.dumpFolder.empty())
    return usageError("--check and --dump exclude each other");
  auto result = run(options);
  if (!result)
    return result.takeError();
  return CommandResult{std::move(result->report), result->isEqual
                                                      ? ExitCode::Success
                                                      : ExitCode::Negative};
}

/// "1,2".
static llvm::Error readThreads(const Arguments &arguments,
                               std::vector<unsigned> &threads) {
  llvm::SmallVector<llvm::StringRef> words;
  arguments.get(OPT_threads).split(words, ',');
  threads.clear();
  for (llvm::StringRef word : words) {
    auto number = parseThreads("--threads", word);
    if (!number)
      return number.takeError();
    threads.push_back(*number);
  }
  return llvm::Error::success();
}

static llvm::Expected<CommandResult>
runBench(const Arguments &arguments, ImportOptions import,
         const ProgressFunction &progress) {
  BenchOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  options.inputs = arguments.getAll(OPT_input);
  options.isProfiled = arguments.has(OPT_profile);
  if (llvm::StringRef rest = arguments.get(OPT_profile); !rest.empty())
    return usageError("unknown option '--profile" + rest +
                      "', did you mean '--profile'?");
  options.progress = progress;
  if (arguments.has(OPT_threads))
    if (llvm::Error error = readThreads(arguments, options.threads))
      return error;
  if (llvm::Error error = readJobs(arguments, options.jobs))
    return error;
  if (llvm::Error error = readChoices(arguments, options.choices))
    return error;
  if (arguments.has(OPT_rounds)) {
    llvm::StringRef text = arguments.get(OPT_rounds);
    if (text.getAsInteger(10, options.rounds) || options.rounds == 0)
      return usageError("--rounds is '" + text + "', expected 1 or more");
  }
  return toResult(bench(options));
}

/// Whether the second model is the first one, compiled.
static llvm::Error readCompiled(const Arguments &arguments,
                                CompareRequest &request) {
  bool isCompiled = false;
  for (OptionID option :
       {OPT_target, OPT_rewrite, OPT_fusion_strategy, OPT_graph_kernels})
    isCompiled |= arguments.has(option);
  if (!isCompiled)
    return llvm::Error::success();
  if (arguments.getNumOperands() > 1)
    return usageError("--target and what else is told the compiler are for a "
                      "model and its compiled form: leave '" +
                      arguments.getOperand(1) + "' out");
  if (request.isNative)
    return usageError("--native has a target of its own");
  return readPipeline(arguments, request.compiled.emplace());
}

/// What compare and bisect have in common.
static llvm::Error readCompare(const Arguments &arguments, ImportOptions import,
                               const ProgressFunction &progress,
                               CompareRequest &request) {
  if (llvm::Error error = readNative(arguments, request))
    return error;
  if (llvm::Error error = readCompiled(arguments, request))
    return error;
  bool isAlone = arguments.getNumOperands() == 1;
  if (isAlone && !request.isNative && !request.compiled)
    return usageError("two files to compare are required");
  request.a = arguments.getOperand(0).str();
  request.b = arguments.getOperand(isAlone ? 0 : 1).str();
  request.import = std::move(import);
  request.inputs = arguments.getAll(OPT_input);
  request.progress = progress;
  if (!arguments.has(OPT_tolerance))
    return llvm::Error::success();
  auto tolerance = parseTolerance("--tolerance", arguments.get(OPT_tolerance));
  if (!tolerance)
    return tolerance.takeError();
  request.options = {*tolerance, /*isExplicit=*/true};
  return llvm::Error::success();
}

static llvm::Expected<CommandResult>
toResult(llvm::Expected<CompareResult> result) {
  if (!result)
    return result.takeError();
  return CommandResult{std::move(result->report), result->isEqual
                                                      ? ExitCode::Success
                                                      : ExitCode::Negative};
}

static llvm::Expected<CommandResult>
runCompare(const Arguments &arguments, ImportOptions import,
           const ProgressFunction &progress) {
  CompareRequest request;
  if (llvm::Error error =
          readCompare(arguments, std::move(import), progress, request))
    return error;
  request.showsLayers = arguments.has(OPT_layers);
  return toResult(compare(request));
}

static llvm::Expected<CommandResult>
runBisect(const Arguments &arguments, ImportOptions import,
          const ProgressFunction &progress) {
  CompareRequest request;
  if (llvm::Error error =
          readCompare(arguments, std::move(import), progress, request))
    return error;
  llvm::StringRef shownBy = arguments.get(OPT_output);
  if (arguments.has(OPT_output) &&
      llvm::sys::path::extension(shownBy) != ".npz")
    return usageError("-o is '" + shownBy + "', expected a file named .npz");
  return toResult(compareByLayer(request, shownBy));
}

static llvm::Expected<CommandResult>
runExplain(const Arguments &arguments, ImportOptions import,
           const ProgressFunction &progress) {
  ExplainOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  if (arguments.getNumOperands() > 1)
    options.node = arguments.getOperand(1).str();
  options.all = arguments.has(OPT_all);
  options.progress = progress;
  if (llvm::Error error = readPipeline(arguments, options))
    return error;
  return toResult(explain(options));
}

static llvm::Expected<CommandResult>
runReport(const Arguments &arguments, ImportOptions import,
          const ProgressFunction &progress) {
  ModelPageOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  options.progress = progress;
  // It writes no model that could compute something else.
  options.verify = VerifyMode::Off;
  if (llvm::Error error = arguments.requireOption(OPT_output, "-o"))
    return error;
  options.output = arguments.get(OPT_output).str();
  if (options.output.empty())
    return usageError("-o is empty, expected a file");
  options.profile = arguments.get(OPT_profile_file).str();
  if (llvm::Error error = readPipeline(arguments, options))
    return error;
  return toResult(writeModelPage(options));
}

//===----------------------------------------------------------------------===//
// targets
//===----------------------------------------------------------------------===//

/// `targets list` stands alone, the others have a name or path behind them.
static llvm::Error checkTargetsUsage(const Arguments &arguments) {
  llvm::StringRef action = arguments.getOperand(0);
  bool isAlone = arguments.getNumOperands() == 1;
  if (!llvm::is_contained({"list", "show", "new", "validate"}, action))
    return usageError(
        "unknown action '" + action +
        "' of 'inlay targets', expected list, show, new or validate");
  if (action != "new" && arguments.has(OPT_output))
    return usageError("option '-o' goes with 'inlay targets new' only");
  if (action == "list" && !isAlone)
    return usageError("unexpected argument '" + arguments.getOperand(1) +
                      "'; usage: inlay targets list");
  if (action == "show" && isAlone)
    return usageError("a target is required; usage: inlay targets show NAME");
  if (action == "new" && isAlone)
    return usageError("a name is required; usage: inlay targets new NAME");
  if (action == "validate" && isAlone)
    return usageError("a file is required; usage: inlay targets validate FILE");
  return llvm::Error::success();
}

static llvm::Expected<CommandResult> runTargets(const Arguments &arguments) {
  if (llvm::Error error = checkTargetsUsage(arguments))
    return error;
  llvm::StringRef action = arguments.getOperand(0);
  if (action == "list")
    return toResult(listTargets());
  if (action == "show")
    return toResult(showTarget(arguments.getOperand(1)));
  if (action == "new") {
    llvm::StringRef output = arguments.get(OPT_output);
    // Without a file it is printed.
    return toResult(startTarget(arguments.getOperand(1),
                                isStandardStream(output) ? "" : output));
  }
  auto validation = validateTarget(arguments.getOperand(1));
  if (!validation)
    return validation.takeError();
  return CommandResult{std::move(validation->report), validation->isValid
                                                          ? ExitCode::Success
                                                          : ExitCode::Target};
}

static CommandResult runDoctor() {
  Diagnosis diagnosis = diagnose();
  return {std::move(diagnosis.report),
          diagnosis.isWell ? ExitCode::Success : ExitCode::Negative};
}

static llvm::Expected<CommandResult>
dispatch(Verb verb, const Arguments &arguments,
         const ProgressFunction &progress) {
  auto import = arguments.getImportOptions();
  if (!import)
    return import.takeError();
  if (verb != Verb::Compile)
    if (llvm::Error error = checkNoLength(arguments))
      return error;
  switch (verb) {
  case Verb::Compile:
    return runCompile(arguments, std::move(*import), progress);
  case Verb::Inspect:
    return runInspect(arguments, std::move(*import), progress);
  case Verb::Run:
    return runRun(arguments, std::move(*import), progress);
  case Verb::Compare:
    return runCompare(arguments, std::move(*import), progress);
  case Verb::Explain:
    return runExplain(arguments, std::move(*import), progress);
  case Verb::Targets:
    return runTargets(arguments);
  case Verb::Rewrites:
    return CommandResult{listRewrites()};
  case Verb::Bench:
    return runBench(arguments, std::move(*import), progress);
  case Verb::Bisect:
    return runBisect(arguments, std::move(*import), progress);
  case Verb::Reduce:
    return runReduce(arguments, std::move(*import), progress);
  case Verb::Extract:
    return runExtract(arguments, std::move(*import), progress);
  case Verb::Doctor:
    return runDoctor();
  case Verb::Report:
    return runReport(arguments, std::move(*import), progress);
  }
  llvm_unreachable("no such verb");
}

llvm::Expected<CommandResult> inlay::runVerb(const VerbInfo &verb,
                                             const Arguments &arguments,
                                             const ProgressFunction &progress) {
  auto result = dispatch(verb.verb, arguments, progress);
  if (result)
    result->report.setSchema(("inlay." + verb.name + "/1").str());
  return result;
}
