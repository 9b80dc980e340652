//===- KernelRules.cpp - What one kernel may hold -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/KernelFusion/KernelRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

using Code = KernelReasonCode;
using Node = KernelGraph::Node;
static constexpr unsigned none = KernelGraph::none;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

KernelRules::ValueState &KernelRules::getState(unsigned value) {
  ValueState &state = states[value];
  if (state.epoch != epoch)
    state = {epoch, value, nowhere};
  return state;
}

unsigned KernelRules::find(unsigned value) {
  while (getState(value).parent != value) {
    unsigned next = getState(states[value].parent).parent;
    states[value].parent = next;
    value = next;
  }
  return value;
}

/// Constants belong to no space: they are shared without being related.
void KernelRules::unite(unsigned a, unsigned b) {
  if (graph.getValue(a).isConstant || graph.getValue(b).isConstant)
    return;
  a = find(a);
  b = find(b);
  getState(std::max(a, b)).parent = std::min(a, b);
}

bool KernelRules::leaves(unsigned result) const {
  const KernelGraph::Value &value = graph.getValue(result);
  return value.escapes || llvm::any_of(value.users, [&](unsigned user) {
           return !isMember(user);
         });
}

/// Where `value` is computed; nowhere in particular unless it depends on the
/// contraction, window or reductions of the kernel. A view lists the same
/// elements in the same order, but under other coordinates. For a number per
/// row only the order counts, so that a view of it is still one per row. All
/// else is somewhere else than what it is a view of, as if it were moved.
KernelRules::Place KernelRules::getPlace(unsigned value) {
  unsigned root = graph.getValue(value).root;
  unsigned producer = graph.getValue(root).producer;
  if (producer == none || !isMember(producer))
    return nowhere;
  Place own = getState(root).place;
  if (root == value || own == nowhere || own == row)
    return own;
  ValueState &state = getState(value);
  if (state.place == nowhere)
    state.place = nextMoved++;
  return state.place;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

KernelRules::Reason KernelRules::classify(llvm::ArrayRef<unsigned> nodes) {
  anchor = none;
  reduces.clear();
  for (unsigned node : nodes) {
    if (graph[node].kind == FusionClass::Opaque)
      return KernelReason{Code::Opaque, node};
    if (graph[node].kind == FusionClass::Reduce)
      reduces.push_back(node);
    if (!graph[node].isAnchor())
      continue;
    if (anchor != none)
      return KernelReason{Code::SecondContraction, node};
    anchor = node;
  }
  if (anchor != none && !reduces.empty())
    return KernelReason{Code::ReduceWithContraction, reduces.front()};
  return std::nullopt;
}

KernelRules::Reason KernelRules::checkRules(llvm::ArrayRef<unsigned> nodes) {
  auto refuse = [](KernelRule rule, unsigned node) {
    return KernelReason{Code::RuleOff, node, 0, uint64_t(rule)};
  };
  for (unsigned node : nodes) {
    switch (graph[node].kind) {
    case FusionClass::Reduce:
      if (!target.allows(KernelRule::Reduce))
        return refuse(KernelRule::Reduce, node);
      break;
    case FusionClass::Broadcast:
      if (!target.allows(KernelRule::Broadcast))
        return refuse(KernelRule::Broadcast, node);
      break;
    case FusionClass::Transform:
      if (!target.allows(KernelRule::Transform))
        return refuse(KernelRule::Transform, node);
      break;
    default:
      break;
    }
  }
  return std::nullopt;
}

KernelRules::Reason
KernelRules::checkParameters(llvm::ArrayRef<unsigned> nodes) const {
  for (unsigned node : nodes)
    for (const KernelGraph::Operand &operand : graph[node].operands) {
      unsigned producer = graph.getValue(operand.value).producer;
      if (operand.link == ElementLink::Parameter && producer != none &&
          isMember(producer))
        return KernelReason{Code::Parameter, node};
    }
  return std::nullopt;
}

bool KernelRules::mayJoin(unsigned a, unsigned b) const {
  auto isHeavy = [&](unsigned node) {
    return graph[node].isAnchor() || graph[node].kind == FusionClass::Reduce;
  };
  if (graph[a].kind == FusionClass::Opaque ||
      graph[b].kind == FusionClass::Opaque)
    return false;
  if (isHeavy(a) && isHeavy(b) && (graph[a].isAnchor() || graph[b].isAnchor()))
    return false;
  for (const KernelGraph::Operand &operand : graph[b].operands)
    if (operand.link == ElementLink::Parameter &&
        graph.getValue(operand.value).producer == a)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

/// Parts of one shape correspond: one kernel computes the first element of
/// each, then the second of each. So do pieces of one shape that Split gives.
void KernelRules::linkParts(llvm::ArrayRef<unsigned> parts) {
  llvm::SmallDenseMap<unsigned, unsigned> firstOfShape;
  for (unsigned part : parts) {
    if (graph.getValue(part).isConstant)
      continue;
    auto [it, isNew] =
        firstOfShape.try_emplace(graph.getValue(part).shape, part);
    if (!isNew)
      unite(it->second, part);
  }
}

/// Unites values whose elements correspond one to one. Without reductions it
/// does not matter at which coordinates they are: a transpose, a view and the
/// parts of a Concat count, too. With reductions it does, as a row is known by
/// its coordinates.
void KernelRules::linkValues(llvm::ArrayRef<unsigned> nodes) {
  bool linksMoved = reduces.empty();
  llvm::SmallVector<unsigned> parts;
  for (unsigned index : nodes) {
    const Node &node = graph[index];
    parts.clear();
    for (const KernelGraph::Operand &operand : node.operands) {
      bool isSame = operand.link == ElementLink::Same ||
                    (operand.link == ElementLink::Moved && linksMoved);
      if (isSame)
        unite(operand.value, node.results.front());
      if (linksMoved)
        unite(operand.value, graph.getValue(operand.value).root);
      if (operand.link == ElementLink::Part)
        parts.push_back(operand.value);
    }
    if (!linksMoved || node.kind != FusionClass::Transform)
      continue;
    linkParts(parts);
    linkParts(node.results);
  }
  if (!linksMoved)
    linkRows(nodes);
}

/// Whether `operand` repeats a number per row in all elements of that row.
bool KernelRules::isSpreadRow(const Node &node,
                              const KernelGraph::Operand &operand) {
  return operand.link == ElementLink::Broadcast && operand.spread == reduced &&
         graph.getValue(node.results.front()).shape ==
             graph.getValue(space).shape &&
         getPlace(operand.value) == row;
}

/// What uses a number per row in all elements of the row is in their space, and
/// with it all that it is combined with. Reductions of that may stand before
/// it, so that this is known before places are looked for.
void KernelRules::linkRows(llvm::ArrayRef<unsigned> nodes) {
  for (unsigned index : nodes) {
    const Node &node = graph[index];
    bool isRow = node.kind == FusionClass::Reduce, isSpread = false;
    for (const KernelGraph::Operand &operand : node.operands) {
      isSpread |= isSpreadRow(node, operand);
      isRow |=
          operand.link == ElementLink::Same && getPlace(operand.value) == row;
    }
    if (isSpread)
      unite(node.results.front(), space);
    else if (isRow)
      for (unsigned result : node.results)
        getState(result).place = row;
  }
}

/// What is computed where a contraction or window reads stays inside.
KernelRules::Reason KernelRules::checkPrologue(llvm::ArrayRef<unsigned> nodes) {
  if (anchor == none)
    return std::nullopt;
  llvm::SmallDenseSet<unsigned, 16> before = {anchor};
  for (unsigned node : llvm::reverse(nodes)) {
    bool isBefore = llvm::any_of(
        graph[node].succ, [&](unsigned user) { return before.contains(user); });
    if (node == anchor || !isBefore)
      continue;
    if (!target.allows(KernelRule::Prologue))
      return KernelReason{Code::RuleOff, node, 0,
                          uint64_t(KernelRule::Prologue)};
    before.insert(node);
    for (unsigned result : graph[node].results)
      if (leaves(result))
        return KernelReason{Code::UsedElsewhere, node};
  }
  if (before.size() < nodes.size() && !target.allows(KernelRule::Epilogue))
    for (unsigned node : nodes)
      if (!before.contains(node))
        return KernelReason{Code::RuleOff, node, 0,
                            uint64_t(KernelRule::Epilogue)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

KernelRules::Reason KernelRules::placeReduce(unsigned index) {
  const Node &node = graph[index];
  unsigned operand = node.operands.front().value;
  if (find(operand) != find(space) || node.reduced != reduced)
    return KernelReason{Code::OtherRows, index};
  if (Place own = getPlace(operand); own != nowhere && own != whole)
    return KernelReason{Code::OtherRows, index};
  for (unsigned result : node.results)
    getState(result).place = row;
  return std::nullopt;
}

KernelRules::Reason KernelRules::placeElementwise(unsigned index) {
  const Node &node = graph[index];
  Place found = nowhere;
  for (const KernelGraph::Operand &operand : node.operands) {
    Place own = getPlace(operand.value);
    if (own == nowhere)
      continue;
    if (!reduces.empty() && isSpreadRow(node, operand)) {
      own = whole;
      reuses = true;
    } else if (operand.link != ElementLink::Same) {
      return KernelReason{Code::OtherElements, index};
    }
    if (found != nowhere && found != own)
      return KernelReason{Code::OtherElements, index};
    found = own;
  }
  for (unsigned each : node.results)
    getState(each).place = found;
  return std::nullopt;
}

KernelRules::Reason KernelRules::placeMoved(unsigned index) {
  const Node &node = graph[index];
  bool depends = false;
  for (const KernelGraph::Operand &operand : node.operands) {
    if (getPlace(operand.value) == nowhere)
      continue;
    depends = true;
    if (operand.link != ElementLink::Moved)
      return KernelReason{Code::OtherElements, index};
  }
  for (unsigned result : node.results)
    if (depends)
      getState(result).place = nextMoved++;
  return std::nullopt;
}

KernelRules::Reason KernelRules::place(llvm::ArrayRef<unsigned> nodes) {
  nextMoved = firstMoved;
  reuses = false;
  for (unsigned node : nodes) {
    Reason reason;
    switch (graph[node].kind) {
    case FusionClass::Contraction:
    case FusionClass::Window:
      for (unsigned result : graph[node].results)
        getState(result).place = whole;
      break;
    case FusionClass::Reduce:
      reason = placeReduce(node);
      break;
    case FusionClass::Elementwise:
    case FusionClass::Broadcast:
      reason = placeElementwise(node);
      break;
    default:
      reason = placeMoved(node);
      break;
    }
    if (reason)
      return reason;
  }
  if (reuses && !target.allows(KernelRule::Reuse))
    return KernelReason{Code::RuleOff, reduces.front(), 0,
                        uint64_t(KernelRule::Reuse)};
  return std::nullopt;
}

KernelRules::Reason KernelRules::checkOutputs(llvm::ArrayRef<unsigned> nodes) {
  bool isHeavy = space != none;
  unsigned common = space;
  for (unsigned node : nodes)
    for (unsigned result : graph[node].results) {
      if (!leaves(result))
        continue;
      if (isHeavy && getPlace(result) != nowhere)
        continue;
      if (common == none)
        common = result;
      if (find(result) != find(common))
        return KernelReason{Code::OtherSpace, node};
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

KernelRules::Reason KernelRules::checkLimits(llvm::ArrayRef<unsigned> nodes) {
  auto exceeds = [](const std::optional<uint64_t> &limit, uint64_t found) {
    return limit && found > *limit;
  };
  if (exceeds(target.limits.ops, nodes.size()))
    return KernelReason{Code::Ops, nodes.back(), *target.limits.ops,
                        nodes.size()};
  if (reuses && exceeds(target.limits.row, graph[reduces.front()].rowLength))
    return KernelReason{Code::Row, reduces.front(), *target.limits.row,
                        graph[reduces.front()].rowLength};
  if (!target.limits.inputs && !target.limits.outputs)
    return std::nullopt;
  uint64_t numInputs = 0, numOutputs = 0;
  visitBorder(
      graph, nodes, [&](unsigned node) { return isMember(node); },
      [&](unsigned id) { numInputs += !graph.getValue(id).isConstant; },
      [&](unsigned, bool leaves) { numOutputs += leaves; });
  if (exceeds(target.limits.inputs, numInputs))
    return KernelReason{Code::Inputs, nodes.back(), *target.limits.inputs,
                        numInputs};
  if (exceeds(target.limits.outputs, numOutputs))
    return KernelReason{Code::Outputs, nodes.back(), *target.limits.outputs,
                        numOutputs};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

KernelRules::Reason KernelRules::check(llvm::ArrayRef<unsigned> nodes) {
  if (nodes.size() <= 1)
    return std::nullopt;
  ++epoch;
  for (unsigned node : nodes)
    memberOf[node] = epoch;
  if (Reason reason = classify(nodes))
    return reason;
  space = none;
  if (anchor != none)
    space = graph[anchor].results.front();
  else if (!reduces.empty())
    space = graph[reduces.front()].operands.front().value;
  reduced = reduces.empty() ? 0 : graph[reduces.front()].reduced;
  if (Reason reason = checkRules(nodes))
    return reason;
  if (Reason reason = checkParameters(nodes))
    return reason;
  linkValues(nodes);
  if (Reason reason = checkPrologue(nodes))
    return reason;
  if (Reason reason = place(nodes))
    return reason;
  if (Reason reason = checkOutputs(nodes))
    return reason;
  return checkLimits(nodes);
}
