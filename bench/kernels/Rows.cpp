//===- Rows.cpp - Elements and rows beside other kernels ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that memory or functions of elements limit, alone, on random numbers
// and one thread: a chain of elementwise operators beside a copy of as many
// bytes, and normalisations and functions beside their own arithmetic, which is
// what as many rows take that never leave the nearest cache, or a copy, if that
// takes longer; and beside those of another library, where one is given. The
// fastest run counts.
//
//   inlay-rows [--beside LIB.so] [--benchmark_...]
//
// LIB.so has C functions of the names below (those that it lacks are left out),
// all of this signature; inputs are dense, in the order of the formulas:
//
//   void NAME(const float *const *inputs, float *y, long rows, long columns);
//
//   elementwise  max(x * scale[column] + shift[column] + other, 0)
//   layernorm    (x - mean) / sqrt(variance + 1e-5) * scale[column] +
//                shift[column], the mean and variance those of the row
//   softmax      of each row
//   gelu         x / 2 * (1 + erf(x / sqrt(2)))
//
//===----------------------------------------------------------------------===//

#include "BestTime.h"
#include "LoneKernel.h"
#include "Peaks.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Support/Error.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <benchmark/benchmark.h>
#include <cmath>

using namespace inlay;
using namespace inlay::benching;
using namespace mlir;

/// Of the speed of a copy, what a kernel should have at least; and of the time
/// of its arithmetic or of another library's, what it should take at most.
static constexpr double copyGoal = 0.8, timeGoal = 1.1;
/// Bytes that are read and written by rows that stay in the nearest cache, and
/// how often they are computed in turn.
static constexpr long nearBytes = 32 << 10;
static constexpr int nearRuns = 64;
/// By how much of its range a result of another library may differ.
static constexpr double tolerance = 1e-5;
/// Runs of each in turn: the first of them finds caches as the other left them.
static constexpr int inTurn = 4;

static constexpr char usage[] =
    "usage: inlay-rows [--beside LIB.so] [--benchmark_...]\n";

using BesideFunction = void (*)(const float *const *inputs, float *y, long rows,
                                long columns);

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
struct RowCase {
  const char *name, *types, *body;
  long rows, columns;
  /// Beside a copy instead of a library.
  bool isCopy = false;

  /// Of one tensor, which is read or written.
  size_t getBytes() const { return size_t(rows) * columns * sizeof(float); }
  /// Rows of all that stay in the nearest cache.
  long getNearRows() const {
    return std::max(nearBytes / (2 * columns * long(sizeof(float))), 1L);
  }
};

/// A case, its kernel, and what it is compared to.
struct Measured {
  const RowCase &own;
  LoneKernel kernel;
  /// The same for few rows.
  LoneKernel near;
  /// Which of the kernel's reads each argument is.
  SmallVector<unsigned> arguments;
  BesideFunction beside;
  BestTime time = {}, nearTime = {}, besideTime = {};
  double error = 0;

  /// Bytes in a second over those of a copy.
  double getCopyShare() const;
  /// Seconds that all rows take if none comes from farther away.
  double getArithmetic() const {
    return nearTime.getSeconds() / nearRuns / double(own.getNearRows()) *
           double(own.rows);
  }
  double getRatio() const {
    return time.getSeconds() / besideTime.getSeconds();
  }
};
} // namespace

