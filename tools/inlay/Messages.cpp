//===- Messages.cpp - What is said besides results ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

llvm::Expected<LogLevel> inlay::getLogLevel(const Arguments &arguments) {
  bool isQuiet = arguments.has(OPT_quiet);
  if (isQuiet && arguments.has(OPT_log_level))
    return usageError("--quiet and --log-level exclude each other");
  auto choice =
      arguments.getChoice(OPT_log_level, {"error", "warning", "info", "debug"},
                          unsigned(isQuiet ? LogLevel::Error : LogLevel::Info));
  if (!choice)
    return choice.takeError();
  return LogLevel(*choice);
}

static std::string getVariable(const char *name) {
  return llvm::sys::Process::GetEnv(name).value_or("");
}

bool inlay::obeysEscapes(llvm::raw_fd_ostream &stream) {
  std::string terminal = getVariable("TERM");
  return stream.is_displayed() && !terminal.empty() && terminal != "dumb";
}

bool inlay::showsColours(llvm::raw_fd_ostream &stream) {
  return obeysEscapes(stream) && getVariable("NO_COLOR").empty();
}

static llvm::StringRef getWord(LogLevel kind) {
  switch (kind) {
  case LogLevel::Error:
    return "error";
  case LogLevel::Warning:
    return "warning";
  case LogLevel::Info:
    return "note";
  case LogLevel::Debug:
    return "debug";
  }
  llvm_unreachable("no such kind");
}

/// The word in front of a message; what is for few stays plain.
static std::string getLead(LogLevel kind) {
  llvm::StringRef word = getWord(kind);
  if (kind == LogLevel::Debug || !showsColours(llvm::errs()))
    return word.str();
  constexpr Tone tones[] = {Tone::Bad, Tone::Open, Tone::Good};
  return colourText(tones[unsigned(kind)], word);
}

void inlay::printMessage(LogLevel kind, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  llvm::errs() << "inlay: " << getLead(kind) << ": ";
  for (auto [i, line] : llvm::enumerate(lines))
    llvm::errs() << (i ? "\n" : "") << escapeControls(line);
  llvm::errs() << '\n';
}

void inlay::printMessages(const Report &report, LogLevel level) {
  if (level >= LogLevel::Warning)
    for (const std::string &warning : report.getWarnings())
      printMessage(LogLevel::Warning, warning);
  if (level >= LogLevel::Info)
    for (const std::string &note : report.getNotes())
      printMessage(LogLevel::Info, note);
}

bool inlay::wantsReport(const VerbInfo &verb, const Arguments &arguments) {
  if (!arguments.has(OPT_quiet) || arguments.has(OPT_format))
    return true;
  // What bisect finds is its report, whatever it writes besides.
  return !arguments.has(OPT_output) || verb.verb == Verb::Bisect;
}
