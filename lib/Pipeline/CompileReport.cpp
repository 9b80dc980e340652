//===- CompileReport.cpp - The before/after table -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileReport.h"
#include "FusionReport.h"
#include "KernelReport.h"
#include "LayoutReport.h"
#include "StatsCells.h"
#include "inlay/Pipeline/Inputs.h"
#include "inlay/Pipeline/Rewriting.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace inlay;

namespace {
struct Side {
  const ModelStats &stats;
  uint64_t fileBytes;
  /// Constant nodes are among them, and calls in place of what they hold.
  std::optional<uint64_t> fileNodes;
};
} // namespace

/// "-41.7 %", or nothing where hardly anything changed or is known.
static Cell getChange(const Cell &before, const Cell &after) {
  std::optional<int64_t> from = before.getJson().getAsInteger();
  std::optional<int64_t> to = after.getJson().getAsInteger();
  if (!from || !to || *from == *to)
    return Cell::none();
  if (*from == 0)
    return Cell::number(0).withText("new");
  double percent = (double(*to) / double(*from) - 1) * 100;
  if (std::fabs(percent) < 0.05)
    return Cell::none();
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%+.1f %%", percent);
  return Cell::number(0).withText(text);
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

namespace {
/// A row of the table: its key, its words and what it shows of a side.
struct Metric {
  llvm::StringLiteral key;
  llvm::StringLiteral title;
  Cell (*get)(const Side &side);
};
} // namespace

static const Metric metrics[] = {
    {"nodes", "nodes",
     [](const Side &side) { return Cell::count(side.stats.numNodes); }},
    {"file_nodes", "  in the file (Constants, calls)",
     [](const Side &side) {
       return side.fileNodes ? Cell::count(*side.fileNodes) : Cell::none();
     }},
    {"groups", "  groups of them",
     [](const Side &side) { return Cell::count(side.stats.numGroups); }},
    {"transposes", "transposes",
     [](const Side &side) { return Cell::count(side.stats.numTransposes); }},
    {"transpose_bytes", "  bytes moved by them",
     [](const Side &side) { return getTransposeBytes(side.stats); }},
    {"constants", "constants",
     [](const Side &side) { return Cell::count(side.stats.numConstants); }},
    {"weight_bytes", "  bytes of them",
     [](const Side &side) { return Cell::bytes(side.stats.weightBytes); }},
    {"activation_bytes", "peak memory of activations",
     [](const Side &side) {
       return Cell::bytes(side.stats.peakActivationBytes);
     }},
    {"file_bytes", "file size",
     [](const Side &side) { return Cell::bytes(side.fileBytes); }},
};

/// Whether a side has something to show that most models do not have.
static bool isWorthARow(const Metric &metric, const Side &side) {
  if (metric.key == "groups")
    return side.stats.numGroups != 0;
  if (metric.key == "file_nodes")
    return side.fileNodes && *side.fileNodes != side.stats.numNodes;
  return true;
}

static void addTotals(const CompileSummary &summary, Report &report) {
  Table records({{"metric", ""}, {"before", "before"}, {"after", "after"}});
  Table text({{"metric", ""},
              {"before", "before"},
              {"after", "after"},
              {"change", "change"}});
  Side sideBefore{summary.compiled.before, summary.bytesBefore,
                  summary.nodesBefore};
  Side sideAfter{summary.compiled.after, summary.bytesAfter,
                 summary.nodesAfter};
  bool areSized = summary.compiled.before.numUnsizedTransposes == 0 &&
                  summary.compiled.after.numUnsizedTransposes == 0;
  for (const Metric &metric : metrics) {
    Cell name = Cell::text(metric.key).withText(metric.title);
    Cell before = metric.get(sideBefore), after = metric.get(sideAfter);
    records.addRow({name, before, after});
    if (!isWorthARow(metric, sideBefore) && !isWorthARow(metric, sideAfter))
      continue;
    // Bytes of which some are unknown do not compare.
    bool isComparable = areSized || metric.key != "transpose_bytes";
    text.addRow({name, before, after,
                 isComparable ? getChange(before, after) : Cell::none()});
  }
  report.addTable("totals", "", records, TableForm::ByRow);
  report.addTable("totals", "model", text, TableForm::TextOnly);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

namespace {
struct KindCount {
  std::string kind;
  uint64_t before = 0;
  uint64_t after = 0;

  bool isChanged() const { return before != after; }
};
} // namespace

/// Changed kinds first, the largest change first; names decide ties.
static std::vector<KindCount> countKinds(const CompileSummary &summary) {
  std::map<std::string, KindCount> byName;
  for (const auto &[kind, count] : summary.compiled.before.nodesByKind)
    byName[kind].before = count;
  for (const auto &[kind, count] : summary.compiled.after.nodesByKind)
    byName[kind].after = count;
  std::vector<KindCount> kinds;
  kinds.reserve(byName.size());
  for (auto &[kind, count] : byName)
    kinds.push_back({kind, count.before, count.after});
  auto getDistance = [](const KindCount &kind) {
    return kind.before > kind.after ? kind.before - kind.after
                                    : kind.after - kind.before;
  };
  llvm::sort(kinds, [&](const KindCount &a, const KindCount &b) {
    return std::pair(getDistance(b), llvm::StringRef(a.kind)) <
           std::pair(getDistance(a), llvm::StringRef(b.kind));
  });
  return kinds;
}

static void addKinds(const CompileSummary &summary, bool verbose,
                     Report &report) {
  Table records({{"kind", "kind"}, {"before", "before"}, {"after", "after"}});
  Table text({{"kind", ""},
              {"before", "before"},
              {"after", "after"},
              {"change", "change"}});
  KindCount others;
  uint64_t numOthers = 0;
  auto addRow = [&](const KindCount &kind) {
    Cell before = Cell::count(kind.before), after = Cell::count(kind.after);
    text.addRow(
        {Cell::text(kind.kind), before, after, getChange(before, after)});
  };
  for (const KindCount &kind : countKinds(summary)) {
    records.addRow({Cell::text(kind.kind), Cell::count(kind.before),
                    Cell::count(kind.after)});
    if (kind.isChanged() || verbose) {
      addRow(kind);
      continue;
    }
    ++numOthers;
    others.before += kind.before;
    others.after += kind.after;
  }
  others.kind = "(" + formatCount(numOthers) +
                (numOthers == 1 ? " kind unchanged)" : " kinds unchanged)");
  if (numOthers != 0)
    addRow(others);
  report.addTable("operators", "", records, TableForm::ByRow);
  report.addTable("operators", "operators", text, TableForm::TextOnly);
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

/// "2 outputs equal (largest error 1.0e-07)", and how that was found.
static std::string describeJudgement(const Judgement &judgement) {
  std::string words;
  llvm::raw_string_ostream os(words);
  size_t count =
      llvm::count_if(judgement.outputs, [](const OutputJudgement &output) {
        return output.comparison.type != ElementType::Undefined;
      });
  os << formatCount(count) << (count == 1 ? " output" : " outputs")
     << " equal (largest error "
     << llvm::format("%.1e", judgement.getLargestError());
  if (judgement.isWide)
    os << " in f64; " << llvm::format("%.1e", judgement.narrowError)
       << " in f32 is " << describeNarrow(judgement);
  os << ")";
  if (std::string blanks = describeBlanks(judgement); !blanks.empty())
    os << "; " << blanks;
  return words;
}

/// Of a library, what was executed is the plan that it was made of.
static void addVerification(const CompileSummary &summary, Report &report) {
  llvm::StringRef title =
      summary.library ? "results of the plan, not of the code" : "results";
  if (!summary.compiled.verification) {
    report.addVerdict("verified", title, false,
                      "not compared: " + summary.compiled.notVerified,
                      Tone::Open);
    report.addField("not_compared", "",
                    Cell::text(summary.compiled.notVerified));
    return;
  }
  const Judgement &judgement = summary.compiled.verification->judgement;
  report.addVerdict("verified", title, true, describeJudgement(judgement),
                    Tone::Bad);
  report.addField("compared_tensors", "",
                  Cell::count(judgement.countCompared()));
  report.addField("largest_error", "",
                  Cell::number(judgement.getLargestError()));
  report.addField("judged_in_f64", "", Cell::flag(judgement.isWide));
  report.addField("tensors_one_step_off", "",
                  Cell::count(judgement.numOneStepOff));
  reportAssumedExtents(summary.compiled.verification->assumed, report);
}

/// What was beyond the instructions of the target.
static void addLegalized(const LegalizeTotals &result, Report &report) {
  if (result.numOps == 0 && result.numRefusals == 0)
    return;
  std::string words;
  llvm::raw_string_ostream os(words);
  os << formatCount(result.numOps) << " beyond them became "
     << formatCount(result.numSteps) << ", which copy "
     << formatCount(result.numCopies) << " tensors twice";
  if (result.numRefusals != 0)
    os << "; " << formatCount(result.numRefusals) << " stay beyond them";
  report.addField("legalized", "limits of operators",
                  Cell::count(result.numOps).withText(words));
  report.addField("legalized_steps", "", Cell::count(result.numSteps));
  report.addField("legalized_copies", "", Cell::count(result.numCopies));
  report.addField("beyond_limits", "", Cell::count(result.numRefusals));
}

/// Steps that are listed where nobody asks for more.
static constexpr size_t maxListedSteps = 10;

static void addSkipped(const CompileSummary &summary, Report &report,
                       bool isVerbose) {
  if (summary.compiled.remarks.empty())
    return;
  report.addField("num_skipped", "",
                  Cell::count(summary.compiled.remarks.size()));
  Table table({{"reason", ""}});
  llvm::ArrayRef<std::string> listed = summary.compiled.remarks;
  for (const std::string &reason :
       isVerbose ? listed : listed.take_front(maxListedSteps))
    table.addRow({Cell::text(reason)});
  report.addTable("skipped", "steps not taken", table);
}

/// "any number, by 'batch'".
static std::string describeSamples(const Samples &samples) {
  return "any number" +
         (samples.symbol.empty() ? "" : ", by '" + samples.symbol + "'");
}

static std::string describeLengths(llvm::ArrayRef<LengthRequest> lengths) {
  std::string text;
  for (const LengthRequest &length : lengths)
    text += (text.empty() ? "1 to " : "; 1 to ") +
            std::to_string(length.largest) + ", by '" + length.symbol + "'";
  return text;
}

static void addLibrary(const CompileOptions &options,
                       const CompileSummary &summary, Report &report) {
  const LibraryFiles &library = *summary.library;
  report.addField("header", "header", Cell::text(library.header));
  if (summary.samples)
    report.addField("samples", "samples in a run",
                    Cell::text(describeSamples(*summary.samples)));
  if (!options.library.lengths.empty())
    report.addField("length", "length of a run",
                    Cell::text(describeLengths(options.library.lengths)));
  report.addField("kernel_steps", "steps of machine code",
                  Cell::count(library.numSteps));
  report.addField("distinct_kernels", "of distinct kernels",
                  Cell::count(library.numKernels));
  report.addField("library_bytes", "", Cell::bytes(library.libraryBytes));
  report.addField("packed_bytes", "packed weights",
                  Cell::bytes(library.weightsBytes));
  report.addField("arena_bytes", "arena", Cell::bytes(library.arenaBytes));
}

Report inlay::buildReport(const CompileOptions &options,
                          const CompileSummary &summary) {
  const CompileRecord &record = summary.compiled.record;
  const PhaseTimes &times = summary.compiled.times;
  double simplifySeconds = times.get({Phase::Simplify, Phase::Rewrite});
  double layoutSeconds =
      times.get({Phase::Legalize, Phase::Layouts, Phase::Storage});
  double fusionSeconds = times.get({Phase::Groups});
  double kernelSeconds = times.get({Phase::Kernels});
  Report report;
  report.addField("model", "", Cell::text(options.model));
  addTotals(summary, report);
  addKinds(summary, options.verbose, report);
  if (record.rewrites)
    addRewrites(*record.rewrites, report);
  addSkipped(summary, report, options.verbose);
  report.addField("target", "", Cell::text(summary.target));
  report.addField("strategy", "",
                  Cell::text(getName(options.layouts.strategy)));
  if (record.isFinished)
    report.addField("finished", "layouts and groups",
                    Cell::flag(true).withText(
                        "as they are: compiled for this target before"));
  else
    addLedger(record.layouts, report);
  addLegalized(record.legalized, report);
  addBarriers(record.layouts.barriers, report, options.verbose);
  if (record.fusion)
    addFusion(*record.fusion, report, options.verbose);
  if (record.kernels)
    addKernels(*record.kernels, report, options.verbose);
  addVerification(summary, report);
  report.addField("output", "written to", Cell::text(options.output));
  if (!summary.dataPath.empty())
    report.addField("data", "weights in", Cell::text(summary.dataPath));
  if (summary.library)
    addLibrary(options, summary, report);
  std::string phases =
      formatSeconds(summary.totalSeconds) + " (import " +
      formatSeconds(summary.importSeconds) + ", simplify " +
      formatSeconds(simplifySeconds) + ", layouts " +
      formatSeconds(layoutSeconds) +
      (record.fusion ? ", fusion " + formatSeconds(fusionSeconds) : "") +
      (record.kernels ? ", kernels " + formatSeconds(kernelSeconds) : "") +
      ", verify " + formatSeconds(summary.compiled.verifySeconds) +
      ", export " + formatSeconds(summary.exportSeconds) + ")";
  report.addField("seconds", "time",
                  Cell::seconds(summary.totalSeconds).withText(phases));
  report.addField("import_seconds", "", Cell::seconds(summary.importSeconds));
  report.addField("simplify_seconds", "", Cell::seconds(simplifySeconds));
  report.addField("layout_seconds", "", Cell::seconds(layoutSeconds));
  report.addField("fusion_seconds", "", Cell::seconds(fusionSeconds));
  report.addField("kernel_seconds", "", Cell::seconds(kernelSeconds));
  report.addField("verify_seconds", "",
                  Cell::seconds(summary.compiled.verifySeconds));
  report.addField("export_seconds", "", Cell::seconds(summary.exportSeconds));
  report.addField("peak_memory_bytes", "peak memory",
                  Cell::bytes(getPeakMemory()));
  return report;
}
