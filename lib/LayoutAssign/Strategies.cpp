//===- Strategies.cpp - The strategies of the requirements ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/Strategies.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Layout/AxisOrder.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include <map>

using namespace inlay;
using namespace mlir;

StringRef inlay::getName(LayoutStrategy strategy) {
  switch (strategy) {
  case LayoutStrategy::PerOp:
    return "per-op";
  case LayoutStrategy::Region:
    return "region";
  case LayoutStrategy::RegionPlus:
    return "region-plus";
  case LayoutStrategy::Optimal:
    return "optimal";
  }
  llvm_unreachable("all strategies have names");
}

std::optional<LayoutStrategy> inlay::parseStrategy(StringRef name) {
  for (LayoutStrategy strategy : allStrategies)
    if (getName(strategy) == name)
      return strategy;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What the strategies have in common
//===----------------------------------------------------------------------===//

namespace {
/// Regions of nodes: nodes of one region hand on what they store; everything
/// that crosses a border is row-major on its way.
class RegionSolver {
public:
  explicit RegionSolver(const LayoutGraph &graph);

  /// Every node is a region of its own.
  void keepApart();
  /// First classification: nodes join the producers of their own class.
  void joinByClass();
  /// Second classification: Tensor regions join the regions of all their
  /// inputs, and Feature regions behind them join those in turn.
  void mergeTensorRegions();

  Solution solve();

private:
  /// The layout that decides what a value is for, or null.
  static LayoutAttr getLayout(Value value);
  static LayoutClass getClass(Value value);
  static bool standsAlone(const LayoutNode &node);
  std::optional<AtomSequence> getWantedOrder(Value value) const;
  std::optional<LabelId> findWantedLabel(unsigned tensor) const;
  bool isWanted(const LayoutNodePort &port, LabelId label) const;
  std::optional<StateId> findWantedState(const LayoutNode &node) const;
  StateId findRowMajorState(const LayoutNode &node) const;
  std::optional<StateId> findFollowingState(unsigned node) const;

  LayoutClass getClass(const LayoutNode &node) const;
  void chooseStates();
  void collectProducers();
  void joinNeighbours();
  std::optional<LabelId> getProducedLabel(unsigned tensor) const;
  bool canMerge(ArrayRef<unsigned> region) const;
  bool followAll(ArrayRef<unsigned> region, DenseSet<unsigned> &failed);
  void joinInputs(ArrayRef<unsigned> region);
  SmallVector<SmallVector<unsigned>> split(ArrayRef<unsigned> region,
                                           const DenseSet<unsigned> &failed);
  template <typename Fn> void forEachProducer(unsigned index, Fn &&fn) const;

  LabelId getLabel(LayoutPort port) const {
    return port.labelOfState[solution.states[port.var]];
  }
  void writeRelayouts();
  void writeRelayoutsOf(NetId net);

  const LayoutGraph &graph;
  /// The orders of features and weights that key operators take, in letters.
  std::string data, weight;
  /// The region of each node: the smallest number of its nodes.
  std::vector<unsigned> regions;
  /// The class that a region is treated as.
  std::vector<LayoutClass> classes;
  std::vector<StateId> chosen;
  /// The node that defines each tensor.
  DenseMap<unsigned, unsigned> producers;
  Solution solution;
};
} // namespace

RegionSolver::RegionSolver(const LayoutGraph &graph) : graph(graph) {
  for (const OpLayout &rule : graph.getTarget().layouts) {
    if (!rule.required || rule.choices.empty())
      continue;
    if (data.empty())
      data = rule.choices.front().data;
    if (weight.empty())
      weight = rule.choices.front().weight;
  }
  collectProducers();
  keepApart();
}

void RegionSolver::collectProducers() {
  for (auto [i, node] : llvm::enumerate(graph.getNodes()))
    for (const LayoutNodePort &port : node.ports)
      if (!port.use && port.tensor)
        producers[*port.tensor] = i;
}

void RegionSolver::keepApart() {
  regions.resize(graph.getNodes().size());
  for (auto [i, region] : llvm::enumerate(regions))
    region = i;
  chooseStates();
}

LayoutAttr RegionSolver::getLayout(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? dyn_cast_if_present<LayoutAttr>(type.getEncoding())
              : LayoutAttr();
}

std::optional<AtomSequence> RegionSolver::getWantedOrder(Value value) const {
  LayoutAttr layout = getLayout(value);
  if (!layout)
    return std::nullopt;
  LayoutClass layoutClass = layout.getLayout().getClass();
  const std::string &wanted =
      layoutClass == LayoutClass::Weight ? weight : data;
  if (wanted.empty() || (layoutClass != LayoutClass::Feature &&
                         layoutClass != LayoutClass::Weight))
    return std::nullopt;
  auto element = getOnnxElementType(
      cast<RankedTensorType>(value.getType()).getElementType());
  return graph.getTarget().getOrder(wanted, layout.getLayout().getAxes(),
                                    element ? getName(*element) : StringRef());
}

/// What distinguishes a storage order from others, whatever its padding holds.
static AtomSequence getKeyOfPlaces(ArrayRef<Atom> order, Value value) {
  return getStorageKey(withPadding(order, Padding::Any),
                       cast<RankedTensorType>(value.getType()).getShape());
}

bool RegionSolver::isWanted(const LayoutNodePort &port, LabelId label) const {
  const LayoutTensor &entry = graph.getTensors()[*port.tensor];
  std::optional<AtomSequence> wanted = getWantedOrder(entry.value);
  return wanted && getKeyOfPlaces(*wanted, entry.value) ==
                       getKeyOfPlaces(graph.getOrders()[entry.orders[label]],
                                      entry.value);
}

/// The label that stands for the wanted order, where the tensor has one.
std::optional<LabelId> RegionSolver::findWantedLabel(unsigned tensor) const {
  const LayoutTensor &entry = graph.getTensors()[tensor];
  std::optional<AtomSequence> wanted = getWantedOrder(entry.value);
  if (!wanted)
    return std::nullopt;
  // Orders that differ in dimensions of one element only are one label.
  AtomSequence key = getKeyOfPlaces(*wanted, entry.value);
  for (auto [label, order] : llvm::enumerate(entry.orders))
    if (getKeyOfPlaces(graph.getOrders()[order], entry.value) == key)
      return label;
  return std::nullopt;
}

/// NTensors are Tensors here.
LayoutClass RegionSolver::getClass(Value value) {
  LayoutAttr layout = getLayout(value);
  LayoutClass own =
      layout ? layout.getLayout().getClass() : LayoutClass::Tensor;
  return own == LayoutClass::NTensor ? LayoutClass::Tensor : own;
}

/// Transposes change what the axes mean: each is for itself.
bool RegionSolver::standsAlone(const LayoutNode &node) {
  return node.tie || isa<TransposeOp>(node.op);
}

LayoutClass RegionSolver::getClass(const LayoutNode &node) const {
  if (standsAlone(node))
    return LayoutClass::Tensor;
  for (const LayoutNodePort &port : node.ports)
    if (!port.use && getLayout(port.value))
      return getClass(port.value);
  return LayoutClass::Tensor;
}

/// The first state in which every result is stored as the target wants it, and
/// of those the one that wants the most operands so.
std::optional<StateId>
RegionSolver::findWantedState(const LayoutNode &node) const {
  std::optional<StateId> best;
  unsigned most = 0;
  for (auto [state, form] : llvm::enumerate(node.forms)) {
    bool fits = true;
    unsigned count = 1;
    for (auto [port, label] : llvm::zip_equal(node.ports, form.labels)) {
      // Results that nothing reads (indices, masks) have no say.
      if (!port.tensor || !getWantedOrder(port.value) || port.value.use_empty())
        continue;
      bool wanted = isWanted(port, label);
      fits &= port.use || wanted;
      count += wanted;
    }
    if (fits && count > most) {
      best = state;
      most = count;
    }
  }
  return best;
}

/// What the model says: operands row-major, and results too unless the node is
/// a transpose.
StateId RegionSolver::findRowMajorState(const LayoutNode &node) const {
  for (auto [state, form] : llvm::enumerate(node.forms))
    if (llvm::all_of(llvm::zip_equal(node.ports, form.labels), [](auto pair) {
          auto &[port, label] = pair;
          return !port.use || label == 0;
        }))
      return state;
  return 0;
}

void RegionSolver::chooseStates() {
  classes.clear();
  chosen.clear();
  for (const LayoutNode &node : graph.getNodes()) {
    classes.push_back(getClass(node));
    chosen.push_back(node.isKey ? findWantedState(node).value_or(0)
                                : findRowMajorState(node));
  }
}

Solution RegionSolver::solve() {
  solution.states.assign(graph.getProblem().getNumVariables(), 0);
  for (auto [node, state] : llvm::zip_equal(graph.getNodes(), chosen))
    if (node.var)
      solution.states[*node.var] = state;
  writeRelayouts();
  return std::move(solution);
}

//===----------------------------------------------------------------------===//
// Classification
//===----------------------------------------------------------------------===//

void RegionSolver::joinByClass() {
  // An operation that cannot work in the order of its class is not of it.
  for (auto [i, node] : llvm::enumerate(graph.getNodes())) {
    if (classes[i] == LayoutClass::Tensor)
      continue;
    if (std::optional<StateId> state = findWantedState(node))
      chosen[i] = *state;
    else
      classes[i] = LayoutClass::Tensor;
  }
  joinNeighbours();
}

/// Makes one region of nodes and inputs of one kind that follow each other:
/// Features and Weights are of one kind (CNN), Tensors of the other.
void RegionSolver::joinNeighbours() {
  ArrayRef<LayoutNode> nodes = graph.getNodes();
  // Inputs of the function come behind the nodes, by number of the tensor.
  llvm::IntEqClasses sets(nodes.size() + graph.getTensors().size());
  auto areAlike = [](LayoutClass a, LayoutClass b) {
    return (a == LayoutClass::Tensor) == (b == LayoutClass::Tensor);
  };
  for (auto [i, node] : llvm::enumerate(nodes)) {
    if (standsAlone(node))
      continue;
    for (const LayoutNodePort &port : node.ports) {
      if (!port.use || !port.tensor)
        continue;
      auto it = producers.find(*port.tensor);
      if (it == producers.end()) {
        if (isa<BlockArgument>(port.value) &&
            areAlike(getClass(port.value), classes[i]))
          sets.join(i, nodes.size() + *port.tensor);
      } else if (!standsAlone(nodes[it->second]) &&
                 areAlike(classes[it->second], classes[i])) {
        sets.join(i, it->second);
      }
    }
  }
  for (auto [i, region] : llvm::enumerate(regions))
    region = sets.findLeader(i);
}

/// How the node that defines a tensor stores it; an input of a class is taken
/// in the order of the class.
std::optional<LabelId> RegionSolver::getProducedLabel(unsigned tensor) const {
  auto it = producers.find(tensor);
  if (it == producers.end())
    return findWantedLabel(tensor);
  const LayoutNode &node = graph.getNodes()[it->second];
  for (auto [port, label] :
       llvm::zip_equal(node.ports, node.forms[chosen[it->second]].labels))
    if (!port.use && port.tensor == tensor)
      return label;
  return std::nullopt;
}

/// All inputs of the region come from Feature or Weight regions and have the
/// same layout; none is an input or a constant of class Tensor.
bool RegionSolver::canMerge(ArrayRef<unsigned> region) const {
  LayoutAttr common;
  bool hasInput = false;
  for (unsigned index : region) {
    for (const LayoutNodePort &port : graph.getNodes()[index].ports) {
      if (!port.use || !isa<RankedTensorType>(port.value.getType()))
        continue;
      auto it = port.tensor ? producers.find(*port.tensor) : producers.end();
      if (it != producers.end() && regions[it->second] == regions[index])
        continue;
      LayoutAttr layout = getLayout(port.value);
      bool isLeaf = isa<BlockArgument>(port.value) ||
                    port.value.getDefiningOp<ConstantOp>();
      LayoutClass source = isLeaf                  ? getClass(port.value)
                           : it == producers.end() ? LayoutClass::Tensor
                                                   : classes[it->second];
      if (source == LayoutClass::Tensor)
        return false;
      if (common && layout != common)
        return false;
      common = layout;
      hasInput = true;
    }
  }
  return hasInput;
}

/// The state in which a node takes its operands as their producers store them.
std::optional<StateId> RegionSolver::findFollowingState(unsigned index) const {
  const LayoutNode &node = graph.getNodes()[index];
  for (auto [state, form] : llvm::enumerate(node.forms)) {
    bool follows = true;
    for (auto [port, label] : llvm::zip_equal(node.ports, form.labels))
      if (port.use && port.tensor)
        if (std::optional<LabelId> made = getProducedLabel(*port.tensor))
          follows &= *made == label;
    if (follows)
      return state;
  }
  return std::nullopt;
}

/// Lets the nodes of a region follow their producers. Where some do not admit
/// the order nothing changes, and those are `failed`.
bool RegionSolver::followAll(ArrayRef<unsigned> region,
                             DenseSet<unsigned> &failed) {
  SmallVector<StateId> before;
  for (unsigned index : region) {
    before.push_back(chosen[index]);
    if (std::optional<StateId> state = findFollowingState(index))
      chosen[index] = *state;
    else
      failed.insert(index);
  }
  if (failed.empty())
    return true;
  for (auto [index, state] : llvm::zip_equal(region, before))
    chosen[index] = state;
  return false;
}

/// Calls fn(producer) for each node that defines an operand of `index`.
template <typename Fn>
void RegionSolver::forEachProducer(unsigned index, Fn &&fn) const {
  for (const LayoutNodePort &port : graph.getNodes()[index].ports)
    if (port.use && port.tensor)
      if (auto it = producers.find(*port.tensor); it != producers.end())
        fn(it->second);
}

/// From now on the region is of the class of what it reads.
void RegionSolver::joinInputs(ArrayRef<unsigned> region) {
  LayoutClass joined = LayoutClass::Feature;
  for (unsigned index : region)
    forEachProducer(index, [&](unsigned producer) {
      if (classes[producer] != LayoutClass::Tensor)
        joined = classes[producer];
    });
  for (unsigned index : region)
    classes[index] = joined;
}

/// Takes those that cannot follow out of a region; gives what is left of it.
SmallVector<SmallVector<unsigned>>
RegionSolver::split(ArrayRef<unsigned> region,
                    const DenseSet<unsigned> &failed) {
  DenseMap<unsigned, unsigned> positions;
  for (auto [i, index] : llvm::enumerate(region))
    positions[index] = i;
  llvm::IntEqClasses sets(region.size());
  for (unsigned index : region)
    if (!failed.contains(index))
      forEachProducer(index, [&](unsigned producer) {
        if (auto it = positions.find(producer);
            it != positions.end() && !failed.contains(producer))
          sets.join(positions[index], it->second);
      });
  llvm::MapVector<unsigned, SmallVector<unsigned>> parts;
  for (unsigned index : region) {
    regions[index] = index;
    if (!failed.contains(index))
      parts[sets.findLeader(positions[index])].push_back(index);
  }
  SmallVector<SmallVector<unsigned>> rest;
  for (auto &[leader, part] : parts) {
    for (unsigned index : part)
      regions[index] = part.front();
    rest.push_back(std::move(part));
  }
  return rest;
}

void RegionSolver::mergeTensorRegions() {
  // Regions in the order of their first nodes, which is topological.
  std::map<unsigned, SmallVector<unsigned>> open;
  for (auto [i, node] : llvm::enumerate(graph.getNodes()))
    if (classes[i] == LayoutClass::Tensor && !standsAlone(node))
      open[regions[i]].push_back(i);
  while (!open.empty()) {
    SmallVector<unsigned> region = std::move(open.begin()->second);
    open.erase(open.begin());
    if (!canMerge(region))
      continue;
    DenseSet<unsigned> failed;
    if (followAll(region, failed)) {
      joinInputs(region);
      continue;
    }
    for (SmallVector<unsigned> &part : split(region, failed))
      open[part.front()] = std::move(part);
  }
  joinNeighbours();
}

//===----------------------------------------------------------------------===//
// Relayouts
//===----------------------------------------------------------------------===//

void RegionSolver::writeRelayouts() {
  for (NetId net = 0; net < graph.getProblem().getNumNets(); ++net)
    writeRelayoutsOf(net);
}

void RegionSolver::writeRelayoutsOf(NetId net) {
  const LayoutProblem &problem = graph.getProblem();
  LabelId made = getLabel(problem.getProducer(net));
  if (made == anyLabel)
    return;
  const LayoutTensor &tensor = graph.getTensorOfNet(net);
  constexpr unsigned outside = ~0u;
  auto regionOf = [&](Operation *op) {
    const LayoutNode *node = graph.lookup(op);
    return node ? regions[node - graph.getNodes().data()] : outside;
  };
  unsigned home = tensor.value.getDefiningOp()
                      ? regionOf(tensor.value.getDefiningOp())
                      : outside;
  Relayout back{net, made, 0, {}};
  llvm::MapVector<std::pair<unsigned, unsigned>, Relayout> entering;
  problem.forEachUse(net, [&](UseId use) {
    LabelId wanted = getLabel(problem.getUse(use));
    if (wanted == anyLabel)
      return;
    unsigned region = regionOf(graph.getOperand(use)->getOwner());
    bool isInside = region == home && region != outside;
    if (wanted == made && (isInside || made == 0))
      return;
    if (wanted == 0) {
      back.uses.push_back(use);
      return;
    }
    Relayout &copy = entering
                         .try_emplace({region, wanted},
                                      Relayout{net, LabelId(0), wanted, {}})
                         .first->second;
    copy.uses.push_back(use);
  });
  if (made != 0 && (!back.uses.empty() || !entering.empty()))
    solution.relayouts.push_back(std::move(back));
  for (auto &[key, relayout] : entering)
    solution.relayouts.push_back(std::move(relayout));
}

//===----------------------------------------------------------------------===//
// The strategies
//===----------------------------------------------------------------------===//

Solution inlay::solvePerOp(const LayoutGraph &graph) {
  return RegionSolver(graph).solve();
}

Solution inlay::solveRegion(const LayoutGraph &graph) {
  RegionSolver solver(graph);
  solver.joinByClass();
  return solver.solve();
}

Solution inlay::solveRegionPlus(const LayoutGraph &graph) {
  RegionSolver solver(graph);
  solver.joinByClass();
  solver.mergeTensorRegions();
  return solver.solve();
}

//===----------------------------------------------------------------------===//
// Cancelling
//===----------------------------------------------------------------------===//

/// The copies that one net needs.
static Cost getNetCost(const LayoutProblem &problem, NetId net,
                       ArrayRef<StateId> states) {
  auto getLabel = [&](LayoutPort port) {
    return port.labelOfState[states[port.var]];
  };
  LabelId made = getLabel(problem.getProducer(net));
  Cost cost;
  if (made == anyLabel)
    return cost;
  llvm::SmallBitVector needed(maxLabels);
  problem.forEachUse(net, [&](UseId use) {
    LabelId label = getLabel(problem.getUse(use));
    if (label == anyLabel || label == made || needed.test(label))
      return;
    needed.set(label);
    cost += problem.getCopyCost(net, made, label);
  });
  return cost;
}

static void chooseBestState(const LayoutGraph &graph, const LayoutNode &node,
                            std::vector<StateId> &states) {
  const LayoutProblem &problem = graph.getProblem();
  auto getCost = [&](StateId state) {
    states[*node.var] = state;
    Cost cost = problem.getStateCost(*node.var, state);
    for (const LayoutNodePort &port : node.ports)
      if (port.tensor && graph.getTensors()[*port.tensor].net)
        cost +=
            getNetCost(problem, *graph.getTensors()[*port.tensor].net, states);
    return cost;
  };
  StateId best = states[*node.var];
  Cost least = getCost(best);
  for (size_t state = 0; state < node.forms.size(); ++state)
    if (Cost cost = getCost(state);
        isCheaper(cost, least, problem.getObjective())) {
      best = state;
      least = cost;
    }
  states[*node.var] = best;
}

Solution inlay::cancelRelayouts(const LayoutGraph &graph,
                                const Solution &solution) {
  Solution cancelled;
  cancelled.states = solution.states;
  for (const LayoutNode &node : graph.getNodes())
    if (node.var && isa<TransposeOp>(node.op))
      chooseBestState(graph, node, cancelled.states);
  cancelled.relayouts = completeRelayouts(graph.getProblem(), cancelled.states);
  return cancelled;
}
