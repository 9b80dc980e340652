//===- ProgramBuilder.cpp - From a graph to steps -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/LastUses.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include <chrono>

using namespace inlay;
using namespace mlir;
using Clock = std::chrono::steady_clock;

/// A part of a loop that a thread takes touches at least this many bytes: a few
/// microseconds of work.
static constexpr int64_t bytesPerPart = 32 * 1024;

static double lap(Clock::time_point &since) {
  auto now = Clock::now();
  double seconds = std::chrono::duration<double>(now - since).count();
  since = now;
  return seconds;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {
/// The code of kernels, once for those that are the same but for their names.
class KernelTable {
public:
  KernelTable(MLIRContext *context, const VectorUnit &unit)
      : unit(unit), code(ModuleOp::create(UnknownLoc::get(context))) {}

  /// The code of a step, and which kernel that is.
  std::optional<std::pair<KernelCode, unsigned>> add(Operation *step);
  unsigned size() const { return numbers.size(); }
  OwningOpRef<ModuleOp> take() { return std::move(code); }
  static std::string getName(unsigned number) {
    return "kernel_" + std::to_string(number);
  }

private:
  const VectorUnit &unit;
  OwningOpRef<ModuleOp> code;
  llvm::StringMap<unsigned> numbers;
};
} // namespace

/// What a kernel is called before it has a number.
static constexpr StringRef placeholder = "kernel";

std::optional<std::pair<KernelCode, unsigned>>
KernelTable::add(Operation *step) {
  OwningOpRef<ModuleOp> own = ModuleOp::create(code->getLoc());
  std::optional<KernelCode> emitted = emitKernel(step, *own, placeholder, unit);
  if (!emitted)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream stream(text);
  own->print(stream);
  auto [it, isNew] = numbers.try_emplace(text, numbers.size());
  if (isNew)
    for (auto function :
         llvm::make_early_inc_range(own->getOps<func::FuncOp>())) {
      StringRef suffix = function.getName().drop_front(placeholder.size());
      function.setName(getName(it->second) + suffix.str());
      function->remove();
      code->push_back(function);
    }
  return std::pair(std::move(*emitted), it->second);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
class ProgramBuilder {
public:
  ProgramBuilder(func::FuncOp graph, const NativeOptions &options)
      : options(options), kernels(graph.getContext(), options.unit) {
    state.graph = graph;
  }

  llvm::Error build();
  NativeProgram::State state;

private:
  llvm::Error planMemory();
  unsigned addSlot(Value value);
  void addBody(Block &block);
  ProgramStep makeStep(Operation &op);
  void setKernel(ProgramStep &step, const KernelCode &code, unsigned kernel);
  bool isView(Operation &op);
  llvm::Error linkKernels();
  llvm::Error packWeights();
  llvm::Error pack(ProgramStep &step);

  const NativeOptions &options;
  KernelTable kernels;
  BufferPlan plan;
  /// Bodies whose operations are yet to become steps.
  SmallVector<Block *> pending;
};
} // namespace

llvm::Error ProgramBuilder::planMemory() {
  plan = planBuffers(state.graph);
  state.arenaBytes = plan.arenaBytes;
  return checkBuffers(state.graph, plan);
}

/// Memory of the plan serves where it holds the elements as the host has them.
unsigned ProgramBuilder::addSlot(Value value) {
  auto [it, isNew] = state.numbers.try_emplace(value, state.slots.size());
  if (!isNew)
    return it->second;
  Slot slot{value, plan.places.lookup(value), {}, {}};
  auto type = dyn_cast<RankedTensorType>(value.getType());
  std::optional<ElementType> element =
      type ? getOnnxElementType(type.getElementType()) : std::nullopt;
  bool isKnown = type && element && type.hasStaticShape() &&
                 *element != ElementType::String;
  if (isKnown) {
    slot.type = *element;
    slot.shape.assign(type.getShape().begin(), type.getShape().end());
  }
  bool fits = isKnown && slot.place.bytes == uint64_t(type.getNumElements()) *
                                                 getHostByteWidth(*element);
  if (slot.isPlaced() && !fits)
    slot.place.home = BufferHome::Heap;
  if (getConstantValue(value))
    slot.place.home = BufferHome::Constant;
  state.slots.push_back(std::move(slot));
  return it->second;
}

/// Whether the result already is where the operand is.
bool ProgramBuilder::isView(Operation &op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!fusion || fusion.getFusionClass() != FusionClass::View ||
      op.getNumResults() != 1)
    return false;
  unsigned from = addSlot(op.getOperand(0)), to = addSlot(op.getResult(0));
  return state.slots[to].isPlaced() &&
         state.slots[from].place.isSame(state.slots[to].place);
}

/// Parts depend on the shapes alone.
static int64_t getGrain(const KernelCode &code) {
  int64_t bytes = 0;
  for (ArrayRef<Value> values : {ArrayRef(code.reads), ArrayRef(code.results)})
    for (Value value : values)
      bytes += int64_t(getByteSize(value.getType()).value_or(0));
  int64_t parts = std::max<int64_t>(bytes / bytesPerPart, 1);
  return std::max<int64_t>(llvm::divideCeil(code.extent, parts), 1);
}