static constexpr RowCase cases[] = {
    {"elementwise",
     "%x: tensor<1x56x56x256xf32>, %scale: tensor<256xf32>, "
     "%shift: tensor<256xf32>, %other: tensor<1x56x56x256xf32>",
     "%0 = inlay.mul %x, %scale : (tensor<1x56x56x256xf32>, tensor<256xf32>) "
     "-> tensor<1x56x56x256xf32>\n"
     "%1 = inlay.add %0, %shift : (tensor<1x56x56x256xf32>, tensor<256xf32>) "
     "-> tensor<1x56x56x256xf32>\n"
     "%2 = inlay.add %1, %other : (tensor<1x56x56x256xf32>, "
     "tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>\n"
     "%y = inlay.relu %2 : (tensor<1x56x56x256xf32>) -> "
     "tensor<1x56x56x256xf32>\n"
     "return %y : tensor<1x56x56x256xf32>",
     56 * 56, 256, /*isCopy=*/true},
    {"layernorm",
     "%x: tensor<512x768xf32>, %scale: tensor<768xf32>, "
     "%shift: tensor<768xf32>",
     "%y:3 = inlay.layer_normalization %x, %scale, %shift : "
     "(tensor<512x768xf32>, tensor<768xf32>, tensor<768xf32>) -> "
     "(tensor<512x768xf32>, tensor<512x1xf32>, tensor<512x1xf32>)\n"
     "return %y#0 : tensor<512x768xf32>",
     512, 768},
    {"softmax", "%x: tensor<512x512xf32>",
     "%y = inlay.softmax %x : (tensor<512x512xf32>) -> tensor<512x512xf32>\n"
     "return %y : tensor<512x512xf32>",
     512, 512},
    {"gelu", "%x: tensor<512x3072xf32>",
     "%y = inlay.gelu %x : (tensor<512x3072xf32>) -> tensor<512x3072xf32>\n"
     "return %y : tensor<512x3072xf32>",
     512, 3072},
};

/// The function of a case, for so many rows.
static std::string getText(const RowCase &own, long rows) {
  StringRef body = own.body;
  std::string text = "func.func @main(" + std::string(own.types) + ") -> " +
                     body.rsplit(" : ").second.str() + " {\n" + own.body +
                     "\n}";
  std::string all = "<" + std::to_string(own.rows) + "x",
              few = "<" + std::to_string(rows) + "x";
  for (size_t at = text.find(all); at != text.npos; at = text.find(all, at + 1))
    text.replace(at, all.size(), few);
  return text;
}

/// The only step that a function becomes, and which of its reads each argument
/// is.
static llvm::Expected<LoneKernel> compile(StringRef text,
                                          SmallVector<unsigned> &arguments) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto module = parseSourceString<ModuleOp>(text, context.get());
  if (!module)
    return makeError(ExitCode::Internal, "the case does not parse");
  CompilerOptions options = getNativeOptions();
  options.verify = VerifyMode::Off;
  auto compiled = Compiler(options).compile(std::move(module));
  if (!compiled)
    return compiled.takeError();
  auto graph = getGraph(*compiled->module);
  if (!graph)
    return graph.takeError();
  std::vector<StepCode> steps =
      emitSteps(*graph, [](Operation *) { return true; });
  if (steps.size() != 1)
    return makeError(ExitCode::Internal, "the case is no single kernel");
  arguments.resize(graph->getNumArguments());
  for (auto [i, read] : llvm::enumerate(steps.front().code.reads))
    arguments[cast<BlockArgument>(read).getArgNumber()] = i;
  return LoneKernel::compile(std::move(steps.front()));
}

