//===- OriginsTest.cpp - No node of a model is forgotten ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModels.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/ONNX/Import.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Transforms/Rewrite/Passes.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What a file says
//===----------------------------------------------------------------------===//

/// A node is known by its name and the names of its outputs. Outputs that are
/// left out have none.
static std::string getKey(StringRef name, ArrayRef<StringRef> outputs) {
  std::string key = name.str();
  for (StringRef output : outputs)
    if (!output.empty())
      key += "|" + output.str();
  return key;
}

static std::string getKey(OriginAttr origin) {
  SmallVector<StringRef> outputs;
  for (auto output : origin.getOutputs().getAsRange<StringAttr>())
    outputs.push_back(output.getValue());
  return getKey(origin.getName(), outputs);
}

/// Every node of a model, those of subgraphs included.
static llvm::StringSet<> collectNodes(const proto::Model &model) {
  llvm::StringSet<> keys;
  SmallVector<const proto::Graph *> work = {&model.graph};
  while (!work.empty())
    for (const proto::Node &node : work.pop_back_val()->nodes) {
      keys.insert(getKey(node.name, node.outputs));
      for (const proto::Attribute &attribute : node.attributes)
        if (attribute.kind == proto::AttributeKind::Graph ||
            attribute.kind == proto::AttributeKind::Graphs)
          for (const proto::Graph &graph : attribute.getGraphs())
            work.push_back(&graph);
    }
  return keys;
}

//===----------------------------------------------------------------------===//
// What a module knows
//===----------------------------------------------------------------------===//

namespace {
/// Fails on every origin that a pass loses.
class OriginChecker final : public PassInstrumentation {
public:
  void runBeforePass(Pass *, Operation *op) override {
    before = collectOrigins(getModule(op));
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    for (OriginAttr lost : findLostOrigins(before, getModule(op)))
      ADD_FAILURE() << pass->getArgument().str() << " loses the origin of '"
                    << getKey(lost) << "'";
  }

private:
  static ModuleOp getModule(Operation *op) {
    auto module = dyn_cast<ModuleOp>(op);
    return module ? module : op->getParentOfType<ModuleOp>();
  }

  OriginSet before;
};

class Origins : public ::testing::Test {
protected:
  Origins() : context(createContext()) {}

  OwningOpRef<ModuleOp> import(std::shared_ptr<const MappedFile> file) {
    auto module = importModel(*context, std::move(file));
    if (module)
      return std::move(*module);
    ADD_FAILURE() << llvm::toString(module.takeError());
    return {};
  }

  OwningOpRef<ModuleOp> parse() {
    return parseSourceString<ModuleOp>(R"(
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = inlay.abs %x : (tensor<2xf32>) -> tensor<2xf32>
            loc(fused<#inlay.origin<"first", "Abs", ["r"]>>[unknown])
        %1 = inlay.relu %0 : (tensor<2xf32>) -> tensor<2xf32>
            loc(fused<#inlay.origin<"second", "Relu", ["y"]>>[unknown])
        return %1 : tensor<2xf32>
      })",
                                       context.get());
  }

  /// Takes the operation of node "first" out of the module.
  static OriginAttr bypassFirst(ModuleOp module) {
    func::FuncOp function = *module.getOps<func::FuncOp>().begin();
    AbsOp op = *function.getOps<AbsOp>().begin();
    OriginAttr origin = getFirstOrigin(op.getLoc());
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
    return origin;
  }

  std::unique_ptr<MLIRContext> context;
};
} // namespace

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

TEST_F(Origins, EveryNodeIsKnownAfterImportAndAfterEveryPass) {
  TestModels models;
  for (const std::string &path : models.getPaths()) {
    SCOPED_TRACE(path);
    context = createContext();
    auto file = MappedFile::open(path);
    ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
    auto module = import(*file);
    auto parsed = parseModel(*file);
    ASSERT_TRUE(module && parsed);

    llvm::StringSet<> known;
    for (OriginAttr origin : collectOrigins(*module))
      known.insert(getKey(origin));
    for (const auto &node : collectNodes((*parsed)->message))
      EXPECT_TRUE(known.contains(node.first()))
          << "import loses '" << node.first().str() << "'";

    PassManager passes(context.get());
    passes.addInstrumentation(std::make_unique<OriginChecker>());
    passes.addPass(createSimplify());
    passes.addPass(createRewriteModel());
    passes.addPass(createSimplify());
    EXPECT_TRUE(succeeded(passes.run(*module)));
  }
}

TEST_F(Origins, AnOperationThatIsErasedIsMissed) {
  auto module = parse();
  ASSERT_TRUE(module);
  OriginSet before = collectOrigins(*module);
  ASSERT_EQ(before.size(), 2u);
  EXPECT_TRUE(findLostOrigins(before, *module).empty());
  OriginAttr origin = bypassFirst(*module);
  SmallVector<OriginAttr> lost = findLostOrigins(before, *module);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost.front(), origin);
}

TEST_F(Origins, AnOperationThatIsErasedWithAReasonIsNotMissed) {
  auto module = parse();
  ASSERT_TRUE(module);
  OriginSet before = collectOrigins(*module);
  RemovedNodes removed;
  removed.add(bypassFirst(*module), "does nothing");
  removed.write(*module);
  EXPECT_TRUE(findLostOrigins(before, *module).empty());
}

TEST_F(Origins, ARemovedNodeNeedsAReason) {
  auto module = parse();
  ASSERT_TRUE(module);
  OriginSet before = collectOrigins(*module);
  RemovedNodes removed;
  removed.add(bypassFirst(*module), "");
  removed.write(*module);
  EXPECT_EQ(findLostOrigins(before, *module).size(), 1u);
}
