//===- NativeProgram.h - A graph as steps of machine code -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation of a graph, and of the bodies of its If, Loop and Scan, is a
// step: a kernel of machine code where a template takes it, nothing where it is
// a view, and otherwise its own `evaluate`. What is of known size lies in one
// arena, as the plan of buffers says.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_NATIVEPROGRAM_H
#define INLAY_CODEGEN_NATIVEPROGRAM_H

#include "inlay/Codegen/CompileJobs.h"
#include "inlay/Codegen/KernelCode.h"
#include "inlay/Tensor/HostTensor.h"

namespace inlay {

/// How a step runs.
enum class StepKind : uint8_t { Kernel, View, Evaluated };

struct NativeStep {
  mlir::Operation *op = nullptr;
  StepKind kind = StepKind::Evaluated;
  /// Whether a step that has no code yet gets some when its sizes are known.
  bool isShaped = false;
  /// Which of the program's kernels: steps with the same code share one.
  unsigned kernel = 0;
  /// See KernelCode.
  llvm::StringRef templateName;
  std::string plan;
  uint64_t operations = 0;
  int64_t outputsOfTile = 0;
  std::string reason;
  /// What it reads and computes.
  llvm::SmallVector<mlir::Value> reads, results;
};

/// Is told of each step of a run.
class StepObserver {
public:
  virtual ~StepObserver() = default;
  /// Whether it is told of the steps that a step becomes when its sizes are
  /// known, too.
  virtual bool looksInside() const { return false; }
  /// The tensors look at memory that the step may write to.
  virtual llvm::Error beforeStep(const NativeStep &step,
                                 llvm::ArrayRef<HostTensor> reads) {
    return llvm::Error::success();
  }
  virtual llvm::Error afterStep(const NativeStep &step,
                                llvm::ArrayRef<HostTensor> results) {
    return llvm::Error::success();
  }
};

struct NativeOptions {
  /// One whose code this machine runs.
  Machine machine = Machine::getHost();
  CodeChoices choices = {};
  /// Threads that run a step together.
  unsigned threads = 1;
  CompileJobs jobs;

  CodeTarget getTarget() const { return {machine.unit, choices}; }
};

/// Where the time of compiling went, in seconds.
struct NativeTimes {
  double planning = 0, emitting = 0, compiling = 0, packing = 0;
};

class NativeProgram {
public:
  /// Compiles a copy of the graph of `module`, which steps are of.
  /// Operators that nobody can evaluate are an error of exit code 5 that lists
  /// them all.
  static llvm::Expected<NativeProgram> compile(mlir::ModuleOp module,
                                               const NativeOptions &options);

  NativeProgram(NativeProgram &&) noexcept;
  ~NativeProgram();

  /// The graph's outputs. An empty tensor stands for an input's default.
  llvm::Expected<llvm::SmallVector<HostTensor>>
  run(llvm::ArrayRef<HostTensor> inputs, StepObserver *observer = nullptr);

  /// The steps of the graph and of its bodies, those in groups left out.
  std::vector<const NativeStep *> getSteps() const;
  unsigned getNumKernels() const;
  /// Object files of kernels, and how many of them the cache had.
  unsigned getNumObjects() const;
  unsigned getNumCachedObjects() const;
  uint64_t getArenaBytes() const;
  const NativeTimes &getTimes() const;

  struct State;

private:
  explicit NativeProgram(std::unique_ptr<State> state);

  std::unique_ptr<State> state;
};

} // namespace inlay

#endif // INLAY_CODEGEN_NATIVEPROGRAM_H
