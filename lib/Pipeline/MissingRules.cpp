//===- MissingRules.cpp - Rules of a target that would pay ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operators force relayouts cannot be read off the relayouts: these stand
// where they cost least, maybe far from what forces them. So each operator type
// that computes features in one order only gets the orders of the key operators
// on trial, and what is left of the relayouts is counted.
//
//===----------------------------------------------------------------------===//

#include "MissingRules.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Transforms/Layout/Preset.h"
#include "llvm/ADT/MapVector.h"

using namespace inlay;
using namespace mlir;

/// Operators whose forms are looked at on all trials together.
static constexpr size_t maxWork = 200'000;
static constexpr size_t maxTrials = 16;

/// The orders in which the target's key operators take their data, as the file
/// writes them.
static SmallVector<std::string> getKeyOrders(const Target &target) {
  SmallVector<std::string> orders;
  for (const OpLayout &rule : target.layouts)
    for (const LayoutChoice &choice : rule.choices)
      if (rule.required && !llvm::is_contained(orders, choice.data))
        orders.push_back(choice.data);
  return orders;
}

static bool isFeature(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto layout =
      type ? dyn_cast_if_present<LayoutAttr>(type.getEncoding()) : LayoutAttr();
  return layout && layout.getLayout().getClass() == LayoutClass::Feature;
}

/// Whether the operator computes features in one order only. One that does not
/// compute would be the relayout itself.
static bool isBound(const LayoutGraph &graph, Operation *op) {
  auto fusible = dyn_cast<FusionOpInterface>(op);
  if (!fusible || isa<TransposeOp>(op) || op->getNumOperands() == 0 ||
      op->getNumResults() == 0 || op->getNumRegions() != 0 ||
      fusible.getFusionClass() == FusionClass::View)
    return false;
  const LayoutNode *node = graph.lookup(op);
  return isFeature(op->getOperand(0)) && isFeature(op->getResult(0)) &&
         (!node || !node->var) && !(node && node->isKey);
}

/// The operator types that are bound, those that read most first.
static SmallVector<std::string> getBoundTypes(const LayoutGraph &graph) {
  struct Bound {
    std::string type;
    uint64_t bytes = 0;
  };
  llvm::MapVector<OperationName, Bound> found;
  func::FuncOp func = graph.getFunction();
  func.getBody().walk([&](Operation *op) {
    if (!isBound(graph, op))
      return;
    Bound &bound = found[op->getName()];
    if (bound.type.empty())
      bound.type = getOnnxOpType(op);
    if (const LayoutTensor *data = graph.lookup(op->getOperand(0)))
      bound.bytes += data->bytes;
  });
  auto bounds = found.takeVector();
  llvm::sort(bounds, [](const auto &a, const auto &b) {
    return std::tie(b.second.bytes, a.second.type) <
           std::tie(a.second.bytes, b.second.type);
  });
  SmallVector<std::string> types;
  for (const auto &[name, bound] : bounds)
    types.push_back(bound.type);
  return types;
}

/// The target with one order more; nothing where the operator must have
/// another, or has this.
static std::optional<Target> addOrder(const Target &target, StringRef op,
                                      const std::string &order) {
  Target other = target;
  auto rule = llvm::find_if(
      other.layouts, [&](const OpLayout &each) { return each.op == op; });
  if (rule == other.layouts.end())
    rule = other.layouts.insert(rule, OpLayout{op.str(), {}, false});
  if (rule->required || llvm::any_of(rule->choices, [&](const auto &choice) {
        return choice.data == order;
      }))
    return std::nullopt;
  rule->choices.push_back({order, "", order});
  return other;
}

static Cost getMoves(const SolvedLayouts &solved) {
  return countMoves(*solved.graph, solved.result.solution.relayouts);
}

/// The rules that are worth a trial, and the target with each.
static std::vector<std::pair<MissingRule, Target>>
getTrials(const LayoutGraph &graph, const Target &target) {
  std::vector<std::pair<MissingRule, Target>> trials;
  size_t numNodes = std::max<size_t>(1, graph.getNodes().size());
  size_t limit = std::min(maxTrials, maxWork / numNodes);
  for (const std::string &op : getBoundTypes(graph))
    for (const std::string &order : getKeyOrders(target))
      if (auto other = addOrder(target, op, order);
          other && trials.size() < limit)
        trials.emplace_back(MissingRule{op, order, {}}, std::move(*other));
  return trials;
}

std::vector<MissingRule>
inlay::findMissingRules(func::FuncOp func, const Target &target,
                        const LayoutGraphOptions &options) {
  if (target.getKeyOps().empty())
    return {};
  TransposeCopies copies;
  SolvedLayouts asIs = solveSeparately(func, target, options, copies);
  Cost before = getMoves(asIs);
  if (before.count == 0)
    return {};
  std::vector<MissingRule> missing;
  for (auto &[rule, other] : getTrials(*asIs.graph, target)) {
    Cost after = getMoves(solveLayouts(func, other, options));
    if (after.bytes >= before.bytes || after.count > before.count)
      continue;
    rule.saved = {before.bytes - after.bytes, before.count - after.count};
    missing.push_back(rule);
  }
  llvm::sort(missing, [](const MissingRule &a, const MissingRule &b) {
    return std::tie(b.saved.bytes, a.op, a.order) <
           std::tie(a.saved.bytes, b.op, b.order);
  });
  return missing;
}

void inlay::addMissingRules(ArrayRef<MissingRule> rules, Report &report) {
  Table table(
      {{"operator", ""}, {"order", ""}, {"relayouts", ""}, {"bytes", ""}});
  for (const MissingRule &rule : rules) {
    table.addRow({Cell::text(rule.op), Cell::text(rule.order),
                  Cell::count(rule.saved.count),
                  Cell::bytes(rule.saved.bytes)});
    report.addText("", "no rule for " + rule.op + " in " + rule.order + ": " +
                           formatCount(rule.saved.count) + " relayout" +
                           (rule.saved.count == 1 ? "" : "s") + ", " +
                           formatBytes(rule.saved.bytes));
  }
  report.addTable("missing_rules", "", table);
}
