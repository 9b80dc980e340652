//===- TransmitTest.cpp - Layouts of real models --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of axes in types change nothing but the types: what reads modules does
// not mind them.
//
//===----------------------------------------------------------------------===//

#include "TestModels.h"
#include "inlay/IR/Graph.h"
#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Inputs.h"
#include "inlay/Runtime/Compare.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace inlay;
using namespace mlir;

namespace {
/// A simplified model, before and after its axes have names.
class NamedModel {
public:
  explicit NamedModel(const std::string &path) : context(createContext()) {
    auto read = importModelFile(*context, path);
    EXPECT_TRUE(bool(read)) << llvm::toString(read.takeError());
    plain = std::move(*read);
    PassManager passes(context.get());
    passes.addPass(createSimplify());
    EXPECT_TRUE(succeeded(passes.run(*plain)));
    named = plain->clone();
    nameAxes();
  }

  void nameAxes() {
    PassManager passes(context.get());
    passes.addNestedPass<func::FuncOp>(createLayoutTransmit());
    EXPECT_TRUE(succeeded(passes.run(*named)));
  }

  ModuleOp getPlain() { return *plain; }
  ModuleOp getNamed() { return *named; }

private:
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> plain, named;
};
} // namespace

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// Values of at most six dimensions without a layout.
static unsigned countWithoutLayout(ModuleOp module) {
  unsigned count = 0;
  auto check = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    count += type && type.getRank() <= 6 && !type.getEncoding();
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), check);
    for (Region &region : op->getRegions())
      llvm::for_each(region.getArguments(), check);
  });
  return count;
}

static std::string exportBytes(ModuleOp module, const std::string &path) {
  ExportOptions options;
  options.externalData = ExternalData::Always;
  auto written = exportModel(module, path, options);
  EXPECT_TRUE(bool(written)) << llvm::toString(written.takeError());
  return readBytes(path);
}

/// The outputs on random inputs; nothing where these are refused.
static std::optional<SmallVector<HostTensor>> tryExecute(ModuleOp module) {
  func::FuncOp graph = llvm::cantFail(getGraph(module));
  auto random = readInputs(graph, {});
  if (!random) {
    llvm::consumeError(random.takeError());
    return std::nullopt;
  }
  SmallVector<HostTensor> inputs;
  for (const GraphInput &input : *random)
    inputs.push_back(input.tensor);
  auto outputs = execute(module, inputs);
  if (outputs)
    return *outputs;
  llvm::consumeError(outputs.takeError());
  return std::nullopt;
}

TEST(LayoutTransmit, NamesEveryValueOnceAndForAll) {
  TestModels models;
  for (const std::string &path : models.getPaths()) {
    SCOPED_TRACE(path);
    NamedModel model(path);
    EXPECT_EQ(countWithoutLayout(model.getNamed()), 0u);
    std::string once = print(model.getNamed());
    model.nameAxes();
    EXPECT_TRUE(once == print(model.getNamed()))
        << "the second run changes something";
  }
}

TEST(LayoutTransmit, ExportsTheSameBytes) {
  TestModels models;
  TemporaryFolder folder;
  for (const std::string &path : models.getPaths()) {
    SCOPED_TRACE(path);
    NamedModel model(path);
    std::string plain = exportBytes(model.getPlain(), folder / "model.onnx");
    EXPECT_TRUE(plain == exportBytes(model.getNamed(), folder / "model.onnx"));
  }
}

TEST(LayoutTransmit, ComputesTheSame) {
  TestModels models;
  unsigned numExecuted = 0;
  for (const std::string &path : models.getPaths()) {
    // Operator tests; whole models would take too long.
    if (!StringRef(path).contains("/node/"))
      continue;
    SCOPED_TRACE(path);
    NamedModel model(path);
    auto before = tryExecute(model.getPlain());
    auto after = tryExecute(model.getNamed());
    ASSERT_EQ(before.has_value(), after.has_value());
    if (!before)
      continue;
    ++numExecuted;
    for (auto [a, b] : llvm::zip_equal(*before, *after))
      EXPECT_TRUE(compareTensors("output", a, b).isEqual);
  }
  EXPECT_GT(numExecuted, 500u) << "next to nothing was executed";
}
