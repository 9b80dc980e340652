//===- ProgramBuilder.cpp - From a graph to steps -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "OpenWindows.h"
#include "RunTimeParameters.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/Codegen/LowerSteps.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/LastUses.h"
#include "inlay/IR/Origin.h"
#include "inlay/NativeRuntime/Program.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/Stopwatch.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;
using namespace mlir;

/// A part of a loop that a thread takes touches at least this many bytes: a few
/// microseconds of work.
static constexpr int64_t bytesPerPart = 32 * 1024;

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {
/// The code of kernels, once for those that are the same but for their names.
class KernelTable {
public:
  explicit KernelTable(MLIRContext *context) : loc(UnknownLoc::get(context)) {}

  /// The code of a step, which kernel that is, and which of its reads are used
  /// whenever it runs.
  struct Entry {
    KernelCode code;
    unsigned number;
    SmallVector<bool> isUsed;
  };
  std::optional<Entry> add(Operation *step, const CodeTarget &target);
  unsigned size() const { return numbers.size(); }
  std::vector<CodeChunk> take() { return std::move(chunks); }

private:
  CodeChunk &getChunk();

  Location loc;
  std::vector<CodeChunk> chunks;
  llvm::StringMap<unsigned> numbers;
};
} // namespace

/// What a kernel is called before it has a number.
static constexpr StringRef placeholder = "kernel";

static std::string getFunctionName(unsigned number, StringRef suffix = "") {
  return (placeholder + "_" + Twine(number) + suffix).str();
}

std::string inlay::getKernelName(const ProgramStep &step) {
  return getFunctionName(step.kernel);
}

std::string inlay::getPackingName(const ProgramStep &step) {
  return getFunctionName(
      step.kernel,
      StringRef(step.packing->name).drop_front(placeholder.size()));
}

/// Marks the buffers that a function does more with than to know their place.
static void markUsed(func::FuncOp function, SmallVectorImpl<bool> &isUsed) {
  for (Operation *user : function.getArgument(0).getUsers()) {
    auto address = dyn_cast<LLVM::GEPOp>(user);
    if (!address)
      continue;
    unsigned number = address.getRawConstantIndices().front();
    bool isRead = llvm::any_of(address->getUsers(), [](Operation *load) {
      return !load->use_empty();
    });
    if (number < isUsed.size() && isRead)
      isUsed[number] = true;
  }
}

static SmallVector<bool> getUsed(const KernelCode &code, ModuleOp module) {
  SmallVector<bool> isUsed(code.reads.size(), false);
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isOnce = code.packing && code.packing->isConstant &&
                  function.getName() == code.packing->name;
    if (!isOnce)
      markUsed(function, isUsed);
  }
  return isUsed;
}

/// Kernels that make an object file.
static constexpr unsigned kernelsPerChunk = 8;

/// Where the next kernel goes.
CodeChunk &KernelTable::getChunk() {
  if (chunks.empty() || chunks.back().numKernels == kernelsPerChunk)
    chunks.push_back({ModuleOp::create(loc), std::to_string(size()), 0});
  return chunks.back();
}

std::optional<KernelTable::Entry> KernelTable::add(Operation *step,
                                                   const CodeTarget &target) {
  OwningOpRef<ModuleOp> own = ModuleOp::create(loc);
  std::optional<KernelCode> emitted =
      emitKernel(step, *own, placeholder, target);
  if (!emitted)
    return std::nullopt;
  SmallVector<bool> isUsed = getUsed(*emitted, *own);
  std::string text;
  llvm::raw_string_ostream stream(text);
  own->print(stream);
  auto known = numbers.find(text);
  if (known != numbers.end())
    return Entry{std::move(*emitted), known->second, std::move(isUsed)};
  CodeChunk &chunk = getChunk();
  unsigned number = size();
  chunk.text += "\n" + text;
  ++chunk.numKernels;
  numbers[text] = number;
  for (auto function :
       llvm::make_early_inc_range(own->getOps<func::FuncOp>())) {
    StringRef suffix = function.getName().drop_front(placeholder.size());
    function.setName(getFunctionName(number, suffix));
    function->remove();
    chunk.module->push_back(function);
  }
  return Entry{std::move(*emitted), number, std::move(isUsed)};
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
class ProgramBuilder {
public:
  ProgramBuilder(ModuleOp module, const CodeTarget &target,
                 ArrayRef<OpenLength> lengths)
      : target(target), lengths(lengths), kernels(module.getContext()) {
    state.module = module.clone();
  }

  llvm::Error build(NativeTimes &times);
  std::vector<CodeChunk> takeCode() { return kernels.take(); }
  NativeProgram::State state;

private:
  llvm::Error findOpenDims();
  llvm::Error checkOpenSteps();
  llvm::Error planMemory();
  llvm::Error checkMemory();
  unsigned addSlot(Value value);
  void addBody(Block &block);
  ProgramStep makeStep(Operation &op);
  void setKernel(ProgramStep &step, const KernelTable::Entry &entry);
  bool isView(Operation &op);

  CodeTarget target;
  ArrayRef<OpenLength> lengths;
  KernelTable kernels;
  BufferPlan plan;
  /// What would need the elements of the length alone, and has no code that
  /// ends there.
  std::vector<std::string> meeting;
  /// Bodies whose operations are yet to become steps.
  SmallVector<Block *> pending;
};
} // namespace

