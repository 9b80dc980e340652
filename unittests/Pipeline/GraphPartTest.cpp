//===- GraphPartTest.cpp - Parts of graphs --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/GraphPart.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Extract.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace mlir;

namespace {
/// s, t = split(relu(x)); y = s * w + t, with names on all of it.
class GraphPartTest : public ::testing::Test {
protected:
  GraphPartTest() : context(createContext()) {
    module = parseSourceString<ModuleOp>(R"(
#r = loc(fused<#inlay.origin<"relu", "Relu", ["r"]>>[unknown])
#s = loc(fused<#inlay.origin<"split", "Split", ["s", "t"]>>[unknown])
#w = loc(fused<#inlay.origin<"", "initializer", ["w"]>>[unknown])
#m = loc(fused<#inlay.origin<"mul", "Mul", ["m"]>>[unknown])
#a = loc(fused<#inlay.origin<"add", "Add", ["y"]>>[unknown])
module attributes {inlay.opsets = {ai.onnx = 17 : i64}} {
  func.func @main(%x: tensor<4xf32> {inlay.name = "x"})
      -> (tensor<2xf32> {inlay.name = "y"}) {
    %r = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc(#r)
    %s:2 = inlay.split %r {split = array<i64: 2, 2>}
        : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) loc(#s)
    %w = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32> loc(#w)
    %m = inlay.mul %s#0, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc(#m)
    %y = inlay.add %m, %s#1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc(#a)
    return %y : tensor<2xf32>
  }
})",
                                         context.get());
    EXPECT_TRUE(bool(module));
    graph = llvm::cantFail(getGraph(*module));
  }

  GraphPart getPart(std::vector<std::string> inputs,
                    std::vector<std::string> outputs) {
    return llvm::cantFail(findPart(graph, inputs, outputs));
  }

  std::string getMessage(std::vector<std::string> inputs,
                         std::vector<std::string> outputs) {
    std::string message;
    auto part = findPart(graph, inputs, outputs);
    EXPECT_FALSE(bool(part));
    if (!part)
      EXPECT_EQ(takeError(part.takeError(), message), ExitCode::Usage);
    return message;
  }

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp graph;
};
} // namespace

TEST_F(GraphPartTest, HasWhatLiesBetween) {
  GraphPart part = getPart({"s"}, {"m"});
  EXPECT_EQ(findOperations(part).countNodes(), 1u);
  OwningOpRef<ModuleOp> copy = copyPart(*module, part);
  EXPECT_TRUE(succeeded(verify(*copy)));
  func::FuncOp own = llvm::cantFail(getGraph(*copy));
  EXPECT_EQ(getInputName(own, 0), "s");
  EXPECT_EQ(getOutputName(own, 0), "m");
  EXPECT_EQ(llvm::range_size(own.getOps<ConstantOp>()), 1);
  EXPECT_EQ(llvm::range_size(own.getOps<AddOp>()), 0);
  EXPECT_TRUE((*copy)->hasAttr("inlay.opsets"));
  // The whole is as it was.
  EXPECT_EQ(llvm::range_size(graph.getOps<AddOp>()), 1);
}

TEST_F(GraphPartTest, BeginsAtTheGraphsInputs) {
  GraphPart part = getPart({}, {"t"});
  ASSERT_EQ(part.inputs.size(), 1u);
  EXPECT_EQ(part.inputs.front(), graph.getArgument(0));
  OwningOpRef<ModuleOp> copy = copyPart(*module, part);
  func::FuncOp own = llvm::cantFail(getGraph(*copy));
  EXPECT_EQ(llvm::range_size(own.getOps<ConstantOp>()), 0);
}

TEST_F(GraphPartTest, TakesOneOfTheResultsOfANodeAndComputesTheOther) {
  GraphPart part = getPart({"x", "s"}, {"y"});
  OwningOpRef<ModuleOp> copy = copyPart(*module, part);
  EXPECT_TRUE(succeeded(verify(*copy)));
  func::FuncOp own = llvm::cantFail(getGraph(*copy));
  auto mul = *own.getOps<MulOp>().begin();
  EXPECT_EQ(mul->getOperand(0), own.getArgument(1));
}

TEST_F(GraphPartTest, TakesAWeightAsInput) {
  OwningOpRef<ModuleOp> copy = copyPart(*module, getPart({"s", "w"}, {"m"}));
  func::FuncOp own = llvm::cantFail(getGraph(*copy));
  EXPECT_EQ(own.getNumArguments(), 2u);
  EXPECT_EQ(llvm::range_size(own.getOps<ConstantOp>()), 0);
}

TEST_F(GraphPartTest, SaysWhatIsWrong) {
  EXPECT_EQ(getMessage({}, {"q"}), "the model has no tensor 'q'");
  EXPECT_EQ(getMessage({"m"}, {"y"}),
            "the outputs need input 'x' of the model, too: add it to the "
            "inputs, or a tensor behind it");
  EXPECT_EQ(getMessage({"x", "w"}, {"r"}),
            "input 'w' is not needed: no output depends on it, or only by way "
            "of other inputs");
  EXPECT_EQ(getMessage({"r"}, {"r"}),
            "tensor 'r' is an input and an output: nothing lies between");
}

TEST(Suggest, NamesTheNearestOrNothing) {
  llvm::StringRef known[] = {"conv1", "pool"};
  EXPECT_EQ(suggest("conv2", known), ", did you mean 'conv1'?");
  EXPECT_EQ(suggest("softmax", known), "");
  EXPECT_EQ(suggest("", known), "");
}
