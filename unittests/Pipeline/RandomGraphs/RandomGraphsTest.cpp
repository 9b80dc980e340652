//===- RandomGraphsTest.cpp - Layouts change no result --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random graphs and the seed of the first one as its
// arguments. A graph that fails is printed as small as it could be made.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "../../Transforms/Layout/StoredModule.h"
#include "CountMoves.h"
#include "Fitting.h"
#include "ShrinkGraph.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Rewriting.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 1000, firstSeed = 1;
static constexpr unsigned graphSize = 30;

//===----------------------------------------------------------------------===//
// What is compared
//===----------------------------------------------------------------------===//

/// What differs between the outputs of a graph before and after; empty where
/// nothing does.
static std::string compareOutputs(ArrayRef<HostTensor> before,
                                  ArrayRef<HostTensor> after, bool isExact,
                                  double tolerance = 1e-10) {
  if (before.size() != after.size())
    return "another number of outputs";
  for (auto [i, a, b] : llvm::enumerate(before, after)) {
    TensorComparison difference = compareTensors(
        "", a, b, {isExact ? 0 : tolerance, /*isExplicit=*/true});
    // Next to zero the range says nothing.
    if (!difference.isEqual && difference.reason.empty() && !isExact &&
        difference.maxAbsError <= tolerance)
      continue;
    if (!difference.isEqual)
      return "output " + std::to_string(i) + " differs by " +
             std::to_string(difference.maxAbsError) + " " + difference.reason;
  }
  return "";
}

/// Costs are those of the whole program only where every extent is known and
/// nothing runs several times.
static bool isCountable(ModuleOp module) {
  bool found = false;
  module.walk([&](Operation *op) {
    found |= isa<LoopOp>(op);
    for (Type type : op->getResultTypes())
      found |= !cast<ShapedType>(type).hasStaticShape();
  });
  return !found &&
         llvm::all_of(
             llvm::cantFail(getGraph(module)).getArgumentTypes(),
             [](Type type) { return cast<ShapedType>(type).hasStaticShape(); });
}

//===----------------------------------------------------------------------===//
// Inputs and outputs in other orders
//===----------------------------------------------------------------------===//

/// Whether the input or output `name` of `type` is to be stored channels last.
static bool isChannelsLast(StringRef name, Type type, uint64_t seed) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (name.empty() || seed % 5 != 0 || !ranked)
    return false;
  return ranked.getRank() >= 3 && ranked.getRank() <= 5 &&
         (name.back() + seed / 5) % 2 == 0;
}

static std::string getSpec(StringRef name, Type type) {
  const char *layouts[] = {":NWC", ":NHWC", ":NDHWC"};
  return name.str() + layouts[cast<RankedTensorType>(type).getRank() - 3];
}

/// `tensor` with its channels last.
static HostTensor storeChannelsLast(const HostTensor &tensor,
                                    MLIRContext *context) {
  AtomSequence order = {{0}};
  for (unsigned dim = 2; dim < tensor.getRank(); ++dim)
    order.push_back({dim});
  order.push_back({1});
  auto layout = Layout::getUnnamed(LayoutClass::Tensor, std::move(order));
  return store(
      tensor, RankedTensorType::get(
                  tensor.getShape(), Float32Type::get(context),
                  LayoutAttr::get(context, llvm::cantFail(std::move(layout)))));
}

//===----------------------------------------------------------------------===//
// What must hold
//===----------------------------------------------------------------------===//

namespace {
/// Claims about one graph; `message` is empty while they hold.
class GraphChecker {
public:
  GraphChecker(const RandomGraph &graph, uint64_t seed)
      : graph(graph), seed(seed) {}

  std::string run();

private:
  bool checkTarget(const Target &target);
  bool checkTarget(StringRef name) {
    return checkTarget(llvm::cantFail(loadKnownTarget(name)));
  }
  bool checkStrategy(const Target &target, LayoutStrategy strategy);
  bool checkNothingToCancel(const Target &target);
  bool checkGroups(const Target &target);
  bool checkRewrites(const Target &target);
  bool checkModule(ModuleOp module, const OriginSet &origins,
                   bool rounds = false);
  bool checkCost(const Target &target, LayoutStrategy strategy,
                 const PresetResult &result, ModuleOp module);
  void chooseIoLayouts();
  bool fail(const Twine &reason) {
    message = context + reason.str();
    return false;
  }
  bool fail(llvm::Error error) {
    return fail(llvm::toString(std::move(error)));
  }

