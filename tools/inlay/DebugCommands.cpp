//===- DebugCommands.cpp - The verbs that look for faults -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugCommands.h"
#include "OutputOptions.h"
#include "Values.h"
#include "inlay/Pipeline/Extract.h"
#include "inlay/Pipeline/Reduce.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace inlay;

llvm::Expected<CommandResult>
inlay::runExtract(const Arguments &arguments, ImportOptions import,
                  const ProgressFunction &progress) {
  ExtractOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  options.progress = progress;
  if (llvm::Error error = arguments.requireOption(OPT_outputs, "--outputs"))
    return error;
  if (llvm::Error error = arguments.requireOption(OPT_output, "-o"))
    return error;
  options.inputs = arguments.getAll(OPT_inputs);
  options.outputs = arguments.getAll(OPT_outputs);
  options.output = arguments.get(OPT_output).str();
  if (options.output.empty())
    return usageError("-o is empty, expected a file");
  if (llvm::Error error = readExternalData(arguments, options.exportOptions))
    return error;
  if (llvm::Error error = checkBinaryOutput(arguments))
    return error;
  auto report = extract(options);
  if (!report)
    return report.takeError();
  return CommandResult{std::move(*report)};
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// Which fault is looked for: exactly one.
static llvm::Error readFault(const Arguments &arguments,
                             ReduceOptions &options) {
  unsigned count = 0;
  for (auto [option, kind] : {std::pair(OPT_check_command, FaultKind::Check),
                              std::pair(OPT_differs, FaultKind::Differs),
                              std::pair(OPT_crashes, FaultKind::Crashes),
                              std::pair(OPT_native, FaultKind::Native)})
    if (arguments.has(option)) {
      options.kind = kind;
      ++count;
    }
  if (count != 1)
    return usageError("one of --check, --differs, --crashes and --native is "
                      "required, found " +
                      llvm::Twine(count));
  options.check = arguments.get(OPT_check_command).str();
  options.other = arguments.get(OPT_differs).str();
  return llvm::Error::success();
}

/// What the compiler is told; only for crashes.
static llvm::Error readCompiler(const Arguments &arguments,
                                ReduceOptions &options) {
  for (auto [option, name] :
       {std::pair(OPT_target, "--target"), std::pair(OPT_rewrite, "--rewrite"),
        std::pair(OPT_fusion_strategy, "--fusion-strategy"),
        std::pair(OPT_graph_kernels, "--graph-kernels"),
        std::pair(OPT_verify, "--verify"), std::pair(OPT_emit, "--emit"),
        std::pair(OPT_backend, "--backend")}) {
    if (arguments.has(option) && options.kind != FaultKind::Crashes)
      return usageError(llvm::Twine(name) + " is for --crashes");
    for (const std::string &value : arguments.getAll(option))
      options.compileArguments.push_back(std::string(name) + "=" + value);
  }
  // Its address tells where this program lies.
  options.program = llvm::sys::fs::getMainExecutable(
      "inlay", reinterpret_cast<void *>(&runReduce));
  return llvm::Error::success();
}

static llvm::Error readReduceOutput(const Arguments &arguments,
                                    ReduceOptions &options) {
  if (llvm::Error error = arguments.requireOption(OPT_output, "-o"))
    return error;
  options.output = arguments.get(OPT_output).str();
  if (llvm::sys::path::extension(options.output) != ".onnx")
    return usageError("-o is '" + options.output +
                      "', expected a file named .onnx");
  return llvm::Error::success();
}

llvm::Expected<CommandResult>
inlay::runReduce(const Arguments &arguments, ImportOptions import,
                 const ProgressFunction &progress) {
  ReduceOptions options;
  options.model = arguments.getOperand(0).str();
  options.import = std::move(import);
  options.inputs = arguments.getAll(OPT_input);
  options.progress = progress;
  if (llvm::Error error = readFault(arguments, options))
    return error;
  if (llvm::Error error = readCompiler(arguments, options))
    return error;
  if (llvm::Error error = readReduceOutput(arguments, options))
    return error;
  if (arguments.has(OPT_tolerance)) {
    auto tolerance =
        parseTolerance("--tolerance", arguments.get(OPT_tolerance));
    if (!tolerance)
      return tolerance.takeError();
    options.options = {*tolerance, /*isExplicit=*/true};
  }
  auto result = reduce(options);
  if (!result)
    return result.takeError();
  ExitCode code = result->isInterrupted ? ExitCode::Cancelled
                  : result->hasFault    ? ExitCode::Success
                                        : ExitCode::Negative;
  return CommandResult{std::move(result->report), code};
}
