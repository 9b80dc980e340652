//===- PipelineText.cpp - The pipeline as text ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Passes.h"
#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "inlay/Transforms/Kernels/Passes.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "inlay/Transforms/Rewrite/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include <mutex>

using namespace inlay;
using namespace mlir;

namespace {
enum class GroupChoice { Greedy, Optimal, Off };

/// What `inlay-pipeline` takes, by the names of `inlay compile`.
struct TextOptions : PassPipelineOptions<TextOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("A built-in target or a file"),
                             llvm::cl::init(defaultTarget.str())};
  Option<bool> simplify{*this, "simplify", llvm::cl::desc("Simplify"),
                        llvm::cl::init(true)};
  Option<int64_t> foldLimit{*this, "fold-limit",
                            llvm::cl::desc("The option of inlay-simplify"),
                            llvm::cl::init(-1)};
  Option<std::string> rewrites{*this, "rewrite",
                               llvm::cl::desc("on, off or names of rewrites"),
                               llvm::cl::init("off")};
  Option<LayoutStrategy> layouts{
      *this, "layout-strategy", llvm::cl::desc("How storage orders are found"),
      llvm::cl::init(LayoutStrategy::Optimal),
      llvm::cl::values(
          clEnumValN(LayoutStrategy::PerOp, "per-op", ""),
          clEnumValN(LayoutStrategy::Region, "region", ""),
          clEnumValN(LayoutStrategy::RegionPlus, "region-plus", ""),
          clEnumValN(LayoutStrategy::Optimal, "optimal", ""))};
  Option<Objective> minimize{
      *this, "minimize", llvm::cl::desc("What counts first"),
      llvm::cl::init(Objective::Bytes),
      llvm::cl::values(clEnumValN(Objective::Bytes, "bytes", ""),
                       clEnumValN(Objective::Count, "count", ""))};
  ListOption<std::string> ioLayouts{
      *this, "io-layout",
      llvm::cl::desc("NAME:LAYOUT: how an input or output is to be stored")};
  Option<GroupChoice> groups{
      *this, "fusion-strategy", llvm::cl::desc("How groups are found"),
      llvm::cl::init(GroupChoice::Greedy),
      llvm::cl::values(clEnumValN(GroupChoice::Greedy, "greedy", ""),
                       clEnumValN(GroupChoice::Optimal, "optimal", ""),
                       clEnumValN(GroupChoice::Off, "off", ""))};
  Option<bool> strict{*this, "strict",
                      llvm::cl::desc("Refuse what the pipeline does not take"),
                      llvm::cl::init(false)};
  Option<bool> kernels{*this, "graph-kernels", llvm::cl::desc("Make kernels"),
                       llvm::cl::init(false)};
  Option<bool> expandAll{*this, "expand-all",
                         llvm::cl::desc("Expand all composite operators"),
                         llvm::cl::init(false)};
  ListOption<std::string> expand{*this, "expand",
                                 llvm::cl::desc("ONNX operators to expand")};
  Option<EmitKind> emit{
      *this, "emit", llvm::cl::desc("What will be written"),
      llvm::cl::init(EmitKind::Onnx),
      llvm::cl::values(clEnumValN(EmitKind::Onnx, "onnx", ""),
                       clEnumValN(EmitKind::Mlir, "mlir", ""))};

  llvm::Expected<PipelineOptions> get() const;
};
} // namespace

llvm::Expected<PipelineOptions> TextOptions::get() const {
  PipelineOptions options;
  options.simplify = simplify;
  options.simplifyOptions.foldLimit = foldLimit;
  auto parsed = parseRewrites(rewrites);
  if (!parsed)
    return parsed.takeError();
  options.rewrites = std::move(*parsed);
  options.layouts.target = target;
  options.layouts.strategy = layouts;
  options.layouts.objective = minimize;
  options.layouts.ioLayouts.assign(ioLayouts.begin(), ioLayouts.end());
  if (groups == GroupChoice::Off)
    options.fusion.strategy.reset();
  else if (groups == GroupChoice::Optimal)
    options.fusion.strategy = FusionStrategy::Optimal;
  options.fusion.isStrict = strict;
  options.kernels.isEnabled = kernels;
  if (groups == GroupChoice::Optimal)
    options.kernels.strategy = KernelStrategy::Optimal;
  options.expandAll = expandAll;
  options.expand.assign(expand.begin(), expand.end());
  options.emit = emit;
  return options;
}

/// Adds the pipeline that `text` describes.
static llvm::Error addPipeline(OpPassManager &passes, StringRef text) {
  TextOptions parsed;
  if (failed(parsed.parseFromString(text)))
    return usageError("'" + text + "' are no options of inlay-pipeline");
  auto options = parsed.get();
  if (!options)
    return options.takeError();
  return buildInlayPipeline(passes, *options);
}

static void registerPipeline() {
  registerPassPipeline(
      "inlay-pipeline", "What `inlay compile` does between reading and writing",
      [](OpPassManager &passes, StringRef text,
         function_ref<LogicalResult(const Twine &)> fail) -> LogicalResult {
        if (llvm::Error error = addPipeline(passes, text))
          return fail(llvm::toString(std::move(error)));
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(TextOptions());
      });
}

void inlay::registerInlayPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerInlayLayoutPasses();
    registerInlayHardwarePasses();
    registerInlayKernelsPasses();
    registerInlayRewritePasses();
    registerInlaySimplifyPasses();
    registerInlayPipelinePasses();
    registerPipeline();
  });
}

static std::string print(OpPassManager &passes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  passes.printAsTextualPipeline(os);
  return text;
}

llvm::Expected<std::string>
inlay::printPipeline(const PipelineOptions &options) {
  registerInlayPasses();
  OpPassManager passes(ModuleOp::getOperationName());
  if (llvm::Error error = buildInlayPipeline(passes, options))
    return error;
  std::string text = print(passes), reason;
  llvm::raw_string_ostream errors(reason);
  FailureOr<OpPassManager> parsed = parsePassPipeline(text, errors);
  if (failed(parsed) || print(*parsed) != text)
    return usageError("the value of an option cannot be written into the text "
                      "of a pipeline: '" +
                      text + "'");
  return text;
}
