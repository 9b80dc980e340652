//===- RunTimeParameters.cpp - Shapes that are known too late -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunTimeParameters.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"

using namespace inlay;
using namespace mlir;

/// Views have checks of their own, and a triangle is one wherever it ends.
static bool mayHaveParameters(Operation *op) {
  return isa<ConstantOfShapeOp, CumSumOp, PadOp, ResizeOp, SliceOp, TileOp,
             TopKOp, OneHotOp, RangeOp, ReduceSumOp, ReduceMeanOp, ReduceMaxOp,
             ReduceMinOp, ReduceProdOp, ReduceL1Op, ReduceL2Op, ReduceLogSumOp,
             ReduceLogSumExpOp, ReduceSumSquareOp>(op);
}

/// Data is none.
static bool isParameter(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned number = operand.getOperandNumber();
  if (isa<ConstantOfShapeOp, RangeOp>(op))
    return true;
  if (isa<OneHotOp>(op))
    return number == 1;
  if (auto pad = dyn_cast<PadOp>(op);
      pad && operand.get() == pad.getConstantValue())
    return false;
  return number != 0;
}

bool inlay::hasRunTimeParameters(Operation *op) {
  return mayHaveParameters(op) &&
         llvm::any_of(op->getOpOperands(), [](OpOperand &operand) {
           return isParameter(operand) &&
                  !operand.get().getDefiningOp<ConstantOp>();
         });
}

std::string inlay::getParameterBytes(Operation *op,
                                     ArrayRef<HostTensor> operands) {
  std::string bytes;
  for (auto [operand, tensor] : llvm::zip_equal(op->getOpOperands(), operands))
    if (isParameter(operand))
      bytes.append(tensor.getBytes().begin(), tensor.getBytes().end());
  return bytes;
}

bool inlay::doParametersFit(Operation *op, ArrayRef<HostTensor> operands) {
  MLIRContext *context = op->getContext();
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  Block block;
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&block);
  IRMapping mapping;
  for (auto [operand, tensor] :
       llvm::zip_equal(op->getOpOperands(), operands)) {
    if (!isParameter(operand)) {
      mapping.map(operand.get(),
                  block.addArgument(operand.get().getType(), op->getLoc()));
      continue;
    }
    TypedAttr value = getConstantAttr(context, tensor);
    mapping.map(operand.get(), builder.create<ConstantOp>(
                                   op->getLoc(), value.getType(), value));
  }
  Operation *copy = builder.clone(*op, mapping);
  for (OpResult result : copy->getResults())
    result.setType(UnknownType::get(context));
  return succeeded(refineResultTypes(copy)) &&
         copy->getResultTypes() == op->getResultTypes();
}
