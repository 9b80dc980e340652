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

//===----------------------------------------------------------------------===//
// Exit codes
//===----------------------------------------------------------------------===//

/// A diagnostic carries a text and a location only: the code goes with the
/// location, as a pointer to one of these.
static constexpr ExitCode exitCodes[] = {
    ExitCode::Negative,    ExitCode::Usage, ExitCode::Model,   ExitCode::Target,
    ExitCode::Unsupported, ExitCode::IO,    ExitCode::Internal};

static Location withExitCode(Location loc, ExitCode code) {
  const ExitCode *known = llvm::find(exitCodes, code);
  assert(known != std::end(exitCodes) && "an error has a code");
  return OpaqueLoc::get<const ExitCode *>(known, loc);
}

static std::optional<ExitCode> getExitCode(Location loc) {
  auto *code = OpaqueLoc::getUnderlyingLocationOrNull<const ExitCode *>(loc);
  return code ? std::optional(*code) : std::nullopt;
}

ErrorCollector::ErrorCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        if (!reported)
          reported = getExitCode(diagnostic.getLocation());
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
  return makeError(reported.value_or(code), all);
}

LogicalResult inlay::reportError(Operation *op, llvm::Error error) {
  std::string message;
  ExitCode code = takeError(std::move(error), message);
  return emitError(withExitCode(op->getLoc(), code)) << message;
}
