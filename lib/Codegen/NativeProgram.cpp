//===- NativeProgram.cpp - Running steps ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/NativeProgram.h"
#include "ProgramState.h"
#include "RunTimeParameters.h"
#include "inlay/Codegen/StepReference.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Runtime/BoundInputs.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>

using namespace inlay;
using namespace mlir;

NativeProgram::NativeProgram(std::unique_ptr<State> state)
    : state(std::move(state)) {}
NativeProgram::NativeProgram(NativeProgram &&) noexcept = default;
NativeProgram::~NativeProgram() = default;

std::vector<const NativeStep *> NativeProgram::getSteps() const {
  std::vector<const NativeStep *> steps;
  for (const auto &[block, body] : state->bodies)
    if (!isFinished(block->getParentOp()))
      for (const ProgramStep &step : body.steps)
        steps.push_back(&step);
  return steps;
}

unsigned NativeProgram::getNumKernels() const { return state->numKernels; }
unsigned NativeProgram::getNumObjects() const { return state->numObjects; }
unsigned NativeProgram::getNumCachedObjects() const {
  return state->numCachedObjects;
}
uint64_t NativeProgram::getArenaBytes() const { return state->arenaBytes; }
const NativeTimes &NativeProgram::getTimes() const { return state->times; }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::shared_ptr<char> inlay::allocateAligned(uint64_t bytes) {
  uint64_t size =
      llvm::alignTo(std::max<uint64_t>(bytes, 1), BufferPlan::alignment);
  auto *memory =
      static_cast<char *>(std::aligned_alloc(BufferPlan::alignment, size));
  return {memory, std::free};
}

HostTensor inlay::copyTensor(const HostTensor &tensor) {
  if (tensor.getType() == ElementType::String)
    return tensor;
  HostTensor copy(tensor.getType(), tensor.getShape());
  llvm::copy(tensor.getBytes(), copy.getMutableBytes().begin());
  return copy;
}

namespace {
/// One run of a program.
class Run {
public:
  Run(NativeProgram::State &state, StepObserver *observer)
      : state(state), observer(observer), tensors(state.slots.size()) {}

  llvm::Expected<SmallVector<HostTensor>> run(ArrayRef<HostTensor> inputs);

private:
  llvm::Error allocate();
  llvm::Error runBody(Block &block, ArrayRef<HostTensor> arguments,
                      SmallVectorImpl<HostTensor> &results);
  llvm::Error runStep(const ProgramStep &step);
  llvm::Error runObserved(const ProgramStep &step);
  llvm::Error runKernel(const ProgramStep &step);
  llvm::Expected<bool> hasGoodIndices(const ProgramStep &step);
  /// Does what a kernel would by the reference, which says what is wrong with
  /// what it reads.
  llvm::Error evaluateKernel(const ProgramStep &step);
  llvm::Error evaluate(const ProgramStep &step);
  llvm::Expected<bool> runShaped(const ProgramStep &step);
  llvm::Error checkParameters(const ProgramStep &step);

  char *getAddress(const Slot &slot);
  /// The memory of a slot that a kernel reads or writes.
  llvm::Expected<void *> getBuffer(unsigned slot, bool isWritten);
  llvm::Expected<HostTensor> getTensor(unsigned slot);
  llvm::Error getTensors(ArrayRef<unsigned> slots,
                         SmallVectorImpl<HostTensor> &found);
  void setTensor(unsigned slot, const HostTensor &tensor);
  /// The tensor, or a copy if it looks at memory that steps write to.
  HostTensor keep(const HostTensor &tensor) const;

  NativeProgram::State &state;
  StepObserver *observer;
  /// By slot: what is on the heap, and inputs.
  std::vector<HostTensor> tensors;
  SmallVector<HostTensor> outputs;
};
} // namespace

