//===- Memory.h - Large pieces of memory --------------------------*- C -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_NATIVERUNTIME_MEMORY_H
#define INLAY_LIB_NATIVERUNTIME_MEMORY_H

#include <stdint.h>

typedef struct inlay_memory {
  char *data;
  uint64_t bytes;
} inlay_memory;

/* Whole pages of zeros; nothing for no bytes. Returns 0 if there are none. */
int inlay_memory_take(inlay_memory *memory, uint64_t bytes);

/* Also of what was never taken, if it is zero. */
void inlay_memory_give(inlay_memory *memory);

#endif // INLAY_LIB_NATIVERUNTIME_MEMORY_H
