//===- ReduceTest.cpp - Parts that show a fault ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Reduce.h"
#include "../Support/TemporaryFolder.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace inlay;

namespace {
/// The example, and a program in the place of inlay.
class ReduceTest : public ::testing::Test {
protected:
  ReduceTest() {
    options.model = INLAY_EXAMPLE;
    options.import.dims["batch"] = 1;
    options.output = folder / "part.onnx";
  }

  /// "compile MODEL ..." runs these lines.
  void setProgram(llvm::StringRef lines) {
    options.kind = FaultKind::Crashes;
    options.program = folder.add("inlay", ("#!/bin/sh\n" + lines + "\n").str());
    ASSERT_FALSE(
        llvm::sys::fs::setPermissions(options.program, llvm::sys::fs::all_all));
  }

  int64_t getNodes(const ReduceResult &result) {
    std::string text;
    llvm::raw_string_ostream os(text);
    result.report.print(os, ReportFormat::Json);
    auto value = llvm::cantFail(llvm::json::parse(os.str()));
    return value.getAsObject()->getInteger("nodes").value_or(-1);
  }

  TemporaryFolder folder;
  ReduceOptions options;
};
} // namespace

TEST_F(ReduceTest, FindsTheNodeThatEndsCompilingBySignal) {
  setProgram("grep -q /stage1/block2/mix/Conv \"$2\" && kill -SEGV $$; exit 0");
  ReduceResult result = llvm::cantFail(reduce(options));
  EXPECT_TRUE(result.hasFault);
  EXPECT_FALSE(result.isInterrupted);
  EXPECT_EQ(getNodes(result), 1);
  EXPECT_NE(readBytes(options.output).find("/stage1/block2/mix/Conv"),
            std::string::npos);
  EXPECT_TRUE(llvm::sys::fs::exists(folder / "part.npz"));
}

TEST_F(ReduceTest, TakesErrorsOfInlayItselfOnly) {
  setProgram("exit 70");
  EXPECT_TRUE(llvm::cantFail(reduce(options)).hasFault);
  llvm::sys::fs::remove(options.output);
  for (llvm::StringRef line : {"exit 3", "exit 0"}) {
    setProgram(line);
    EXPECT_FALSE(llvm::cantFail(reduce(options)).hasFault);
    EXPECT_FALSE(llvm::sys::fs::exists(options.output));
  }
}

TEST_F(ReduceTest, GivesTheCompilerItsArguments) {
  setProgram("test \"$5\" = --target=nhwc && exit 70; exit 0");
  EXPECT_FALSE(llvm::cantFail(reduce(options)).hasFault);
  options.compileArguments = {"--target=nhwc"};
  EXPECT_TRUE(llvm::cantFail(reduce(options)).hasFault);
}

TEST_F(ReduceTest, KeepsTheBestWhenItIsInterrupted) {
  setProgram("grep -q /stage1/block2/mix/Conv \"$2\" && exit 70; exit 0");
  Cancellation cancellation;
  CancellationScope scope(cancellation);
  options.progress = [&](llvm::StringRef phase, uint64_t, uint64_t) {
    if (phase.contains("nodes left"))
      cancellation.request();
  };
  ReduceResult result = llvm::cantFail(reduce(options));
  EXPECT_TRUE(result.isInterrupted);
  EXPECT_GT(getNodes(result), 1);
  EXPECT_NE(readBytes(options.output).find("/stage1/block2/mix/Conv"),
            std::string::npos);
}

TEST_F(ReduceTest, FailsWhereNothingCanBeWritten) {
  setProgram("exit 70");
  options.output = folder / "none/part.onnx";
  std::string message;
  auto result = reduce(options);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(takeError(result.takeError(), message), ExitCode::IO);
}
