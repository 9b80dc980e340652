//===- HDFG.cpp - The pipeline of a target as a graph ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/HDFG.h"
#include "inlay/HardwareFusion/OpFacts.h"
#include "inlay/IR/Groups.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

HDFG::HDFG(const DataFlow &flow) : flow(&flow), links(flow.stages.size()) {
  start.assign(flow.stages.size(), 0);
  for (auto [i, stage] : llvm::enumerate(flow.stages))
    for (const StageOp &op : stage.ops)
      if (SmallVectorImpl<unsigned> &stages = opMap[op.op];
          stages.empty() || stages.back() != i)
        stages.push_back(i);
  for (const std::string &op : flow.collected)
    collected.insert(op);
}

void HDFG::linkFromTo(unsigned from, unsigned to) { links[from].push_back(to); }

/// The stages that data comes to from `first` on, nearest first.
SmallVector<unsigned, 16>
HDFG::searchBreadthFirst(ArrayRef<unsigned> first) const {
  llvm::BitVector isFound(getNumStages());
  SmallVector<unsigned, 16> found;
  auto add = [&](ArrayRef<unsigned> stages) {
    for (unsigned stage : stages)
      if (!isFound.test(stage)) {
        isFound.set(stage);
        found.push_back(stage);
      }
  };
  add(first);
  for (unsigned i = 0; i < found.size(); ++i)
    if (flow->stages[found[i]].bypass)
      add(links[found[i]]);
  return found;
}

HDFG HDFG::create(const DataFlow &flow) {
  HDFG graph(flow);
  for (auto [from, targets] : llvm::enumerate(flow.links))
    for (unsigned to : targets)
      graph.linkFromTo(from, to);
  unsigned size = graph.getNumStages();
  for (unsigned stage = 0; stage < size; ++stage)
    graph.steps.push_back(graph.searchBreadthFirst(graph.links[stage]));
  graph.steps.push_back(graph.searchBreadthFirst(flow.roots));
  for (ArrayRef<unsigned> steps : graph.steps) {
    llvm::BitVector &bits = graph.reached.emplace_back(size);
    for (unsigned stage : steps)
      bits.set(stage);
  }
  // Warshall's closure over links, whatever may be skipped.
  graph.closure.assign(size, llvm::BitVector(size));
  for (unsigned stage = 0; stage < size; ++stage)
    for (unsigned to : graph.links[stage])
      graph.closure[stage].set(to);
  for (unsigned via = 0; via < size; ++via)
    for (unsigned from = 0; from < size; ++from)
      if (graph.closure[from].test(via))
        graph.closure[from] |= graph.closure[via];
  return graph;
}

