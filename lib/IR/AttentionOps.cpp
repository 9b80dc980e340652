//===- AttentionOps.cpp - Attention and positions -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/AttentionOps.cpp.inc"

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::inferTypes(TypeInference &inference) {
  return success();
}

AxisMap AttentionOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass AttentionOp::getFusionClass() { return FusionClass::Contraction; }

llvm::Error AttentionOp::evaluate(Evaluation &evaluation) {
  return unsupportedError("attention is not computed");
}

//===----------------------------------------------------------------------===//
// RotaryEmbeddingOp
//===----------------------------------------------------------------------===//

LogicalResult RotaryEmbeddingOp::inferTypes(TypeInference &inference) {
  return inferSameType(*this, inference);
}

AxisMap RotaryEmbeddingOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass RotaryEmbeddingOp::getFusionClass() { return FusionClass::Opaque; }

llvm::Error RotaryEmbeddingOp::evaluate(Evaluation &evaluation) {
  return unsupportedError("rotary embedding is not computed");
}
