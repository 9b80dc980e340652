//===- Explain.cpp - Why relayouts are where they are ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Explain.h"
#include "FusionReport.h"
#include "KernelReport.h"
#include "LayoutQuestion.h"
#include "LayoutReport.h"
#include "MissingRules.h"
#include "RelayoutDemands.h"
#include "RunPhases.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Hardware/FusionRecord.h"
#include "inlay/Transforms/Kernels/KernelRecord.h"
#include "inlay/Transforms/Layout/LayoutRecord.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static std::string getTensorName(Value value) {
  StringRef name = getValueName(value);
  return name.empty() ? std::string("(unnamed)") : name.str();
}

static bool isAt(const LayoutGraph &graph, const Relayout &relayout,
                 StringRef node) {
  if (node.empty())
    return true;
  Value value = graph.getTensorOfNet(relayout.net).value;
  auto isNamed = [&](Operation *op) { return op && getNodeName(op) == node; };
  return getTensorName(value) == node || isNamed(value.getDefiningOp()) ||
         llvm::any_of(relayout.uses, [&](UseId use) {
           return isNamed(graph.getOperand(use)->getOwner());
         });
}

static Table getRelayoutTable(const LayoutGraph &graph,
                              const Solution &solution, StringRef node) {
  Table table({{"tensor", "tensor"},
               {"from", "from"},
               {"to", "to"},
               {"bytes", "bytes"},
               {"stored_for", "stored so for"},
               {"needed_by", "needed by"}});
  DemandFinder demands(graph, solution);
  for (const Relayout &relayout : solution.relayouts) {
    if (!isAt(graph, relayout, node))
      continue;
    const LayoutTensor &tensor = graph.getTensorOfNet(relayout.net);
    auto format = [&](LabelId label) {
      return formatOrder(tensor.value, graph.getOrders()[tensor.orders[label]]);
    };
    table.addRow({Cell::text(getTensorName(tensor.value)),
                  Cell::text(format(relayout.from)),
                  Cell::text(format(relayout.to)),
                  Cell::bytes(tensor.copyBytes[relayout.to]),
                  Cell::text(demands.findOfProducer(relayout.net)),
                  Cell::text(relayout.uses.empty()
                                 ? ""
                                 : demands.findOfUse(relayout.uses.front()))});
  }
  return table;
}

static void addStrategies(ArrayRef<StrategyCost> costs, bool isPriced,
                          Report &report) {
  std::vector<Column> columns = {{"strategy", "strategy"},
                                 {"relayouts", "relayouts"},
                                 {"bytes", "bytes"},
                                 {"relayouts_cancelled", "after cancelling"},
                                 {"bytes_cancelled", "bytes"}};
  if (isPriced)
    columns.push_back({"cost_cancelled", "cost"});
  Table table(columns);
  for (const StrategyCost &each : costs) {
    std::vector<Cell> cells = {
        Cell::text(getName(each.strategy)), Cell::count(each.chosen.count),
        Cell::bytes(each.chosen.bytes), Cell::count(each.cancelled.count),
        Cell::bytes(each.cancelled.bytes)};
    if (isPriced)
      cells.push_back(Cell::bytes(each.price));
    table.addRow(cells);
  }
  report.addTable("strategies", "what each strategy costs", table,
                  TableForm::ByRow);
}

