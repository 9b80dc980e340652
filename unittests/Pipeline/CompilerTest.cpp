//===- CompilerTest.cpp - Compiling from C++ ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Compiler.h"
#include "inlay/Pipeline/Compile.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Support/Error.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>
#include <pthread.h>
#include <thread>
#include <time.h>

using namespace inlay;
using namespace mlir;

static std::string readExample() {
  auto buffer = llvm::MemoryBuffer::getFile(INLAY_EXAMPLE);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The exit code of what was compiled, and what it says.
static ExitCode getCode(llvm::Expected<CompiledModule> compiled,
                        std::string &message) {
  if (compiled)
    return ExitCode::Success;
  return takeError(compiled.takeError(), message);
}

TEST(Compiler, TakesBytes) {
  auto context = createContext();
  CompilerOptions options;
  options.layouts.target = "nhwc";
  options.verify = VerifyMode::On;
  Compiler compiler(options);
  std::vector<std::string> phases;
  compiler.setProgress([&](llvm::StringRef phase, uint64_t, uint64_t) {
    if (phases.empty() || phases.back() != phase)
      phases.push_back(phase.str());
  });
  auto compiled = compiler.compile(*context, readExample(), "example");
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  EXPECT_TRUE(compiled->verification);
  EXPECT_LT(compiled->after.numNodes, compiled->before.numNodes);
  EXPECT_EQ(compiled->target.name, "nhwc");
  EXPECT_NE(llvm::find(phases, "choosing layouts"), phases.end());
  EXPECT_NE(llvm::find(phases, "verifying"), phases.end());
}

TEST(Compiler, RefusesBytesThatAreNoModel) {
  auto context = createContext();
  Compiler compiler({});
  std::string message;
  EXPECT_EQ(getCode(compiler.compile(*context, "not a model", "bad"), message),
            ExitCode::Model);
  EXPECT_NE(message.find("bad"), std::string::npos) << message;
}

namespace {
/// A pass from outside that remarks something.
class RemarkPass : public PassWrapper<RemarkPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RemarkPass)

  void runOnOperation() override { getOperation()->emitRemark("seen"); }
};
} // namespace

TEST(Compiler, PassesDiagnosticsOn) {
  auto context = createContext();
  CompilerOptions options;
  options.callbacks.addAfter(Phase::Simplify, [](OpPassManager &passes) {
    passes.addPass(std::make_unique<RemarkPass>());
  });
  Compiler compiler(options);
  std::vector<std::string> heard;
  compiler.setDiagnostics(
      [&](Diagnostic &diagnostic) { heard.push_back(diagnostic.str()); });
  auto compiled = compiler.compile(*context, readExample(), "example");
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  EXPECT_EQ(heard, std::vector<std::string>{"seen"});
  EXPECT_EQ(compiled->remarks, heard);
}

//===----------------------------------------------------------------------===//
// Cancellation
//===----------------------------------------------------------------------===//

TEST(Compiler, IsCancelledInEveryPhase) {
  for (llvm::StringRef wanted :
       {"simplifying", "rewriting", "choosing layouts", "fusing operators",
        "storing tensors", "making kernels", "verifying"}) {
    auto context = createContext();
    CompilerOptions options;
    options.layouts.target = "opu";
    options.rewrites = RewriteOptions::all();
    options.kernels.isEnabled = true;
    options.verify = VerifyMode::On;
    Compiler compiler(options);
    bool isReached = false;
    compiler.setProgress([&](llvm::StringRef phase, uint64_t, uint64_t) {
      EXPECT_FALSE(isReached && phase != wanted) << phase.str();
      isReached |= phase == wanted;
      if (isReached)
        compiler.cancel();
    });
    std::string message;
    EXPECT_EQ(
        getCode(compiler.compile(*context, readExample(), "example"), message),
        ExitCode::Cancelled)
        << wanted.str() << ": " << message;
    EXPECT_TRUE(isReached) << wanted.str();
  }
}

/// CPU seconds of a thread: what others run does not count.
static double getCpuSeconds(pthread_t thread) {
  clockid_t clock;
  timespec time{};
  if (pthread_getcpuclockid(thread, &clock) == 0)
    clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// A graph whose layouts, kernels and execution take seconds.
static std::string makeLargeModel() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "module attributes {inlay.opsets = {ai.onnx = 17 : i64}} {\n"
     << "func.func @main(%v0: tensor<1024x1024xf32>) -> "
        "tensor<1024x1024xf32> {\n";
  const char *type = "tensor<1024x1024xf32>";
  unsigned last = 0;
  for (; last < 3000; last += 3) {
    os << "%v" << last + 1 << " = inlay.transpose %v" << last
       << " {perm = array<i64: 1, 0>} : (" << type << ") -> " << type << "\n"
       << "%v" << last + 2 << " = inlay.matmul %v" << last << ", %v" << last + 1
       << " : (" << type << ", " << type << ") -> " << type << "\n"
       << "%v" << last + 3 << " = inlay.tanh %v" << last + 2 << " : (" << type
       << ") -> " << type << "\n";
  }
  os << "return %v" << last << " : " << type << "\n}}";
  return text;
}

TEST(Compiler, StopsWithinATenthOfASecond) {
  std::string text = makeLargeModel();
  for (unsigned milliseconds : {1, 20, 100, 300, 700, 1500}) {
    auto context = createContext();
    auto module = parseSourceString<ModuleOp>(text, context.get());
    ASSERT_TRUE(module);
    CompilerOptions options;
    options.layouts.target = "nhwc";
    options.rewrites = RewriteOptions::all();
    options.verify = VerifyMode::On;
    Compiler compiler(options);
    pthread_t self = pthread_self();
    double cancelled = 0;
    std::thread other([&] {
      double end = getCpuSeconds(self) + milliseconds / 1000.0;
      while (getCpuSeconds(self) < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      cancelled = getCpuSeconds(self);
      compiler.cancel();
    });
    std::string message;
    EXPECT_EQ(getCode(compiler.compile(std::move(module)), message),
              ExitCode::Cancelled)
        << message;
    double end = getCpuSeconds(self);
    other.join();
    EXPECT_LT(end - cancelled, 0.1) << "after " << milliseconds << " ms";
  }
}

TEST(Compiler, LeavesNothingWhenCancelled) {
  for (llvm::StringRef wanted : {"importing", "verifying", "writing"}) {
    llvm::SmallString<128> folder, output;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("inlay", folder));
    output = folder;
    llvm::sys::path::append(output, "out.onnx");
    Cancellation cancellation;
    CancellationScope scope(cancellation);
    CompileOptions options;
    options.model = INLAY_EXAMPLE;
    options.output = output.str().str();
    options.verify = VerifyMode::On;
    options.progress = [&](llvm::StringRef phase, uint64_t, uint64_t) {
      if (phase == wanted)
        cancellation.request();
    };
    std::string message;
    auto report = compile(options);
    ASSERT_FALSE(bool(report)) << wanted.str();
    EXPECT_EQ(takeError(report.takeError(), message), ExitCode::Cancelled);
    // It holds no file.
    EXPECT_FALSE(llvm::sys::fs::remove(folder, /*IgnoreNonExisting=*/false));
  }
}