llvm::Error Run::allocate() {
  if (!state.arena)
    state.arena = allocateAligned(state.arenaBytes);
  if (!state.packing)
    state.packing = allocateAligned(state.packingBytes);
  state.constants.resize(state.slots.size());
  if (!state.arena || !state.packing)
    return unsupportedError("an arena of " +
                            Twine(state.arenaBytes + state.packingBytes) +
                            " bytes does not fit into memory");
  Operation *terminator = state.graph.getBody().front().getTerminator();
  for (Value value : terminator->getOperands()) {
    const Slot &slot = state.slots[state.numbers.lookup(value)];
    if (!slot.isOutput(outputs.size())) {
      outputs.emplace_back();
      continue;
    }
    auto output = HostTensor::allocate(slot.type, slot.shape);
    if (!output)
      return output.takeError();
    outputs.push_back(std::move(*output));
  }
  return llvm::Error::success();
}

char *Run::getAddress(const Slot &slot) {
  return slot.place.home == BufferHome::Arena
             ? state.arena.get() + slot.place.offset
             : outputs[slot.place.index].getMutableBytes().data();
}

llvm::Expected<HostTensor> Run::getTensor(unsigned number) {
  const Slot &slot = state.slots[number];
  if (slot.isPlaced())
    return HostTensor::view(slot.type, slot.shape,
                            {getAddress(slot), slot.place.bytes}, nullptr);
  bool isConstant = slot.place.home == BufferHome::Constant;
  HostTensor &tensor = isConstant ? state.constants[number] : tensors[number];
  if (!tensor && isConstant) {
    auto constant = getHostTensor(getConstantValue(slot.value));
    if (!constant)
      return constant.takeError();
    tensor = std::move(*constant);
  }
  if (!tensor)
    return makeError(ExitCode::Internal, "value '" + getValueName(slot.value) +
                                             "' was not computed");
  return tensor;
}

llvm::Error Run::getTensors(ArrayRef<unsigned> slots,
                            SmallVectorImpl<HostTensor> &found) {
  for (unsigned slot : slots) {
    auto tensor = getTensor(slot);
    if (!tensor)
      return tensor.takeError();
    found.push_back(std::move(*tensor));
  }
  return llvm::Error::success();
}

llvm::Expected<void *> Run::getBuffer(unsigned number, bool isWritten) {
  const Slot &slot = state.slots[number];
  if (slot.isPlaced())
    return getAddress(slot);
  if (isWritten)
    tensors[number] = HostTensor(slot.type, slot.shape);
  auto tensor = getTensor(number);
  if (!tensor)
    return tensor.takeError();
  return const_cast<char *>(tensor->getBytes().data());
}

HostTensor Run::keep(const HostTensor &tensor) const {
  if (tensor.getType() == ElementType::String)
    return tensor;
  auto isIn = [&](const char *begin, size_t size) {
    auto first = reinterpret_cast<uintptr_t>(begin);
    auto at = reinterpret_cast<uintptr_t>(tensor.getBytes().data());
    return at >= first && at < first + size;
  };
  bool isLent = isIn(state.arena.get(), state.arenaBytes) ||
                llvm::any_of(outputs, [&](const HostTensor &output) {
                  return output && isIn(output.getBytes().data(),
                                        output.getBytes().size());
                });
  return isLent ? copyTensor(tensor) : tensor;
}

