//===- FlowBuilder.h - Pipelines and graphs for tests -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_HARDWAREFUSION_FLOWBUILDER_H
#define INLAY_UNITTESTS_HARDWAREFUSION_FLOWBUILDER_H

#include "inlay/HardwareFusion/HDFG.h"

namespace inlay {

/// A pipeline from names: FlowBuilder({"ipa", "act"}).link("ipa", "act").
class FlowBuilder {
public:
  explicit FlowBuilder(std::initializer_list<const char *> names) {
    for (const char *name : names) {
      flow.stages.emplace_back().name = name;
      flow.links.emplace_back();
    }
    flow.roots = {0};
  }

  unsigned find(llvm::StringRef name) const {
    for (auto [i, stage] : llvm::enumerate(flow.stages))
      if (stage.name == name)
        return i;
    llvm_unreachable("no such stage");
  }
  Stage &operator[](llvm::StringRef name) { return flow.stages[find(name)]; }
  FlowBuilder &link(llvm::StringRef from, llvm::StringRef to) {
    flow.links[find(from)].push_back(find(to));
    return *this;
  }

  DataFlow flow;
};

/// A graph from the names of stages that take its nodes.
class GraphBuilder {
public:
  explicit GraphBuilder(const FlowBuilder &flow) : flow(flow) {}

  unsigned input(uint64_t bytes = 8) { return graph.addValue(bytes); }
  /// A node that the stage takes with data at any operand; returns its result.
  unsigned add(llvm::StringRef stage, llvm::ArrayRef<unsigned> operands,
               uint64_t bytes = 8) {
    unsigned node = graph.addNode(stage, operands, {bytes});
    StageForm form;
    form.stages = {flow.find(stage)};
    for (unsigned i = 0; i < operands.size(); ++i)
      form.data.push_back(i);
    graph.setForms(node, {form});
    return graph[node].results[0];
  }
  /// A node that no group takes.
  unsigned addOutside(llvm::ArrayRef<unsigned> operands, uint64_t bytes = 8) {
    unsigned node = graph.addNode("Outside", operands, {bytes});
    graph.setOutside(node, {FusionReasonCode::Unmapped, "no stage takes it"});
    return graph[node].results[0];
  }
  /// A node that groups collect.
  unsigned addCollectable(llvm::ArrayRef<unsigned> operands,
                          uint64_t bytes = 8) {
    unsigned node = graph.addNode("Collectable", operands, {bytes});
    graph.setCollectable(node, {FusionReasonCode::Unmapped, "nobody needs it"});
    return graph[node].results[0];
  }

  DFG graph;

private:
  const FlowBuilder &flow;
};

} // namespace inlay

#endif // INLAY_UNITTESTS_HARDWAREFUSION_FLOWBUILDER_H
