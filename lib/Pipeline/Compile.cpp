//===- Compile.cpp - inlay compile ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Compile.h"
#include "CompileReport.h"
#include "inlay/IR/InlayDialect.h"
#include "inlay/IR/ModuleText.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/ONNX/RaiseOpset.h"
#include "inlay/Pipeline/Backend.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/Passes.h"
#include "inlay/Pipeline/Rewriting.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "inlay/Transforms/Kernels/LowerOpset.h"
#include "inlay/Transforms/Kernels/Passes.h"
#include "llvm/Support/FileSystem.h"

using namespace inlay;
using namespace mlir;

static llvm::Error optimize(ModuleOp module, const CompileOptions &options) {
  PassManager passes(module->getName());
  if (options.simplify)
    passes.addPass(createSimplify(options.simplifyOptions));
  return runPasses(module, passes);
}

/// Puts what composite operators consist of in their place, as options say.
static llvm::Error expandComposites(ModuleOp module,
                                    const CompileOptions &options) {
  if (!options.expandAll && options.expand.empty())
    return llvm::Error::success();
  // What is not asked for stays whole, whatever its class.
  SmallVector<std::string> others;
  for (StringRef type : getOnnxOpTypes())
    if (!options.expandAll && !llvm::is_contained(options.expand, type))
      others.push_back(type.str());
  ExpandCompositesOptions expansion;
  expansion.all = options.expandAll;
  expansion.also = options.expand;
  expansion.native = others;
  expansion.replace = true;
  PassManager passes(module->getName());
  passes.addNestedPass<func::FuncOp>(createExpandComposites(expansion));
  return runPasses(module, passes);
}

/// What ONNX is written in has no operator that its opset lacks.
static llvm::Error lower(ModuleOp module, const CompileOptions &options,
                         CompileSummary &summary) {
  if (options.emit != EmitKind::Onnx)
    return llvm::Error::success();
  auto numLowered = lowerToOpset(module);
  if (!numLowered)
    return numLowered.takeError();
  summary.numLowered += *numLowered;
  // Parts of an expansion may be constant.
  return *numLowered == 0 ? llvm::Error::success() : optimize(module, options);
}

/// Groups are functions in what is written, as they are in ONNX.
static llvm::Error outlineGroups(ModuleOp module) {
  PassManager passes(module->getName());
  passes.addPass(createOutlineGroups());
  return runPasses(module, passes);
}

/// What the target says to the back end that emits.
static const BackendSection &getSection(const Target &target,
                                        const CompileOptions &options) {
  static const BackendSection none;
  auto it = target.backends.find(options.backend);
  return it == target.backends.end() ? none : it->second;
}

/// The back end exists and understands the target.
static llvm::Error checkBackend(const Target &target,
                                const CompileOptions &options) {
  if (options.emit != EmitKind::Backend)
    return llvm::Error::success();
  const Backend *backend = BackendRegistry::get().find(options.backend);
  if (!backend)
    return usageError("no back end is named '" + options.backend + "'");
  return addContext("target '" + target.name + "', section '" +
                        options.backend + "': ",
                    backend->checkSection(getSection(target, options)));
}

