//===- InlayOps.h - The operators -------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_INLAYOPS_H
#define INLAY_IR_INLAYOPS_H

#include "inlay/IR/AxisMaps.h"
#include "inlay/IR/Evaluation.h"
#include "inlay/IR/FusionClass.h"
#include "inlay/IR/InlayDialect.h"
#include "inlay/IR/LayoutTransfer.h"
#include "inlay/IR/Parameter.h"
#include "inlay/IR/StoredForm.h"
#include "inlay/IR/TypeInference.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "inlay/IR/InlayInterfaces.h.inc"

#define GET_OP_CLASSES
#include "inlay/IR/CoreOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/ElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/ContractionOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/PoolOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/NormalizationOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/ReduceOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/QuantizeOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/MovementOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/IndexingOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/ResampleOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/ControlFlowOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/LayoutOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/GroupOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/AttentionOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/RecurrentOps.h.inc"
#define GET_OP_CLASSES
#include "inlay/IR/ContributedOps.h.inc"

#endif // INLAY_IR_INLAYOPS_H
