//===- InlayDialect.h - The inlay dialect -----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_INLAYDIALECT_H
#define INLAY_IR_INLAYDIALECT_H

#include "inlay/IR/DataFiles.h"
#include "inlay/IR/KernelNest.h"
#include "inlay/Layout/Layout.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

#include "inlay/IR/InlayDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "inlay/IR/InlayTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "inlay/IR/InlayAttributes.h.inc"

#endif // INLAY_IR_INLAYDIALECT_H
