//===- OutputOptions.cpp - Where models are written to --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputOptions.h"
#include "inlay/Support/StandardStreams.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"

using namespace inlay;

llvm::Error inlay::readExternalData(const Arguments &arguments,
                                    ExportOptions &options) {
  auto data =
      arguments.getChoice(OPT_external_data, {"auto", "always", "never"}, 0);
  if (!data)
    return data.takeError();
  static constexpr ExternalData choices[] = {
      ExternalData::Auto, ExternalData::Always, ExternalData::Never};
  options.externalData = choices[*data];
  if (!isStandardStream(arguments.get(OPT_output)))
    return llvm::Error::success();
  if (options.externalData == ExternalData::Always)
    return usageError("--external-data always writes a second file, for which "
                      "there is no place on standard output: name a file");
  options.externalData = ExternalData::Never;
  return llvm::Error::success();
}

llvm::Error inlay::checkBinaryOutput(const Arguments &arguments) {
  if (!isStandardStream(arguments.get(OPT_output)) ||
      !llvm::sys::Process::StandardOutIsDisplayed())
    return llvm::Error::success();
  return usageError("standard output is a terminal, and ONNX is no text: name "
                    "a file, or send it to a pipe");
}

bool inlay::writesToStandardOutput(const VerbInfo &verb,
                                   llvm::StringRef output) {
  return isStandardStream(output) &&
         llvm::is_contained({Verb::Compile, Verb::Extract, Verb::Report},
                            verb.verb);
}
