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
#include "LayoutReport.h"
#include "MissingRules.h"
#include "RunPhases.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/LayoutPasses.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/RunPasses.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Hardware/FusionRecord.h"
#include "inlay/Transforms/Kernels/KernelRecord.h"
#include "inlay/Transforms/Layout/IoLayouts.h"
#include "inlay/Transforms/Layout/LayoutRecord.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Demands
//===----------------------------------------------------------------------===//

namespace {
/// Follows a storage order from a relayout to what demands it.
class DemandFinder {
public:
  DemandFinder(const LayoutGraph &graph, const Solution &solution)
      : graph(graph), solution(solution) {}

  /// Why `net` is stored as its producer stores it.
  std::string findOfProducer(NetId net);
  /// Why `use` needs the order that it needs.
  std::string findOfUse(UseId use);

private:
  struct Place {
    /// One of both: a node, or a value that no node defines or uses.
    const LayoutNode *node;
    OpOperand *use;
    Value value;
  };

  std::string search(Place start);
  std::string describe(const Place &place) const;
  void visitNeighbours(const LayoutNode &node);
  void visitTensor(const LayoutNode &from, const LayoutNodePort &port);
  void push(Place place);
  LabelId getLabel(LayoutPort port) const {
    return port.labelOfState[solution.states[port.var]];
  }

  const LayoutGraph &graph;
  const Solution &solution;
  std::deque<Place> queue;
  DenseSet<const void *> seen;
};
} // namespace

std::string DemandFinder::describe(const Place &place) const {
  if (place.node && place.node->isKey)
    return "key operator " + getOnnxOpType(place.node->op) + " '" +
           getNodeName(place.node->op) + "'";
  if (place.use) {
    Operation *owner = place.use->getOwner();
    if (isa<func::ReturnOp>(owner))
      return "output '" +
             getOutputName(graph.getFunction(), place.use->getOperandNumber())
                 .str() +
             "'";
    return getOnnxOpType(owner) + " '" + getNodeName(owner) + "'";
  }
  if (auto argument = dyn_cast_if_present<BlockArgument>(place.value)) {
    if (argument.getOwner()->getParentOp() == graph.getFunction())
      return "input '" +
             getInputName(graph.getFunction(), argument.getArgNumber()).str() +
             "'";
    return "a subgraph's input";
  }
  if (place.value && place.value.getDefiningOp())
    return getOnnxOpType(place.value.getDefiningOp()) + " '" +
           getNodeName(place.value.getDefiningOp()) + "'";
  return place.node ? getOnnxOpType(place.node->op) + " '" +
                          getNodeName(place.node->op) + "'"
                    : "";
}

void DemandFinder::push(Place place) {
  const void *key = place.node  ? static_cast<const void *>(place.node)
                    : place.use ? static_cast<const void *>(place.use)
                                : place.value.getAsOpaquePointer();
  if (seen.insert(key).second)
    queue.push_back(place);
}

void DemandFinder::visitTensor(const LayoutNode &from,
                               const LayoutNodePort &port) {
  if (!port.tensor || !graph.getTensors()[*port.tensor].net)
    return;
  const LayoutProblem &problem = graph.getProblem();
  NetId net = *graph.getTensors()[*port.tensor].net;
  const LayoutNodeForm &form = graph.getForm(from, solution.states);
  LabelId label = form.labels[&port - from.ports.data()];
  LabelId made = getLabel(problem.getProducer(net));
  Value value = port.value;
  if (made == label) {
    const LayoutNode *producer =
        value.getDefiningOp() ? graph.lookup(value.getDefiningOp()) : nullptr;
    push({producer, nullptr, producer ? Value() : value});
  }
  problem.forEachUse(net, [&](UseId use) {
    if (getLabel(problem.getUse(use)) != label)
      return;
    OpOperand *operand = graph.getOperand(use);
    const LayoutNode *node = graph.lookup(operand->getOwner());
    push({node, node ? nullptr : operand, Value()});
  });
}

void DemandFinder::visitNeighbours(const LayoutNode &node) {
  for (const LayoutNodePort &port : node.ports)
    visitTensor(node, port);
}

std::string DemandFinder::search(Place start) {
  queue.clear();
  seen.clear();
  push(start);
  Place last = start;
  while (!queue.empty()) {
    Place place = queue.front();
    queue.pop_front();
    last = place;
    // What can be only one way is a demand.
    if (!place.node || !place.node->var)
      return describe(place);
    visitNeighbours(*place.node);
  }
  return describe(last);
}

std::string DemandFinder::findOfProducer(NetId net) {
  Value value = graph.getTensorOfNet(net).value;
  const LayoutNode *node =
      value.getDefiningOp() ? graph.lookup(value.getDefiningOp()) : nullptr;
  return search({node, nullptr, node ? Value() : value});
}

