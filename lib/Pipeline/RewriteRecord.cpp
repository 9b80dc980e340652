//===- RewriteRecord.cpp - What a function says about rewrites ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Record.h"
#include "inlay/Pipeline/Rewriting.h"

using namespace inlay;
using namespace mlir;

namespace {
/// Rewrites by name.
struct UndoneRecord {
  std::string name, node, reason;
};
struct RewriteRecord {
  std::map<std::string, unsigned> counts;
  std::vector<UndoneRecord> undone;
};

template <typename Visitor>
void visitFields(UndoneRecord &record, Visitor &&visit) {
  visit("name", record.name);
  visit("node", record.node);
  visit("reason", record.reason);
}

template <typename Visitor>
void visitFields(RewriteRecord &record, Visitor &&visit) {
  visit("counts", record.counts);
  visit("undone", record.undone);
}
} // namespace

void inlay::writeRewrites(func::FuncOp func, const RewriteResult &result) {
  RewriteRecord record;
  for (auto [rewrite, count] : llvm::zip(getRewrites(), result.counts))
    if (count != 0)
      record.counts[rewrite.name.str()] = count;
  for (const UndoneRewrite &undone : result.undone)
    record.undone.push_back(
        {undone.rewrite->name.str(), undone.node, undone.reason});
  writeRecord(func, rewritesAttr, std::move(record));
}

std::optional<RewriteResult> inlay::readRewrites(func::FuncOp func) {
  auto record = readRecord<RewriteRecord>(func, rewritesAttr);
  if (!record)
    return std::nullopt;
  RewriteResult result;
  for (const Rewrite &rewrite : getRewrites()) {
    auto it = record->counts.find(rewrite.name.str());
    result.counts.push_back(it == record->counts.end() ? 0 : it->second);
  }
  for (const UndoneRecord &undone : record->undone)
    if (const Rewrite *rewrite = findRewrite(undone.name))
      result.undone.push_back({rewrite, undone.node, undone.reason});
  return result;
}

std::string inlay::formatRewrites(const RewriteOptions &options) {
  if (options.isNone())
    return "off";
  if (!llvm::is_contained(options.isOn, false))
    return "on";
  std::string names;
  for (auto [rewrite, isOn] : llvm::zip(getRewrites(), options.isOn))
    if (isOn)
      names += (names.empty() ? "" : ",") + rewrite.name.str();
  return names;
}
