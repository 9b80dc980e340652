//===- inlay.cpp - The command line tool ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Standard output carries results only; everything else goes to standard
// error.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "Endings.h"
#include "Manual.h"
#include "Messages.h"
#include "OutputOptions.h"
#include "Progress.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/OutputFile.h"
#include "inlay/Target/Target.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

/// Whether the words ask for JSON, however wrong they are otherwise.
static bool wantsJson(llvm::ArrayRef<const char *> words) {
  llvm::StringRef format;
  for (auto [i, word] : llvm::enumerate(words)) {
    llvm::StringRef own = word;
    if (own.consume_front("--format="))
      format = own;
    else if (own == "--format" && i + 1 < words.size())
      format = words[i + 1];
  }
  return format == "json";
}

/// Where the words leave standard output to a model: programs behind a pipe
/// would take the error for one.
static llvm::raw_ostream &getReportStream(llvm::ArrayRef<const char *> words) {
  const VerbInfo *verb = words.empty() ? nullptr : findVerb(words.front());
  for (auto [i, word] : llvm::enumerate(words)) {
    llvm::StringRef own = word;
    if ((own == "-o" || own == "--output") && i + 1 < words.size())
      own = words[i + 1];
    else if (!own.consume_front("--output=") && !own.consume_front("-o"))
      continue;
    if (verb && writesToStandardOutput(*verb, own))
      return llvm::errs();
  }
  return llvm::outs();
}

/// What programs get instead of a report.
static void printJsonError(llvm::raw_ostream &os, ExitCode code,
                           llvm::StringRef message) {
  Report report;
  report.setSchema("inlay.error/1");
  report.addField("exit_code", "", Cell::count(uint64_t(code)));
  report.addField("message", "", Cell::text(message));
  report.print(os, ReportFormat::Json);
  os.flush();
}

static int fail(llvm::Error error, llvm::ArrayRef<const char *> words) {
  std::string message;
  ExitCode code = takeError(std::move(error), message);
  if (wantsJson(words))
    printJsonError(getReportStream(words), code, message);
  printMessage(LogLevel::Error, message);
  return int(code);
}

/// Whether all of standard output could be written.
static llvm::Error finishOutput() {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return llvm::Error::success();
  std::string reason = llvm::outs().error().message();
  llvm::outs().clear_error();
  return ioError("cannot write to standard output: " + reason);
}

//===----------------------------------------------------------------------===//
// Verbs
//===----------------------------------------------------------------------===//

static llvm::Error makeVerbError(llvm::StringRef word) {
  std::string message = ("unknown verb '" + word + "'").str();
  if (const VerbInfo *nearest = findNearestVerb(word))
    message += ", did you mean '" + nearest->name.str() + "'?";
  else
    message += "; 'inlay help' lists them";
  return usageError(message);
}

static void printVersion() {
  llvm::outs() << "inlay " INLAY_VERSION "\n"
               << "reads ONNX opsets " << minOpset << " to " << maxOpset
               << ", IR versions up to " << maxIRVersion << "\n"
               << "built on MLIR and LLVM " << LLVM_VERSION_STRING << "\n"
               << "makes machine code for x86_64-linux-gnu and "
                  "aarch64-linux-gnu\n"
               << "targets:";
  for (const BuiltinTarget &target : getBuiltinTargets())
    llvm::outs() << " " << target.name;
  llvm::outs() << "\nback ends: onnx mlir library; others by --backend\n";
}

/// `inlay help --man [VERB]` and `inlay help --completion SHELL`: for who
/// installs it.
static llvm::Error helpToInstall(llvm::ArrayRef<const char *> words) {
  llvm::StringRef what = words.front();
  const char *rest = words.size() > 1 ? words[1] : nullptr;
  if (words.size() > 2 || (what == "--completion" && !rest))
    return usageError("usage: inlay help [--man [VERB] | --completion "
                      "bash|zsh]");
  if (what == "--completion" && !printCompletion(llvm::outs(), rest))
    return usageError("no completion for '" + llvm::StringRef(rest) +
                      "', expected bash or zsh");
  const VerbInfo *verb = rest ? findVerb(rest) : nullptr;
  if (what == "--man" && rest && !verb)
    return makeVerbError(rest);
  if (what == "--man" && verb)
    printManual(llvm::outs(), *verb);
  else if (what == "--man")
    printManual(llvm::outs());
  return llvm::Error::success();
}

