//===- ProgramState.h - What a native program consists of -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_PROGRAMSTATE_H
#define INLAY_LIB_CODEGEN_PROGRAMSTATE_H

#include "OpenDims.h"
#include "ShapedStep.h"
#include "ThreadPool.h"
#include "inlay/Analysis/BufferPlan.h"
#include "inlay/Codegen/NativeProgram.h"
#include "llvm/ADT/MapVector.h"

namespace inlay {

/// Memory as buffers are aligned; null where there is none.
std::shared_ptr<char> allocateAligned(uint64_t bytes);

/// The same elements in memory of its own; strings are shared.
HostTensor copyTensor(const HostTensor &tensor);

/// Where a value is while the program runs.
struct Slot {
  mlir::Value value;
  BufferPlace place;
  ElementType type = ElementType::Undefined;
  HostTensor::Shape shape;

  /// Whether its memory is known before it is computed.
  bool isPlaced() const {
    return place.home == BufferHome::Arena || place.home == BufferHome::Output;
  }
  /// Of a known shape.
  uint64_t getBytes() const {
    uint64_t bytes = getHostByteWidth(type);
    for (int64_t extent : shape)
      bytes *= extent;
    return bytes;
  }
  /// Whether it is computed where that output is.
  bool isOutput(unsigned number) const {
    return place.home == BufferHome::Output && place.index == number;
  }
};

/// A step with the numbers of the slots that it touches.
struct ProgramStep : NativeStep {
  KernelFunction function = nullptr, pack = nullptr;
  std::optional<KernelCode::Packing> packing;
  llvm::SmallVector<KernelCode::Indices, 0> indices;
  /// What was packed once for all.
  std::shared_ptr<char> packed;
  /// Turns of the outermost loop, and how many of them are worth a thread.
  int64_t extent = 0, grain = 1;
  /// See KernelCode.
  KernelCode::OpenTurns open;
  llvm::SmallVector<unsigned> lengths;
  llvm::SmallVector<KernelCode::Clear, 0> clears;
  llvm::SmallVector<unsigned> readSlots, resultSlots;
  /// What the operator reads, where its parameters have to be checked.
  llvm::SmallVector<unsigned> checkedSlots;
  /// By read: whether something reads it whenever the step runs. What is packed
  /// once for all is not.
  llvm::SmallVector<bool> isUsed;
  /// Of a step that is shaped; and what it reads.
  std::shared_ptr<ShapedStep> shaped;
  llvm::SmallVector<unsigned> shapedSlots;
  /// Those that nobody needs afterwards and that are on the heap.
  llvm::SmallVector<unsigned> dying;
};

/// The steps of a block.
struct ProgramBody {
  std::vector<ProgramStep> steps;
  llvm::SmallVector<unsigned> arguments, results;
};

struct NativeProgram::State {
  /// A copy of the caller's, with operators that became several.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp graph;
  std::vector<Slot> slots;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  /// The graph's own comes first, what groups consist of is among them.
  llvm::MapVector<mlir::Block *, ProgramBody> bodies;
  std::optional<NativeKernels> kernels;
  unsigned numKernels = 0, numObjects = 0, numCachedObjects = 0;
  uint64_t arenaBytes = 0;
  /// Of a library whose inputs have lengths that are known when it runs.
  OpenDims open;
  NativeTimes times;
  std::unique_ptr<ThreadPool> pool;
  /// By slot: constants that steps have asked for. They may be computed from
  /// what the model has, which is done once.
  std::vector<HostTensor> constants;
  /// The arena of runs, and what steps pack while they run; kept between runs.
  std::shared_ptr<char> arena, packing;
  uint64_t packingBytes = 0;
  /// Parameters that a step was seen to run with.
  llvm::DenseMap<const ProgramStep *, std::string> fitting;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_PROGRAMSTATE_H
