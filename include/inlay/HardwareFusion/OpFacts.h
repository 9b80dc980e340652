//===- OpFacts.h - What target files may ask about operators ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_HARDWAREFUSION_OPFACTS_H
#define INLAY_HARDWAREFUSION_OPFACTS_H

#include "inlay/HardwareFusion/FusionResult.h"
#include "inlay/IR/FactInterfaces.h"
#include "inlay/Target/DataFlow.h"
#include "llvm/ADT/SmallVector.h"

namespace inlay {

/// `attribute` as target files call it; see docs/Targets.md.
AttributeFact getAttributeFact(mlir::Operation *op, llvm::StringRef attribute);

/// Whether a value is known at compile time: a constant, or one in another
/// storage order.
bool isConstantValue(mlir::Value value);

/// Whether operands may be exchanged, up to the order of the result's elements.
bool exchangesOperands(mlir::Operation *op);

/// The operands that data may flow in through: of an operator that may exchange
/// its operands all that are no constants, otherwise the first.
llvm::SmallVector<unsigned, 2> getDataOperands(mlir::Operation *op);

/// How a side operand relates to the data.
SideShape getSideShape(mlir::Value data, mlir::Value side);

/// Whether the operator has a part that may occupy a stage of its own.
bool hasPart(mlir::Operation *op, OpPart part);

/// Whether its results have other element types than its first operand.
bool changesElementType(mlir::Operation *op);

/// What no pipeline does: a parameter that is computed at run time, a result
/// beside the data that is used, statistics of training. Empty when there is
/// nothing of the kind.
std::string findObstacle(mlir::Operation *op);

/// Why a stage does not take the operator in the form that it lists; empty when
/// it does, with the operands that data may come through in `data`.
std::string findMismatch(mlir::Operation *op, const StageOp &form,
                         llvm::SmallVectorImpl<unsigned> &data);

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_OPFACTS_H