/// What is computed is the same for all lengths that were tried.
static llvm::Error compareSimplified(const OpenLength &length,
                                     unsigned number) {
  for (const OpenLength::Probe &probe :
       llvm::drop_begin(length.simplified, length.simplified.empty() ? 0 : 1)) {
    const OpenLength::Probe &largest = length.simplified.front();
    auto graph = getGraph(*largest.module), other = getGraph(*probe.module);
    if (!graph)
      return graph.takeError();
    if (!other)
      return other.takeError();
    if (llvm::Error error = OpenDims::compare(*graph, largest.length,
                                              {*other, number, probe.length}))
      return error;
  }
  return llvm::Error::success();
}

/// By several probes of each, so that what follows is of more than two lengths.
llvm::Error ProgramBuilder::findOpenDims() {
  SmallVector<int64_t> largest;
  std::vector<OwningOpRef<ModuleOp>> modules;
  SmallVector<OpenDims::Probe> probes;
  for (auto [number, length] : llvm::enumerate(lengths)) {
    largest.push_back(length.largest);
    if (llvm::Error error = compareSimplified(length, number))
      return error;
    for (const OpenLength::Probe &probe : length.probes) {
      modules.push_back(probe.module.get().clone());
      auto graph = getGraph(*modules.back());
      if (!graph)
        return graph.takeError();
      lowerSteps(*graph, target);
      probes.push_back({*graph, unsigned(number), probe.length});
    }
  }
  auto found = OpenDims::find(state.graph, largest, probes);
  if (!found)
    return found.takeError();
  state.open = std::move(*found);
  splitAtWindows(state.graph, state.open);
  if (state.open.getLengths().size() > INLAY_MAX_LENGTHS)
    return unsupportedError("the lengths cannot stay open: " +
                            Twine(state.open.getLengths().size()) +
                            " extents follow from them where at most " +
                            Twine(INLAY_MAX_LENGTHS) +
                            " are allowed (give them with --dim)");
  target.open = &state.open;
  return llvm::Error::success();
}

llvm::Error ProgramBuilder::checkOpenSteps() {
  if (meeting.empty())
    return llvm::Error::success();
  std::string text;
  for (const std::string &own : meeting)
    text += "\n  " + own;
  return unsupportedError("the length cannot stay open (give it with --dim): " +
                          Twine(meeting.size()) +
                          " nodes compute with all elements along it in a way "
                          "that has no code for that:" +
                          text);
}

llvm::Error ProgramBuilder::planMemory() {
  plan = planBuffers(state.graph);
  state.arenaBytes = plan.arenaBytes;
  return checkBuffers(state.graph, plan);
}

/// Bytes of the constants, each once.
static uint64_t getConstantBytes(func::FuncOp graph) {
  llvm::DenseSet<Attribute> seen;
  uint64_t bytes = 0;
  graph.walk([&](ConstantOp op) {
    if (seen.insert(op.getValue()).second)
      bytes += getByteSize(op.getType()).value_or(0);
  });
  return bytes;
}