bool HDFG::collects(StringRef opType) const {
  switch (flow->collect) {
  case Collect::None:
    return false;
  case Collect::Unmapped:
    return !maps(opType);
  case Collect::Listed:
    return collected.contains(opType);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Which stages take a node
//===----------------------------------------------------------------------===//

static std::vector<StageForm> findStageForms(Operation *op, StringRef opType,
                                             const DataFlow &flow,
                                             ArrayRef<unsigned> stages,
                                             std::string &mismatches) {
  std::vector<StageForm> forms;
  auto note = [&](const Stage &stage, const std::string &text) {
    if (!mismatches.empty())
      mismatches += "; ";
    mismatches += "stage '" + stage.name + "' " + text;
  };
  for (unsigned index : stages) {
    const Stage &stage = flow.stages[index];
    StageForm form;
    std::string text;
    for (const StageOp &candidate : stage.ops) {
      if (candidate.op != opType || !form.data.empty())
        continue;
      std::string mismatch = findMismatch(op, candidate, form.data);
      if (!mismatch.empty())
        text += (text.empty() ? "" : ", ") + mismatch;
    }
    if (form.data.empty()) {
      note(stage, text);
      continue;
    }
    // Pads come before the operator, a bias behind it.
    for (auto [part, where] : stage.uses)
      if (part == OpPart::Pads && hasPart(op, part))
        form.stages.push_back(where);
    form.stages.push_back(index);
    for (auto [part, where] : stage.uses)
      if (part != OpPart::Pads && hasPart(op, part))
        form.stages.push_back(where);
    forms.push_back(std::move(form));
  }
  return forms;
}

static bool isUnused(const DFG &graph, unsigned node) {
  return llvm::all_of(graph[node].results, [&](unsigned result) {
    const DFG::Value &value = graph.getValue(result);
    return value.users.empty() && !value.escapes;
  });
}

/// Why no group may take the operator in on the way; empty when one may.
static std::string findCollectObstacle(Operation *op) {
  if (op->getNumRegions() != 0)
    return "has regions";
  if (!isPure(op))
    return "may have side effects";
  if (changesElementType(op))
    return "changes the element type";
  return "";
}

void HDFG::mapNodes(DFG &graph) const {
  using Code = FusionReasonCode;
  for (unsigned i = 0; i < graph.size(); ++i) {
    Operation *op = graph[i].ref;
    std::string type = graph[i].opType;
    auto stages = opMap.find(type);
    if (isFinished(op)) {
      graph.setOutside(i, {Code::Finished, "is compiled for a target already"});
    } else if (isUnused(graph, i)) {
      graph.setOutside(i, {Code::Unused, "nobody uses its results"});
    } else if (stages != opMap.end()) {
      std::string mismatches = findObstacle(op);
      std::vector<StageForm> forms;
      if (mismatches.empty())
        forms = findStageForms(op, type, *flow, stages->second, mismatches);
      if (!forms.empty())
        graph.setForms(i, std::move(forms));
      else
        graph.setOutside(i, {Code::Predicate, mismatches});
    } else if (!collects(type)) {
      graph.setOutside(i, {Code::Unmapped, "no stage takes " + type});
    } else {
      std::string obstacle = findCollectObstacle(op);
      std::string text = "no stage takes " + type;
      if (obstacle.empty())
        graph.setCollectable(
            i,
            {Code::Unmapped, text + ", and no operator of a group needs it"});
      else
        graph.setOutside(i, {Code::Unmapped, text + ", and it " + obstacle});
    }
  }
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

bool HDFG::enter(const StageForm &form, PipelinePlace &place) const {
  PipelinePlace next = place;
  for (unsigned stage : form.stages) {
    if (!canStep(next.last, stage) ||
        next.uses[stage] >= flow->stages[stage].max)
      return false;
    // Where there is no end to uses, places that differ in them are the same.
    if (flow->stages[stage].max != std::numeric_limits<unsigned>::max())
      ++next.uses[stage];
    next.last = stage;
  }
  place = std::move(next);
  return true;
}

static bool takesFlow(const StageForm &form,
                      const llvm::SmallBitVector *flowing) {
  return !flowing || llvm::any_of(form.data, [&](unsigned operand) {
    return flowing->test(operand);
  });
}

std::optional<unsigned> HDFG::findMatch(const DFG::Node &node,
                                        PipelinePlace &place,
                                        const llvm::SmallBitVector *flowing,
                                        FusionReason *reason) const {
  for (unsigned stage : getSteps(place.last))
    for (auto [i, form] : llvm::enumerate(node.forms))
      if (form.stages.front() == stage && takesFlow(form, flowing) &&
          enter(form, place))
        return i;
  if (reason)
    *reason = explain(node, place, llvm::any_of(node.forms, [&](auto &form) {
                        return takesFlow(form, flowing);
                      }));
  return std::nullopt;
}

/// Why none of the node's forms can be entered. One that fails for the number
/// of uses is nearer than one that no link leads to.
FusionReason HDFG::explain(const DFG::Node &node, const PipelinePlace &place,
                           bool hadFlow) const {
  using Code = FusionReasonCode;
  if (!hadFlow)
    return {Code::NoFlow, node.opType + " takes nothing of the group as data"};
  auto name = [&](unsigned stage) {
    return "'" + flow->stages[stage].name + "'";
  };
  std::string text;
  for (const StageForm &form : node.forms) {
    PipelinePlace next = place;
    for (unsigned stage : form.stages) {
      if (!canStep(next.last, stage)) {
        text += text.empty() ? "" : "; ";
        text += (next.last ? "no links lead from stage " + name(*next.last)
                           : std::string("no links lead from the root")) +
                " to stage " + name(stage);
        for (unsigned other = 0; other < getNumStages(); ++other)
          if (!flow->stages[other].bypass && other != stage &&
              leadsTo(other, stage) && canStep(next.last, other))
            text +=
                " without stage " + name(other) + ", which cannot be skipped";
        break;
      }
      if (next.uses[stage] >= flow->stages[stage].max)
        return {Code::StageUses, "stage " + name(stage) + " is used " +
                                     std::to_string(next.uses[stage]) +
                                     " times, at most " +
                                     std::to_string(flow->stages[stage].max)};
      ++next.uses[stage];
      next.last = stage;
    }
  }
  return {Code::Stage, text};
}

std::string HDFG::getStageNames(const StageForm &form) const {
  return llvm::join(
      llvm::map_range(form.stages,
                      [&](unsigned stage) { return flow->stages[stage].name; }),
      "+");
}