void ProgramBuilder::setKernel(ProgramStep &step, const KernelCode &code,
                               unsigned kernel) {
  step.kind = StepKind::Kernel;
  step.kernel = kernel;
  step.extent = code.extent;
  step.grain = getGrain(code);
  step.packing = code.packing;
  step.indices = code.indices;
  step.templateName = code.templateName;
  step.operations = code.operations;
  step.reads = code.reads;
  step.results = code.results;
}

ProgramStep ProgramBuilder::makeStep(Operation &op) {
  ProgramStep step;
  step.op = &op;
  llvm::append_range(step.reads, op.getOperands());
  llvm::append_range(step.results, op.getResults());
  bool isInGroup = isFinished(op.getParentOp());
  if (isInGroup)
    step.kind = StepKind::Evaluated;
  else if (isView(op))
    step.kind = StepKind::View;
  else if (auto code = kernels.add(&op))
    setKernel(step, code->first, code->second);
  for (Value value : step.reads)
    step.readSlots.push_back(addSlot(value));
  for (Value value : step.results)
    step.resultSlots.push_back(addSlot(value));
  if (step.kind == StepKind::Evaluated)
    for (Region &region : op.getRegions())
      for (Block &block : region)
        pending.push_back(&block);
  return step;
}

void ProgramBuilder::addBody(Block &block) {
  ProgramBody body;
  for (Value argument : block.getArguments())
    body.arguments.push_back(addSlot(argument));
  LastUses uses(block);
  for (auto [i, op] : llvm::enumerate(block.without_terminator())) {
    if (!isa<ConstantOp>(op))
      body.steps.push_back(makeStep(op));
    if (body.steps.empty())
      continue;
    for (Value value : uses.getDying(i)) {
      unsigned slot = addSlot(value);
      if (state.slots[slot].place.home == BufferHome::Heap)
        body.steps.back().dying.push_back(slot);
    }
  }
  for (Value result : block.getTerminator()->getOperands())
    body.results.push_back(addSlot(result));
  state.bodies.insert({&block, std::move(body)});
}

llvm::Error ProgramBuilder::linkKernels() {
  state.numKernels = kernels.size();
  if (state.numKernels == 0)
    return llvm::Error::success();
  auto compiled = NativeKernels::compile(kernels.take());
  if (!compiled)
    return compiled.takeError();
  state.kernels.emplace(std::move(*compiled));
  for (auto &[block, body] : state.bodies)
    for (ProgramStep &step : body.steps) {
      if (step.kind != StepKind::Kernel)
        continue;
      auto function = state.kernels->lookup(KernelTable::getName(step.kernel));
      if (!function)
        return function.takeError();
      step.function = *function;
    }
  return llvm::Error::success();
}

llvm::Error ProgramBuilder::packWeights() {
  for (auto &[block, body] : state.bodies)
    for (ProgramStep &step : body.steps)
      if (llvm::Error error = pack(step))
        return error;
  return llvm::Error::success();
}

/// Packs constants; for others there is memory when the step runs.
llvm::Error ProgramBuilder::pack(ProgramStep &step) {
  if (!step.packing)
    return llvm::Error::success();
  // The function's name, with the number of its kernel.
  StringRef suffix =
      StringRef(step.packing->name).drop_front(placeholder.size());
  auto function =
      state.kernels->lookup(KernelTable::getName(step.kernel) + suffix.str());
  if (!function)
    return function.takeError();
  step.pack = *function;
  if (!step.packing->isConstant) {
    state.packingBytes = std::max(state.packingBytes, step.packing->bytes);
    return llvm::Error::success();
  }
  step.packed = allocateAligned(step.packing->bytes);
  if (!step.packed)
    return unsupportedError("packed weights of " + Twine(step.packing->bytes) +
                            " bytes do not fit into memory");
  SmallVector<HostTensor> constants;
  SmallVector<void *> buffers;
  for (Value value : step.reads) {
    Attribute constant = getConstantValue(value);
    auto tensor = constant ? getHostTensor(constant) : HostTensor();
    if (!tensor)
      return tensor.takeError();
    buffers.push_back(const_cast<char *>(tensor->getBytes().data()));
    constants.push_back(std::move(*tensor));
  }
  buffers.append(step.results.size(), nullptr);
  buffers.push_back(step.packed.get());
  step.pack(buffers.data(), 0, step.packing->extent);
  return llvm::Error::success();
}

llvm::Error ProgramBuilder::build() {
  if (llvm::Error error = checkEvaluable(state.graph))
    return error;
  registerElementCode(*state.graph.getContext());
  auto since = Clock::now();
  if (llvm::Error error = planMemory())
    return error;
  state.times.planning = lap(since);
  pending.push_back(&state.graph.getBody().front());
  for (size_t i = 0; i < pending.size(); ++i)
    addBody(*pending[i]);
  state.times.emitting = lap(since);
  if (llvm::Error error = linkKernels())
    return error;
  state.times.compiling = lap(since);
  if (llvm::Error error = packWeights())
    return error;
  state.times.packing = lap(since);
  state.pool = std::make_unique<ThreadPool>(options.threads);
  return llvm::Error::success();
}

llvm::Expected<NativeProgram>
NativeProgram::compile(ModuleOp module, const NativeOptions &options) {
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  ProgramBuilder builder(*graph, options);
  if (llvm::Error error = builder.build())
    return error;
  return NativeProgram(std::make_unique<State>(std::move(builder.state)));
}
