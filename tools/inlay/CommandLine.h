//===- CommandLine.h - Verbs and their arguments ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_COMMANDLINE_H
#define INLAY_TOOLS_INLAY_COMMANDLINE_H

#include "Values.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Report/Report.h"
#include "inlay/Support/Error.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace inlay {

/// The options of Opts.td.
enum OptionID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Opts.inc"
#undef OPTION
};

enum class Verb {
  Compile,
  Inspect,
  Run,
  Compare,
  Explain,
  Targets,
  Rewrites,
  Bench,
  Doctor,
  Extract,
  Bisect,
  Reduce,
  Report
};

struct VerbInfo {
  Verb verb;
  llvm::StringLiteral name;
  /// What follows the name in a usage line, such as "MODEL -o FILE".
  llvm::StringLiteral arguments;
  llvm::StringLiteral summary;
  llvm::StringLiteral description;
  llvm::StringLiteral examples;
  unsigned numOperands;
  /// How many more there may be.
  unsigned numOptional = 0;
  /// What is said when there are too few.
  llvm::StringRef missing = "a model is required";
};

llvm::ArrayRef<VerbInfo> getVerbs();
const VerbInfo *findVerb(llvm::StringRef name);
/// The verb that was probably meant, or null.
const VerbInfo *findNearestVerb(llvm::StringRef name);

/// An option of a verb with all its names, the word for its value and what it
/// says.
struct OptionInfo {
  std::vector<std::string> names;
  std::string value, help;
};
std::vector<OptionInfo> listOptions(const VerbInfo &verb);

/// As shells say it of SIGPIPE: nobody reads what is printed. No error carries
/// it.
constexpr ExitCode closedPipe = ExitCode(141);

struct ExitCodeInfo {
  ExitCode code;
  llvm::StringLiteral meaning;
};
llvm::ArrayRef<ExitCodeInfo> getExitCodes();

void printHelp(llvm::raw_ostream &os);
void printHelp(llvm::raw_ostream &os, const VerbInfo &verb);

/// The arguments of one verb, checked as far as that can be done without the
/// model. Every error is a usage error.
class Arguments {
public:
  static llvm::Expected<Arguments> parse(const VerbInfo &verb,
                                         llvm::ArrayRef<const char *> words);

  bool has(OptionID option) const { return args.hasArg(option); }
  bool wantsHelp() const { return has(OPT_help); }
  unsigned getNumOperands() const { return operands.size(); }
  llvm::StringRef getOperand(unsigned index) const { return operands[index]; }
  /// The value of an option, or `absent`.
  llvm::StringRef get(OptionID option, llvm::StringRef absent = "") const {
    return args.getLastArgValue(option, absent);
  }
  std::vector<std::string> getAll(OptionID option) const {
    return args.getAllArgValues(option);
  }

  llvm::Error requireOption(OptionID option, llvm::StringRef name) const;
  /// The position of the option's value among the choices; `absent` without
  /// the option.
  llvm::Expected<unsigned> getChoice(OptionID option,
                                     llvm::ArrayRef<llvm::StringRef> choices,
                                     unsigned absent) const;
  llvm::Expected<ReportFormat> getFormat() const;
  /// --dim, --shape and --data-root; dimensions that stay open are left out.
  llvm::Expected<ImportOptions> getImportOptions() const;
  /// Those of --dim NAME=1..N.
  llvm::Expected<std::vector<DimValue>> getOpenDims() const;

private:
  explicit Arguments(llvm::opt::InputArgList args) : args(std::move(args)) {}

  llvm::Error check(const VerbInfo &verb);
  llvm::Error checkUnknown(const VerbInfo &verb) const;
  llvm::Error checkRepeated() const;

  llvm::opt::InputArgList args;
  std::vector<std::string> operands;
};

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_COMMANDLINE_H