/// `inlay help [VERB]`.
static llvm::Error help(llvm::ArrayRef<const char *> words) {
  if (words.empty()) {
    printHelp(llvm::outs());
    return llvm::Error::success();
  }
  if (words.front() == llvm::StringRef("--man") ||
      words.front() == llvm::StringRef("--completion"))
    return helpToInstall(words);
  const VerbInfo *verb = findVerb(words.front());
  if (!verb)
    return makeVerbError(words.front());
  if (words.size() > 1)
    return usageError("unexpected argument '" + llvm::StringRef(words[1]) +
                      "'; usage: inlay help [VERB]");
  printHelp(llvm::outs(), *verb);
  return llvm::Error::success();
}

static llvm::Error writeJson(const Report &report, llvm::StringRef path) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os, ReportFormat::Json);
  if (llvm::Error error = (*file)->write(os.str()))
    return error;
  return (*file)->commit();
}

static void printReport(const Report &report, ReportFormat format,
                        bool isOutputTaken) {
  if (isOutputTaken)
    report.print(
        llvm::errs(), format,
        {llvm::sys::Process::StandardErrColumns(), showsColours(llvm::errs())});
  else
    report.print(
        llvm::outs(), format,
        {llvm::sys::Process::StandardOutColumns(), showsColours(llvm::outs())});
}

static llvm::Expected<ExitCode> run(const VerbInfo &verb,
                                    llvm::ArrayRef<const char *> words) {
  auto arguments = Arguments::parse(verb, words);
  if (!arguments)
    return arguments.takeError();
  if (arguments->wantsHelp()) {
    printHelp(llvm::outs(), verb);
    return ExitCode::Success;
  }
  auto format = arguments->getFormat();
  if (!format)
    return format.takeError();
  auto level = getLogLevel(*arguments);
  if (!level)
    return level.takeError();
  auto result = [&] {
    Progress progress(*level);
    return runVerb(verb, *arguments, progress.getFunction());
  }();
  if (!result)
    return result.takeError();
  if (arguments->has(OPT_report_json))
    if (llvm::Error error =
            writeJson(result->report, arguments->get(OPT_report_json)))
      return error;
  printMessages(result->report, *level);
  if (wantsReport(verb, *arguments))
    printReport(result->report, *format,
                writesToStandardOutput(verb, arguments->get(OPT_output)));
  return result->code;
}

static llvm::Expected<ExitCode> dispatch(llvm::ArrayRef<const char *> words) {
  if (words.empty())
    return usageError("a verb is required; 'inlay help' lists them");
  llvm::StringRef first = words.front();
  if (first == "--version") {
    printVersion();
    return ExitCode::Success;
  }
  if (first == "help" || first == "--help" || first == "-h") {
    if (llvm::Error error = help(words.drop_front()))
      return error;
    return ExitCode::Success;
  }
  if (const VerbInfo *verb = findVerb(first))
    return run(*verb, words.drop_front());
  return makeVerbError(first);
}

static int runWords(llvm::ArrayRef<const char *> words,
                    const Cancellation &interruption) {
  CancellationScope scope(interruption);
  auto code = dispatch(words);
  if (!code)
    return fail(code.takeError(), words);
  if (llvm::Error error = finishOutput())
    return fail(std::move(error), {});
  return int(*code);
}

int main(int argc, const char **argv) {
  llvm::InitLLVM init(argc, argv);
  static Cancellation interruption;
  installEndings(interruption);
  llvm::ArrayRef<const char *> words = llvm::ArrayRef(argv, argc).drop_front();
  return runWithStack([&] { return runWords(words, interruption); });
}