  const RandomGraph &graph;
  uint64_t seed;
  /// As they are stored.
  SmallVector<HostTensor> inputs, expected;
  LayoutOptions options;
  Cost least;
  std::string context, message;
};
} // namespace

/// Blocks so small that tensors have several, full and not.
static constexpr char smallBlocks[] = R"(
schema: inlay.target/1
name: small-blocks
formats:
  NC1HWC0: {data: NC1HWC0, block: {C: 3}, types: {int8: {C: 4}, uint8: {C: 4}}}
  FRACTAL_Z: {weight: I1HWO1O0I0, block: {I: 3, O: 3}}
layouts:
  - {op: Conv, data: NC1HWC0, weight: FRACTAL_Z}
  - {op: ConvTranspose, data: NC1HWC0, weight: FRACTAL_Z}
  - {op: ConvInteger, data: NC1HWC0}
  - {op: QLinearConv, data: NC1HWC0}
  - {op: AveragePool, data: NC1HWC0}
  - {op: MaxPool, data: [NC1HWC0, NCHW]}
  - {op: GlobalAveragePool, data: NC1HWC0}
  - {op: BatchNormalization, data: NC1HWC0}
  - {op: InstanceNormalization, data: NC1HWC0}
  - {op: GroupNormalization, data: NC1HWC0}
  - {op: LRN, data: NC1HWC0}
  - {op: DepthToSpace, data: NC1HWC0}
  - {op: SpaceToDepth, data: NC1HWC0}
  - {op: Resize, data: NC1HWC0}
  - {op: Relu, data: NC1HWC0}
  - {op: Sigmoid, data: [NC1HWC0, NCHW]}
  - {op: Exp, data: NC1HWC0}
costs: {relayout: 0}
)";

/// After `optimal`, cancelling leaves as many transposes as there were. With
/// blocks they may be fewer: among conversions of the same size some only pad,
/// which the problem does not tell apart.
bool GraphChecker::checkNothingToCancel(const Target &target) {
  // What is reported and then mended in another way is a mistake too.
  std::string reported;
  ScopedDiagnosticHandler handler(
      ModuleOp(*graph.module)->getContext(),
      [&](Diagnostic &diagnostic) { reported += diagnostic.str(); });
  Cost costs[2];
  for (bool cancels : {false, true}) {
    ModuleOp original = *graph.module;
    OwningOpRef<ModuleOp> module = original.clone();
    module->getOperation()->setAttr(
        targetAttr, makeTargetAttr(module->getContext(), target));
    func::FuncOp function = llvm::cantFail(getGraph(*module));
    PassManager before(module->getContext()), after(module->getContext());
    before.addNestedPass<func::FuncOp>(createLayoutTransmit());
    if (failed(before.run(*module)))
      return fail("cannot be annotated");
    auto result = presetLayouts(function, target, {});
    if (!result)
      return fail(result.takeError());
    if (cancels)
      after.addPass(createCancelRelayouts());
    after.addPass(createMaterializeLayouts());
    if (failed(after.run(*module)))
      return fail("cannot be materialized");
    costs[cancels] = countMoves(*module);
  }
  if (!reported.empty())
    return fail(reported);
  bool isFewer =
      costs[1].bytes <= costs[0].bytes && costs[1].count <= costs[0].count;
  if (costs[0] == costs[1] || (!target.formats.empty() && isFewer))
    return true;
  return fail("of " + Twine(costs[0].count) + " transposes " +
              Twine(costs[1].count) + " are left after cancelling");
}

bool GraphChecker::checkCost(const Target &target, LayoutStrategy strategy,
                             const PresetResult &result, ModuleOp module) {
  bool isOptimal = strategy == LayoutStrategy::Optimal;
  if (isOptimal)
    least = result.cost;
  if (isCheaper(result.cost, least, options.objective))
    return fail("cheaper than optimal");
  if (!isOptimal || target.name != "none" || !options.ioLayouts.empty())
    return true;
  if (isCheaper(result.ledger.in, result.cost, options.objective))
    return fail("dearer than the model");
  Cost was = countMoves(*graph.module), is = countMoves(module);
  if (isCountable(*graph.module) && isCheaper(was, is, options.objective))
    return fail("had " + Twine(was.bytes) + " bytes moved and has " +
                Twine(is.bytes));
  return true;
}

bool GraphChecker::checkStrategy(const Target &target,
                                 LayoutStrategy strategy) {
  context = target.name + ", " + getName(strategy).str() + ": ";
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> module = original.clone();
  OriginSet origins = collectOrigins(*module);
  options.target = target.name;
  options.strategy = strategy;
  auto result = assignLayouts(*module, target, options);
  if (!result)
    return fail(result.takeError());
  return checkModule(*module, origins) &&
         checkCost(target, strategy, *result, *module);
}

