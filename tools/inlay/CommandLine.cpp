//===- CommandLine.cpp - Verbs and their arguments ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Values.h"
#include "inlay/Pipeline/Resources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/StringSaver.h"

using namespace inlay;
using namespace llvm::opt;

/// The visibilities of Opts.td; bit 0 is llvm::opt::DefaultVis.
enum VerbVisibility : unsigned {
  CompileVerb = 1 << 1,
  InspectVerb = 1 << 2,
  RunVerb = 1 << 3,
  CompareVerb = 1 << 4,
  ExplainVerb = 1 << 5,
  TargetsVerb = 1 << 6,
  RewritesVerb = 1 << 7,
  BenchVerb = 1 << 8,
  ExtractVerb = 1 << 9,
  BisectVerb = 1 << 10,
  ReduceVerb = 1 << 11,
  ReportVerb = 1 << 12,
  DoctorVerb = 1 << 15,
};

#define PREFIX(NAME, VALUE)                                                    \
  static constexpr llvm::StringLiteral NAME##_init[] = VALUE;                  \
  static constexpr llvm::ArrayRef<llvm::StringLiteral> NAME(                   \
      NAME##_init, std::size(NAME##_init) - 1);
#include "Opts.inc"
#undef PREFIX

static constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Opts.inc"
#undef OPTION
};

namespace {
class InlayOptTable : public GenericOptTable {
public:
  InlayOptTable() : GenericOptTable(optionInfos) { setDashDashParsing(true); }
};
} // namespace

static const OptTable &getOptTable() {
  static const InlayOptTable table;
  return table;
}

static Visibility getVisibility(Verb verb) {
  switch (verb) {
  case Verb::Compile:
    return Visibility(CompileVerb);
  case Verb::Inspect:
    return Visibility(InspectVerb);
  case Verb::Run:
    return Visibility(RunVerb);
  case Verb::Compare:
    return Visibility(CompareVerb);
  case Verb::Explain:
    return Visibility(ExplainVerb);
  case Verb::Targets:
    return Visibility(TargetsVerb);
  case Verb::Rewrites:
    return Visibility(RewritesVerb);
  case Verb::Bench:
    return Visibility(BenchVerb);
  case Verb::Extract:
    return Visibility(ExtractVerb);
  case Verb::Bisect:
    return Visibility(BisectVerb);
  case Verb::Reduce:
    return Visibility(ReduceVerb);
  case Verb::Doctor:
    return Visibility(DoctorVerb);
  case Verb::Report:
    return Visibility(ReportVerb);
  }
  llvm_unreachable("no such verb");
}

//===----------------------------------------------------------------------===//
// Help
//===----------------------------------------------------------------------===//

std::vector<OptionInfo> inlay::listOptions(const VerbInfo &verb) {
  std::vector<OptionInfo> options;
  llvm::DenseMap<unsigned, size_t> places;
  const OptTable &table = getOptTable();
  auto isOf = [&](const Option &option) {
    bool isJoined =
        option.getKind() == Option::JoinedClass && !option.getAlias().isValid();
    return (isJoined || option.getKind() == Option::FlagClass ||
            option.getKind() == Option::SeparateClass ||
            option.getKind() == Option::JoinedOrSeparateClass) &&
           option.hasVisibilityFlag(getVisibility(verb.verb));
  };
  auto forEach = [&](auto visit) {
    for (unsigned id = 1; id <= table.getNumOptions(); ++id)
      if (Option option = table.getOption(id); option.isValid() && isOf(option))
        visit(option);
  };
  forEach([&](const Option &option) {
    if (option.getAlias().isValid())
      return;
    places[option.getID()] = options.size();
    // joinCheck takes the value as a word of its own, too.
    options.push_back({{option.getPrefixedName().rtrim('=').str()},
                       table.getOptionMetaVar(option.getID())
                           ? table.getOptionMetaVar(option.getID())
                           : "",
                       table.getOptionHelpText(option.getID())
                           ? table.getOptionHelpText(option.getID())
                           : ""});
  });
  forEach([&](const Option &option) {
    if (option.getAlias().isValid())
      if (auto it = places.find(option.getAlias().getID()); it != places.end())
        options[it->second].names.push_back(option.getPrefixedName().str());
  });
  return options;
}

