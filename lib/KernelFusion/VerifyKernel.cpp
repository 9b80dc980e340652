//===- VerifyKernel.cpp - What must hold of one kernel --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of docs/RationaleKernels.md, section "What a kernel is", point
// by point:
//
//   1. Its operators have classes that go together, and no rule that they need
//      is switched off.
//   2. Nothing that must be known before an operator starts is computed inside.
//   3. What is in front of a contraction or window stays inside.
//   4. Forward, each value gets the place where its elements are computed, and
//      operators find the elements that they need at their own place.
//   5. From one value of the iteration space, links between values whose
//      elements correspond are followed; what is left out is in another space.
//   6. Limits hold.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Origin.h"
#include "inlay/KernelFusion/VerifyKernels.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

using Node = KernelGraph::Node;
using Operand = KernelGraph::Operand;
static constexpr unsigned none = KernelGraph::none;

static llvm::Error fault(const llvm::Twine &text) {
  return makeError(ExitCode::Internal, "kernels: " + text);
}

static std::string quote(const KernelGraph &graph, unsigned node) {
  if (mlir::Operation *op = graph[node].ref)
    return "'" + getNodeName(op) + "'";
  return "operator " + std::to_string(node);
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

namespace {
/// Where the elements of a value are computed.
struct Place {
  enum Kind : uint8_t {
    /// Wherever they are needed: nothing of the kernel's contraction, window or
    /// reductions is in them.
    Anywhere,
    /// Once per row: a result of a reduction, or computed from such ones only.
    PerRow,
    /// Once, with the elements of the value `like`.
    PerElement,
  };
  Kind kind = Anywhere;
  unsigned like = none;

  bool operator==(const Place &) const = default;
};

class KernelVerifier {
public:
  KernelVerifier(const KernelGraph &graph, const KernelTarget &target,
                 llvm::ArrayRef<unsigned> nodes)
      : graph(graph), target(target), nodes(nodes),
        members(nodes.begin(), nodes.end()) {}

  llvm::Error run();

private:
  llvm::Error checkClasses();
  llvm::Error checkSwitches();
  llvm::Error checkParameters();
  llvm::Error checkFront();
  llvm::Error checkPlaces();
  llvm::Error checkSpace();
  llvm::Error checkLimits();

  llvm::Expected<Place> findPlace(unsigned node);
  llvm::Expected<Place> findPlaceBehind(unsigned node);
  llvm::Expected<Place> findMovedPlace(unsigned node);
  bool isSpreadRow(unsigned node, const Operand &operand, Place place) const;
  Place getPlace(unsigned value) const;

  void link(unsigned a, unsigned b);
  void linkOperands(unsigned node);
  void linkParts(llvm::ArrayRef<unsigned> parts);
  void follow(unsigned from);

  bool isComputedInside(unsigned value) const {
    unsigned producer = graph.getRoot(value).producer;
    return producer != none && members.contains(producer);
  }
  bool leaves(unsigned result) const;
  bool isHeavy() const { return anchor != none || !reductions.empty(); }
  llvm::Error fail(unsigned node, const llvm::Twine &text) const {
    return fault("with " + quote(graph, node) + ", one " + text);
  }
  llvm::Error require(KernelRule rule, unsigned node) const;

  const KernelGraph &graph;
  const KernelTarget &target;
  llvm::ArrayRef<unsigned> nodes;
  llvm::DenseSet<unsigned> members;
  /// The contraction or window.
  unsigned anchor = none;
  llvm::SmallVector<unsigned> reductions;
  /// A value of the iteration space: the contraction's or window's result, or
  /// what is reduced.
  unsigned space = none;
  /// Whether what a reduction gives is used in the elements of the row again.
  bool reuses = false;
  /// Of values that are no views.
  llvm::DenseMap<unsigned, Place> places;
  /// Values whose elements correspond one to one.
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 4>> links;
  /// Values of the iteration space.
  llvm::DenseSet<unsigned> inSpace;
};
} // namespace

bool KernelVerifier::leaves(unsigned result) const {
  const KernelGraph::Value &value = graph.getValue(result);
  return value.escapes || llvm::any_of(value.users, [&](unsigned user) {
           return !members.contains(user);
         });
}

llvm::Error KernelVerifier::require(KernelRule rule, unsigned node) const {
  if (target.allows(rule))
    return llvm::Error::success();
  return fail(node, "needs the rule '" + getKernelRuleNames()[unsigned(rule)] +
                        "', which is switched off");
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

llvm::Error KernelVerifier::checkClasses() {
  for (unsigned node : nodes) {
    if (graph[node].kind == FusionClass::Opaque)
      return fail(node, "computes what no rule knows");
    if (graph[node].kind == FusionClass::Reduce)
      reductions.push_back(node);
    if (!graph[node].isAnchor())
      continue;
    if (anchor != none)
      return fail(node, "has a second contraction or window");
    anchor = node;
  }
  if (anchor != none && !reductions.empty())
    return fail(reductions.front(), "reduces beside a contraction or window");
  if (anchor != none)
    space = graph[anchor].results.front();
  else if (!reductions.empty())
    space = graph[reductions.front()].operands.front().value;
  return llvm::Error::success();
}

llvm::Error KernelVerifier::checkSwitches() {
  static constexpr std::pair<FusionClass, KernelRule> rules[] = {
      {FusionClass::Reduce, KernelRule::Reduce},
      {FusionClass::Broadcast, KernelRule::Broadcast},
      {FusionClass::Transform, KernelRule::Transform}};
  for (unsigned node : nodes)
    for (auto [kind, rule] : rules)
      if (graph[node].kind == kind)
        if (llvm::Error error = require(rule, node))
          return error;
  return llvm::Error::success();
}

llvm::Error KernelVerifier::checkParameters() {
  for (unsigned node : nodes)
    for (const Operand &operand : graph[node].operands)
      if (operand.link == ElementLink::Parameter &&
          isComputedInside(operand.value))
        return fail(node, "computes a parameter that must be known before");
  return llvm::Error::success();
}

/// Walks up from the contraction or window. All that is not reached stands
/// behind it, or beside what does.
llvm::Error KernelVerifier::checkFront() {
  if (anchor == none)
    return llvm::Error::success();
  llvm::DenseSet<unsigned> front;
  llvm::SmallVector<unsigned> work = {anchor};
  while (!work.empty()) {
    unsigned user = work.pop_back_val();
    for (const Operand &operand : graph[user].operands)
      if (isComputedInside(operand.value))
        if (unsigned node = graph.getRoot(operand.value).producer;
            front.insert(node).second)
          work.push_back(node);
  }
  for (unsigned node : nodes) {
    bool isFront = front.contains(node);
    if (node != anchor)
      if (llvm::Error error = require(
              isFront ? KernelRule::Prologue : KernelRule::Epilogue, node))
        return error;
    if (isFront && llvm::any_of(graph[node].results, [&](unsigned result) {
          return leaves(result);
        }))
      return fail(node, "is left by what a contraction or window reads");
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// A view has its elements in the order of what it is a view of. Rows stay
/// rows, whatever shape their list is in; elements of a space have other
/// coordinates, so that only the view itself is like it.
Place KernelVerifier::getPlace(unsigned value) const {
  unsigned root = graph.getValue(value).root;
  auto it = places.find(root);
  if (it == places.end())
    return {};
  if (root != value && it->second.kind == Place::PerElement)
    return {Place::PerElement, value};
  return it->second;
}

/// Whether a number per row is used in all elements of that row: it is repeated
/// along what was reduced and nothing else, in the shape of the space.
bool KernelVerifier::isSpreadRow(unsigned node, const Operand &operand,
                                 Place place) const {
  unsigned result = graph[node].results.front();
  return place.kind == Place::PerRow &&
         operand.link == ElementLink::Broadcast &&
         operand.spread == graph[reductions.front()].reduced &&
         graph.getValue(result).shape == graph.getValue(space).shape;
}

/// Of an elementwise operator or one that repeats: its operands' elements are
/// at one place, and that is its own.
llvm::Expected<Place> KernelVerifier::findPlaceBehind(unsigned node) {
  Place own;
  for (const Operand &operand : graph[node].operands) {
    Place place = getPlace(operand.value);
    if (place.kind == Place::Anywhere)
      continue;
    if (isSpreadRow(node, operand, place)) {
      place = {Place::PerElement, space};
      reuses = true;
      link(graph[node].results.front(), space);
    } else if (operand.link != ElementLink::Same) {
      return fail(node, "needs elements of other places");
    }
    if (own.kind != Place::Anywhere && own != place)
      return fail(node, "combines elements of different places");
    own = place;
  }
  return own;
}

/// Of an operator that moves elements: each has one new place.
llvm::Expected<Place> KernelVerifier::findMovedPlace(unsigned node) {
  Place own;
  for (const Operand &operand : graph[node].operands) {
    if (getPlace(operand.value).kind == Place::Anywhere)
      continue;
    if (operand.link != ElementLink::Moved)
      return fail(node, "moves a part of what it must move as a whole");
    own = {Place::PerElement, graph[node].results.front()};
  }
  return own;
}

llvm::Expected<Place> KernelVerifier::findPlace(unsigned node) {
  switch (graph[node].kind) {
  case FusionClass::Contraction:
  case FusionClass::Window:
    return Place{Place::PerElement, space};
  case FusionClass::Reduce: {
    Place place = getPlace(graph[node].operands.front().value);
    if (place != Place() && place != Place{Place::PerElement, space})
      return fail(node, "reduces elements of other places");
    if (graph[node].reduced != graph[reductions.front()].reduced)
      return fail(node, "reduces other dimensions");
    return Place{Place::PerRow, none};
  }
  case FusionClass::Transform:
    return findMovedPlace(node);
  default:
    return findPlaceBehind(node);
  }
}

llvm::Error KernelVerifier::checkPlaces() {
  if (!isHeavy())
    return llvm::Error::success();
  for (unsigned node : nodes) {
    llvm::Expected<Place> place = findPlace(node);
    if (!place)
      return place.takeError();
    if (place->kind != Place::Anywhere)
      for (unsigned result : graph[node].results)
        places[result] = *place;
  }
  return reuses ? require(KernelRule::Reuse, reductions.front())
                : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The iteration space
//===----------------------------------------------------------------------===//

/// A constant is in no space: who shares it has nothing else in common.
void KernelVerifier::link(unsigned a, unsigned b) {
  if (graph.getValue(a).isConstant || graph.getValue(b).isConstant)
    return;
  links[a].push_back(b);
  links[b].push_back(a);
}

/// Parts of one shape are computed together, element by element.
void KernelVerifier::linkParts(llvm::ArrayRef<unsigned> parts) {
  llvm::DenseMap<unsigned, unsigned> firstOfShape;
  for (unsigned part : parts)
    if (!graph.getValue(part).isConstant)
      link(part, firstOfShape.try_emplace(graph.getValue(part).shape, part)
                     .first->second);
}

/// Rows are known by their coordinates, which a move or a view changes: beside
/// reductions these link nothing.
void KernelVerifier::linkOperands(unsigned index) {
  const Node &node = graph[index];
  bool mayMove = reductions.empty();
  llvm::SmallVector<unsigned> parts;
  for (const Operand &operand : node.operands) {
    if (operand.link == ElementLink::Same ||
        (operand.link == ElementLink::Moved && mayMove))
      link(operand.value, node.results.front());
    if (mayMove)
      link(operand.value, graph.getValue(operand.value).root);
    if (operand.link == ElementLink::Part)
      parts.push_back(operand.value);
  }
  if (!mayMove || node.kind != FusionClass::Transform)
    return;
  linkParts(parts);
  linkParts(node.results);
}

void KernelVerifier::follow(unsigned from) {
  llvm::SmallVector<unsigned> work = {from};
  inSpace.insert(from);
  while (!work.empty()) {
    unsigned value = work.pop_back_val();
    for (unsigned other : links.lookup(value))
      if (inSpace.insert(other).second)
        work.push_back(other);
  }
}

llvm::Error KernelVerifier::checkSpace() {
  for (unsigned node : nodes)
    linkOperands(node);
  if (isHeavy())
    follow(space);
  for (unsigned node : reductions)
    if (!inSpace.contains(graph[node].operands.front().value))
      return fail(node, "reduces another space");
  for (unsigned node : nodes)
    for (unsigned result : graph[node].results) {
      if (!leaves(result) || places.contains(result))
        continue;
      if (inSpace.empty())
        follow(result);
      if (!inSpace.contains(result))
        return fail(node, "has results of two spaces");
    }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

llvm::Error KernelVerifier::checkLimits() {
  llvm::DenseSet<unsigned> inputs;
  uint64_t numOutputs = 0, row = 0;
  for (unsigned node : nodes) {
    for (const Operand &operand : graph[node].operands)
      if (!isComputedInside(operand.value) &&
          !graph.getValue(operand.value).isConstant)
        inputs.insert(graph.getValue(operand.value).root);
    for (unsigned result : graph[node].results)
      numOutputs += leaves(result);
    if (reuses)
      row = std::max(row, graph[node].rowLength);
  }
  std::tuple<std::optional<uint64_t>, uint64_t, llvm::StringRef> limits[] = {
      {target.limits.ops, nodes.size(), "operators"},
      {target.limits.row, row, "elements in a row"},
      {target.limits.inputs, inputs.size(), "inputs"},
      {target.limits.outputs, numOutputs, "outputs"}};
  for (auto [limit, found, what] : limits)
    if (limit && found > *limit)
      return fail(nodes.front(), "has " + llvm::Twine(found) + " " + what +
                                     ", at most " + llvm::Twine(*limit) +
                                     " are allowed");
  return llvm::Error::success();
}

llvm::Error KernelVerifier::run() {
  if (nodes.size() <= 1)
    return llvm::Error::success();
  for (auto check :
       {&KernelVerifier::checkClasses, &KernelVerifier::checkSwitches,
        &KernelVerifier::checkParameters, &KernelVerifier::checkFront,
        &KernelVerifier::checkPlaces, &KernelVerifier::checkSpace,
        &KernelVerifier::checkLimits})
    if (llvm::Error error = (this->*check)())
      return error;
  return llvm::Error::success();
}

llvm::Error inlay::verifyKernel(const KernelGraph &graph,
                                const KernelTarget &target,
                                llvm::ArrayRef<unsigned> nodes) {
  return KernelVerifier(graph, target, nodes).run();
}
