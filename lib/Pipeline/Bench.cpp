//===- Bench.cpp - inlay bench --------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Bench.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Pipeline/Run.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"

using namespace inlay;
using namespace mlir;

/// Seconds that are measured for, and runs, unless told otherwise.
static constexpr double measuredSeconds = 1;
static constexpr unsigned minRounds = 3, maxRounds = 1000;
/// Runs before that: the first touches memory for the first time.
static constexpr unsigned numWarmUps = 1;

//===----------------------------------------------------------------------===//
// Where the time goes
//===----------------------------------------------------------------------===//

namespace {
/// Adds up the time of each step.
class StepTimer : public StepObserver {
public:
  using Times = std::vector<std::pair<const NativeStep *, double>>;

  llvm::Error beforeStep(const NativeStep &step,
                         ArrayRef<HostTensor>) override {
    seconds.insert({&step, 0});
    watch.lap();
    return llvm::Error::success();
  }
  llvm::Error afterStep(const NativeStep &step, ArrayRef<HostTensor>) override {
    double lap = watch.lap();
    seconds[&step] += lap;
    return llvm::Error::success();
  }

  /// Those that took the most time first.
  Times take() {
    auto all = seconds.takeVector();
    Times times(all.begin(), all.end());
    llvm::sort(times, [](const auto &a, const auto &b) {
      return a.second > b.second;
    });
    return times;
  }

private:
  Stopwatch watch;
  llvm::MapVector<const NativeStep *, double> seconds;
};
} // namespace

static uint64_t countBytes(const NativeStep &step) {
  uint64_t bytes = 0;
  for (ArrayRef<Value> values : {ArrayRef(step.reads), ArrayRef(step.results)})
    for (Value value : values)
      bytes += getByteSize(value.getType()).value_or(0);
  return bytes;
}

static Cell getNumber(double value, const char *format) {
  std::string words;
  llvm::raw_string_ostream(words) << llvm::format(format, value);
  return Cell::number(value).withText(words);
}

/// Thousands of millions in a second.
static Cell getRate(double count, double seconds) {
  if (count == 0 || seconds == 0)
    return Cell::none();
  return getNumber(count / seconds / 1e9, "%.1f");
}

static std::string getResultName(const NativeStep &step) {
  return step.results.empty() ? "" : getValueName(step.results.front()).str();
}

static Table getProfile(const StepTimer::Times &times, unsigned rounds) {
  Table table({{"operators", "operators"},
               {"result", "result"},
               {"template", "template"},
               {"plan", "plan"},
               {"ms", "ms"},
               {"percent", "%"},
               {"gflops", "GFLOP/s"},
               {"gbytes", "GB/s"}});
  double all = 0;
  for (const auto &[step, seconds] : times)
    all += seconds;
  for (const auto &[step, seconds] : times) {
    if (step->kind == StepKind::View)
      continue;
    double own = seconds / rounds;
    bool isKernel = step->kind == StepKind::Kernel;
    table.addRow({Cell::text(getOpTypes(step->op)),
                  Cell::text(getResultName(*step)),
                  Cell::text(isKernel         ? step->templateName
                             : step->isShaped ? "by sizes"
                                              : "fallback"),
                  Cell::text(step->plan), getNumber(own * 1e3, "%.3f"),
                  getNumber(100 * seconds / all, "%.1f"),
                  getRate(double(step->operations), own),
                  getRate(double(countBytes(*step)), own)});
  }
  return table;
}

/// Where there was a choice of how to compute a step, and why it fell so.
static Table getChoices(const StepTimer::Times &times) {
  Table table(
      {{"result", "result"}, {"template", "template"}, {"reason", "reason"}});
  for (const auto &[step, seconds] : times)
    if (!step->reason.empty())
      table.addRow({Cell::text(getResultName(*step)),
                    Cell::text(step->templateName), Cell::text(step->reason)});
  return table;
}

//===----------------------------------------------------------------------===//
// Latency
//===----------------------------------------------------------------------===//

