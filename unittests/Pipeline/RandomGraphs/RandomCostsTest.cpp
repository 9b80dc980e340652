//===- RandomCostsTest.cpp - Random graphs, random costs ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random graphs and the seed of the first one as its
// arguments; every graph has a target that prices forms, copies and orders at
// random. Results stay, the certificate speaks of the cost that is reported,
// and what forms cost is what the operators of the written module cost. Small
// graphs are solved by exhaustive search too.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "CountMoves.h"
#include "Fitting.h"
#include "RandomProblem.h"
#include "ShrinkGraph.h"
#include "inlay/IR/FormKinds.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/LayoutAssign/Optimal.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/LayoutPasses.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include <gtest/gtest.h>
#include <random>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 200, firstSeed = 1;
static constexpr unsigned graphSize = 25;

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

namespace {
/// What one entry of `forms` says.
struct Price {
  const char *opClass;
  /// Of the axis that is reduced, or that an operand is repeated along.
  const char *key;
  bool isLast;
  /// Thousandths.
  uint64_t factor;
  uint64_t maxBytes;
  /// The element type, or empty.
  StringRef type;
};

struct RandomCosts {
  std::vector<Price> prices;
  bool hasRules = false;
  std::string text;
};
} // namespace

static std::string printFactor(uint64_t thousandths) {
  return std::to_string(thousandths / 1000) + "." +
         std::to_string(1000 + thousandths % 1000).substr(1);
}

/// Element types that a rule is for, or none.
static std::string drawTypes(std::mt19937_64 &random) {
  static constexpr const char *types[] = {
      "", ", types: [f64]", ", types: [f32, i8]", ", types: [f64, f16, ui8]"};
  return types[random() % std::size(types)];
}

static RandomCosts drawCosts(uint64_t seed) {
  static constexpr std::pair<const char *, const char *> kinds[] = {
      {"normalization", "reduced"},
      {"reduction", "reduced"},
      {"elementwise", "broadcast"}};
  std::mt19937_64 random(seed);
  auto draw = [&](unsigned bound) { return random() % bound; };
  RandomCosts costs;
  costs.text = "schema: inlay.target/1\nname: drawn\n";
  costs.hasRules = draw(3) == 0;
  if (costs.hasRules)
    costs.text +=
        "layouts:\n"
        "  - {op: Conv, data: [NHWC, {order: NCHW, factor: 1.7}], weight: "
        "[HWOI, OIHW], required: true" +
        drawTypes(random) +
        "}\n"
        "  - {op: MaxPool, data: [{order: NHWC, factor: 1.2}, {order: NCHW, "
        "factor: 3}], required: false" +
        drawTypes(random) + "}\n";
  costs.text +=
      "costs:\n  relayout: " + std::to_string(draw(2) * 64) + "\n  forms:\n";
  for (unsigned i = 0, e = 1 + draw(4); i < e; ++i) {
    auto [opClass, key] = kinds[draw(3)];
    Price price{opClass,
                key,
                draw(4) == 0,
                1000 + draw(9000),
                draw(3) == 0 ? 64u << draw(6) : UINT64_MAX,
                StringRef(draw(4) == 0 ? (draw(3) == 0 ? "f32" : "f64") : "")};
    costs.text += "    - {class: " + std::string(opClass) + ", " + key + ": " +
                  (price.isLast ? "last" : "not-last");
    if (price.maxBytes != UINT64_MAX)
      costs.text += ", bytes: [0, " + std::to_string(price.maxBytes) + "]";
    if (!price.type.empty())
      costs.text += ", types: [" + price.type.str() + "]";
    costs.text += ", factor: " + printFactor(price.factor) + "}\n";
    costs.prices.push_back(price);
  }
  if (draw(2))
    costs.text +=
        "  copies:\n    - {run: [1, 8], axes: many, factor: " +
        printFactor(1000 + draw(9000)) +
        "}\n    - {run: [1, 16], factor: " + printFactor(1000 + draw(3000)) +
        "}\n";
  return costs;
}

//===----------------------------------------------------------------------===//
// What a module costs, by its operators
//===----------------------------------------------------------------------===//

static uint64_t getBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 0;
  Type element = type.getElementType();
  uint64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return (type.getNumElements() * bits + 7) / 8;
}

/// The class that costs know an operator by.
static StringRef getClass(Operation *op) {
  switch (cast<FusionOpInterface>(op).getFusionClass()) {
  case FusionClass::Elementwise:
    return "elementwise";
  case FusionClass::Reduce:
    return "reduction";
  case FusionClass::Opaque:
    return "normalization";
  default:
    return "";
  }
}

