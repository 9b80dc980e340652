//===- CompileProgram.cpp - From steps to code that runs ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Groups.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/Stopwatch.h"

using namespace inlay;
using namespace mlir;

static llvm::Error linkKernels(BuiltProgram &program,
                               const NativeOptions &options) {
  NativeProgram::State &state = *program.state;
  if (state.numKernels == 0)
    return llvm::Error::success();
  auto compiled =
      compileChunks(std::move(program.code), options.machine, options.jobs);
  if (!compiled)
    return compiled.takeError();
  state.numObjects = compiled->objects.size();
  state.numCachedObjects = compiled->numCached;
  auto loaded = NativeKernels::load(std::move(compiled->objects));
  if (!loaded)
    return loaded.takeError();
  state.kernels.emplace(std::move(*loaded));
  for (auto &[block, body] : state.bodies)
    for (ProgramStep &step : body.steps) {
      if (step.kind != StepKind::Kernel)
        continue;
      auto function = state.kernels->lookup(getKernelName(step));
      if (!function)
        return function.takeError();
      step.function = *function;
    }
  return llvm::Error::success();
}

llvm::Error inlay::packConstants(const ProgramStep &step, KernelFunction pack,
                                 char *memory) {
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
  buffers.push_back(memory);
  buffers.append(step.lengths.size(), nullptr);
  pack(buffers.data(), 0, step.packing->extent);
  return llvm::Error::success();
}

/// Packs constants; for others there is memory when the step runs.
static llvm::Error pack(NativeProgram::State &state, ProgramStep &step) {
  auto function = state.kernels->lookup(getPackingName(step));
  if (!function)
    return function.takeError();
  step.pack = *function;
  if (!step.packing->isConstant)
    return llvm::Error::success();
  step.packed = allocateAligned(step.packing->bytes);
  if (!step.packed)
    return unsupportedError("packed weights of " + Twine(step.packing->bytes) +
                            " bytes do not fit into memory");
  return packConstants(step, step.pack, step.packed.get());
}

static llvm::Error packWeights(NativeProgram::State &state) {
  for (auto &[block, body] : state.bodies)
    for (ProgramStep &step : body.steps)
      if (step.packing)
        if (llvm::Error error = pack(state, step))
          return error;
  return llvm::Error::success();
}

/// Steps whose sizes are not known get code when they are.
static void shapeSteps(NativeProgram::State &state,
                       const NativeOptions &options) {
  NativeOptions own = options;
  own.jobs.count = 1;
  own.jobs.progress = nullptr;
  for (auto &[block, body] : state.bodies) {
    if (isFinished(block->getParentOp()))
      continue;
    for (ProgramStep &step : body.steps) {
      if (step.kind != StepKind::Evaluated)
        continue;
      std::shared_ptr<ShapedStep> shaped = ShapedStep::get(step.op, own);
      if (!shaped)
        continue;
      for (Value value : shaped->getReads())
        step.shapedSlots.push_back(state.numbers.lookup(value));
      step.shaped = std::move(shaped);
      step.isShaped = true;
    }
  }
}

llvm::Expected<NativeProgram>
NativeProgram::compile(ModuleOp module, const NativeOptions &options) {
  auto program = buildProgram(module, options.getTarget());
  if (!program)
    return program.takeError();
  State &state = *program->state;
  Stopwatch watch;
  if (llvm::Error error = linkKernels(*program, options))
    return error;
  state.times.compiling = watch.lap();
  if (llvm::Error error = packWeights(state))
    return error;
  state.times.packing = watch.lap();
  shapeSteps(state, options);
  state.pool = std::make_unique<ThreadPool>(options.threads);
  return NativeProgram(std::move(program->state));
}
