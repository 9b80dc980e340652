//===- RandomRoundsTest.cpp - What is proved least is least ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two claims about what choosing layouts leaves of a random graph's transposes:
// choosing once more leaves as many bytes, and pairs of inverse transposes,
// with and without operators between them, change nothing. Takes the number of
// random graphs and the seed of the first one as its arguments; graphs with
// unknown extents have no say and are not counted.
//
//===----------------------------------------------------------------------===//

#include "../../RandomMain.h"
#include "CountMoves.h"
#include "Fitting.h"
#include "ShrinkGraph.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/RunPasses.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 200, firstSeed = 1;
static constexpr unsigned graphSize = 25;
static constexpr unsigned maxPairs = 40;

static llvm::Error simplify(ModuleOp module) {
  PassManager passes(module->getName());
  passes.addPass(createSimplify());
  return runPasses(module, passes);
}

static llvm::Expected<PresetResult>
settle(ModuleOp module, const Target &target,
       unsigned maxRounds = maxLayoutRounds) {
  LayoutOptions options;
  options.target = target.name;
  return settleLayouts(module, target, options, maxRounds);
}

//===----------------------------------------------------------------------===//
// Noise
//===----------------------------------------------------------------------===//

namespace {
/// Inserts transposes that undo each other.
class NoiseMaker {
public:
  NoiseMaker(ModuleOp module, uint64_t seed)
      : module(module), builder(module.getContext()), random(seed) {}

  unsigned insert(unsigned numPairs);

private:
  SmallVector<int64_t> drawPermutation(int64_t rank);
  Value transpose(Value value, ArrayRef<int64_t> perm);
  bool insertAround(Operation *op);
  bool insertBehind(Value value);
  SmallVector<Operation *> getOperations();

  ModuleOp module;
  OpBuilder builder;
  std::mt19937_64 random;
};
} // namespace

static SmallVector<int64_t> invert(ArrayRef<int64_t> perm) {
  SmallVector<int64_t> inverse(perm.size());
  for (auto [i, dim] : llvm::enumerate(perm))
    inverse[dim] = i;
  return inverse;
}

SmallVector<int64_t> NoiseMaker::drawPermutation(int64_t rank) {
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (int64_t i = rank - 1; i > 0; --i)
    std::swap(perm[i], perm[random() % (i + 1)]);
  return perm;
}

Value NoiseMaker::transpose(Value value, ArrayRef<int64_t> perm) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : perm)
    shape.push_back(type.getDimSize(dim));
  return builder.create<TransposeOp>(builder.getUnknownLoc(), type.clone(shape),
                                     value, builder.getDenseI64ArrayAttr(perm));
}

static bool canPermute(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() >= 2 && type.hasStaticShape() &&
         type.getNumElements() > 0 && !value.getDefiningOp<ConstantOp>();
}

/// op(x) -> inverse(op(permute(x))), for an elementwise operator of one tensor.
bool NoiseMaker::insertAround(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!fusion || fusion.getFusionClass() != FusionClass::Elementwise ||
      op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      !canPermute(op->getOperand(0)) || !canPermute(op->getResult(0)))
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> perm = drawPermutation(type.getRank());
  builder.setInsertionPoint(op);
  Value permuted = transpose(op->getOperand(0), perm);
  op->setOperand(0, permuted);
  op->getResult(0).setType(
      type.clone(cast<RankedTensorType>(permuted.getType()).getShape()));
  builder.setInsertionPointAfter(op);
  Value back = transpose(op->getResult(0), invert(perm));
  op->getResult(0).replaceAllUsesExcept(back, back.getDefiningOp());
  return true;
}

/// x -> inverse(permute(x)), for all uses or one of them.
bool NoiseMaker::insertBehind(Value value) {
  if (!canPermute(value) || value.use_empty())
    return false;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    uses.push_back(&use);
  if (random() % 2 != 0)
    uses = {uses[random() % uses.size()]};
  builder.setInsertionPointAfterValue(value);
  SmallVector<int64_t> perm =
      drawPermutation(cast<RankedTensorType>(value.getType()).getRank());
  Value back = transpose(transpose(value, perm), invert(perm));
  for (OpOperand *use : uses)
    use->set(back);
  return true;
}

SmallVector<Operation *> NoiseMaker::getOperations() {
  SmallVector<Operation *> ops;
  for (Operation &op : llvm::cantFail(getGraph(module)).getBody().front())
    ops.push_back(&op);
  return ops;
}

