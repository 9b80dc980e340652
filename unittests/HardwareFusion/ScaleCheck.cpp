//===- ScaleCheck.cpp - Time that groups of large graphs take -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints how long both strategies take, for who changes them.
//
//===----------------------------------------------------------------------===//

#include "FlowBuilder.h"
#include "inlay/HardwareFusion/Fusion.h"
#include "inlay/HardwareFusion/VerifyGroups.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>

using namespace inlay;

static double getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Residual blocks: two convolutions, a sum with what came before, and one
/// operator in forty that no group takes.
static void addBlocks(GraphBuilder &builder, unsigned numNodes) {
  unsigned value = builder.input();
  while (builder.graph.size() < numNodes) {
    unsigned c = builder.add("ipa", {value});
    unsigned r = builder.add("act", {c});
    unsigned d = builder.add("ipa", {r});
    unsigned j = builder.add("join", {d, value});
    value = builder.add("act", {j});
    if (builder.graph.size() % 40 == 0)
      value = builder.addOutside({value});
  }
  builder.graph.setEscapes(value);
}

static void addChain(GraphBuilder &builder, unsigned numNodes) {
  unsigned value = builder.input();
  while (builder.graph.size() < numNodes)
    value = builder.add(builder.graph.size() % 2 ? "join" : "act", {value});
  builder.graph.setEscapes(value);
}

static void measure(llvm::StringRef name, const FlowBuilder &flow,
                    const GraphBuilder &builder, FusionStrategy strategy) {
  HDFG pipeline = HDFG::create(flow.flow);
  double start = getSeconds();
  auto plan = planFusion(builder.graph, pipeline, strategy);
  double end = getSeconds();
  if (!plan) {
    llvm::errs() << llvm::toString(plan.takeError()) << "\n";
    std::exit(1);
  }
  llvm::outs() << name << ", " << builder.graph.size() << " nodes, "
               << getName(strategy) << ": " << plan->groups.size()
               << " groups in " << llvm::format("%.2f", end - start)
               << " s, verified\n";
}

int main(int argc, char **argv) {
  unsigned most = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  FlowBuilder flow({"ipa", "act", "join"});
  flow.link("ipa", "act").link("act", "join").link("join", "act");
  for (unsigned numNodes : {most / 4, most / 2, most}) {
    GraphBuilder blocks(flow), chain(flow);
    addBlocks(blocks, numNodes);
    addChain(chain, numNodes);
    measure("residual blocks", flow, blocks, FusionStrategy::Greedy);
    measure("one chain", flow, chain, FusionStrategy::Greedy);
  }
  GraphBuilder blocks(flow);
  addBlocks(blocks, most / 10);
  measure("residual blocks", flow, blocks, FusionStrategy::Optimal);
  return 0;
}
