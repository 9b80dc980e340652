//===- Preset.cpp - Choosing how every tensor is stored -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Layout/Preset.h"
#include "ApplyLayouts.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/PaddedForm.h"
#include "inlay/Layout/AxisOrder.h"
#include "inlay/Transforms/Layout/SeparateTransposes.h"
#include "llvm/ADT/MapVector.h"
#include <set>

using namespace inlay;
using namespace mlir;

static bool movesElements(TransposeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return true;
  AtomSequence order;
  for (int64_t dim : op.getPermutation())
    order.push_back({unsigned(dim)});
  return !areStoredAlike(order, {}, type.getShape());
}

namespace {
/// Compares the transposes of the model with the relayouts that a solution has.
class LedgerWriter {
public:
  LedgerWriter(const LayoutGraph &graph, const Solution &solution,
               const TransposeCopies &copies)
      : graph(graph), solution(solution), copies(copies) {}

  TransposeLedger write();
  /// Of the transposes that the ledger counts.
  Surcharge getSurchargeIn() const {
    return {surchargeIn, graph.getFormCostAsGiven()};
  }

private:
  void countTransposes();
  void countRelayout(const Relayout &relayout);
  TransposeOp findTranspose(const Relayout &relayout);

  const LayoutGraph &graph;
  const Solution &solution;
  const TransposeCopies &copies;
  TransposeLedger ledger;
  uint64_t surchargeIn = 0;
  llvm::MapVector<Operation *, Cost> transposes;
  SmallVector<Cost> others;
};
} // namespace

void LedgerWriter::countTransposes() {
  graph.getFunction().walk([&](TransposeOp op) {
    const LayoutTensor *tensor = graph.lookup(op.getInput());
    // What is computed ahead costs nothing.
    if (!tensor || !movesElements(op) || copies.originals.contains(op) ||
        op.getInput().getDefiningOp<ConstantOp>())
      return;
    Cost cost{tensor->bytes, 1};
    transposes[op] = cost;
    ledger.in += cost;
    surchargeIn = llvm::SaturatingAdd(surchargeIn, graph.getSurcharge(op));
  });
}

/// A transpose, not yet found, that the relayout stands at.
TransposeOp LedgerWriter::findTranspose(const Relayout &relayout) {
  auto find = [&](Operation *op) -> TransposeOp {
    if (Operation *original = copies.originals.lookup(op))
      op = original;
    return transposes.count(op) ? cast<TransposeOp>(op) : TransposeOp();
  };
  Value value = graph.getTensorOfNet(relayout.net).value;
  if (TransposeOp op = find(value.getDefiningOp()))
    return op;
  for (UseId use : relayout.uses)
    if (TransposeOp op = find(graph.getOperand(use)->getOwner()))
      return op;
  return {};
}

void LedgerWriter::countRelayout(const Relayout &relayout) {
  const LayoutTensor &tensor = graph.getTensorOfNet(relayout.net);
  Cost cost{tensor.copyBytes[relayout.to], 1};
  if (TransposeOp op = findTranspose(relayout)) {
    transposes.erase(op);
    ledger.kept += cost;
    return;
  }
  others.push_back(cost);
}

TransposeLedger LedgerWriter::write() {
  countTransposes();
  for (const Relayout &relayout : solution.relayouts)
    countRelayout(relayout);
  // Of the other relayouts, as many as there are transposes gone stand for one
  // that has moved.
  size_t numMoved = std::min<size_t>(others.size(), transposes.size());
  for (auto [i, cost] : llvm::enumerate(others))
    (i < numMoved ? ledger.moved : ledger.added) += cost;
  for (auto [i, entry] : llvm::enumerate(transposes))
    if (i >= numMoved)
      ledger.removed += entry.second;
  return ledger;
}

