//===- PipelineTest.cpp - The pipeline and passes of others ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/RunPasses.h"
#include "inlay/Support/Error.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace inlay;
using namespace mlir;

namespace {
/// A pass from outside that notes where it has run.
class NotePass : public PassWrapper<NotePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NotePass)

  NotePass(std::string name, std::vector<std::string> &notes)
      : name(std::move(name)), notes(notes) {}

  void runOnOperation() override { notes.push_back(name); }

private:
  std::string name;
  std::vector<std::string> &notes;
};

class PipelineTest : public ::testing::Test {
protected:
  /// Runs the pipeline on a graph of one operator.
  llvm::Error run(const PipelineOptions &options) {
    module = parseSourceString<ModuleOp>(R"(
      module attributes {inlay.opsets = {ai.onnx = 17 : i64}} {
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
          return %y : tensor<4xf32>
        }
      })",
                                         context.get());
    PassManager passes(context.get());
    if (llvm::Error error = buildInlayPipeline(passes, options))
      return error;
    return runPasses(*module, passes);
  }

  std::unique_ptr<MLIRContext> context = createContext();
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(PipelineTest, RunsPassesOfOthersAroundEveryPhase) {
  for (llvm::StringRef target : {"none", "opu"}) {
    PipelineOptions options;
    options.layouts.target = target.str();
    std::vector<std::string> notes, expected;
    for (Phase phase : allPhases) {
      std::string name = getName(phase).str();
      options.callbacks.addBefore(phase, [&notes, name](OpPassManager &passes) {
        passes.addPass(std::make_unique<NotePass>("before " + name, notes));
      });
      options.callbacks.addAfter(phase, [&notes, name](OpPassManager &passes) {
        passes.addPass(std::make_unique<NotePass>("after " + name, notes));
      });
      expected.push_back("before " + name);
      expected.push_back("after " + name);
    }
    llvm::Error error = run(options);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    EXPECT_EQ(notes, expected);
  }
}

TEST_F(PipelineTest, SaysTheTargetAndHowFarItHasCome) {
  PipelineOptions options;
  options.layouts.target = "nhwc";
  ASSERT_FALSE(bool(run(options)));
  EXPECT_EQ(llvm::cantFail(getTarget(*module))->name, "nhwc");
  auto phase = (*module)->getAttrOfType<StringAttr>(phaseAttr);
  ASSERT_TRUE(phase);
  EXPECT_EQ(phase.getValue(), "lower");
}

TEST_F(PipelineTest, KeepsTheCodeOfAnErrorInAPass) {
  PipelineOptions options;
  options.layouts.ioLayouts = {"nowhere:NHWC"};
  std::string message;
  EXPECT_EQ(takeError(run(options), message), ExitCode::Usage);
  EXPECT_NE(message.find("--io-layout 'nowhere:NHWC': the model has no input "
                         "or output 'nowhere'"),
            std::string::npos)
      << message;
  options.layouts.target = "no-such-chip";
  EXPECT_NE(takeError(run(options), message), ExitCode::Success);
}

TEST_F(PipelineTest, TakesATargetThatHasNoText) {
  ASSERT_FALSE(bool(run({})));
  Target target;
  target.name = "mine";
  (*module)->setAttr(targetAttr, makeTargetAttr(context.get(), target));
  EXPECT_EQ(llvm::cantFail(getTarget(*module))->name, "mine");
  // Another context does not know it.
  std::string text, message;
  llvm::raw_string_ostream(text) << *module;
  auto other = createContext();
  auto again = parseSourceString<ModuleOp>(text, other.get());
  ASSERT_TRUE(again);
  EXPECT_EQ(takeError(getTarget(*again).takeError(), message),
            ExitCode::Target);
}

TEST(PipelineText, IsReadAsItWasPrinted) {
  PipelineOptions options;
  options.rewrites = RewriteOptions::all();
  options.rewrites.isOn.front() = false;
  options.layouts.strategy = LayoutStrategy::RegionPlus;
  options.kernels.isEnabled = true;
  options.expand = {"Softmax", "Gelu"};
  auto text = printPipeline(options);
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  EXPECT_NE(text->find("strategy=region-plus"), std::string::npos);
  EXPECT_NE(text->find("also=Softmax,Gelu"), std::string::npos);
}
