//===- OpLists.h - Every operation of the dialect ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A new family of operators is added here: then the dialect has it, and its
// operators have names in ONNX and answer what targets ask.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_OPLISTS_H
#define INLAY_LIB_IR_OPLISTS_H

#include "inlay/IR/InlayOps.h"

namespace inlay {

template <typename... OpTs> struct OpList {};

/// Those whose classes bear the names of ONNX's operators: ConvOp is Conv.
using NamedOps = OpList<
#define GET_OP_LIST
#include "inlay/IR/ElementwiseOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/ContractionOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/PoolOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/NormalizationOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/ReduceOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/QuantizeOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/MovementOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/IndexingOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/ResampleOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/AttentionOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/RecurrentOps.cpp.inc"
    >;

/// Those of com.microsoft, whose classes bear its names.
using ContributedOps = OpList<
#define GET_OP_LIST
#include "inlay/IR/ContributedOps.cpp.inc"
    >;

/// The others: constants, control flow, groups, and what is stored otherwise.
using StructuralOps = OpList<
#define GET_OP_LIST
#include "inlay/IR/CoreOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/ControlFlowOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/LayoutOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "inlay/IR/GroupOps.cpp.inc"
    >;

} // namespace inlay

#endif // INLAY_LIB_IR_OPLISTS_H
