//===- LayoutFunctionTest.cpp - Operators in a layout as functions --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace inlay;

/// An NHWC convolution with HWOI weights.
static std::string getConv(llvm::StringRef result, llvm::StringRef input,
                           unsigned pad, llvm::StringRef target = "nhwc") {
  std::string extent = std::to_string(6 + 2 * pad);
  std::string pads = llvm::formatv("{0}, {0}, {0}, {0}", pad).str();
  return llvm::formatv(
             R"(%{0} = inlay.in_layout "{1}" "Conv"(%{2}, %w)
        layouts ["NHWC", "HWOI", "NHWC"]
        : (tensor<1x8x8x3xf32>, tensor<3x3x3x3xf32>) -> tensor<1x{3}x{3}x3xf32> {{
      ^bb0(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x3xf32>):
        %c = inlay.transpose %a {{perm = array<i64: 0, 3, 1, 2>}
            : (tensor<1x8x8x3xf32>) -> tensor<1x3x8x8xf32>
        %d = inlay.transpose %b {{perm = array<i64: 2, 3, 0, 1>}
            : (tensor<3x3x3x3xf32>) -> tensor<3x3x3x3xf32>
        %e = inlay.conv %c, %d {{pads = array<i64: {4}>}
            : (tensor<1x3x8x8xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x{3}x{3}xf32>
        %f = inlay.transpose %e {{perm = array<i64: 0, 2, 3, 1>}
            : (tensor<1x3x{3}x{3}xf32>) -> tensor<1x{3}x{3}x3xf32>
        inlay.yield %f : tensor<1x{3}x{3}x3xf32>
      })",
             result, target, input, extent, pads)
      .str();
}

static std::string getModule(llvm::StringRef body, llvm::StringRef result,
                             llvm::StringRef type, unsigned irVersion = 4) {
  return llvm::formatv(
             R"(module attributes {{inlay.ir_version = {0} : i64,
                inlay.opsets = {{ai.onnx = 18 : i64}} {{
      func.func @main(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x3xf32>) -> {1} {{
        {2}
        return %{3} : {1}
      }
    })",
             irVersion, type, body, result)
      .str();
}

namespace {
class LayoutFunction : public ::testing::Test {
protected:
  LayoutFunction() {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
  }

  std::string exportText(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module ? exportModule(*module) : "";
  }

  std::string exportModule(mlir::ModuleOp module) {
    auto done = exportModel(module, folder / "m.onnx");
    EXPECT_TRUE(bool(done)) << llvm::toString(done.takeError());
    return readBytes(folder / "m.onnx");
  }

  mlir::OwningOpRef<mlir::ModuleOp>
  import(llvm::StringRef bytes, std::optional<std::string> target = {}) {
    ImportOptions options;
    options.target = std::move(target);
    auto module =
        importModel(context, MappedFile::fromMemory(bytes, "m.onnx"), options);
    if (module)
      return std::move(*module);
    ADD_FAILURE() << llvm::toString(module.takeError());
    return {};
  }

  static unsigned countInLayouts(mlir::ModuleOp module) {
    unsigned count = 0;
    module.walk([&](InLayoutOp) { ++count; });
    return count;
  }

  TemporaryFolder folder;
  mlir::MLIRContext context;
};
} // namespace

static const char padded[] = "tensor<1x8x8x3xf32>";
static const char unpadded[] = "tensor<1x6x6x3xf32>";

TEST_F(LayoutFunction, IsCalledWithTheAttributesOfItsOperator) {
  auto parsed =
      parseBytes(exportText(getModule(getConv("y", "x", 1), "y", padded)));
  ASSERT_TRUE(bool(parsed));
  const proto::Model &model = (*parsed)->message;
  EXPECT_EQ(model.irVersion, 8);
  ASSERT_EQ(model.opsetImports.size(), 2u);
  EXPECT_EQ(model.opsetImports[1].domain, "inlay.nhwc");
  ASSERT_EQ(model.graph.nodes.size(), 1u);
  const proto::Node &call = model.graph.nodes[0];
  EXPECT_EQ(call.opType, "Conv_NHWC_HWOI_0");
  EXPECT_EQ(call.domain, "inlay.nhwc");
  ASSERT_EQ(call.attributes.size(), 1u);
  EXPECT_EQ(call.attributes[0].name, "pads");
  EXPECT_EQ(call.attributes[0].getInts(),
            llvm::ArrayRef<int64_t>({1, 1, 1, 1}));
  ASSERT_EQ(model.functions.size(), 1u);
  const proto::Function &function = model.functions[0];
  EXPECT_EQ(function.name, call.opType);
  ASSERT_EQ(function.attributes.size(), 1u);
  EXPECT_EQ(function.attributes[0], "pads");
  ASSERT_EQ(function.opsetImports.size(), 1u);
  EXPECT_EQ(function.opsetImports[0].version, 18);
  ASSERT_EQ(function.nodes.size(), 4u);
  EXPECT_EQ(function.nodes[2].attributes[0].refName, "pads");
}

TEST_F(LayoutFunction, ModelsWithoutOneKeepTheirIRVersion) {
  auto parsed = parseBytes(exportText(getModule(
      "%y = inlay.relu %x : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>", "y",
      padded)));
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ((*parsed)->message.irVersion, 4);
  EXPECT_TRUE((*parsed)->message.functions.empty());
  EXPECT_EQ((*parsed)->message.opsetImports.size(), 1u);
}

TEST_F(LayoutFunction, EqualOnesAreWrittenOnce) {
  auto parsed = parseBytes(exportText(
      getModule(getConv("y", "x", 1) + getConv("z", "y", 0), "z", unpadded)));
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ((*parsed)->message.functions.size(), 1u);
  EXPECT_EQ((*parsed)->message.graph.nodes.size(), 2u);
}

TEST_F(LayoutFunction, OnesOfOtherTargetsAreOthers) {
  auto parsed = parseBytes(exportText(getModule(
      getConv("y", "x", 1) + getConv("z", "y", 1, "opu"), "z", padded)));
  ASSERT_TRUE(bool(parsed));
  const proto::Model &model = (*parsed)->message;
  ASSERT_EQ(model.functions.size(), 2u);
  EXPECT_EQ(model.functions[0].domain, "inlay.nhwc");
  EXPECT_EQ(model.functions[1].domain, "inlay.opu");
  EXPECT_EQ(model.opsetImports.size(), 3u);
}

TEST_F(LayoutFunction, ImportAndExportAreAFixedPoint) {
  std::string first = exportText(
      getModule(getConv("y", "x", 1) + getConv("z", "y", 0), "z", unpadded));
  auto module = import(first);
  ASSERT_TRUE(module);
  EXPECT_EQ(countInLayouts(*module), 2u);
  EXPECT_EQ(exportModule(*module), first);
}

TEST_F(LayoutFunction, OnesOfOtherTargetsAreInlined) {
  std::string bytes = exportText(getModule(
      getConv("y", "x", 1) + getConv("z", "y", 1, "opu"), "z", padded));
  auto kept = import(bytes, "nhwc"), none = import(bytes, "");
  ASSERT_TRUE(kept && none);
  EXPECT_EQ(countInLayouts(*kept), 1u);
  EXPECT_EQ(countInLayouts(*none), 0u);
  unsigned numConvs = 0;
  none->walk([&](ConvOp op) {
    ++numConvs;
    EXPECT_EQ(op.getType(), op.getX().getType());
  });
  EXPECT_EQ(numConvs, 2u);
}

TEST_F(LayoutFunction, ParametersAreConstantsOfTheBody) {
  const char body[] = R"(%y = inlay.in_layout "nhwc" "Relu"(%x) layouts ["", ""]
      : (tensor<1x8x8x3xf32>) -> tensor<64x3xf32> {
    ^bb0(%a: tensor<1x8x8x3xf32>):
      %b = inlay.relu %a : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
      %c = inlay.reshape %b {shape = array<i64: 64, 3>}
          : (tensor<1x8x8x3xf32>) -> tensor<64x3xf32>
      inlay.yield %c : tensor<64x3xf32>
    })";
  std::string bytes = exportText(getModule(body, "y", "tensor<64x3xf32>"));
  auto parsed = parseBytes(bytes);
  ASSERT_TRUE(bool(parsed));
  ASSERT_EQ((*parsed)->message.functions.size(), 1u);
  const proto::Function &function = (*parsed)->message.functions[0];
  EXPECT_EQ(function.name, "Relu_0");
  ASSERT_EQ(function.nodes.size(), 3u);
  EXPECT_EQ(function.nodes[1].opType, "Constant");
  EXPECT_TRUE((*parsed)->message.graph.initializers.empty());
  EXPECT_EQ(exportModule(*import(bytes)), bytes);
}

TEST_F(LayoutFunction, InitializersOfOldModelsAreNoInputsAnyMore) {
  std::string text =
      getModule("%k = inlay.constant dense<0.5> : tensor<3xf32>\n"
                "%s = inlay.add %x, %k : (tensor<1x8x8x3xf32>, tensor<3xf32>)"
                " -> tensor<1x8x8x3xf32>\n" +
                    getConv("y", "s", 1),
                "y", padded, /*irVersion=*/3);
  auto parsed = parseBytes(exportText(text));
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ((*parsed)->message.irVersion, 8);
  EXPECT_EQ((*parsed)->message.graph.inputs.size(), 2u);
  EXPECT_EQ((*parsed)->message.graph.initializers.size(), 1u);
}

TEST_F(LayoutFunction, NamesInUseAreNotGiven) {
  std::string text =
      getModule("%o = inlay.opaque \"inlay.nhwc::Conv_NHWC_HWOI_0\"(%x)"
                " : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>\n" +
                    getConv("y", "o", 1),
                "y", padded);
  auto parsed = parseBytes(exportText(text));
  ASSERT_TRUE(bool(parsed));
  ASSERT_EQ((*parsed)->message.functions.size(), 1u);
  EXPECT_EQ((*parsed)->message.functions[0].name, "Conv_NHWC_HWOI_1");
}
