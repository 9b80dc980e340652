//===- Diagnostics.cpp - Diagnostics as errors ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/Origin.h"

using namespace inlay;
using namespace mlir;

/// Messages beyond this many are counted only.
static constexpr size_t maxMessages = 20;

/// Where in a text an operation stands that comes from no node.
static std::string formatLine(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()) + ": ")
      .str();
}

static std::string formatPlace(Location loc) {
  OriginAttr origin = getFirstOrigin(loc);
  if (!origin)
    return formatLine(loc);
  std::string place;
  if (!origin.getName().empty())
    place = "node '" + origin.getName().str() + "'";
  else if (!origin.getOutputs().empty())
    place = "node of '" +
            cast<StringAttr>(origin.getOutputs()[0]).getValue().str() + "'";
  else
    place = "node";
  return place + " (" + origin.getOpType().str() + "): ";
}

std::string inlay::formatDiagnostic(Diagnostic &diagnostic) {
  return formatPlace(diagnostic.getLocation()) + diagnostic.str();
}

ErrorCollector::ErrorCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        messages.push_back(messages.size() < maxMessages
                               ? formatDiagnostic(diagnostic)
                               : std::string());
        return success();
      }) {}

llvm::Error ErrorCollector::take(ExitCode code) {
  if (messages.empty())
    return makeError(ExitCode::Internal, "failed without saying why");
  std::string all;
  for (size_t i = 0; i < std::min(messages.size(), maxMessages); ++i)
    all += (i ? "\n" : "") + messages[i];
  if (messages.size() > maxMessages)
    all +=
        "\n... and " + std::to_string(messages.size() - maxMessages) + " more";
  messages.clear();
  return makeError(code, all);
}
