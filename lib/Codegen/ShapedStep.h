//===- ShapedStep.h - Steps whose sizes are known when they run -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_SHAPEDSTEP_H
#define INLAY_LIB_CODEGEN_SHAPEDSTEP_H

#include "inlay/Codegen/NativeProgram.h"

namespace inlay {

/// A step of unknown sizes that multiplies: worth compiling when they are
/// known. It becomes a program of its own for each set of shapes, of which the
/// last few are kept.
class ShapedStep {
public:
  /// Null where the step is no such one, or would have no code for some shapes.
  static std::shared_ptr<ShapedStep> get(mlir::Operation *step,
                                         const NativeOptions &options);

  /// What it reads, constants left out.
  llvm::ArrayRef<mlir::Value> getReads() const { return reads; }

  /// What the operation computes, all results. Compiles where these shapes were
  /// not there lately.
  llvm::Expected<llvm::SmallVector<HostTensor>>
  run(llvm::ArrayRef<HostTensor> tensors, StepObserver *observer);

private:
  ShapedStep(mlir::Operation *op, const NativeOptions &options)
      : op(op), options(options) {}

  /// A program with the operation alone, of these shapes; null where one of its
  /// values has no known size even then.
  mlir::OwningOpRef<mlir::ModuleOp>
  specialise(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes) const;

  struct Entry {
    std::vector<HostTensor::Shape> shapes;
    mlir::OwningOpRef<mlir::ModuleOp> module;
    NativeProgram program;
  };

  mlir::Operation *op;
  NativeOptions options;
  llvm::SmallVector<mlir::Value> reads;
  /// The one that was used last comes first.
  std::vector<std::unique_ptr<Entry>> entries;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_SHAPEDSTEP_H
