//===- DataFlowLint.cpp - Faults of a data flow as a whole ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataFlowReader.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace inlay;

namespace {
/// Two stages at one distance from where data comes from, the start, and one
/// operator of each: nothing says which of the stages is to take it.
struct Conflict {
  unsigned first, second;
  size_t firstOp, secondOp;
};

class DataFlowLinter {
public:
  DataFlowLinter(const DataFlow &flow, const DataFlowPlaces &places,
                 FaultList &faults)
      : flow(flow), places(places), faults(faults) {}

  void findUnreachable();
  void checkUses();
  void findAmbiguous();

private:
  std::vector<Conflict> getConflicts() const;
  void report(const Conflict &conflict, std::optional<unsigned> start);

  const DataFlow &flow;
  const DataFlowPlaces &places;
  FaultList &faults;
};
} // namespace

/// A stage that must not be skipped stops nothing here: data goes on from it
/// once it has done its work.
void DataFlowLinter::findUnreachable() {
  std::vector<bool> isReached(flow.stages.size());
  std::vector<unsigned> queue(flow.roots);
  for (unsigned root : flow.roots)
    isReached[root] = true;
  for (size_t i = 0; i != queue.size(); ++i)
    for (unsigned next : flow.links[queue[i]])
      if (!isReached[next]) {
        isReached[next] = true;
        queue.push_back(next);
      }
  for (auto [number, stage] : llvm::enumerate(flow.stages))
    if (!isReached[number])
      faults.add(places.stages[number].name,
                 "stage '" + stage.name +
                     "' is unreachable: no links lead to it from " +
                     (flow.roots.size() == 1
                          ? "the root '" + flow.stages[flow.roots[0]].name + "'"
                          : "the roots"));
}

/// Pads are added before the operator, a bias behind it.
void DataFlowLinter::checkUses() {
  for (auto [number, stage] : llvm::enumerate(flow.stages))
    for (auto [i, use] : llvm::enumerate(stage.uses)) {
      auto [part, used] = use;
      bool isBefore = part == OpPart::Pads;
      unsigned from = isBefore ? used : number;
      unsigned to = isBefore ? number : used;
      if (from != to && flow.getDistances(from)[to])
        continue;
      faults.add(places.stages[number].uses[i],
                 "'" + getName(part) + "' of stage '" + stage.name +
                     "' need a stage " + (isBefore ? "before" : "behind") +
                     " it, and no links lead from '" + flow.stages[from].name +
                     "' to '" + flow.stages[to].name + "'");
    }
}

/// Pairs of stages that take one operator in a common form.
std::vector<Conflict> DataFlowLinter::getConflicts() const {
  std::map<llvm::StringRef, std::vector<std::pair<unsigned, size_t>>> takers;
  for (auto [number, stage] : llvm::enumerate(flow.stages))
    for (auto [i, op] : llvm::enumerate(stage.ops))
      takers[op.op].emplace_back(number, i);
  std::vector<Conflict> conflicts;
  for (const auto &[op, list] : takers)
    for (size_t b = 0; b != list.size(); ++b)
      for (size_t a = 0; a != b; ++a) {
        auto [first, firstOp] = list[a];
        auto [second, secondOp] = list[b];
        if (first != second && overlap(flow.stages[first].ops[firstOp],
                                       flow.stages[second].ops[secondOp]))
          conflicts.push_back({first, second, firstOp, secondOp});
      }
  return conflicts;
}

void DataFlowLinter::report(const Conflict &conflict,
                            std::optional<unsigned> start) {
  const Stage &first = flow.stages[conflict.first];
  const Stage &second = flow.stages[conflict.second];
  faults.add(places.stages[conflict.second].ops[conflict.secondOp],
             "operator " + second.ops[conflict.secondOp].op +
                 " is ambiguous: stages '" + first.name + "' and '" +
                 second.name + "', equally far from " +
                 (start ? "'" + flow.stages[*start].name + "'"
                        : std::string("the roots")) +
                 ", take it in a common form");
}

void DataFlowLinter::findAmbiguous() {
  std::vector<Conflict> conflicts = getConflicts();
  auto look = [&](std::optional<unsigned> start) {
    if (conflicts.empty())
      return;
    std::vector<std::optional<unsigned>> distances = flow.getDistances(start);
    llvm::erase_if(conflicts, [&](const Conflict &conflict) {
      std::optional<unsigned> first = distances[conflict.first];
      if (!first || first != distances[conflict.second])
        return false;
      report(conflict, start);
      return true;
    });
  };
  look(std::nullopt);
  for (unsigned start = 0; start != flow.stages.size(); ++start)
    look(start);
}

void inlay::lintDataFlow(const DataFlow &flow, const DataFlowPlaces &places,
                         bool checkForms, FaultList &faults) {
  DataFlowLinter linter(flow, places, faults);
  linter.findUnreachable();
  linter.checkUses();
  if (checkForms)
    linter.findAmbiguous();
}
