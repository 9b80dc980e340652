//===- LoneKernel.h - Kernels without the steps around them -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_BENCH_KERNELS_LONEKERNEL_H
#define INLAY_BENCH_KERNELS_LONEKERNEL_H

#include "inlay/Codegen/KernelCode.h"
#include "inlay/Tensor/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay::benching {

/// A step and the code of it alone.
struct StepCode {
  mlir::Operation *op;
  KernelCode code;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// What the function of a step's kernel is called.
constexpr llvm::StringLiteral kernelName = "kernel";

/// The steps of a graph that was planned for machine code, as programs have
/// them, for which `isWanted` holds and there is code.
std::vector<StepCode>
emitSteps(mlir::func::FuncOp graph,
          llvm::function_ref<bool(mlir::Operation *)> isWanted);

/// Machine code of a kernel and what it takes; needs nothing of the module that
/// the step was in.
class LoneKernel {
public:
  /// Consumes the module of the code.
  static llvm::Expected<LoneKernel> compile(StepCode step);

  /// Bytes of what it reads and computes, each once.
  uint64_t getBytes() const;

private:
  friend class KernelMemory;

  struct Tensor {
    ElementType type;
    HostTensor::Shape shape;
    /// Numbers of a read that holds places; zero is always one.
    bool hasPlaces = false;

    uint64_t getBytes() const;
  };

  LoneKernel(NativeKernels kernels, KernelCode code);

  NativeKernels kernels;
  KernelFunction function = nullptr, pack = nullptr;
  int64_t extent = 0;
  std::optional<KernelCode::Packing> packing;
  std::vector<Tensor> reads, results;
};

/// The tensors of a kernel: random numbers in one arena, and packed once for
/// all what is packed so in programs.
class KernelMemory {
public:
  explicit KernelMemory(const LoneKernel &kernel);

  /// One thread does what a program's step does.
  void run() const;

  float *getRead(unsigned number) const {
    return static_cast<float *>(buffers[number]);
  }
  float *getResult() const {
    return static_cast<float *>(buffers[kernel.reads.size()]);
  }

private:
  static std::shared_ptr<char> allocate(uint64_t bytes);
  void allocateTensors();

  const LoneKernel &kernel;
  std::shared_ptr<char> arena, packed;
  std::vector<void *> buffers;
};

} // namespace inlay::benching

#endif // INLAY_BENCH_KERNELS_LONEKERNEL_H
