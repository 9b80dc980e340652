//===- LayoutReport.cpp - Layouts in words --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutReport.h"

using namespace inlay;

/// "presolve, 2 minimum cuts, elimination (width 3)".
static std::string describeMethods(const Certificate &certificate) {
  std::string text;
  auto add = [&](const std::string &words) {
    text += (text.empty() ? "" : ", ") + words;
  };
  if (certificate.numPresolved)
    add("presolve of " + formatCount(certificate.numPresolved));
  if (certificate.numMinimumCut)
    add(formatCount(certificate.numMinimumCut) + " by minimum cut");
  if (certificate.numElimination)
    add(formatCount(certificate.numElimination) + " by elimination (width " +
        formatCount(certificate.largestTreewidth) + ")");
  if (certificate.numBranchAndBound)
    add(formatCount(certificate.numBranchAndBound) + " by branch and bound");
  if (certificate.numLocalSearch)
    add(formatCount(certificate.numLocalSearch) + " by local search");
  if (certificate.numOpenNets)
    add("not all orders of " + formatCount(certificate.numOpenNets) +
        (certificate.numOpenNets == 1 ? " tensor" : " tensors"));
  return text.empty() ? "nothing to choose" : text;
}

/// "proved least in round 2: presolve of 5".
static std::string describeProof(const PresetResult &result) {
  const Certificate &certificate = *result.certificate;
  std::string words = certificate.isOptimal()
                          ? "proved least"
                          : "best found, at most " +
                                formatBytes(certificate.getGap().bytes) +
                                " from the least";
  if (result.round > 1)
    words += " in round " + formatCount(result.round);
  if (result.isUnsettled)
    words += ", which may have exposed more";
  return words + ": " + describeMethods(certificate);
}

/// What every certificate leaves out; docs/RationaleLayouts.md has more of it.
static const char *const neverSearched[] = {
    "computing twice instead of copying",
    "other operators that compute the same",
};

/// Of one certificate.
static std::vector<std::string> getNeverSearched(const PresetResult &result) {
  std::vector<std::string> names(std::begin(neverSearched),
                                 std::end(neverSearched));
  if (result.isOnlyRound)
    names.emplace_back("what storing tensors so exposes");
  return names;
}

static void addUnsearched(const PresetResult &result, Report &report) {
  Table table({{"what", ""}, {"tensors", "tensors"}, {"bytes", "bytes"}});
  for (const Unsearched &each : result.unsearched)
    table.addRow({Cell::text(each.what), Cell::count(each.tensors.count),
                  Cell::bytes(each.tensors.bytes)});
  // Nothing is left to be looked for where nothing is moved.
  bool isForPeople = result.certificate->best.bytes != 0;
  report.addTable(
      "not_searched",
      isForPeople && !table.empty() ? "not looked at: tensors around" : "",
      table, TableForm::ByRow);
  report.addList("never_searched", isForPeople ? "not looked for" : "",
                 getNeverSearched(result));
}

void inlay::addCertificate(const PresetResult &result, Report &report) {
  if (!result.certificate)
    return;
  const Certificate &certificate = *result.certificate;
  report.addVerdict("proved", "certificate", certificate.isOptimal(),
                    describeProof(result), Tone::Open);
  report.addField("proved_over", "",
                  Cell::text("every storage order that a demand leads to along "
                             "axes; each copy is one transpose, shared by all "
                             "that need it"));
  report.addField("best_bytes", "", Cell::count(certificate.best.bytes));
  report.addField("bound_bytes", "", Cell::count(certificate.bound.bytes));
  report.addField("best_count", "", Cell::count(certificate.best.count));
  report.addField("bound_count", "", Cell::count(certificate.bound.count));
  report.addField("method", "", Cell::text(describeMethods(certificate)));
  report.addField("round", "", Cell::count(result.round));
  report.addField("open_tensors", "", Cell::count(certificate.numOpenNets));
  addUnsearched(result, report);
}

/// Of what the target prices beyond bytes moved; nothing where it does not.
static void addSurcharge(const PresetResult &result, Report &report) {
  const Surcharge &in = result.surchargeIn, &out = result.surchargeOut;
  if (in.getTotal() == Cost() && out.getTotal() == Cost())
    return;
  Table table({{"entry", ""},
               {"moved", "moved"},
               {"copies", "slow copies"},
               {"forms", "slow forms"},
               {"cost", "cost"}});
  auto add = [&](llvm::StringRef name, Cost moved, const Surcharge &surcharge,
                 Cost total) {
    table.addRow({Cell::text(name), Cell::bytes(moved.bytes),
                  Cell::bytes(surcharge.copies), Cell::bytes(surcharge.forms),
                  Cell::bytes(total.bytes)});
  };
  add("in", result.ledger.in, in, result.getCostIn());
  add("out", result.ledger.getOut(), out, result.getCostOut());
  report.addTable("costs", "costs, in bytes", table, TableForm::ByRow);
}

void inlay::addBarriers(llvm::ArrayRef<std::string> barriers, Report &report,
                        bool isForPeople) {
  isForPeople &= !barriers.empty();
  report.addList("barriers", isForPeople ? "barriers (row-major only)" : "",
                 barriers);
}

void inlay::addAssumptions(const std::map<std::string, int64_t> &assumptions,
                           Report &report) {
  std::vector<std::string> words;
  words.reserve(assumptions.size());
  for (const auto &[name, extent] : assumptions)
    words.push_back(name + "=" + std::to_string(extent));
  report.addList("assumed", words.empty() ? "" : "bytes assume", words);
}

void inlay::addLedger(const PresetResult &result, Report &report) {
  Table table(
      {{"entry", ""}, {"transposes", "transposes"}, {"bytes", "bytes"}});
  auto add = [&](llvm::StringRef name, Cost cost) {
    table.addRow(
        {Cell::text(name), Cell::count(cost.count), Cell::bytes(cost.bytes)});
  };
  add("in", result.ledger.in);
  add("removed", result.ledger.removed);
  add("moved", result.ledger.moved);
  add("kept", result.ledger.kept);
  add("added", result.ledger.added);
  add("out", result.ledger.getOut());
  if (result.cancelled)
    add("after cancelling", *result.cancelled);
  report.addTable("ledger", "transposes", table, TableForm::ByRow);
  addSurcharge(result, report);
  report.addField("reordered_sums", "", Cell::count(result.numReorderedSums));
  addAssumptions(result.assumptions, report);
  addCertificate(result, report);
}
