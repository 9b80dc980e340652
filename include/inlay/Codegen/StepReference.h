//===- StepReference.h - What a step should compute -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_STEPREFERENCE_H
#define INLAY_CODEGEN_STEPREFERENCE_H

#include "inlay/Codegen/ErrorBound.h"
#include "inlay/Codegen/NativeProgram.h"
#include "inlay/Runtime/Compare.h"

namespace inlay {

/// The results of an operation, or of a group, by its own `evaluate`, when
/// `tensors` are what it reads.
llvm::Expected<llvm::SmallVector<HostTensor>>
evaluateStep(mlir::Operation *op, llvm::ArrayRef<mlir::Value> reads,
             llvm::ArrayRef<HostTensor> tensors);

/// Evaluates what each kernel computes on the same tensors that it reads. What
/// is beyond the limits may still be within what rounding takes
/// (`boundErrors`): sums that cancel out, numbers next to where a quantiser
/// rounds the other way.
class StepChecker : public StepObserver {
public:
  struct Finding {
    const NativeStep *step;
    TensorComparison comparison;
  };

  explicit StepChecker(const CompareOptions &options) : options(options) {}

  bool looksInside() const override { return true; }
  llvm::Error beforeStep(const NativeStep &step,
                         llvm::ArrayRef<HostTensor> tensors) override;
  llvm::Error afterStep(const NativeStep &step,
                        llvm::ArrayRef<HostTensor> results) override;

  /// Of every kernel and each time that it ran its worst result, those of the
  /// largest error first.
  std::vector<Finding> takeFindings();

private:
  TensorComparison findWorst(const NativeStep &step,
                             llvm::ArrayRef<HostTensor> results,
                             llvm::ArrayRef<ElementErrors> allowed) const;

  CompareOptions options;
  llvm::SmallVector<HostTensor> reads, expected;
  std::vector<Finding> findings;
};

} // namespace inlay

#endif // INLAY_CODEGEN_STEPREFERENCE_H