llvm::Error ProgramBuilder::checkMemory() {
  uint64_t bytes = state.arenaBytes + getConstantBytes(state.graph);
  std::optional<uint64_t> limit = target.choices.memory;
  if (limit && *limit < bytes)
    return unsupportedError("weights and tensors take " + Twine(bytes) +
                            " bytes where " + Twine(*limit) + " are allowed");
  return llvm::Error::success();
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

void ProgramBuilder::setKernel(ProgramStep &step,
                               const KernelTable::Entry &entry) {
  const KernelCode &code = entry.code;
  step.kind = StepKind::Kernel;
  step.kernel = entry.number;
  step.isUsed = entry.isUsed;
  step.extent = code.extent;
  step.open = code.open;
  step.lengths = code.lengths;
  step.grain = getGrain(code);
  step.packing = code.packing;
  if (code.packing && !code.packing->isConstant)
    state.packingBytes = std::max(state.packingBytes, code.packing->bytes);
  step.indices = code.indices;
  step.templateName = code.templateName;
  step.plan = code.plan;
  step.operations = code.operations;
  step.outputsOfTile = code.outputsOfTile;
  step.reason = code.reason;
  step.reads = code.reads;
  step.results = code.results;
}

/// Places to read from are checked up to the length's end: they have to lie in
/// front of it. Code that looks at one behind it reads at the border.
static bool hasUncheckedIndices(const KernelCode &code, const OpenDims &open) {
  return llvm::any_of(code.indices, [&](const KernelCode::Indices &own) {
    Value tensor = code.reads[own.read];
    size_t numOpen = open.get(tensor).size();
    return numOpen > 1 || (numOpen == 1 && !open.isOutermost(tensor));
  });
}

/// By what meets first, where that is inside of it.
static std::string describeMeeting(Operation *step, const OpenDims &open) {
  SmallVector<Operation *> inside = open.getMeetings(step);
  return describeNodeAround(inside.empty() ? step : inside.front());
}

ProgramStep ProgramBuilder::makeStep(Operation &op) {
  ProgramStep step;
  step.op = &op;
  llvm::append_range(step.reads, op.getOperands());
  llvm::append_range(step.results, op.getResults());
  bool isInGroup = isFinished(op.getParentOp());
  bool hasParameters = !isInGroup && hasRunTimeParameters(&op);
  if (isInGroup)
    step.kind = StepKind::Evaluated;
  else if (isView(op) || (hasParameters && op.use_empty()))
    step.kind = StepKind::View;
  else if (auto entry = kernels.add(&op, target)) {
    setKernel(step, *entry);
    auto clears = getClears(&op, entry->code, state.open);
    if (!clears || hasUncheckedIndices(entry->code, state.open))
      meeting.push_back(describeMeeting(&op, state.open));
    else
      step.clears = std::move(*clears);
  }
  for (Value value : step.reads)
    step.readSlots.push_back(addSlot(value));
  for (Value value : step.results)
    step.resultSlots.push_back(addSlot(value));
  if (hasParameters && step.kind != StepKind::Evaluated)
    for (Value operand : op.getOperands())
      step.checkedSlots.push_back(addSlot(operand));
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

llvm::Error ProgramBuilder::build(NativeTimes &times) {
  auto graph = getGraph(*state.module);
  if (!graph)
    return graph.takeError();
  state.graph = *graph;
  if (llvm::Error error = checkEvaluable(state.graph))
    return error;
  registerElementCode(*state.graph.getContext());
  Stopwatch watch;
  lowerSteps(state.graph, target);
  if (!lengths.empty())
    if (llvm::Error error = findOpenDims())
      return error;
  times.emitting = watch.lap();
  if (llvm::Error error = planMemory())
    return error;
  if (llvm::Error error = checkMemory())
    return error;
  times.planning = watch.lap();
  pending.push_back(&state.graph.getBody().front());
  for (size_t i = 0; i < pending.size(); ++i)
    addBody(*pending[i]);
  if (llvm::Error error = checkOpenSteps())
    return error;
  state.numKernels = kernels.size();
  times.emitting += watch.lap();
  return llvm::Error::success();
}

llvm::Expected<BuiltProgram> inlay::buildProgram(ModuleOp module,
                                                 const CodeTarget &target,
                                                 ArrayRef<OpenLength> lengths) {
  ProgramBuilder builder(module, target, lengths);
  NativeTimes times;
  if (llvm::Error error = builder.build(times))
    return error;
  builder.state.times = times;
  return BuiltProgram{
      std::make_unique<NativeProgram::State>(std::move(builder.state)),
      builder.takeCode()};
}