/// A name that the model as it was read has nowhere is a mistake; one of a node
/// that is simplified away is not.
static llvm::Error checkNode(ModuleOp module, StringRef node) {
  if (node.empty())
    return llvm::Error::success();
  auto isNamed = [&](Value value) { return getValueName(value) == node; };
  WalkResult found = module.walk([&](Operation *op) {
    bool inBlocks = llvm::any_of(op->getRegions(), [&](Region &region) {
      return llvm::any_of(region, [&](Block &block) {
        return llvm::any_of(block.getArguments(), isNamed);
      });
    });
    return inBlocks || getNodeName(op) == node ||
                   llvm::any_of(op->getResults(), isNamed)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (found.wasInterrupted())
    return llvm::Error::success();
  return usageError("the model has no node or tensor '" + node + "'");
}

namespace {
struct Fitted {
  PresetResult layouts;
  std::optional<FusionRecord> groups;
  std::optional<KernelResult> kernels;
};
} // namespace

/// The layouts, groups and kernels of `module` as compiling makes them.
static llvm::Expected<Fitted> fitCopy(ModuleOp module, const Target &target,
                                      const ExplainOptions &options) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PhaseTimes times;
  if (llvm::Error error =
          runPhases(*copy, options, target, {Phase::Layouts, Phase::Kernels},
                    options.progress, times))
    return error;
  auto graph = getGraph(*copy);
  if (!graph)
    return graph.takeError();
  return Fitted{readLayouts(*graph).value_or(PresetResult()),
                readFusion(*graph), readKernels(*graph)};
}

/// Of the whole model, as the first round sees it. `given` stays as it is.
static llvm::Error addRules(ModuleOp given, const Target &target,
                            const LayoutGraphOptions &options, Report &report) {
  OwningOpRef<ModuleOp> copy = given.clone();
  auto func = getGraph(*copy);
  if (!func)
    return func.takeError();
  addMissingRules(findMissingRules(*func, target, options), report);
  return llvm::Error::success();
}

llvm::Expected<Report> inlay::explain(const ExplainOptions &options) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto target = loadKnownTarget(options.layouts.target);
  if (!target)
    return target.takeError();
  ImportOptions import = options.import;
  import.target = target->name;
  auto module = loadModel(*context, options.model, import);
  if (!module)
    return module.takeError();
  // Its decisions are in part made, and not by these options.
  if ((**module)->hasAttr(restAttr))
    return usageError("'" + options.model +
                      "' was cut while it was compiled: explain the model that "
                      "it was made of");
  if (llvm::Error error = checkNode(**module, options.node))
    return error;
  PhaseTimes times;
  if (llvm::Error error = runPhases(**module, options, *target,
                                    {Phase::Simplify, Phase::Legalize},
                                    options.progress, times))
    return error;
  auto fitted = fitCopy(**module, *target, options);
  if (!fitted)
    return fitted.takeError();
  // The other strategies see the model as it is.
  OwningOpRef<ModuleOp> given = (*module)->clone();
  auto problem = askLayouts(*given, *target, options.layouts);
  if (!problem)
    return problem.takeError();
  LayoutGraph graph(problem->func, *target, getOnnxOpType, problem->options);
  // As the strategy `optimal` does it, in its last round.
  LayoutOptions layouts = options.layouts;
  if (llvm::Error error =
          takeRounds(**module, *target, fitted->layouts, layouts))
    return error;
  auto last = askLayouts(**module, *target, layouts);
  if (!last)
    return last.takeError();
  TransposeCopies copies;
  SolvedLayouts solved =
      solveSeparately(last->func, *target, last->options, copies);
  const LayoutGraph &own = *solved.graph;
  const OptimalResult &optimal = solved.result;

  Report report;
  report.addField("model", "", Cell::text(options.model));
  report.addField("target", "target", Cell::text(target->name));
  Table relayouts = getRelayoutTable(own, optimal.solution, options.node);
  bool hasNone = relayouts.empty();
  report.addTable("relayouts", "relayouts, and what forces each", relayouts);
  if (hasNone)
    report.addText("", "relayouts: none\n");
  addBarriers(getBarriers(graph), report);
  if (options.node.empty())
    if (llvm::Error error = addRules(*given, *target, problem->options, report))
      return error;
  addStrategies(compareStrategies(graph, own, optimal), isPriced(graph),
                report);
  addAssumptions(graph.getAssumptions(), report);
  // Another strategy than `optimal` has none of its own.
  if (!fitted->layouts.certificate)
    fitted->layouts.certificate = optimal.certificate;
  addCertificate(fitted->layouts, report);
  if (fitted->kernels)
    explainKernels(*fitted->kernels, options.node, report);
  if (fitted->groups)
    explainFusion(*fitted->groups, options.node, options.all, report);
  else if (isFused(**module))
    report.addField("finished", "groups",
                    Cell::flag(true).withText(
                        "as they are: compiled for this target before"));
  return report;
}
