//===- DebugCommands.cpp - The verbs that look for faults -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugCommands.h"
#include "inlay/Pipeline/Extract.h"

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
  auto data =
      arguments.getChoice(OPT_external_data, {"auto", "always", "never"}, 0);
  if (!data)
    return data.takeError();
  static constexpr ExternalData choices[] = {
      ExternalData::Auto, ExternalData::Always, ExternalData::Never};
  options.exportOptions.externalData = choices[*data];
  auto report = extract(options);
  if (!report)
    return report.takeError();
  return CommandResult{std::move(*report)};
}
