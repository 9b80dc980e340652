//===- DeterminismTest.cpp - Same input, same bytes -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModels.h"
#include "inlay/Pipeline/Compile.h"
#include "inlay/Pipeline/Context.h"
#include "mlir/Pass/PassManager.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// As files
//===----------------------------------------------------------------------===//

namespace {
/// Compiles models into folders of their own, all under the same name: a
/// model's bytes hold the name of its data file.
class FileCompiler {
public:
  explicit FileCompiler(bool simplify) : simplify(simplify) {}

  /// The path of the result; empty where the model is refused.
  std::string run(const std::string &model, StringRef folderName) {
    std::string folder = root / folderName;
    EXPECT_FALSE(llvm::sys::fs::create_directories(folder));
    CompileOptions options;
    options.model = model;
    options.output = folder + "/model.onnx";
    options.simplify = simplify;
    // Holes stay holes in a data file.
    options.exportOptions.externalData = ExternalData::Always;
    auto report = compile(options);
    if (report)
      return options.output;
    ADD_FAILURE() << llvm::toString(report.takeError());
    return "";
  }

private:
  TemporaryFolder root;
  bool simplify;
};
} // namespace

static void expectSameFiles(const std::string &a, const std::string &b,
                            StringRef claim) {
  if (a.empty() || b.empty())
    return;
  // Not EXPECT_EQ, which would print the bytes.
  EXPECT_TRUE(readBytes(a) == readBytes(b)) << claim.str();
  uint64_t sizeA = 0, sizeB = 0;
  EXPECT_FALSE(llvm::sys::fs::file_size(a + ".data", sizeA));
  EXPECT_FALSE(llvm::sys::fs::file_size(b + ".data", sizeB));
  EXPECT_EQ(sizeA, sizeB) << claim.str();
}

TEST(Determinism, CompilingTwiceGivesTheSameBytesAndAgainTheSameFromThose) {
  TestModels models;
  for (bool simplify : {true, false}) {
    FileCompiler compiler(simplify);
    for (const std::string &model : models.getPaths()) {
      SCOPED_TRACE(model + (simplify ? "" : ", not simplified"));
      std::string first = compiler.run(model, "first");
      expectSameFiles(first, compiler.run(model, "second"),
                      "compiling twice gives other bytes");
      if (!first.empty())
        expectSameFiles(first, compiler.run(first, "again"),
                        "compiling the result gives other bytes");
    }
  }
}

TEST(Determinism, OtherModelsGiveOtherBytes) {
  TestModels models;
  FileCompiler compiler(true);
  std::string first = compiler.run(models.getPaths()[0], "first");
  std::string second = compiler.run(models.getPaths()[1], "second");
  EXPECT_FALSE(readBytes(first) == readBytes(second));
}

//===----------------------------------------------------------------------===//
// As IR
//===----------------------------------------------------------------------===//

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo());
  return text;
}

TEST(Determinism, SimplifyingTwiceIsSimplifyingOnce) {
  TestModels models;
  unsigned numChanged = 0;
  for (const std::string &path : models.getPaths()) {
    SCOPED_TRACE(path);
    auto context = createContext();
    auto module = importModelFile(*context, path);
    ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
    PassManager passes(context.get());
    passes.addPass(createSimplify());
    std::string before = print(**module);
    ASSERT_TRUE(succeeded(passes.run(**module)));
    std::string once = print(**module);
    ASSERT_TRUE(succeeded(passes.run(**module)));
    EXPECT_TRUE(once == print(**module)) << "the second run changes something";
    numChanged += before != once;
  }
  EXPECT_GT(numChanged, 100u) << "the first run changes next to nothing";
}