void Run::setTensor(unsigned number, const HostTensor &tensor) {
  const Slot &slot = state.slots[number];
  if (!slot.isPlaced()) {
    tensors[number] = keep(tensor);
    return;
  }
  ArrayRef<char> bytes = tensor.getBytes();
  if (!bytes.empty())
    std::memmove(getAddress(slot), bytes.data(), bytes.size());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static bool areWithin(const HostTensor &indices, ArrayRef<int64_t> extents) {
  for (int64_t i = 0, e = indices.getNumElements(); i < e; ++i) {
    int64_t extent = extents[i % extents.size()], index = indices.getInt(i);
    if (index < -extent || index >= extent)
      return false;
  }
  return true;
}

llvm::Expected<bool> Run::hasGoodIndices(const ProgramStep &step) {
  for (const KernelCode::Indices &own : step.indices) {
    auto indices = getTensor(step.readSlots[own.read]);
    if (!indices)
      return indices.takeError();
    if (!areWithin(*indices, own.extents))
      return false;
  }
  return true;
}

llvm::Error Run::evaluateKernel(const ProgramStep &step) {
  SmallVector<HostTensor> reads;
  if (llvm::Error error = getTensors(step.readSlots, reads))
    return error;
  auto results = evaluateStep(step.op, step.reads, reads);
  if (!results)
    return results.takeError();
  for (auto [slot, value] : llvm::zip_equal(step.resultSlots, step.results))
    setTensor(slot, (*results)[cast<OpResult>(value).getResultNumber()]);
  return llvm::Error::success();
}

llvm::Error Run::runKernel(const ProgramStep &step) {
  auto isGood = hasGoodIndices(step);
  if (!isGood)
    return isGood.takeError();
  if (!*isGood)
    return evaluateKernel(step);
  SmallVector<void *> buffers;
  for (auto [i, slot] : llvm::enumerate(step.readSlots)) {
    if (step.packed && llvm::is_contained(step.packing->ownReads, i)) {
      buffers.push_back(nullptr);
      continue;
    }
    auto buffer = getBuffer(slot, /*isWritten=*/false);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(*buffer);
  }
  for (unsigned slot : step.resultSlots) {
    auto buffer = getBuffer(slot, /*isWritten=*/true);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(*buffer);
  }
  if (step.packing)
    buffers.push_back(step.packed ? step.packed.get() : state.packing.get());
  if (step.packing && !step.packed)
    state.pool->run(step.packing->extent, 1, [&](int64_t begin, int64_t end) {
      step.pack(buffers.data(), begin, end);
    });
  state.pool->run(step.extent, step.grain, [&](int64_t begin, int64_t end) {
    step.function(buffers.data(), begin, end);
  });
  return llvm::Error::success();
}

/// Whether the step ran as code for the shapes at hand.
llvm::Expected<bool> Run::runShaped(const ProgramStep &step) {
  SmallVector<HostTensor> reads;
  if (llvm::Error error = getTensors(step.shapedSlots, reads))
    return error;
  auto results = step.shaped->run(reads, observer);
  if (!results)
    return results.takeError();
  if (results->empty())
    return false;
  for (auto [slot, value, tensor] :
       llvm::zip_equal(step.resultSlots, step.results, *results)) {
    if (value.use_empty())
      continue;
    if (llvm::Error error = checkTensor(tensor, value.getType()))
      return error;
    setTensor(slot, tensor);
  }
  return true;
}

llvm::Error Run::evaluate(const ProgramStep &step) {
  if (step.shaped) {
    auto hasRun = runShaped(step);
    if (!hasRun)
      return hasRun.takeError();
    if (*hasRun)
      return llvm::Error::success();
  }
  SmallVector<HostTensor> operands;
  if (llvm::Error error = getTensors(step.readSlots, operands))
    return error;
  auto runner = [this](Region &region, ArrayRef<HostTensor> arguments,
                       SmallVectorImpl<HostTensor> &results) {
    results.clear();
    return runBody(region.front(), arguments, results);
  };
  Evaluation evaluation(step.op, operands, runner);
  if (llvm::Error error =
          cast<EvaluateOpInterface>(step.op).evaluate(evaluation))
    return error;
  for (auto [slot, value, tensor] : llvm::zip_equal(
           step.resultSlots, step.results, evaluation.getResults())) {
    if (value.use_empty())
      continue;
    if (llvm::Error error = checkTensor(tensor, value.getType()))
      return error;
    setTensor(slot, tensor);
  }
  return llvm::Error::success();
}

/// Parameters that do not fit are the operator's to complain about. Those that
/// fitted last time do so again.
llvm::Error Run::checkParameters(const ProgramStep &step) {
  if (step.checkedSlots.empty())
    return llvm::Error::success();
  SmallVector<HostTensor> operands;
  if (llvm::Error error = getTensors(step.checkedSlots, operands))
    return error;
  std::string parameters = getParameterBytes(step.op, operands);
  auto [it, isFirst] = state.fitting.try_emplace(&step);
  if (!isFirst && it->second == parameters)
    return llvm::Error::success();
  if (!doParametersFit(step.op, operands)) {
    Evaluation evaluation(step.op, operands);
    if (llvm::Error error =
            cast<EvaluateOpInterface>(step.op).evaluate(evaluation))
      return error;
    for (auto [result, tensor] :
         llvm::zip_equal(step.op->getResults(), evaluation.getResults()))
      if (llvm::Error error = checkTensor(tensor, result.getType()))
        return error;
  }
  it->second = std::move(parameters);
  return llvm::Error::success();
}

llvm::Error Run::runStep(const ProgramStep &step) {
  if (llvm::Error error = checkParameters(step))
    return error;
  switch (step.kind) {
  case StepKind::Kernel:
    return runKernel(step);
  case StepKind::View:
    return llvm::Error::success();
  case StepKind::Evaluated:
    return evaluate(step);
  }
  llvm_unreachable("covered switch");
}

llvm::Error Run::runObserved(const ProgramStep &step) {
  SmallVector<HostTensor> reads, results;
  if (llvm::Error error = getTensors(step.readSlots, reads))
    return error;
  if (llvm::Error error = observer->beforeStep(step, reads))
    return error;
  if (llvm::Error error = runStep(step))
    return error;
  for (auto [slot, value] : llvm::zip_equal(step.resultSlots, step.results)) {
    auto tensor = value.use_empty() ? HostTensor() : getTensor(slot);
    if (!tensor)
      return tensor.takeError();
    results.push_back(std::move(*tensor));
  }
  return observer->afterStep(step, results);
}

llvm::Error Run::runBody(Block &block, ArrayRef<HostTensor> arguments,
                         SmallVectorImpl<HostTensor> &results) {
  const ProgramBody &body = state.bodies.find(&block)->second;
  for (auto [slot, argument] : llvm::zip_equal(body.arguments, arguments)) {
    if (llvm::Error error =
            checkTensor(argument, state.slots[slot].value.getType()))
      return error;
    setTensor(slot, argument);
  }
  bool isObserved = observer && !isFinished(block.getParentOp());
  for (const ProgramStep &step : body.steps) {
    if (llvm::Error error = checkCancelled())
      return error;
    if (llvm::Error error = isObserved ? runObserved(step) : runStep(step))
      return addContext(describeNode(step.op) + ": ", std::move(error));
    for (unsigned slot : step.dying)
      tensors[slot] = HostTensor();
  }
  SmallVector<HostTensor> found;
  if (llvm::Error error = getTensors(body.results, found))
    return error;
  bool isGraph = block.getParentOp() == state.graph;
  for (const HostTensor &tensor : found)
    results.push_back(isGraph ? tensor : keep(tensor));
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostTensor>> Run::run(ArrayRef<HostTensor> inputs) {
  if (llvm::Error error = allocate())
    return error;
  SmallVector<HostTensor> results;
  if (llvm::Error error =
          runBody(state.graph.getBody().front(), inputs, results))
    return error;
  for (auto [output, result] : llvm::zip_equal(outputs, results))
    if (!output)
      output = keep(result);
  return std::move(outputs);
}

llvm::Expected<SmallVector<HostTensor>>
NativeProgram::run(ArrayRef<HostTensor> inputs, StepObserver *observer) {
  auto bound = bindInputs(state->graph, inputs);
  if (!bound)
    return bound.takeError();
  return Run(*state, observer).run(*bound);
}