/// Half of them around an operator, as far as there are any.
unsigned NoiseMaker::insert(unsigned numPairs) {
  unsigned inserted = 0;
  for (unsigned tries = 0; inserted < numPairs && tries < 20 * numPairs;
       ++tries) {
    SmallVector<Operation *> ops = getOperations();
    Operation *op = ops[random() % ops.size()];
    if (inserted % 2 == 0 && tries < 10 * numPairs)
      inserted += insertAround(op);
    else if (op->getNumResults() != 0)
      inserted += insertBehind(op->getResult(0));
  }
  return inserted;
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

static uint64_t getLeft(const PresetResult &result) {
  return result.cost.bytes;
}

/// How many results were proved, and how many graphs had a say.
static unsigned numProved = 0, numUnproved = 0, numPairs = 0;
/// Those where one round leaves more than several do.
static unsigned numGained = 0;

/// Choosing layouts of what came of it leaves as many bytes.
static std::string checkAgain(ModuleOp module, const PresetResult &before,
                              const Target &target) {
  uint64_t left = countMoves(module).bytes;
  auto again = settle(module, target);
  if (!again)
    return llvm::toString(again.takeError());
  uint64_t leftAgain = countMoves(module).bytes;
  if (before.isUnsettled || leftAgain == left)
    return "";
  return "leaves " + std::to_string(left) + " bytes, then " +
         std::to_string(leftAgain);
}

/// Results of two modules that compute the same in the same way.
static std::string checkAlike(const PresetResult &a, const PresetResult &b) {
  const Certificate &first = *a.certificate, &second = *b.certificate;
  bool areProved = first.isOptimal() && second.isOptimal();
  bool isValid = areProved ? getLeft(a) == getLeft(b)
                           : first.bound.bytes <= getLeft(b) &&
                                 second.bound.bytes <= getLeft(a);
  if (isValid)
    return "";
  return "costs " + std::to_string(getLeft(a)) + " (at least " +
         std::to_string(first.bound.bytes) + "), with noise " +
         std::to_string(getLeft(b)) + " (at least " +
         std::to_string(second.bound.bytes) + ")";
}

/// What several rounds leave computes what the graph does.
static std::string checkResults(const RandomGraph &graph, ModuleOp module) {
  auto expected = execute(*graph.module, graph.inputs);
  auto outputs = execute(module, graph.inputs);
  if (!expected || !outputs)
    return llvm::toString(
        llvm::joinErrors(expected.takeError(), outputs.takeError()));
  constexpr double tolerance = 1e-6;
  for (auto [before, after] : llvm::zip_equal(*expected, *outputs)) {
    TensorComparison found = compareTensors(
        "", before, after, {graph.isExact ? 0 : tolerance, true});
    if (!found.isEqual && (graph.isExact || !(found.maxAbsError <= tolerance)))
      return "computes something else";
  }
  return "";
}

static std::string check(const RandomGraph &graph, uint64_t seed,
                         StringRef name) {
  Target target = llvm::cantFail(loadKnownTarget(name));
  ModuleOp original = *graph.module;
  OwningOpRef<ModuleOp> plain = original.clone();
  if (llvm::Error error = simplify(*plain))
    return llvm::toString(std::move(error));
  OwningOpRef<ModuleOp> noisy = plain->clone(), once = plain->clone();
  auto first = settle(*once, target, /*maxRounds=*/1);
  if (!first)
    return llvm::toString(first.takeError());
  auto result = settle(*plain, target);
  if (!result)
    return llvm::toString(result.takeError());
  numGained += getLeft(*result) < getLeft(*first);
  ++(result->certificate->isOptimal() ? numProved : numUnproved);
  std::string fault = checkResults(graph, *plain);
  if (fault.empty())
    fault = checkAgain(*plain, *result, target);
  if (!fault.empty())
    return name.str() + ": " + fault;
  // What is padded is counted with its padding as long as it is not stored.
  if (!target.formats.empty())
    return "";
  numPairs += NoiseMaker(*noisy, seed).insert(1 + seed % maxPairs);
  auto other = settle(*noisy, target);
  if (!other)
    return llvm::toString(other.takeError());
  fault = checkAlike(*result, *other);
  return fault.empty() ? "" : name.str() + ": " + fault;
}

/// Where an extent is not known bytes depend on what is assumed of it, which
/// may be another value's extent once tensors are stored otherwise.
static bool hasKnownExtents(ModuleOp module) {
  auto isKnown = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  };
  WalkResult found = module.walk([&](Operation *op) {
    return llvm::all_of(op->getOperandTypes(), isKnown) &&
                   llvm::all_of(op->getResultTypes(), isKnown)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !found.wasInterrupted();
}

static std::string check(const RandomGraph &graph, uint64_t seed) {
  if (!hasKnownExtents(*graph.module))
    return "";
  for (StringRef target : {"none", "nhwc", "ascend"})
    if (std::string fault = check(graph, seed, target); !fault.empty())
      return fault;
  return "";
}

TEST(RandomRounds, LeaveNothingToFind) {
  unsigned numFailed = 0;
  uint64_t numLeft = numGraphs;
  for (uint64_t seed = firstSeed; numLeft != 0; ++seed) {
    auto context = createContext();
    RandomGraph graph = makeRandomGraph(*context, seed, graphSize);
    if (!hasKnownExtents(*graph.module))
      continue;
    --numLeft;
    std::string fault = check(graph, seed);
    if (fault.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << fault;
    graph = shrinkGraph(std::move(graph), [&](const RandomGraph &smaller) {
      return !check(smaller, seed).empty();
    });
    llvm::errs() << "seed " << seed << ": " << check(graph, seed) << "\n";
    (*graph.module)->print(llvm::errs());
    if (++numFailed == 5)
      break;
  }
  llvm::outs() << numProved << " proved, " << numUnproved << " not; "
               << numGained << " gained by further rounds; " << numPairs
               << " pairs inserted\n";
  EXPECT_GE(numProved, numUnproved) << "most are proved";
  EXPECT_GE(numPairs, numGraphs) << "most graphs have noise";
  EXPECT_GE(numGained, numGraphs / 200) << "one round is not enough";
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