/// The relayouts that are made: copies of a transpose are one again, and so are
/// copies of what they give.
static std::vector<Relayout> getDistinct(const LayoutGraph &graph,
                                         ArrayRef<Relayout> relayouts,
                                         const TransposeCopies &copies) {
  using Key = std::tuple<void *, OrderTable::Id, OrderTable::Id>;
  std::vector<Relayout> distinct;
  std::set<Key> seen;
  for (const Relayout &relayout : relayouts) {
    const LayoutTensor &tensor = graph.getTensorOfNet(relayout.net);
    Operation *original = copies.originals.lookup(tensor.value.getDefiningOp());
    void *source = original ? original->getResult(0).getAsOpaquePointer()
                            : tensor.value.getAsOpaquePointer();
    Key key(source, tensor.orders[relayout.from], tensor.orders[relayout.to]);
    if (seen.insert(key).second)
      distinct.push_back(relayout);
  }
  return distinct;
}

/// What a solution costs beyond the bytes that it moves.
static Surcharge getSurcharge(const LayoutGraph &graph,
                              const Solution &solution) {
  uint64_t forms = computeCost(graph.getProblem(), {solution.states, {}}).bytes;
  uint64_t all = computeCost(graph.getProblem(), solution).bytes;
  uint64_t moved = countMoves(graph, solution.relayouts).bytes;
  return {all - forms - moved, forms};
}

/// Whether the operator sums elements along an axis.
static bool hasSums(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!fusion)
    return false;
  FusionClass own = fusion.getFusionClass();
  return own == FusionClass::Contraction || own == FusionClass::Reduce ||
         own == FusionClass::Window;
}

static StoredForm getStoredForm(const LayoutGraph &graph,
                                const LayoutNode &node,
                                ArrayRef<StateId> states) {
  StoredForm form;
  unsigned numOperands = node.op->getNumOperands();
  for (auto [i, id] : llvm::enumerate(graph.getForm(node, states).orders)) {
    AtomSequence order(graph.getOrders()[id]);
    if (i < numOperands)
      form.operands.push_back(std::move(order));
    else
      form.results.push_back(std::move(order));
  }
  return form;
}

static unsigned countReorderedSums(const LayoutGraph &graph,
                                   ArrayRef<StateId> states) {
  return llvm::count_if(graph.getNodes(), [&](const LayoutNode &node) {
    if (node.tie || !isa<StorageOpInterface>(node.op) || !hasSums(node.op))
      return false;
    StoredForm form = getStoredForm(graph, node, states);
    // What is wrapped runs as it was, unless its channels have other numbers.
    return !form.isRowMajor() &&
           (form.isFactored() || admitsStored(node.op, form));
  });
}

static SolvedLayouts solveOnce(func::FuncOp func, const Target &target,
                               const LayoutGraphOptions &options,
                               SolverOptions solver = {}) {
  SolvedLayouts solved;
  solved.graph =
      std::make_unique<LayoutGraph>(func, target, getOnnxOpType, options);
  solver.openNets = solved.graph->getOpenNets();
  solver.openVariables = solved.graph->getOpenVariables();
  solver.copiesOfCopies = true;
  solved.result = solveOptimal(solved.graph->getProblem(), solver);
  return solved;
}

SolvedLayouts inlay::solveLayouts(func::FuncOp func, const Target &target,
                                  const LayoutGraphOptions &options) {
  SolvedLayouts first = solveOnce(func, target, options);
  const Certificate &small = first.result.certificate;
  if (small.isOptimal() || small.numOpenNets == 0)
    return first;
  LayoutGraphOptions larger = options;
  larger.maxExtraWork = 1u << 18;
  // With many orders what cannot be proved soon cannot be proved at all.
  SolverOptions solver;
  solver.maxTableEntries = 1u << 18;
  solver.maxTotalEntries = 1u << 21;
  solver.maxSearchNodes = 20000;
  solver.localSearchRounds = 8;
  SolvedLayouts second = solveOnce(func, target, larger, solver);
  const Certificate &large = second.result.certificate;
  bool isWorse = isCheaper(small.best, large.best, options.objective);
  return isWorse ? std::move(first) : std::move(second);
}

