//===- PlanKernels.cpp - Which operators are one kernel -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composite operators are decided for on the way: the plan with all of them
// expanded shows which end in one kernel, and are in it as they were, and which
// are in pieces; these are tried whole.
//
// A body of If, Loop or Scan is a graph of its own: what it captures are its
// inputs, and no kernel has operators of two graphs. So the plans of all of
// them are independent, and their bytes and bounds are added up.
//
//===----------------------------------------------------------------------===//

#include "CloneProducers.h"
#include "KernelMarks.h"
#include "inlay/Analysis/AssumedShapes.h"
#include "inlay/Analysis/NeedOrder.h"
#include "inlay/IR/Expansion.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/Kernels.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/KernelFusion/VerifyKernels.h"
#include "inlay/Transforms/Kernels/Kernels.h"
#include <map>

using namespace inlay;
using namespace mlir;

/// Composite operators in pieces that are tried whole one by one.
static constexpr unsigned maxTrials = 16;
/// Values between kernels that are explained.
static constexpr size_t maxEdges = 20'000;

using NumberSet = llvm::DenseSet<unsigned>;

namespace {
/// A composite operator beside its expansion.
struct Composite {
  ExpandedOp marker;
  Operation *composite = nullptr;
  SmallVector<Operation *> basic;
};

/// A plan, for the graph in which the composite operators `whole` are nodes.
struct Draft {
  NumberSet whole;
  KernelGraph graph;
  KernelPlan plan;
  /// Of copies that will be one again: what only one of them moves.
  KernelTraffic saved = {};

  KernelTraffic getTraffic() const {
    return {plan.traffic.read - saved.read,
            plan.traffic.written - saved.written};
  }
  std::pair<uint64_t, size_t> getCost() const {
    return {getTraffic().getTotal(), plan.kernels.size()};
  }
};

/// What the choices for the graphs of one function share.
struct FunctionChoice {
  func::FuncOp func;
  const Target &target;
  const KernelOptions &options;
  std::optional<AssumedShapes> shapes = std::nullopt;
  /// The number of the next kernel.
  unsigned nextName = 0;
  KernelMarks marks = {};
  KernelResult result = {};

  /// Operations have come or gone.
  void renewShapes() { shapes.emplace(func, target); }
};

/// The choice for one graph: the function's own, or that of a body.
class KernelChoice {
public:
  KernelChoice(Block &block, FunctionChoice &all)
      : block(block), all(all), target(all.target), options(all.options),
        result(all.result) {}

  llvm::Error run();

private:
  void findExpansions();

  KernelGraph buildGraph(const NumberSet &whole) const;
  Draft draft(NumberSet whole) const;
  Draft choose() const;
  NumberSet getAll() const;
  void forgetUselessClones(Draft &draft) const;
  void measureBefore();

  void mark(const Draft &draft);
  NumberSet resolve(const Draft &draft);
  SmallVector<Operation *> getOperations(const Draft &draft,
                                         ArrayRef<unsigned> nodes,
                                         const NumberSet &inside);
  void describeKernel(StringRef name, FusionClass kind,
                      const KernelTraffic &traffic, ArrayRef<Operation *> ops);
  void addTotals(const Draft &draft);
  void describeEdges(const Draft &draft);

