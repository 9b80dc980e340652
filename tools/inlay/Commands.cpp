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
#include "Values.h"
#include "inlay/Pipeline/Compare.h"
#include "inlay/Pipeline/Compile.h"
#include "inlay/Pipeline/Inspect.h"
#include "inlay/Pipeline/Run.h"
#include "llvm/Support/Path.h"

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

static llvm::Error readTransforms(const Arguments &arguments,
                                  CompileOptions &options) {
  auto simplify = arguments.getChoice(OPT_simplify, {"on", "off"}, 0);
  if (!simplify)
    return simplify.takeError();
  options.simplify = *simplify == 0;
  if (!arguments.has(OPT_fold_limit))
    return llvm::Error::success();
  auto limit = parseBytes("--fold-limit", arguments.get(OPT_fold_limit));
  if (!limit)
    return limit.takeError();
  options.simplifyOptions.foldLimit = *limit;
  return llvm::Error::success();
}

static llvm::Error readOutput(const Arguments &arguments,
                              CompileOptions &options) {
  if (llvm::Error error = arguments.requireOption(OPT_output, "-o"))
    return error;
  options.output = arguments.get(OPT_output).str();
  if (options.output.empty())
    return usageError("-o is empty, expected a file");
  bool isMlir = llvm::sys::path::extension(options.output) == ".mlir";
  auto emit = arguments.getChoice(OPT_emit, {"onnx", "mlir"}, isMlir);
  if (!emit)
    return emit.takeError();
  options.emit = *emit == 0 ? EmitKind::Onnx : EmitKind::Mlir;
  auto data =
      arguments.getChoice(OPT_external_data, {"auto", "always", "never"}, 0);
  if (!data)
    return data.takeError();
  static constexpr ExternalData choices[] = {
      ExternalData::Auto, ExternalData::Always, ExternalData::Never};
  options.exportOptions.externalData = choices[*data];
  return llvm::Error::success();
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
  return toResult(compile(options));
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
  options.progress = progress;
  return toResult(inspect(options));
}

static llvm::Expected<CommandResult> runRun(const Arguments &arguments,
                                            ImportOptions import,
                                            const ProgressFunction &progress) {
  RunOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  options.inputs = arguments.getAll(OPT_input);
  options.outputFolder = arguments.get(OPT_output).str();
  options.progress = progress;
  return toResult(run(options));
}

static llvm::Expected<CommandResult>
runCompare(const Arguments &arguments, ImportOptions import,
           const ProgressFunction &progress) {
  CompareRequest request;
  request.a = arguments.getOperand(0).str();
  request.b = arguments.getOperand(1).str();
  request.import = std::move(import);
  request.inputs = arguments.getAll(OPT_input);
  request.progress = progress;
  if (arguments.has(OPT_tolerance)) {
    auto tolerance =
        parseTolerance("--tolerance", arguments.get(OPT_tolerance));
    if (!tolerance)
      return tolerance.takeError();
    request.options = {*tolerance, /*isExplicit=*/true};
  }
  auto result = compare(request);
  if (!result)
    return result.takeError();
  return CommandResult{std::move(result->report), result->isEqual
                                                      ? ExitCode::Success
                                                      : ExitCode::Negative};
}

llvm::Expected<CommandResult> inlay::runVerb(Verb verb,
                                             const Arguments &arguments,
                                             const ProgressFunction &progress) {
  auto import = arguments.getImportOptions();
  if (!import)
    return import.takeError();
  switch (verb) {
  case Verb::Compile:
    return runCompile(arguments, std::move(*import), progress);
  case Verb::Inspect:
    return runInspect(arguments, std::move(*import), progress);
  case Verb::Run:
    return runRun(arguments, std::move(*import), progress);
  case Verb::Compare:
    return runCompare(arguments, std::move(*import), progress);
  }
  llvm_unreachable("no such verb");
}