static constexpr ExitCodeInfo exitCodes[] = {
    {ExitCode::Success, "success"},
    {ExitCode::Negative, "a negative result"},
    {ExitCode::Usage, "usage"},
    {ExitCode::Model, "bad model"},
    {ExitCode::Target, "bad target"},
    {ExitCode::Unsupported, "unsupported"},
    {ExitCode::IO, "input/output"},
    {ExitCode::Internal, "an error of inlay itself"},
    {machineLimit, "out of memory, threads or CPU time"},
    {ExitCode::Cancelled, "interrupted or terminated"},
    {closedPipe, "nobody reads the output any more"}};

llvm::ArrayRef<ExitCodeInfo> inlay::getExitCodes() { return exitCodes; }

void inlay::printHelp(llvm::raw_ostream &os, const VerbInfo &verb) {
  std::string usage =
      ("inlay " + verb.name + " " + verb.arguments + " [options]").str();
  getOptTable().printHelp(os, usage.c_str(), verb.description.data(),
                          /*ShowHidden=*/false, /*ShowAllAliases=*/false,
                          getVisibility(verb.verb));
  os << "\nEXAMPLES:\n" << verb.examples;
}

void inlay::printHelp(llvm::raw_ostream &os) {
  os << "OVERVIEW: Inlay fits a neural network to the hardware that will run "
        "it.\n\nUSAGE: inlay VERB [arguments]\n\nVERBS:\n";
  Table table({{"usage", ""}, {"summary", ""}});
  for (const VerbInfo &verb : getVerbs())
    table.addRow({Cell::text((verb.name + " " + verb.arguments).str()),
                  Cell::text(verb.summary)});
  table.addRow(
      {Cell::text("help [VERB]"), Cell::text("Say how a verb is used")});
  table.addRow({Cell::text("--version"),
                Cell::text("Print the version and what it reads")});
  table.printText(os, 2);
  os << "\nEXIT CODES:\n";
  for (const ExitCodeInfo &code : getExitCodes())
    os << "  " << llvm::right_justify(std::to_string(int(code.code)), 3) << " "
       << code.meaning << "\n";
}

const VerbInfo *inlay::findVerb(llvm::StringRef name) {
  for (const VerbInfo &verb : getVerbs())
    if (verb.name == name)
      return &verb;
  return nullptr;
}

