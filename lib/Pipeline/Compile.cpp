//===- Compile.cpp - inlay compile ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Compile.h"
#include "CompileReport.h"
#include "PipelineCut.h"
#include "RunPhases.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayDialect.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/IR/ModuleText.h"
#include "inlay/IR/Record.h"
#include "inlay/ONNX/RaiseOpset.h"
#include "inlay/Pipeline/Backend.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/RunPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"

using namespace inlay;
using namespace mlir;

/// Hands the module over to the back end.
static llvm::Expected<uint64_t> emitByBackend(ModuleOp module,
                                              const Target &target,
                                              const CompileOptions &options) {
  const Backend *backend = BackendRegistry::get().find(options.backend);
  return backend->emit({module, target,
                        getBackendSection(target, options.backend),
                        options.output});
}

static llvm::Error writeOutput(ModuleOp module, const Target &target,
                               const CompileOptions &options,
                               CompileSummary &summary) {
  if (options.emit == EmitKind::Backend) {
    auto written = emitByBackend(module, target, options);
    if (!written)
      return written.takeError();
    summary.after.fileBytes = *written;
    return llvm::Error::success();
  }
  if (options.emit == EmitKind::Mlir) {
    auto written = writeModule(module, options.output);
    if (!written)
      return written.takeError();
    summary.after.fileBytes = written->textBytes + written->dataBytes;
    summary.dataPath = written->dataPath;
    return llvm::Error::success();
  }
  auto written = exportModel(module, options.output, options.exportOptions);
  if (!written)
    return written.takeError();
  summary.after.fileBytes = written->modelBytes + written->dataBytes;
  summary.dataPath = written->dataPath;
  return llvm::Error::success();
}

/// The output must not take the place of a file that is still read.
static llvm::Error checkOutput(MLIRContext &context,
                               const CompileOptions &options) {
  llvm::sys::fs::UniqueID id, model;
  if (llvm::sys::fs::getUniqueID(options.output, id))
    return llvm::Error::success();
  // The model itself may be replaced by what is made of it.
  if (!llvm::sys::fs::getUniqueID(options.model, model) && id == model)
    return llvm::Error::success();
  MappedFile::Identity identity{id.getDevice(), id.getFile()};
  auto *dialect = context.getLoadedDialect<InlayDialect>();
  for (const auto &file : dialect->getDataFiles().getFiles())
    if (!file->isInMemory() && file->getIdentity() == identity)
      return usageError("'" + options.output +
                        "' holds weights of the model: choose another name");
  return llvm::Error::success();
}

/// A compiler that changes results is of no use: an error of ours.
static llvm::Error verifyResults(ModuleOp original, ModuleOp module,
                                 const CompileOptions &options,
                                 CompileSummary &summary) {
  bool roundsAgain = summary.layouts.numReorderedSums != 0 ||
                     summary.numLowered != 0 || options.expandAll ||
                     !options.expand.empty() ||
                     (summary.rewrites && summary.rewrites->rounds()) ||
                     (summary.kernels && summary.kernels->numSplit != 0);
  auto compared = verifyEqual(original, module, roundsAgain, options.progress);
  if (!compared)
    return addContext("--verify: ", compared.takeError());
  if (!compared->obstacle.empty()) {
    summary.notVerified =
        "random inputs do not suit it (" + compared->obstacle + ")";
    return llvm::Error::success();
  }
  if (!compared->difference.empty())
    return makeError(ExitCode::Internal,
                     "the compiled model computes something else: " +
                         compared->difference + "; nothing was written");
  if (!compared->blank.empty()) {
    summary.notVerified = compared->blank;
    return llvm::Error::success();
  }
  summary.verification = *compared;
  return llvm::Error::success();
}

/// Whether to execute the model; sets why not.
static bool isToBeVerified(ModuleOp original, const CompileOptions &options,
                           CompileSummary &summary) {
  if (!options.stopAfter.empty()) {
    summary.notVerified = "--stop-after " + options.stopAfter;
    return false;
  }
  if (options.verify == VerifyMode::On)
    return true;
  if (options.verify == VerifyMode::Off) {
    summary.notVerified = "--verify off";
    return false;
  }
  if (!options.layouts.ioLayouts.empty()) {
    summary.notVerified = "inputs or outputs are stored differently";
    return false;
  }
  std::optional<uint64_t> work = estimateWork(original);
  if (work && *work <= maxVerifyWork)
    return true;
  summary.notVerified =
      work ? "the model is large (--verify on runs it anyway)"
           : "shapes or nodes are not all known (--verify on tries it)";
  return false;
}

static llvm::Error measure(ModuleOp module, CompileSummary::Side &side) {
  auto stats = getModelStats(module);
  if (!stats)
    return stats.takeError();
  side.stats = std::move(*stats);
  return llvm::Error::success();
}