  Block &block;
  FunctionChoice &all;
  const Target &target;
  const KernelOptions &options;
  std::map<unsigned, Composite> expansions;
  Clones clones;
  KernelResult &result;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is there
//===----------------------------------------------------------------------===//

/// Takes the clusters of inlay-aggregate apart. They are found again in
/// `draft`, for graphs in which composite operators are whole or expanded: the
/// operation of a cluster holds nothing but its operators, so that nothing is
/// lost.
static void inlineClusters(Block &block) {
  SmallVector<GroupOp> clusters;
  for (GroupOp group : block.getOps<GroupOp>())
    if (getKind(group) == GroupKind::Cluster)
      clusters.push_back(group);
  for (GroupOp group : clusters)
    inlineGroup(group);
}

void KernelChoice::findExpansions() {
  for (Operation &op : block) {
    auto number = op.getAttrOfType<IntegerAttr>(expansionAttr);
    if (!number)
      continue;
    Composite &own = expansions[number.getInt()];
    if (auto marker = dyn_cast<ExpandedOp>(op)) {
      own.marker = marker;
      own.composite = marker.getComposite().front().getDefiningOp();
    } else {
      own.basic.push_back(&op);
    }
  }
}

KernelGraph KernelChoice::buildGraph(const NumberSet &whole) const {
  return buildKernelGraph(
      block, [&](Value value) { return all.shapes->getBytes(value); }, whole);
}

NumberSet KernelChoice::getAll() const {
  NumberSet all;
  for (const auto &[number, expansion] : expansions)
    all.insert(number);
  return all;
}

void KernelChoice::measureBefore() {
  KernelGraph graph = buildGraph(getAll());
  result.numBefore += graph.size();
  for (unsigned node = 0; node < graph.size(); ++node)
    result.before += measureTraffic(graph, {node});
  result.before.read -= measureCaptures(graph);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// The numbers of composite operators whose nodes have different numbers in
/// `partOf`.
static std::vector<unsigned> findPieces(const KernelGraph &graph,
                                        ArrayRef<unsigned> partOf) {
  std::map<unsigned, unsigned> first;
  std::vector<unsigned> pieces;
  for (unsigned node = 0; node < graph.size(); ++node) {
    unsigned number = graph[node].expansion;
    if (number == KernelGraph::none)
      continue;
    auto [it, isNew] = first.try_emplace(number, partOf[node]);
    if (!isNew && it->second != partOf[node] &&
        !llvm::is_contained(pieces, number))
      pieces.push_back(number);
  }
  return pieces;
}

/// What is not in one cluster is whole from the beginning.
Draft KernelChoice::draft(NumberSet whole) const {
  for (;;) {
    Draft draft{whole, buildGraph(whole), {}, {}};
    auto clusters = findClusters(draft.graph);
    std::vector<unsigned> clusterOf(draft.graph.size(), KernelGraph::none);
    for (auto [number, cluster] : llvm::enumerate(clusters))
      for (unsigned node : cluster)
        clusterOf[node] = number;
    std::vector<unsigned> pieces = findPieces(draft.graph, clusterOf);
    if (pieces.empty()) {
      draft.plan =
          planKernels(draft.graph, target.kernels, clusters, options.strategy);
      return draft;
    }
    whole.insert(pieces.begin(), pieces.end());
  }
}

Draft KernelChoice::choose() const {
  Draft best = draft({});
  if (!expansions.empty())
    if (Draft whole = draft(getAll()); whole.getCost() <= best.getCost())
      return whole;
  std::vector<unsigned> pieces = findPieces(best.graph, best.plan.kernelOf);
  if (pieces.empty())
    return best;
  NumberSet whole = best.whole;
  whole.insert(pieces.begin(), pieces.end());
  Draft other = draft(whole);
  if (other.getCost() <= best.getCost())
    return other;
  if (pieces.size() > maxTrials)
    return best;
  for (unsigned number : pieces) {
    whole = best.whole;
    whole.insert(number);
    other = draft(whole);
    if (other.getCost() <= best.getCost())
      best = std::move(other);
  }
  return best;
}

/// Copies that stand alone will be one: they are neither read for nor written
/// once more.
void KernelChoice::forgetUselessClones(Draft &draft) const {
  llvm::DenseMap<Operation *, unsigned> alone;
  for (ArrayRef<unsigned> kernel : draft.plan.kernels)
    if (kernel.size() == 1)
      alone[draft.graph[kernel.front()].ref] = kernel.front();
  for (ArrayRef<Operation *> family : clones) {
    bool isFirst = true;
    for (Operation *op : family) {
      auto it = alone.find(op);
      if (it == alone.end() || std::exchange(isFirst, false))
        continue;
      draft.saved += measureTraffic(draft.graph, {it->second});
      // It was one of kernels in which every copy counts.
      draft.plan.bound.reset();
    }
  }
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// Resolves all expansions; returns those that are whole inside of a kernel.
NumberSet KernelChoice::resolve(const Draft &draft) {
  std::vector<unsigned> pieces = findPieces(draft.graph, draft.plan.kernelOf);
  NumberSet inside;
  for (auto &[number, expansion] : expansions) {
    bool isSplit = llvm::is_contained(pieces, number);
    bool isWhole = draft.whole.contains(number);
    if (!isSplit && !isWhole)
      inside.insert(number);
    ++(isSplit   ? result.numSplit
       : isWhole ? result.numRestored
                 : result.numInside);
  }
  return inside;
}

/// The first number that no group of the function has.
static unsigned findFirstName(func::FuncOp func) {
  unsigned next = 0;
  func.walk([&](GroupOp group) {
    StringRef name = group.getName();
    unsigned number = 0;
    if (name.consume_front("kernel_") && !name.getAsInteger(10, number))
      next = std::max(next, number + 1);
  });
  return next;
}

static void removeMarks(Block &block) {
  for (Operation &op : block)
    if (op.hasAttr(lackingAttr))
      op.removeAttr(lackingAttr);
}

/// The operations of a kernel. A composite operator that is `inside` of it
/// stands where the last of its basic ones did.
SmallVector<Operation *> KernelChoice::getOperations(const Draft &draft,
                                                     ArrayRef<unsigned> nodes,
                                                     const NumberSet &inside) {
  SmallVector<Operation *> ops;
  NumberSet seen;
  for (unsigned node : llvm::reverse(nodes)) {
    unsigned number = draft.graph[node].expansion;
    if (number == KernelGraph::none || !inside.contains(number))
      ops.push_back(draft.graph[node].ref);
    else if (seen.insert(number).second)
      ops.push_back(expansions[number].composite);
  }
  std::reverse(ops.begin(), ops.end());
  return ops;
}

/// Says of each operator which kernel it is of, and of each expansion whether
/// the composite operator stays.
void KernelChoice::mark(const Draft &draft) {
  NumberSet inside = resolve(draft);
  Builder builder(all.func.getContext());
  for (auto &[number, expansion] : expansions)
    if (inside.contains(number) || draft.whole.contains(number))
      expansion.marker->setAttr(wholeAttr, builder.getUnitAttr());
  std::vector<unsigned> order = findRunOrder(draft.graph, draft.plan);
  std::vector<SmallVector<Operation *>> kernels;
  kernels.reserve(order.size());
  for (unsigned kernel : order) {
    SmallVector<Operation *> &ops = kernels.emplace_back(
        getOperations(draft, draft.plan.kernels[kernel], inside));
    // What stands alone is no kernel, unless several nodes are written for it.
    if (ops.size() == 1 && !ops.front()->hasAttr(lackingAttr))
      ops.clear();
  }
  removeMarks(block);
  result.numCloned += mergeClones(clones, kernels);
  for (auto [kernel, ops] : llvm::zip_equal(order, kernels)) {
    if (ops.empty())
      continue;
    ArrayRef<unsigned> nodes = draft.plan.kernels[kernel];
    FusionClass kind = getKernelClass(ops);
    std::string name = "kernel_" + std::to_string(all.nextName++);
    describeKernel(name, kind, measureTraffic(draft.graph, nodes), ops);
    all.marks.add(ops, name, getName(kind));
  }
}

void KernelChoice::describeKernel(StringRef name, FusionClass kind,
                                  const KernelTraffic &traffic,
                                  ArrayRef<Operation *> ops) {
  ++result.numKernels;
  if (!options.describe)
    return;
  DescribedKernel &own = result.kernels.emplace_back();
  own.name = name.str();
  own.kind = kind;
  own.traffic = traffic;
  for (Operation *op : ops) {
    own.nodes.push_back(getNodeName(op));
    own.opTypes.push_back(getOnnxOpType(op));
  }
}

/// What bodies read counts there: of every plan, and of the bound, the same is
/// taken off.
void KernelChoice::addTotals(const Draft &draft) {
  uint64_t captured = measureCaptures(draft.graph);
  result.numAfter += draft.plan.kernels.size();
  result.after += draft.getTraffic();
  result.after.read -= captured;
  if (result.bound && draft.plan.bound)
    *result.bound += std::max(*draft.plan.bound, captured) - captured;
  else
    result.bound.reset();
}

void KernelChoice::describeEdges(const Draft &draft) {
  const KernelGraph &graph = draft.graph;
  KernelExplainer explainer(graph, target.kernels, draft.plan);
  for (unsigned from = 0; from < graph.size(); ++from)
    for (unsigned value : graph[from].results)
      for (unsigned to : graph.getValue(value).users) {
        if (draft.plan.kernelOf[from] == draft.plan.kernelOf[to] ||
            result.edges.size() >= maxEdges)
          continue;
        KernelReason reason = explainer.explain(from, to);
        std::string about =
            reason.node == KernelGraph::none
                ? ""
                : "'" + getNodeName(graph[reason.node].ref) + "'";
        result.edges.push_back({getNodeName(graph[from].ref),
                                getNodeName(graph[to].ref),
                                getValueName(graph.getValue(value).ref).str(),
                                graph.getValue(value).bytes, reason.code,
                                describeReason(reason, about)});
      }
}

llvm::Error KernelChoice::run() {
  findExpansions();
  measureBefore();
  Draft best = choose();
  clones = cloneProducers(block);
  bool wasCloned = !clones.empty();
  if (wasCloned) {
    all.renewShapes();
    Draft cloned = choose();
    forgetUselessClones(cloned);
    if (cloned.getCost() < best.getCost()) {
      best = std::move(cloned);
    } else {
      mergeClones(clones, {});
      clones.clear();
      all.renewShapes();
      best = choose();
    }
  }
  if (llvm::Error error = verifyKernels(best.graph, target.kernels, best.plan))
    return error;
  addTotals(best);
  if (options.describe)
    describeEdges(best);
  mark(best);
  // Copies that were merged are gone, and others may lie where they did.
  if (wasCloned)
    all.renewShapes();
  return llvm::Error::success();
}

llvm::Expected<KernelResult>
inlay::chooseKernels(func::FuncOp func, const Target &target,
                     const KernelOptions &options) {
  if (func.isExternal() || hasKernels(func))
    return KernelResult();
  forgetKernelMarks(func);
  std::vector<Block *> blocks = findBodies(func.getBody().front());
  for (Block *block : blocks)
    inlineClusters(*block);
  FunctionChoice all{func, target, options};
  all.renewShapes();
  all.nextName = findFirstName(func);
  all.result.strategy = options.strategy;
  all.result.numBodies = blocks.size() - 1;
  all.result.bound = 0;
  for (Block *block : blocks)
    if (llvm::Error error = KernelChoice(*block, all).run())
      return std::move(error);
  all.marks.write(func);
  return std::move(all.result);
}