/// The axis of the last dimension of more than one element.
static std::optional<unsigned> getLastAxis(const AxisMap &map,
                                           const TensorAxes &dims) {
  for (const DimAxes &dim : llvm::reverse(dims))
    for (unsigned axis : llvm::reverse(dim))
      if (map.getAxes()[axis].extent != 1)
        return axis;
  return std::nullopt;
}

/// Whether elements are combined along the last axis; nothing without any.
static std::optional<bool> isReducedLast(const AxisMap &map) {
  auto isCombined = [&](const Axis &axis) {
    return axis.kind == AxisKind::Reduced || axis.kind == AxisKind::Window ||
           axis.kind == AxisKind::Contracted;
  };
  if (llvm::none_of(map.getAxes(), isCombined) || !map.getOperands()[0])
    return std::nullopt;
  auto last = getLastAxis(map, *map.getOperands()[0]);
  bool hasMany = llvm::any_of(map.getAxes(), [&](const Axis &axis) {
    return isCombined(axis) && axis.extent != 1;
  });
  return !hasMany || !last || isCombined(map.getAxes()[*last]);
}

/// Whether an operand is repeated along the last axis; nothing where none is.
static std::optional<bool> isRepeatedLast(const AxisMap &map) {
  if (!map.getResults()[0])
    return std::nullopt;
  auto last = getLastAxis(map, *map.getResults()[0]);
  std::optional<bool> repeats;
  for (const std::optional<TensorAxes> &dims : map.getOperands())
    for (const DimAxes &dim : dims ? *map.getResults()[0] : TensorAxes())
      for (unsigned axis : dim) {
        bool isThere = llvm::any_of(*dims, [&](const DimAxes &own) {
          return llvm::is_contained(own, axis);
        });
        if (!isThere && map.getAxes()[axis].extent != 1)
          repeats = repeats.value_or(false) || axis == last;
      }
  return repeats;
}

static uint64_t getFormCost(Operation *op, ArrayRef<Price> prices) {
  auto mapped = dyn_cast<AxisMapOpInterface>(op);
  if (!mapped || op->getNumOperands() == 0 || op->getNumResults() == 0)
    return 0;
  AxisMap map = mapped.getAxisMap();
  if (map.isOpaque())
    return 0;
  uint64_t bytes = 0;
  for (Value value : op->getOperands())
    bytes += getBytes(value);
  for (Value value : op->getResults())
    bytes += getBytes(value);
  FormKinds kinds = getFormKinds(getOnnxOpType(op));
  std::string type = getElementWord(op->getOperand(0).getType());
  for (const Price &price : prices) {
    if (!price.type.empty() && price.type != type)
      continue;
    std::optional<bool> isLast;
    if (StringRef(price.key) == "reduced")
      isLast = kinds.combines ? isReducedLast(map) : std::nullopt;
    else
      isLast = kinds.repeats ? isRepeatedLast(map) : std::nullopt;
    if (getClass(op) == price.opClass && isLast == price.isLast &&
        bytes <= price.maxBytes)
      return bytes * (price.factor - 1000) / 2000;
  }
  return 0;
}

static uint64_t getFormCost(ModuleOp module, ArrayRef<Price> prices) {
  uint64_t cost = 0;
  module.walk([&](Operation *op) {
    if (isa<FusionOpInterface>(op) && op->getNumRegions() == 0)
      cost += getFormCost(op, prices);
  });
  return cost;
}

/// Whether extents are known and nothing runs several times.
static bool isCountable(ModuleOp module) {
  bool found = false;
  module.walk([&](Operation *op) {
    found |= isa<LoopOp>(op);
    for (Type type : op->getOperandTypes())
      if (auto shaped = dyn_cast<ShapedType>(type))
        found |= !shaped.hasStaticShape();
  });
  return !found;
}

//===----------------------------------------------------------------------===//
// What must hold
//===----------------------------------------------------------------------===//

static std::string compareOutputs(const RandomGraph &graph, ModuleOp module) {
  auto before = execute(*graph.module, graph.inputs);
  if (!before)
    return "cannot be run: " + llvm::toString(before.takeError());
  auto after = execute(module, graph.inputs);
  if (!after)
    return llvm::toString(after.takeError());
  for (auto [i, a, b] : llvm::enumerate(*before, *after)) {
    constexpr double tolerance = 1e-10;
    TensorComparison difference = compareTensors(
        "", a, b, {graph.isExact ? 0 : tolerance, /*isExplicit=*/true});
    bool isTiny = difference.reason.empty() && !graph.isExact &&
                  difference.maxAbsError <= tolerance;
    if (!difference.isEqual && !isTiny)
      return "output " + std::to_string(i) + " differs";
  }
  return "";
}

