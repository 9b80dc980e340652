//===- CheckProgram.h - Whether a program is one ------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_CHECKPROGRAM_H
#define INLAY_LIB_NATIVERUNTIME_CHECKPROGRAM_H

#include "Error.h"
#include "inlay/NativeRuntime/Program.h"

/* INLAY_INTERNAL where a place is outside of its memory, or a step has turns
 * that cannot be counted. */
inlay_status inlay_check_program(const inlay_program *program, char *text);

#endif // INLAY_LIB_NATIVERUNTIME_CHECKPROGRAM_H
