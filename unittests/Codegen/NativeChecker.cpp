//===- NativeChecker.cpp - Machine code beside the executor ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeChecker.h"
#include "KernelWrites.h"
#include "ProgramOutputs.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/Codegen/ErrorBound.h"
#include "inlay/Codegen/KernelCode.h"
#include "inlay/Codegen/LowerSteps.h"
#include "inlay/Codegen/NativeProgram.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <cmath>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// Bytes that end, or begin, beside a page that must not be touched.
class GuardedBytes {
public:
  GuardedBytes(size_t size, bool atEnd) : page(getpagesize()) {
    length = llvm::alignTo(std::max<size_t>(size, 1), page) + 2 * page;
    void *mapped =
        mmap(nullptr, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base = static_cast<char *>(mapped);
    mprotect(base + page, length - 2 * page, PROT_READ | PROT_WRITE);
    memset(base + page, 0xa5, length - 2 * page);
    data = atEnd ? base + length - page - size : base + page;
  }
  GuardedBytes(GuardedBytes &&other) noexcept
      : page(other.page), length(other.length),
        base(std::exchange(other.base, nullptr)), data(other.data) {}
  ~GuardedBytes() {
    if (base)
      munmap(base, length);
  }

  char *getData() const { return data; }

private:
  size_t page, length = 0;
  char *base = nullptr, *data = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

using Tensors = DenseMap<Value, HostTensor>;

static HostTensor getTensor(Value value, const Tensors &tensors) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return llvm::cantFail(getHostTensor(constant.getValue()));
  return tensors.lookup(value);
}

/// How much wider units in the last place are than those of f32.
static double getUnit(ElementType type) {
  if (type == ElementType::Float16)
    return 0x1p13;
  return type == ElementType::BFloat16 ? 0x1p16 : 1;
}

/// The largest finite number of a tensor, at least 1.
static double getRange(const HostTensor &tensor) {
  double range = 1;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    if (double x = std::fabs(tensor.getDouble(i)); std::isfinite(x))
      range = std::max(range, x);
  return range;
}

/// By how much of the largest what several steps compute differs.
static constexpr double stepsTolerance = 1e-5;

/// The first element that is none of what is allowed.
template <typename F>
static std::optional<int64_t> findBeyond(const HostTensor &expected,
                                         const HostTensor &found,
                                         F &&getAllowed) {
  for (int64_t i = 0; i < expected.getNumElements(); ++i) {
    double x = expected.getDouble(i), y = found.getDouble(i);
    bool isSame = x == y || (std::isnan(x) && std::isnan(y)) ||
                  std::fabs(x - y) <= getAllowed(i);
    if (!isSame)
      return i;
  }
  return std::nullopt;
}

static std::optional<int64_t> findWrong(const HostTensor &expected,
                                        const HostTensor &found,
                                        double tolerance) {
  tolerance *= getUnit(expected.getType());
  return findBeyond(expected, found, [&](int64_t i) {
    return std::max(tolerance * std::fabs(expected.getDouble(i)), tolerance);
  });
}

static std::string describeWrong(const KernelCode &code, size_t result,
                                 int64_t wrong, const HostTensor &expected,
                                 const HostTensor &found) {
  return code.name + ": element " + std::to_string(wrong) + " of result " +
         std::to_string(result) + " is " +
         std::to_string(found.getDouble(wrong)) + ", not " +
         std::to_string(expected.getDouble(wrong));
}

namespace {
/// Code, and by how much the elements of its results may be off; nothing where
/// a tolerance says it.
struct CheckedCode : KernelCode {
  SmallVector<ElementErrors> allowed;
};
} // namespace

/// Runs the code in `parts` parts, the last one first. What sums of products
/// are is the same for all vector units: `known` has it from the first one on.
static std::string runStep(const CheckedCode &code, KernelFunction function,
                           KernelFunction pack, const Tensors &tensors,
                           Tensors &known, unsigned parts, bool atEnd,
                           double tolerance) {
  std::vector<GuardedBytes> memory;
  std::vector<void *> buffers;
  for (Value value : code.reads) {
    HostTensor tensor = getTensor(value, tensors);
    memory.emplace_back(tensor.getBytes().size(), atEnd);
    llvm::copy(tensor.getBytes(), memory.back().getData());
    buffers.push_back(memory.back().getData());
  }
  for (Value value : code.results) {
    memory.emplace_back(tensors.lookup(value).getBytes().size(), atEnd);
    buffers.push_back(memory.back().getData());
  }
  // A page that was touched ends the program: say by whom.
  std::string text;
  llvm::raw_string_ostream(text) << *code.results.front().getDefiningOp();
  llvm::PrettyStackTraceString trace(text.c_str());
  auto run = [&](KernelFunction own, int64_t extent) {
    for (unsigned part = parts; part-- > 0;)
      own(buffers.data(), extent * part / parts, extent * (part + 1) / parts);
  };
  if (code.packing) {
    memory.emplace_back(code.packing->bytes, atEnd);
    buffers.push_back(memory.back().getData());
    run(pack, code.packing->extent);
  }
  run(function, code.extent);
  for (auto [i, value] : llvm::enumerate(code.results)) {
    const HostTensor &expected = tensors.find(value)->second;
    HostTensor found(expected.getType(), expected.getShape());
    const char *data = memory[code.reads.size() + i].getData();
    std::copy(data, data + expected.getBytes().size(),
              found.getMutableBytes().begin());
    std::optional<int64_t> wrong =
        code.allowed.empty() ? findWrong(expected, found, tolerance)
                             : findBeyond(expected, found, [&](int64_t at) {
                                 return code.allowed[i][at];
                               });
    if (wrong)
      return describeWrong(code, i, *wrong, expected, found);
    if (!code.packing)
      continue;
    HostTensor &first = known.try_emplace(value, found).first->second;
    if ((wrong = findWrong(first, found, 0)))
      return describeWrong(code, i, *wrong, first, found);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// All steps
//===----------------------------------------------------------------------===//

namespace {
/// What the executor computes for every value of the graph itself.
struct Computed {
  Tensors tensors;
  SmallVector<HostTensor> outputs;
};
} // namespace

static llvm::Expected<Computed> runExecutor(ModuleOp module, func::FuncOp graph,
                                            ArrayRef<HostTensor> inputs) {
  Computed computed;
  Tensors &tensors = computed.tensors;
  for (auto [argument, input] : llvm::zip_equal(graph.getArguments(), inputs))
    tensors[argument] = input;
  ExecuteOptions options;
  options.visit = [&](Value value, HostTensor &tensor) {
    tensors[value] = tensor;
  };
  auto outputs = execute(module, inputs, options);
  if (!outputs)
    return outputs.takeError();
  computed.outputs = std::move(*outputs);
  return computed;
}

/// Operators that became several steps compute what they did.
static std::string checkLowering(ModuleOp module, ArrayRef<HostTensor> inputs,
                                 const Computed &lowered, double tolerance) {
  auto outputs = execute(module, inputs);
  if (!outputs)
    return "cannot be run: " + llvm::toString(outputs.takeError());
  for (auto [expected, found] : llvm::zip_equal(*outputs, lowered.outputs)) {
    if (expected.getType() == ElementType::String)
      continue;
    double least = stepsTolerance * getRange(expected);
    double share = tolerance * getUnit(expected.getType());
    if (findBeyond(expected, found, [&](int64_t i) {
          return std::max(share * std::fabs(expected.getDouble(i)), least);
        }))
      return "several steps compute something else";
  }
  return "";
}

static bool isKnown(const KernelCode &code, const Tensors &tensors) {
  auto hasTensor = [&](Value value) {
    return value.getDefiningOp<ConstantOp>() || tensors.contains(value);
  };
  return llvm::all_of(code.reads, hasTensor) &&
         llvm::all_of(code.results, hasTensor);
}

/// Kernels write to their results, and what packs to the memory behind them.
static std::string checkAllWrites(ArrayRef<CheckedCode> codes,
                                  ModuleOp module) {
  for (const CheckedCode &code : codes) {
    unsigned numReads = code.reads.size();
    unsigned numBuffers = numReads + code.results.size();
    std::string message = checkWrites(
        module.lookupSymbol<func::FuncOp>(code.name), [&](unsigned buffer) {
          return buffer >= numReads && buffer < numBuffers;
        });
    if (message.empty() && code.packing)
      message =
          checkWrites(module.lookupSymbol<func::FuncOp>(code.packing->name),
                      [&](unsigned buffer) { return buffer == numBuffers; });
    if (!message.empty())
      return code.name + ": " + message;
  }
  return "";
}

static std::string checkCodes(ArrayRef<CheckedCode> codes,
                              const NativeKernels &kernels,
                              const Tensors &tensors, double tolerance) {
  // Sums are the same where they are of the same terms.
  std::map<int64_t, Tensors> known;
  for (const CheckedCode &code : codes) {
    auto function = kernels.lookup(code.name);
    if (!function)
      return llvm::toString(function.takeError());
    auto pack = code.packing ? kernels.lookup(code.packing->name) : *function;
    if (!pack)
      return llvm::toString(pack.takeError());
    for (auto [parts, atEnd] : {std::pair(1u, true), std::pair(3u, false)})
      if (std::string message =
              runStep(code, *function, *pack, tensors,
                      known[code.outputsOfTile], parts, atEnd, tolerance);
          !message.empty())
        return message;
  }
  return "";
}

/// What sums of products may lose.
static llvm::Expected<SmallVector<ElementErrors>>
getAllowed(Operation &step, const KernelCode &code, const Tensors &tensors) {
  SmallVector<HostTensor> reads;
  for (Value value : code.reads)
    reads.push_back(getTensor(value, tensors));
  auto allowed = boundErrors(&step, code.reads, reads, code.outputsOfTile);
  if (!allowed)
    return allowed.takeError();
  if (!*allowed || (*allowed)->size() != code.results.size())
    return makeError(ExitCode::Internal, "no bound of errors");
  return std::move(**allowed);
}

/// Adds the code of a step; false where there is none, or an operand is not
/// known.
static bool addCode(Operation &step, ModuleOp module, const Tensors &tensors,
                    const CodeTarget &target, std::vector<CheckedCode> &codes) {
  std::string name = "kernel_" + std::to_string(codes.size());
  auto emitted = emitKernel(&step, module, name, target);
  if (!emitted || !isKnown(*emitted, tensors))
    return false;
  codes.push_back({std::move(*emitted), {}});
  return true;
}

/// What was added last may lose as much as sums of products do. The same for
/// other machines than the one that code is for where nothing is said.
static llvm::Error addOtherUnits(Operation &step, ModuleOp module,
                                 const Tensors &tensors, WinogradUse winograd,
                                 std::vector<CheckedCode> &codes) {
  auto allowed = getAllowed(step, codes.back(), tensors);
  if (!allowed)
    return allowed.takeError();
  codes.back().allowed = *allowed;
  for (auto [triple, cpu] : {std::pair("aarch64-linux-gnu", "armv8-a"),
                             std::pair("x86_64-linux-gnu", "x86-64-v4")}) {
    auto machine = Machine::get(triple, cpu);
    if (!machine)
      return machine.takeError();
    if (addCode(step, module, tensors, {machine->unit, {winograd}}, codes))
      codes.back().allowed = *allowed;
  }
  return llvm::Error::success();
}

/// By tiles of both sizes, where the step is what they compute.
static llvm::Error addTiles(Operation &step, ModuleOp module,
                            const Tensors &tensors, NativeCounts &counts,
                            std::vector<CheckedCode> &codes) {
  for (WinogradUse winograd : {WinogradUse::Tiles2, WinogradUse::Tiles4}) {
    // Others are there already.
    OwningOpRef<ModuleOp> tried = ModuleOp::create(step.getLoc());
    auto code = emitKernel(&step, *tried, "kernel", {{}, {winograd}});
    if (!code || code->outputsOfTile == 0)
      return llvm::Error::success();
    addCode(step, module, tensors, {{}, {winograd}}, codes);
    if (llvm::Error error =
            addOtherUnits(step, module, tensors, winograd, codes))
      return error;
  }
  ++counts.winograd;
  return llvm::Error::success();
}

std::string testing::checkNative(ModuleOp module, ArrayRef<HostTensor> inputs,
                                 NativeCounts &counts, double tolerance) {
  registerElementCode(*module.getContext());
  OwningOpRef<ModuleOp> lowered = module.clone();
  func::FuncOp graph = llvm::cantFail(getGraph(*lowered));
  lowerSteps(graph, {});
  auto computed = runExecutor(*lowered, graph, inputs);
  if (!computed)
    return "cannot be run: " + llvm::toString(computed.takeError());
  const Tensors &tensors = computed->tensors;
  if (std::string message = checkLowering(module, inputs, *computed, tolerance);
      !message.empty())
    return message;
  OwningOpRef<ModuleOp> code =
      ModuleOp::create(UnknownLoc::get(module.getContext()));
  std::vector<CheckedCode> codes;
  for (Operation &step : graph.getBody().front().without_terminator()) {
    // What nobody uses only says whether parameters are good.
    if (isa<ConstantOp>(step) || step.use_empty())
      continue;
    ++counts.steps;
    if (!addCode(step, *code, tensors, {{}, {WinogradUse::Off}}, codes))
      continue;
    ++counts.native;
    counts.plans.push_back(codes.back().templateName.str());
    if (!codes.back().plan.empty())
      counts.plans.back() += ", " + codes.back().plan;
    if (!codes.back().packing)
      continue;
    llvm::Error error =
        addOtherUnits(step, *code, tensors, WinogradUse::Off, codes);
    if (!error)
      error = addTiles(step, *code, tensors, counts, codes);
    if (error)
      return llvm::toString(std::move(error));
  }
  if (codes.empty())
    return "";
  if (std::string message = checkAllWrites(codes, *code); !message.empty())
    return message;
  auto kernels = NativeKernels::compile(std::move(code), Machine::getHost());
  if (!kernels)
    return llvm::toString(kernels.takeError());
  return checkCodes(codes, *kernels, tensors, tolerance);
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

static bool haveSameBits(ArrayRef<HostTensor> a, ArrayRef<HostTensor> b) {
  return llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
    auto [x, y] = pair;
    return x.getType() == ElementType::String || x.getBytes() == y.getBytes();
  });
}

std::string testing::checkProgram(ModuleOp module, ArrayRef<HostTensor> inputs,
                                  double tolerance, WinogradUse winograd) {
  auto expected = execute(module, inputs);
  if (!expected)
    return "cannot be run: " + llvm::toString(expected.takeError());
  std::optional<SmallVector<HostTensor>> first;
  for (unsigned threads : {1, 2, 4}) {
    NativeOptions options;
    options.threads = threads;
    options.choices.winograd = winograd;
    auto program = NativeProgram::compile(module, options);
    if (!program)
      return llvm::toString(program.takeError());
    // Twice: the arena is not empty the second time.
    for (unsigned round = 0; round < 2; ++round) {
      auto found = program->run(inputs);
      if (!found)
        return llvm::toString(found.takeError());
      if (!first)
        first = *found;
      if (!haveSameBits(*first, *found))
        return "other bits on " + std::to_string(threads) + " threads";
    }
  }
  return judgeOutputs(module, inputs, *expected, *first, tolerance);
}
