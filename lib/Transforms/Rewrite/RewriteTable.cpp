//===- RewriteTable.cpp - The rewrites there are --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace inlay::rewrites;

/// In the order in which they are tried.
static constexpr llvm::ArrayRef<Rewrite> (*families[])() = {
    getActivations,
    getSoftmaxes,
    getAxisNormalizations,
    getNormalizationSteps,
    getFeatureNormalizations,
    getRotaryEmbeddings,
    getAttentions,
    getViews,
    getBatchNormFolding,
    getScaleShiftFolding,
    getGemmForming,
    getPadFolding,
    getUnseenTaps,
    getSeenRegions,
    getConstantChains,
    getIntegerOperators,
};

static std::vector<Rewrite> &getTable() {
  static std::vector<Rewrite> table = [] {
    std::vector<Rewrite> all;
    for (auto *getFamily : families)
      llvm::append_range(all, getFamily());
    return all;
  }();
  return table;
}

llvm::ArrayRef<Rewrite> inlay::getRewrites() { return getTable(); }

llvm::Error inlay::registerRewrite(const Rewrite &rewrite) {
  if (findRewrite(rewrite.name))
    return usageError("there is a rewrite '" + rewrite.name + "' already");
  getTable().push_back(rewrite);
  return llvm::Error::success();
}

const Rewrite *inlay::findRewrite(llvm::StringRef name) {
  for (const Rewrite &rewrite : getRewrites())
    if (rewrite.name == name)
      return &rewrite;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

/// The rewrite that was probably meant, or nothing.
static llvm::StringRef findNearest(llvm::StringRef name) {
  llvm::StringRef nearest;
  unsigned best = std::max<size_t>(2, name.size() / 3) + 1;
  for (const Rewrite &rewrite : getRewrites()) {
    unsigned distance = name.edit_distance(rewrite.name, true, best);
    if (distance < best) {
      best = distance;
      nearest = rewrite.name;
    }
  }
  return nearest;
}

static llvm::Error refuseName(llvm::StringRef name) {
  std::string message = ("unknown rewrite '" + name + "'").str();
  if (llvm::StringRef nearest = findNearest(name); !nearest.empty())
    message += (", did you mean '" + nearest + "'?").str();
  else
    message += "; 'inlay rewrites' lists them";
  return usageError(message);
}

llvm::Expected<RewriteOptions> inlay::parseRewrites(llvm::StringRef text) {
  if (text == "on")
    return RewriteOptions::all();
  if (text == "off")
    return RewriteOptions::none();
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, ',');
  bool isExclusive = names.front().starts_with("-");
  RewriteOptions options =
      isExclusive ? RewriteOptions::all() : RewriteOptions::none();
  for (llvm::StringRef name : names) {
    name = name.trim();
    if (name.consume_front("-") != isExclusive)
      return usageError("rewrites are '" + text +
                        "': either all names have a '-' or none has");
    const Rewrite *rewrite = findRewrite(name);
    if (!rewrite)
      return refuseName(name);
    options.isOn[rewrite - getRewrites().data()] = !isExclusive;
  }
  return options;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

unsigned RewriteResult::getTotal() const {
  unsigned total = 0;
  for (unsigned count : counts)
    total += count;
  return total;
}

bool RewriteResult::rounds() const {
  for (auto [rewrite, count] : llvm::zip(getRewrites(), counts))
    if (count != 0 && rewrite.rounds)
      return true;
  return false;
}
