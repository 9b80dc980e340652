//===- Evaluation.h - Evaluating an operator on host tensors ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_EVALUATION_H
#define INLAY_IR_EVALUATION_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inlay {

/// The operands and results of one operation while it is evaluated.
class Evaluation {
public:
  /// Runs a region of the operation on `arguments`.
  using RegionRunner = llvm::function_ref<llvm::Error(
      mlir::Region &region, llvm::ArrayRef<HostTensor> arguments,
      llvm::SmallVectorImpl<HostTensor> &results)>;

  /// `operands` are in the order of the operation's operands.
  Evaluation(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
             RegionRunner regionRunner = nullptr);

  /// The tensor of an operand that is present.
  const HostTensor &operator[](mlir::Value operand) const;
  /// The tensor of an optional operand, or null when it is absent.
  const HostTensor *lookup(mlir::Value operand) const;
  /// The tensors of a variadic operand.
  llvm::SmallVector<HostTensor> getAll(mlir::ValueRange operands) const;

  /// A parameter that is an attribute or, failing that, an operand; nothing
  /// when it is neither.
  std::optional<llvm::SmallVector<int64_t>>
  getInts(std::optional<llvm::ArrayRef<int64_t>> attribute,
          mlir::Value operand) const;
  std::optional<llvm::SmallVector<double>>
  getDoubles(std::optional<llvm::ArrayRef<float>> attribute,
             mlir::Value operand) const;

  /// normalizeAxis as an error.
  static llvm::Expected<int64_t> getAxis(int64_t axis, int64_t rank);
  static llvm::Expected<llvm::SmallVector<int64_t>>
  getAxes(llvm::ArrayRef<int64_t> axes, int64_t rank);

  /// Sets a result, passing on the error when there is one.
  llvm::Error set(mlir::Value result, llvm::Expected<HostTensor> tensor);
  /// Whether anybody needs this result.
  bool isUsed(mlir::Value result) const { return !result.use_empty(); }

  llvm::Error runRegion(mlir::Region &region,
                        llvm::ArrayRef<HostTensor> arguments,
                        llvm::SmallVectorImpl<HostTensor> &results);

  llvm::MutableArrayRef<HostTensor> getResults() { return results; }

private:
  mlir::Operation *op;
  llvm::ArrayRef<HostTensor> operands;
  llvm::SmallVector<HostTensor, 1> results;
  RegionRunner regionRunner;
};

/// The ONNX element type of a builtin or inlay element type, and back.
std::optional<ElementType> getOnnxElementType(mlir::Type element);
mlir::Type getMlirElementType(mlir::MLIRContext *context, ElementType type);

} // namespace inlay

#endif // INLAY_IR_EVALUATION_H
