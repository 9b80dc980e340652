//===- Compiler.cpp - Compiling from C++ ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Compiler.h"
#include "PipelineCut.h"
#include "RunPhases.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/IR/Record.h"
#include "inlay/ONNX/RaiseOpset.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/RunPasses.h"
#include "inlay/Support/Error.h"
#include "mlir/Pass/PassRegistry.h"

using namespace inlay;
using namespace mlir;

namespace {
/// The way of one module through a Compiler.
class Compilation {
public:
  Compilation(const CompilerOptions &options, const ProgressFunction &progress,
              CompiledModule &result)
      : options(options), progress(progress), result(result) {}

  llvm::Error run();

private:
  ModuleOp get() const { return *result.module; }
  bool isCut() const { return get()->hasAttr(restAttr); }
  bool stops() const { return !options.stopAfter.empty(); }

  llvm::Error transform();
  llvm::Expected<std::vector<std::string>> getSteps() const;
  llvm::Error runSteps();
  llvm::Error readRecord();
  llvm::Error finish();

  bool isToBeVerified();
  bool roundsAgain() const;
  llvm::Error verify(ModuleOp original);

  const CompilerOptions &options;
  const ProgressFunction &progress;
  CompiledModule &result;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parts of the pipeline
//===----------------------------------------------------------------------===//

/// Passes that a module says are left must be ours, one in each step, and open
/// no file.
static llvm::Error checkRest(ArrayRef<std::string> steps) {
  for (const std::string &step : steps) {
    StringRef name = getPassName(step);
    if (name == "inlay-set-target" || !name.starts_with("inlay-") ||
        !PassInfo::lookup(name))
      return modelError("'" + restAttr + "' has '" + name +
                        "', expected passes that `--stop-after` leaves");
  }
  return llvm::Error::success();
}

/// What is left of the module's pipeline, or the whole that leads to ONNX.
llvm::Expected<std::vector<std::string>> Compilation::getSteps() const {
  registerInlayPasses();
  if (Attribute attribute = get()->getAttr(restAttr)) {
    auto rest = dyn_cast<StringAttr>(attribute);
    if (!rest)
      return modelError("'" + restAttr + "' is not a string");
    std::vector<std::string> steps = splitPipeline(rest.getValue());
    if (llvm::Error error = checkRest(steps))
      return std::move(error);
    return steps;
  }
  PipelineOptions whole = options;
  whole.emit = EmitKind::Onnx;
  auto text = printPipeline(whole);
  if (!text)
    return text.takeError();
  return splitPipeline(*text);
}

/// Runs steps as far as it is asked for; the module says what is left.
llvm::Error Compilation::runSteps() {
  auto steps = getSteps();
  if (!steps)
    return steps.takeError();
  llvm::Expected<size_t> count =
      stops() ? findStop(*steps, options.stopAfter) : steps->size();
  if (!count)
    return count.takeError();
  ArrayRef<std::string> all = *steps;
  std::string reason;
  llvm::raw_string_ostream errors(reason);
  FailureOr<OpPassManager> parsed =
      parsePassPipeline(joinPipeline(all.take_front(*count)), errors);
  if (failed(parsed))
    return modelError("'" + restAttr + "' is no pipeline: " + reason);
  PassManager passes(get().getContext());
  static_cast<OpPassManager &>(passes) = std::move(*parsed);
  get()->removeAttr(restAttr);
  if (llvm::Error error = runPhases(get(), passes, progress, result.times))
    return error;
  if (stops())
    get()->setAttr(restAttr,
                   StringAttr::get(get().getContext(),
                                   joinPipeline(all.drop_front(*count))));
  return llvm::Error::success();
}

/// Everything between reading and writing. Groups become functions later, when
/// results were compared.
llvm::Error Compilation::transform() {
  if (stops() || isCut())
    return runSteps();
  return runPhases(get(), options, result.target,
                   {Phase::Simplify, Phase::Lower}, progress, result.times);
}

/// What is left to do for what is written: groups are functions in MLIR, as
/// they are in ONNX, and back ends have passes of their own.
llvm::Error Compilation::finish() {
  if (stops())
    return llvm::Error::success();
  return runPhases(get(), options, result.target,
                   {Phase::Outline, Phase::Backend}, progress, result.times);
}

llvm::Error Compilation::readRecord() {
  auto graph = getGraph(get());
  if (!graph)
    return graph.takeError();
  CompileRecord &record = result.record;
  record.rewrites = readRewrites(*graph);
  record.legalized = inlay::readRecord<LegalizeTotals>(*graph, legalizedAttr)
                         .value_or(LegalizeTotals());
  record.layouts = readLayouts(*graph).value_or(PresetResult());
  record.fusion = readFusion(*graph);
  record.kernels = readKernels(*graph);
  record.isFinished = isModuleFinished(get());
  if (auto lowered = get()->getAttrOfType<IntegerAttr>(loweredAttr))
    record.numLowered = lowered.getInt();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Whether to execute the model; sets why not.
bool Compilation::isToBeVerified() {
  if (stops() || isCut()) {
    result.notVerified =
        stops() ? "--stop-after " + options.stopAfter
                : "the model was cut before it was compiled to the end";
    return false;
  }
  if (options.verify == VerifyMode::On)
    return true;
  if (options.verify == VerifyMode::Off) {
    result.notVerified = "--verify off";
    return false;
  }
  if (!options.layouts.ioLayouts.empty()) {
    result.notVerified = "inputs or outputs are stored differently";
    return false;
  }
  std::optional<uint64_t> work = estimateWork(get());
  if (work && *work <= maxVerifyWork)
    return true;
  result.notVerified =
      work ? "the model is large (--verify on runs it anyway)"
           : "shapes or nodes are not all known (--verify on tries it)";
  return false;
}

bool Compilation::roundsAgain() const {
  const CompileRecord &record = result.record;
  return record.layouts.numReorderedSums != 0 || record.numLowered != 0 ||
         options.expandAll || !options.expand.empty() ||
         (record.rewrites && record.rewrites->rounds()) ||
         (record.kernels && record.kernels->numSplit != 0);
}

/// A compiler that changes results is of no use: an error of ours.
llvm::Error Compilation::verify(ModuleOp original) {
  if (progress)
    progress("verifying", 0, 0);
  Stopwatch watch;
  auto compared = verifyEqual(original, get(), roundsAgain(), progress);
  // What was computed of it is no result.
  if (llvm::Error error = checkCancelled()) {
    llvm::consumeError(compared.takeError());
    return error;
  }
  result.verifySeconds = watch.lap();
  if (!compared)
    return addContext("--verify: ", compared.takeError());
  if (!compared->obstacle.empty()) {
    result.notVerified =
        "random inputs do not suit it (" + compared->obstacle + ")";
    return llvm::Error::success();
  }
  if (!compared->difference.empty())
    return makeError(ExitCode::Internal,
                     "the compiled model computes something else: " +
                         compared->difference + "; nothing was written");
  if (compared->blank.empty())
    result.verification = *compared;
  result.notVerified = compared->blank;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static llvm::Error measure(ModuleOp module, ModelStats &stats) {
  auto measured = getModelStats(module);
  if (!measured)
    return measured.takeError();
  stats = std::move(*measured);
  return llvm::Error::success();
}

llvm::Error Compilation::run() {
  if (options.opset != 0)
    if (llvm::Error error = raiseOpset(get(), options.opset))
      return error;
  if (llvm::Error error = measure(get(), result.before))
    return error;
  OwningOpRef<ModuleOp> original;
  if (isToBeVerified())
    original = cast<ModuleOp>(get()->clone());
  if (llvm::Error error = transform())
    return error;
  if (llvm::Error error = readRecord())
    return error;
  if (llvm::Error error = measure(get(), result.after))
    return error;
  if (original)
    if (llvm::Error error = verify(*original))
      return error;
  if (llvm::Error error = finish())
    return error;
  return checkCancelled();
}

/// The target that options name; of a module that was cut, the one that it was
/// cut for.
static llvm::Expected<Target> findTarget(ModuleOp module,
                                         const CompilerOptions &options) {
  const std::string &name = options.layouts.target;
  auto asked = loadKnownTarget(name);
  if (!asked || !module->hasAttr(restAttr))
    return asked;
  auto target = getTarget(module);
  if (!target)
    return target.takeError();
  if (name != defaultTarget && asked->name != (*target)->name)
    return usageError("the module was cut while it was compiled for '" +
                      (*target)->name + "', which '" + name +
                      "' cannot change");
  return **target;
}

llvm::Expected<CompiledModule> Compiler::compile(OwningOpRef<ModuleOp> module) {
  CancellationScope scope(cancellation);
  MLIRContext *context = module->getContext();
  CompiledModule result;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      return failure();
    if (diagnostics)
      diagnostics(diagnostic);
    if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
      result.remarks.push_back(diagnostic.str());
    return success();
  });
  auto target = findTarget(*module, options);
  if (!target)
    return target.takeError();
  if (llvm::Error error = checkPipeline(options, *target))
    return std::move(error);
  result.module = std::move(module);
  result.target = std::move(*target);
  Compilation compilation(options, progress, result);
  if (llvm::Error error = compilation.run())
    return std::move(error);
  return std::move(result);
}

llvm::Expected<ImportOptions> Compiler::getImport() const {
  auto target = loadKnownTarget(options.layouts.target);
  if (!target)
    return target.takeError();
  if (llvm::Error error = checkPipeline(options, *target))
    return std::move(error);
  ImportOptions import = options.import;
  import.target = target->name;
  return import;
}

llvm::Expected<OwningOpRef<ModuleOp>> Compiler::read(MLIRContext &context,
                                                     StringRef path) {
  CancellationScope scope(cancellation);
  auto import = getImport();
  if (!import)
    return import.takeError();
  return loadModel(context, path, *import);
}

llvm::Expected<CompiledModule>
Compiler::compile(MLIRContext &context, StringRef bytes, StringRef name) {
  CancellationScope scope(cancellation);
  auto import = getImport();
  if (!import)
    return import.takeError();
  auto module =
      loadModel(context, MappedFile::fromMemory(bytes, name), *import);
  if (!module)
    return module.takeError();
  return compile(std::move(*module));
}