/// The module is valid, knows all nodes and computes what it did.
bool GraphChecker::checkModule(ModuleOp module, const OriginSet &origins,
                               bool rounds) {
  if (failed(verify(module)))
    return fail("does not verify");
  if (size_t lost = findLostOrigins(origins, module).size())
    return fail(Twine(lost) + " origins lost");
  auto outputs = execute(module, inputs);
  if (!outputs)
    return fail(outputs.takeError());
  // Floats may be of 32 bits, and weights that are folded are rounded there.
  std::string difference =
      rounds ? compareOutputs(expected, *outputs, false, 1e-5)
             : compareOutputs(expected, *outputs, graph.isExact);
  return difference.empty() || fail(difference);
}

/// Groups of all graphs so far.
static uint64_t numGroups = 0;

/// Groups change nothing, neither as they are nor simplified nor inlined.
bool GraphChecker::checkGroups(const Target &target) {
  FusionStrategy strategy =
      seed % 2 != 0 ? FusionStrategy::Optimal : FusionStrategy::Greedy;
  context = target.name + ", " + getName(strategy).str() + ": ";
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> module = original.clone();
  OriginSet origins = collectOrigins(*module);
  options.target = target.name;
  options.strategy = LayoutStrategy::Optimal;
  if (auto result = chooseLayouts(*module, target, options); !result)
    return fail(result.takeError());
  auto fused = fuseOperators(*module, target, strategy);
  if (!fused)
    return fail(fused.takeError());
  numGroups += fused->groups.size();
  if (llvm::Error error = materializeLayouts(*module, target))
    return fail(std::move(error));
  if (!checkModule(*module, origins))
    return false;
  PassManager simplify(module->getContext()), inlining(module->getContext());
  simplify.addPass(createSimplify());
  inlining.addPass(createInlineGroups());
  context += "simplified: ";
  if (failed(simplify.run(*module)) || !checkModule(*module, origins))
    return !message.empty() ? false : fail("cannot be simplified");
  context += "inlined: ";
  if (failed(inlining.run(*module)) || isFused(*module))
    return fail("cannot be inlined");
  return checkModule(*module, origins);
}

/// Applications of rewrites in all graphs so far.
static uint64_t numRewrites = 0;

/// Equations hold, and weights that are expressions can be stored in any order.
bool GraphChecker::checkRewrites(const Target &target) {
  context = target.name + ", rewritten: ";
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> module = original.clone();
  OriginSet origins = collectOrigins(*module);
  auto result = rewriteGraph(*module, target, RewriteOptions::all());
  if (!result)
    return fail(result.takeError());
  numRewrites += result->getTotal();
  options.target = target.name;
  options.strategy = LayoutStrategy::Optimal;
  if (auto layouts = assignLayouts(*module, target, options); !layouts)
    return fail(layouts.takeError());
  return checkModule(*module, origins, result->rounds());
}

bool GraphChecker::checkTarget(const Target &target) {
  if (!checkStrategy(target, LayoutStrategy::Optimal))
    return false;
  LayoutStrategy others[] = {LayoutStrategy::PerOp, LayoutStrategy::Region,
                             LayoutStrategy::RegionPlus};
  if (!checkStrategy(target, others[seed % 3]))
    return false;
  context = target.name + ": ";
  return seed % 2 != 0 || checkNothingToCancel(target);
}