/// What the module says about what was done to it.
static llvm::Error readResults(ModuleOp module, CompileSummary &summary) {
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  summary.rewrites = readRewrites(*graph);
  summary.legalized = readRecord<LegalizeTotals>(*graph, legalizedAttr)
                          .value_or(LegalizeTotals());
  summary.layouts = readLayouts(*graph).value_or(PresetResult());
  summary.fusion = readFusion(*graph);
  summary.kernels = readKernels(*graph);
  summary.isFinished = isModuleFinished(module);
  if (auto lowered = module->getAttrOfType<IntegerAttr>(loweredAttr))
    summary.numLowered = lowered.getInt();
  return llvm::Error::success();
}

static void enter(const CompileOptions &options, StringRef phase) {
  if (options.progress)
    options.progress(phase, 0, 0);
}

/// Runs the pipeline that leads to ONNX as far as it is asked for; the module
/// says what is left.
static llvm::Error transformInPart(ModuleOp module,
                                   const CompileOptions &options,
                                   PhaseTimes &times) {
  PipelineOptions whole = options;
  whole.emit = EmitKind::Onnx;
  auto text = printPipeline(whole);
  if (!text)
    return text.takeError();
  std::vector<std::string> steps = splitPipeline(*text);
  auto count = findStop(steps, options.stopAfter);
  if (!count)
    return count.takeError();
  ArrayRef<std::string> all = steps;
  PassManager passes(module.getContext());
  // What was printed can be read.
  FailureOr<OpPassManager> first =
      parsePassPipeline(joinPipeline(all.take_front(*count)));
  static_cast<OpPassManager &>(passes) = std::move(*first);
  if (llvm::Error error = runPhases(module, passes, options.progress, times))
    return error;
  module->setAttr(restAttr,
                  StringAttr::get(module.getContext(),
                                  joinPipeline(all.drop_front(*count))));
  return llvm::Error::success();
}

/// Everything between reading and writing. Groups become functions later, when
/// results were compared.
static llvm::Error transform(ModuleOp module, const Target &target,
                             const CompileOptions &options,
                             CompileSummary &summary) {
  PhaseTimes times;
  llvm::Error error =
      options.stopAfter.empty()
          ? runPhases(module, options, target, {Phase::Simplify, Phase::Lower},
                      options.progress, times)
          : transformInPart(module, options, times);
  if (error)
    return error;
  summary.optimizeSeconds = times.get({Phase::Simplify, Phase::Rewrite});
  summary.layoutSeconds =
      times.get({Phase::Legalize, Phase::Layouts, Phase::Storage});
  summary.fusionSeconds = times.get({Phase::Groups});
  summary.kernelSeconds = times.get({Phase::Kernels});
  return readResults(module, summary);
}

/// What is left to do for what is written: groups are functions in MLIR, as
/// they are in ONNX, and back ends have passes of their own.
static llvm::Error finish(ModuleOp module, const Target &target,
                          const CompileOptions &options) {
  if (!options.stopAfter.empty())
    return llvm::Error::success();
  PhaseTimes times;
  return runPhases(module, options, target, {Phase::Outline, Phase::Backend},
                   options.progress, times);
}

llvm::Expected<Report> inlay::compile(const CompileOptions &options) {
  CompileSummary summary;
  Stopwatch watch;
  std::unique_ptr<MLIRContext> context = createContext();
  RemarkCollector remarks(context.get());
  auto target = loadKnownTarget(options.layouts.target);
  if (!target)
    return target.takeError();
  if (llvm::Error error = checkPipeline(options, *target))
    return error;
  enter(options, "importing");
  // What was compiled for this target stays as it is.
  ImportOptions import = options.import;
  import.target = target->name;
  auto module = loadModel(*context, options.model, import);
  if (!module)
    return module.takeError();
  if (llvm::Error error = checkOutput(*context, options))
    return error;
  if (options.opset != 0)
    if (llvm::Error error = raiseOpset(**module, options.opset))
      return error;
  if (llvm::Error error = measure(**module, summary.before))
    return error;
  summary.before.fileBytes = getInputBytes(*context, options.model);
  summary.importSeconds = watch.lap();

  bool isVerified = isToBeVerified(**module, options, summary);
  OwningOpRef<ModuleOp> original;
  if (isVerified)
    original = cast<ModuleOp>((*module)->clone());
  if (llvm::Error error = transform(**module, *target, options, summary))
    return error;
  if (llvm::Error error = measure(**module, summary.after))
    return error;
  watch.lap();

  if (isVerified) {
    enter(options, "verifying");
    if (llvm::Error error =
            verifyResults(*original, **module, options, summary))
      return error;
  }
  summary.verifySeconds = watch.lap();

  enter(options, "writing");
  if (llvm::Error error = finish(**module, *target, options))
    return error;
  if (llvm::Error error = writeOutput(**module, *target, options, summary))
    return error;
  summary.exportSeconds = watch.lap();
  summary.totalSeconds = watch.getTotal();
  summary.skipped = remarks.take();
  return buildReport(options, summary);
}
