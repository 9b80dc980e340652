//===- GroupFunctionTest.cpp - Groups as functions ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;

namespace {
class GroupFunction : public ::testing::Test {
protected:
  GroupFunction() {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
  }

  /// A graph of x, y -> 4 floats each with `body`, which `values` end.
  std::string exportGraph(llvm::StringRef body, llvm::StringRef values,
                          llvm::StringRef types) {
    std::string text = llvm::formatv(R"(
      !t = tensor<4xf32>
      module attributes {{inlay.ir_version = 4 : i64,
                          inlay.opsets = {{ai.onnx = 18 : i64}} {{
        func.func @main(%x: !t {{inlay.name = "x"},
                        %y: !t {{inlay.name = "y"}) -> ({2}) {{
          {0}
          return {1} : {2}
        }
      })",
                                     body, values, types)
                           .str();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module ? exportModule(*module) : "";
  }

  std::string exportModule(mlir::ModuleOp module) {
    auto done = exportModel(module, folder / "m.onnx");
    EXPECT_TRUE(bool(done)) << llvm::toString(done.takeError());
    return readBytes(folder / "m.onnx");
  }

  /// Reads the model and writes it again.
  std::string roundTrip(llvm::StringRef bytes) {
    auto module =
        importModel(context, MappedFile::fromMemory(bytes, "m.onnx"), {});
    if (module)
      return exportModule(**module);
    ADD_FAILURE() << llvm::toString(module.takeError());
    return "";
  }

  TemporaryFolder folder;
  mlir::MLIRContext context;
};
} // namespace

using Texts = std::vector<std::string>;

static Texts getTexts(llvm::ArrayRef<llvm::StringRef> texts) {
  return Texts(texts.begin(), texts.end());
}

// Add(y, y) has one input; a constant is passed in; a value that is used inside
// and outside is given out.
static const char mixed[] = R"(
  %c = inlay.constant dense<1.0> : !t loc(fused<#inlay.origin<"", "initializer", ["c"]>>["c"])
  %g:2 = inlay.group "opu" "group_0" stages ["add", "add", ""] : !t, !t {
    %a = inlay.add %y, %y : (!t, !t) -> !t loc(fused<#inlay.origin<"first", "Add", ["a"], {doc = "says"}>>["a"])
    %b = inlay.add %a, %c : (!t, !t) -> !t loc(fused<#inlay.origin<"second", "Add", ["b"]>>["b"])
    %d = inlay.exp %b : (!t) -> !t loc(fused<#inlay.origin<"", "Exp", ["d"]>>["d"])
    inlay.yield %a, %d : !t, !t
  } loc(unknown)
)";

TEST_F(GroupFunction, TakesEachInputOnceAndKeepsNames) {
  std::string bytes = exportGraph(mixed, "%g#1, %g#0, %x", "!t, !t, !t");
  auto parsed = parseBytes(bytes);
  ASSERT_TRUE(bool(parsed));
  const proto::Model &model = (*parsed)->message;
  EXPECT_EQ(model.irVersion, 8);
  ASSERT_EQ(model.functions.size(), 1u);
  const proto::Function &function = model.functions[0];
  EXPECT_EQ(function.domain, "inlay.opu");
  EXPECT_EQ(function.name, "group_0");
  EXPECT_EQ(getTexts(function.inputs), (Texts{"y", "c"}));
  EXPECT_EQ(getTexts(function.outputs), (Texts{"a", "d"}));
  ASSERT_EQ(function.nodes.size(), 3u);
  EXPECT_EQ(function.nodes[0].name, "first");
  EXPECT_EQ(function.nodes[0].docString, "says");
  EXPECT_EQ(getTexts(function.nodes[0].inputs), (Texts{"y", "y"}));
  EXPECT_EQ(function.nodes[1].name, "second");
  ASSERT_EQ(function.metadata.size(), 4u);
  EXPECT_EQ(function.metadata[0].key, "inlay.group");
  EXPECT_EQ(function.metadata[1].value, "add");
  EXPECT_EQ(function.metadata[3].value, "");
  const proto::Node &call = model.graph.nodes[0];
  EXPECT_EQ(call.domain, "inlay.opu");
  EXPECT_EQ(call.opType, "group_0");
  EXPECT_EQ(call.name, "group_0");
  EXPECT_EQ(getTexts(call.inputs), (Texts{"y", "c"}));
}

TEST_F(GroupFunction, IsReadAndWrittenAgainUnchanged) {
  std::string bytes = exportGraph(mixed, "%g#1, %g#0, %x", "!t, !t, !t");
  EXPECT_EQ(roundTrip(bytes), bytes);
}

// Results that are inputs or constants outside, and the same result twice.
TEST_F(GroupFunction, CopiesWhatItDoesNotCompute) {
  std::string bytes = exportGraph(R"(
    %g:4 = inlay.group "opu" "group_0" stages ["compare"] : !t, !t, !t, !t {
      %r = inlay.relu %x : (!t) -> !t
      inlay.yield %r, %y, %r, %x : !t, !t, !t, !t
    })",
                                  "%g#0, %g#1, %g#2", "!t, !t, !t");
  auto parsed = parseBytes(bytes);
  ASSERT_TRUE(bool(parsed));
  const proto::Function &function = (*parsed)->message.functions[0];
  EXPECT_EQ(getTexts(function.inputs), (Texts{"x", "y"}));
  ASSERT_EQ(function.outputs.size(), 4u);
  EXPECT_EQ(std::set(function.outputs.begin(), function.outputs.end()).size(),
            4u);
  ASSERT_EQ(function.nodes.size(), 4u);
  for (const proto::Node &node : function.nodes.drop_front())
    EXPECT_EQ(node.opType, "Identity");
  EXPECT_EQ((*parsed)->message.graph.nodes[0].outputs.size(), 4u);
}

static std::string getChain(llvm::StringRef result, llvm::StringRef input,
                            llvm::StringRef name, llvm::StringRef op) {
  return llvm::formatv(
             R"(%{0} = inlay.group "opu" "{2}" stages ["compare"] : !t {{
        %r = inlay.{3} %{1} : (!t) -> !t
        inlay.yield %r : !t
      }
      )",
             result, input, name, op)
      .str();
}

static std::vector<std::string> getNames(const proto::Model &model) {
  std::vector<std::string> names;
  for (const proto::Function &function : model.functions)
    names.push_back(function.name.str());
  return names;
}

TEST_F(GroupFunction, EqualOnesOfOneNameAreShared) {
  auto parsed =
      parseBytes(exportGraph(getChain("a", "x", "group_0", "relu") +
                                 getChain("b", "x", "group_0", "relu"),
                             "%a, %b", "!t, !t"));
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ(getNames((*parsed)->message), Texts{"group_0"});
}

TEST_F(GroupFunction, DifferentOnesOfOneNameDoNotCollide) {
  std::string bytes = exportGraph(getChain("a", "x", "group_0", "relu") +
                                      getChain("b", "x", "group_0", "exp"),
                                  "%a, %b", "!t, !t");
  auto parsed = parseBytes(bytes);
  ASSERT_TRUE(bool(parsed));
  Texts names = getNames((*parsed)->message);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_NE(names[0], names[1]);
  EXPECT_EQ((*parsed)->message.graph.nodes[1].opType, names[1]);
  EXPECT_EQ(roundTrip(bytes), bytes);
}