/// Hands the module over to the back end.
static llvm::Expected<uint64_t> emitByBackend(ModuleOp module,
                                              const Target &target,
                                              const CompileOptions &options) {
  const Backend *backend = BackendRegistry::get().find(options.backend);
  const BackendSection &section = getSection(target, options);
  PassManager passes(module->getName());
  backend->addPasses(passes, section);
  if (llvm::Error error = runPasses(module, passes))
    return std::move(error);
  return backend->emit({module, target, section, options.output});
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
    if (llvm::Error error = outlineGroups(module))
      return error;
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

static void enter(const CompileOptions &options, StringRef phase) {
  if (options.progress)
    options.progress(phase, 0, 0);
}

/// Fewer operators that compute the same, for whatever hardware.
static llvm::Error rewrite(ModuleOp module, const Target &target,
                           const CompileOptions &options,
                           CompileSummary &summary) {
  if (options.rewrites.isNone())
    return llvm::Error::success();
  enter(options, "rewriting");
  RewriteUse use;
  if (options.emit == EmitKind::Onnx)
    use = {getOpset(module), /*isPlain=*/!options.kernels.isEnabled};
  auto result = rewriteGraph(module, target, options.rewrites, use);
  if (!result)
    return result.takeError();
  summary.rewrites = std::move(*result);
  if (llvm::Error error = optimize(module, options))
    return error;
  // A rewrite may make an operator that the model's opset lacks, which is
  // written as what it consists of. Layouts and groups must be chosen for that,
  // so it is expanded here, in front of them. Where kernels are made the
  // operator stays whole, to end inside of one, and is expanded at the end.
  return options.kernels.isEnabled ? llvm::Error::success()
                                   : lower(module, options, summary);
}

/// Chooses layouts and, where the target has a pipeline, groups before tensors
/// are stored so.
static llvm::Error storeTensors(ModuleOp module, const Target &target,
                                const CompileOptions &options,
                                CompileSummary &summary) {
  Stopwatch watch;
  if (!hasGroups(target, options.fusion)) {
    auto layouts =
        settleLayouts(module, target, options.layouts, [&](ModuleOp module) {
          return optimize(module, options);
        });
    if (!layouts)
      return layouts.takeError();
    summary.layouts = std::move(*layouts);
    summary.layoutSeconds += watch.lap();
    return llvm::Error::success();
  }
  auto layouts = chooseLayouts(module, target, options.layouts);
  if (!layouts)
    return layouts.takeError();
  summary.layouts = std::move(*layouts);
  summary.layoutSeconds += watch.lap();

  enter(options, "fusing operators");
  auto fusion = fuseOperators(module, target, options.fusion);
  if (!fusion)
    return fusion.takeError();
  summary.fusion = std::move(*fusion);
  summary.fusionSeconds = watch.lap();

  enter(options, "storing tensors");
  if (llvm::Error error = materializeLayouts(module, target))
    return error;
  if (llvm::Error error = optimize(module, options))
    return error;
  summary.layoutSeconds += watch.lap();
  if (llvm::Error error = recountBytes(module, target, summary.fusion))
    return error;
  summary.fusionSeconds += watch.lap();
  return llvm::Error::success();
}

/// What the target asks for: instructions that it has, storage orders, groups.
static llvm::Error fitToTarget(ModuleOp module, const Target &target,
                               const CompileOptions &options,
                               CompileSummary &summary) {
  Stopwatch watch;
  enter(options, "choosing layouts");
  auto legalized = legalize(module, target, options.fusion.isStrict);
  if (!legalized)
    return legalized.takeError();
  summary.legalized = std::move(*legalized);
  summary.layoutSeconds = watch.lap();
  if (llvm::Error error = storeTensors(module, target, options, summary))
    return error;
  watch.lap();

  if (options.kernels.isEnabled)
    enter(options, "making kernels");
  auto kernels = fuseKernels(module, target, options.kernels);
  if (!kernels)
    return kernels.takeError();
  summary.kernels = std::move(*kernels);
  // What was copied into kernels may be simpler there.
  if (options.kernels.isEnabled)
    if (llvm::Error error = optimize(module, options))
      return error;
  summary.kernelSeconds = watch.lap();
  return llvm::Error::success();
}

llvm::Expected<Report> inlay::compile(const CompileOptions &options) {
  CompileSummary summary;
  Stopwatch watch;
  std::unique_ptr<MLIRContext> context = createContext();
  RemarkCollector remarks(context.get());
  auto target = loadKnownTarget(options.layouts.target);
  if (!target)
    return target.takeError();
  if (llvm::Error error = checkStrict(*target, options.fusion))
    return error;
  if (llvm::Error error = checkBackend(*target, options))
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
  enter(options, "simplifying");
  if (llvm::Error error = optimize(**module, options))
    return error;
  if (llvm::Error error = rewrite(**module, *target, options, summary))
    return error;
  summary.optimizeSeconds = watch.lap();

  summary.isFinished = isFused(**module) && options.layouts.ioLayouts.empty();
  if (!summary.isFinished)
    if (llvm::Error error = fitToTarget(**module, *target, options, summary))
      return error;
  if (llvm::Error error = expandComposites(**module, options))
    return error;
  if (llvm::Error error = lower(**module, options, summary))
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
  if (llvm::Error error = writeOutput(**module, *target, options, summary))
    return error;
  summary.exportSeconds = watch.lap();
  summary.totalSeconds = watch.getTotal();
  summary.skipped = remarks.take();
  return buildReport(options, summary);
}