const VerbInfo *inlay::findNearestVerb(llvm::StringRef name) {
  const VerbInfo *nearest = nullptr;
  unsigned best = 3; // More edits are another word.
  for (const VerbInfo &verb : getVerbs()) {
    unsigned distance = name.edit_distance(verb.name, true, best);
    if (distance < best || (distance == best && !nearest)) {
      best = distance;
      nearest = distance <= 2 ? &verb : nearest;
    }
  }
  return nearest;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// "--check=CMD" for "--check", "CMD": with 'run' it is a flag, and the table
/// has one option of a name.
static llvm::SmallVector<const char *>
joinCheck(llvm::ArrayRef<const char *> words) {
  static llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> joined;
  for (size_t i = 0; i < words.size(); ++i) {
    bool isAlone = llvm::StringRef(words[i]) == "--check";
    if (isAlone && i + 1 < words.size()) {
      ++i;
      joined.push_back(saver.save("--check=" + llvm::Twine(words[i])).data());
    } else {
      joined.push_back(words[i]);
    }
  }
  return joined;
}

llvm::Expected<Arguments> Arguments::parse(const VerbInfo &verb,
                                           llvm::ArrayRef<const char *> words) {
  llvm::SmallVector<const char *> joined;
  if (verb.verb == Verb::Reduce) {
    joined = joinCheck(words);
    words = joined;
  }
  unsigned missingIndex = 0, missingCount = 0;
  Arguments arguments(getOptTable().ParseArgs(words, missingIndex, missingCount,
                                              getVisibility(verb.verb)));
  if (missingCount != 0)
    return usageError("option '" + llvm::StringRef(words[missingIndex]) +
                      "' needs a value");
  if (llvm::Error error = arguments.check(verb))
    return error;
  return arguments;
}

llvm::Error Arguments::checkUnknown(const VerbInfo &verb) const {
  const Arg *arg = args.getLastArg(OPT_UNKNOWN);
  if (!arg)
    return llvm::Error::success();
  std::string word = arg->getAsString(args), nearest;
  std::string message =
      "unknown option '" + word + "' of 'inlay " + verb.name.str() + "'";
  if (getOptTable().findNearest(word, nearest, getVisibility(verb.verb),
                                /*MinimumLength=*/3) <= 2)
    message += ", did you mean '" + nearest + "'?";
  else
    message += "; 'inlay " + verb.name.str() + " --help' lists them";
  return usageError(message);
}

/// Options that mean something more than once.
static bool mayRepeat(unsigned option) {
  return llvm::is_contained({OPT_dim, OPT_shape, OPT_data_root, OPT_backend,
                             OPT_input, OPT_io_layout, OPT_help, OPT_verbose,
                             OPT_inputs, OPT_outputs, OPT_only, OPT_INPUT,
                             OPT_UNKNOWN},
                            OptionID(option));
}

llvm::Error Arguments::checkRepeated() const {
  llvm::SmallDenseMap<unsigned, const Arg *> seen;
  for (const Arg *arg : args) {
    unsigned option = arg->getOption().getUnaliasedOption().getID();
    if (!mayRepeat(option) && !seen.try_emplace(option, arg).second)
      return usageError("option '" + arg->getSpelling() + "' is given twice");
  }
  return llvm::Error::success();
}

llvm::Error Arguments::check(const VerbInfo &verb) {
  if (llvm::Error error = checkUnknown(verb))
    return error;
  if (wantsHelp())
    return llvm::Error::success();
  if (llvm::Error error = checkRepeated())
    return error;
  operands = args.getAllArgValues(OPT_INPUT);
  unsigned max = verb.numOperands + verb.numOptional;
  if (operands.size() >= verb.numOperands && operands.size() <= max)
    return llvm::Error::success();
  std::string usage =
      ("; usage: inlay " + verb.name + " " + verb.arguments).str();
  if (operands.size() > max)
    return usageError("unexpected argument '" + operands[max] + "'" + usage);
  return usageError(verb.missing + usage);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::Error Arguments::requireOption(OptionID option,
                                     llvm::StringRef name) const {
  if (has(option))
    return llvm::Error::success();
  return usageError("option '" + name + "' is required");
}

llvm::Expected<unsigned>
Arguments::getChoice(OptionID option, llvm::ArrayRef<llvm::StringRef> choices,
                     unsigned absent) const {
  const Arg *arg = args.getLastArg(option);
  if (!arg)
    return absent;
  for (auto [i, choice] : llvm::enumerate(choices))
    if (choice == arg->getValue())
      return i;
  return usageError(arg->getOption().getPrefixedName() + " is '" +
                    arg->getValue() + "', expected " +
                    llvm::join(choices, " or "));
}

llvm::Expected<ReportFormat> Arguments::getFormat() const {
  auto choice = getChoice(OPT_format, {"text", "json"}, 0);
  if (!choice)
    return choice.takeError();
  return *choice == 0 ? ReportFormat::Text : ReportFormat::Json;
}

llvm::Expected<std::vector<DimValue>> Arguments::getOpenDims() const {
  std::vector<DimValue> open;
  for (const std::string &text : getAll(OPT_dim)) {
    auto dim = parseDim(text);
    if (!dim)
      return dim.takeError();
    if (dim->isOpen)
      open.push_back(std::move(*dim));
  }
  return open;
}

llvm::Expected<ImportOptions> Arguments::getImportOptions() const {
  ImportOptions options;
  for (const std::string &text : getAll(OPT_dim)) {
    auto dim = parseDim(text);
    if (!dim)
      return dim.takeError();
    if (dim->isOpen)
      continue;
    if (!options.dims.try_emplace(dim->name, dim->extent).second)
      return usageError("--dim " + dim->name + " is given twice");
  }
  for (const std::string &text : getAll(OPT_shape)) {
    auto shape = parseShape(text);
    if (!shape)
      return shape.takeError();
    if (!options.shapes.try_emplace(shape->name, shape->extents).second)
      return usageError("--shape " + shape->name + " is given twice");
  }
  options.dataRoots = getAll(OPT_data_root);
  for (const std::string &root : options.dataRoots)
    if (!llvm::sys::fs::is_directory(root))
      return usageError("--data-root is '" + root + "', expected a folder");
  return options;
}
