//===- Contractions.cpp - Products beside what the machine can do ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every distinct kernel of a product of f32 (MatMul, Gemm, Conv, with what is
// fused to it) of 16 x 32 x 64 and more in the models of a folder, alone, on
// random numbers and one thread. Of what the machine can do at most, which is
// measured first, each has a share: its products and sums in a second over the
// lower of the peak and of its products and sums for each byte that it reads or
// writes times the speed of a copy in memory. The fastest run counts, of some
// that are far apart in time: on a machine that others use, too, all is slower
// by half for seconds. So the peak and the copy are measured before and after
// the kernels. What Winograd's tiles compute counts as the sum over taps would,
// so that its share may be more than all of it.
//
//   inlay-contractions --models DIR [--only A,B] [--benchmark_...]
//
// In the end those below the goal, those first that lose most of the time of
// all models.
//
//===----------------------------------------------------------------------===//

#include "BestTime.h"
#include "ModelKernels.h"
#include "Peaks.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <benchmark/benchmark.h>

using namespace inlay;
using namespace inlay::benching;
using llvm::StringRef;

/// The share that a kernel should have at least.
static constexpr double goal = 0.8;
static constexpr unsigned leastRuns = 3;
/// More than caches hold.
static constexpr size_t copiedBytes = size_t(64) << 20;

static constexpr char usage[] =
    "usage: inlay-contractions --models DIR [--only A,B] [--benchmark_...]\n"
    "\n"
    "  --models DIR  a folder of models with their weights\n"
    "  --only A,B    these models only\n";

namespace {
struct Options {
  std::string models;
  llvm::SmallVector<StringRef> only;
};

/// What the machine can do: products and sums, and bytes, in a second.
struct Limits {
  double peak = 0, copy = 0;

  void measure() {
    peak = std::max(peak, measurePeak());
    copy = std::max(copy, measureCopy(copiedBytes));
  }
};

/// A kernel that was measured.
struct Measured {
  ProductKernel product;
  const Limits *limits;
  BestTime time = {};

  /// Products and sums in a second that the machine allows.
  double getLimit() const {
    double intensity = product.operations / double(product.kernel.getBytes());
    return std::min(limits->peak, intensity * limits->copy);
  }
  double getRate() const { return product.operations / time.getSeconds(); }
  double getShare() const { return getRate() / getLimit(); }
  /// Seconds of all models that it takes more than it would at the limit.
  double getLost() const {
    return product.uses * (time.getSeconds() - product.operations / getLimit());
  }
};
} // namespace

static std::optional<Options> parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    StringRef name = argv[i];
    if (name == "--models")
      options.models = argv[i + 1];
    else if (name == "--only")
      StringRef(argv[i + 1]).split(options.only, ',');
    else
      return std::nullopt;
  }
  bool isGood = argc % 2 == 1 && !options.models.empty();
  return isGood ? std::optional(options) : std::nullopt;
}

static std::vector<std::string> listModels(const Options &options) {
  std::vector<std::string> models;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(options.models, error), end;
       it != end && !error; it.increment(error)) {
    StringRef path = it->path();
    bool isWanted =
        options.only.empty() ||
        llvm::is_contained(options.only, llvm::sys::path::stem(path));
    if (llvm::sys::path::extension(path) == ".onnx" && isWanted)
      models.push_back(path.str());
  }
  llvm::sort(models);
  return models;
}