static llvm::Expected<Measured> compile(const RowCase &own,
                                        BesideFunction beside) {
  SmallVector<unsigned> arguments;
  auto near = compile(getText(own, own.getNearRows()), arguments);
  if (!near)
    return near.takeError();
  auto kernel = compile(getText(own, own.rows), arguments);
  if (!kernel)
    return kernel.takeError();
  return Measured{own, std::move(*kernel), std::move(*near),
                  std::move(arguments), beside};
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

double Measured::getCopyShare() const {
  double copy = measureCopy(own.getBytes());
  return double(kernel.getBytes()) / time.getSeconds() / copy;
}

/// By how much of the largest the results of both differ.
static double compareResults(ArrayRef<float> expected, ArrayRef<float> found) {
  double range = 0, error = 0;
  for (auto [x, y] : llvm::zip_equal(expected, found)) {
    range = std::max(range, std::fabs(double(x)));
    // A NaN is as far away as can be.
    double off = std::fabs(double(x) - double(y));
    error = std::max(error, off == off ? off : HUGE_VAL);
  }
  return error / range;
}

static void run(benchmark::State &state, Measured &measured) {
  const RowCase &own = measured.own;
  KernelMemory memory(measured.kernel), near(measured.near);
  SmallVector<const float *> inputs;
  for (unsigned read : measured.arguments)
    inputs.push_back(memory.getRead(read));
  auto runBeside = [&] {
    measured.beside(inputs.data(), memory.getResult(), own.rows, own.columns);
  };
  memory.run();
  size_t count = size_t(own.rows) * own.columns;
  std::vector<float> result(memory.getResult(), memory.getResult() + count);
  if (measured.beside) {
    runBeside();
    measured.error = compareResults(result, {memory.getResult(), count});
  }
  for ([[maybe_unused]] auto unused : state) {
    double seconds = 0;
    for (int i = 0; i < inTurn; ++i)
      seconds = measured.time.add([&] { memory.run(); });
    for (int i = 0; i < inTurn; ++i)
      measured.nearTime.add([&] {
        for (int run = 0; run < nearRuns; ++run)
          near.run();
      });
    for (int i = 0; measured.beside && i < inTurn; ++i)
      measured.besideTime.add(runBeside);
    state.SetIterationTime(seconds);
  }
  state.counters["us"] = measured.time.getSeconds() * 1e6;
}

static void measure(std::vector<Measured> &all) {
  for (Measured &measured : all)
    benchmark::RegisterBenchmark(
        measured.own.name,
        [&](benchmark::State &state) { run(state, measured); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Prints how a kernel was, if it was measured; whether it reaches its goal.
static bool report(const Measured &measured) {
  if (!measured.time.isKnown())
    return true;
  bool isGood = true;
  llvm::outs() << llvm::format("%-12s %8.1f us", measured.own.name,
                               measured.time.getSeconds() * 1e6);
  if (measured.own.isCopy) {
    double share = measured.getCopyShare();
    isGood = share >= copyGoal;
    llvm::outs() << llvm::format(", %.0f %% of the speed of a copy (goal %.0f)",
                                 share * 100, copyGoal * 100);
  }
  if (!measured.own.isCopy) {
    double copied = 1 / measured.getCopyShare(),
           arithmetic = measured.time.getSeconds() / measured.getArithmetic();
    isGood = std::min(copied, arithmetic) <= timeGoal;
    llvm::outs() << llvm::format(", %.2f times its arithmetic, %.2f times a "
                                 "copy (goal %.1f of the longer)",
                                 arithmetic, copied, timeGoal);
  }
  if (measured.beside) {
    bool isFast = measured.getRatio() <= timeGoal;
    bool isSame = measured.error <= tolerance;
    // A chain has another goal.
    isGood = isGood && isSame && (isFast || measured.own.isCopy);
    llvm::outs() << llvm::format(
        ", %.2f times the %.1f us of the other (goal %.1f)",
        measured.getRatio(), measured.besideTime.getSeconds() * 1e6, timeGoal);
    if (!isSame)
      llvm::outs() << llvm::format(", results differ by %.1e of the range",
                                   measured.error);
  }
  llvm::outs() << (isGood ? "\n" : ": MISSED\n");
  return isGood;
}

static BesideFunction find(llvm::sys::DynamicLibrary &library,
                           const char *name) {
  return reinterpret_cast<BesideFunction>(library.getAddressOfSymbol(name));
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv, [] { llvm::outs() << usage; });
  bool hasLibrary = argc == 3 && StringRef(argv[1]) == "--beside";
  if (argc != 1 && !hasLibrary) {
    llvm::errs() << usage;
    return 2;
  }
  llvm::sys::DynamicLibrary library;
  std::string message;
  if (hasLibrary)
    library = llvm::sys::DynamicLibrary::getPermanentLibrary(argv[2], &message);
  if (!message.empty()) {
    llvm::errs() << message << '\n';
    return 2;
  }
  std::vector<Measured> all;
  for (const RowCase &own : cases) {
    auto compiled =
        compile(own, hasLibrary ? find(library, own.name) : nullptr);
    if (!compiled) {
      llvm::errs() << own.name << ": " << llvm::toString(compiled.takeError())
                   << '\n';
      return 1;
    }
    all.push_back(std::move(*compiled));
  }
  measure(all);
  return llvm::count_if(all, report) == ptrdiff_t(all.size()) ? 0 : 1;
}