static std::string checkReport(const PresetResult &result) {
  const Certificate &certificate = *result.certificate;
  if (result.cost.bytes != result.getCostOut().bytes ||
      certificate.best.bytes != result.cost.bytes)
    return "costs " + std::to_string(result.cost.bytes) + ", of which " +
           std::to_string(result.getCostOut().bytes) + " are accounted for";
  if (isCheaper(certificate.best, certificate.bound, Objective::Bytes))
    return "is cheaper than its bound";
  return "";
}

/// What several rounds report is one cost, too.
static std::string checkRounds(ModuleOp original, const Target &target) {
  OwningOpRef<ModuleOp> module = original.clone();
  auto result = settleLayouts(*module, target, {}, maxLayoutRounds);
  return result ? checkReport(*result) : llvm::toString(result.takeError());
}

/// Graphs whose forms were counted and cost something.
static uint64_t numCounted = 0;

static std::string check(const RandomGraph &graph, uint64_t seed) {
  RandomCosts costs = drawCosts(seed);
  TargetResult target = readKnownTarget(costs.text);
  if (!target.faults.empty())
    return "the target is refused: " + target.faults.front().message;
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> module = original.clone();
  auto result = assignLayouts(*module, target.target, {});
  if (!result)
    return llvm::toString(result.takeError());
  if (failed(verify(*module)))
    return "does not verify";
  if (std::string fault = checkReport(*result); !fault.empty())
    return fault;
  if (std::string fault = compareOutputs(graph, *module); !fault.empty())
    return fault;
  // Rounds take longer than all else.
  std::string fault = seed % 8 == 0 ? checkRounds(original, target.target) : "";
  if (!fault.empty())
    return "in rounds: " + fault;
  if (costs.hasRules || !isCountable(*module))
    return "";
  uint64_t counted = getFormCost(*module, costs.prices);
  numCounted += counted != 0;
  if (counted != result->surchargeOut.forms)
    return "forms cost " + std::to_string(counted) + ", reported " +
           std::to_string(result->surchargeOut.forms);
  if (isCheaper(result->ledger.getOut(), countMoves(*module), Objective::Bytes))
    return "moves more than reported";
  return "";
}

TEST(RandomCosts, AreThoseOfTheModule) {
  unsigned numFailed = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
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
                 << drawCosts(seed).text;
    (*graph.module)->print(llvm::errs());
    if (++numFailed == 3)
      return;
  }
  // There is something to check.
  EXPECT_GE(numCounted, numGraphs / 20);
}

//===----------------------------------------------------------------------===//
// Exhaustive search
//===----------------------------------------------------------------------===//

/// The layout problem of a small graph of real operators with costs, solved
/// twice; nothing where there are too many assignments or one.
static std::optional<std::string> checkExhaustively(const RandomGraph &graph,
                                                    const Target &target) {
  constexpr uint64_t maxAssignments = 20000;
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> module = original.clone();
  PassManager passes(module->getContext());
  addLayoutTransmit(passes, RankOptions(target));
  if (failed(passes.run(*module)))
    return "cannot be annotated";
  LayoutGraph layouts(llvm::cantFail(getGraph(*module)), target, getOnnxOpType,
                      {});
  const LayoutProblem &problem = layouts.getProblem();
  uint64_t numAssignments = 1;
  for (VarId var = 0; var < problem.getNumVariables(); ++var) {
    numAssignments *= problem.getNumStates(var);
    if (numAssignments > maxAssignments)
      return std::nullopt;
  }
  if (numAssignments == 1)
    return std::nullopt;
  Certificate certificate = solveOptimal(problem).certificate;
  Cost least = findLeastCost(problem);
  bool agrees = certificate.best == least && certificate.bound == least;
  return agrees ? ""
                : "the least costs " + std::to_string(least.bytes) +
                      ", found " + std::to_string(certificate.best.bytes) +
                      ", bound " + std::to_string(certificate.bound.bytes);
}

TEST(RandomCosts, ExhaustiveSearchAgrees) {
  uint64_t numChecked = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, 3 + seed % 6);
    Target target = readKnownTarget(drawCosts(seed).text).target;
    auto message = checkExhaustively(graph, target);
    numChecked += message.has_value();
    ASSERT_EQ(message.value_or(""), "") << "seed " << seed;
  }
  EXPECT_GE(numChecked, numGraphs / 4);
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