static llvm::Expected<std::vector<double>>
measure(NativeProgram &program, ArrayRef<HostTensor> inputs, unsigned rounds,
        StepObserver *observer = nullptr) {
  std::vector<double> times;
  Stopwatch watch;
  for (unsigned i = 0; i < maxRounds + numWarmUps; ++i) {
    bool isEnough = rounds != 0 ? times.size() >= rounds
                                : times.size() >= minRounds &&
                                      watch.getTotal() > measuredSeconds;
    if (isEnough)
      break;
    watch.lap();
    auto outputs = program.run(inputs, i < numWarmUps ? nullptr : observer);
    if (!outputs)
      return outputs.takeError();
    double seconds = watch.lap();
    if (i >= numWarmUps)
      times.push_back(seconds);
  }
  llvm::sort(times);
  return times;
}

static Cell getLatency(ArrayRef<double> sorted) {
  auto at = [&](double part) {
    size_t place =
        std::min(size_t(part * double(sorted.size())), sorted.size() - 1);
    return sorted[place] * 1e3;
  };
  double min = sorted.front() * 1e3, median = at(0.5), p95 = at(0.95);
  std::string words;
  llvm::raw_string_ostream(words)
      << llvm::format("min %.3f, median %.3f, p95 %.3f", min, median, p95);
  return Cell::object(
      llvm::json::Object{{"min", min}, {"median", median}, {"p95", p95}},
      words);
}

static void reportTimes(const NativeModel &model, Report &report) {
  const NativeTimes &times = model.program.getTimes();
  Table table({{"phase", "phase"}, {"seconds", "time"}});
  for (auto [name, seconds] :
       {std::pair("importing", model.importSeconds),
        std::pair("planning", model.planSeconds + times.planning),
        std::pair("emitting", times.emitting),
        std::pair("LLVM", times.compiling),
        std::pair("packing", times.packing)})
    table.addRow({Cell::text(name), Cell::seconds(seconds)});
  report.addTable("compile", "compiling", table);
  report.addField("object_files", "object files",
                  Cell::count(model.program.getNumObjects()));
  report.addField("cached_object_files", "of these from the cache",
                  Cell::count(model.program.getNumCachedObjects()));
}

namespace {
/// One command.
class Bench {
public:
  explicit Bench(const BenchOptions &options) : options(options) {}

  llvm::Expected<Report> run();

private:
  llvm::Error measureThreads(unsigned threads, bool isFirst, Table &latencies);

  const BenchOptions &options;
  std::unique_ptr<MLIRContext> context = createContext();
  FedModel fed;
  Report report;
};
} // namespace

llvm::Error Bench::measureThreads(unsigned threads, bool isFirst,
                                  Table &latencies) {
  auto model = compileNative(*context,
                             {options.model, options.import, threads,
                              options.jobs, options.progress, options.choices},
                             fed.inputs);
  if (!model)
    return model.takeError();
  if (isFirst) {
    reportProgram(model->program, report);
    reportTimes(*model, report);
  }
  if (options.progress)
    options.progress("measuring", 0, 0);
  auto times = measure(model->program, fed.getTensors(), options.rounds);
  if (!times)
    return times.takeError();
  latencies.addRow(
      {Cell::count(threads), Cell::count(times->size()), getLatency(*times)});
  if (!isFirst || !options.isProfiled)
    return llvm::Error::success();
  StepTimer timer;
  auto again =
      measure(model->program, fed.getTensors(), options.rounds, &timer);
  if (!again)
    return again.takeError();
  StepTimer::Times bySteps = timer.take();
  report.addTable("profile", "where the time goes",
                  getProfile(bySteps, again->size()));
  report.addTable("choices",
                  "cycles of convolutions, as multiples of a sum "
                  "over taps",
                  getChoices(bySteps));
  return llvm::Error::success();
}

llvm::Expected<Report> Bench::run() {
  report.addField("model", "", Cell::text(options.model));
  auto model =
      loadFedModel(*context, options.model, options.import, options.inputs);
  if (!model)
    return model.takeError();
  fed = std::move(*model);
  reportAssumedExtents(getAssumedExtents(fed.inputs), report);
  Table latencies({{"threads", "threads"},
                   {"runs", "runs"},
                   {"latency_ms", "latency in ms"}});
  for (auto [i, threads] : llvm::enumerate(options.threads))
    if (llvm::Error error = measureThreads(threads, i == 0, latencies))
      return addContext(options.model + ": ", std::move(error));
  report.addTable("latency", "latency", latencies);
  report.addField("peak_memory_bytes", "peak memory",
                  Cell::bytes(getPeakMemory()));
  return std::move(report);
}

llvm::Expected<Report> inlay::bench(const BenchOptions &options) {
  return Bench(options).run();
}
