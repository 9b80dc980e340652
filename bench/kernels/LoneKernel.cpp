//===- LoneKernel.cpp - Kernels without the steps around them -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoneKernel.h"
#include "ProgramState.h"
#include "inlay/Codegen/ElementInterface.h"
#include "inlay/Codegen/LowerSteps.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Runtime/RandomInputs.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace inlay::benching;
using namespace mlir;

std::vector<StepCode>
benching::emitSteps(func::FuncOp graph,
                    llvm::function_ref<bool(Operation *)> isWanted) {
  CodeTarget target = NativeOptions().getTarget();
  registerElementCode(*graph.getContext());
  lowerSteps(graph, target);
  std::vector<StepCode> steps;
  for (Operation &op : graph.getBody().front().without_terminator()) {
    if (isa<ConstantOp>(op) || op.use_empty() || !isWanted(&op))
      continue;
    OwningOpRef<ModuleOp> own =
        ModuleOp::create(UnknownLoc::get(graph.getContext()));
    if (auto code = emitKernel(&op, *own, kernelName, target))
      steps.push_back({&op, std::move(*code), std::move(own)});
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

uint64_t LoneKernel::Tensor::getBytes() const {
  uint64_t bytes = getHostByteWidth(type);
  for (int64_t dim : shape)
    bytes *= dim;
  return bytes;
}

LoneKernel::LoneKernel(NativeKernels kernels, KernelCode code)
    : kernels(std::move(kernels)), extent(code.extent),
      packing(std::move(code.packing)) {
  auto getTensor = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return Tensor{*getOnnxElementType(type.getElementType()),
                  HostTensor::Shape(type.getShape())};
  };
  for (Value value : code.reads)
    reads.push_back(getTensor(value));
  for (Value value : code.results)
    results.push_back(getTensor(value));
  for (const KernelCode::Indices &indices : code.indices)
    reads[indices.read].hasPlaces = true;
}

llvm::Expected<LoneKernel> LoneKernel::compile(StepCode step) {
  auto kernels =
      NativeKernels::compile(std::move(step.module), Machine::getHost());
  if (!kernels)
    return kernels.takeError();
  LoneKernel kernel(std::move(*kernels), std::move(step.code));
  auto function = kernel.kernels.lookup(kernelName);
  if (!function)
    return function.takeError();
  kernel.function = *function;
  if (!kernel.packing)
    return kernel;
  auto pack = kernel.kernels.lookup(kernel.packing->name);
  if (!pack)
    return pack.takeError();
  kernel.pack = *pack;
  return kernel;
}

uint64_t LoneKernel::getBytes() const {
  uint64_t bytes = 0;
  for (const std::vector<Tensor> *tensors : {&reads, &results})
    for (const Tensor &tensor : *tensors)
      bytes += tensor.getBytes();
  return bytes;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::shared_ptr<char> KernelMemory::allocate(uint64_t bytes) {
  std::shared_ptr<char> memory = allocateAligned(bytes);
  if (!memory)
    llvm::report_fatal_error("no memory for the tensors of a kernel");
  // Pages that nobody has written to would all be the same one.
  std::memset(memory.get(), 0, bytes);
  return memory;
}

void KernelMemory::allocateTensors() {
  uint64_t bytes = 0;
  SmallVector<uint64_t> offsets;
  for (const auto *tensors : {&kernel.reads, &kernel.results})
    for (const LoneKernel::Tensor &tensor : *tensors) {
      offsets.push_back(bytes);
      bytes += llvm::alignTo(tensor.getBytes(), BufferPlan::alignment);
    }
  arena = allocate(bytes);
  for (uint64_t offset : offsets)
    buffers.push_back(arena.get() + offset);
}

KernelMemory::KernelMemory(const LoneKernel &kernel) : kernel(kernel) {
  allocateTensors();
  RandomStream stream(/*seed=*/0, kernelName);
  for (auto [read, data] : llvm::zip(kernel.reads, buffers)) {
    if (read.hasPlaces)
      continue;
    HostTensor tensor =
        llvm::cantFail(getRandomTensor(read.type, read.shape, {}, stream));
    std::memcpy(data, tensor.getBytes().data(), tensor.getBytes().size());
  }
  if (!kernel.packing)
    return;
  packed = allocate(kernel.packing->bytes);
  buffers.push_back(packed.get());
  if (kernel.packing->isConstant)
    kernel.pack(buffers.data(), 0, kernel.packing->extent);
}

void KernelMemory::run() const {
  if (kernel.packing && !kernel.packing->isConstant)
    kernel.pack(buffers.data(), 0, kernel.packing->extent);
  kernel.function(buffers.data(), 0, kernel.extent);
}
