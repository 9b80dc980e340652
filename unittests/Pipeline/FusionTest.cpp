//===- FusionTest.cpp - Groups of all models ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModels.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Transforms/Hardware/Fuse.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace mlir;

namespace {
/// A model, simplified; null when it is not one.
OwningOpRef<ModuleOp> load(MLIRContext &context, StringRef path) {
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  auto module = loadModel(context, path, {});
  if (!module) {
    llvm::consumeError(module.takeError());
    return nullptr;
  }
  PassManager passes(&context);
  passes.addPass(createSimplify());
  return succeeded(passes.run(**module)) ? std::move(*module) : nullptr;
}

TEST(FusionTest, OptimalIsNeverWorseThanGreedy) {
  TestModels models;
  Target target = llvm::cantFail(loadTarget("opu", getOnnxOpTypes()));
  unsigned numFused = 0;
  for (const std::string &path : models.getPaths()) {
    auto context = createContext();
    OwningOpRef<ModuleOp> module = load(*context, path);
    if (!module)
      continue;
    SCOPED_TRACE(path);
    uint64_t bytes[2];
    for (bool isOptimal : {false, true}) {
      ModuleOp original = *module;
      OwningOpRef<ModuleOp> copy = original.clone();
      auto result = fuseHardware(
          llvm::cantFail(getGraph(*copy)), target,
          {isOptimal ? FusionStrategy::Optimal : FusionStrategy::Greedy, true});
      ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
      EXPECT_TRUE(succeeded(verify(*copy)));
      EXPECT_LE(result->bytesAfter, result->bytesBefore);
      if (isOptimal)
        EXPECT_LE(*result->bound, result->bytesAfter);
      bytes[isOptimal] = result->bytesAfter;
      numFused += result->bytesAfter < result->bytesBefore;
    }
    EXPECT_LE(bytes[1], bytes[0]);
  }
  EXPECT_GE(numFused, 20u);
}

/// Every sum of two branches runs with exactly one of the convolutions that
/// feed it, and every relu with its sum or its convolution.
TEST(FusionTest, ResidualSumsRunWithOneConvolution) {
  TestModels models;
  Target target = llvm::cantFail(loadTarget("opu", getOnnxOpTypes()));
  unsigned numSums = 0;
  for (const std::string &path : models.getPaths()) {
    if (!StringRef(path).ends_with("resnet18.onnx"))
      continue;
    auto context = createContext();
    OwningOpRef<ModuleOp> module = load(*context, path);
    ASSERT_TRUE(module);
    func::FuncOp function = llvm::cantFail(getGraph(*module));
    auto result = fuseHardware(function, target, {});
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    function.walk([&](Operation *op) {
      auto inGroup = [&](Value value) {
        Operation *from = value.getDefiningOp();
        return from && from->getParentOp() == op->getParentOp();
      };
      if (isa<ReluOp>(op))
        EXPECT_TRUE(isa<GroupOp>(op->getParentOp()) &&
                    inGroup(op->getOperand(0)));
      if (!isa<AddOp>(op))
        return;
      ++numSums;
      EXPECT_EQ(inGroup(op->getOperand(0)) + inGroup(op->getOperand(1)), 1);
      for (Value operand : op->getOperands())
        if (inGroup(operand))
          EXPECT_TRUE(operand.getDefiningOp<ConvOp>());
    });
  }
  EXPECT_EQ(numSums, 8u);
}

} // namespace