/// Which inputs and outputs are stored channels last, and what that makes of
/// them.
void GraphChecker::chooseIoLayouts() {
  func::FuncOp function = llvm::cantFail(getGraph(*graph.module));
  auto choose = [&](StringRef name, Type type, HostTensor &tensor) {
    if (!isChannelsLast(name, type, seed))
      return;
    options.ioLayouts.push_back(getSpec(name, type));
    tensor = storeChannelsLast(tensor, function.getContext());
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    choose(getInputName(function, i), type, inputs[i]);
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    choose(getOutputName(function, i), type, expected[i]);
}

std::string GraphChecker::run() {
  inputs = graph.inputs;
  auto outputs = execute(*graph.module, inputs);
  if (!outputs) {
    fail(outputs.takeError());
    return "cannot be run: " + message;
  }
  expected = std::move(*outputs);
  if (seed % 7 == 0)
    options.objective = Objective::Count;
  chooseIoLayouts();
  if (checkTarget("none") && checkTarget("nhwc") && checkTarget("ascend") &&
      checkTarget(llvm::cantFail(parseTarget(smallBlocks, "small-blocks"))))
    if (checkRewrites(llvm::cantFail(loadKnownTarget("nhwc"))))
      checkGroups(llvm::cantFail(loadKnownTarget("opu")));
  return message;
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

static std::string check(const RandomGraph &graph, uint64_t seed) {
  return GraphChecker(graph, seed).run();
}

static std::string print(const RandomGraph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (*graph.module)->print(os);
  return text;
}

namespace {
/// Prints the graph when something crashes.
class CrashPrinter final : public llvm::PrettyStackTraceEntry {
public:
  CrashPrinter(const RandomGraph &graph, uint64_t seed)
      : graph(graph), seed(seed) {}

  void print(llvm::raw_ostream &os) const override {
    os << "seed " << seed << ":\n";
    (*graph.module)->print(os);
  }

private:
  const RandomGraph &graph;
  uint64_t seed;
};
} // namespace

TEST(RandomGraphs, ComputeTheSameInEveryLayout) {
  unsigned numFailed = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    CrashPrinter printer(graph, seed);
    std::string message = check(graph, seed);
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message;
    ScopedDiagnosticHandler silence(context.get(), [](Diagnostic &) {});
    graph = shrinkGraph(std::move(graph), [&](const RandomGraph &smaller) {
      std::string other = check(smaller, seed);
      return !other.empty() && !StringRef(other).starts_with("cannot be run");
    });
    llvm::errs() << "seed " << seed << ": " << check(graph, seed) << "\n"
                 << print(graph) << "\n";
    if (++numFailed == 5)
      return;
  }
  EXPECT_GE(numGroups, numGraphs) << "most graphs have groups";
  EXPECT_GE(numRewrites, numGraphs / 20) << "some graphs can be rewritten";
}

/// Every operator that the families speak of is drawn, and most graphs have
/// something to decide.
TEST(RandomGraphs, HaveAllKindsOfOperators) {
  llvm::StringSet<> names;
  unsigned numOps = 0, numTransposes = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    ASSERT_TRUE(succeeded(verify(*graph.module))) << "seed " << seed;
    graph.module->walk([&](Operation *op) {
      names.insert(op->getName().stripDialect());
      numOps += !isa<ConstantOp>(op);
      numTransposes += isa<TransposeOp>(op);
    });
  }
  EXPECT_GE(names.size(), 100u);
  EXPECT_GE(numOps, 200 * graphSize);
  EXPECT_GE(numTransposes, 400u);
}

TEST(RandomGraphs, AreTheSameForTheSameSeed) {
  auto make = [](uint64_t seed) {
    auto context = createContext();
    return print(makeRandomGraph(*context, seed, graphSize));
  };
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_TRUE(make(seed) == make(seed));
    EXPECT_FALSE(make(seed) == make(seed + 1));
  }
}

/// Shrinking ends at the operation that fails and nothing else.
TEST(RandomGraphs, ShrinkToTheOperationThatFails) {
  auto getBlock = [](const RandomGraph &graph) -> Block & {
    return llvm::cantFail(getGraph(*graph.module)).getBody().front();
  };
  auto isTransposed = [&](const RandomGraph &graph) {
    return !getBlock(graph).getOps<TransposeOp>().empty();
  };
  auto context = createContext();
  RandomGraph graph = makeRandomGraph(*context, 3, graphSize);
  ASSERT_TRUE(isTransposed(graph));
  graph = shrinkGraph(std::move(graph), isTransposed);
  EXPECT_EQ(getBlock(graph).getOperations().size(), 2u);
  EXPECT_TRUE(isTransposed(graph));
  EXPECT_TRUE(check(graph, 3).empty());
}

/// A result that differs is seen, and so is one that is lost.
TEST(RandomGraphs, DifferencesAreSeen) {
  HostTensor a(ElementType::Double, {2}), b(ElementType::Double, {2});
  a.setDouble(1, 3);
  b.setDouble(1, 3 + 1e-9);
  EXPECT_TRUE(compareOutputs({a}, {a}, true).empty());
  EXPECT_FALSE(compareOutputs({a}, {b}, true).empty());
  EXPECT_FALSE(compareOutputs({a}, {b}, false).empty());
  EXPECT_FALSE(compareOutputs({a}, {}, false).empty());
  b.setDouble(1, 3 + 1e-12);
  EXPECT_TRUE(compareOutputs({a}, {b}, false).empty());
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
