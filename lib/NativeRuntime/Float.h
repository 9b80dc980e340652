//===- Float.h - How floats are computed --------------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_FLOAT_H
#define INLAY_LIB_NATIVERUNTIME_FLOAT_H

#include <stdint.h>

typedef struct inlay_float_mode {
  uint64_t control, status;
} inlay_float_mode;

inlay_float_mode inlay_get_float_mode(void);
void inlay_set_float_mode(inlay_float_mode mode);

/* To nearest, with denormals, without traps. */
inlay_float_mode inlay_default_float_mode(void);

#endif // INLAY_LIB_NATIVERUNTIME_FLOAT_H