/// The kernels of all models; those that cannot be read are said.
static std::vector<ProductKernel> collect(const Options &options,
                                          unsigned &numFailed) {
  ModelKernels kernels;
  for (const std::string &model : listModels(options))
    if (llvm::Error error = kernels.add(model)) {
      llvm::errs() << model << ": " << llvm::toString(std::move(error)) << '\n';
      ++numFailed;
    }
  return kernels.take();
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// The memory of the kernel that is measured: a benchmark runs several times.
class CurrentMemory {
public:
  const KernelMemory &get(const LoneKernel &kernel) {
    if (current != &kernel) {
      memory.reset();
      memory.emplace(kernel);
      current = &kernel;
      memory->run();
    }
    return *memory;
  }

private:
  const LoneKernel *current = nullptr;
  std::optional<KernelMemory> memory;
};

static void run(benchmark::State &state, Measured &measured,
                CurrentMemory &current) {
  const KernelMemory &memory = current.get(measured.product.kernel);
  auto runOnce = [&] { return measured.time.add([&] { memory.run(); }); };
  // One slow run would be all, where it takes the time that is allowed.
  for (unsigned i = 0; i < leastRuns; ++i)
    runOnce();
  for ([[maybe_unused]] auto unused : state)
    state.SetIterationTime(runOnce());
  state.counters["us"] = measured.time.getSeconds() * 1e6;
  state.counters["GFLOP/s"] = measured.getRate() / 1e9;
  state.counters["share"] = measured.getShare();
  state.counters["uses"] = measured.product.uses;
}

static std::vector<Measured> measure(std::vector<ProductKernel> kernels,
                                     Limits &limits) {
  limits.measure();
  std::vector<Measured> all;
  for (ProductKernel &product : kernels)
    all.push_back({std::move(product), &limits});
  CurrentMemory memory;
  for (Measured &measured : all)
    benchmark::RegisterBenchmark(
        measured.product.name.c_str(),
        [&](benchmark::State &state) { run(state, measured, memory); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
  limits.measure();
  llvm::outs() << llvm::format("\npeak %.1f GFLOP/s, copies %.1f GB/s\n",
                               limits.peak / 1e9, limits.copy / 1e9);
  llvm::erase_if(all, [](const Measured &own) { return !own.time.isKnown(); });
  return all;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Says how many of these reach the goal, and which do not; how many these are.
static size_t report(StringRef title, std::vector<const Measured *> all) {
  size_t count = all.size();
  llvm::erase_if(all,
                 [](const Measured *own) { return own->getShare() >= goal; });
  llvm::sort(all, [](const Measured *a, const Measured *b) {
    return a->getLost() > b->getLost();
  });
  llvm::outs() << '\n'
               << title << ": " << count - all.size() << " of " << count
               << llvm::format(" at %.0f %% and above\n", goal * 100);
  if (!all.empty())
    llvm::outs() << "  lost ms  uses        us  GFLOP/s  share\n";
  for (const Measured *own : all)
    llvm::outs() << llvm::format("%9.3f %5u %9.1f %8.1f %5.1f %%  ",
                                 own->getLost() * 1e3, own->product.uses,
                                 own->time.getSeconds() * 1e6,
                                 own->getRate() / 1e9, own->getShare() * 100)
                 << own->product.name << '\n';
  return all.size();
}

static size_t report(const std::vector<Measured> &all) {
  std::vector<const Measured *> byTaps, byTiles;
  for (const Measured &own : all)
    (own.product.templateName == "contraction" ? byTaps : byTiles)
        .push_back(&own);
  return report("sums of products", byTaps) +
         report("by Winograd's tiles, counted as sums over taps", byTiles);
}

int main(int argc, char **argv) {
  // There are hundreds of kernels: little time for each, some of it now and
  // some later, unless an option says otherwise.
  std::vector<char *> arguments(argv, argv + argc);
  std::string defaults[] = {"--benchmark_min_time=0.02",
                            "--benchmark_repetitions=6",
                            "--benchmark_enable_random_interleaving=true",
                            "--benchmark_display_aggregates_only=true"};
  for (std::string &own : llvm::reverse(defaults))
    arguments.insert(arguments.begin() + 1, own.data());
  int count = int(arguments.size());
  benchmark::Initialize(&count, arguments.data(),
                        [] { llvm::outs() << usage; });
  std::optional<Options> options = parse(count, arguments.data());
  if (!options) {
    llvm::errs() << usage;
    return 2;
  }
  unsigned numFailed = 0;
  std::vector<ProductKernel> kernels = collect(*options, numFailed);
  if (kernels.empty()) {
    llvm::errs() << options->models << ": no model with a large product\n";
    return 1;
  }
  Limits limits;
  size_t numBelow = report(measure(std::move(kernels), limits));
  return numBelow != 0 || numFailed != 0 ? 1 : 0;
}
