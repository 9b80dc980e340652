//===- RandomExtentsTest.cpp - Folding says the same for all extents ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the number of random graphs and the seed of the first one as its
// arguments.
//
//===----------------------------------------------------------------------===//

#include "RandomExtents.h"
#include "../../RandomMain.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

static uint64_t numGraphs = 1000, firstSeed = 1;

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// What the module takes in a file: constants, each once, and nodes.
static uint64_t measure(ModuleOp module) {
  uint64_t bytes = 0;
  llvm::DenseSet<Attribute> seen;
  module.walk([&](Operation *op) {
    auto constant = dyn_cast<ConstantOp>(op);
    if (!constant && !isa<ModuleOp>(op))
      bytes += 64;
    else if (constant && seen.insert(constant.getValue()).second)
      bytes += getByteSize(Attribute(constant.getValue()));
  });
  return bytes;
}

static unsigned countShapes(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](ShapeOp) { ++count; });
  return count;
}

//===----------------------------------------------------------------------===//
// Running as strictly as any runtime
//===----------------------------------------------------------------------===//

namespace {
/// The outputs, or nothing where some runtime gives none: the executor divides
/// by extents that are not copied only, so that it finds a -1 beside a copied
/// zero, others do not.
class StrictRun {
public:
  explicit StrictRun(ModuleOp module) : module(module) {}

  std::optional<SmallVector<HostTensor>> run(const HostTensor &input);

private:
  void check(ReshapeOp op, const HostTensor &result);

  ModuleOp module;
  llvm::DenseMap<Value, HostTensor> tensors;
  bool isAmbiguous = false;
};
} // namespace

void StrictRun::check(ReshapeOp op, const HostTensor &result) {
  SmallVector<int64_t> target;
  if (op.getShape())
    llvm::append_range(target, *op.getShape());
  else if (auto it = tensors.find(op.getShapeOperand()); it != tensors.end())
    llvm::append_range(target, it->second.getInts());
  auto free = llvm::find(target, -1);
  if (free == target.end())
    return;
  for (auto [entry, extent] : llvm::zip(target, result.getShape()))
    isAmbiguous |= entry != -1 && extent == 0;
}

std::optional<SmallVector<HostTensor>> StrictRun::run(const HostTensor &input) {
  ExecuteOptions options;
  options.visit = [&](Value value, HostTensor &tensor) {
    tensors[value] = tensor;
    if (auto reshape = value.getDefiningOp<ReshapeOp>())
      check(reshape, tensor);
  };
  auto outputs = execute(module, {input}, options);
  if (!outputs) {
    llvm::consumeError(outputs.takeError());
    return std::nullopt;
  }
  if (isAmbiguous)
    return std::nullopt;
  return std::move(*outputs);
}

//===----------------------------------------------------------------------===//
// What must hold
//===----------------------------------------------------------------------===//

static LogicalResult simplify(ModuleOp module, int64_t limit) {
  SimplifyOptions options;
  options.foldLimit = limit;
  PassManager passes(module.getContext());
  passes.addPass(createSimplify(options));
  return passes.run(module);
}

static std::string compare(ArrayRef<HostTensor> before,
                           ArrayRef<HostTensor> after) {
  for (auto [i, a, b] : llvm::enumerate(before, after))
    if (!compareTensors("", a, b, {0, /*isExplicit=*/true}).isEqual)
      return "output " + std::to_string(i) + " differs";
  return "";
}

namespace {
struct Counts {
  unsigned numRuns = 0, numZeros = 0, numShapes = 0, numLeft = 0;
};
} // namespace

/// The module's inputs at several extents, where it has results, and these.
static auto runAll(ModuleOp module, uint64_t seed) {
  static constexpr int64_t one[] = {1}, some[] = {2, 3, 5}, zero[] = {0},
                           any[] = {0, 1, 2, 3};
  SmallVector<std::pair<HostTensor, SmallVector<HostTensor>>> runs;
  for (ArrayRef<int64_t> choices :
       {ArrayRef(some), ArrayRef(one), ArrayRef(zero), ArrayRef(any)}) {
    HostTensor input = makeInput(module, choices, seed);
    if (auto outputs = StrictRun(module).run(input))
      runs.emplace_back(input, std::move(*outputs));
  }
  return runs;
}

/// What is wrong with the simplified module; empty where nothing is.
static std::string check(ModuleOp original, uint64_t seed, Counts &counts) {
  static constexpr int64_t limits[] = {0, 4096, -1};
  int64_t limit = limits[seed % 3];
  if (failed(verify(original)))
    return "invalid";
  auto runs = runAll(original, seed);
  OwningOpRef<ModuleOp> module = original.clone();
  // What never runs may be refused.
  if (failed(simplify(*module, limit)))
    return runs.empty() ? "" : "refused";
  if (failed(verify(*module)))
    return "invalid when simplified";
  std::string once = print(*module);
  if (failed(simplify(*module, limit)) || print(*module) != once)
    return "changes when it is simplified again";
  if (measure(*module) > measure(original) + (limit < 0 ? 1 << 20 : limit))
    return "larger than allowed";
  counts.numShapes += countShapes(original);
  counts.numLeft += countShapes(*module);
  for (auto &[input, expected] : runs) {
    ++counts.numRuns;
    counts.numZeros += input.getNumElements() == 0;
    auto found = StrictRun(*module).run(input);
    if (!found)
      return "does not run any more";
    if (std::string difference = compare(expected, *found); !difference.empty())
      return difference;
  }
  return "";
}

TEST(RandomExtents, AreTheSameWhenSimplified) {
  Counts counts;
  unsigned numFailed = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numGraphs; ++seed) {
    auto context = createContext();
    ScopedDiagnosticHandler silence(context.get(), [](Diagnostic &) {});
    OwningOpRef<ModuleOp> module = makeRandomExtents(*context, seed);
    std::string message = check(*module, seed, counts);
    if (message.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ": " << message << "\n"
                  << print(*module);
    if (++numFailed == 5)
      return;
  }
  EXPECT_GE(counts.numRuns, 2 * numGraphs) << "most graphs run";
  EXPECT_GE(counts.numZeros, numGraphs / 4) << "many on nothing";
  EXPECT_LE(2 * counts.numLeft, counts.numShapes) << "most extents go";
  EXPECT_GE(counts.numLeft, numGraphs / 10) << "some have to stay";
}

/// A -1 that stands for zero divided by zero is no result.
TEST(RandomExtents, DivisionOfZeroIsNoResult) {
  auto context = createContext();
  auto run = [&](StringRef shape) {
    std::string text = ("func.func @f(%x: tensor<?x2xf32>) -> tensor<?x?xf32> {"
                        "%y = inlay.reshape %x {shape = array<i64: " +
                        shape +
                        ">} : (tensor<?x2xf32>) -> tensor<?x?xf32>"
                        "return %y : tensor<?x?xf32> }")
                           .str();
    auto module = parseSourceString<ModuleOp>(text, context.get());
    EXPECT_TRUE(module);
    return StrictRun(*module).run(HostTensor(ElementType::Float, {0, 2}));
  };
  EXPECT_TRUE(run("0, 2"));
  EXPECT_TRUE(run("-1, 2"));
  EXPECT_FALSE(run("0, -1"));
}

int main(int argc, char **argv) {
  return runRandomTests(argc, argv, numGraphs, &firstSeed);
}