SolvedLayouts inlay::solveSeparately(func::FuncOp func, const Target &target,
                                     const LayoutGraphOptions &options,
                                     TransposeCopies &copies) {
  LayoutGraphOptions whole = options;
  if (!target.patterns.empty())
    whole.patterns = findPatterns(func, target.patterns);
  copies = separateTransposes(func);
  SolvedLayouts solved = solveLayouts(func, target, whole);
  // Uses that share a transpose may cost more than they need to.
  if (!copies.isComplete)
    solved.result.certificate.bound = {};
  return solved;
}

static Solution solve(const LayoutGraph &graph, LayoutStrategy strategy) {
  switch (strategy) {
  case LayoutStrategy::PerOp:
    return solvePerOp(graph);
  case LayoutStrategy::Region:
    return solveRegion(graph);
  default:
    return solveRegionPlus(graph);
  }
}

namespace {
/// What a strategy answered, to which problem.
struct Answer {
  std::unique_ptr<LayoutGraph> graph;
  Solution solution;
  std::optional<Certificate> certificate;
};
} // namespace

static Answer findAnswer(func::FuncOp func, const Target &target,
                         const PresetOptions &options,
                         TransposeCopies &copies) {
  if (options.strategy == LayoutStrategy::Optimal) {
    SolvedLayouts solved = solveSeparately(func, target, options.graph, copies);
    return {std::move(solved.graph), std::move(solved.result.solution),
            solved.result.certificate};
  }
  auto graph =
      std::make_unique<LayoutGraph>(func, target, getOnnxOpType, options.graph);
  Solution solution = solve(*graph, options.strategy);
  return {std::move(graph), std::move(solution), std::nullopt};
}

/// Nothing is written: what is left is what was there.
static void keepAsGiven(PresetResult &result) {
  result.isApplied = false;
  result.cost = result.getCostIn();
  if (result.certificate)
    result.certificate->best = result.cost;
  Cost in = result.ledger.in;
  result.ledger = TransposeLedger();
  result.ledger.in = result.ledger.kept = in;
  result.surchargeOut = result.surchargeIn;
  result.numReorderedSums = 0;
}

llvm::Expected<PresetResult>
inlay::presetLayouts(func::FuncOp func, const Target &target,
                     const PresetOptions &options) {
  bool isOptimal = options.strategy == LayoutStrategy::Optimal;
  TransposeCopies copies;
  Answer answer = findAnswer(func, target, options, copies);
  const LayoutGraph &graph = *answer.graph;
  const Solution &solution = answer.solution;
  PresetResult result;
  result.certificate = answer.certificate;
  if (llvm::Error error = verify(graph.getProblem(), solution))
    return error;
  // Without costs by pairs a copy of a copy never pays.
  Solution counted = solution;
  if (graph.getProblem().hasPairCosts())
    counted.relayouts = getDistinct(graph, solution.relayouts, copies);
  result.cost = computeCost(graph.getProblem(), counted);
  if (result.certificate)
    result.certificate->best = result.cost;
  if (!isOptimal)
    result.cancelled =
        countMoves(graph, cancelRelayouts(graph, solution).relayouts);
  LedgerWriter ledger(graph, counted, copies);
  result.ledger = ledger.write();
  result.surchargeIn = ledger.getSurchargeIn();
  result.surchargeOut = getSurcharge(graph, counted);
  result.assumptions = graph.getAssumptions();
  result.numReorderedSums = countReorderedSums(graph, solution.states);
  result.barriers = getBarriers(graph);
  result.unsearched = getUnsearched(graph);
  if (!options.onlyIfCheaper ||
      isCheaper(result.getCostOut(), result.getCostIn(),
                options.graph.objective))
    applyLayouts(graph, solution, options.graph);
  else
    keepAsGiven(result);
  if (isOptimal)
    mergeMoves(func);
  return result;
}
