//===- RandomTargetsTest.cpp - Groups change no result --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random graphs and the seed of the first one as its
// arguments; every graph has a random target. Requirements f17, f18 and f54:
// the order of the file makes no difference, a second run changes nothing, and
// inlining all groups gives back the graph and its numbers.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "GraphOrder.h"
#include "RandomTarget.h"
#include "ShrinkGraph.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Hardware/Fuse.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 1000, firstSeed = 1;
static constexpr unsigned graphSize = 25;

//===----------------------------------------------------------------------===//
// What is compared
//===----------------------------------------------------------------------===//

/// Groups reorder nothing: results are the same bit for bit.
static std::string compareOutputs(ArrayRef<HostTensor> before,
                                  ArrayRef<HostTensor> after) {
  if (before.size() != after.size())
    return "another number of outputs";
  for (auto [i, a, b] : llvm::enumerate(before, after))
    if (!compareTensors("", a, b, {0, /*isExplicit=*/true}).isEqual)
      return "output " + std::to_string(i) + " differs";
  return "";
}

/// The operations of a function, each with what it is applied to, in an order
/// that does not depend on that of the block.
static std::vector<std::string> describe(func::FuncOp function) {
  DenseMap<Value, std::string> names;
  for (BlockArgument argument : function.getArguments())
    names[argument] = "arg" + std::to_string(argument.getArgNumber());
  std::vector<std::string> lines;
  for (Operation &op : function.getBody().front()) {
    std::string line;
    llvm::raw_string_ostream os(line);
    os << op.getName() << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      os << " " << llvm::hash_value(names[operand]);
    for (Type type : op.getResultTypes())
      os << " " << type;
    // What it captures is not told apart; its own operations are.
    for (Region &region : op.getRegions())
      region.walk([&](Operation *inner) { os << inner->getName(); });
    for (OpResult result : op.getResults())
      names[result] = line + "#" + std::to_string(result.getResultNumber());
    lines.push_back(line);
  }
  llvm::sort(lines);
  return lines;
}

/// Groups by name with their stages and the nodes in them.
static std::vector<std::string> describeGroups(func::FuncOp function) {
  std::vector<std::string> lines;
  function.walk([&](GroupOp group) {
    std::string line = group.getName().str() + ":";
    for (auto [op, stages] :
         llvm::zip(group.getBody().front(), group.getStages()))
      line += " " + getNodeName(&op) + "@" +
              cast<StringAttr>(stages).getValue().str();
    lines.push_back(line);
  });
  llvm::sort(lines);
  return lines;
}

//===----------------------------------------------------------------------===//
// What must hold
//===----------------------------------------------------------------------===//

namespace {
/// Claims about one graph; `message` is empty while they hold.
class FusionChecker {
public:
  FusionChecker(const RandomGraph &graph, uint64_t seed)
      : graph(graph), drawn(makeRandomTarget(*graph.module, seed)) {}

  std::string run();
  const std::string &getTarget() const { return drawn.text; }
  unsigned getNumGroups() const { return numGroups; }

private:
  bool check(FusionStrategy strategy);
  bool checkModule(ModuleOp module, const OriginSet &origins);
  bool checkOrder(FusionStrategy strategy);
  bool fail(const Twine &reason) {
    message = reason.str();
    return false;
  }

  const RandomGraph &graph;
  RandomTarget drawn;
  SmallVector<HostTensor> expected;
  uint64_t greedyBytes = 0;
  unsigned numGroups = 0;
  std::string message;
};
} // namespace

bool FusionChecker::checkModule(ModuleOp module, const OriginSet &origins) {
  if (failed(verify(module)))
    return fail("does not verify");
  if (size_t lost = findLostOrigins(origins, module).size())
    return fail(Twine(lost) + " origins lost");
  auto outputs = execute(module, graph.inputs);
  if (!outputs)
    return fail(llvm::toString(outputs.takeError()));
  std::string difference = compareOutputs(expected, *outputs);
  return difference.empty() || fail(difference);
}

bool FusionChecker::check(FusionStrategy strategy) {
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> module = original.clone();
  OriginSet origins = collectOrigins(*module);
  func::FuncOp function = llvm::cantFail(getGraph(*module));
  std::vector<std::string> before = describe(function);
  // The verifier of groups runs inside.
  auto result = fuseHardware(function, drawn.target, {strategy, true});
  if (!result)
    return fail(llvm::toString(result.takeError()));
  numGroups += result->groups.size();
  if (result->bytesAfter > result->bytesBefore)
    return fail("more bytes than without groups");
  if (strategy == FusionStrategy::Greedy)
    greedyBytes = result->bytesAfter;
  else if (result->bytesAfter > greedyBytes ||
           *result->bound > result->bytesAfter)
    return fail("optimal is worse than greedy or its bound is wrong");
  if (!checkModule(*module, origins))
    return false;
  std::vector<std::string> groups = describeGroups(function);
  auto again = fuseHardware(function, drawn.target, {strategy, false});
  if (!again)
    return fail(llvm::toString(again.takeError()));
  if (strategy == FusionStrategy::Greedy && describeGroups(function) != groups)
    return fail("fused again it changes");
  inlineGroups(function);
  if (describe(function) != before)
    return fail("inlining groups does not give back the graph");
  return checkModule(*module, origins);
}

/// Groups and names do not depend on the order of the file.
bool FusionChecker::checkOrder(FusionStrategy strategy) {
  ModuleOp original = *graph.module;
  std::vector<std::string> groups[2];
  for (bool isReordered : {false, true}) {
    OwningOpRef<ModuleOp> module = original.clone();
    func::FuncOp function = llvm::cantFail(getGraph(*module));
    eraseUnused(function);
    if (isReordered)
      reorder(function);
    auto result = fuseHardware(function, drawn.target, {strategy, false});
    if (!result)
      return fail(llvm::toString(result.takeError()));
    groups[isReordered] = describeGroups(function);
  }
  return groups[0] == groups[1] || fail("groups depend on the file's order");
}

std::string FusionChecker::run() {
  auto outputs = execute(*graph.module, graph.inputs);
  if (!outputs)
    return "cannot be run: " + llvm::toString(outputs.takeError());
  expected = std::move(*outputs);
  for (FusionStrategy strategy :
       {FusionStrategy::Greedy, FusionStrategy::Optimal})
    if (!check(strategy) || !checkOrder(strategy))
      return (getName(strategy) + ": " + message).str();
  return "";
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

TEST(RandomTargets, GroupsComputeTheSame) {
  unsigned numFailed = 0;
  uint64_t numGroups = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    FusionChecker checker(graph, seed);
    std::string message = checker.run();
    numGroups += checker.getNumGroups();
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message;
    llvm::errs() << checker.getTarget();
    ScopedDiagnosticHandler silence(context.get(), [](Diagnostic &) {});
    graph = shrinkGraph(std::move(graph), [&](const RandomGraph &smaller) {
      std::string other = FusionChecker(smaller, seed).run();
      return !other.empty() && !StringRef(other).starts_with("cannot be run");
    });
    FusionChecker shrunk(graph, seed);
    llvm::errs() << "seed " << seed << ": " << shrunk.run() << "\n"
                 << shrunk.getTarget();
    (*graph.module)->print(llvm::errs());
    if (++numFailed == 3)
      return;
  }
  // There is something to check.
  EXPECT_GT(numGroups, 4 * numGraphs);
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