std::string DemandFinder::findOfUse(UseId use) {
  OpOperand *operand = graph.getOperand(use);
  const LayoutNode *node = graph.lookup(operand->getOwner());
  return search({node, node ? nullptr : operand, Value()});
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// A storage order in the letters of the tensor's axes where it has some.
static std::string formatOrder(Value value, ArrayRef<Atom> order) {
  auto type = cast<RankedTensorType>(value.getType());
  auto encoding = dyn_cast_if_present<LayoutAttr>(type.getEncoding());
  std::string axes =
      encoding ? encoding.getLayout().getAxes().str() : std::string();
  llvm::Expected<Layout> layout =
      axes.empty()
          ? Layout::getUnnamed(LayoutClass::Tensor, AtomSequence(order))
          : Layout::getNamed(axes, AtomSequence(order));
  std::string text = llvm::cantFail(std::move(layout)).str();
  StringRef stored = StringRef(text).rsplit(" as ").second;
  if (!stored.empty())
    return stored.str();
  return axes.empty() ? "row-major" : axes;
}

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

/// `own` is the graph that `optimal` solves.
static void addStrategies(const LayoutGraph &graph, const LayoutGraph &own,
                          const OptimalResult &optimal, Report &report) {
  std::vector<Column> columns = {{"strategy", "strategy"},
                                 {"relayouts", "relayouts"},
                                 {"bytes", "bytes"},
                                 {"relayouts_cancelled", "after cancelling"},
                                 {"bytes_cancelled", "bytes"}};
  // Where the target prices more than bytes.
  bool isPriced = graph.getTarget().costs != TargetCosts() ||
                  graph.getFormCostAsGiven() != 0;
  if (isPriced)
    columns.push_back({"cost_cancelled", "cost"});
  Table table(columns);
  auto add = [&](LayoutStrategy strategy, const LayoutGraph &graph,
                 const Solution &solution) {
    Solution cancelled = cancelRelayouts(graph, solution);
    Cost before = countMoves(graph, solution.relayouts);
    Cost after = countMoves(graph, cancelled.relayouts);
    std::vector<Cell> cells = {
        Cell::text(getName(strategy)), Cell::count(before.count),
        Cell::bytes(before.bytes), Cell::count(after.count),
        Cell::bytes(after.bytes)};
    if (isPriced)
      cells.push_back(
          Cell::bytes(computeCost(graph.getProblem(), cancelled).bytes));
    table.addRow(cells);
  };
  add(LayoutStrategy::PerOp, graph, solvePerOp(graph));
  add(LayoutStrategy::Region, graph, solveRegion(graph));
  add(LayoutStrategy::RegionPlus, graph, solveRegionPlus(graph));
  add(LayoutStrategy::Optimal, own, optimal.solution);
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

/// Takes the rounds before the one that `layouts` comes from; what is asked of
/// inputs and outputs is done then.
static llvm::Error takeRounds(ModuleOp module, const Target &target,
                              const PresetResult &layouts,
                              LayoutOptions &options) {
  if (layouts.round == 1)
    return llvm::Error::success();
  PassManager passes(module->getName());
  passes.enableVerifier(false);
  addSettleLayouts(passes, target, options, /*simplify=*/true,
                   /*foldLimit=*/-1, layouts.round - 1);
  options.ioLayouts.clear();
  return runPasses(module, passes);
}

namespace {
struct Problem {
  func::FuncOp func;
  LayoutGraphOptions options;
};
} // namespace

/// What layouts are chosen of, with its axes named.
static llvm::Expected<Problem> getProblem(ModuleOp module, const Target &target,
                                          const LayoutOptions &options) {
  PassManager passes(module->getName());
  passes.enableVerifier(false);
  addLayoutTransmit(passes, RankOptions(target));
  if (llvm::Error error = runPasses(module, passes))
    return error;
  auto func = getGraph(module);
  if (!func)
    return func.takeError();
  Problem problem{*func, {}};
  problem.options.objective = options.objective;
  if (llvm::Error error =
          addIoLayouts(*func, options.ioLayouts, problem.options))
    return error;
  return problem;
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
  auto problem = getProblem(*given, *target, options.layouts);
  if (!problem)
    return problem.takeError();
  LayoutGraph graph(problem->func, *target, getOnnxOpType, problem->options);
  // As the strategy `optimal` does it, in its last round.
  LayoutOptions layouts = options.layouts;
  if (llvm::Error error =
          takeRounds(**module, *target, fitted->layouts, layouts))
    return error;
  auto last = getProblem(**module, *target, layouts);
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
  addStrategies(graph, own, optimal, report);
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
