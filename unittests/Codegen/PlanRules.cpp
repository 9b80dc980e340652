//===- PlanRules.cpp - What plans of products have to be ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanRules.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <regex>

using namespace inlay::testing;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::optional<std::smatch> match(const std::string &text,
                                        const char *pattern) {
  std::smatch found;
  if (!std::regex_match(text, found, std::regex(pattern)))
    return std::nullopt;
  return found;
}

static int64_t getNumber(const std::smatch &found, size_t group,
                         int64_t otherwise = 0) {
  return found[group].matched ? std::stoll(found[group].str()) : otherwise;
}

static std::optional<PlanFacts> readProduct(const std::string &text) {
  auto found = match(text, "(?:(\\d+) of )?(\\d+)x(\\d+)x(\\d+): (\\d+)x(\\d+)"
                           "(?:, lines of (\\d+))?, rows (in place|copied|"
                           "packed|copied and packed)(?:, \\d+ blocks)?"
                           "(?:, sums in (\\d+) parts)?");
  if (!found)
    return std::nullopt;
  PlanFacts facts;
  facts.count = getNumber(*found, 1, 1);
  facts.rows = getNumber(*found, 2);
  facts.columns = getNumber(*found, 3);
  facts.terms = getNumber(*found, 4);
  facts.blockRows = getNumber(*found, 5);
  facts.blockColumns = getNumber(*found, 6);
  facts.line = getNumber(*found, 7, facts.rows);
  facts.isPacked = StringRef((*found)[8].str()).ends_with("packed");
  facts.isInPlace = (*found)[8].str() == "in place";
  facts.parts = getNumber(*found, 9, 1);
  return facts;
}

static std::optional<PlanFacts> readTiles(const std::string &text,
                                          int64_t outputs) {
  auto found = match(
      text, "(\\d+) tiles, (\\d+) at once: (\\d+)x(\\d+), (?:data|sums) kept");
  if (!found)
    return std::nullopt;
  PlanFacts facts;
  facts.kind = PlanFacts::Tiles;
  facts.outputs = outputs;
  facts.atOnce = getNumber(*found, 2);
  facts.blockRows = getNumber(*found, 3);
  facts.blockColumns = getNumber(*found, 4);
  return facts;
}

