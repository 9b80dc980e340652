//===- Widening.cpp - Evaluating operations of f32 in f64 -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Widening.h"
#include "inlay/Tensor/Kernels/Cast.h"

using namespace inlay;
using namespace mlir;

static HostTensor convert(const HostTensor &tensor, ElementType type) {
  // Between floats nothing can fail.
  return llvm::cantFail(kernels::cast(tensor, type));
}

HostTensor inlay::widen(const HostTensor &tensor) {
  return tensor.getType() == ElementType::Float
             ? convert(tensor, ElementType::Double)
             : tensor;
}

Type inlay::widen(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || !tensor.getElementType().isF32())
    return type;
  return tensor.clone(Float64Type::get(type.getContext()));
}

/// Operands as the model has them, each rounded once.
static SmallVector<HostTensor> narrow(Operation *op,
                                      ArrayRef<HostTensor> operands) {
  SmallVector<HostTensor> tensors;
  for (auto [value, tensor] : llvm::zip_equal(op->getOperands(), operands)) {
    Type element = getElementType(value);
    bool isWide =
        element && element.isF32() && tensor.getType() == ElementType::Double;
    tensors.push_back(isWide ? convert(tensor, ElementType::Float) : tensor);
  }
  return tensors;
}

static llvm::Expected<SmallVector<HostTensor>>
evaluateAs(EvaluateOpInterface op, ArrayRef<HostTensor> operands,
           Evaluation::RegionRunner runner) {
  Evaluation evaluation(op, operands, runner);
  if (llvm::Error error = op.evaluate(evaluation))
    return error;
  SmallVector<HostTensor> results;
  for (const HostTensor &tensor : evaluation.getResults())
    results.push_back(tensor ? widen(tensor) : tensor);
  return results;
}

/// A conversion to f32 is one to f64.
static bool isCastToFloat(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  return cast && cast.getTo() == int64_t(ElementType::Float);
}

llvm::Expected<SmallVector<HostTensor>>
inlay::evaluateWide(EvaluateOpInterface op, ArrayRef<HostTensor> operands,
                    Evaluation::RegionRunner runner) {
  if (isCastToFloat(op)) {
    auto result = kernels::cast(operands.front(), ElementType::Double);
    if (!result)
      return result.takeError();
    return SmallVector<HostTensor>{std::move(*result)};
  }
  auto results = evaluateAs(op, operands, runner);
  if (results || op->getNumRegions() != 0)
    return results;
  llvm::consumeError(results.takeError());
  return evaluateAs(op, narrow(op, operands), runner);
}
