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
#include "inlay/Evaluation/Registration.h"
#include "inlay/HardwareFusion/Fusion.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Target/Target.h"
#include "inlay/Transforms/Hardware/Fuse.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <ctime>

using namespace inlay;

/// Of this process, whatever else runs.
static double getSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

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

/// Residual blocks in the IR, for the built-in target with a pipeline.
static void measureModule(unsigned numOps) {
  using namespace mlir;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<InlayDialect, func::FuncDialect>();
  registerEvaluation(context);
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  auto type = RankedTensorType::get({1, 4, 8, 8}, builder.getF32Type());
  auto weights = RankedTensorType::get({4, 4, 1, 1}, builder.getF32Type());
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = builder.create<func::FuncOp>(
      loc, "main", builder.getFunctionType({type}, {type}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  Value weight = builder.create<ConstantOp>(
      loc, weights, DenseElementsAttr::get(weights, 1.0f));
  Value value = function.getArgument(0);
  auto add = [&](StringRef name, ValueRange operands) {
    OperationState state(loc, name, operands, type, {});
    return builder.create(state)->getResult(0);
  };
  for (unsigned i = 0; i < numOps; i += 5) {
    Value c = add("inlay.relu", add("inlay.conv", {value, weight}));
    Value d = add("inlay.conv", {c, weight});
    value = add("inlay.relu", add("inlay.add", {d, value}));
  }
  builder.create<func::ReturnOp>(loc, value);
  Target target = llvm::cantFail(loadTarget("opu"));
  double start = getSeconds();
  auto result = fuseHardware(function, target, {FusionStrategy::Greedy, false});
  double end = getSeconds();
  if (!result) {
    llvm::errs() << llvm::toString(result.takeError()) << "\n";
    std::exit(1);
  }
  llvm::outs() << "residual blocks in the IR, " << numOps
               << " operators, greedy for opu: "
               << llvm::format("%.2f", end - start)
               << " s from operators to inlay.group\n";
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
  for (unsigned numOps : {most / 4, most / 2, most})
    measureModule(numOps);
  GraphBuilder blocks(flow);
  addBlocks(blocks, most / 10);
  measure("residual blocks", flow, blocks, FusionStrategy::Optimal);
  return 0;
}
