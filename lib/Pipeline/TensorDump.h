//===- TensorDump.h - Tensors of a run, a file each -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_TENSORDUMP_H
#define INLAY_LIB_PIPELINE_TENSORDUMP_H

#include "inlay/Codegen/NativeProgram.h"
#include "inlay/Report/Report.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace inlay {

/// Writes what nodes compute while a graph runs, so that no more of it is kept
/// than the run itself keeps. A file is named after its tensor.
class TensorDump : public StepObserver {
public:
  /// `values` are what a run may compute. `only` are lists of names of tensors
  /// or nodes; without any, everything is written.
  static llvm::Expected<std::unique_ptr<TensorDump>>
  create(llvm::ArrayRef<mlir::Value> values, llvm::StringRef folder,
         llvm::ArrayRef<std::string> only);

  /// Writes the tensor where it is to be written. The first failure is
  /// remembered and nothing is written after it.
  void add(mlir::Value value, const HostTensor &tensor);
  llvm::Error afterStep(const NativeStep &step,
                        llvm::ArrayRef<HostTensor> results) override;

  /// The first failure, or what was written.
  llvm::Error finish(Report &report);

private:
  explicit TensorDump(llvm::StringRef folder) : folder(folder.str()) {}

  llvm::Error select(llvm::ArrayRef<mlir::Value> values,
                     llvm::ArrayRef<std::string> only);
  llvm::Error write(mlir::Value value, const HostTensor &tensor);
  llvm::Error takeFailure();

  std::string folder;
  /// What is to be written, and how its file is called.
  llvm::MapVector<mlir::Value, std::string> files;
  std::string failure;
  int failureCode = 0;
  Table table{{{"name", "name"},
               {"node", "node"},
               {"op_type", "operator"},
               {"type", "type"},
               {"shape", "shape"},
               {"min", "min"},
               {"max", "max"},
               {"mean", "mean"},
               {"file", "file"}}};
  uint64_t numWritten = 0, numBytes = 0;
};

/// What operations of a graph compute once, in its order: not in bodies of
/// control flow, and no constants.
llvm::SmallVector<mlir::Value> getComputedValues(mlir::func::FuncOp graph);

/// The same of a program.
llvm::SmallVector<mlir::Value> getComputedValues(const NativeProgram &program);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_TENSORDUMP_H