std::optional<PlanFacts> PlanFacts::read(StringRef templateName,
                                         StringRef plan) {
  std::string text = plan.str();
  if (templateName == "contraction")
    return readProduct(text);
  if (templateName == "winograd 2x2" || templateName == "winograd 4x4")
    return readTiles(text, templateName.ends_with("2x2") ? 2 : 4);
  auto found = match(text, "[0-9x]+ taps: (\\d+)x(\\d+)"
                           "(?:, (\\d+) channels at a time)?");
  if (templateName != "windows" || !found)
    return std::nullopt;
  PlanFacts facts;
  facts.kind = PlanFacts::Window;
  facts.blockRows = getNumber(*found, 1);
  facts.blockColumns = getNumber(*found, 2);
  facts.atOnce = getNumber(*found, 3);
  return facts;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

int64_t inlay::testing::countSums(const PlanFacts &facts,
                                  const RuleMachine &machine) {
  return facts.blockRows * llvm::divideCeil(facts.blockColumns, machine.lanes);
}

/// Of a block of rows beside the vectors of columns: what is loaded of rows is
/// a vector of each, a vector of every four that are packed, or one element and
/// the next.
static int64_t countRegisters(int64_t rows, int64_t vectors, bool isPacked,
                              const RuleMachine &machine) {
  int64_t loaded = !machine.byLane ? 2
                   : isPacked      ? int64_t(llvm::divideCeil(rows, 4))
                                   : rows;
  return rows * vectors + vectors + loaded;
}

int64_t inlay::testing::countRegisters(const PlanFacts &facts,
                                       const RuleMachine &machine) {
  return ::countRegisters(facts.blockRows, facts.blockColumns / machine.lanes,
                          facts.isPacked, machine);
}

/// The most rows in place.
static int64_t getMaxRows(int64_t vectors, const RuleMachine &machine) {
  int64_t rows = 1;
  while (countRegisters(rows + 1, vectors, /*isPacked=*/false, machine) <=
         machine.registers)
    ++rows;
  return rows;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Blocks that differ by one row at most.
static int64_t getEven(int64_t rows, int64_t most) {
  return llvm::divideCeil(rows, llvm::divideCeil(rows, most));
}

/// Vectors of columns beside rows in place, where these take time to load, and
/// beside others.
static int64_t getVectors(const PlanFacts &facts, const RuleMachine &machine) {
  if (machine.byLane)
    return facts.isPacked ? 2 : 4;
  return machine.loadsCount && facts.isInPlace ? 3 : 2;
}

/// Rows are packed where a row is used by enough columns, and not where a block
/// in place has room for all of them.
static bool wantsPacking(const PlanFacts &facts, const RuleMachine &machine) {
  return machine.byLane && facts.columns >= 96 && facts.terms >= 48 &&
         facts.rows > getMaxRows(4, machine);
}

/// Loads or products, whichever are more, of a turn over all columns of a line;
/// of x86-64 as many as five cycles have at least, as long as a product takes.
/// Of AVX-512 a vector of columns takes as long as a product besides, a row in
/// place 0.6 and a copied one 0.1 of that.
static double getCycles(const PlanFacts &facts, int64_t rows, int64_t vectors,
                        const RuleMachine &machine) {
  int64_t all = llvm::divideCeil(facts.columns, machine.lanes);
  double cycles = 0;
  for (int64_t left = all; left > 0; left -= vectors) {
    int64_t own = std::min(left, vectors);
    int64_t least = machine.byLane ? 0 : 10;
    cycles += double(std::max({rows * own, rows + own, least}));
    if (machine.loadsCount)
      cycles += (facts.isInPlace ? 0.6 : 0.1) * double(rows) + double(own);
  }
  return cycles * double(llvm::divideCeil(facts.line, rows));
}

/// Of the widths in place, whether this one takes the fewest cycles; fewer by a
/// tenth where four vectors are what was measured to be best. Where loads take
/// time, blocks may also be one or two more than have to be.
static bool isBestWidth(const PlanFacts &facts, const RuleMachine &machine) {
  int64_t vectors = facts.blockColumns / machine.lanes;
  double own = getCycles(facts, facts.blockRows, vectors, machine);
  if (machine.byLane && vectors == 4)
    own /= 1.1;
  bool isThere = false;
  for (int64_t other : {1, 2, 3, 4}) {
    if (other == 3 && !machine.loadsCount)
      continue;
    int64_t fewest = llvm::divideCeil(facts.line, getMaxRows(other, machine));
    for (int64_t more : {0, 1, 2}) {
      int64_t rows = llvm::divideCeil(facts.line, fewest + more);
      if (more != 0 && !machine.loadsCount)
        continue;
      if (getCycles(facts, rows, other, machine) < own)
        return false;
      isThere |= rows == facts.blockRows && other == vectors;
    }
  }
  return isThere;
}

static void judgePacking(const PlanFacts &facts, const RuleMachine &machine,
                         Verdict &verdict) {
  if (facts.isPacked == wantsPacking(facts, machine))
    return;
  if (!facts.isPacked && facts.terms > 5000)
    verdict.deviations.push_back(Deviation::LongSums);
  else
    verdict.error = facts.isPacked ? "rows are packed" : "rows are not packed";
}

static void judgeBlock(const PlanFacts &facts, const RuleMachine &machine,
                       Verdict &verdict) {
  int64_t vectors = getVectors(facts, machine);
  int64_t most = facts.isPacked ? 12 : getMaxRows(vectors, machine);
  bool isWidth = facts.blockColumns == vectors * machine.lanes;
  if (isWidth && facts.blockRows == getEven(facts.rows, most))
    return;
  if (isWidth && facts.blockRows == getEven(facts.line, most))
    verdict.deviations.push_back(Deviation::Lines);
  else if (isWidth && facts.isPacked && facts.terms > 3750 &&
           facts.blockRows == getEven(facts.line, 8))
    verdict.deviations.push_back(Deviation::LongSums);
  else if (!facts.isPacked && isBestWidth(facts, machine))
    verdict.deviations.push_back(Deviation::Width);
  else
    verdict.error =
        llvm::formatv("expected blocks of {0}x{1}", getEven(facts.line, most),
                      vectors * machine.lanes);
}

/// Parts of at most 1,024 terms where several blocks of rows are in place, on
/// AVX-512; not where windows have lines that lie apart. Copied windows may be
/// in as many parts as they have lines, for more than 1 MB of columns.
static void judgeParts(const ModelProduct &product, const PlanFacts &facts,
                       const RuleMachine &machine, Verdict &verdict) {
  bool isCut =
      machine.lanes == 16 && facts.isInPlace && facts.rows > facts.blockRows;
  int64_t wanted = isCut ? (facts.terms + 1023) / 1024 : 1;
  auto taps = llvm::ArrayRef(product.b).drop_front(2);
  bool hasTaps = product.isConv &&
                 llvm::any_of(taps, [](int64_t extent) { return extent != 1; });
  bool isSliced = machine.lanes == 16 && hasTaps && !facts.isInPlace &&
                  4 * facts.terms * facts.columns > 1 << 20 &&
                  llvm::is_contained(taps, facts.parts);
  if (facts.parts == wanted || (hasTaps && facts.parts == 1))
    return;
  if (isSliced)
    verdict.deviations.push_back(Deviation::Slices);
  else
    verdict.error = llvm::formatv("expected sums in {0} parts", wanted);
}

static void judgeProduct(const ModelProduct &product, const PlanFacts &facts,
                         const RuleMachine &machine, Verdict &verdict) {
  int64_t count = facts.count * facts.rows * facts.columns * facts.terms;
  if (count != product.countProducts()) {
    verdict.error = "that is another number of products";
    return;
  }
  if (product.allowsTiles())
    verdict.deviations.push_back(Deviation::Taps);
  judgePacking(facts, machine, verdict);
  if (verdict.error.empty())
    judgeBlock(facts, machine, verdict);
  if (verdict.error.empty())
    judgeParts(product, facts, machine, verdict);
}

static void judgeTiles(const ModelProduct &product, const PlanFacts &facts,
                       const RuleMachine &machine, Verdict &verdict) {
  if (!product.allowsTiles())
    verdict.error = "tiles do not compute that";
  int64_t height = product.getResult()[2];
  if (facts.outputs != (height > 5 ? 4 : 2))
    verdict.deviations.push_back(Deviation::OtherTiles);
  int64_t vectors = machine.byLane ? 4 : 2;
  int64_t rows = getEven(facts.atOnce, getMaxRows(vectors, machine));
  if (facts.blockRows != rows || facts.blockColumns != vectors * machine.lanes)
    verdict.error = llvm::formatv("expected blocks of {0}x{1}", rows,
                                  vectors * machine.lanes);
}

/// Windows of a line that end at no border.
static int64_t countWholeWindows(const ModelProduct &product) {
  int64_t stride = product.strides.back(),
          pad = product.pads[product.getNumSpatial() - 1];
  int64_t reach = (product.b.back() - 1) * product.dilations.back();
  return (product.a.back() - 1 - reach + pad) / stride -
         int64_t(llvm::divideCeil(pad, stride)) + 1;
}

/// Four neighbours, of 16 channels or two vectors if these are longer; of wide
/// windows two vectors. Of so many channels that their weights have more than
/// 16 KB, some are walked over the whole picture before the next ones: where
/// that was measured, 64.
static void judgeWindow(const ModelProduct &product, const PlanFacts &facts,
                        const RuleMachine &machine, Verdict &verdict) {
  int64_t channels = 2 * machine.lanes;
  if (product.b.back() <= 3)
    channels = std::max<int64_t>(channels, 16);
  int64_t all = product.a[1], most = 16 * 1024 / 4;
  for (int64_t taps : llvm::ArrayRef(product.b).drop_front(2))
    most /= taps;
  if (facts.atOnce == 0 && (all > most || (machine.byLane && all > 64)))
    verdict.deviations.push_back(Deviation::AllChannels);
  if (facts.atOnce > std::min<int64_t>(most, 128) ||
      (facts.atOnce != 0 && (all <= most || all % facts.atOnce != 0)))
    verdict.error = "expected channels whose weights stay near";
  int64_t middle = countWholeWindows(product);
  if (middle < 4)
    verdict.deviations.push_back(Deviation::NarrowPictures);
  if (!product.isDepthwise() || facts.blockRows != (middle < 4 ? 1 : 4))
    verdict.error = "expected 4 neighbours";
  else if (facts.blockColumns != channels && product.a[1] < channels)
    verdict.deviations.push_back(Deviation::FewChannels);
  else if (facts.blockColumns != channels)
    verdict.error = llvm::formatv("expected {0} channels", channels);
}

Verdict inlay::testing::judge(const ModelProduct &product,
                              const PlanFacts &facts,
                              const RuleMachine &machine) {
  Verdict verdict;
  switch (facts.kind) {
  case PlanFacts::Product:
    judgeProduct(product, facts, machine, verdict);
    break;
  case PlanFacts::Tiles:
    judgeTiles(product, facts, machine, verdict);
    break;
  case PlanFacts::Window:
    judgeWindow(product, facts, machine, verdict);
    break;
  }
  return verdict;
}

StringRef inlay::testing::getName(Deviation deviation) {
  static constexpr llvm::StringLiteral names[] = {
      "none",   "lines",       "long sums",    "width",
      "taps",   "other tiles", "few channels", "narrow pictures",
      "slices", "all channels"};
  return names[unsigned(deviation)];
}
